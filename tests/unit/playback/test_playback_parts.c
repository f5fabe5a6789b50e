// The parts of a playback by themselves: which events become marks, what ticks cost, and where
// the stills of moments just passed lie.
#include "support/base/check_main.h"

#include <string.h>

#include "playback/marks.h"
#include "playback/stills.h"
#include "playback/tick_cost.h"

enum { TICK_HZ = 60 };

static playback_marks marks;
static apex_playback_mark list[APEX_PLAYBACK_MARKS_MAX];

static void note(apex_race_event_kind kind, uint64_t tick, int64_t value) {
    apex_race_event event = {.kind = kind, .tick = tick, .value = value};
    playback_marks_note(&marks, &event, TICK_HZ);
}

static void forget_marks(void) {
    memset(&marks, 0, sizeof marks);
}

FIXTURE(forget_marks, NULL)

TEST(marks_are_what_is_worth_one) {
    note(APEX_EVENT_LIGHTS, 10, 1);
    note(APEX_EVENT_PHASE, 11, APEX_PHASE_RACE);
    note(APEX_EVENT_LAP, 12, 1);
    note(APEX_EVENT_CONTACT, 13, 2999);
    ck_assert_uint_eq(playback_marks_list(&marks, list), 0);
    note(APEX_EVENT_FINISHED, 900, 1);
    note(APEX_EVENT_PHASE, 1000, APEX_PHASE_RESULTS);
    note(APEX_EVENT_LIGHTS, 20, 0);
    note(APEX_EVENT_BEST_LAP, 700, 0);
    note(APEX_EVENT_CONTACT, 300, 3000);
    note(APEX_EVENT_DNF, 400, 0);
    note(APEX_EVENT_ENGINE_BLEW, 400, 0);
    static const apex_playback_mark wanted[] = {
        {.tick = 20, .kind = APEX_EVENT_LIGHTS},    {.tick = 300, .kind = APEX_EVENT_CONTACT},
        {.tick = 400, .kind = APEX_EVENT_DNF},      {.tick = 400, .kind = APEX_EVENT_ENGINE_BLEW},
        {.tick = 700, .kind = APEX_EVENT_BEST_LAP}, {.tick = 900, .kind = APEX_EVENT_FINISHED},
        {.tick = 1000, .kind = APEX_EVENT_PHASE},
    };
    ck_assert_uint_eq(playback_marks_list(&marks, list), sizeof wanted / sizeof wanted[0]);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        ck_assert_uint_eq(list[i].tick, wanted[i].tick);
        ck_assert_uint_eq(list[i].kind, wanted[i].kind);
    }
}

// Blows within a second are of one pile-up, which is told at its heaviest.
TEST(a_pile_up_is_one_mark) {
    note(APEX_EVENT_CONTACT, 100, 4000);
    note(APEX_EVENT_CONTACT, 160, 5000);
    note(APEX_EVENT_CONTACT, 170, 4500);
    note(APEX_EVENT_CONTACT, 220, 5000); // as heavy as the first one
    ck_assert_uint_eq(playback_marks_list(&marks, list), 1);
    ck_assert_uint_eq(list[0].tick, 160);
    note(APEX_EVENT_CONTACT, 221, 3500);
    ck_assert_uint_eq(playback_marks_list(&marks, list), 2);
    ck_assert_uint_eq(list[1].tick, 221);
}

TEST(the_lightest_contact_gives_way) {
    for (uint32_t i = 0; i < PLAYBACK_MARKS_A_GROUP_MAX; i++) {
        note(APEX_EVENT_CONTACT, 100 * (i + 1), i == 40 ? 3000 : 4000 + i);
    }
    note(APEX_EVENT_CONTACT, 20000, 3000);
    ck_assert_uint_eq(playback_marks_list(&marks, list), PLAYBACK_MARKS_A_GROUP_MAX);
    ck_assert_uint_eq(list[PLAYBACK_MARKS_A_GROUP_MAX - 1].tick, 9600);
    note(APEX_EVENT_CONTACT, 20000, 3001);
    ck_assert_uint_eq(playback_marks_list(&marks, list), PLAYBACK_MARKS_A_GROUP_MAX);
    ck_assert_uint_eq(list[PLAYBACK_MARKS_A_GROUP_MAX - 1].tick, 20000);
    ck_assert_uint_eq(list[39].tick, 4000);
    ck_assert_uint_eq(list[40].tick, 4200); // that of 4100 has gone
}

