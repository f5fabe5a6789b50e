/// Laying a terrain: its own ground, the line that gives places on it, walls that stand on it.
#pragma once

#include "track/walls/wall_chain.h"

static inline bool track_has_terrain(const apex_track_def *def) {
    return def->terrain.columns > 0;
}

/// Ranges, names and what does not go together.
apex_err track_check_terrain(const apex_track_def *def, apex_def_problem *problem);
/// Ground, stations, walls and posts.
apex_err track_lay_terrain(const apex_track_def *def, apex_track *track, apex_def_problem *problem);
/// Tiles for the terrain and the bank round it.
apex_err track_lay_terrain_ground(const apex_track_def *def, apex_track *track,
                                  apex_def_problem *problem);
/// @param index of the wall, for messages.
apex_err track_lay_terrain_wall(const apex_track_free_wall *wall, uint32_t index, uint8_t material,
                                apex_track *track, apex_def_problem *problem);
