/// Footprints of cars as they are shown: whether two are in each other, and how to part them.
#pragma once

#include "client-lite/client.h"
#include "physics/physics.h"

typedef struct client_footprint {
    double centre_m[2], along[2]; ///< and its direction, of length 1
    double half_length_m, half_width_m;
} client_footprint;

client_footprint client_footprint_of(const apex_hull_def *hull, const apex_client_pose *pose);

/// @param normal of length 1, from one to the other, along which they part soonest; only set where
/// they overlap.
/// @return how deep they are in each other; 0: they are apart.
double client_footprint_overlap_m(const client_footprint *one, const client_footprint *other,
                                  double normal[2]);
