/// Ground from a height map.
#pragma once

#include "track/laid_track.h"

/// Tiles for the terrain and the bank round it.
apex_err track_lay_terrain_ground(const apex_track_def *def, apex_track *track,
                                  apex_def_problem *problem);
