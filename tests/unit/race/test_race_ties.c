// Several cars that cross a line within one tick: their times part them, not their slots.
#include "test_race_one.h"
#include "race/race_private.h"
#include "race/timing/order.h"
#include "support/base/check_main.h"

static apex_player_id ada, bob;

// A strip of 400 m, on which Ada has the first slot and the first box.
static void begin_two(void) {
    apex_race_def def = scene_race_def(4);
    def.stuck_s = def.idle_s = 0.0;
    begin_on(scene_strip(), &def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    go();
}

// Each where he is after this tick; lanes keep them apart.
static void carry(double ada_m, double bob_m) {
    const double s_m[2] = {ada_m, bob_m};
    for (uint32_t slot = 0; slot < 2; slot++) {
        apex_placement at = apex_track_placement(track, s_m[slot], slot == 0 ? 3.0 : -3.0);
        apex_world_place_car(race->field.world, race->field.players[slot].car_id, &at);
    }
    scene_tick(race, NULL);
}

static void carry_over(double ada_m, double bob_m) {
    for (double way_m = -5.0; way_m < ada_m; way_m += 20.0) {
        carry(way_m, way_m - 1.0 < bob_m ? way_m - 1.0 : bob_m);
    }
    carry(ada_m, bob_m);
}

// Ada from 399 to 401 m passes the line in the middle of the tick, Bob from 397 to 405 m after
// three eighths of it, though she was ahead before.
TEST(who_is_home_first_within_a_tick_is_told_by_time) {
    begin_two();
    carry_over(399.0, 397.0);
    ck_assert_uint_eq(scene_standing(race, ada).position, 1);
    carry(401.0, 405.0);
    size_t count = 0, found = 0;
    const apex_race_event *events = apex_race_events(race, &count);
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == APEX_EVENT_FINISHED) {
            ck_assert_uint_eq(events[i].player.index1, found == 0 ? bob.index1 : ada.index1);
            ck_assert_int_eq(events[i].value, (int64_t)++found);
        }
    }
    ck_assert_uint_eq(found, 2);
    apex_standing first = scene_standing(race, bob), second = scene_standing(race, ada);
    ck_assert_uint_eq(first.position, 1);
    ck_assert_uint_eq(second.position, 2);
    ck_assert_uint_eq(first.gap_us, 0);
    // An eighth of a tick of 1/60 s; a placement is good to a few millimetres.
    ck_assert_double_eq_tol((double)(second.total_us - first.total_us), 1e6 / 60.0 / 8.0, 20.0);
    ck_assert_uint_eq(second.gap_us, second.total_us - first.total_us);
    ck_assert_uint_eq(race->timing.records.winner_us, first.total_us);
    ck_assert_uint_eq(race->timing.records.best_lap_us, first.best_lap_us);
    end();
}

// The same at the gate at 25 m: whoever was there first is who the other is behind.
TEST(who_passes_a_gate_first_within_a_tick_leads_there_by_time) {
    begin_two();
    carry(-5.0, -6.0);
    carry(24.0, 22.0);
    carry(26.0, 30.0);
    ck_assert_uint_eq(scene_standing(race, bob).position, 1);
    ck_assert_uint_eq(scene_standing(race, bob).gap_us, 0);
    ck_assert_double_eq_tol((double)scene_standing(race, ada).gap_us, 1e6 / 60.0 / 8.0, 20.0);
    end();
}

// Every sixteenth of 400 m, and where a sector ends there as well it is one gate.
TEST(a_sector_that_ends_at_a_gate_makes_no_other) {
    begin_two();
    ck_assert_uint_eq(race->timing.gate_count, 17);
    for (uint32_t i = 0; i < 17; i++) {
        const race_gate *gate = &race->timing.gates[i];
        ck_assert_double_eq_tol(gate->s_m, 25.0 * i, 1e-6);
        ck_assert_uint_eq(gate->sector, i == 8 ? 0 : i == 16 ? 1 : RACE_GATE_NO_SECTOR);
    }
    end();
}

static void expect_first(apex_player_id player) {
    race_order_update(&race->timing, &race->field);
    ck_assert_uint_eq(scene_standing(race, player).position, 1);
}

TEST(who_has_no_way_stands_by_the_grid) {
    begin_two();
    race_player *first = &race->field.players[0], *second = &race->field.players[1];
    first->way_m = -10.0;
    second->way_m = -5.0;
    first->state = second->state = APEX_STANDING_DNF;
    expect_first(bob);
    second->started = false; // out before he had begun: with those who wait
    expect_first(ada);
    first->started = false;
    expect_first(ada);
    first->state = second->state = APEX_STANDING_WAITING;
    expect_first(ada);
    first->grid = 3;
    expect_first(bob);
    end();
}

// Bob was behind at the gate at 25 m, and goes past Ada before the next one.
TEST(who_leads_is_behind_nobody) {
    begin_two();
    carry(-5.0, -6.0);
    carry(24.0, 22.0);
    carry(26.0, 23.0);
    carry(28.0, 35.0);
    ck_assert_uint_eq(scene_standing(race, bob).position, 1);
    ck_assert_uint_eq(scene_standing(race, bob).gap_us, 0);
    ck_assert_uint_eq(scene_standing(race, ada).gap_us, 0); // at the newest gate she led
    end();
}

// Ada is home in the middle of a tick, Bob from 385 to 405 m after three quarters of the fourth one
// after it.
TEST(gaps_are_to_the_winner) {
    begin_two();
    carry_over(399.0, 300.0);
    carry(401.0, 320.0);
    uint64_t winner_us = scene_standing(race, ada).total_us;
    for (double at_m = 345.0; at_m < 410.0; at_m += 20.0) {
        carry(410.0, at_m);
    }
    apex_standing second = scene_standing(race, bob);
    ck_assert_int_eq(second.state, APEX_STANDING_FINISHED);
    ck_assert_uint_eq(race->timing.records.winner_us, winner_us);
    ck_assert_uint_eq(second.gap_us, second.total_us - winner_us);
    ck_assert_double_eq_tol((double)second.gap_us, 4.25e6 / 60.0, 20.0);
    end();
}
