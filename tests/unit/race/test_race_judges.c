// The rules' judges by themselves: facts go in, verdicts come out, and there is no race round them.
#include "race/rules/clear.h"
#include "race/rules/finish.h"
#include "race/rules/idle.h"
#include "race/rules/off_track.h"
#include "race/rules/stuck.h"
#include "race/rules/watch.h"
#include "race/rules/world_events.h"
#include "support/base/check_main.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { SLOT = 3, TICK_HZ = 60 };

static const apex_car_id CAR = {7, 1};

// One player who races in slot 3, with his throttle down.
typedef struct bench {
    race_player player;
    apex_car_pose pose;
    apex_controls used;
    race_facts facts;
    race_watch watch;
    race_verdicts verdicts;
} bench;

static bench of;

static void begin(void) {
    of = (bench){.player = {.id = {SLOT + 1, 1}, .car_id = CAR, .state = APEX_STANDING_RUNNING}};
    of.pose = (apex_car_pose){.id = CAR, .wheel_count = 4, .wheels_on_road = 4};
    of.used.throttle = UINT8_MAX;
    of.facts = (race_facts){.player = &of.player,
                            .pose = &of.pose,
                            .used = &of.used,
                            .slot = SLOT,
                            .tick_hz = TICK_HZ,
                            .stuck_s = 10.0,
                            .idle_s = 45.0,
                            .is_upright = true};
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

TEST(who_leaves_the_road_is_told_once) {
    begin();
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 10), 0);
    of.pose.wheels_on_road = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 10), 1);
    expect_warning(0, APEX_EVENT_OFF_TRACK, 0);
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 10), 0);
    ck_assert_uint_eq(of.watch.off_count, 1);
    ck_assert_uint_eq(of.watch.off_ticks_max, 11);
}

TEST(the_wrong_way_is_told_after_two_seconds) {
    begin();
    of.facts.step_m = -0.1; // 6 m/s
    ck_assert_uint_eq(ticks_until_verdict(race_judge_direction, 1000), 2 * TICK_HZ);
    expect_warning(0, APEX_EVENT_WRONG_WAY, 0);
    ck_assert_uint_eq(ticks_until_verdict(race_judge_direction, 1000), 0);
}

TEST(each_excursion_is_timed_from_its_own_beginning) {
    begin();
    of.pose.wheels_on_road = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 1), 1);
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 4), 0);
    of.pose.wheels_on_road = 1; // one wheel is enough
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 1), 0);
    ck_assert(!of.watch.off);
    of.pose.wheels_on_road = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 1), 1); // it is told again
    expect_warning(0, APEX_EVENT_OFF_TRACK, 0);
    ck_assert_uint_eq(ticks_until_verdict(race_judge_road, 2), 0);
    ck_assert_uint_eq(of.watch.off_count, 2);
    ck_assert_uint_eq(of.watch.off_ticks, 3);
    ck_assert_uint_eq(of.watch.off_ticks_max, 5); // the longest, not the sum
}

TEST(who_has_turned_round_begins_anew_the_wrong_way) {
    begin();
    of.facts.step_m = -0.1;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_direction, 2 * TICK_HZ - 1), 0);
    of.facts.step_m = 0.03; // 1.8 m/s is no direction, and takes nothing back
    ck_assert_uint_eq(ticks_until_verdict(race_judge_direction, 30), 0);
    ck_assert_uint_eq(of.watch.wrong_ticks, 2 * TICK_HZ - 1);
    of.facts.step_m = 0.1;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_direction, 1), 0);
    for (int times = 0; times < 2; times++) {
        of.facts.step_m = -0.1;
        ck_assert_uint_eq(ticks_until_verdict(race_judge_direction, 1000), 2 * TICK_HZ);
        expect_warning(0, APEX_EVENT_WRONG_WAY, 0);
        of.facts.step_m = 0.1; // so that it is told once more
        ck_assert_uint_eq(ticks_until_verdict(race_judge_direction, 1), 0);
    }
}

