// Definitions of a weekend: what they are to begin with, and what their check refuses, on both
// sides of each limit.
#include "race/race.h"

#include "support/base/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static apex_weekend_def def;
static apex_weekend_problem problem;

// Qualifying, a race by laps from its result, and one by time with a window; two classes of three
// cars, two entries, two compounds.
static void make(void) {
    def = apex_default_weekend_def();
    def.rules = apex_preset_rules(APEX_RULES_LEAGUE);
    def.session_count = 3;
    def.sessions[0] = apex_default_session_def(APEX_SESSION_QUALIFYING);
    def.sessions[1] = apex_default_session_def(APEX_SESSION_RACE);
    def.sessions[1].laps = 5;
    def.sessions[1].feed_count = 1;
    def.sessions[1].feeds[0] = (apex_session_feed){
        .session = 0, .by = APEX_BY_BEST_LAP, .from = 3, .to = 10, .reversed = 8};
    def.sessions[2] = apex_default_session_def(APEX_SESSION_RACE);
    snprintf(def.sessions[2].name, sizeof def.sessions[2].name, "Feature");
    def.sessions[2].duration_s = 1800.0;
    def.sessions[2].extra_lap = true;
    def.sessions[2].stops_min = 1;
    def.sessions[2].window_from_s = 600.0;
    def.sessions[2].window_to_s = 1800.0;
    def.sessions[2].feed_count = 1;
    def.sessions[2].feeds[0] = (apex_session_feed){
        .session = APEX_SESSION_NONE, .by = APEX_BY_POINTS, .from = 1, .class1 = 2};
    def.entries.class_count = 2;
    def.entries.classes[0] = (apex_race_class_def){.name = "GT", .cars = 1};
    def.entries.classes[1] = (apex_race_class_def){.name = "Cup", .cars = 6};
    def.entries.count = 2;
    def.entries.all[0] = (apex_race_entry_def){
        .name = "Ada", .key = "a", .number = 7, .car1 = 3, .class1 = 2, .grid = 1};
    def.entries.all[1] = (apex_race_entry_def){.name = "Bob", .key = "b", .number = 8, .grid = 2};
    def.pits.compound_count = 2;
    def.pits.compounds[0] = (apex_compound_def){.name = "soft", .grip = 1.05, .wear = 2};
    def.pits.compounds[1] = (apex_compound_def){.name = "hard", .grip = 0.95, .wear = 0.5};
}

FIXTURE(make, NULL)

static void expect_good(int line) {
    bool good = apex_weekend_check(&def, 3, &problem);
    ck_assert_msg(good, "line %d: %s: %s", line, problem.path, problem.reason);
}

static void expect_refused(int line, const char *path, const char *words) {
    ck_assert_msg(!apex_weekend_check(&def, 3, &problem), "line %d", line);
    ck_assert_msg(strcmp(problem.path, path) == 0, "line %d: at %s", line, problem.path);
    ck_assert_msg(strstr(problem.reason, words) != NULL, "line %d: %s", line, problem.reason);
}

// `member` may be `fine`, but not `bad`.
#define BETWEEN(member, fine, bad, path, words) \
    do {                                        \
        make();                                 \
        (member) = (fine);                      \
        expect_good(__LINE__);                  \
        (member) = (bad);                       \
        expect_refused(__LINE__, path, words);  \
    } while (0)

TEST(sessions_end) {
    expect_good(__LINE__);
    BETWEEN(def.sessions[1].laps, 1, 0, "sessions[1].laps", "it never ends");
    BETWEEN(def.sessions[1].laps, 999, 1000, "sessions[1].laps", "1000 is outside 0..999");
    BETWEEN(def.sessions[0].duration_s, 0.5, 0.0, "sessions[0].minutes", "it never ends");
    BETWEEN(def.sessions[0].duration_s, 86400.0, 86401.0, "sessions[0].seconds", "is outside");
    BETWEEN(def.sessions[0].duration_s, 1.0, strtod("nan", NULL), "sessions[0].seconds", "outside");
    BETWEEN(def.session_count, 2, APEX_SESSIONS_MAX + 1, "sessions", "more than");
}

