/// Walls that stand anywhere.
#pragma once

#include "track/laid_track.h"

/// On a terrain or beside a road; the ground is laid.
apex_err track_lay_free_walls(const apex_track_def *def, apex_track *track,
                              apex_def_problem *problem);
