// The life of penalties: a player goes round a race of 20 laps, and what befalls him is called one
// thing after the other.
#include "race/penalties/penalties.h"
#include "support/base/check_main.h"

#include <string.h>

enum { RACE_LAPS = 20 };

#define S(seconds) (UINT64_C(1000000) * (seconds))

static const apex_penalty_def TABLE = {
    .serve_within_laps = 2,
    .drive_through_s = 20.0,
    .unserved_hold_s = 10.0,
    .unserved_disqualifies = true,
    .time_s_max = 60.0,
    .step_count = 9,
    .steps =
        {
            {APEX_OFFENCE_TRACK_LIMITS, 3, APEX_PENALTY_WARNING, 0.0},
            {APEX_OFFENCE_JUMP_START, 1, APEX_PENALTY_DRIVE_THROUGH, 0.0},
            {APEX_OFFENCE_TRACK_LIMITS, 4, APEX_PENALTY_TIME, 5.0},
            {APEX_OFFENCE_TRACK_LIMITS, 6, APEX_PENALTY_TIME, 10.0},
            {APEX_OFFENCE_PIT_SPEED, 1, APEX_PENALTY_STOP_AND_HOLD, 15.0},
            {APEX_OFFENCE_BLOCKING, 1, APEX_PENALTY_GRID_DROP, 3.0},
            {APEX_OFFENCE_WRONG_WAY, 1, APEX_PENALTY_DISQUALIFIED, 0.0},
            {APEX_OFFENCE_YELLOW_PASS, 1, APEX_PENALTY_LAP_DELETED, 0.0},
            {APEX_OFFENCE_CONTACT, 1, APEX_PENALTY_TIME, 2.5},
        },
};

static apex_penalty_def def;
static race_penalty_numbers numbers;
static race_penalties his;
static race_penalty_moment at;
static race_penalty_changes changes;

static void begin(void) {
    def = TABLE;
    numbers = (race_penalty_numbers){.issued = 40};
    his = (race_penalties){0};
    at = (race_penalty_moment){.def = &def,
                               .numbers = &numbers,
                               .time_us = S(100),
                               .lap = 5,
                               .laps_left = RACE_LAPS - 4,
                               .is_race = true};
    changes.count = 0;
}

static void offend(apex_offence offence) {
    changes.count = 0;
    race_penalties_offend(&his, &at, offence, &changes);
}

static void expect_changes(uint32_t count) {
    ck_assert_uint_eq(changes.count, count);
}

static void expect(uint32_t index, apex_penalty_kind kind, apex_penalty_state state,
                   uint64_t added_us) {
    ck_assert_uint_lt(index, changes.count);
    ck_assert_int_eq(changes.all[index].kind, kind);
    ck_assert_int_eq(changes.all[index].state, state);
    ck_assert_uint_eq(changes.all[index].added_us, added_us);
}

// He completes the lap under way.
static void cross(bool spared) {
    changes.count = 0;
    at.lap++;
    at.laps_left--;
    at.time_us += S(90);
    race_penalties_cross(&his, &at, spared, &changes);
}

static void flag(void) {
    changes.count = 0;
    at.is_over = true;
    race_penalties_flag(&his, &at, &changes);
}

static void enter_lane(bool barred) {
    at.time_us += S(60);
    race_penalties_enter_lane(&his, at.time_us, barred);
}

static void leave_lane(void) {
    changes.count = 0;
    race_penalties_leave_lane(&his, &changes);
}

static void stood(void) {
    changes.count = 0;
    race_penalties_stood(&his, &changes);
}

static void expect_hold(uint64_t stand_us, bool no_work) {
    race_penalty_hold hold = race_penalties_stop(&his);
    ck_assert_uint_eq(hold.stand_us, stand_us);
    ck_assert_int_eq(hold.no_work, no_work);
}

static apex_err order(uint32_t number, apex_penalty_kind kind, double amount) {
    changes.count = 0;
    const apex_penalty wanted = {
        .number = number, .kind = kind, .amount = amount, .offence = APEX_OFFENCE_STEWARDS};
    return race_penalties_order(&his, &at, &wanted, &changes);
}

