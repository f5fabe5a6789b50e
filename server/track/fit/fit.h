/// The check that a car can drive a laid track.
#pragma once

#include "track/laid_track.h"

/// Refuses what no car could drive.
apex_err track_check_fit(const apex_track_def *def, const apex_track *track,
                         apex_def_problem *problem);