TEST(only_a_race_has_what_a_race_has) {
    BETWEEN(def.sessions[0].laps, 0, 1, "sessions[0].laps", "only a race");
    BETWEEN(def.sessions[0].extra_lap, false, true, "sessions[0].extra_lap", "only of a race");
    BETWEEN(def.sessions[1].extra_lap, false, true, "sessions[1].extra_lap", "with minutes");
    BETWEEN(def.sessions[0].stops_min, 0, 1, "sessions[0].stops", "only of a race");
    BETWEEN(def.sessions[0].window_to_s, 0.0, 9.0, "sessions[0].window_min", "only of a race");
    BETWEEN(def.sessions[0].points_count, 0, 1, "sessions[0].points", "only of a race");
    BETWEEN(def.sessions[0].best_lap_points, 0, 1, "sessions[0].best_lap_points", "only of");
    BETWEEN(def.sessions[0].start, APEX_START_STANDING, APEX_START_ROLLING, "sessions[0].start",
            "only a race");
    BETWEEN(def.sessions[1].start, APEX_START_ROLLING, (apex_start_kind)2, "sessions[1].start",
            "no such");
    BETWEEN(def.sessions[1].overtime_s, 0.0, 1.0, "sessions[1].overtime_s", "a race has none");
    BETWEEN(def.sessions[1].rolling_mps, 10.0, 9.9, "sessions[1].rolling_kmph", "outside");
    BETWEEN(def.sessions[1].rolling_mps, 60.0, 60.1, "sessions[1].rolling_kmph", "outside");
}

TEST(a_window_lies_in_its_race) {
    BETWEEN(def.sessions[2].window_to_s, 1800.0, 1800.5, "sessions[2].window_min", "outside");
    BETWEEN(def.sessions[2].window_from_s, 1799.0, 1800.0, "sessions[2].window_min", "before");
    BETWEEN(def.sessions[2].stops_min, 1, 0, "sessions[2].window_min", "no stops");
}

TEST(a_grid_is_of_earlier_sessions) {
    BETWEEN(def.sessions[1].feeds[0].session, 0, 1, "sessions[1].grid[0].from", "from itself");
    BETWEEN(def.sessions[1].feeds[0].session, 0, 2, "sessions[1].grid[0].from", "comes later");
    BETWEEN(def.sessions[1].feeds[0].session, 0, 3, "sessions[1].grid[0].from", "no such session");
    BETWEEN(def.sessions[1].feeds[0].session, 0, APEX_SESSION_NONE, "sessions[1].grid[0].from",
            "needs an earlier");
    BETWEEN(def.sessions[2].feeds[0].session, APEX_SESSION_NONE, 0, "sessions[2].grid[0].from",
            "not of a session");
    BETWEEN(def.sessions[1].feeds[0].by, APEX_BY_RESULT, (apex_order_by)APEX_ORDERS_BY,
            "sessions[1].grid[0].by", "no such order");
    BETWEEN(def.sessions[1].feed_count, 0, APEX_SESSION_FEEDS_MAX + 1, "sessions[1].grid",
            "more than");
    BETWEEN(def.sessions[2].feeds[0].class1, 2, 3, "sessions[2].grid[0].class", "no such class");
}

// Eight places, 3 to 10.
TEST(no_more_are_reversed_than_there_are) {
    BETWEEN(def.sessions[1].feeds[0].reversed, 8, 9, "sessions[1].grid[0].reverse",
            "more are reversed than there are places");
    BETWEEN(def.sessions[1].feeds[0].reversed, APEX_REVERSE_ALL, APEX_REVERSE_ALL - 1,
            "sessions[1].grid[0].reverse", "more are reversed");
    BETWEEN(def.sessions[1].feeds[0].to, 11, 9, "sessions[1].grid[0].reverse", "more are");
    BETWEEN(def.sessions[1].feeds[0].from, 1, 0, "sessions[1].grid[0].places", "rise from 1");
    def.sessions[1].feeds[0] =
        (apex_session_feed){.by = APEX_BY_RESULT, .from = 4, .to = 3, .reversed = 0};
    expect_refused(__LINE__, "sessions[1].grid[0].places", "rise from 1");
}

