// Grids made of what drivers did before: each row says what a session takes, and who stands where.
#include "race/event/grid_order.h"
#include "support/base/check_main.h"

#include <string.h>

enum { DRIVERS = 8, QUALIFYING = 0, SPRINT = 1, FINAL = 2, SESSIONS = 3 };

// Drivers a to h. In qualifying h came to no time; in the sprint c did not start, and d led.
static const uint32_t QUALIFYING_PLACES[DRIVERS] = {3, 1, 2, 4, 6, 5, 7, 8};
static const uint64_t BEST_US[DRIVERS] = {90300000, 90100000, 90200000, 90400000,
                                          90600000, 90500000, 90700000, 0};
static const uint32_t SPRINT_PLACES[DRIVERS] = {2, 5, 0, 1, 3, 4, 6, 7};
static const uint32_t POINTS[DRIVERS] = {18, 10, 0, 18, 15, 12, 8, 6};
static const uint32_t CLASSES[DRIVERS] = {1, 1, 1, 2, 2, 2, 1, 2};
static const uint32_t ENTRIES[DRIVERS] = {8, 7, 6, 5, 4, 3, 2, 0};

static apex_weekend_def weekend;
static race_candidate drivers[DRIVERS];

static uint32_t class_place(const uint32_t places[], uint32_t who) {
    uint32_t place = 1;
    for (uint32_t i = 0; i < DRIVERS; i++) {
        place += CLASSES[i] == CLASSES[who] && places[i] > 0 && places[i] < places[who];
    }
    return places[who] > 0 ? place : 0;
}

static void begin(void) {
    memset(&weekend, 0, sizeof weekend);
    weekend.session_count = SESSIONS;
    weekend.sessions[QUALIFYING].kind = APEX_SESSION_QUALIFYING;
    weekend.sessions[SPRINT].kind = APEX_SESSION_RACE;
    weekend.sessions[FINAL].kind = APEX_SESSION_RACE;
    weekend.sessions[FINAL].takes_rest = true;
    for (uint32_t i = 0; i < DRIVERS; i++) {
        drivers[i] = (race_candidate){
            .outcomes = {[QUALIFYING] = {QUALIFYING_PLACES[i], class_place(QUALIFYING_PLACES, i),
                                         BEST_US[i] > 0, BEST_US[i]},
                         [SPRINT] = {SPRINT_PLACES[i], class_place(SPRINT_PLACES, i),
                                     SPRINT_PLACES[i] > 0, BEST_US[i]}},
            .points = POINTS[i],
            .class1 = CLASSES[i],
            .entry = ENTRIES[i],
            .arrival = i + 1};
    }
}

FIXTURE(begin, NULL)

// @return the grid as letters; those who watch after a stroke
static const char *grid(uint32_t session) {
    static char text[DRIVERS + 2];
    uint32_t order[DRIVERS], scratch[3 * DRIVERS];
    uint32_t count = race_grid_order(&(race_grid_making){.weekend = &weekend,
                                                         .session = session,
                                                         .seed = 7,
                                                         .candidates = drivers,
                                                         .count = DRIVERS,
                                                         .scratch = scratch},
                                     order);
    char *at = text;
    for (uint32_t i = 0; i < DRIVERS; i++) {
        if (i == count) {
            *at++ = '|';
        }
        *at++ = (char)('a' + order[i]);
    }
    *at = '\0';
    return text;
}

typedef struct row {
    const char *grid;
    uint32_t feed_count;
    apex_session_feed feeds[3];
    bool leaves_rest;
} row;

static const row ROWS[] = {
    // All of a result; whoever took no part is behind, and the first N turned round.
    {"daefbghc", 1, {{SPRINT, APEX_BY_RESULT, 1, 0, 0, 0}}, false},
    {"daefbgh|c", 1, {{SPRINT, APEX_BY_RESULT, 1, 0, 0, 0}}, true},
    {"eadfbghc", 1, {{SPRINT, APEX_BY_RESULT, 1, 0, 3, 0}}, false},
    {"hgbfeadc", 1, {{SPRINT, APEX_BY_RESULT, 1, 0, APEX_REVERSE_ALL, 0}}, false},
    // Turned round first, then who has no time goes behind: h is not on pole.
    {"gefdacbh", 1, {{QUALIFYING, APEX_BY_RESULT, 1, 0, APEX_REVERSE_ALL, 0}}, false},
    {"bcadfegh", 1, {{QUALIFYING, APEX_BY_BEST_LAP, 1, 0, 0, 0}}, false},
    // A knock-out: the best four, then the others; a final of the best three of each class.
    {"bcad|efgh", 1, {{QUALIFYING, APEX_BY_RESULT, 1, 4, 0, 0}}, true},
    {"fegh|abcd", 1, {{QUALIFYING, APEX_BY_RESULT, 5, 0, 0, 0}}, true},
    {"bcadfegh",
     2,
     {{QUALIFYING, APEX_BY_RESULT, 1, 3, 0, 1}, {QUALIFYING, APEX_BY_RESULT, 1, 3, 0, 2}},
     false},
    // In a class places are those of the class.
    {"ab|cdefgh", 1, {{SPRINT, APEX_BY_RESULT, 1, 2, 0, 1}}, true},
    // Whoever has a place already is not taken again, and leaves it empty.
    {"daefbc|gh",
     2,
     {{SPRINT, APEX_BY_RESULT, 1, 5, 0, 0}, {QUALIFYING, APEX_BY_RESULT, 1, 6, 0, 0}},
     true},
    // Points: a and d have 18, and d has won; the list of entries, where h is not.
    {"daefbghc", 1, {{APEX_SESSION_NONE, APEX_BY_POINTS, 1, 0, 0, 0}}, false},
    {"gfedcbah", 1, {{APEX_SESSION_NONE, APEX_BY_ENTRY, 1, 0, 0, 0}}, false},
    {"abcdefgh", 1, {{APEX_SESSION_NONE, APEX_BY_ARRIVAL, 1, 0, 0, 0}}, false},
};

