/// The ground of a terrain.
#pragma once

#include "drawing/svg/paper.h"

void drawing_terrain(const drawing_paper *paper);