TEST(names_and_numbers_are_somebodys_alone) {
    BETWEEN(def.entries.all[1].number, 9, 7, "entries[1].number", "entries[0] has this number");
    BETWEEN(def.entries.all[1].number, 999, 1000, "entries[1].number", "1000 is outside 0..999");
    BETWEEN(def.entries.all[1].grid, 3, 1, "entries[1].grid", "entries[0] has this place");
    make();
    snprintf(def.entries.all[1].name, APEX_NAME_BYTES, "Ada");
    expect_refused(__LINE__, "entries[1].name", "entries[0] has this name");
    def.entries.all[1].name[0] = '\0'; // the key tells who it is
    expect_good(__LINE__);
    snprintf(def.entries.all[1].key, APEX_ENTRY_KEY_BYTES, "a");
    expect_refused(__LINE__, "entries[1].key", "entries[0] has this key");
    def.entries.all[1].key[0] = '\0';
    expect_refused(__LINE__, "entries[1].name", "a name or a key");
    make();
    snprintf(def.sessions[2].name, APEX_NAME_BYTES, "Race");
    expect_refused(__LINE__, "sessions[2].name", "another session");
    make();
    snprintf(def.entries.classes[1].name, APEX_NAME_BYTES, "GT");
    expect_refused(__LINE__, "classes[1].name", "another class");
}

TEST(entries_name_what_there_is) {
    BETWEEN(def.entries.all[0].car1, 3, 4, "entries[0].car", "no such car");
    BETWEEN(def.entries.all[0].class1, 0, 3, "entries[0].class", "no such class");
    BETWEEN(def.entries.all[0].ballast_kg, 200.0, 200.5, "entries[0].ballast_kg", "outside 0..200");
    BETWEEN(def.entries.all[0].restrictor, 0.5, 0.51, "entries[0].restrictor", "outside 0..0.5");
    BETWEEN(def.entries.classes[1].cars, 4, 8, "classes[1].cars", "no such car");
    BETWEEN(def.entries.classes[1].cars, 2, 3, "classes[1].cars", "another class has one");
    BETWEEN(def.entries.success_count, 10, 11, "success_kg", "more places");
    make();
    def.entries.only_listed = true;
    expect_good(__LINE__);
    def.entries.count = 0;
    expect_refused(__LINE__, "only_listed", "nobody is listed");
}

TEST(compounds_are_there) {
    BETWEEN(def.sessions[1].compounds, 3, 4, "sessions[1].tyres", "no such compound");
    BETWEEN(def.pits.compounds[1].grip, 0.5, 0.4, "pits.compounds[1].grip", "0.4 is outside");
    BETWEEN(def.pits.compounds[1].name[0], 'H', '\0', "pits.compounds[1].name", "has a name");
    make();
    snprintf(def.pits.compounds[1].name, APEX_NAME_BYTES, "soft");
    expect_refused(__LINE__, "pits.compounds[1].name", "another compound");
}

TEST(rules_have_ranges) {
    BETWEEN(def.rules.yellow.stretch_m, 100.0, 99.0, "rules.yellow_flags.stretch_m", "outside");
    BETWEEN(def.rules.yellow.stretch_m, 300.0, 301.0, "rules.yellow_flags.stretch_m", "outside");
    BETWEEN(def.rules.fault.share, 100, 101, "rules.fault.share", "101 is outside 1..100");
    BETWEEN(def.rules.classified_share, 1.0, 1.01, "rules.classified_share", "outside");
    BETWEEN(def.rules.penalties.serve_within_laps, 1, 0, "rules.serving.serve_within_laps",
            "0 is outside");
    BETWEEN(def.rules.penalties.step_count, 1, APEX_PENALTY_STEPS_MAX + 1, "rules.penalties",
            "more rows");
    BETWEEN(def.rules.penalties.steps[1].count, 3, 1, "rules.penalties",
            "track-limits has two rows of count 1");
}

