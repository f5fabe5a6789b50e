/// Title, legend and scale, and the height profile below the map.
#pragma once

#include "drawing/svg/paper.h"

/// @param down_m where the map ends.
void drawing_captions(const drawing_paper *paper, double down_m);
/// @return the height that they take below the map.
double drawing_captions_m(const drawing_paper *paper);
