// A race weekend in a race file: what each word comes to, and where a wrong one is told.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "content/content.h"
#include "support/base/check_main.h"

static apex_race_file file;
static apex_content_problem problem;

static apex_err parse(const char *text) {
    return apex_content_parse_race(text, strlen(text), "f.yaml", &file, &problem);
}

static void read_good(const char *text) {
    apex_err err = parse(text);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
}

TEST(a_file_without_a_weekend_has_none) {
    read_good("kind: race\n");
    ck_assert(!apex_weekend_is_set(&file.race.weekend));
    read_good("kind: race\nrules: free\nsessions: []\nentries: []\npits: {base_s: 3}\n");
    ck_assert(!apex_weekend_is_set(&file.race.weekend));
    ck_assert_double_eq(file.race.weekend.pits.base_s, 3.0);
}

TEST(every_word_of_a_session_arrives) {
    read_good("kind: race\n"
              "classes: [GT, Cup]\n"
              "pits: {compounds: [{name: soft}, {name: hard}]}\n"
              "sessions:\n"
              "  - {type: practice, seconds: 90, overtime_s: 30, takes_rest: false}\n"
              "  - {type: warm-up, name: Morning}\n"
              "  - type: race\n"
              "    laps: 12\n"
              "    minutes: 30\n"
              "    extra_lap: true\n"
              "    finish_wait_s: 70\n"
              "    results_s: 15\n"
              "    start: rolling\n"
              "    rolling_kmph: 90\n"
              "    stops: 2\n"
              "    window_min: [10, 20.5]\n"
              "    tyres: [hard]\n"
              "    points: [25, 18]\n"
              "    best_lap_points: 1\n"
              "    grid:\n"
              "      - {from: Morning, by: best-lap, places: 1-10, reverse: 8, class: Cup}\n"
              "      - {by: points, places: 11-}\n"
              "      - {from: 1, places: 3, reverse: all}\n");
    const apex_weekend_def *weekend = &file.race.weekend;
    ck_assert_uint_eq(weekend->session_count, 3);
    const apex_session_def *practice = &weekend->sessions[0], *race = &weekend->sessions[2];
    ck_assert_str_eq(practice->name, "Practice");
    ck_assert_double_eq(practice->duration_s, 90.0);
    ck_assert_double_eq(practice->overtime_s, 30.0);
    ck_assert(!practice->takes_rest && race->takes_rest);
    ck_assert_str_eq(weekend->sessions[1].name, "Morning");
    ck_assert_double_eq(weekend->sessions[1].duration_s, 600.0);
    ck_assert_int_eq(race->kind, APEX_SESSION_RACE);
    ck_assert_uint_eq(race->laps, 12);
    ck_assert_double_eq(race->duration_s, 1800.0);
    ck_assert(race->extra_lap && race->start == APEX_START_ROLLING);
    ck_assert_double_eq(race->finish_wait_s, 70.0);
    ck_assert_double_eq(race->results_s, 15.0);
    ck_assert_double_eq(race->rolling_mps, 25.0);
    ck_assert_uint_eq(race->stops_min, 2);
    ck_assert_double_eq(race->window_from_s, 600.0);
    ck_assert_double_eq(race->window_to_s, 1230.0);
    ck_assert_uint_eq(race->compounds, 2);
    ck_assert_uint_eq(race->points_count, 2);
    ck_assert_uint_eq(race->points[1], 18);
    ck_assert_uint_eq(race->best_lap_points, 1);
    static const apex_session_feed feeds[] = {
        {1, APEX_BY_BEST_LAP, 1, 10, 8, 2},
        {APEX_SESSION_NONE, APEX_BY_POINTS, 11, 0, 0, 0},
        {0, APEX_BY_RESULT, 3, 3, APEX_REVERSE_ALL, 0},
    };
    ck_assert_uint_eq(race->feed_count, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_msg(memcmp(&race->feeds[i], &feeds[i], sizeof feeds[i]) == 0, "feed %zu", i);
    }
}

