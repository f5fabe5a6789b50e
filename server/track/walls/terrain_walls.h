/// Walls that stand on a terrain.
#pragma once

#include "track/laid_track.h"

/// @param index of the wall, for messages.
apex_err track_lay_terrain_wall(const apex_track_free_wall *wall, uint32_t index, uint8_t material,
                                apex_track *track, apex_def_problem *problem);
