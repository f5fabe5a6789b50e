// A race on a small ring whose cars are moved on by hand, so that races are short.
#pragma once

#include "test_race_one.h"
#include "race/race_private.h"

static inline void begin(const apex_race_def *def) {
    begin_on(scene_ring(120.0), def);
}

// Puts a car further along the lap, as if it had driven there since the last tick.
static inline void warp_at(apex_player_id player, double metres, double speed_mps) {
    race_player *line = &race->field.players[player.index1 - 1];
    apex_placement at = apex_track_placement(track, line->s_m + metres, 0.0);
    at.speed_mps = speed_mps;
    apex_world_place_car(race->field.world, line->car_id, &at);
}

static inline void warp(apex_player_id player, double metres) {
    warp_at(player, metres, 0.0);
}

static inline void warp_home(apex_player_id player) {
    while (race->field.players[player.index1 - 1].state == APEX_STANDING_RUNNING) {
        warp(player, 30.0);
        scene_tick(race, NULL);
    }
}