// One feed may stand by itself, and takes from the session just before unless it says from which.
TEST(a_short_grid_is_of_the_session_before) {
    read_good("kind: race\n"
              "sessions:\n"
              "  - {type: race, laps: 3}\n"
              "  - {type: race, laps: 4, points: f1}\n"
              "  - {type: race, laps: 5, points: sprint, grid: {reverse: 6}}\n");
    const apex_session_def *sessions = file.race.weekend.sessions;
    ck_assert_uint_eq(sessions[1].feed_count, 0);
    ck_assert_uint_eq(sessions[2].feed_count, 1);
    ck_assert_uint_eq(sessions[2].feeds[0].session, 1);
    ck_assert_int_eq(sessions[2].feeds[0].by, APEX_BY_RESULT);
    ck_assert_uint_eq(sessions[2].feeds[0].from, 1);
    ck_assert_uint_eq(sessions[2].feeds[0].to, 0);
    ck_assert_uint_eq(sessions[2].feeds[0].reversed, 6);
    ck_assert_str_eq(sessions[0].name, "Race");
    ck_assert_str_eq(sessions[2].name, "Race 3");
    ck_assert_uint_eq(sessions[1].points_count, 10);
    ck_assert_uint_eq(sessions[1].points[0], 25);
    ck_assert_uint_eq(sessions[2].points_count, 8);
    ck_assert_uint_eq(sessions[2].points[7], 1);
}

static uint32_t rows_of(apex_offence offence) {
    const apex_penalty_def *def = &file.race.weekend.rules.penalties;
    uint32_t count = 0;
    for (uint32_t i = 0; i < def->step_count; i++) {
        count += def->steps[i].offence == offence;
    }
    return count;
}

TEST(rules_are_a_preset_and_what_differs) {
    apex_rules_def league = apex_preset_rules(APEX_RULES_LEAGUE);
    read_good("kind: race\nrules: league\n");
    const apex_rules_def *rules = &file.race.weekend.rules;
    ck_assert_mem_eq(rules, &league, sizeof league);
    read_good("kind: race\n"
              "rules:\n"
              "  blue_flags: off\n"
              "  track_limits: {carry_m: 80}\n"
              "  jump_start: {on: false, move_m: 0.5}\n"
              "  full_course: {limit_kmph: 60}\n"
              "  serving: {serve_within_laps: 4}\n"
              "  preset: league\n" // wherever it stands
              "  penalties:\n"
              "    - {offence: track-limits, count: 6, give: time, amount: 7.5}\n"
              "    - {offence: idle, give: disqualified}\n"
              "  classified_share: 0.5\n");
    ck_assert(!rules->blue.on && rules->limits.on && !rules->start.on && rules->yellow.on);
    ck_assert_double_eq(rules->blue.ignored_s, league.blue.ignored_s);
    ck_assert_double_eq(rules->limits.carry_m, 80.0);
    ck_assert_double_eq(rules->full_course.limit_mps, 60.0 / 3.6);
    ck_assert_double_eq(rules->full_course.auto_s, league.full_course.auto_s);
    ck_assert_uint_eq(rules->penalties.serve_within_laps, 4);
    ck_assert_double_eq(rules->classified_share, 0.5);
    ck_assert_uint_eq(rows_of(APEX_OFFENCE_TRACK_LIMITS), 1); // of three
    ck_assert_uint_eq(rows_of(APEX_OFFENCE_IDLE), 1);
    ck_assert_uint_eq(rows_of(APEX_OFFENCE_WRONG_WAY), 3);
    ck_assert_uint_eq(rules->penalties.step_count, league.penalties.step_count - 3 + 2);
    ck_assert_double_eq(rules->penalties.steps[0].amount, 7.5);
}

// Its numbers alone turn a judge on, even of a preset that has it off.
TEST(a_map_of_numbers_turns_a_judge_on) {
    read_good("kind: race\nrules: {preset: free, wrong_way: {wrong_s: 3}, yellow_flags: on}\n");
    const apex_rules_def *rules = &file.race.weekend.rules;
    ck_assert(rules->direction.on && rules->yellow.on && !rules->blue.on);
    ck_assert_double_eq(rules->yellow.stretch_m, 200.0);
}

