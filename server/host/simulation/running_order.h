/// The order of a race, as it stands.
#pragma once

#include "base/arena.h"
#include "race/race.h"

/// All lines of it. NULL and none if the arena has no room.
const apex_standing *host_running_order(const apex_race *race, apex_arena *arena, size_t *count);
