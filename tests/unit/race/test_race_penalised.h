// A player who goes round a race of 20 laps with a table of penalties; what befalls him is called
// one thing after the other.
#pragma once

#include "race/penalties/penalties.h"
#include "support/base/check_main.h"

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

static inline void begin(void) {
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

static inline void offend(apex_offence offence) {
    changes.count = 0;
    race_penalties_offend(&his, &at, offence, &changes);
}

static inline void expect_changes(uint32_t count) {
    ck_assert_uint_eq(changes.count, count);
}

static inline void expect(uint32_t index, apex_penalty_kind kind, apex_penalty_state state,
                          uint64_t added_us) {
    ck_assert_uint_lt(index, changes.count);
    ck_assert_int_eq(changes.all[index].kind, kind);
    ck_assert_int_eq(changes.all[index].state, state);
    ck_assert_uint_eq(changes.all[index].added_us, added_us);
}

// He completes the lap under way.
static inline void cross(bool spared) {
    changes.count = 0;
    at.lap++;
    at.laps_left--;
    at.time_us += S(90);
    race_penalties_cross(&his, &at, spared, &changes);
}

static inline void flag(void) {
    changes.count = 0;
    at.is_over = true;
    race_penalties_flag(&his, &at, &changes);
}

static inline void enter_lane(bool barred) {
    at.time_us += S(60);
    race_penalties_enter_lane(&his, at.time_us, barred);
}

static inline void leave_lane(void) {
    changes.count = 0;
    race_penalties_leave_lane(&his, &changes);
}

static inline void stood(void) {
    changes.count = 0;
    race_penalties_stood(&his, &changes);
}

static inline void expect_hold(uint64_t stand_us, bool no_work) {
    race_penalty_hold hold = race_penalties_stop(&his);
    ck_assert_uint_eq(hold.stand_us, stand_us);
    ck_assert_int_eq(hold.no_work, no_work);
}

static inline apex_err order(uint32_t number, apex_penalty_kind kind, double amount) {
    changes.count = 0;
    const apex_penalty wanted = {
        .number = number, .kind = kind, .amount = amount, .offence = APEX_OFFENCE_STEWARDS};
    return race_penalties_order(&his, &at, &wanted, &changes);
}

static inline apex_err cancel(uint32_t number) {
    changes.count = 0;
    return race_penalties_cancel(&his, number, &changes);
}
