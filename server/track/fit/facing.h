/// The check that free walls face the road.
#pragma once

#include "track/laid_track.h"

/// Refuses free walls with their back to the road.
apex_err track_check_facing(const apex_track_def *def, const apex_track *track,
                            apex_def_problem *problem);
