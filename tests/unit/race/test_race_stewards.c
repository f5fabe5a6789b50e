// What stewards do to a player's penalties, and what is kept when he has more than there is room
// for.
#include "test_race_penalised.h"

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
    ck_assert_int_eq(order(0, APEX_PENALTY_TIME, 3600.5), APEX_ERR_RANGE);
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
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(order(0, APEX_PENALTY_GRID_DROP, 3600.0), APEX_OK);
    }
    ck_assert_uint_eq(his.grid_drop, 7200);
    ck_assert_int_eq(order(0, APEX_PENALTY_GRID_DROP, 3600.0), APEX_OK);
    ck_assert_uint_eq(his.grid_drop, RACE_GRID_DROP_MAX);
    ck_assert_int_eq(cancel(41), APEX_OK);
    ck_assert_uint_eq(his.grid_drop, 6399);
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