// Other groups keep what came first, and all of them together fill a message.
TEST(groups_have_room_of_their_own) {
    static const apex_race_event_kind kinds[] = {APEX_EVENT_FINISHED, APEX_EVENT_BEST_LAP,
                                                 APEX_EVENT_LIGHTS, APEX_EVENT_DNF};
    static const uint32_t room[] = {48, 32, 48, 32};
    uint32_t sum = 0;
    for (size_t k = 0; k < 4; k++) {
        for (uint32_t i = 0; i < 100; i++) {
            note(kinds[k], i, 0);
        }
        sum += room[k];
        ck_assert_uint_eq(playback_marks_list(&marks, list), sum);
    }
    for (uint32_t i = 0; i < 200; i++) {
        note(APEX_EVENT_CONTACT, 100 * i, 5000);
    }
    ck_assert_uint_eq(playback_marks_list(&marks, list), APEX_PLAYBACK_MARKS_MAX);
}

TEST(ticks_fit_into_a_time_by_what_they_cost) {
    playback_cost cost = {.tick_us = 100.0};
    ck_assert_uint_eq(playback_ticks_in(&cost, 8000.0), 80);
    cost.tick_us = 9000.0;
    ck_assert_uint_eq(playback_ticks_in(&cost, 8000.0), 1);
    cost.tick_us = 1.0;
    ck_assert_uint_eq(playback_ticks_in(&cost, 8000.0), 600);
}

TEST(a_cost_is_learnt_by_eighths) {
    playback_cost cost = {.tick_us = 100.0};
    playback_cost_learn(&cost, 5000); // without a tick there is nothing to learn
    ck_assert_double_eq(cost.tick_us, 100.0);
    cost.made = 10;
    playback_cost_learn(&cost, 1800);
    ck_assert_double_eq_tol(cost.tick_us, 110.0, 1e-9);
    playback_cost_learn(&cost, 300);
    ck_assert_double_eq_tol(cost.tick_us, 110.0 - 80.0 / 8.0, 1e-9);
    playback_cost_learn(&cost, 1000000); // held up: twice of what was expected
    ck_assert_double_eq_tol(cost.tick_us, 112.5, 1e-9);
    cost.tick_us = 1.0;
    playback_cost_learn(&cost, 0);
    ck_assert_double_eq(cost.tick_us, 1.0);
}

TEST(a_still_lies_after_where_one_is_and_not_after_the_goal) {
    playback_stills stills = {0};
    ck_assert(playback_stills_create(&stills, 1000));
    ck_assert_uint_eq(stills.count, PLAYBACK_STILLS_MAX);
    ck_assert_uint_eq(playback_stills_find(&stills, 0, 500).tick, 0);
    for (uint64_t i = 1; i <= 3; i++) {
        stills.ticks[i] = 60 * i;
    }
    ck_assert_uint_eq(playback_stills_find(&stills, 60, 500).tick, 180);
    ck_assert_uint_eq(playback_stills_find(&stills, 60, 180).tick, 180);
    ck_assert_ptr_eq(playback_stills_find(&stills, 60, 180).bytes, stills.bytes + 3000);
    ck_assert_uint_eq(playback_stills_find(&stills, 60, 179).tick, 120);
    ck_assert_uint_eq(playback_stills_find(&stills, 119, 179).tick, 120);
    ck_assert_uint_eq(playback_stills_find(&stills, 120, 179).tick, 0);
    stills.ticks[1] = 60 * 33; // the place of tick 60 has gone to one of 32 later
    ck_assert_uint_eq(playback_stills_find(&stills, 0, 119).tick, 0);
    ck_assert_uint_eq(playback_stills_find(&stills, 1900, 1990).tick, 1980);
    playback_stills_destroy(&stills);
}

TEST(stills_have_eight_megabytes) {
    static const struct {
        size_t still_bytes;
        uint32_t count;
    } cases[] = {
        {256 * 1024, 32}, {256 * 1024 + 1, 31}, {1024 * 1024, 8}, {8 * 1024 * 1024 + 1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        playback_stills stills = {0};
        ck_assert(playback_stills_create(&stills, cases[i].still_bytes));
        ck_assert_uint_eq(stills.count, cases[i].count);
        ck_assert_uint_eq(playback_stills_find(&stills, 0, 600).tick, 0);
        playback_stills_destroy(&stills);
    }
}
