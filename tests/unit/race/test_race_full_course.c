// The full course: how it is called and ends, its limit, and that nobody passes.
#include "test_race_control_scene.h"

FIXTURE(NULL, end_cars)

static apex_err call(apex_race_flag flag) {
    return race_control_call(&control, &scene, flag);
}

static void begin_driving(uint32_t count, double mps) {
    begin_cars(count);
    for (uint32_t i = 0; i < count; i++) {
        put(i, 1000.0 + 10.0 * i, mps);
        hands[i].sight.driven_mps = mps;
    }
    settle();
    ticks(1);
}

typedef struct order {
    apex_race_flag now, wanted, then;
    apex_err err;
} order;

static const order ORDERS[] = {
    {APEX_FLAG_GREEN, APEX_FLAG_GREEN, APEX_FLAG_GREEN, APEX_ERR_STATE},
    {APEX_FLAG_GREEN, APEX_FLAG_ENDING, APEX_FLAG_GREEN, APEX_ERR_STATE},
    {APEX_FLAG_GREEN, APEX_FLAG_FULL_COURSE, APEX_FLAG_FULL_COURSE, APEX_OK},
    {APEX_FLAG_GREEN, APEX_FLAG_RED, APEX_FLAG_RED, APEX_OK},
    {APEX_FLAG_FULL_COURSE, APEX_FLAG_FULL_COURSE, APEX_FLAG_FULL_COURSE, APEX_ERR_STATE},
    {APEX_FLAG_FULL_COURSE, APEX_FLAG_GREEN, APEX_FLAG_ENDING, APEX_OK},
    {APEX_FLAG_FULL_COURSE, APEX_FLAG_ENDING, APEX_FLAG_ENDING, APEX_OK},
    {APEX_FLAG_FULL_COURSE, APEX_FLAG_RED, APEX_FLAG_RED, APEX_OK},
    {APEX_FLAG_ENDING, APEX_FLAG_GREEN, APEX_FLAG_ENDING, APEX_ERR_STATE},
    {APEX_FLAG_ENDING, APEX_FLAG_FULL_COURSE, APEX_FLAG_FULL_COURSE, APEX_OK},
    {APEX_FLAG_ENDING, APEX_FLAG_RED, APEX_FLAG_RED, APEX_OK},
    {APEX_FLAG_RED, APEX_FLAG_GREEN, APEX_FLAG_GREEN, APEX_OK},
    {APEX_FLAG_RED, APEX_FLAG_FULL_COURSE, APEX_FLAG_RED, APEX_ERR_STATE},
    {APEX_FLAG_RED, APEX_FLAG_RED, APEX_FLAG_RED, APEX_ERR_STATE},
};

TEST_OVER(a_command_turns_one_flag_into_another, 0, (int)(sizeof ORDERS / sizeof ORDERS[0])) {
    const order *row = &ORDERS[_i];
    begin_driving(1, 20.0);
    control.flag = row->now;
    race_log_begin(&race->log);
    ck_assert_int_eq(call(row->wanted), row->err);
    ck_assert_int_eq(control.flag, row->then);
    apex_race_event event = {.value = -1};
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_CONTROL, &event), row->err == APEX_OK);
    ck_assert(row->err != APEX_OK || event.value == row->then);
}

TEST(an_event_without_it_has_none_and_no_flag_is_no_flag) {
    begin_driving(1, 20.0);
    ck_assert_int_eq(call((apex_race_flag)APEX_RACE_FLAGS), APEX_ERR_INVALID);
    rules.full_course.on = false;
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_ERR_UNSUPPORTED);
    ck_assert_int_eq(call(APEX_FLAG_RED), APEX_OK);
}

TEST(green_comes_ten_seconds_after_the_notice) {
    begin_driving(1, 20.0);
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
    seconds(60.0);
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
    ck_assert_int_eq(call(APEX_FLAG_GREEN), APEX_OK);
    ticks(10 * HZ - 1);
    ck_assert_int_eq(control.flag, APEX_FLAG_ENDING);
    ck_assert_double_eq(race_control_seen(&control, &race->field, 0).limit_mps, 20.0);
    ticks(1);
    ck_assert_int_eq(control.flag, APEX_FLAG_GREEN);
    ck_assert_double_eq(race_control_seen(&control, &race->field, 0).limit_mps, 0.0);
}

// A car that stands at 1,100 m.
static void begin_stranded(bool on_road) {
    begin_driving(1, 60.0);
    rules.full_course.auto_s = 8.0;
    put(0, 1100.0, 0.0);
    hands[0].sight.on_road = on_road;
    hands[0].sight.off_road_m = on_road ? 0.0 : 1.0;
    ticks(60);
    ck_assert_uint_eq(level(5), 0);
}

TEST(it_comes_by_itself_for_who_stands_on_the_road_and_goes_when_it_is_free) {
    begin_stranded(true);
    ticks(8 * HZ - 1);
    ck_assert_int_eq(control.flag, APEX_FLAG_GREEN);
    ticks(1);
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
    seconds(30.0);
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
    put(0, 1100.0, 20.0); // the last that was in the way was the tick before
    ticks(2 * HZ - 1);
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
    ticks(1);
    ck_assert_int_eq(control.flag, APEX_FLAG_ENDING);
    ticks(10 * HZ - 1);
    ck_assert_int_eq(control.flag, APEX_FLAG_ENDING);
    ticks(1);
    ck_assert_int_eq(control.flag, APEX_FLAG_GREEN);
}

