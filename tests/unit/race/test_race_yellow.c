// Yellow flags: who is in harm's way, the stretches where that is shown, and what they forbid.
#include "test_race_control_scene.h"

FIXTURE(NULL, end_cars)

TEST(the_lap_is_cut_into_stretches_of_about_the_length_asked_for) {
    begin_cars(1);
    ck_assert_uint_eq(control.stretch_count, 10);
    ck_assert_double_eq_tol(control.stretch_m * 10, lap_m, 1e-9);
    apex_arena_reset(&arena);
    rules.yellow.stretch_m = 300.0; // 6.67 of them: seven
    race_control_make(&control, &race->field, &rules, &arena);
    ck_assert_uint_eq(control.stretch_count, 7);
}

// One car alone, in the middle of stretch 2; after how many ticks there is which flag.
typedef struct harm {
    const char *what;
    double speed_mps, heading_off_rad, off_road_m;
    bool on_road, is_upright, in_lane, forming;
    uint32_t level, after_ticks;
} harm;

static const harm HARMS[] = {
    {"slow for a second", 17.9, 0.0, -5.0, true, true, false, false, 2, 61},
    {"not slow", 18.1, 0.0, -5.0, true, true, false, false, 0, 0},
    {"slow, 1.9 m beside the road", 17.9, 0.0, 1.9, false, true, false, false, 1, 61},
    {"slow, 2 m beside the road", 17.9, 0.0, 2.0, false, true, false, false, 0, 0},
    {"slow, a wheel on the road", 17.9, 0.0, 0.5, true, true, false, false, 2, 61},
    {"spun", 17.9, 1.58, -5.0, true, true, false, false, 2, 1},
    {"not quite spun", 17.9, 1.56, -5.0, true, true, false, false, 2, 61},
    {"backwards, but fast", 18.1, 3.0, -5.0, true, true, false, false, 0, 0},
    {"on its roof", 30.0, 0.0, -5.0, false, false, false, false, 1, 1},
    {"on its roof on the road", 30.0, 0.0, -5.0, true, false, false, false, 2, 1},
    {"on its roof far off", 30.0, 0.0, 2.0, false, false, false, false, 0, 0},
    {"in the lane", 0.0, 0.0, 1.0, false, true, true, false, 0, 0},
    {"before the start", 0.0, 0.0, -5.0, true, true, false, true, 0, 0},
};

TEST_OVER(a_car_in_harms_way_brings_a_yellow_flag, 0, (int)(sizeof HARMS / sizeof HARMS[0])) {
    const harm *row = &HARMS[_i];
    begin_cars(1);
    put(0, 440.0, 60.0);
    settle();
    ticks(1);
    put(0, 440.0, row->speed_mps);
    hands[0].sight.heading_off_rad = row->heading_off_rad;
    hands[0].sight.off_road_m = row->off_road_m;
    hands[0].sight.on_road = row->on_road;
    hands[0].sight.is_upright = row->is_upright;
    hands[0].sight.in_lane = row->in_lane;
    hands[0].sight.forming = row->forming;
    uint32_t after = 0;
    for (uint32_t i = 1; i <= 5 * HZ && after == 0; i++) {
        tick();
        after = level(2) > 0 ? i : 0;
    }
    ck_assert_msg(level(2) == row->level && after == row->after_ticks,
                  "%s: level %u after %u ticks", row->what, level(2), after);
    ck_assert_uint_eq(level(1), 0);
    ck_assert_uint_eq(level(3), 0);
}

TEST(it_ends_some_seconds_after_the_last_of_it) {
    begin_cars(1);
    put(0, 440.0, 60.0);
    settle();
    ticks(1);
    put(0, 440.0, 0.0);
    ck_assert_uint_eq(ticks_until_level(2, 2, 100), 61);
    apex_race_event event;
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_YELLOW, &event), 1);
    ck_assert_int_eq(event.value, 2);
    ck_assert_uint_eq(event.time_us, 2);
    seconds(20.0);
    ck_assert_uint_eq(level(2), 2);
    put(0, 440.0, 30.0);
    ck_assert_uint_eq(ticks_until_level(2, 0, 1000), 2 * HZ);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_YELLOW, &event), 1);
    ck_assert_uint_eq(event.time_us, 0);
}

