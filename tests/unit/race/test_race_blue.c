// Blue flags: by race distance, by time behind, and what comes of ignoring them.
#include "test_race_control_scene.h"

FIXTURE(NULL, end_cars)

static race_flags_seen seen_by(uint32_t slot) {
    return race_control_seen(&control, &race->field, slot);
}

static uint32_t blue(uint32_t slot) {
    return seen_by(slot).blue;
}

// Car 0 is at 1,000 m of its second lap; car 1 comes behind it with so many laps more, so long
// behind, both at 50 m/s. Car 2 leads, half a lap away.
static void begin_blue(double more_laps, double behind_s) {
    begin_cars(3);
    put(2, 9.5 * lap_m + 1000.0, 50.0);
    put(0, lap_m + 1000.0, 50.0);
    put(1, (1.0 + more_laps) * lap_m + 1000.0 - 50.0 * behind_s, 50.0);
    settle();
}

typedef struct coming {
    double more_laps, behind_s;
    uint32_t level;
} coming;

static const coming COMING[] = {
    {1.0, 1.19, 2},  {1.0, 1.21, 1}, {1.0, 2.99, 1},
    {1.0, 3.01, 0},  {5.0, 1.19, 2}, {0.0, 1.19, 0}, // for position
    {-1.0, 1.19, 0},                                 // who is lapped himself, and faster
};

TEST_OVER(it_is_shown_by_race_distance_and_time, 0, (int)(sizeof COMING / sizeof COMING[0])) {
    begin_blue(COMING[_i].more_laps, COMING[_i].behind_s);
    ticks(1);
    ck_assert_uint_eq(blue(0), COMING[_i].level);
    ck_assert_uint_eq(blue(1), 0);
    apex_race_event event = {.kind = 0};
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_BLUE, &event), COMING[_i].level > 0);
    if (COMING[_i].level > 0) {
        ck_assert_int_eq(event.value, COMING[_i].level);
        ck_assert_uint_eq(event.player.index1, 1);
        ck_assert_uint_eq(event.other.index1, 2);
        ck_assert_uint_eq(seen_by(0).blue_for.index1, 2);
    }
}

TEST(half_a_lap_more_is_what_tells_a_leader) {
    for (uint32_t more = 0; more < 2; more++) {
        begin_blue(1.0, 1.0);
        // As if a gate were missing to one of them.
        hands[1].way_m = hands[0].way_m + (more ? 0.501 : 0.499) * lap_m;
        race->field.players[1].way_m = hands[1].way_m;
        race->field.players[1].s_m = race->field.players[0].s_m - 50.0;
        race_along_sort(&race->field);
        race_control_see(&control, &scene, 0, &hands[0].sight);
        race_control_see(&control, &scene, 1, &hands[1].sight);
        race_control_see(&control, &scene, 2, &hands[2].sight);
        race_control_step(&control, &scene);
        control.cars[1].speed_mps = 50.0;
        judge(0);
        ck_assert_uint_eq(blue(0), more ? 2 : 0);
        end_cars();
    }
    begin_cars(1);
}

// Car 1 drives at `mps` while car 0 does 50; @return the gap in seconds when the level changes.
static double behind_at_change(double mps, uint32_t wanted) {
    hands[1].speed_mps = mps;
    for (uint32_t i = 0; i < 5000; i++) {
        tick();
        if (blue(0) == wanted) {
            return (hands[0].way_m + lap_m - hands[1].way_m) / mps;
        }
    }
    return -1.0;
}

TEST(it_comes_in_steps_and_goes_when_he_is_by) {
    begin_blue(1.0, 4.0);
    ck_assert_double_eq_tol(behind_at_change(60.0, 1), 3.0, 0.005);
    ck_assert_double_eq_tol(behind_at_change(60.0, 2), 1.2, 0.005);
    ck_assert_double_eq_tol(behind_at_change(60.0, 0), 0.0, 0.005);
    apex_race_event event = {.value = -1};
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_BLUE, &event), 1);
    ck_assert_int_eq(event.value, 0);
    ck_assert_uint_eq(event.other.index1, 2); // who is by
}

TEST(against_the_clock_nobody_unlaps_himself) {
    begin_blue(1.0, -0.02);
    scene.is_race = false;
    hands[1].sight.timed = true;
    put(0, hands[0].way_m, 60.0);
    ticks(10);
    ck_assert_uint_eq(blue(0), 2);
}

TEST(nobody_is_waved_by_under_yellow) {
    begin_blue(1.0, 1.0);
    ticks(1);
    ck_assert_uint_eq(blue(0), 2);
    put(2, hands[0].way_m + 40.0, 50.0);
    hands[2].sight.is_upright = false;
    settle();
    ticks(1);
    ck_assert_uint_eq(blue(0), 0);
}

TEST(once_shown_it_stays_up_to_two_seconds) {
    begin_blue(1.0, 1.19);
    ticks(1);
    ck_assert_uint_eq(blue(0), 2);
    ck_assert_double_eq_tol(behind_at_change(45.0, 1), 2.0, 0.005);
    ck_assert_double_eq_tol(behind_at_change(45.0, 0), 3.5, 0.005);
}

