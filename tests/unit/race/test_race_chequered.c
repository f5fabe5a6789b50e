// When a session is over, case by case: crossings of the line with their times, and who has ended.
#include "race/event/chequered.h"

#include "support/base/check_main.h"

enum { STEPS_MAX = 10, S = 1000000 };

typedef struct step {
    uint32_t laps;    // then
    uint64_t time_us; // 0: no further step
    bool ends;
} step;

typedef struct scene {
    const char *name;
    race_ending ending;
    step steps[STEPS_MAX];
    uint64_t out_us; // 0: the flag is not out after the last step
    uint32_t lead_laps;
} scene;

static const race_ending LAPS3 = {.is_race = true, .laps = 3};
#define TIMED(extra) \
    { .is_race = true, .laps = 999, .duration_us = 100 * S, .extra_lap = extra }
#define BOTH(n, extra) \
    { .is_race = true, .laps = n, .duration_us = 100 * S, .extra_lap = extra }
#define CLOCK \
    { .laps = 999, .duration_us = 100 * S, .overtime_us = 50 * S }

static const scene scenes[] = {
    {"by laps: all end at their next line, whatever their laps",
     {.is_race = true, .laps = 3},
     {{1, 30 * S, false},
      {1, 31 * S, false},
      {2, 60 * S, false},
      {2, 62 * S, false},
      {3, 90 * S, true},
      {2, 91 * S, true},
      {3, 93 * S, true},
      {1, 99 * S, true}},
     90 * S,
     3},
    {"by time: a lead crossing at T itself is late enough",
     TIMED(false),
     {{2, 60 * S, false}, {3, 100 * S, true}},
     100 * S,
     3},
    {"by time: a microsecond before T is not",
     TIMED(false),
     {{2, 60 * S, false}, {3, 100 * S - 1, false}, {4, 130 * S, true}},
     130 * S,
     4},
    {"by time: a lapped car that is there first after T goes on",
     TIMED(false),
     {{2, 60 * S, false},
      {3, 99 * S, false},
      {2, 101 * S, false},
      {3, 105 * S, false},
      {4, 131 * S, true},
      {3, 132 * S, true},
      {4, 136 * S, true}},
     131 * S,
     4},
    {"by time: the leader has retired, so whoever has the most laps next ends it",
     TIMED(false),
     {{3, 95 * S, false},
      {3, 103 * S, false},
      {3, 104 * S, false},
      {4, 134 * S, true},
      {4, 137 * S, true}},
     134 * S,
     4},
    {"by time: the leader pits, and another takes the lead in laps",
     TIMED(false),
     {{3, 90 * S, false}, {3, 94 * S, false}, {4, 124 * S, true}, {4, 126 * S, true}},
     124 * S,
     4},
    {"an extra lap: the lap in which time ran out, and one more",
     TIMED(true),
     {{2, 60 * S, false},
      {3, 101 * S, false},
      {3, 103 * S, false},
      {4, 131 * S, true},
      {4, 133 * S, true},
      {3, 134 * S, true}},
     131 * S,
     4},
    {"an extra lap: T itself has run out",
     TIMED(true),
     {{3, 100 * S, false}, {4, 130 * S, true}},
     130 * S,
     4},
    {"an extra lap: a microsecond before T two more are driven",
     TIMED(true),
     {{3, 100 * S - 1, false}, {4, 130 * S, false}, {5, 160 * S, true}},
     160 * S,
     5},
    {"an extra lap: the leader retires in it, and the next to have all laps wins",
     TIMED(true),
     {{3, 101 * S, false},
      {3, 108 * S, false},
      {2, 110 * S, false},
      {4, 138 * S, true},
      {3, 140 * S, true}},
     138 * S,
     4},
    {"both: never beyond the laps, though time has run out in the last",
     BOTH(3, true),
     {{2, 70 * S, false}, {3, 105 * S, true}},
     105 * S,
     3},
    {"both: the extra lap is the last of them",
     BOTH(4, true),
     {{3, 105 * S, false}, {4, 135 * S, true}},
     135 * S,
     4},
    {"both: laps come first", BOTH(2, false), {{1, 30 * S, false}, {2, 60 * S, true}}, 60 * S, 2},
    {"both: time comes first",
     BOTH(9, false),
     {{3, 99 * S, false}, {4, 132 * S, true}},
     132 * S,
     4},
    {"the start line is no lap, and no race ends there before the flag",
     TIMED(false),
     {{0, 101 * S, false}, {1, 131 * S, true}, {0, 132 * S, true}},
     131 * S,
     1},
    {"against the clock: T is when the flag comes, whoever is where",
     CLOCK,
     {{2, 60 * S, false}, {3, 99 * S, false}, {3, 100 * S, true}},
     100 * S,
     3},
    {"against the clock: a microsecond before T one may go on",
     CLOCK,
     {{3, 100 * S - 1, false}, {4, 120 * S, true}, {1, 121 * S, true}},
     100 * S,
     4},
    {"nobody drives more laps than there are",
     {.laps = 5, .duration_us = 900 * S},
     {{4, 60 * S, false}, {5, 70 * S, true}},
     0,
     5},
};