TEST(who_makes_no_way_is_put_back_or_retires) {
    begin();
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 1000), 10 * TICK_HZ);
    ck_assert_uint_eq(of.verdicts.count, 1);
    expect(0, RACE_VERDICT_RESET);
    of.watch = (race_watch){.crippled = true};
    of.used.throttle = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 1000), 10 * TICK_HZ);
    expect(0, RACE_VERDICT_RETIRE);
}

TEST(who_does_not_want_to_go_on_is_not_stuck) {
    begin();
    of.used.throttle = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 1000), 0);
}

TEST(a_car_on_its_roof_is_put_back_in_an_open_session) {
    begin();
    ck_assert_uint_eq(ticks_until_verdict(race_judge_session, 1000), 0);
    of.facts.is_upright = false;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_session, 1000), 10 * TICK_HZ);
    expect(0, RACE_VERDICT_RESET);
    // It has as long again, and only at rest in every direction.
    ck_assert_uint_eq(ticks_until_verdict(race_judge_session, 10 * TICK_HZ - 1), 0);
    for (int axis = 0; axis < 3; axis++) {
        of.pose.velocity_mps[axis] = -0.6;
        ck_assert_uint_eq(ticks_until_verdict(race_judge_session, 1), 0);
        ck_assert_uint_eq(of.watch.stuck_ticks, 0);
        of.pose.velocity_mps[axis] = 0.4;
        ck_assert_uint_eq(ticks_until_verdict(race_judge_session, 1000), 10 * TICK_HZ);
        of.pose.velocity_mps[axis] = 0.0;
    }
}

TEST(who_touches_nothing_is_warned_and_then_out) {
    begin();
    of.used.throttle = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_idle, 4000), 30 * TICK_HZ);
    expect_warning(0, APEX_EVENT_IDLE, 15);
    ck_assert_uint_eq(ticks_until_verdict(race_judge_idle, 4000), 15 * TICK_HZ);
    ck_assert_uint_eq(of.verdicts.count, 2);
    expect(0, RACE_VERDICT_RETIRE);
    expect_warning(1, APEX_EVENT_IDLE, 0);
}

// At half of it, in whole seconds, where patience is short.
TEST(short_patience_warns_half_way) {
    begin();
    of.used.throttle = 0;
    of.facts.idle_s = 11.0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_idle, 1000), 6 * TICK_HZ);
    expect_warning(0, APEX_EVENT_IDLE, 5);
    ck_assert_uint_eq(ticks_until_verdict(race_judge_idle, 1000), 5 * TICK_HZ);
    expect(0, RACE_VERDICT_RETIRE);
    begin();
    of.used.throttle = 0;
    of.facts.idle_s = 0.0; // never
    ck_assert_uint_eq(ticks_until_verdict(race_judge_idle, 10000), 0);
}

TEST(a_wanted_reset_is_given_in_the_race_and_the_lobby) {
    begin();
    const apex_car_event event = {.car = CAR, .kind = APEX_CAR_RESET_WANTED};
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

TEST(who_was_just_put_back_waits_but_a_broken_car_does_not) {
    begin();
    of.facts.reset_wait_s = 0.1;
    apex_car_event event = {.car = CAR, .kind = APEX_CAR_RESET_WANTED};
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
    ck_assert_uint_eq(of.verdicts.count, 1);
    ck_assert_uint_eq(of.watch.reset_wait_ticks, TICK_HZ / 10);
    race_judge_waited(&of.watch);
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
    ck_assert_uint_eq(of.verdicts.count, 1);
    ck_assert_uint_eq(of.watch.reset_wait_ticks, TICK_HZ / 10 - 1);
    event.kind = APEX_CAR_STOPPED_BAD;
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
    ck_assert_uint_eq(of.verdicts.count, 2);
}

TEST(a_blown_engine_is_told_and_remembered) {
    begin();
    const apex_car_event event = {.car = CAR, .kind = APEX_CAR_ENGINE_BLEW, .value = 8600.0};
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
    expect_warning(0, APEX_EVENT_ENGINE_BLEW, 8600);
    ck_assert(of.watch.crippled);
}

// Nobody is told, but a car that cannot go on is not put back for ever.
TEST(who_is_out_of_fuel_retires_where_he_stands) {
    begin();
    apex_car_event event = {.car = CAR, .kind = APEX_CAR_OUT_OF_FUEL};
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
    ck_assert_uint_eq(of.verdicts.count, 0);
    ck_assert(of.watch.crippled);
    of.used.throttle = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 1000), 10 * TICK_HZ);
    ck_assert_uint_eq(of.verdicts.count, 1);
    expect(0, RACE_VERDICT_RETIRE);
    of.watch.stuck_ticks = 0;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_session, 1000), 10 * TICK_HZ);
    expect(0, RACE_VERDICT_RETIRE);
}

