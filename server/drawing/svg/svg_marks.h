/// Lines, boxes, arrow and kilometres on the map.
#pragma once

#include "drawing/svg/paper.h"

void drawing_marks(const drawing_paper *paper);
