// Whole races: server and clients in one process, in virtual time.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "support/base/check_main.h"
#include "support/base/heap_count.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, CARS = 12, LAPS = 2 };

static apex_race_file short_race(uint32_t players) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.laps = 1;
    file.race.races = 1;
    file.race.start_players = players;
    file.race.player_capacity = players;
    file.race.countdown_s = 2.0;
    file.race.results_s = 1.0;
    file.clients_max = players + 4;
    return file;
}

static size_t connect_driver(race_rig *rig, size_t number) {
    char name[APEX_WIRE_NAME_BYTES];
    snprintf(name, sizeof name, "driver %zu", number);
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.want_defs = true;
    def.standings = true;
    def.server_stats = true;
    size_t client = race_rig_connect(rig, &def);
    race_rig_pilot(rig, client);
    return client;
}

static race_rig *rig_of(const apex_race_file *file, uint32_t drivers) {
    race_rig *rig = race_rig_create(file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    for (uint32_t i = 0; i < drivers; i++) {
        connect_driver(rig, i);
    }
    return rig;
}

static void assert_everybody_is_home(race_rig *rig, const apex_results *results) {
    uint64_t fastest = UINT64_MAX;
    uint64_t slowest = 0;
    for (uint32_t i = 0; i < results->line_count; i++) {
        const apex_wire_standing *line = &results->lines[i];
        ck_assert_uint_eq(line->position, i + 1);
        ck_assert_uint_eq(line->state, APEX_STANDING_FINISHED);
        ck_assert_uint_eq(line->laps, LAPS);
        ck_assert_uint_gt(line->total_us, line->best_lap_us);
        fastest = line->best_lap_us < fastest ? line->best_lap_us : fastest;
        slowest = line->best_lap_us > slowest ? line->best_lap_us : slowest;
    }
    ck_assert_msg(slowest * 100 <= fastest * 103, "equal cars: %llu us to %llu us",
                  (unsigned long long)fastest, (unsigned long long)slowest);
    apex_standing lines[2 * CARS];
    size_t count = apex_race_standings(apex_server_race(race_rig_server(rig)), lines, 2 * CARS);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_le(lines[i].off_track_us_max, 1000000);
    }
}

static uint32_t car_count(void) {
    return CARS / 4 * (uint32_t)check_cases(4);
}

TEST(twelve_drivers_race_home) {
    const uint32_t cars = car_count();
    apex_race_file file = short_race(cars);
    file.race.laps = LAPS;
    race_rig *rig = rig_of(&file, cars);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 300 * SECOND));
    race_rig_tick(rig, 3);
    for (size_t i = 0; i < cars; i++) {
        const apex_results *results = apex_client_results(race_rig_client(rig, i));
        ck_assert_ptr_nonnull(results);
        ck_assert_uint_eq(results->line_count, cars);
        ck_assert_uint_eq(race_rig_events(rig, i, APEX_EVENT_FINISHED), cars);
        ck_assert_uint_eq(race_rig_events(rig, i, APEX_EVENT_LAP), cars * LAPS);
    }
    assert_everybody_is_home(rig, apex_client_results(race_rig_client(rig, 0)));
    apex_controls_counters controls = apex_server_controls_counters(race_rig_server(rig));
    ck_assert_uint_gt(controls.used_on_tick, 100 * controls.missed);
    ck_assert(race_rig_until(rig, APEX_PHASE_OVER, 5 * SECOND));
    race_rig_tick(rig, SECOND);
    const char *text = NULL;
    apex_client *first = race_rig_client(rig, 0);
    ck_assert_int_eq(apex_client_state_of(first), APEX_CLIENT_CLOSED);
    ck_assert_int_eq(apex_client_close_reason(first, &text), APEX_REASON_EVENT_OVER);
    ck_assert(apex_server_finished(race_rig_server(rig)));
    race_rig_destroy(rig);
}

TEST(twelve_bots_lap_ridgeway_cleanly) {
    const uint32_t cars = car_count();
    apex_race_file file = short_race(cars);
    snprintf(file.track, sizeof file.track, "ridgeway");
    file.race.laps = LAPS;
    file.bots = cars;
    file.bot_skill_spread = 0.0; // only the way that they drive among others parts them
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 400 * SECOND));
    apex_standing lines[2 * CARS];
    size_t count = apex_race_standings(apex_server_race(race_rig_server(rig)), lines, 2 * CARS);
    ck_assert_uint_eq(count, cars);
    uint64_t fastest = UINT64_MAX;
    uint64_t slowest = 0;
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(lines[i].state, APEX_STANDING_FINISHED);
        ck_assert_uint_eq(lines[i].laps, LAPS);
        ck_assert_uint_eq(lines[i].resets, 0);
        ck_assert_uint_le(lines[i].off_track_us_max, 1000000);
        fastest = lines[i].best_lap_us < fastest ? lines[i].best_lap_us : fastest;
        slowest = lines[i].best_lap_us > slowest ? lines[i].best_lap_us : slowest;
    }
    ck_assert_uint_gt(fastest, 100000000); // 4.2 km in under 100 s would be a short cut
    ck_assert_uint_le(slowest * 100, fastest * 103);
    race_rig_destroy(rig);
}