static apex_err cancel(uint32_t number) {
    changes.count = 0;
    return race_penalties_cancel(&his, number, &changes);
}

// Nothing, nothing, a warning, 5, 5, 10, 10 s.
TEST(the_count_of_an_offence_decides) {
    begin();
    static const double SECONDS[] = {5.0, 5.0, 10.0, 10.0};
    for (int i = 0; i < 2; i++) {
        offend(APEX_OFFENCE_TRACK_LIMITS);
        expect_changes(0);
    }
    offend(APEX_OFFENCE_BLUE_FLAG); // has no row, and is counted by itself
    expect_changes(0);
    offend(APEX_OFFENCE_TRACK_LIMITS);
    expect_changes(1);
    expect(0, APEX_PENALTY_WARNING, APEX_PENALTY_SERVED, 0);
    ck_assert_uint_eq(changes.all[0].number, 41);
    ck_assert_uint_eq(changes.all[0].given_us, S(100));
    ck_assert_uint_eq(changes.all[0].lap, 5);
    for (int i = 0; i < 4; i++) {
        offend(APEX_OFFENCE_TRACK_LIMITS);
        expect_changes(1);
        expect(0, APEX_PENALTY_TIME, APEX_PENALTY_OPEN, (uint64_t)(SECONDS[i] * 1e6));
        ck_assert_double_eq(changes.all[0].amount, SECONDS[i]);
        ck_assert_uint_eq(changes.all[0].due_lap, 0);
    }
    ck_assert_uint_eq(his.offences[APEX_OFFENCE_TRACK_LIMITS], 7);
    ck_assert_uint_eq(his.offences[APEX_OFFENCE_BLUE_FLAG], 1);
    ck_assert_uint_eq(numbers.issued, 45);
    ck_assert_uint_eq(race_penalties_pending_us(&his), S(30));
    ck_assert_uint_eq(race_penalties_added_us(&his), 0);
}

TEST(a_drive_through_has_two_crossings) {
    begin();
    at.lap = 1;
    offend(APEX_OFFENCE_JUMP_START);
    ck_assert_uint_eq(changes.all[0].due_lap, 3);
    ck_assert_uint_eq(race_penalties_open(&his, APEX_PENALTY_DRIVE_THROUGH)->number, 41);
    cross(false);
    expect_changes(0);
    cross(false);
    expect_changes(0);
    enter_lane(false);
    leave_lane();
    expect_changes(1);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_SERVED, 0);
    cross(false);
    expect_changes(0);
    ck_assert_ptr_null(race_penalties_open(&his, APEX_PENALTY_DRIVE_THROUGH));
    leave_lane(); // once
    expect_changes(0);
}

TEST(an_ignored_one_turns_into_a_harder_one_twice) {
    begin();
    offend(APEX_OFFENCE_JUMP_START);
    cross(false);
    cross(false);
    expect_changes(0);
    cross(false); // lap 8 begins
    expect_changes(2);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_CONVERTED, 0);
    expect(1, APEX_PENALTY_STOP_AND_HOLD, APEX_PENALTY_OPEN, 0);
    ck_assert_double_eq(changes.all[1].amount, 10.0);
    ck_assert_int_eq(changes.all[1].offence, APEX_OFFENCE_NOT_SERVED);
    ck_assert_uint_eq(changes.all[1].due_lap, 10);
    cross(false);
    cross(false);
    expect_changes(0);
    cross(false);
    expect_changes(2);
    expect(0, APEX_PENALTY_STOP_AND_HOLD, APEX_PENALTY_CONVERTED, 0);
    expect(1, APEX_PENALTY_DISQUALIFIED, APEX_PENALTY_SERVED, 0);
    ck_assert(his.disqualified);
    ck_assert_uint_eq(his.offences[APEX_OFFENCE_NOT_SERVED], 2);
}