TEST(a_row_of_the_table_makes_sense) {
    static const struct {
        apex_penalty_step step;
        const char *words; // NULL: it does
    } rows[] = {
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_TIME, 0.5}, NULL},
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_TIME, 0.0}, "missing"},
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_STOP_AND_HOLD, 0.0}, "missing"},
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_TIME, 3600.0}, NULL},
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_TIME, 3600.5}, "0..3600"},
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_GRID_DROP, 3.0}, NULL},
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_GRID_DROP, 3.5}, "whole"},
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_DRIVE_THROUGH, 0.0}, NULL},
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_DRIVE_THROUGH, 1.0}, "no amount"},
        {{APEX_OFFENCE_LINK, 1, APEX_PENALTY_WARNING, 1.0}, "no amount"},
        {{APEX_OFFENCE_NOT_SERVED, 1, APEX_PENALTY_WARNING, 0.0}, "not up to a row"},
        {{APEX_OFFENCE_LINK, 0, APEX_PENALTY_WARNING, 0.0}, "from 1"},
        {{APEX_OFFENCE_LINK, 1001, APEX_PENALTY_WARNING, 0.0}, "to 1000"},
        {{(apex_offence)APEX_OFFENCES, 1, APEX_PENALTY_WARNING, 0.0}, "no such"},
        {{APEX_OFFENCE_LINK, 1, (apex_penalty_kind)APEX_PENALTY_KINDS, 0.0}, "no such"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *said = apex_penalty_step_problem(&rows[i].step);
        ck_assert_msg((said == NULL) == (rows[i].words == NULL), "row %zu: %s", i, said);
        ck_assert_msg(said == NULL || strstr(said, rows[i].words) != NULL, "row %zu: %s", i, said);
    }
}

// What the count-th offence brings by a preset's table.
static const apex_penalty_step *step_of(const apex_rules_def *rules, apex_offence offence,
                                        uint32_t count) {
    const apex_penalty_step *best = NULL;
    for (uint32_t i = 0; i < rules->penalties.step_count; i++) {
        const apex_penalty_step *step = &rules->penalties.steps[i];
        if (step->offence == offence && step->count <= count &&
            (best == NULL || step->count > best->count)) {
            best = step;
        }
    }
    return best;
}

static void expect_step(const apex_rules_def *rules, apex_offence offence, uint32_t count,
                        apex_penalty_kind kind, double amount) {
    const apex_penalty_step *step = step_of(rules, offence, count);
    ck_assert_msg(step != NULL && step->kind == kind, "%s, %u", apex_offence_name(offence), count);
    ck_assert_double_eq(step->amount, amount);
}

TEST(a_league_gives_what_leagues_give) {
    apex_rules_def rules = apex_preset_rules(APEX_RULES_LEAGUE);
    expect_step(&rules, APEX_OFFENCE_TRACK_LIMITS, 3, APEX_PENALTY_WARNING, 0.0);
    expect_step(&rules, APEX_OFFENCE_TRACK_LIMITS, 4, APEX_PENALTY_TIME, 5.0);
    expect_step(&rules, APEX_OFFENCE_TRACK_LIMITS, 5, APEX_PENALTY_TIME, 10.0);
    expect_step(&rules, APEX_OFFENCE_JUMP_START, 1, APEX_PENALTY_DRIVE_THROUGH, 0.0);
    expect_step(&rules, APEX_OFFENCE_PIT_SPEED, 1, APEX_PENALTY_TIME, 5.0);
    expect_step(&rules, APEX_OFFENCE_PIT_SPEED, 2, APEX_PENALTY_DRIVE_THROUGH, 0.0);
    expect_step(&rules, APEX_OFFENCE_UNSAFE_RELEASE, 1, APEX_PENALTY_STOP_AND_HOLD, 10.0);
    ck_assert_ptr_null(step_of(&rules, APEX_OFFENCE_STEWARDS, 9));
    ck_assert_double_eq(rules.penalties.drive_through_s, 20.0); // and 30 of a hold of 10
    ck_assert_uint_eq(rules.penalties.serve_within_laps, 2);
    ck_assert_double_eq(rules.blue.shown_s, 1.2);
    ck_assert_double_eq(rules.pits.tolerance_mps * 3.6, 1.0);
    ck_assert_double_eq(rules.classified_share, 0.9);
    ck_assert(!rules.limits.lenient && rules.fault.on && rules.fault.share == 70);
}

