/// Posts, the last of what stands on a track.
#pragma once

#include "track/laid_track.h"

/// Posts, which come last; then track->walls is whole.
apex_err track_finish_walls(const apex_track_def *def, apex_track *track,
                            apex_def_problem *problem);