TEST(what_a_car_does_in_passing_is_no_matter_for_a_judge) {
    const apex_car_event_kind kinds[] = {APEX_CAR_SHIFTED, APEX_CAR_TOOK_OFF, APEX_CAR_LANDED};
    for (int i = 0; i < 3; i++) {
        begin();
        const apex_car_event event = {.car = CAR, .kind = kinds[i], .value = 3.0};
        race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
        ck_assert_uint_eq(of.verdicts.count, 0);
        ck_assert(!of.watch.crippled);
    }
    begin();
    const apex_car_event stopped = {.car = CAR, .kind = APEX_CAR_STOPPED_BAD};
    race_judge_car_event(&of.facts, &stopped, &of.watch, &of.verdicts);
    expect(0, RACE_VERDICT_RESET);
}

TEST(way_made_backwards_is_way_too) {
    begin();
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 599), 0);
    of.player.way_m = -12.1;
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 1), 0);
    ck_assert_uint_eq(of.watch.stuck_ticks, 0);
    ck_assert_double_eq(of.watch.stuck_way_m, -12.1);
    of.player.way_m = -0.2; // 11.9 m on from there
    ck_assert_uint_eq(ticks_until_verdict(race_judge_way, 1000), 10 * TICK_HZ);
}

// Each of his controls, moved by as little as counts.
TEST(whatever_is_touched_ends_idleness) {
    static const apex_controls touches[] = {
        {.throttle = 13},   {.brake = 13},           {.clutch = 13},
        {.handbrake = 13},  {.steer = 656},          {.steer = -656},
        {.gear = 1},        {.shift_up_count = 1},   {.aids_off = 1},
        {.reset_count = 1}, {.shift_down_count = 1},
    };
    static const apex_controls rests[] = {{.throttle = 12}, {.brake = 12},   {.clutch = 12},
                                          {.steer = 655},   {.steer = -655}, {.handbrake = 12}};
    for (size_t i = 0; i < sizeof touches / sizeof touches[0]; i++) {
        begin();
        of.watch.idle_ticks = 100;
        of.used = touches[i];
        race_judge_idle(&of.facts, &of.watch, &of.verdicts);
        ck_assert_msg(of.watch.idle_ticks == 0, "touch %zu", i);
        ck_assert_mem_eq(&of.watch.touched, &touches[i], sizeof touches[i]);
    }
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
        begin();
        of.watch.idle_ticks = 100;
        of.used = rests[i];
        race_judge_idle(&of.facts, &of.watch, &of.verdicts);
        ck_assert_msg(of.watch.idle_ticks == 101, "rest %zu", i);
    }
    begin();
    of.watch.idle_ticks = 100;
    of.used = (apex_controls){.brake = 255}; // the rules' own, where a car was set down
    of.player.aside = true;
    race_judge_idle(&of.facts, &of.watch, &of.verdicts);
    ck_assert_uint_eq(of.watch.idle_ticks, 101);
    of.player.driven_by_server = true;
    race_judge_idle(&of.facts, &of.watch, &of.verdicts);
    ck_assert_uint_eq(of.watch.idle_ticks, 0);
}

