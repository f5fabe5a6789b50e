// The red flag: places at the last gate that all had passed, laps that do not count, and what a
// result that goes back is made of. The ring has sixteen gates a lap: gate n stands at way
// (n - 1) / 16 of a lap.
#include "test_race_control_scene.h"
#include "race/control/red_flag.h"

FIXTURE(NULL, end_cars)

static race_lap *lap_of(uint32_t slot) {
    return &race->field.players[slot].lap;
}

// He passes the next gate.
static void gate(uint32_t slot, uint64_t us) {
    race_lap *lap = lap_of(slot);
    lap->gates_passed++;
    lap->gate_us = us;
    if (lap->gates_passed > 1 && (lap->gates_passed - 1) % 16 == 0) {
        lap->laps++;
        lap->lap_from_us = us;
    }
    hands[slot].way_m = (lap->gates_passed - 1) * lap_m / 16;
    settle();
    ticks(1);
}

// He passes all up to `gates`, a second after each other.
static void gates(uint32_t slot, uint32_t to, uint64_t at_us) {
    while (lap_of(slot)->gates_passed < to) {
        gate(slot, at_us - (to - lap_of(slot)->gates_passed - 1) * UINT64_C(1000000));
    }
}

static void begin_red(uint32_t count) {
    begin_cars(count);
    ck_assert_uint_eq(race->timing.gate_count, 16);
    for (uint32_t i = 0; i < count; i++) {
        hands[i].sight.driven_mps = 0.0;
        race->field.players[i].grid = i + 1;
    }
}

static void stop(void) {
    ck_assert_int_eq(race_control_call(&control, &scene, APEX_FLAG_RED), APEX_OK);
}

static void expect_order(uint32_t count, const uint32_t slots[]) {
    uint32_t found[CARS_MAX];
    ck_assert_uint_eq(race_red_order(&control, &race->field, found), count);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_msg(found[i] == slots[i], "place %u: %u, not %u", i + 1, found[i], slots[i]);
    }
}

TEST(places_are_those_of_the_last_gate_that_all_had_passed) {
    begin_red(3);
    gates(0, 24, 100000000);
    gates(1, 24, 100400000);
    gates(2, 24, 103000000);
    gate(1, 104000000); // by now he is ahead of car 0, but car 2 is not there yet
    gate(0, 104100000);
    stop();
    expect_order(3, (uint32_t[]){0, 1, 2});
    ck_assert_uint_eq(control.watches[1].red.gates, 24);
    ck_assert_uint_eq(control.watches[1].red.laps, 1);
    ck_assert_uint_eq(control.watches[1].red.gate_us, 100400000);
    ck_assert_int_eq(race_control_call(&control, &scene, APEX_FLAG_GREEN), APEX_OK);
    gate(2, 105000000);
    stop();
    expect_order(3, (uint32_t[]){1, 0, 2});
    ck_assert_uint_eq(control.watches[2].red.gates, 25);
}

TEST(the_laps_of_then_are_those_of_that_gate) {
    begin_red(2);
    gates(0, 33, 100000000); // has just completed his second lap
    gates(1, 32, 100100000);
    ck_assert_uint_eq(lap_of(0)->laps, 2);
    stop();
    expect_order(2, (uint32_t[]){0, 1});
    ck_assert_uint_eq(control.watches[0].red.laps, 1);
    ck_assert_uint_eq(control.watches[1].red.laps, 1);
}

TEST(who_is_lapped_stands_behind_by_the_gate_of_his_own_lap) {
    begin_red(3);
    gates(0, 40, 100000000);
    gates(1, 40 - 16 + 3, 100500000); // a lap down, and three gates ahead on the road
    gates(2, 39, 100900000);
    stop();
    expect_order(3, (uint32_t[]){0, 2, 1});
    ck_assert_uint_eq(control.watches[0].red.gates, 39);
    ck_assert_uint_eq(control.watches[1].red.gates, 39 - 16);
    ck_assert_uint_eq(control.watches[1].red.gate_us, 100500000 - 4000000);
    ck_assert_uint_eq(control.watches[1].red.laps, 1);
    ck_assert_uint_eq(control.watches[2].red.laps, 2);
}

TEST(half_a_lap_behind_is_a_lap) {
    for (uint32_t behind = 7; behind < 9; behind++) {
        begin_red(2);
        gates(0, 40, 100000000);
        gates(1, 40 - behind, 100000000);
        stop();
        ck_assert_uint_eq(control.watches[0].red.gates, behind == 7 ? 33 : 40);
        ck_assert_uint_eq(control.watches[1].red.gates, behind == 7 ? 33 : 24);
        end_cars();
    }
    begin_red(1);
}

TEST(a_wreck_does_not_hold_the_gate_back) {
    begin_red(3);
    gates(0, 40, 100000000);
    gates(1, 40, 100500000);
    gates(2, 34, 90000000);
    hands[2].sight.is_upright = false;
    ticks(1);
    memset(control.cars, 0, CARS_MAX * sizeof *control.cars); // as after a restore
    stop();
    expect_order(3, (uint32_t[]){0, 1, 2});
    ck_assert_uint_eq(control.watches[0].red.gates, 40);
    ck_assert_uint_eq(control.watches[2].red.gates, 34);
    ck_assert_uint_eq(control.watches[2].red.gate_us, 90000000);
}

