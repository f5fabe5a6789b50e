/// The nearest road to a point, as a bound; places on the lap are public.
#pragma once

#include "track/laid_track.h"

/// @return a lower bound of the distance to the road: no road is nearer.
double track_distance_bound_m(const apex_track *track, double x_m, double y_m);