TEST(every_word_of_an_entry_arrives) {
    read_good("kind: race\n"
              "cars: [boxster-s, corvette-c5]\n"
              "classes: [{name: GT, cars: [corvette-c5]}, {name: Open, cars: []}]\n"
              "only_listed: true\n"
              "success_kg: [30, 20.5]\n"
              "entries:\n"
              "  - {name: Ada, key: abc, number: 7, team: Blue, car: corvette-c5, class: Open,\n"
              "     ballast_kg: 20.5, restrictor: 0.05, grid: 3}\n"
              "  - {key: def}\n");
    const apex_entry_list_def *entries = &file.race.weekend.entries;
    ck_assert(entries->only_listed);
    ck_assert_uint_eq(entries->class_count, 2);
    ck_assert_str_eq(entries->classes[0].name, "GT");
    ck_assert_uint_eq(entries->classes[0].cars, 2);
    ck_assert_uint_eq(entries->classes[1].cars, 0);
    ck_assert_uint_eq(entries->count, 2);
    const apex_race_entry_def *ada = &entries->all[0];
    ck_assert_str_eq(ada->name, "Ada");
    ck_assert_str_eq(ada->key, "abc");
    ck_assert_str_eq(ada->team, "Blue");
    ck_assert_uint_eq(ada->number, 7);
    ck_assert_uint_eq(ada->car1, 2);
    ck_assert_uint_eq(ada->class1, 2);
    ck_assert_double_eq(ada->ballast_kg, 20.5);
    ck_assert_double_eq(ada->restrictor, 0.05);
    ck_assert_uint_eq(ada->grid, 3);
    ck_assert_uint_eq(entries->all[1].car1, 0);
    ck_assert_uint_eq(entries->success_count, 2);
    ck_assert_double_eq(entries->success_kg[1], 20.5);
}

#define SESSIONS "kind: race\nsessions:\n"