TEST(before_the_first_gate_it_is_the_grid) {
    begin_red(3);
    race->field.players[0].grid = 3;
    race->field.players[2].grid = 1;
    gates(0, 1, 1000000);
    gates(1, 1, 2000000);
    stop();
    expect_order(3, (uint32_t[]){2, 1, 0});
    ck_assert_uint_eq(control.watches[0].red.gates, 0);
}

TEST(who_has_retired_since_is_not_in_the_order) {
    begin_red(3);
    for (uint32_t i = 0; i < 3; i++) {
        gates(i, 20, 100000000 + i);
    }
    stop();
    race->field.players[1].state = APEX_STANDING_DNF;
    expect_order(2, (uint32_t[]){0, 2});
}

TEST(against_the_clock_there_are_no_places) {
    begin_red(2);
    scene.is_race = false;
    gates(0, 20, 100000000);
    stop();
    expect_order(0, NULL);
}

TEST(who_has_left_may_have_led) {
    begin_red(1);
    gates(0, 17, 100000000);
    race->field.kept[0].lap.laps = 7;
    race->field.counts.kept = 1;
    stop();
    race->field.counts.kept = 0;
    ck_assert_uint_eq(control.red_laps, 6);
}

TEST(the_result_goes_back_to_the_lap_two_before) {
    begin_red(2);
    stop();
    ck_assert_uint_eq(control.red_laps, 0); // in lap 1
    for (uint32_t laps = 1; laps <= 5; laps++) {
        ck_assert_int_eq(race_control_call(&control, &scene, APEX_FLAG_GREEN), APEX_OK);
        gates(0, 16 * laps + 1, 100000000 * (uint64_t)laps);
        gates(1, 16 * laps + 1, 100000000 * (uint64_t)laps + 700000);
        stop();
        ck_assert_uint_eq(control.red_laps, laps - 1); // in lap 6, say: of four laps
    }
    uint64_t lines_us[RACE_LINES_KEPT];
    ck_assert_uint_eq(race_red_lines(&control.watches[1], lines_us), 5);
    ck_assert_uint_eq(lines_us[0], 500700000);
    ck_assert_uint_eq(lines_us[1], 400700000);
    ck_assert_uint_eq(lines_us[2], 300700000);
    ck_assert_uint_eq(lines_us[3], 200700000);
    gates(1, 16 * 6 + 1, 700000000); // under red
    ck_assert_uint_eq(race_red_lines(&control.watches[1], lines_us), 5);
    ck_assert_uint_eq(lines_us[0], 500700000);
}

TEST(lines_of_laps_that_were_undone_are_none) {
    begin_red(1);
    gates(0, 16 * 5 + 1, 500000000);
    stop();
    lap_of(0)->laps = 4;
    lap_of(0)->gates_passed = 16 * 4 + 1;
    ck_assert_int_eq(race_control_call(&control, &scene, APEX_FLAG_GREEN), APEX_OK);
    ticks(1);
    uint64_t lines_us[RACE_LINES_KEPT];
    ck_assert_uint_eq(race_red_lines(&control.watches[0], lines_us), 4);
    ck_assert_uint_eq(lines_us[0], 500000000 - 16000000);
    ck_assert_uint_eq(lines_us[2], 500000000 - 48000000);
    ck_assert_uint_eq(lines_us[3], 0); // the fifth lap's took its place
}

TEST(laps_under_red_do_not_count) {
    begin_red(1);
    ticks(1);
    ck_assert_uint_eq(said_count, 0);
    stop();
    ticks(5);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_VOID, APEX_VOID_RED), 1);
    lap_of(0)->laps++;
    ticks(5);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_VOID, APEX_VOID_RED), 2);
    ck_assert_int_eq(race_control_call(&control, &scene, APEX_FLAG_GREEN), APEX_OK);
    lap_of(0)->laps++;
    ticks(5);
    ck_assert_uint_eq(said_count, 2);
}

TEST(to_race_on_under_red_is_an_offence) {
    begin_red(2);
    put(0, 100.0, 20.6);
    put(1, 1000.0, 20.4);
    settle();
    stop();
    ticks(10 * HZ + HZ - 2);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_RED_FLAG), 0);
    ticks(1);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_RED_FLAG), 1);
    put(0, hands[1].way_m - 1.0, 90.0);
    settle();
    ticks(1);
    put(0, hands[0].way_m, 0.0);
    put(1, hands[1].way_m, 0.0);
    seconds(20.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_RED_FLAG), 2);
    ck_assert_uint_eq(said_of(1, RACE_VERDICT_OFFENCE, APEX_OFFENCE_RED_FLAG), 0);
}

TEST(those_who_stand_under_red_are_nobodys_yellow) {
    begin_red(1);
    hands[0].sight.driven_mps = 60.0;
    put(0, 500.0, 60.0);
    settle();
    ticks(1);
    stop();
    put(0, 500.0, 0.0);
    seconds(60.0);
    ck_assert_uint_eq(level(2), 0);
    ck_assert_int_eq(race_control_call(&control, &scene, APEX_FLAG_GREEN), APEX_OK);
    ck_assert_uint_eq(ticks_until_level(2, 2, 1000), 10 * HZ + 60);
}
