// The table of penalties, and how a player's penalties are kept.
#include "race/penalties/penalties.h"
#include "race/penalties/penalty_table.h"
#include "support/base/check_main.h"

#include <math.h>
#include <string.h>

static apex_penalty_def def;

static void begin(void) {
    def = (apex_penalty_def){
        .serve_within_laps = 2,
        .drive_through_s = 20.0,
        .unserved_hold_s = 10.0,
        .time_s_max = 60.0,
        .step_count = 3,
        .steps =
            {
                {APEX_OFFENCE_TRACK_LIMITS, 4, APEX_PENALTY_DRIVE_THROUGH, 0.0},
                {APEX_OFFENCE_BLUE_FLAG, 1, APEX_PENALTY_GRID_DROP, 3.0},
                {APEX_OFFENCE_TRACK_LIMITS, 3, APEX_PENALTY_TIME, 5.0},
            },
    };
}

TEST(amounts_are_of_their_kind) {
    static const struct {
        apex_penalty_kind kind;
        double amount;
        bool ok;
    } AMOUNTS[] = {
        {APEX_PENALTY_WARNING, 0.0, true},
        {APEX_PENALTY_WARNING, 1.0, false},
        {APEX_PENALTY_TIME, 0.0, false},
        {APEX_PENALTY_TIME, 0.5, true},
        {APEX_PENALTY_TIME, 3600.0, true},
        {APEX_PENALTY_TIME, 3600.5, false},
        {APEX_PENALTY_TIME, -5.0, false},
        {APEX_PENALTY_TIME, (double)INFINITY, false},
        {APEX_PENALTY_DRIVE_THROUGH, 0.0, true},
        {APEX_PENALTY_DRIVE_THROUGH, 5.0, false},
        {APEX_PENALTY_STOP_AND_HOLD, 10.0, true},
        {APEX_PENALTY_STOP_AND_HOLD, 0.0, false},
        {APEX_PENALTY_GRID_DROP, 1.0, true},
        {APEX_PENALTY_GRID_DROP, 3600.0, true},
        {APEX_PENALTY_GRID_DROP, 3601.0, false},
        {APEX_PENALTY_GRID_DROP, 1.5, false},
        {APEX_PENALTY_GRID_DROP, 0.0, false},
        {APEX_PENALTY_GRID_DROP, -1.0, false},
        {APEX_PENALTY_LAP_DELETED, 1.0, false},
        {APEX_PENALTY_DISQUALIFIED, 0.0, true},
        {APEX_PENALTY_TIME, (double)NAN, false},
        {APEX_PENALTY_WARNING, (double)NAN, false},
        {APEX_PENALTY_GRID_DROP, (double)INFINITY, false},
        {APEX_PENALTY_WARNING, -0.5, false},
    };
    for (size_t i = 0; i < sizeof AMOUNTS / sizeof AMOUNTS[0]; i++) {
        ck_assert_msg(race_penalty_amount_ok(AMOUNTS[i].kind, AMOUNTS[i].amount) == AMOUNTS[i].ok,
                      "%d %f", (int)AMOUNTS[i].kind, AMOUNTS[i].amount);
    }
}

TEST(a_row_holds_up_to_the_next_of_its_offence) {
    begin();
    ck_assert_ptr_null(race_penalty_step_for(&def, APEX_OFFENCE_TRACK_LIMITS, 2));
    ck_assert_ptr_eq(race_penalty_step_for(&def, APEX_OFFENCE_TRACK_LIMITS, 3), &def.steps[2]);
    ck_assert_ptr_eq(race_penalty_step_for(&def, APEX_OFFENCE_TRACK_LIMITS, 4), &def.steps[0]);
    ck_assert_ptr_eq(race_penalty_step_for(&def, APEX_OFFENCE_TRACK_LIMITS, 99), &def.steps[0]);
    ck_assert_ptr_eq(race_penalty_step_for(&def, APEX_OFFENCE_BLUE_FLAG, 1), &def.steps[1]);
    ck_assert_ptr_null(race_penalty_step_for(&def, APEX_OFFENCE_IDLE, 1));
}