TEST(a_club_stops_nobody) {
    apex_rules_def rules = apex_preset_rules(APEX_RULES_CLUB);
    for (uint32_t i = 0; i < rules.penalties.step_count; i++) {
        ck_assert_uint_le(rules.penalties.steps[i].kind, APEX_PENALTY_TIME);
    }
    ck_assert(rules.limits.on && rules.limits.lenient && rules.courtesy.lapped);
}

TEST(presets_pass_their_check) {
    for (uint32_t i = 0; i < APEX_RULES_PRESETS; i++) {
        def.rules = apex_preset_rules((apex_rules_preset)i);
        ck_assert_uint_eq(def.rules.preset, i);
        expect_good(__LINE__);
    }
}

// An event of before is none of these.
TEST(a_weekend_begins_with_sessions_judges_or_entries) {
    def = apex_default_weekend_def();
    ck_assert(!apex_weekend_is_set(&def));
    expect_good(__LINE__);
    ck_assert(!apex_weekend_is_set(&(apex_weekend_def){0}));
    apex_weekend_def usual = def;
    bool *const flags[] = {
        &def.rules.limits.on,    &def.rules.start.on,       &def.rules.pits.on,
        &def.rules.direction.on, &def.rules.blocking.on,    &def.rules.blue.on,
        &def.rules.yellow.on,    &def.rules.full_course.on, &def.rules.incidents.on,
        &def.rules.fault.on,     &def.rules.courtesy.lapped};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        *flags[i] = true;
        ck_assert_msg(apex_weekend_is_set(&def), "flag %zu", i);
        def = usual;
    }
    uint32_t *const counts[] = {&def.session_count, &def.entries.count, &def.entries.class_count,
                                &def.entries.success_count};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        *counts[i] = 1;
        ck_assert_msg(apex_weekend_is_set(&def), "count %zu", i);
        def = usual;
    }
    def.rules.courtesy.joined_s = 1.0;
    ck_assert(apex_weekend_is_set(&def));
}

TEST(what_has_no_name_is_unknown) {
    ck_assert_str_eq(apex_session_kind_name(APEX_SESSION_WARM_UP), "warm-up");
    ck_assert_str_eq(apex_session_kind_name((apex_session_kind)4), "unknown");
    ck_assert_str_eq(apex_order_by_name(APEX_BY_LOT), "lot");
    ck_assert_str_eq(apex_rules_preset_name(APEX_RULES_CLUB), "club");
    ck_assert_str_eq(apex_pit_phase_name(APEX_PIT_STOPPED), "stopped");
    ck_assert_str_eq(apex_race_flag_name(APEX_FLAG_ENDING), "ending");
    ck_assert_str_eq(apex_offence_name(APEX_OFFENCE_STEWARDS), "stewards");
    ck_assert_str_eq(apex_offence_name((apex_offence)APEX_OFFENCES), "unknown");
    ck_assert_str_eq(apex_penalty_kind_name(APEX_PENALTY_DISQUALIFIED), "disqualified");
    ck_assert_str_eq(apex_penalty_state_name(APEX_PENALTY_CONVERTED), "converted");
    ck_assert_str_eq(apex_result_status_name(APEX_RESULT_NOT_STARTED), "not-started");
}