TEST(an_ignored_hold_may_cost_time_instead) {
    begin();
    def.unserved_disqualifies = false;
    offend(APEX_OFFENCE_PIT_SPEED);
    cross(false);
    cross(false);
    cross(false);
    expect_changes(1);
    expect(0, APEX_PENALTY_STOP_AND_HOLD, APEX_PENALTY_CONVERTED, S(35)); // 20 and 15
    ck_assert_uint_eq(race_penalties_added_us(&his), S(35));
    ck_assert(!his.disqualified);
    flag();
    expect_changes(0); // not twice
    ck_assert_uint_eq(race_penalties_added_us(&his), S(35));
}

TEST(crossings_under_yellow_or_in_the_lane_are_allowed) {
    begin();
    offend(APEX_OFFENCE_JUMP_START);
    offend(APEX_OFFENCE_CONTACT); // has no term that could move
    for (int i = 0; i < 5; i++) {
        cross(true);
        expect_changes(0);
    }
    ck_assert_uint_eq(race_penalties_open(&his, APEX_PENALTY_DRIVE_THROUGH)->due_lap, 12);
    ck_assert_uint_eq(race_penalties_open(&his, APEX_PENALTY_TIME)->due_lap, 0);
    cross(false);
    cross(false);
    expect_changes(0);
    cross(false);
    expect_changes(2);
}

TEST(a_stop_does_not_serve_a_drive_through) {
    begin();
    offend(APEX_OFFENCE_JUMP_START);
    enter_lane(false);
    expect_hold(0, false);
    stood();
    expect_changes(0);
    leave_lane();
    expect_changes(0);
    enter_lane(true); // nor a visit under full-course yellow
    leave_lane();
    expect_changes(0);
    enter_lane(false);
    leave_lane();
    expect_changes(1);
}

TEST(only_one_is_served_in_a_visit) {
    begin();
    offend(APEX_OFFENCE_JUMP_START);
    offend(APEX_OFFENCE_PIT_SPEED);
    offend(APEX_OFFENCE_PIT_SPEED);
    ck_assert_uint_eq(changes.all[0].number, 43);
    enter_lane(false);
    expect_hold(S(15), true);
    stood();
    expect_changes(1);
    expect(0, APEX_PENALTY_STOP_AND_HOLD, APEX_PENALTY_SERVED, 0);
    ck_assert_uint_eq(changes.all[0].number, 42); // the oldest
    expect_hold(0, true);                         // in the same visit: neither the other, nor work
    stood();
    expect_changes(0);
    leave_lane();
    expect_changes(0);
    enter_lane(false);
    leave_lane();
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_SERVED, 0);
    enter_lane(false);
    expect_hold(S(15), true);
}

// He speeds in the lane: driving out of it serves nothing.
TEST(what_is_given_in_the_lane_needs_another_visit) {
    begin();
    enter_lane(false); // the same moment is too late, too
    offend(APEX_OFFENCE_JUMP_START);
    offend(APEX_OFFENCE_PIT_SPEED);
    offend(APEX_OFFENCE_CONTACT);
    expect_hold(S(2) + 500000, false); // seconds may be stood at once
    stood();
    expect_changes(1);
    expect(0, APEX_PENALTY_TIME, APEX_PENALTY_SERVED, 0);
    leave_lane();
    expect_changes(0);
    enter_lane(false);
    leave_lane();
    expect_changes(1);
}

TEST(two_drive_throughs_take_two_visits) {
    begin();
    offend(APEX_OFFENCE_JUMP_START);
    offend(APEX_OFFENCE_JUMP_START);
    for (uint32_t number = 41; number <= 42; number++) {
        enter_lane(false);
        leave_lane();
        expect_changes(1);
        ck_assert_uint_eq(changes.all[0].number, number);
    }
}

TEST(who_starts_from_his_box_serves_nothing_on_the_way_out) {
    begin();
    offend(APEX_OFFENCE_JUMP_START);
    leave_lane();
    expect_changes(0);
}

TEST(seconds_are_stood_together_even_under_yellow) {
    begin();
    for (int i = 0; i < 5; i++) {
        offend(APEX_OFFENCE_TRACK_LIMITS);
    }
    offend(APEX_OFFENCE_PIT_SPEED);
    enter_lane(true);
    expect_hold(S(10), false); // without the stop-and-hold there is work
    stood();
    expect_changes(2);
    expect(1, APEX_PENALTY_TIME, APEX_PENALTY_SERVED, 0);
    leave_lane();
    offend(APEX_OFFENCE_CONTACT);
    enter_lane(false);
    expect_hold(S(17) + 500000, true);
    stood();
    expect_changes(2);
    ck_assert_uint_eq(race_penalties_pending_us(&his), 0);
    flag();
    expect_changes(0);
}