static race_penalties kept;
static race_penalty_numbers numbers;

// One of each kind and state, in the lane, at a stop.
static void fill(void) {
    begin();
    numbers.issued = 7;
    kept = (race_penalties){0};
    race_penalty_changes changes = {0};
    race_penalty_moment at = {.def = &def,
                              .numbers = &numbers,
                              .time_us = 5000000,
                              .lap = 3,
                              .laps_left = 10,
                              .is_race = true};
    static const apex_penalty ORDERS[] = {
        {.kind = APEX_PENALTY_WARNING},
        {.kind = APEX_PENALTY_TIME, .amount = 5.0},
        {.kind = APEX_PENALTY_DRIVE_THROUGH},
        {.kind = APEX_PENALTY_STOP_AND_HOLD, .amount = 9.0},
        {.kind = APEX_PENALTY_LAP_DELETED},
        {.kind = APEX_PENALTY_GRID_DROP, .amount = 3.0},
        {.kind = APEX_PENALTY_DISQUALIFIED},
        {.kind = APEX_PENALTY_GRID_DROP, .amount = 2.0},
        {.kind = APEX_PENALTY_TIME, .amount = 4.0},
    };
    for (size_t i = 0; i < sizeof ORDERS / sizeof ORDERS[0]; i++) {
        at.is_over = i == sizeof ORDERS / sizeof ORDERS[0] - 1;
        ck_assert_int_eq(race_penalties_order(&kept, &at, &ORDERS[i], &changes), APEX_OK);
    }
    ck_assert_int_eq(race_penalties_cancel(&kept, 15, &changes), APEX_OK);
    race_penalties_enter_lane(&kept, 6000000, false);
    race_penalties_stop(&kept);
    kept.offences[APEX_OFFENCE_IDLE] = 3;
    kept.forgotten_us = 12;
}

static uint8_t bytes[4096];

static bool survives(race_penalties *out) {
    race_walk writing = {.out = bytes, .ok = true};
    race_penalties_walk(&writing, &kept);
    memset(out, 1, sizeof *out);
    race_walk reading = {.in = bytes, .ok = true};
    race_penalties_walk(&reading, out);
    ck_assert_uint_eq(reading.at, writing.at);
    return reading.ok;
}

TEST(penalties_are_kept) {
    fill();
    race_penalties read;
    ck_assert(survives(&read));
    ck_assert_uint_eq(read.count, 9);
    ck_assert(read.standing[1] && read.standing[3] && !read.standing[2]);
    for (uint32_t i = 0; i < read.count; i++) {
        ck_assert_uint_eq(read.all[i].number, 8 + i);
        ck_assert_int_eq(read.all[i].kind, kept.all[i].kind);
        ck_assert_int_eq(read.all[i].state, kept.all[i].state);
        ck_assert_double_eq(read.all[i].amount, kept.all[i].amount);
        ck_assert_uint_eq(read.all[i].due_lap, kept.all[i].due_lap);
        ck_assert_uint_eq(read.all[i].added_us, kept.all[i].added_us);
        ck_assert_uint_eq(read.all[i].given_us, 5000000);
        ck_assert(read.all[i].by_stewards);
    }
    ck_assert_uint_eq(read.grid_drop, 3);
    ck_assert(read.disqualified);
    ck_assert_uint_eq(read.offences[APEX_OFFENCE_IDLE], 3);
    ck_assert_uint_eq(read.forgotten_us, 12);
    ck_assert(read.visit.stopped && !read.visit.barred && !read.visit.served);
    ck_assert_uint_eq(read.visit.entered_us, 6000000);
    ck_assert(race_penalties_were_issued(&read, &numbers));
    numbers.issued--;
    ck_assert(!race_penalties_were_issued(&read, &numbers));
    numbers.issued = 0;
    ck_assert(race_penalties_were_issued(&(race_penalties){0}, &numbers));
    kept = (race_penalties){0};
    ck_assert(survives(&read));
}

