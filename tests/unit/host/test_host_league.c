// Weekends of the shipped rules, driven by the server's drivers from the words of a race file to
// the last result.
#include "base/jobs.h"
#include "host/host.h"
#include "support/base/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 24, TICKS_MAX = 60 * 60 * 60 };

typedef struct weekend {
    apex_server_def def;
    apex_race *race;
    apex_track *track;
    uint32_t offences, results;
    uint32_t grid[SLOTS], place[SLOTS]; // by slot, of the newest result
} weekend;

static weekend of;

static void begin(const char *text, uint32_t bots) {
    static apex_race_file file;
    apex_content_problem problem;
    char why[APEX_HOST_WHY_BYTES] = "";
    of = (weekend){0};
    ck_assert_msg(apex_content_parse_race(text, strlen(text), "weekend", &file, &problem) ==
                      APEX_OK,
                  "%s", problem.text);
    file.race.world.seed = 7;
    ck_assert_msg(apex_server_def_load(&file, NULL, &of.def, why) == APEX_OK, "%s", why);
    ck_assert_int_eq(apex_track_create(&of.def.track, &of.track, NULL), APEX_OK);
    ck_assert_int_eq(
        apex_race_create(&of.def.file.race, of.track, of.def.cars, of.def.car_count, &of.race),
        APEX_OK);
    for (uint32_t i = 0; i < bots; i++) {
        apex_race_command join = {.kind = APEX_RACE_JOIN, .car = i % of.def.car_count};
        snprintf(join.name, sizeof join.name, "Bot %u", i + 1);
        ck_assert(apex_race_reserve(of.race, &join.player));
        ck_assert_int_eq(apex_race_apply(of.race, &join), APEX_OK);
        apex_race_command wheel = {.kind = APEX_RACE_TAKEOVER,
                                   .player = join.player,
                                   .skill = 0.98 - 0.004 * i,
                                   .lane_m = 0.3 * (i % 3) - 0.3};
        ck_assert_int_eq(apex_race_apply(of.race, &wheel), APEX_OK);
    }
}

static void end(void) {
    apex_race_destroy(of.race);
    apex_track_destroy(of.track);
    apex_track_def_free(&of.def.track);
}

static void note_events(void) {
    size_t count = 0;
    const apex_race_event *events = apex_race_events(of.race, &count);
    for (size_t i = 0; i < count; i++) {
        of.offences += events[i].kind == APEX_EVENT_OFFENCE;
    }
}

static void note_result(void) {
    apex_standing lines[2 * SLOTS];
    size_t classified = 0;
    size_t count = apex_race_results(of.race, lines, 2 * SLOTS, &classified);
    for (size_t i = 0; i < count; i++) {
        of.grid[lines[i].player.index1 - 1] = lines[i].grid;
        of.place[lines[i].player.index1 - 1] = lines[i].position;
    }
    of.results++;
}

static void tick(apex_jobs *jobs) {
    static const apex_controls NOBODYS[SLOTS];
    apex_race_phase before = apex_race_phase_of(of.race);
    apex_race_tick(of.race, NOBODYS, jobs);
    note_events();
    if (before != APEX_PHASE_RESULTS && apex_race_phase_of(of.race) == APEX_PHASE_RESULTS) {
        note_result();
    }
}

// Until the result of a session stands.
static void drive_to_result(uint32_t results, apex_jobs *jobs) {
    for (uint32_t i = 0; i < TICKS_MAX && of.results < results; i++) {
        tick(jobs);
    }
    ck_assert_uint_eq(of.results, results);
}

static apex_race_conduct conduct_of(uint32_t slot) {
    apex_race_conduct conduct;
    ck_assert(apex_race_conduct_of(of.race, (apex_player_id){(uint16_t)(slot + 1), 1}, &conduct));
    return conduct;
}

enum { BOTS = 20 };