TEST(a_lossy_network_does_not_stop_a_race) {
    apex_race_file file = short_race(4);
    race_rig *rig = rig_of(&file, 4);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    race_rig_set_loss(rig, 0.1);
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 250 * SECOND));
    race_rig_tick(rig, 3);
    const apex_results *results = apex_client_results(race_rig_client(rig, 0));
    ck_assert_ptr_nonnull(results);
    for (uint32_t i = 0; i < results->line_count; i++) {
        ck_assert_uint_eq(results->lines[i].state, APEX_STANDING_FINISHED);
    }
    // Each packet repeats the last eight ticks: a tenth lost is no sample lost in most ticks.
    apex_controls_counters controls = apex_server_controls_counters(race_rig_server(rig));
    ck_assert_uint_gt(controls.used_on_tick, 20 * controls.missed);
    race_rig_destroy(rig);
}

TEST(a_killed_driver_retires_and_the_race_goes_on) {
    apex_race_file file = short_race(4);
    race_rig *rig = rig_of(&file, 4);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    race_rig_tick(rig, 5 * SECOND);
    race_rig_cut(rig, 2);
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 200 * SECOND));
    race_rig_tick(rig, 3);
    const apex_results *results = apex_client_results(race_rig_client(rig, 0));
    ck_assert_uint_eq(results->line_count, 4);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(results->lines[i].state, APEX_STANDING_FINISHED);
    }
    ck_assert_str_eq(results->lines[3].name, "driver 2");
    ck_assert_uint_eq(results->lines[3].state, APEX_STANDING_DNF);
    size_t roster = 0;
    apex_client_roster(race_rig_client(rig, 0), &roster);
    ck_assert_uint_eq(roster, 3);
    race_rig_destroy(rig);
}

TEST(a_stop_tells_clients_and_keeps_results) {
    char folder[CHECK_PATH_BYTES];
    check_make_folder(folder, "host");
    apex_race_file file = short_race(3);
    snprintf(file.results_dir, sizeof file.results_dir, "%s", folder);
    race_rig *rig = rig_of(&file, 3);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    race_rig_tick(rig, 10 * SECOND);
    apex_server_stop(race_rig_server(rig), APEX_REASON_SHUTDOWN, "closing time");
    race_rig_tick(rig, SECOND);
    const char *text = "";
    apex_client *client = race_rig_client(rig, 1);
    ck_assert_int_eq(apex_client_close_reason(client, &text), APEX_REASON_SHUTDOWN);
    ck_assert_ptr_nonnull(strstr(text, "closing time"));
    ck_assert_ptr_nonnull(apex_client_results(client));
    ck_assert(apex_server_finished(race_rig_server(rig)));

    const char *path = apex_server_newest_results(race_rig_server(rig));
    FILE *results = fopen(path, "r");
    ck_assert_msg(results != NULL, "no results at '%s'", path);
    char json[8192] = "";
    size_t length = fread(json, 1, sizeof json - 1, results);
    fclose(results);
    ck_assert_uint_gt(length, 100);
    ck_assert_ptr_nonnull(strstr(json, "\"complete\": false"));
    ck_assert_ptr_nonnull(strstr(json, "\"name\": \"driver 1\""));
    race_rig_destroy(rig);
    char command[CHECK_PATH_BYTES + 16];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

// Two hundred clients, of which a dozen drive; whole snapshots for some of them.
static race_rig *crowded_rig(uint32_t clients) {
    apex_race_file file = short_race(clients);
    file.race.laps = 99;
    file.race.stuck_s = 0.0;
    file.clients_per_address_max = clients;
    race_rig *rig = rig_of(&file, CARS);
    for (uint32_t i = CARS; i < clients; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        snprintf(name, sizeof name, "idler %u", i);
        apex_client_def def = apex_default_client_def();
        def.name = name;
        def.full_snapshots = i % 20 == 0;
        race_rig_connect(rig, &def);
    }
    return rig;
}

TEST(steady_ticks_use_no_heap) {
    enum { CLIENTS = 200 };
    if (!heap_count_works()) {
        printf("steady_ticks_use_no_heap: nothing to count with under a sanitizer\n");
        return;
    }
    heap_count_start();
    void *volatile block = malloc(1);
    free(block);
    ck_assert_uint_eq(heap_count_stop().allocs, 1); // it does count
    race_rig *rig = crowded_rig(CLIENTS);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    race_rig_tick(rig, 2 * SECOND);
    ck_assert_uint_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).players, CLIENTS);
    uint64_t before = race_rig_heap_calls(rig);
    race_rig_tick(rig, 1000);
    ck_assert_uint_eq(race_rig_heap_calls(rig) - before, 0);
    race_rig_destroy(rig);
}

// The loop's measurements reach the clients that asked for them, once a second.
TEST(statistics_say_what_was_measured) {
    apex_race_file file = short_race(2);
    race_rig *rig = rig_of(&file, 1);
    apex_server_account_cpu(race_rig_server(rig), 123456789012);
    apex_server_account_dropped(race_rig_server(rig), 3);
    race_rig_tick(rig, 2 * SECOND);
    const apex_server_stats *stats = apex_client_server_stats(race_rig_client(rig, 0));
    ck_assert_ptr_nonnull(stats);
    ck_assert_uint_eq(stats->cpu_us, 123456789012);
    ck_assert_uint_eq(stats->ticks_dropped, 3);
    ck_assert_uint_eq(stats->clients, 1);
    race_rig_destroy(rig);
}