TEST(a_line_has_one_length) {
    kept = (race_penalties){0};
    race_walk none = {.out = bytes, .ok = true};
    race_penalties_walk(&none, &kept);
    fill();
    race_walk some = {.out = bytes, .ok = true};
    race_penalties_walk(&some, &kept);
    ck_assert_uint_eq(none.at, some.at);
}

typedef void spoil_fn(void);

static void too_many(void) {
    kept.count = APEX_PENALTIES_EACH_MAX + 1;
}
static void no_number(void) {
    kept.all[0].number = 0;
}
static void numbers_fall(void) {
    kept.all[1].number = kept.all[0].number;
}
static void no_such_offence(void) {
    kept.all[0].offence = (apex_offence)APEX_OFFENCES;
}
static void no_such_kind(void) {
    kept.all[0].kind = (apex_penalty_kind)APEX_PENALTY_KINDS;
}
static void no_such_state(void) {
    kept.all[0].state = (apex_penalty_state)APEX_PENALTY_STATES;
}
static void an_amount_too_many(void) {
    kept.all[0].amount = 1.0;
}
static void no_amount(void) {
    kept.all[1].amount = (double)NAN;
}
static void a_term_of_seconds(void) {
    kept.all[1].due_lap = 9;
}
static void no_term(void) {
    kept.all[2].due_lap = 0;
}
static void no_lap(void) {
    kept.all[2].lap = 0;
}
static void an_endless_term(void) {
    kept.all[2].due_lap = UINT32_MAX;
}
static void an_open_warning(void) {
    kept.all[0].state = APEX_PENALTY_OPEN;
}
static void a_converted_drop(void) {
    kept.all[5].state = APEX_PENALTY_CONVERTED;
}
static void time_of_an_open_drive_through(void) {
    kept.all[2].added_us = 1;
}
static void endless_time(void) {
    kept.all[8].added_us = UINT64_MAX;
}
static void stands_for_a_drive_through(void) {
    kept.standing[2] = true;
}
static void stands_for_nothing(void) {
    kept.standing[12] = true;
}
static void a_row_past_the_last(void) {
    kept.all[9].lap = 1;
}
static void not_disqualified(void) {
    kept.disqualified = false;
}
static void disqualified_for_nothing(void) {
    kept.all[6].state = APEX_PENALTY_CANCELLED;
}
static void endless_drop(void) {
    kept.grid_drop = RACE_GRID_DROP_MAX + 1;
}
static void endless_forgotten(void) {
    kept.forgotten_us = UINT64_MAX;
}
static void entered_never(void) {
    kept.visit.entered_us = UINT64_MAX;
}
static void given_never(void) {
    kept.all[0].given_us = UINT64_MAX;
}

static spoil_fn *const SPOILERS[] = {
    too_many,
    no_number,
    numbers_fall,
    no_such_offence,
    no_such_kind,
    no_such_state,
    an_amount_too_many,
    no_amount,
    a_term_of_seconds,
    no_term,
    no_lap,
    an_endless_term,
    an_open_warning,
    a_converted_drop,
    time_of_an_open_drive_through,
    endless_time,
    stands_for_a_drive_through,
    stands_for_nothing,
    a_row_past_the_last,
    not_disqualified,
    disqualified_for_nothing,
    endless_drop,
    endless_forgotten,
    entered_never,
    given_never,
};

TEST_OVER(hostile_penalties_are_refused, 0, sizeof SPOILERS / sizeof SPOILERS[0]) {
    fill();
    SPOILERS[_i]();
    race_penalties read;
    ck_assert_msg(!survives(&read), "spoiler %d", _i);
}

TEST(numbers_are_kept) {
    race_penalty_numbers issued = {0x01020304};
    race_walk writing = {.out = bytes, .ok = true};
    race_penalty_numbers_walk(&writing, &issued);
    ck_assert_uint_eq(writing.at, 4);
    issued.issued = 0;
    race_walk reading = {.in = bytes, .ok = true};
    race_penalty_numbers_walk(&reading, &issued);
    ck_assert_uint_eq(issued.issued, 0x01020304);
}