TEST(who_drives_off_too_early_has_served_nothing) {
    begin();
    offend(APEX_OFFENCE_CONTACT);
    offend(APEX_OFFENCE_PIT_SPEED);
    enter_lane(false);
    expect_hold(S(17) + 500000, true);
    leave_lane();
    expect_changes(0);
    stood(); // too late
    expect_changes(0);
    ck_assert_uint_eq(race_penalties_pending_us(&his), 2500000);
    ck_assert_ptr_nonnull(race_penalties_open(&his, APEX_PENALTY_STOP_AND_HOLD));
}

// One more that is given while he stands is not stood.
TEST(a_stop_serves_what_it_began_with) {
    begin();
    offend(APEX_OFFENCE_CONTACT);
    enter_lane(false);
    expect_hold(2500000, false);
    offend(APEX_OFFENCE_CONTACT);
    stood();
    expect_changes(1);
    ck_assert_uint_eq(changes.all[0].number, 41);
    ck_assert_uint_eq(race_penalties_pending_us(&his), 2500000);
}

// What he stands stays marked while rows move up.
TEST(a_stop_goes_on_when_rows_run_out) {
    begin();
    def.time_s_max = 0.0;
    for (int i = 0; i < 3; i++) {
        offend(APEX_OFFENCE_TRACK_LIMITS);
    }                                // 41: a warning
    offend(APEX_OFFENCE_JUMP_START); // 42
    offend(APEX_OFFENCE_CONTACT);    // 43
    for (int i = 0; i < 13; i++) {
        offend(APEX_OFFENCE_JUMP_START); // 44..56
    }
    enter_lane(false);
    expect_hold(2500000, false);
    offend(APEX_OFFENCE_JUMP_START); // 57, in place of 41
    ck_assert_uint_eq(his.count, 16);
    stood();
    expect_changes(1);
    ck_assert_uint_eq(changes.all[0].number, 43);
    expect(0, APEX_PENALTY_TIME, APEX_PENALTY_SERVED, 0);
}

TEST(in_the_last_three_laps_it_is_time) {
    begin();
    at.laps_left = 4;
    offend(APEX_OFFENCE_JUMP_START);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_OPEN, 0);
    at.laps_left = 3;
    offend(APEX_OFFENCE_JUMP_START);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_CONVERTED, S(20));
    ck_assert_uint_eq(changes.all[0].due_lap, 0);
    offend(APEX_OFFENCE_PIT_SPEED);
    expect(0, APEX_PENALTY_STOP_AND_HOLD, APEX_PENALTY_CONVERTED, S(35));
    offend(APEX_OFFENCE_CONTACT); // can still be stood
    expect(0, APEX_PENALTY_TIME, APEX_PENALTY_OPEN, 2500000);
    ck_assert_uint_eq(race_penalties_added_us(&his), S(55));
    at.laps_left = RACE_LAPS_LEFT_UNKNOWN;
    offend(APEX_OFFENCE_JUMP_START);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_OPEN, 0);
}

TEST(what_replaces_an_ignored_one_so_late_is_time) {
    begin();
    at.laps_left = 6;
    offend(APEX_OFFENCE_JUMP_START);
    cross(false);
    cross(false);
    cross(false); // three are left
    expect_changes(2);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_CONVERTED, 0);
    expect(1, APEX_PENALTY_STOP_AND_HOLD, APEX_PENALTY_CONVERTED, S(30));
    ck_assert_uint_eq(race_penalties_added_us(&his), S(30));
}

