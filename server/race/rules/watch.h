// The rules' counts of a player, begun anew.
#pragma once

#include "race/player.h"

// Before the next race.
static inline void race_watch_forget(race_watch *watch) {
    watch->off_ticks = watch->off_ticks_max = watch->off_count = 0;
    watch->wrong_ticks = watch->stuck_ticks = 0;
    watch->idle_ticks = 0;
    watch->off = watch->wrong_told = watch->crippled = false;
}

// Begins the watch anew where a car has been put down: from there it has to make way.
static inline void race_watch_from_here(race_player *player) {
    player->watch.stuck_way_m = player->way_m;
    player->watch.stuck_ticks = 0;
}