TEST(double_yellow_turns_into_a_single_one_first) {
    begin_cars(1);
    put(0, 440.0, 60.0);
    settle();
    ticks(1);
    put(0, 440.0, 0.0);
    ck_assert_uint_gt(ticks_until_level(2, 2, 100), 0);
    hands[0].sight.on_road = false;
    hands[0].sight.off_road_m = 1.0;
    ck_assert_uint_eq(ticks_until_level(2, 1, 1000), 2 * HZ);
    ck_assert_uint_eq(ticks_until_level(2, 0, 600), 0);
    hands[0].sight.off_road_m = 3.0;
    ck_assert_uint_eq(ticks_until_level(2, 0, 600), 2 * HZ);
}

TEST(a_start_excuses_for_ten_seconds_or_until_the_car_is_up_to_speed) {
    begin_cars(1);
    put(0, 440.0, 0.0);
    settle();
    hands[0].sight.forming = true;
    seconds(30.0);
    hands[0].sight.forming = false;
    ck_assert_uint_eq(ticks_until_level(2, 2, 2000), 10 * HZ + 60);
    race_control_begin(&control);
    ck_assert_uint_eq(ticks_until_level(2, 2, 2000), 10 * HZ + 60);
    race_control_begin(&control);
    hands[0].speed_mps = 18.1;
    ticks(1);
    put(0, 440.0, 17.0);
    ck_assert_uint_eq(ticks_until_level(2, 2, 2000), 61);
}

// Car 2 stands in stretch 2; car 0 is behind car 1 at `from_m` and comes by it.
static void begin_pass(double from_m) {
    begin_cars(3);
    put(2, 500.0, 60.0);
    put(1, from_m + 10.0, 30.0);
    put(0, from_m, 30.0);
    settle();
    ticks(1);
    put(2, 500.0, 0.0);
    put(1, from_m + 10.0, 0.0);
    put(0, from_m, 0.0);
    hands[1].sight.driven_mps = hands[0].sight.driven_mps = 0.0; // waiting is not slow
    seconds(1.5);
    ck_assert_uint_eq(level(2), 2);
    seconds(1.5);
}

static void pass(uint32_t slot, uint32_t other) {
    put(slot, hands[other].way_m - 1.0, 90.0);
    settle();
    ticks(1);
    put(slot, hands[slot].way_m, hands[other].speed_mps);
}

TEST(to_pass_under_yellow_is_an_offence_ten_seconds_later) {
    begin_pass(410.0);
    pass(0, 1);
    ticks(10 * HZ - 2);
    ck_assert_uint_eq(said_count, 0);
    ticks(1);
    ck_assert_uint_eq(said_count, 1);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_YELLOW_PASS), 1);
    ck_assert_int_ge(all_said[0].verdict.value, 499); // half a metre ahead
    ck_assert_int_le(all_said[0].verdict.value, 500);
    seconds(30.0);
    ck_assert_uint_eq(said_count, 1);
}

TEST(a_place_that_is_given_back_is_no_offence) {
    begin_pass(410.0);
    pass(0, 1);
    seconds(9.5);
    pass(1, 0); // which is no offence of his
    seconds(30.0);
    ck_assert_uint_eq(said_count, 0);
    pass(0, 1);
    seconds(30.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_YELLOW_PASS), 1);
}