static const char LEAGUE_NIGHT[] =
    "kind: race\n"
    "name: League night\n"
    "track: ridgeway\n"
    "cars: [corvette-c5, boxster-s]\n"
    "player_capacity: 24\n"
    "start_players: 20\n"
    "countdown_s: 3\n"
    "races: 1\n"
    "rules: league\n"
    "sessions:\n"
    "  - {type: qualifying, minutes: 4, results_s: 5}\n"
    "  - {type: race, name: Sprint, laps: 2, results_s: 5,\n"
    "     points: [10, 8, 6]}\n"
    "  - {type: race, name: Feature, laps: 4, results_s: 5, finish_wait_s: 180,\n"
    "     stops: 1, grid: {from: Sprint, reverse: 8}}\n";

// The grid of a session made of the places before it: turned round up to `reversed`.
static void expect_grid(const uint32_t before[], uint32_t reversed) {
    for (uint32_t slot = 0; slot < BOTS; slot++) {
        uint32_t wanted = before[slot] <= reversed ? reversed + 1 - before[slot] : before[slot];
        ck_assert_uint_eq(of.grid[slot], wanted);
    }
}

static uint64_t hash_after_night(apex_jobs *jobs) {
    uint32_t before[SLOTS];
    begin(LEAGUE_NIGHT, BOTS);
    drive_to_result(1, jobs);
    memcpy(before, of.place, sizeof before);
    drive_to_result(2, jobs);
    expect_grid(before, 0);
    for (uint32_t slot = 0; slot < BOTS; slot++) {
        static const uint32_t POINTS[] = {10, 8, 6};
        uint32_t place = of.place[slot];
        ck_assert_uint_eq(conduct_of(slot).points, place <= 3 ? 60 * POINTS[place - 1] : 0);
    }
    memcpy(before, of.place, sizeof before);
    drive_to_result(3, jobs);
    expect_grid(before, 8);
    for (uint32_t slot = 0; slot < BOTS; slot++) {
        apex_race_conduct conduct = conduct_of(slot);
        ck_assert_int_eq(conduct.status, APEX_RESULT_CLASSIFIED);
        ck_assert_uint_ge(conduct.pit.stops_counted, 1);
        ck_assert_uint_eq(conduct.penalty_count, 0);
    }
    ck_assert_uint_eq(of.offences, 0); // a bot breaks no rule that it can know
    uint64_t hash = apex_race_hash(of.race);
    end();
    return hash;
}

TEST(twenty_drivers_of_the_servers_run_a_league_night) {
    uint64_t alone = hash_after_night(NULL);
    apex_jobs *jobs = apex_jobs_create(2);
    ck_assert_ptr_nonnull(jobs);
    ck_assert_uint_eq(hash_after_night(jobs), alone);
    apex_jobs_destroy(jobs);
}

static const char RACE[] = "kind: race\n"
                           "name: A race\n"
                           "track: ridgeway\n"
                           "cars: [corvette-c5]\n"
                           "player_capacity: 24\n"
                           "start_players: 4\n"
                           "countdown_s: 3\n"
                           "races: 1\n"
                           "rules: league\n"
                           "sessions:\n"
                           "  - {type: race, laps: 6, results_s: 20}\n";

static apex_err order(uint32_t slot, apex_penalty penalty) {
    apex_race_command command = {
        .kind = APEX_RACE_PENALISE, .player = {(uint16_t)(slot + 1), 1}, .penalty = penalty};
    command.penalty.offence = APEX_OFFENCE_STEWARDS;
    return apex_race_apply(of.race, &command);
}

static void drive_to_lap(uint32_t laps) {
    for (uint32_t i = 0; i < TICKS_MAX && apex_race_session_of(of.race).lead_laps < laps; i++) {
        tick(NULL);
    }
}

