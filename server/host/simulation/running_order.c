// The order of a race, on an arena.

#include "host/simulation/running_order.h"

const apex_standing *host_running_order(const apex_race *race, apex_arena *arena, size_t *count) {
    size_t capacity = apex_race_standings_max(race);
    apex_standing *lines = apex_arena_alloc(arena, capacity * sizeof *lines);
    *count = lines != NULL ? apex_race_standings(race, lines, capacity) : 0;
    return lines;
}