TEST_OVER(a_session_takes_whom_its_feeds_say, 0, sizeof ROWS / sizeof ROWS[0]) {
    const row *it = &ROWS[_i];
    weekend.sessions[FINAL].feed_count = it->feed_count;
    memcpy(weekend.sessions[FINAL].feeds, it->feeds, sizeof it->feeds);
    weekend.sessions[FINAL].takes_rest = !it->leaves_rest;
    ck_assert_str_eq(grid(FINAL), it->grid);
}

TEST(without_feeds_a_race_takes_the_session_before_it) {
    ck_assert_str_eq(grid(FINAL), "daefbghc");
    ck_assert_str_eq(grid(SPRINT), "bcadfegh");
    ck_assert_str_eq(grid(QUALIFYING), "abcdefgh");
    weekend.sessions[QUALIFYING].kind = APEX_SESSION_RACE;
    ck_assert_str_eq(grid(QUALIFYING), "gfedcbah");
}

// The sprint's order, of which some pay places.
typedef struct drop_row {
    uint32_t drops[DRIVERS]; // of d, a, e, f, b, g, h, c, as they stand
    const char *grid;
} drop_row;

static const drop_row DROPS[] = {
    {{0, 0, 0, 0, 0, 0, 0, 0}, "daefbghc"},
    {{3, 0, 0, 0, 0, 0, 0, 0}, "aefdbghc"},
    {{3, 1, 0, 0, 0, 0, 0, 0}, "efadbghc"},
    {{1, 0, 0, 0, 0, 0, 0, 0}, "adefbghc"},
    // Both are to stand third: the one who was ahead stays ahead.
    {{2, 1, 0, 0, 0, 0, 0, 0}, "efdabghc"},
    // Nobody is behind the last: he stays; past fifteen all go to the back, in their order.
    {{0, 0, 0, 0, 0, 0, 0, 5}, "daefbghc"},
    {{16, 20, 0, 0, 0, 0, 0, 0}, "efbghcda"},
    {{15, 16, 0, 0, 0, 0, 0, 0}, "efbghcda"},
    // Places before one's own are free when others pay, too: all close up.
    {{0, 0, 0, 2, 2, 0, 0, 0}, "daeghfbc"},
};

TEST_OVER(places_are_paid_on_the_grid, 0, sizeof DROPS / sizeof DROPS[0]) {
    static const char AS_THEY_STAND[] = "daefbghc";
    for (uint32_t i = 0; i < DRIVERS; i++) {
        drivers[AS_THEY_STAND[i] - 'a'].drop = DROPS[_i].drops[i];
    }
    ck_assert_str_eq(grid(FINAL), DROPS[_i].grid);
}

TEST(lots_are_drawn_with_the_seed) {
    weekend.sessions[FINAL].feed_count = 1;
    weekend.sessions[FINAL].feeds[0] =
        (apex_session_feed){APEX_SESSION_NONE, APEX_BY_LOT, 1, 0, 0, 0};
    char first[DRIVERS + 2];
    strcpy(first, grid(FINAL));
    ck_assert_str_eq(grid(FINAL), first);
    ck_assert_str_ne(first, "abcdefgh");
    uint32_t places[DRIVERS][DRIVERS] = {{0}};
    for (uint64_t seed = 1; seed <= 800; seed++) {
        uint32_t order[DRIVERS], scratch[3 * DRIVERS];
        uint32_t count = race_grid_order(
            &(race_grid_making){&weekend, FINAL, seed, drivers, DRIVERS, scratch}, order);
        ck_assert_uint_eq(count, DRIVERS);
        for (uint32_t i = 0; i < DRIVERS; i++) {
            places[order[i]][i]++;
        }
    }
    for (uint32_t i = 0; i < DRIVERS; i++) {
        for (uint32_t k = 0; k < DRIVERS; k++) { // 100 each, within five standard deviations
            ck_assert_uint_gt(places[i][k], 53);
            ck_assert_uint_lt(places[i][k], 147);
        }
    }
}
