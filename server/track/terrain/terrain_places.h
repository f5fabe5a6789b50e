/// The line that gives places on a terrain.
#pragma once

#include "track/laid_track.h"

/// Stations of the course, once the ground is laid; without one those of a line through the middle,
/// and the boxes to start from.
apex_err track_lay_terrain_places(const apex_track_def *def, apex_track *track,
                                  apex_def_problem *problem);
