/// The check that pits are free.
#pragma once

#include "track/laid_track.h"

/// Refuses free walls and posts in the pits.
apex_err track_check_pits_free(const apex_track_def *def, const apex_track *track,
                               apex_def_problem *problem);
