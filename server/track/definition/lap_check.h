/// The check of a definition along its lap.
#pragma once

#include "track/track.h"

/// Ranges along the lap, once its length is known.
apex_err track_check_distances(const apex_track_def *def, double curve_m,
                               apex_def_problem *problem);
