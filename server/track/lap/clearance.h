/// The room between a point and the road.
#pragma once

#include "track/laid_track.h"

/// A point, and the roads that matter to it.
typedef struct track_clearance_query {
    double x_m, y_m, z_m;
    double reach_z_m;
    double limit_m;
} track_clearance_query;

/// @return the distance of a point outside the road, over all stretches whose road is within
/// `reach_z_m` of z; negative on the road. Larger distances than limit_m are all reported as
/// limit_m.
/// @param[out] point of the definition where the nearest road is; may be NULL.
double track_clearance(const apex_track *track, const track_clearance_query *query,
                       uint32_t *point);
