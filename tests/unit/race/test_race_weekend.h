// An event with sessions on a small ring whose cars are moved on by hand.
#pragma once

#include "test_race_ring.h"

// Practice of 20 s, qualifying of 20 s and a race of 2 laps, on a ring of about 754 m.
static inline apex_race_def weekend_def(void) {
    apex_race_def def = scene_race_def(6);
    def.races = 0;
    def.stuck_s = def.idle_s = 0.0;
    def.late_join = false;
    def.weekend.session_count = 3;
    apex_session_def *sessions = def.weekend.sessions;
    sessions[0] = (apex_session_def){.name = "practice",
                                     .kind = APEX_SESSION_PRACTICE,
                                     .duration_s = 20.0,
                                     .overtime_s = 10.0,
                                     .results_s = 1.0};
    sessions[1] = sessions[0];
    sessions[1].kind = APEX_SESSION_QUALIFYING;
    sessions[2] = (apex_session_def){.name = "race",
                                     .kind = APEX_SESSION_RACE,
                                     .laps = 2,
                                     .finish_wait_s = 20.0,
                                     .results_s = 1.0,
                                     .points_count = 2,
                                     .points = {10, 6},
                                     .best_lap_points = 1};
    return def;
}

static inline race_player *line_of(apex_player_id player) {
    return &race->field.players[player.index1 - 1];
}

static inline race_card *card_of(apex_player_id player) {
    return &race->field.cards[player.index1 - 1];
}

static inline uint32_t session_now(void) {
    return apex_race_session_of(race).index;
}

static inline void tick(void) {
    scene_tick(race, NULL);
}

static inline void ticks(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        tick();
    }
}

// One lap forward by steps, to a few metres past the line. @return ticks taken
static inline uint32_t drive_lap(apex_player_id player, double step_m) {
    uint32_t laps = line_of(player)->lap.laps, gates = line_of(player)->lap.gates_passed;
    uint32_t taken = 0;
    while (line_of(player)->lap.laps == laps &&
           !(gates == 0 && line_of(player)->lap.gates_passed > 0)) {
        ck_assert_msg(++taken < 3000, "no lap");
        warp(player, step_m);
        tick();
    }
    return taken;
}

static inline void begin_weekend(const apex_race_def *def) {
    begin(def);
}
