// Crossings of the line as a race times them: at 1,000 places of it within a tick, and 1,000 cars
// in one.
#include "test_race_weekend.h"

#include "race/crossings.h"
#include "race/timing/lap.h"
#include "race/timing/order.h"
#include "support/base/check_main.h"

#include <math.h>

enum { OFFSETS = 1000, CARS = 1000 };

static apex_race_def race_def(uint32_t capacity) {
    apex_race_def def = weekend_def();
    def.player_capacity = capacity;
    def.weekend.session_count = 1;
    def.weekend.sessions[0] = def.weekend.sessions[2];
    def.weekend.sessions[0].laps = 1;
    return def;
}

static void put(uint32_t slot, double s_m) {
    apex_placement at = apex_track_placement(track, s_m, 0.0);
    race->field.poses[slot].position_m[0] = at.x_m;
    race->field.poses[slot].position_m[1] = at.y_m;
}

typedef struct drive {
    double v_mps, a_mps2;
    uint32_t hz;
} drive;

// The start line at the strip is 0; he passes it `share` of a tick after some whole tick.
static double error_us(const drive *how, double share) {
    race_player *line = &race->field.players[0];
    uint64_t tick_now = apex_world_tick(race->field.world);
    double from_s = -3.0 - share;
    line->lap = (race_lap){0};
    race->field.cards[0].lap = (race_lap_card){0};
    line->state = APEX_STANDING_RUNNING;
    race->timing.records.go_tick = tick_now - 100;
    for (int k = 0; k < 6 && line->lap.gates_passed == 0; k++) {
        double t_s = (from_s + k) / how->hz;
        put(0, how->v_mps * t_s + 0.5 * how->a_mps2 * t_s * t_s);
        if (k == 0) {
            line->s_m = how->v_mps * t_s + 0.5 * how->a_mps2 * t_s * t_s;
            continue;
        }
        race_lap_advance(&race->timing, &race->field, line, &race->log);
    }
    ck_assert_uint_eq(line->lap.gates_passed, 1);
    // The world's tick stands still here: the crossing is `share` into the tick that ended with it.
    double expected_us = (99.0 + share) * 1e6 / how->hz;
    return fabs((double)line->lap.gate_us - expected_us);
}

TEST(a_thousand_places_of_the_line_are_timed_to_20_us) {
    static const drive drives[] = {{60.0, 0.0, 60},   {35.0, 10.0, 60}, {12.0, 9.0, 60},
                                   {50.0, -20.0, 60}, {20.0, 10.0, 20}, {40.0, -12.0, 20}};
    for (size_t i = 0; i < sizeof drives / sizeof drives[0]; i++) {
        apex_race_def def = race_def(4);
        def.world.tick_hz = drives[i].hz;
        begin_on(scene_strip(), &def);
        scene_join(race, "ada");
        go();
        ticks(200);
        double worst_us = 0.0;
        for (int k = 0; k < OFFSETS; k++) {
            worst_us = fmax(worst_us, error_us(&drives[i], (k + 0.5) / OFFSETS));
        }
        ck_assert_msg(worst_us <= 20.0, "drive %zu: %g us", i, worst_us);
        end();
    }
}

// All home in one tick, each a microsecond after another, in an order that is none of slots.
TEST(a_thousand_cars_in_one_tick_are_home_in_the_order_of_time) {
    apex_race_def def = race_def(CARS);
    begin(&def);
    for (uint32_t i = 0; i < CARS; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%u", i);
        scene_join(race, name);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, (apex_player_id){0, 0}), APEX_OK);
    race->event.phase = APEX_PHASE_RACE;
    for (uint32_t i = 0; i < CARS; i++) {
        race_player *line = &race->field.players[i];
        uint32_t place = (i * 387 + 500) % CARS; // 387 and 1000 have no common divisor
        line->state = APEX_STANDING_RUNNING;
        line->started = true;
        line->lap.laps = place % 3 == 1 && place > 0 ? 0 : 1; // some are lapped
        line->lap.lap_from_us = race->field.cards[i].lap.line_us = 5000000 + place;
        race->timing.crossed[race->timing.crossed_count++] = i;
    }
    race_settle_crossings(race);
    ck_assert_uint_eq(race->event.weekend->chequered.out_us, 5000000);
    race_order_update(&race->timing, &race->field);
    uint64_t before_us = 0;
    uint32_t before_laps = 1;
    for (uint32_t i = 0; i < CARS; i++) {
        const race_player *line = &race->field.players[race->timing.order[i]];
        ck_assert_int_eq(line->state, APEX_STANDING_FINISHED);
        ck_assert_uint_le(line->lap.laps, before_laps);
        ck_assert(line->lap.laps < before_laps || line->lap.total_us > before_us);
        before_us = line->lap.total_us;
        before_laps = line->lap.laps;
    }
    ck_assert_uint_eq(before_laps, 0);
    end();
}