TEST(what_is_open_at_the_flag_is_added) {
    begin();
    def.time_s_max = 0.0;
    offend(APEX_OFFENCE_JUMP_START);
    offend(APEX_OFFENCE_PIT_SPEED);
    offend(APEX_OFFENCE_CONTACT);
    offend(APEX_OFFENCE_BLOCKING);
    flag();
    expect_changes(3);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_CONVERTED, S(20));
    expect(1, APEX_PENALTY_STOP_AND_HOLD, APEX_PENALTY_CONVERTED, S(35));
    expect(2, APEX_PENALTY_TIME, APEX_PENALTY_CONVERTED, 2500000);
    ck_assert_uint_eq(race_penalties_added_us(&his), 57500000);
    ck_assert_uint_eq(race_penalties_pending_us(&his), 0);
    ck_assert_uint_eq(his.grid_drop, 3);
    // After it, everything is time at once.
    at.laps_left = RACE_LAPS_LEFT_UNKNOWN;
    offend(APEX_OFFENCE_CONTACT);
    expect(0, APEX_PENALTY_TIME, APEX_PENALTY_CONVERTED, 2500000);
    ck_assert_int_eq(order(0, APEX_PENALTY_DRIVE_THROUGH, 0.0), APEX_OK);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_CONVERTED, S(20));
    ck_assert_uint_eq(race_penalties_added_us(&his), S(80));
}

TEST(who_retires_keeps_what_was_open_on_record) {
    begin();
    offend(APEX_OFFENCE_JUMP_START);
    offend(APEX_OFFENCE_CONTACT);
    ck_assert_uint_eq(race_penalties_added_us(&his), 0);
    ck_assert_uint_eq(his.count, 2);
}

// 60 s are allowed, a microsecond more is not.
TEST(too_many_seconds_disqualify) {
    begin();
    at.is_over = true;
    ck_assert_int_eq(order(0, APEX_PENALTY_TIME, 59.0), APEX_OK);
    ck_assert_int_eq(order(0, APEX_PENALTY_TIME, 1.0), APEX_OK);
    expect_changes(1);
    ck_assert(!his.disqualified);
    ck_assert_int_eq(order(0, APEX_PENALTY_TIME, 0.000001), APEX_OK);
    expect_changes(2);
    expect(1, APEX_PENALTY_DISQUALIFIED, APEX_PENALTY_SERVED, 0);
    ck_assert(his.disqualified);
    ck_assert_int_eq(cancel(changes.all[1].number), APEX_OK);
    ck_assert(!his.disqualified);
    flag(); // he stays let off
    ck_assert(!his.disqualified);
    // Under the limit and over it once more.
    ck_assert_int_eq(cancel(41), APEX_OK);
    ck_assert_int_eq(order(0, APEX_PENALTY_TIME, 59.0), APEX_OK);
    ck_assert(his.disqualified);
}

// What he can still stand does not disqualify him; at the flag it does.
TEST(open_seconds_count_at_the_flag) {
    begin();
    ck_assert_int_eq(order(0, APEX_PENALTY_TIME, 61.0), APEX_OK);
    ck_assert(!his.disqualified);
    cross(false);
    ck_assert(!his.disqualified);
    flag();
    expect_changes(2);
    ck_assert(his.disqualified);
}

TEST(against_the_clock_the_lap_is_deleted_instead) {
    static const apex_offence OFFENCES[] = {APEX_OFFENCE_JUMP_START, APEX_OFFENCE_PIT_SPEED,
                                            APEX_OFFENCE_CONTACT, APEX_OFFENCE_YELLOW_PASS};
    begin();
    at.is_race = false;
    at.laps_left = RACE_LAPS_LEFT_UNKNOWN;
    for (int i = 0; i < 4; i++) {
        at.lap = 7 + (uint32_t)i;
        offend(OFFENCES[i]);
        expect_changes(1);
        expect(0, APEX_PENALTY_LAP_DELETED, APEX_PENALTY_SERVED, 0);
        ck_assert_int_eq(changes.all[0].offence, OFFENCES[i]);
        ck_assert_uint_eq(changes.all[0].lap, 7 + (uint32_t)i);
        ck_assert_double_eq(changes.all[0].amount, 0.0);
    }
    offend(APEX_OFFENCE_BLOCKING);
    expect(0, APEX_PENALTY_GRID_DROP, APEX_PENALTY_OPEN, 0);
    ck_assert_int_eq(order(0, APEX_PENALTY_TIME, 5.0), APEX_ERR_STATE);
    ck_assert_int_eq(order(0, APEX_PENALTY_DRIVE_THROUGH, 0.0), APEX_ERR_STATE);
    ck_assert_int_eq(order(0, APEX_PENALTY_LAP_DELETED, 0.0), APEX_OK);
}

