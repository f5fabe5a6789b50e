/// Stations: the curve sampled every metre of lap.
#pragma once

#include "track/laid_track.h"

/// How far along the lap a followed car is looked for, to both sides.
#define TRACK_WINDOW_M 60.0

/// Fills stations, lengths and sectors.
apex_err track_lay_stations(const apex_track_def *def, apex_track *track,
                            apex_def_problem *problem);
