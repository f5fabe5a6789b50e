// The life of penalties on the road and in the lane: given, due, served, converted, added.
#include "test_race_penalised.h"

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

// Without seconds for a stop-and-hold there is none.
TEST(an_ignored_drive_through_may_have_no_harder_one) {
    begin();
    def.unserved_hold_s = 0.0;
    for (int disqualifies = 0; disqualifies < 2; disqualifies++) {
        def.unserved_disqualifies = disqualifies == 1;
        offend(APEX_OFFENCE_JUMP_START);
        cross(false);
        cross(false);
        cross(false);
        expect_changes(1 + (uint32_t)disqualifies);
        expect(0, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_CONVERTED,
               disqualifies == 1 ? 0 : S(20));
    }
    ck_assert(his.disqualified);
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