TEST(a_grid_drop_goes_to_the_next_race) {
    begin();
    at.is_race = false;
    offend(APEX_OFFENCE_BLOCKING);
    offend(APEX_OFFENCE_BLOCKING);
    offend(APEX_OFFENCE_WRONG_WAY);
    ck_assert(his.disqualified);
    race_penalties_next_session(&his); // a warm-up
    ck_assert(!his.disqualified);
    ck_assert_uint_eq(his.count, 0);
    ck_assert_uint_eq(his.offences[APEX_OFFENCE_BLOCKING], 0);
    race_penalties_next_session(&his);
    ck_assert_uint_eq(race_penalties_take_drop(&his), 6);
    ck_assert_uint_eq(race_penalties_take_drop(&his), 0);
    offend(APEX_OFFENCE_BLOCKING); // in the race: for the one after
    race_penalties_next_session(&his);
    ck_assert_uint_eq(his.grid_drop, 3);
}

TEST(a_drop_that_was_taken_cannot_be_cancelled) {
    begin();
    offend(APEX_OFFENCE_BLOCKING);
    offend(APEX_OFFENCE_BLOCKING);
    ck_assert_int_eq(cancel(41), APEX_OK);
    ck_assert_uint_eq(his.grid_drop, 3);
    ck_assert_uint_eq(race_penalties_take_drop(&his), 3);
    ck_assert_int_eq(cancel(42), APEX_ERR_STATE);
    ck_assert_uint_eq(his.grid_drop, 0);
}

TEST(stewards_give_by_their_own_mind) {
    begin();
    const apex_penalty wanted = {
        .kind = APEX_PENALTY_LAP_DELETED, .offence = APEX_OFFENCE_TRACK_LIMITS, .lap = 3};
    ck_assert_int_eq(race_penalties_order(&his, &at, &wanted, &changes), APEX_OK);
    ck_assert_uint_eq(changes.all[0].lap, 3);
    ck_assert(changes.all[0].by_stewards);
    ck_assert_uint_eq(his.offences[APEX_OFFENCE_TRACK_LIMITS], 0);
    ck_assert_int_eq(order(0, APEX_PENALTY_DRIVE_THROUGH, 0.0), APEX_OK);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_OPEN, 0);
    ck_assert_uint_eq(changes.all[0].due_lap, 7);
    ck_assert_uint_eq(changes.all[0].lap, 5);
    ck_assert_int_eq(order(0, APEX_PENALTY_DRIVE_THROUGH, 1.0), APEX_ERR_RANGE);
    ck_assert_int_eq(order(0, APEX_PENALTY_TIME, 0.0), APEX_ERR_RANGE);
    ck_assert_int_eq(order(0, APEX_PENALTY_TIME, 600.5), APEX_ERR_RANGE);
    ck_assert_int_eq(order(0, APEX_PENALTY_GRID_DROP, 2.5), APEX_ERR_RANGE);
    ck_assert_int_eq(order(0, (apex_penalty_kind)APEX_PENALTY_KINDS, 0.0), APEX_ERR_RANGE);
    ck_assert_uint_eq(his.count, 2);
    ck_assert_uint_eq(numbers.issued, 42);
}