static const struct {
    const char *text, *told;
} bad[] = {
    // No session ends.
    {SESSIONS "  - {type: qualifying}\n  - {type: race, extra_lap: false}\n",
     "f.yaml:4:5: sessions[1].laps: it never ends: give laps, minutes or both"},
    {SESSIONS "  - {type: practice, minutes: 0}\n",
     "f.yaml:3:31: sessions[0].minutes: it never ends: give minutes above 0"},
    {SESSIONS "  - {type: practice, laps: 3}\n",
     "f.yaml:3:28: sessions[0].laps: only a race ends by laps; give minutes"},
    // A grid from a session that comes later, or is this one, or none.
    {SESSIONS "  - {type: race, laps: 3, grid: {from: Final}}\n"
              "  - {type: race, name: Final, laps: 3}\n",
     "f.yaml:3:40: sessions[0].grid.from: expected a session before this one, but 'Final' does"},
    {SESSIONS "  - {type: race, laps: 3}\n  - {type: race, laps: 3, grid: [{from: 2}]}\n",
     "f.yaml:4:41: sessions[1].grid[0].from: expected a session before this one, but '2' does"},
    {SESSIONS "  - {type: race, laps: 3}\n  - {type: race, laps: 3, grid: [{from: 3}]}\n",
     "f.yaml:4:41: sessions[1].grid[0].from: expected the name or number of an earlier session; "
     "'3' is none"},
    {SESSIONS "  - {type: race, laps: 3, grid: {reverse: 3}}\n",
     "f.yaml:3:33: sessions[0].grid.from: there is no session before this one: expected by: "},
    {SESSIONS "  - {type: race, laps: 3}\n  - {type: race, laps: 3, grid: {from: 1, by: lot}}\n",
     "f.yaml:4:40: sessions[1].grid[0].from: this order is not of a session"},
    // A window outside the race.
    {SESSIONS "  - {type: race, minutes: 20, stops: 1, window_min: [10, 20.5]}\n",
     "f.yaml:3:53: sessions[0].window_min: it lies outside the race"},
    {SESSIONS "  - {type: race, minutes: 20, stops: 1, window_min: [10]}\n",
     "f.yaml:3:53: sessions[0].window_min: the list has 1 items instead of 2"},
    // An unknown compound.
    {"kind: race\npits: {compounds: [{name: soft}]}\nsessions:\n"
     "  - {type: race, laps: 3, tyres: [soft, wet]}\n",
     "f.yaml:4:41: sessions[0].tyres[1]: unknown compound 'wet': expected one of pits.compounds"},
    // Two entries with one number.
    {"kind: race\nentries:\n  - {name: Ada, number: 7}\n  - {name: Bob, number: 7}\n",
     "f.yaml:4:25: entries[1].number: entries[0] has this number already"},
    {"kind: race\nentries: [{name: Ada, car: tank}]\n",
     "f.yaml:2:28: entries[0].car: 'tank' is none of this file's cars"},
    {"kind: race\nentries: [{name: Ada, class: GT}]\n",
     "f.yaml:2:30: entries[0].class: 'GT' is none of this file's classes"},
    {"kind: race\nclasses: [GT, {name: Cup, cars: [tank]}]\n",
     "f.yaml:2:34: classes[1].cars[0]: 'tank' is none of this file's cars"},
    // Reversed more than there are.
    {SESSIONS "  - {type: race, laps: 3}\n"
              "  - {type: race, laps: 3, grid: {places: 1-8, reverse: 9}}\n",
     "f.yaml:4:56: sessions[1].grid[0].reverse: more are reversed than there are places"},
    {"kind: race\nplayer_capacity: 8\nsessions:\n  - {type: race, laps: 3}\n"
     "  - {type: race, laps: 3, grid: [{reverse: 9}]}\n",
     "f.yaml:5:44: sessions[1].grid[0].reverse: more than player_capacity has room for"},
    {SESSIONS "  - {type: race, laps: 3}\n  - {type: race, laps: 3, grid: {places: 8-1}}\n",
     "f.yaml:4:42: sessions[1].grid.places: expected places as 3, 1-10 or 11-, found '8-1'"},
    {SESSIONS "  - {type: race, laps: 3}\n  - {type: race, laps: 3, grid: {places: 0}}\n",
     "f.yaml:4:42: sessions[1].grid.places: expected places as"},
    {SESSIONS "  - {type: race, laps: 3}\n  - {type: race, laps: 3, grid: {reverse: some}}\n",
     "f.yaml:4:43: sessions[1].grid.reverse: expected a number of places, or all, found 'some'"},
    {SESSIONS "  - {type: race, laps: 3}\n  - {type: race, laps: 3, grid: {class: GT}}\n",
     "f.yaml:4:41: sessions[1].grid.class: 'GT' is none of this file's classes"},
    {SESSIONS "  - {type: heat, laps: 3}\n",
     "f.yaml:3:12: sessions[0].type: expected practice, qualifying, warm-up or race, found 'heat'"},
    {SESSIONS "  - {laps: 3}\n", "f.yaml:3:5: sessions[0].type: missing (practice, qualifying"},
    {SESSIONS "  - {type: race, minutes: 1, seconds: 60}\n",
     "f.yaml:3:39: sessions[0].seconds: there are minutes already: keep one of the two"},
    {SESSIONS "  - {type: race, laps: 3, points: nascar}\n",
     "f.yaml:3:35: sessions[0].points: expected a list of points, f1 or sprint, found 'nascar'"},
    {SESSIONS "  - {type: race, laps: 3, points: [1001]}\n",
     "f.yaml:3:36: sessions[0].points[0]: 1001 is outside 0..1000"},
    {SESSIONS "  - {type: race, laps: 3, start: rolling, rolling_kmph: 35}\n",
     "f.yaml:3:57: sessions[0].rolling_kmph: 35 is outside 36..216"},
    // Rules.
    {"kind: race\nrules: strict\n",
     "f.yaml:2:8: rules: expected free, club or league, found 'strict'"},
    {"kind: race\nrules: {preset: strict}\n", "f.yaml:2:17: rules.preset: expected free, club"},
    {"kind: race\nrules: {blue_flags: maybe}\n",
     "f.yaml:2:21: rules.blue_flags: expected on, off or a map (key: value), found 'maybe'"},
    {"kind: race\nrules: {yellow_flags: {stretch_m: 99}}\n",
     "f.yaml:2:35: rules.yellow_flags.stretch_m: 99 is outside 100..300"},
    {"kind: race\nrules: {penalties: [{offence: speeding, give: time}]}\n",
     "f.yaml:2:31: rules.penalties[0].offence: expected track-limits, jump-start"},
    {"kind: race\nrules: {penalties: [{offence: link, give: time}]}\n",
     "f.yaml:2:21: rules.penalties[0]: the amount, in seconds, is missing"},
    {"kind: race\nrules:\n  penalties:\n    - {offence: link, give: warning}\n"
     "    - {offence: link, count: 1, give: disqualified}\n",
     "f.yaml:5:7: rules.penalties[1]: link has a row of count 1 already"},
    {"kind: race\nrules: {penalties: [{offence: not-served, give: warning}]}\n",
     "f.yaml:2:21: rules.penalties[0]: what follows is not up to a row: see rules.serving"},
    {"kind: race\nonly_listed: true\n", "f.yaml:2:14: only_listed: nobody is listed"},
};

