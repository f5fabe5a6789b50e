// Controls through a whole server: what it reports, what the client makes of it, what is counted.
#include "support/base/check_main.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, DRIVERS = 4 };

static race_rig *open_rig(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.laps = 50;
    file.race.start_players = DRIVERS;
    file.race.player_capacity = DRIVERS;
    file.race.countdown_s = 2.0;
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    for (uint32_t i = 0; i < DRIVERS; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        snprintf(name, sizeof name, "driver %u", i);
        apex_client_def def = apex_default_client_def();
        def.name = name;
        def.want_defs = true;
        def.server_stats = true;
        race_rig_pilot(rig, race_rig_connect(rig, &def));
    }
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    return rig;
}

static uint64_t sum_of(const uint64_t counts[], size_t length) {
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        sum += counts[i];
    }
    return sum;
}

// Without a link's delay a client could hardly be wrong; with a hundredth of packets lost it must
// not fall back on much.
TEST_OVER(controls_are_used_on_their_tick, 0, 3) {
    static const double losses[] = {0.0, 0.01, 0.05};
    race_rig *rig = open_rig();
    race_rig_set_loss(rig, losses[_i]);
    race_rig_tick(rig, 10 * SECOND);
    apex_controls_counters before = apex_server_controls_counters(race_rig_server(rig));
    race_rig_tick(rig, 20 * SECOND);
    apex_controls_counters after = apex_server_controls_counters(race_rig_server(rig));
    uint64_t used = after.used_on_tick - before.used_on_tick;
    uint64_t missed = after.missed - before.missed;
    ck_assert_uint_eq(used + missed, DRIVERS * 20 * SECOND);
    ck_assert_msg(missed * 50 <= used, "%llu of %llu missed", (unsigned long long)missed,
                  (unsigned long long)(used + missed));
    // Two ticks ahead bridge a lost packet; nobody needs four.
    uint64_t deep = sum_of(after.depths + 5, APEX_CONTROLS_DEPTHS - 5) -
                    sum_of(before.depths + 5, APEX_CONTROLS_DEPTHS - 5);
    ck_assert_uint_le(deep * 20, used);
    for (size_t i = 0; i < DRIVERS; i++) {
        apex_client_stats stats = apex_client_stats_of(race_rig_client(rig, i));
        ck_assert_int_ge(stats.controls_depth, -2);
        ck_assert_int_le(stats.controls_depth, 4);
        ck_assert_uint_ge(stats.input_effects, 25 * SECOND);
        const apex_histogram *effects_us = apex_client_input_effects(race_rig_client(rig, i));
        ck_assert_uint_eq(effects_us->count, stats.input_effects);
        uint64_t usual_us = apex_histogram_quantile(effects_us, 0.5);
        ck_assert_uint_ge(usual_us, 16000); // half a group, and to the next tick
        ck_assert_uint_le(usual_us, 130000);
    }
    race_rig_destroy(rig);
}

TEST(statistics_tell_what_the_server_counts) {
    race_rig *rig = open_rig();
    race_rig_set_loss(rig, 0.3);
    race_rig_tick(rig, 10 * SECOND);
    race_rig_set_loss(rig, 0.0);
    // They are sent once a second, and of the tick in which they are sent.
    while (apex_world_tick(apex_race_world(apex_server_race(race_rig_server(rig)))) % SECOND != 0) {
        race_rig_tick(rig, 1);
    }
    apex_controls_counters counted = apex_server_controls_counters(race_rig_server(rig));
    race_rig_tick(rig, 2);
    const apex_server_stats *told = apex_client_server_stats(race_rig_client(rig, 0));
    ck_assert_ptr_nonnull(told);
    ck_assert_uint_eq(told->tick % SECOND, 0);
    ck_assert_uint_eq(told->controls_used, counted.used_on_tick);
    ck_assert_uint_eq(told->controls_missed, counted.missed);
    ck_assert_mem_eq(told->controls_depths, counted.depths, sizeof counted.depths);
    ck_assert_mem_eq(told->controls_gaps, counted.gaps, sizeof counted.gaps);
    ck_assert_uint_eq(sum_of(counted.depths, APEX_CONTROLS_DEPTHS), counted.used_on_tick);
    uint64_t late = 0;
    for (uint32_t i = 0; i < told->refused_count; i++) {
        if (strcmp(told->refused[i].name, "controls-late") == 0) {
            late = told->refused[i].count;
        }
    }
    ck_assert_uint_gt(late, 0);
    ck_assert_uint_eq(late, counted.late);
    // Nearly a third of the packets were lost, and each miss in a row has been ended since.
    ck_assert_uint_gt(counted.gaps[0] + counted.gaps[1], 5);
    ck_assert_uint_le(sum_of(counted.gaps, APEX_CONTROLS_GAPS), counted.missed);
    race_rig_destroy(rig);
}