TEST(stewards_change_one_under_its_number) {
    begin();
    offend(APEX_OFFENCE_JUMP_START);
    cross(false);
    ck_assert_int_eq(order(41, APEX_PENALTY_TIME, 5.0), APEX_OK);
    expect_changes(2);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_CANCELLED, 0);
    expect(1, APEX_PENALTY_TIME, APEX_PENALTY_OPEN, S(5));
    ck_assert_uint_eq(changes.all[1].number, 41);
    ck_assert_int_eq(changes.all[1].offence, APEX_OFFENCE_JUMP_START);
    ck_assert_uint_eq(changes.all[1].lap, 5);
    ck_assert_uint_eq(his.count, 1);
    // A term begins at the notice of the change.
    ck_assert_int_eq(order(41, APEX_PENALTY_STOP_AND_HOLD, 7.0), APEX_OK);
    ck_assert_uint_eq(changes.all[1].due_lap, 8);
    ck_assert_int_eq(order(41, APEX_PENALTY_DISQUALIFIED, 0.0), APEX_OK);
    ck_assert(his.disqualified);
    ck_assert_int_eq(order(41, APEX_PENALTY_GRID_DROP, 4.0), APEX_OK);
    ck_assert(!his.disqualified);
    ck_assert_uint_eq(his.grid_drop, 4);
    ck_assert_int_eq(order(41, APEX_PENALTY_WARNING, 0.0), APEX_OK);
    ck_assert_uint_eq(his.grid_drop, 0);
    ck_assert_int_eq(order(40, APEX_PENALTY_WARNING, 0.0), APEX_ERR_NOT_FOUND);
    ck_assert_uint_eq(numbers.issued, 41);
}

// A change while he stands: what he stands is not that one.
TEST(a_change_in_the_box_is_not_stood) {
    begin();
    offend(APEX_OFFENCE_CONTACT);
    enter_lane(false);
    expect_hold(2500000, false);
    ck_assert_int_eq(order(41, APEX_PENALTY_TIME, 30.0), APEX_OK);
    stood();
    expect_changes(0);
    ck_assert_uint_eq(race_penalties_pending_us(&his), S(30));
}

TEST(what_was_served_or_replaced_cannot_be_taken_back) {
    begin();
    offend(APEX_OFFENCE_CONTACT);
    enter_lane(false);
    race_penalties_stop(&his);
    stood();
    leave_lane();
    ck_assert_int_eq(cancel(41), APEX_ERR_STATE);
    ck_assert_int_eq(order(41, APEX_PENALTY_WARNING, 0.0), APEX_ERR_STATE);
    offend(APEX_OFFENCE_JUMP_START);
    cross(false);
    cross(false);
    cross(false);
    ck_assert_int_eq(cancel(42), APEX_ERR_STATE); // 43 has replaced it
    ck_assert_int_eq(cancel(43), APEX_OK);
    expect(0, APEX_PENALTY_STOP_AND_HOLD, APEX_PENALTY_CANCELLED, 0);
    ck_assert_int_eq(cancel(43), APEX_ERR_STATE);
    ck_assert_int_eq(cancel(0), APEX_ERR_NOT_FOUND);
    for (int i = 0; i < 4; i++) {
        cross(false);
        expect_changes(0); // it is not due any more
    }
}

TEST(time_that_was_added_can_be_taken_back) {
    begin();
    offend(APEX_OFFENCE_JUMP_START);
    flag();
    ck_assert_int_eq(order(41, APEX_PENALTY_TIME, 5.0), APEX_OK);
    expect(1, APEX_PENALTY_TIME, APEX_PENALTY_CONVERTED, S(5));
    ck_assert_uint_eq(race_penalties_added_us(&his), S(5));
    ck_assert_int_eq(cancel(41), APEX_OK);
    ck_assert_uint_eq(race_penalties_added_us(&his), 0);
}

TEST(one_of_two_disqualifications_is_enough) {
    begin();
    offend(APEX_OFFENCE_WRONG_WAY);
    offend(APEX_OFFENCE_WRONG_WAY);
    ck_assert_int_eq(cancel(41), APEX_OK);
    ck_assert(his.disqualified);
    ck_assert_int_eq(cancel(42), APEX_OK);
    ck_assert(!his.disqualified);
}