// One drives through the lane, one stands in his box, one never stops, and one is shown black.
TEST(what_stewards_order_is_served_or_counts) {
    begin(RACE, 4);
    drive_to_lap(1);
    ck_assert_int_eq(order(0, (apex_penalty){.kind = APEX_PENALTY_DRIVE_THROUGH}), APEX_OK);
    ck_assert_int_eq(order(1, (apex_penalty){.kind = APEX_PENALTY_STOP_AND_HOLD, .amount = 10.0}),
                     APEX_OK);
    ck_assert_int_eq(order(2, (apex_penalty){.kind = APEX_PENALTY_TIME, .amount = 5.0}), APEX_OK);
    ck_assert_int_eq(order(3, (apex_penalty){.kind = APEX_PENALTY_DISQUALIFIED}), APEX_OK);
    ck_assert_int_eq(order(4, (apex_penalty){.kind = APEX_PENALTY_DISQUALIFIED}),
                     APEX_ERR_NOT_FOUND);
    ck_assert_int_eq(order(2, (apex_penalty){.kind = APEX_PENALTY_TIME, .amount = -5.0}),
                     APEX_ERR_RANGE);
    drive_to_result(1, NULL);
    apex_race_conduct through = conduct_of(0), hold = conduct_of(1), time = conduct_of(2);
    ck_assert_int_eq(through.penalties[0].state, APEX_PENALTY_SERVED);
    ck_assert_uint_eq(through.penalty_us, 0);
    ck_assert_uint_eq(through.pit.stops, 0);
    ck_assert_int_eq(hold.penalties[0].state, APEX_PENALTY_SERVED);
    ck_assert_uint_eq(hold.penalty_us, 0);
    ck_assert_uint_ge(hold.pit.lane_us, 30 * 1000000); // it takes 20.5 s, and he stood
    ck_assert_uint_lt(hold.pit.lane_us, 45 * 1000000); // no longer than he had to
    ck_assert_int_eq(time.penalties[0].state, APEX_PENALTY_CONVERTED);
    ck_assert_uint_eq(time.penalty_us, 5 * 1000000);
    ck_assert_int_eq(conduct_of(3).status, APEX_RESULT_DISQUALIFIED);
    ck_assert_uint_eq(of.place[3], 4);
    end();
}

// What is given after the flag is right in the results, and so is what is taken back.
TEST(results_follow_what_stewards_say_after_the_flag) {
    begin(RACE, 4);
    drive_to_result(1, NULL);
    uint32_t first = 0;
    while (of.place[first] != 1) {
        first++;
    }
    ck_assert_int_eq(order(first, (apex_penalty){.kind = APEX_PENALTY_TIME, .amount = 200.0}),
                     APEX_OK);
    note_result();
    ck_assert_uint_eq(of.place[first], 4);
    ck_assert_uint_eq(conduct_of(first).penalty_us, 200 * 1000000);
    apex_race_command pardon = {.kind = APEX_RACE_PARDON,
                                .player = {(uint16_t)(first + 1), 1},
                                .penalty.number = conduct_of(first).penalties[0].number};
    ck_assert_int_eq(apex_race_apply(of.race, &pardon), APEX_OK);
    note_result();
    ck_assert_uint_eq(of.place[first], 1);
    ck_assert_int_eq(apex_race_apply(of.race, &pardon), APEX_ERR_STATE);
    pardon.penalty.number = 99;
    ck_assert_int_eq(apex_race_apply(of.race, &pardon), APEX_ERR_NOT_FOUND);
    end();
}

// A race that was saved anywhere in a weekend goes on as it would have.
TEST(a_saved_weekend_goes_on_as_it_would_have) {
    begin(RACE, 4);
    drive_to_lap(1);
    ck_assert_int_eq(order(1, (apex_penalty){.kind = APEX_PENALTY_STOP_AND_HOLD, .amount = 10.0}),
                     APEX_OK);
    size_t length = apex_race_save_bytes(of.race);
    uint8_t *saved = malloc(length);
    ck_assert_ptr_nonnull(saved);
    bool in_box = false;
    for (uint32_t i = 0; i < TICKS_MAX && !in_box; i++) {
        tick(NULL);
        in_box = conduct_of(1).pit.phase == APEX_PIT_STOPPED;
    }
    ck_assert(in_box);
    apex_race_save(of.race, saved);
    for (uint32_t i = 0; i < 1800; i++) {
        tick(NULL);
    }
    uint64_t hash = apex_race_hash(of.race);
    ck_assert_int_eq(apex_race_restore(of.race, saved, length), APEX_OK);
    for (uint32_t i = 0; i < 1800; i++) {
        tick(NULL);
    }
    ck_assert_uint_eq(apex_race_hash(of.race), hash);
    ck_assert_int_eq(conduct_of(1).penalties[0].state, APEX_PENALTY_SERVED);
    free(saved);
    end();
}
