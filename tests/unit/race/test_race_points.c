// Points of races, and who leads the event with them.
#include "race/timing/points.h"
#include "support/base/check_main.h"

enum { P = RACE_POINT_PARTS, COUNT = 6 };

static const apex_session_def F1 = {.kind = APEX_SESSION_RACE,
                                    .points_count = 10,
                                    .points = {25, 18, 15, 12, 10, 8, 6, 4, 2, 1},
                                    .best_lap_points = 1};

static race_result_facts all[COUNT];
static race_result_line lines[COUNT];
static uint32_t parts[COUNT];

// Six who are home one second after the other.
static void race_six(void) {
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i] = (race_result_facts){.started = true,
                                     .flagged = true,
                                     .grid = i + 1,
                                     .laps = 10,
                                     .ends_us = {1000000000 + 1000000 * i},
                                     .best_us = 90000000 + 1000000 * i,
                                     .best_set_us = 500000000};
        parts[i] = 7; // of a race before
    }
}

static void score(const apex_session_def *def) {
    race_classify_race(all, COUNT, &(apex_rules_def){.classified_share = 0.9}, lines);
    race_score(all, lines, COUNT, def, parts);
}

static void expect_parts(const uint32_t expected[COUNT]) {
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_msg(parts[i] == expected[i], "%u: %u parts, not %u", i, parts[i], expected[i]);
    }
}

TEST(places_and_the_best_lap_score) {
    race_six();
    score(&F1);
    expect_parts((uint32_t[]){26 * P, 18 * P, 15 * P, 12 * P, 10 * P, 8 * P});
    // The fourth equals the best lap later, and then a moment earlier.
    all[3].best_us = 90000000;
    all[3].best_set_us = 500000001;
    score(&F1);
    expect_parts((uint32_t[]){26 * P, 18 * P, 15 * P, 12 * P, 10 * P, 8 * P});
    all[3].best_set_us = 499999999;
    score(&F1);
    expect_parts((uint32_t[]){25 * P, 18 * P, 15 * P, 13 * P, 10 * P, 8 * P});
}

// 25 and 18 are 43: each has 21 and a half. 15, 12 and 10 are 37: each has 12 and a third.
TEST(a_dead_heat_shares) {
    race_six();
    all[1].ends_us[0] = all[0].ends_us[0];
    all[3].ends_us[0] = all[4].ends_us[0] = all[2].ends_us[0];
    all[0].best_us = 0;
    all[5].best_us = 1;
    score(&F1);
    expect_parts((uint32_t[]){1290, 1290, 740, 740, 740, 9 * P});
}

// The last place that scores is shared with a place that does not: half a point.
TEST(a_dead_heat_for_the_last_point_shares_it) {
    const apex_session_def two = {.points_count = 2, .points = {3, 1, 5}};
    race_six();
    all[1].ends_us[0] = all[2].ends_us[0];
    score(&two);
    expect_parts((uint32_t[]){3 * P, P / 2, P / 2, 0, 0, 0});
}

TEST(who_is_not_classified_scores_nothing) {
    race_six();
    all[0].disqualified = true; // so the next has the best lap
    all[1].laps = 8;            // below nine, and has it for nothing
    all[2].started = false;
    all[2].best_us = 0;
    score(&F1);
    expect_parts((uint32_t[]){0, 0, 0, 25 * P, 18 * P, 15 * P});
}

TEST(the_best_lap_of_a_disqualified_driver_is_none) {
    race_six();
    all[0].disqualified = true;
    score(&F1);
    expect_parts((uint32_t[]){0, 26 * P, 18 * P, 15 * P, 12 * P, 10 * P});
}

TEST(each_class_scores_by_itself) {
    race_six();
    for (uint32_t i = 0; i < COUNT; i++) {
        all[i].class1 = i % 2 + 1;
    }
    all[2].ends_us[0] = all[1].ends_us[0]; // no dead heat within a class
    score(&F1);
    expect_parts((uint32_t[]){26 * P, 26 * P, 18 * P, 18 * P, 15 * P, 15 * P});
}

TEST(a_season_is_decided_by_wins_then_seconds) {
    race_season a = {.entry = 4}, b = {.entry = 3};
    ck_assert(race_season_before(&b, &a)); // nothing but the list
    ck_assert(!race_season_before(&a, &b));
    race_season_add(&a, 18 * P, 2);
    race_season_add(&b, 15 * P, 3);
    ck_assert(race_season_before(&a, &b));
    race_season_add(&b, 3 * P, 7); // equal points: a second place against a third
    ck_assert(race_season_before(&a, &b));
    ck_assert(!race_season_before(&b, &a));
    race_season_add(&a, 25 * P, 2);
    race_season_add(&b, 25 * P, 1); // one win is more than two second places
    ck_assert(race_season_before(&b, &a));
    race_season_add(&a, 1, 0); // a sixtieth decides, and no place is counted for it
    ck_assert(race_season_before(&a, &b));
    ck_assert_uint_eq(a.places[1], 2);
    race_season_add(&a, 0, 33); // there is no count of such a place
}

TEST(a_season_is_kept) {
    race_season season = {.parts = 0x10203, .entry = 77};
    for (uint32_t i = 0; i < APEX_POINTS_PLACES_MAX; i++) {
        season.places[i] = i + 1;
    }
    uint8_t bytes[256];
    race_walk out = {.out = bytes, .ok = true};
    race_season_walk(&out, &season);
    ck_assert_uint_eq(out.at, 4 * (2 + APEX_POINTS_PLACES_MAX));
    race_season read = {0};
    race_walk in = {.in = bytes, .ok = true};
    race_season_walk(&in, &read);
    ck_assert(in.ok);
    ck_assert_mem_eq(&season, &read, sizeof read);
}