TEST(yellow_forbids_from_its_stretch_to_the_next_green_one) {
    begin_pass(380.0);
    pass(0, 1); // at 389 m, in stretch 1
    ck_assert_uint_lt((uint32_t)hands[0].way_m, 399);
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
    end_cars();
    begin_pass(588.0);
    pass(0, 1); // behind the cause, at 598 m
    seconds(20.0);
    ck_assert_uint_eq(said_count, 1);
    end_cars();
    begin_pass(592.0);
    pass(0, 1); // at 601 m
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
}

TEST(the_cause_may_be_passed) {
    begin_pass(440.0);
    pass(0, 2);
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
}

TEST(who_is_slow_yields) {
    begin_pass(410.0);
    hands[1].sight.driven_mps = 60.0;
    put(1, 430.0, 17.9);
    put(0, 429.5, 60.0);
    settle();
    ticks(1);
    put(0, 430.9, 18.1);
    hands[1].speed_mps = 18.1; // from then on
    seconds(20.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_YELLOW_PASS), 0);
    put(1, 430.0, 18.1);
    put(0, 429.5, 60.0);
    settle();
    ticks(1);
    put(0, hands[0].way_m, 18.1);
    seconds(20.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_YELLOW_PASS), 1);
}

TEST(who_slides_on_his_roof_may_be_passed) {
    begin_pass(410.0);
    hands[1].sight.is_upright = false;
    pass(0, 1);
    hands[1].sight.is_upright = true;
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
}

TEST(who_comes_to_grief_afterwards_need_not_be_waited_for) {
    begin_pass(410.0);
    pass(0, 1);
    seconds(5.0);
    hands[1].sight.is_upright = false;
    ticks(1);
    hands[1].sight.is_upright = true;
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
}

TEST(to_be_put_back_behind_gives_the_place_back) {
    begin_pass(410.0);
    pass(0, 1);
    seconds(5.0);
    put(0, hands[1].way_m - 3.0, 0.0);
    settle();
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
}

TEST(who_has_retired_offends_nobody) {
    begin_pass(410.0);
    pass(0, 1);
    race->field.players[0].state = APEX_STANDING_DNF;
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
}

TEST(a_ghost_is_in_nobodys_way_and_may_be_passed) {
    begin_cars(1);
    put(0, 440.0, 0.0);
    race->field.players[0].ghost = true;
    settle();
    seconds(30.0);
    ck_assert_uint_eq(level(2), 0);
    end_cars();
    begin_pass(410.0);
    race->field.players[1].ghost = true;
    pass(0, 1);
    race->field.players[1].ghost = false;
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
}

TEST(who_has_left_the_road_may_be_passed) {
    begin_pass(410.0);
    hands[1].sight.on_road = false;
    hands[1].sight.off_road_m = 0.5;
    pass(0, 1);
    hands[1].sight.on_road = true;
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
}

TEST(a_fifth_place_won_at_once_is_not_counted) {
    begin_cars(7);
    put(6, 500.0, 60.0);
    for (uint32_t i = 0; i < 6; i++) {
        hands[i].sight.driven_mps = 0.0;
        put(i, i == 0 ? 410.0 : 420.0 + 0.01 * i, 0.0);
    }
    settle();
    ticks(1);
    put(6, 500.0, 0.0);
    seconds(3.0);
    put(0, 419.5, 60.0);
    settle();
    ticks(1);
    hands[0].speed_mps = 0.0;
    ck_assert_uint_eq(control.watches[0].pass_count, RACE_PASSES_MAX);
    seconds(20.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_YELLOW_PASS), RACE_PASSES_MAX);
}

TEST(nobody_has_seen_a_flag_that_came_out_this_second) {
    for (uint32_t late = 0; late < 2; late++) {
        begin_cars(3);
        put(2, 500.0, 60.0);
        put(1, 420.0, 30.0);
        put(0, 410.0, 30.0);
        settle();
        ticks(1);
        put(2, 500.0, 0.0);
        hands[2].sight.heading_off_rad = 3.0;
        hands[1].sight.driven_mps = hands[0].sight.driven_mps = 0.0;
        put(1, 420.0, 0.0);
        put(0, 410.0, 0.0);
        ticks(1);
        ck_assert_uint_eq(level(2), 2);
        ticks(HZ - 1 + late - 1);
        pass(0, 1); // 59 ticks after it came out, or 60
        seconds(20.0);
        ck_assert_uint_eq(said_count, late);
        end_cars();
    }
    begin_cars(1);
}

