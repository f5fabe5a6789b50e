/// Stations: the curve sampled every metre of lap.
#pragma once

#include "track/laid_track.h"

/// The way along the lap, to both sides, in which a followed car is looked for.
#define TRACK_WINDOW_M 60.0

/// Fills stations, lengths and sectors.
apex_err track_lay_stations(const apex_track_def *def, apex_track *track,
                            apex_def_problem *problem);