TEST(crossings_end_a_session) {
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        race_chequered flag = {0};
        for (uint32_t k = 0; k < STEPS_MAX && scenes[i].steps[k].time_us > 0; k++) {
            const step *at = &scenes[i].steps[k];
            bool ends = race_chequered_cross(&flag, &scenes[i].ending, at->laps, at->time_us);
            ck_assert_msg(ends == at->ends, "%s: crossing %u", scenes[i].name, k);
        }
        ck_assert_msg(flag.out == (scenes[i].out_us > 0), "%s: flag", scenes[i].name);
        ck_assert_msg(flag.out_us == scenes[i].out_us, "%s: at %llu", scenes[i].name,
                      (unsigned long long)flag.out_us);
        ck_assert_msg(flag.lead_laps == scenes[i].lead_laps, "%s: lead", scenes[i].name);
    }
}

// The clock alone ends nothing but sessions against it.
TEST(time_alone_ends_what_is_against_the_clock) {
    race_ending race = TIMED(false), clock = CLOCK;
    race_chequered flag = {0};
    race_chequered_clock(&flag, &race, 500 * S);
    ck_assert(!flag.out);
    race_chequered_clock(&flag, &clock, 100 * S - 1);
    ck_assert(!flag.out);
    race_chequered_clock(&flag, &clock, 100 * S + 7);
    ck_assert(flag.out);
    ck_assert_uint_eq(flag.out_us, 100 * S);
}

// By order a race was over when the lead was last taken at the line, and a practice is now.
TEST(by_order_it_was_over_at_the_last_lead_crossing) {
    race_ending clock = CLOCK;
    race_chequered flag = {0};
    race_chequered_cross(&flag, &LAPS3, 1, 30 * S);
    race_chequered_cross(&flag, &LAPS3, 1, 32 * S);
    race_chequered_call(&flag, &LAPS3, 45 * S);
    ck_assert(flag.out);
    ck_assert_uint_eq(flag.out_us, 30 * S);
    ck_assert(race_chequered_cross(&flag, &LAPS3, 1, 46 * S));
    flag = (race_chequered){0};
    race_chequered_call(&flag, &LAPS3, 5 * S); // nobody has a lap
    ck_assert_uint_eq(flag.out_us, 5 * S);
    flag = (race_chequered){0};
    race_chequered_cross(&flag, &clock, 1, 30 * S);
    race_chequered_call(&flag, &clock, 45 * S);
    ck_assert_uint_eq(flag.out_us, 45 * S);
}

TEST(a_lap_begun_in_time_counts_in_overtime) {
    static const struct {
        uint64_t begun_us, ended_us;
        bool counts;
    } laps[] = {
        {0, 100 * S, true},
        {100 * S - 1, 150 * S, true},
        {100 * S, 150 * S, false},
        {100 * S - 1, 150 * S + 1, false},
        {100 * S + 1, 120 * S, false},
        {50 * S, 149 * S, true},
    };
    race_ending clock = CLOCK, race = TIMED(false);
    race_chequered flag = {0};
    for (size_t i = 0; i < sizeof laps / sizeof laps[0]; i++) {
        ck_assert_msg(race_chequered_in_time(&clock, &flag, laps[i].begun_us, laps[i].ended_us) ==
                          laps[i].counts,
                      "lap %zu", i);
        ck_assert(race_chequered_in_time(&race, &flag, laps[i].begun_us, laps[i].ended_us));
    }
    race_chequered_call(&flag, &clock, 60 * S); // the end has come forward
    ck_assert(race_chequered_in_time(&clock, &flag, 59 * S, 110 * S));
    ck_assert(!race_chequered_in_time(&clock, &flag, 59 * S, 110 * S + 1));
    ck_assert(!race_chequered_in_time(&clock, &flag, 60 * S, 90 * S));
}