TEST(it_is_not_for_one_who_unlaps_himself) {
    begin_blue(1.0, -0.4); // the leader is 20 m ahead of him
    put(0, hands[0].way_m, 60.0);
    seconds(2.1); // by now he is a metre ahead
    ck_assert_double_gt(hands[0].way_m + lap_m, hands[1].way_m);
    ck_assert_uint_eq(blue(0), 0);
    seconds(5.0); // 51 m, a second
    ck_assert_uint_eq(blue(0), 0);
    put(0, hands[0].way_m, 60.0);
    seconds(7.0); // 121 m, more than two: done
    ck_assert_uint_eq(blue(0), 1);
    put(0, hands[0].way_m, 45.0);
    seconds(14.0);
    ck_assert_uint_eq(blue(0), 2); // lapped anew
}

TEST(who_is_passed_back_is_lapped_as_before) {
    begin_blue(1.0, -0.02); // a metre
    put(0, hands[0].way_m, 60.0);
    ticks(10);
    ck_assert_uint_eq(control.watches[0].unlapped.index1, 2);
    put(0, hands[0].way_m, 40.0);
    ticks(10);
    ck_assert_uint_eq(control.watches[0].unlapped.index1, 0);
}

TEST(it_is_not_shown_in_the_pits_nor_for_those_there) {
    for (uint32_t who = 0; who < 2; who++) {
        begin_blue(1.0, 1.0);
        ticks(1);
        ck_assert_uint_eq(blue(0), 2);
        hands[who].sight.in_lane = true;
        ticks(1);
        ck_assert_uint_eq(blue(0), 0);
        end_cars();
    }
    begin_cars(1);
}

TEST(against_the_clock_it_is_for_those_on_a_timed_lap) {
    for (int timed = 0; timed < 4; timed++) {
        begin_blue(0.0, 1.0);
        scene.is_race = false;
        hands[0].sight.timed = (timed & 1) != 0;
        hands[1].sight.timed = (timed & 2) != 0;
        ticks(1);
        ck_assert_uint_eq(blue(0), timed == 2 ? 2 : 0);
        end_cars();
    }
    begin_cars(1);
}

TEST(five_seconds_of_it_are_an_offence_and_then_five_more) {
    begin_blue(1.0, 1.0);
    ticks(5 * HZ - 1);
    ck_assert_uint_eq(said_count, 0);
    ticks(1);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_BLUE_FLAG), 1);
    ck_assert_int_eq(all_said[0].verdict.value, 5000000);
    ticks(5 * HZ);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_BLUE_FLAG), 2);
}

TEST(who_is_out_of_reach_is_not_ignored) {
    begin_blue(1.0, 1.0);
    ticks(4 * HZ);
    put(1, hands[1].way_m - 25.0, 50.0); // 1.5 s behind: shown, out of reach
    settle();
    seconds(30.0);
    ck_assert_uint_eq(blue(0), 2);
    ck_assert_uint_eq(said_count, 0);
    put(1, hands[1].way_m + 25.0, 50.0);
    settle();
    ticks(HZ - 1);
    ck_assert_uint_eq(said_count, 0);
    ticks(1);
    ck_assert_uint_eq(said_count, 1); // nothing was forgiven
}

TEST(to_let_by_begins_anew_with_the_next) {
    begin_cars(3);
    put(0, lap_m + 1000.0, 50.0);
    put(1, 2 * lap_m + 950.0, 50.0);
    put(2, 2 * lap_m + 945.0, 50.0);
    settle();
    ticks(4 * HZ);
    put(1, hands[1].way_m + 60.0, 50.0);
    settle();
    ticks(5 * HZ - 1);
    ck_assert_uint_eq(said_count, 0);
    ticks(1);
    ck_assert_uint_eq(said_count, 1);
}

TEST(for_the_next_it_begins_anew) {
    begin_blue(1.0, 1.0);
    put(2, 2 * lap_m + 1000.0 - 50.0 * 1.9, 50.0);
    settle();
    ticks(1);
    ck_assert_uint_eq(blue(0), 2);
    put(1, hands[1].way_m + 60.0, 50.0); // by
    settle();
    ticks(1);
    ck_assert_uint_eq(blue(0), 1);
    ck_assert_uint_eq(seen_by(0).blue_for.index1, 3);
}

TEST(zero_seconds_are_never_an_offence) {
    begin_blue(1.0, 1.0);
    rules.blue.ignored_s = 0.0;
    seconds(60.0);
    ck_assert_uint_eq(blue(0), 2);
    ck_assert_uint_eq(said_count, 0);
}

TEST(nobody_is_waved_by_where_passing_is_forbidden) {
    begin_blue(1.0, 1.0);
    ticks(1);
    ck_assert_int_eq(race_control_call(&control, &scene, APEX_FLAG_FULL_COURSE), APEX_OK);
    ticks(1);
    ck_assert_uint_eq(blue(0), 0);
}