TEST(who_is_home_has_finished_and_is_a_ghost) {
    begin();
    race_judge_home(&of.facts, &of.verdicts);
    ck_assert_uint_eq(of.verdicts.count, 0);
    of.facts.is_home = true;
    of.player.lap.total_us = 61000000;
    race_judge_home(&of.facts, &of.verdicts);
    ck_assert_uint_eq(of.verdicts.count, 2);
    expect(0, RACE_VERDICT_FINISH);
    ck_assert_int_eq(of.verdicts.all[0].value, 61000000);
    expect(1, RACE_VERDICT_GHOST);
}

TEST(who_is_still_out_at_the_end_is_judged_by_his_start) {
    begin();
    of.player.started = true;
    race_judge_end(&of.facts, &of.verdicts);
    expect(0, RACE_VERDICT_RETIRE);
    of.verdicts.count = 0;
    of.player.started = false;
    race_judge_end(&of.facts, &of.verdicts);
    expect(0, RACE_VERDICT_WAIT);
    of.verdicts.count = 0;
    of.facts.open_session = true;
    of.facts.race_time_us = 600000000;
    race_judge_end(&of.facts, &of.verdicts);
    expect(0, RACE_VERDICT_FINISH);
    ck_assert_int_eq(of.verdicts.all[0].value, 600000000);
    expect(1, RACE_VERDICT_GHOST);
}

// @return verdicts of the judge of ghosts
static uint32_t judged_as_ghost(void) {
    of.verdicts.count = 0;
    race_judge_ghost(&of.facts, &of.verdicts);
    return of.verdicts.count;
}

TEST(a_ghost_turns_solid_where_there_is_room) {
    begin();
    of.facts.place_is_free = true;
    ck_assert_uint_eq(judged_as_ghost(), 0); // it is none
    of.player.ghost = true;
    ck_assert_uint_eq(judged_as_ghost(), 1);
    expect(0, RACE_VERDICT_SOLID);
    of.facts.place_is_free = false;
    ck_assert_uint_eq(judged_as_ghost(), 0);
    of.facts.place_is_free = true;
    of.player.ghost_ticks = 1;
    ck_assert_uint_eq(judged_as_ghost(), 0);
    of.player.ghost_ticks = 0;
    of.player.state = APEX_STANDING_DNF;
    ck_assert_uint_eq(judged_as_ghost(), 0);
}

TEST(who_was_set_down_aside_has_to_be_under_way_with_nobody_near) {
    begin();
    of.facts.place_is_free = of.facts.way_is_clear = true;
    of.player.ghost = of.player.aside = true;
    of.pose.velocity_mps[0] = 4.9;
    ck_assert(!race_ghost_is_due(&of.facts)); // so nobody looks whether there is room
    ck_assert_uint_eq(judged_as_ghost(), 0);
    of.pose.velocity_mps[0] = 0.0;
    of.pose.velocity_mps[1] = -5.1;
    ck_assert(race_ghost_is_due(&of.facts));
    ck_assert_uint_eq(judged_as_ghost(), 1);
    of.facts.way_is_clear = false;
    ck_assert_uint_eq(judged_as_ghost(), 0);
}

// @return verdicts about a touch
static uint32_t judged_as_touch(apex_contact_event contact, uint32_t other) {
    of.verdicts.count = 0;
    race_judge_contact(&(race_touch){.contact = &contact, .slot = SLOT, .other = other},
                       &of.verdicts);
    return of.verdicts.count;
}