// Sixteen rows: warnings go first, then what is over; what was added is kept, and open seconds are
// added when there is nothing else.
TEST(when_rows_run_out_nothing_is_lost) {
    begin();
    def.time_s_max = 0.0;
    at.is_over = true;
    offend(APEX_OFFENCE_CONTACT); // 41: 2.5 s added
    at.is_over = false;
    for (int i = 0; i < 3; i++) {
        offend(APEX_OFFENCE_TRACK_LIMITS);
    }                                // 42: a warning
    offend(APEX_OFFENCE_JUMP_START); // 43: open
    for (int i = 0; i < 13; i++) {
        offend(APEX_OFFENCE_CONTACT); // 44..56: open
    }
    ck_assert_uint_eq(his.count, 16);
    offend(APEX_OFFENCE_CONTACT); // 57, in place of 42
    expect_changes(1);
    ck_assert_uint_eq(his.count, 16);
    ck_assert_uint_eq(his.all[0].number, 41);
    ck_assert_uint_eq(his.all[1].number, 43);
    offend(APEX_OFFENCE_CONTACT); // 58, in place of 41
    expect_changes(1);
    ck_assert_uint_eq(race_penalties_added_us(&his), 2500000);
    ck_assert_uint_eq(race_penalties_pending_us(&his), 15 * 2500000);
    offend(APEX_OFFENCE_CONTACT); // 59, in place of 44, which is added
    expect_changes(2);
    expect(0, APEX_PENALTY_TIME, APEX_PENALTY_CONVERTED, 2500000);
    ck_assert_uint_eq(changes.all[0].number, 44);
    ck_assert_uint_eq(his.all[0].number, 43);
    ck_assert_uint_eq(his.all[15].number, 59);
    ck_assert_uint_eq(race_penalties_added_us(&his), 5000000);
    ck_assert_uint_eq(race_penalties_pending_us(&his), 15 * 2500000);
}

// What stewards may still pardon stays longer than what was served.
TEST(what_was_served_makes_room_before_what_was_added) {
    begin();
    def.time_s_max = 0.0;
    offend(APEX_OFFENCE_WRONG_WAY); // 41: he is disqualified
    at.is_over = true;
    offend(APEX_OFFENCE_CONTACT); // 42: added
    at.is_over = false;
    offend(APEX_OFFENCE_CONTACT); // 43: stood
    enter_lane(false);
    race_penalties_stop(&his);
    stood();
    for (int i = 0; i < 13; i++) {
        offend(APEX_OFFENCE_JUMP_START); // 44..56
    }
    static const uint32_t FIRST[][2] = {{41, 42}, {41, 44}, {41, 45}};
    for (int i = 0; i < 3; i++) {
        offend(APEX_OFFENCE_JUMP_START); // in place of 43, 42, 44
        ck_assert_uint_eq(his.all[0].number, FIRST[i][0]);
        ck_assert_uint_eq(his.all[1].number, FIRST[i][1]);
    }
    expect_changes(2);
    expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_CONVERTED, S(20));
    ck_assert_uint_eq(race_penalties_added_us(&his), 22500000);
    ck_assert(his.disqualified);
}

TEST(places_owed_have_an_end) {
    begin();
    for (int i = 0; i < 10; i++) {
        ck_assert_int_eq(order(0, APEX_PENALTY_GRID_DROP, 99.0), APEX_OK);
    }
    ck_assert_uint_eq(his.grid_drop, 990);
    ck_assert_int_eq(order(0, APEX_PENALTY_GRID_DROP, 99.0), APEX_OK);
    ck_assert_uint_eq(his.grid_drop, RACE_GRID_DROP_MAX);
    ck_assert_int_eq(cancel(41), APEX_OK);
    ck_assert_uint_eq(his.grid_drop, 900);
}

// All rows are overdue at once: each is told as converted, and a harder one for it.
TEST(sixteen_may_convert_at_once) {
    begin();
    for (int i = 0; i < 16; i++) {
        offend(APEX_OFFENCE_JUMP_START);
    }
    cross(false);
    cross(false);
    cross(false);
    expect_changes(32);
    for (uint32_t i = 0; i < 16; i++) {
        expect(2 * i, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_CONVERTED, 0);
        ck_assert_uint_eq(changes.all[2 * i].number, 41 + i);
        expect(2 * i + 1, APEX_PENALTY_STOP_AND_HOLD, APEX_PENALTY_OPEN, 0);
    }
    ck_assert_uint_eq(his.count, 16);
    cross(false);
    cross(false);
    cross(false);
    expect_changes(2); // the first disqualifies, and that is that
    ck_assert(his.disqualified);
}
