/// Bands along the road.
#pragma once

#include "drawing/svg/paper.h"

/// Strips beside the road, or those on it, of a part of the lap; NULL for all of it.
void drawing_strips(const drawing_paper *paper, const apex_track_stretch *part, bool beside);
/// @param beyond_m so far outside the road's edges.
void drawing_road(const drawing_paper *paper, const apex_track_stretch *along, double beyond_m,
                  const char *colour);
