// The rules' judges by themselves: facts go in, verdicts come out, and there is no race round them.
#include "race/rules/idle.h"
#include "race/rules/off_track.h"
#include "race/rules/stuck.h"
#include "race/rules/world_events.h"
#include "support/base/check_main.h"

enum { SLOT = 3, TICK_HZ = 60 };

// One player who races in slot 3, with his throttle down.
typedef struct bench {
    apex_race_def def;
    race_field field;
    race_player player;
    apex_car_pose pose;
    apex_controls used;
    race_facts facts;
    race_watch watch;
    race_verdicts verdicts;
} bench;

static bench of;

static void begin(void) {
    of = (bench){.def = apex_default_race_def()};
    of.def.stuck_s = 10.0;
    of.def.idle_s = 45.0;
    of.field = (race_field){.def = &of.def, .tick_hz = TICK_HZ, .capacity = SLOT + 1};
    of.player.state = APEX_STANDING_RUNNING;
    of.pose = (apex_car_pose){.orientation = {1.0}, .wheel_count = 4, .wheels_on_road = 4};
    of.used.throttle = UINT8_MAX;
    of.facts = (race_facts){
        .field = &of.field, .player = &of.player, .pose = &of.pose, .used = &of.used, .slot = SLOT};
}

typedef void judge_fn(const race_facts *facts, race_watch *watch, race_verdicts *out);

// @return after how many ticks the judge first says something
static uint32_t ticks_until_verdict(judge_fn *judge, uint32_t ticks_max) {
    for (uint32_t tick = 1; tick <= ticks_max; tick++) {
        of.verdicts.count = 0;
        judge(&of.facts, &of.watch, &of.verdicts);
        if (of.verdicts.count > 0) {
            return tick;
        }
    }
    return 0;
}

static void expect(uint32_t index, race_verdict_kind kind) {
    ck_assert_uint_lt(index, of.verdicts.count);
    ck_assert_int_eq(of.verdicts.all[index].kind, kind);
    ck_assert_uint_eq(of.verdicts.all[index].slot, SLOT);
}

static void expect_warning(uint32_t index, apex_race_event_kind event, int64_t value) {
    expect(index, RACE_VERDICT_WARN);
    ck_assert_int_eq(of.verdicts.all[index].event, event);
    ck_assert_int_eq(of.verdicts.all[index].value, value);
}

START_TEST(who_leaves_the_road_is_told_once) {
    begin();
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 10), 0);
    of.pose.wheels_on_road = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 10), 1);
    expect_warning(0, APEX_EVENT_OFF_TRACK, 0);
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 10), 0);
    ck_assert_uint_eq(of.watch.off_count, 1);
    ck_assert_uint_eq(of.watch.off_ticks_max, 11);
}
END_TEST

START_TEST(the_wrong_way_is_told_after_two_seconds) {
    begin();
    of.facts.step_m = -0.1; // 6 m/s
    ck_assert_uint_eq(ticks_until_verdict(race_judge_direction, 1000), 2 * TICK_HZ);
    expect_warning(0, APEX_EVENT_WRONG_WAY, 0);
    ck_assert_uint_eq(ticks_until_verdict(race_judge_direction, 1000), 0);
}
END_TEST

START_TEST(who_makes_no_way_is_put_back_or_retires) {
    begin();
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 1000), 10 * TICK_HZ);
    ck_assert_uint_eq(of.verdicts.count, 1);
    expect(0, RACE_VERDICT_RESET);
    of.watch = (race_watch){.crippled = true};
    of.used.throttle = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 1000), 10 * TICK_HZ);
    expect(0, RACE_VERDICT_RETIRE);
}
END_TEST

START_TEST(who_does_not_want_to_go_on_is_not_stuck) {
    begin();
    of.used.throttle = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 1000), 0);
}
END_TEST

START_TEST(a_car_on_its_roof_is_put_back_in_an_open_session) {
    begin();
    ck_assert_uint_eq(ticks_until_verdict(race_judge_session, 1000), 0);
    of.pose.orientation[0] = 0.0;
    of.pose.orientation[1] = 1.0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_session, 1000), 10 * TICK_HZ);
    expect(0, RACE_VERDICT_RESET);
}
END_TEST

START_TEST(who_touches_nothing_is_warned_and_then_out) {
    begin();
    of.used.throttle = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_idle, 4000), 30 * TICK_HZ);
    expect_warning(0, APEX_EVENT_IDLE, 15);
    ck_assert_uint_eq(ticks_until_verdict(race_judge_idle, 4000), 15 * TICK_HZ);
    ck_assert_uint_eq(of.verdicts.count, 2);
    expect(0, RACE_VERDICT_RETIRE);
    expect_warning(1, APEX_EVENT_IDLE, 0);
}
END_TEST

START_TEST(a_wanted_reset_is_given_in_the_race_and_the_lobby) {
    begin();
    const apex_car_event event = {.kind = APEX_CAR_RESET_WANTED};
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
    expect(0, RACE_VERDICT_RESET);
    of.verdicts.count = 0;
    of.player.state = APEX_STANDING_FINISHED;
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
    ck_assert_uint_eq(of.verdicts.count, 0);
    of.facts.in_lobby = true;
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
    expect(0, RACE_VERDICT_RESET);
}
END_TEST

START_TEST(a_blown_engine_is_told_and_remembered) {
    begin();
    const apex_car_event event = {.kind = APEX_CAR_ENGINE_BLEW, .value = 8600.0};
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
    expect_warning(0, APEX_EVENT_ENGINE_BLEW, 8600);
    ck_assert(of.watch.crippled);
}
END_TEST

Suite *apex_suite(void) {
    Suite *suite = suite_create("race judges");
    TCase *tcase = tcase_create("judges");
    tcase_add_test(tcase, who_leaves_the_road_is_told_once);
    tcase_add_test(tcase, the_wrong_way_is_told_after_two_seconds);
    tcase_add_test(tcase, who_makes_no_way_is_put_back_or_retires);
    tcase_add_test(tcase, who_does_not_want_to_go_on_is_not_stuck);
    tcase_add_test(tcase, a_car_on_its_roof_is_put_back_in_an_open_session);
    tcase_add_test(tcase, who_touches_nothing_is_warned_and_then_out);
    tcase_add_test(tcase, a_wanted_reset_is_given_in_the_race_and_the_lobby);
    tcase_add_test(tcase, a_blown_engine_is_told_and_remembered);
    suite_add_tcase(suite, tcase);
    return suite;
}
