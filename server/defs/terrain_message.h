// The terrain of a track definition as a message. Private to defs.
#pragma once

#include "defs/defs_codec.h"

#include "defs.pb-c.h"

/// Of the arena that putting it takes.
size_t defs_terrain_bytes(const apex_terrain *plain);
/// @return NULL if there is none.
Apex__TrackTerrain *defs_put_terrain(apex_arena *arena, const apex_terrain *plain);
/// @param pb may be NULL: there is none. Memory that has been allocated in *plain stays the
/// caller's.
bool defs_get_terrain(const defs_place *place, const Apex__TrackTerrain *pb, apex_terrain *plain);