TEST(it_does_not_come_for_who_crawls_or_stands_beside_the_road) {
    begin_stranded(false);
    seconds(30.0);
    ck_assert_uint_eq(level(5), 1);
    ck_assert_int_eq(control.flag, APEX_FLAG_GREEN);
    hands[0].sight.on_road = true;
    hands[0].speed_mps = 2.1;
    seconds(30.0);
    ck_assert_int_eq(control.flag, APEX_FLAG_GREEN);
    hands[0].speed_mps = 1.9;
    seconds(9.0);
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
}

TEST(what_was_called_by_command_ends_by_command) {
    begin_driving(1, 20.0);
    rules.full_course.auto_s = 8.0;
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
    seconds(120.0);
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
}

TEST(what_was_taken_over_by_command_ends_by_command) {
    begin_stranded(true);
    seconds(9.0);
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
    ck_assert_int_eq(call(APEX_FLAG_ENDING), APEX_OK);
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
    put(0, 1100.0, 20.0);
    seconds(60.0);
    ck_assert_int_eq(control.flag, APEX_FLAG_FULL_COURSE);
}

TEST(there_are_ten_seconds_to_slow_down_and_one_to_be_over) {
    begin_driving(1, 20.6);
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
    ck_assert_uint_eq(race_control_seen(&control, &race->field, 0).limit_from_us, 10000000);
    ticks(10 * HZ - 1 + HZ - 1);
    ck_assert_uint_eq(said_count, 0);
    ck_assert_uint_eq(race_control_seen(&control, &race->field, 0).limit_from_us, 0);
    ticks(1);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_FULL_COURSE_SPEED), 1);
    ck_assert_int_eq(all_said[0].verdict.value, 600);
    ticks(10 * HZ - 1);
    ck_assert_uint_eq(said_count, 1);
    ticks(1);
    ck_assert_uint_eq(said_count, 2);
    hands[0].speed_mps = 20.4; // within half a metre a second
    seconds(30.0);
    ck_assert_uint_eq(said_count, 2);
    hands[0].speed_mps = 30.0;
    ticks(HZ - 1);
    hands[0].speed_mps = 20.0;
    ticks(1);
    hands[0].speed_mps = 30.0;
    ticks(HZ - 1);
    ck_assert_uint_eq(said_count, 2);
}

TEST(a_limit_that_is_out_stays_without_another_wait) {
    static const apex_race_flag NEXT[] = {APEX_FLAG_ENDING, APEX_FLAG_RED};
    for (int i = 0; i < 2; i++) {
        begin_driving(1, 20.0);
        ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
        seconds(10.0);
        ck_assert_int_eq(call(NEXT[i]), APEX_OK);
        ck_assert_uint_eq(race_control_seen(&control, &race->field, 0).limit_from_us, 0);
        hands[0].speed_mps = 20.6;
        said_count = 0;
        ticks(HZ);
        ck_assert_uint_eq(said_count, 1u + (uint32_t)i); // the lap under red, too
        end_cars();
    }
    begin_cars(1);
}

TEST(the_lane_has_its_own_limit) {
    begin_driving(1, 30.0);
    hands[0].sight.in_lane = true;
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
    seconds(30.0);
    ck_assert_uint_eq(said_count, 0);
}

// Car 0 comes by car 1.
static void pass(void) {
    put(0, hands[1].way_m - 1.0, 90.0);
    settle();
    ticks(1);
    put(0, hands[0].way_m, hands[1].speed_mps);
}

TEST(nobody_passes_anywhere_until_green) {
    begin_driving(2, 20.0);
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
    ticks(58);
    pass(); // in tick 59, too early to have seen it
    seconds(20.0);
    ck_assert_uint_eq(said_count, 0);
    pass();
    seconds(20.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_FULL_COURSE_PASS), 1);
    ck_assert_int_eq(call(APEX_FLAG_GREEN), APEX_OK);
    ticks(10 * HZ - 2);
    pass(); // in the last tick of it
    ck_assert_int_eq(control.flag, APEX_FLAG_ENDING);
    seconds(20.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_FULL_COURSE_PASS), 2);
    pass();
    seconds(20.0);
    ck_assert_uint_eq(said_count, 2);
}

TEST(the_notice_is_no_moment_to_pass) {
    begin_driving(2, 20.0);
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
    seconds(20.0);
    ck_assert_int_eq(call(APEX_FLAG_ENDING), APEX_OK);
    pass();
    seconds(20.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_FULL_COURSE_PASS), 1);
}

TEST(slow_under_a_limit_is_a_share_of_the_limit) {
    begin_driving(2, 60.0);
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
    put(0, 990.0, 20.0);
    put(1, 1000.0, 5.9); // 30 % of 20 m/s are 6
    settle();
    pass();
    put(0, 1600.0, 20.0);
    settle();
    seconds(12.0);
    ck_assert_uint_eq(said_count, 0);
    put(1, 1000.0, 6.1);
    settle();
    seconds(1.0);
    ck_assert_uint_eq(control.cars[1].hazard, 0);
    pass();
    seconds(12.0);
    ck_assert_uint_eq(said_of(0, RACE_VERDICT_OFFENCE, APEX_OFFENCE_FULL_COURSE_PASS), 1);
}

TEST(after_it_everybody_has_ten_seconds_to_get_up_to_speed) {
    begin_driving(1, 60.0);
    ck_assert_int_eq(call(APEX_FLAG_FULL_COURSE), APEX_OK);
    hands[0].speed_mps = 10.0;
    seconds(15.0);
    ck_assert_int_eq(call(APEX_FLAG_GREEN), APEX_OK);
    ticks(10 * HZ); // green
    uint32_t slow = 0;
    while (control.cars[0].hazard == 0 && slow < 5000) {
        tick();
        slow++;
    }
    ck_assert_uint_eq(slow, 10 * HZ + 60);
}