TEST(a_touch_is_told_once_and_from_walking_speed_up) {
    begin();
    apex_contact_event hit = {.kind = APEX_CONTACT_CAR, .began = true, .impulse_ns = 250.0};
    ck_assert_uint_eq(judged_as_touch(hit, 1), 1);
    expect(0, RACE_VERDICT_CONTACT);
    ck_assert_uint_eq(of.verdicts.all[0].other, 1);
    ck_assert_int_eq(of.verdicts.all[0].value, 250);
    ck_assert_uint_eq(judged_as_touch(hit, RACE_SLOT_NONE), 1);
    ck_assert_uint_eq(of.verdicts.all[0].other, RACE_SLOT_NONE);
    hit.impulse_ns = 99.0;
    ck_assert_uint_eq(judged_as_touch(hit, 1), 0);
    hit.impulse_ns = 250.0;
    hit.began = false;
    ck_assert_uint_eq(judged_as_touch(hit, 1), 0);
    hit.began = true;
    hit.kind = APEX_CONTACT_GROUND;
    ck_assert_uint_eq(judged_as_touch(hit, RACE_SLOT_NONE), 0);
}

TEST(where_a_car_is_put_down_it_is_not_stuck_yet) {
    begin();
    of.player.way_m = 200.0;
    of.player.watch = (race_watch){.stuck_way_m = 100.0, .stuck_ticks = 599};
    race_watch_from_here(&of.player);
    ck_assert_uint_eq(of.player.watch.stuck_ticks, 0);
    ck_assert_double_eq(of.player.watch.stuck_way_m, 200.0);
}

// Facts that cannot be of one player, each given to one of the judges.
static void another_slot(void) {
    of.facts.slot = SLOT + 1;
    race_judge_road(&of.facts, &of.watch, &of.verdicts);
}

static void another_car(void) {
    of.pose.id.index1++;
    race_judge_direction(&of.facts, &of.watch, &of.verdicts);
}

static void an_older_car(void) {
    of.pose.id.generation++;
    race_judge_way(&of.facts, &of.watch, &of.verdicts);
}

static void a_step_of_no_length(void) {
    of.facts.step_m = (double)NAN;
    race_judge_session(&of.facts, &of.watch, &of.verdicts);
}

static void no_ticks(void) {
    of.facts.tick_hz = 0;
    race_judge_idle(&of.facts, &of.watch, &of.verdicts);
}

static void no_state(void) {
    of.player.state = (apex_standing_state)(APEX_STANDING_DNF + 1);
    race_judge_ghost(&of.facts, &of.verdicts);
}

static void home_twice(void) {
    of.facts.is_home = true;
    of.player.state = APEX_STANDING_FINISHED;
    race_judge_home(&of.facts, &of.verdicts);
}

static void out_at_the_end(void) {
    of.player.state = APEX_STANDING_DNF;
    race_judge_end(&of.facts, &of.verdicts);
}

static void event_of_another_car(void) {
    const apex_car_event event = {.car = {CAR.index1 + 1, 1}, .kind = APEX_CAR_ENGINE_BLEW};
    race_judge_car_event(&of.facts, &event, &of.watch, &of.verdicts);
}

static void touch_of_nobody(void) {
    const apex_contact_event hit = {.began = true, .impulse_ns = 250.0};
    race_judge_contact(&(race_touch){&hit, RACE_SLOT_NONE, SLOT}, &of.verdicts);
}

static void touch_of_itself(void) {
    const apex_contact_event hit = {.began = true, .impulse_ns = 250.0};
    race_judge_contact(&(race_touch){&hit, SLOT, SLOT}, &of.verdicts);
}

static void (*const BROKEN[])(void) = {another_slot,        another_car,    an_older_car,
                                       a_step_of_no_length, no_ticks,       no_state,
                                       home_twice,          out_at_the_end, event_of_another_car,
                                       touch_of_nobody,     touch_of_itself};
enum { BROKEN_COUNT = sizeof BROKEN / sizeof BROKEN[0] };

TEST_OVER(facts_that_do_not_belong_together_abort, 0, BROKEN_COUNT) {
    begin();
    check_aborts(BROKEN[_i], "assertion failed");
}
