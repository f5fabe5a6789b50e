/// The pit lane, if there is one.
#pragma once

#include "drawing/svg/paper.h"

void drawing_pits(const drawing_paper *paper);
