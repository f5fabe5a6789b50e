/// Walls, posts, and which walls stand on bridges.
#pragma once

#include "drawing/svg/paper.h"

/// The stretch of a bridge, by the index of its crossing.
apex_track_stretch drawing_bridge_of(const drawing_paper *paper, uint32_t index);
/// @param bridge the one whose walls are wanted, or the count of bridges for all other walls.
void drawing_walls(const drawing_paper *paper, uint32_t bridge);
void drawing_posts(const drawing_paper *paper);