TEST(all_that_are_passed_at_once_count) {
    begin_cars(4);
    put(3, 500.0, 60.0);
    put(2, 420.2, 30.0);
    put(1, 420.4, 30.0);
    put(0, 410.0, 30.0);
    settle();
    ticks(1);
    put(3, 500.0, 0.0);
    for (uint32_t i = 0; i < 3; i++) {
        hands[i].sight.driven_mps = 0.0;
        hands[i].speed_mps = 0.0;
    }
    seconds(3.0);
    put(0, hands[2].way_m - 0.5, 60.0); // 1 m in a tick
    settle();
    ticks(1);
    hands[0].speed_mps = 0.0;
    seconds(20.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_YELLOW_PASS), 2);
    ck_assert_uint_eq(all_said[1].tick, all_said[0].tick + 1); // one in a tick
}

TEST(who_has_gone_to_the_pits_cannot_be_given_a_place_back) {
    begin_pass(410.0);
    pass(0, 1);
    seconds(5.0);
    hands[1].sight.in_lane = true;
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
}

TEST(a_lap_through_double_yellow_does_not_count_against_the_clock) {
    for (uint32_t i = 0; i < 3; i++) {
        begin_cars(2);
        scene.is_race = i == 0;
        put(0, 500.0, 60.0);
        put(1, 100.0, 60.0);
        settle();
        ticks(1);
        put(0, 500.0, 0.0);
        hands[0].sight.on_road = i != 1; // single yellow
        seconds(10.0);
        ck_assert_uint_gt((uint32_t)hands[1].way_m, 650);
        ck_assert_uint_eq(said_of(1, RACE_VERDICT_VOID, APEX_VOID_YELLOW), i == 2);
        end_cars();
    }
    begin_cars(1);
}

TEST(the_next_lap_through_it_is_another) {
    begin_cars(2);
    scene.is_race = false;
    put(0, 500.0, 60.0);
    put(1, 430.0, 60.0);
    settle();
    ticks(1);
    put(0, 500.0, 0.0);
    put(1, 430.0, 20.0);
    seconds(5.0);
    ck_assert_uint_eq(said_of(1, RACE_VERDICT_VOID, APEX_VOID_YELLOW), 1);
    race->field.players[1].lap.laps++;
    ticks(1);
    ck_assert_uint_eq(said_of(1, RACE_VERDICT_VOID, APEX_VOID_YELLOW), 2);
}

TEST(a_driver_sees_the_flag_of_his_stretch_and_of_the_next) {
    begin_cars(2);
    put(0, 1990.0, 60.0);
    put(1, 1700.0, 60.0);
    settle();
    ticks(1);
    put(0, 1990.0, 0.0);
    hands[0].sight.on_road = false;
    hands[0].sight.off_road_m = 1.0;
    put(1, 1700.0, 1.0);
    hands[1].sight.driven_mps = 1.0;
    seconds(2.0);
    race_flags_seen seen = race_control_seen(&control, &race->field, 1);
    ck_assert_uint_eq(seen.yellow, 0);
    ck_assert_uint_eq(seen.yellow_next, 1);
    ck_assert_double_eq_tol(seen.next_m, 0.9 * lap_m - 1702.0, 1e-6);
    ck_assert(seen.may_pass);
    put(1, 1850.0, 1.0);
    ticks(1);
    seen = race_control_seen(&control, &race->field, 1);
    ck_assert_uint_eq(seen.yellow, 1);
    ck_assert_uint_eq(seen.yellow_next, 0); // that is the first stretch of the lap
    ck_assert(!seen.may_pass);
}