TEST(a_wrong_word_is_told_where_it_stands) {
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(parse(bad[i].text) != APEX_OK, "%s", bad[i].text);
        ck_assert_msg(strncmp(problem.text, bad[i].told, strlen(bad[i].told)) == 0, "%s\nsays %s",
                      bad[i].text, problem.text);
    }
}

// `apex-server check` says the same of a file.
TEST(the_check_says_the_same) {
    static apex_content_problems problems;
    char folder[CHECK_PATH_BYTES];
    check_make_folder(folder, "weekend");
    ck_assert_int_eq(chdir(folder), 0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        FILE *out = fopen("f.yaml", "w");
        ck_assert_ptr_nonnull(out);
        fputs(bad[i].text, out);
        ck_assert_int_eq(fclose(out), 0);
        ck_assert_int_ne(apex_content_check("f.yaml", NULL, &problems), APEX_OK);
        ck_assert_msg(problems.count == 1, "%s\nhas %u", bad[i].text, problems.count);
        ck_assert_msg(strncmp(problems.at[0].text, bad[i].told, strlen(bad[i].told)) == 0,
                      "%s\nsays %s", bad[i].text, problems.at[0].text);
    }
}

// Of a track without a lap or without pits.
TEST(a_session_asks_only_for_what_its_track_has) {
    static const struct {
        const char *session, *told;
        bool has_lap, has_pits;
    } cases[] = {
        {"laps: 3", "sessions[0].laps: here is a terrain", false, true},
        {"laps: 3", NULL, true, true},
        {"minutes: 3, extra_lap: true", "sessions[0].extra_lap: here is a terrain", false, true},
        {"minutes: 3", NULL, false, false},
        {"minutes: 3, start: rolling", "sessions[0].start: here is a terrain", false, true},
        {"minutes: 3, stops: 1", "sessions[0].stops: here has no pit lane", true, false},
        {"minutes: 3, stops: 1", NULL, true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[160];
        snprintf(text, sizeof text, SESSIONS "  - {type: race, %s}\n", cases[i].session);
        apex_track_def track = {.name = "here",
                                .point_count = cases[i].has_lap ? 100 : 0,
                                .pit_lane.given = cases[i].has_pits};
        read_good(text);
        apex_err err = apex_race_file_fit(&file, &track, &problem);
        ck_assert_msg((err == APEX_OK) == (cases[i].told == NULL), "case %zu", i);
        ck_assert_msg(err == APEX_OK ||
                          strncmp(problem.text, cases[i].told, strlen(cases[i].told)) == 0,
                      "case %zu: %s", i, problem.text);
    }
}

TEST(the_check_finds_the_line_that_does_not_fit_its_track) {
    static apex_content_problems problems;
    char folder[CHECK_PATH_BYTES];
    check_make_folder(folder, "fit");
    ck_assert_int_eq(chdir(folder), 0);
    FILE *out = fopen("f.yaml", "w");
    ck_assert_ptr_nonnull(out);
    fputs("kind: race\ntrack: oval\nsessions:\n  - {type: race, laps: 3, stops: 1}\n", out);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_int_eq(apex_content_check("f.yaml", NULL, &problems), APEX_ERR_RANGE);
    ck_assert_str_eq(problems.at[0].text, "f.yaml:4:34: sessions[0].stops: oval has no pit lane");
}

// The words of a file are those that the server writes.
TEST(a_file_says_what_the_server_writes) {
    for (uint32_t i = 0; i < APEX_OFFENCES; i++) {
        for (uint32_t kind = 0; kind < APEX_PENALTY_KINDS && i != APEX_OFFENCE_NOT_SERVED; kind++) {
            bool has_amount = kind == APEX_PENALTY_TIME || kind == APEX_PENALTY_STOP_AND_HOLD ||
                              kind == APEX_PENALTY_GRID_DROP;
            char text[160];
            snprintf(text, sizeof text,
                     "kind: race\nrules: {penalties: [{offence: %s, give: %s, amount: %d}]}\n",
                     apex_offence_name((apex_offence)i),
                     apex_penalty_kind_name((apex_penalty_kind)kind), has_amount ? 3 : 0);
            read_good(text);
            ck_assert_uint_eq(file.race.weekend.rules.penalties.steps[0].offence, i);
            ck_assert_uint_eq(file.race.weekend.rules.penalties.steps[0].kind, kind);
        }
    }
    for (uint32_t i = 0; i < APEX_ORDERS_BY; i++) {
        char text[160];
        snprintf(text, sizeof text,
                 SESSIONS "  - {type: race, laps: 1}\n  - {type: %s, minutes: 1, grid: {by: %s}}\n",
                 apex_session_kind_name((apex_session_kind)(i % APEX_SESSION_KINDS)),
                 apex_order_by_name((apex_order_by)i));
        read_good(text);
        ck_assert_uint_eq(file.race.weekend.sessions[1].kind, i % APEX_SESSION_KINDS);
        ck_assert_uint_eq(file.race.weekend.sessions[1].feeds[0].by, i);
    }
    for (uint32_t i = 0; i < APEX_RULES_PRESETS; i++) {
        char text[80];
        snprintf(text, sizeof text, "kind: race\nrules: %s\n",
                 apex_rules_preset_name((apex_rules_preset)i));
        read_good(text);
        ck_assert_uint_eq(file.race.weekend.rules.preset, i);
    }
}

TEST(a_league_night_is_what_ships) {
    ck_assert_int_eq(apex_content_load_race("league-night", NULL, &file, &problem), APEX_OK);
    const apex_weekend_def *weekend = &file.race.weekend;
    ck_assert_uint_eq(weekend->session_count, 4);
    ck_assert_double_eq(weekend->sessions[0].duration_s, 600.0);
    ck_assert_double_eq(weekend->sessions[1].duration_s, 600.0);
    ck_assert_uint_eq(weekend->sessions[2].feeds[0].session, 1);
    ck_assert_uint_eq(weekend->sessions[3].feeds[0].session, 2);
    ck_assert_uint_eq(weekend->sessions[3].feeds[0].reversed, 8);
    ck_assert_uint_eq(weekend->sessions[3].stops_min, 1);
    ck_assert_uint_eq(weekend->rules.preset, APEX_RULES_LEAGUE);
    ck_assert_int_eq(apex_content_load_race("endurance", NULL, &file, &problem), APEX_OK);
    ck_assert_uint_eq(weekend->entries.class_count, 2);
    ck_assert(weekend->sessions[2].extra_lap && weekend->sessions[2].stops_min == 2);
    ck_assert(file.race.world.fuel_burns && file.race.world.tyres_wear);
    ck_assert_int_eq(apex_content_load_race("time-attack", NULL, &file, &problem), APEX_OK);
    ck_assert(weekend->rules.limits.on && !weekend->rules.limits.lenient);
}
