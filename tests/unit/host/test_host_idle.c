// An event without end while nobody is here: what stands still, what goes on, and what a recording
// shows of it.

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "host/figures/figures.h"
#include "host/host_private.h"
#include "playback/playback.h"
#include "support/api/api_rig.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, BOTS = 2 };

static char folder[CHECK_PATH_BYTES], recording[2 * CHECK_PATH_BYTES];

// Bots that would begin at once, and a race of three seconds.
static apex_race_file bots_race(uint32_t races) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.results_dir[0] = '\0';
    file.bots = file.race.start_players = BOTS;
    file.race.player_capacity = BOTS + 2;
    file.race.races = races;
    file.race.countdown_s = 1.0;
    file.race.race_s_max = 3.0;
    file.race.results_s = 1.0;
    return file;
}

static race_rig *rig_of(const apex_race_file *file, const char *record_path) {
    race_rig *rig = race_rig_create(file, 0, record_path);
    ck_assert_ptr_nonnull(rig);
    race_rig_server(rig)->setup.idles = true;
    return rig;
}

static uint64_t world_tick(race_rig *rig) {
    return apex_world_tick(apex_race_world(apex_server_race(race_rig_server(rig))));
}

static apex_race_phase phase(race_rig *rig) {
    return apex_race_phase_of(apex_server_race(race_rig_server(rig)));
}

static size_t come(race_rig *rig) {
    apex_client_def def = apex_default_client_def();
    def.spectate = true;
    return race_rig_connect(rig, &def);
}

static void make_folder(void) {
    check_make_folder(folder, "idle");
    snprintf(recording, sizeof recording, "%s/idle.apexr", folder);
}

FIXTURE(make_folder, NULL)

TEST(bots_do_not_race_for_nobody) {
    apex_race_file file = bots_race(0);
    race_rig *rig = rig_of(&file, NULL);
    race_rig_tick(rig, 60 * SECOND);
    apex_server *server = race_rig_server(rig);
    ck_assert_uint_eq(world_tick(rig), 0);
    ck_assert_int_eq(phase(rig), APEX_PHASE_LOBBY);
    ck_assert(apex_server_is_idle(server));
    ck_assert_uint_eq(server->load.metrics.ticks, 0);
    ck_assert(!apex_server_finished(server));
    race_rig_destroy(rig);
}

TEST(who_comes_finds_the_race_going_on) {
    apex_race_file file = bots_race(0);
    race_rig *rig = rig_of(&file, NULL);
    race_rig_tick(rig, SECOND);
    size_t viewer = come(rig);
    race_rig_tick(rig, 2);
    ck_assert_uint_ge(world_tick(rig), 1); // the tick that hears Hello is one of the race
    ck_assert(!apex_server_is_idle(race_rig_server(rig)));
    ck_assert_uint_eq(apex_server_leisure_us(race_rig_server(rig)), 0);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, viewer)), APEX_CLIENT_SPECTATING);
    race_rig_destroy(rig);
}

TEST(a_race_under_way_is_finished_for_nobody) {
    apex_race_file file = bots_race(0);
    race_rig *rig = rig_of(&file, NULL);
    size_t viewer = come(rig);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    race_rig_cut(rig, viewer);
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 5 * SECOND));
    ck_assert(race_rig_until(rig, APEX_PHASE_LOBBY, 2 * SECOND));
    uint64_t tick = world_tick(rig);
    race_rig_tick(rig, 60 * SECOND);
    ck_assert_uint_eq(world_tick(rig), tick);
    ck_assert_uint_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).race_number, 2);
    // The next one begins when somebody comes again.
    come(rig);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    race_rig_destroy(rig);
}

TEST(a_driver_whose_line_broke_is_still_somebody) {
    apex_race_file file = bots_race(0);
    file.resume_grace_s = 10.0;
    file.race.start_players = 0;
    race_rig *rig = rig_of(&file, NULL);
    apex_client_def def = apex_default_client_def();
    def.name = "ada";
    size_t driver = race_rig_connect(rig, &def);
    race_rig_tick(rig, SECOND);
    race_rig_break(rig, driver, true);
    race_rig_tick(rig, 9 * SECOND);
    ck_assert(!apex_server_is_idle(race_rig_server(rig)));
    race_rig_tick(rig, 2 * SECOND);
    ck_assert(apex_server_is_idle(race_rig_server(rig)));
    race_rig_destroy(rig);
}

TEST(counted_races_are_run_for_nobody) {
    apex_race_file file = bots_race(2);
    race_rig *rig = rig_of(&file, NULL);
    ck_assert(race_rig_until(rig, APEX_PHASE_OVER, 20 * SECOND));
    ck_assert_uint_eq(apex_race_status_of(apex_server_race(race_rig_server(rig))).race_number, 2);
    race_rig_destroy(rig);
}

TEST(an_operator_starts_a_race_for_nobody) {
    apex_race_file file = bots_race(0);
    race_rig *rig = rig_of(&file, NULL);
    race_rig_tick(rig, SECOND);
    char said[4096] = "";
    FILE *out = fmemopen(said, sizeof said, "w");
    apex_server_console(race_rig_server(rig), "status", out);
    apex_server_console(race_rig_server(rig), "start", out);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(said, "\nnobody is here"));
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 10 * SECOND));
    race_rig_tick(rig, 5 * SECOND);
    ck_assert_int_eq(phase(rig), APEX_PHASE_LOBBY);
    ck_assert(apex_server_is_idle(race_rig_server(rig)));
    race_rig_destroy(rig);
}

TEST(a_session_without_end_is_left_as_it_is) {
    apex_race_file file = bots_race(0);
    snprintf(file.track, sizeof file.track, "car-park");
    file.race.laps = 0;
    file.race.race_s_max = 0.0;
    race_rig *rig = rig_of(&file, NULL);
    size_t viewer = come(rig);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    race_rig_cut(rig, viewer);
    race_rig_tick(rig, 2);
    uint64_t tick = world_tick(rig);
    race_rig_tick(rig, SECOND);
    ck_assert_uint_eq(world_tick(rig), tick);
    ck_assert_int_eq(phase(rig), APEX_PHASE_RACE);
    race_rig_destroy(rig);
}

// Looks are far apart, and as close as ticks once anything is heard.
TEST(newcomers_are_looked_for) {
    apex_race_file file = bots_race(0);
    race_rig *rig = rig_of(&file, NULL);
    race_rig_tick(rig, SECOND);
    uint64_t leisure_us = apex_server_leisure_us(race_rig_server(rig));
    ck_assert_uint_gt(leisure_us, 20000);
    ck_assert_uint_lt(leisure_us, 90000); // with the greeting within 100 ms
    size_t silent = come(rig);
    race_rig_mute(rig, silent); // a link, and no Hello
    race_rig_tick(rig, 1);
    ck_assert(apex_server_is_idle(race_rig_server(rig)));
    ck_assert_uint_eq(apex_server_leisure_us(race_rig_server(rig)), 1000000 / 60);
    race_rig_tick(rig, 2 * SECOND);
    ck_assert_uint_eq(apex_server_leisure_us(race_rig_server(rig)), leisure_us);
    race_rig_destroy(rig);
}

// Ticks that were not made are in no recording: it is one race, and runs again to the same end.
TEST(a_recording_knows_nothing_of_it) {
    apex_race_file file = bots_race(0);
    race_rig *rig = rig_of(&file, recording);
    race_rig_tick(rig, SECOND);
    for (int visit = 0; visit < 2; visit++) {
        size_t viewer = come(rig);
        ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
        race_rig_cut(rig, viewer);
        race_rig_tick(rig, 10 * SECOND);
        ck_assert(apex_server_is_idle(race_rig_server(rig)));
    }
    uint64_t ticks = world_tick(rig);
    race_rig_destroy(rig);
    char said[512] = "", expected[64];
    FILE *out = fmemopen(said, sizeof said, "w");
    ck_assert_msg(apex_replay_verify(recording, 0, out) == APEX_OK, "%s", said);
    fclose(out);
    snprintf(expected, sizeof expected, "verified: %llu ticks", (unsigned long long)ticks);
    ck_assert_ptr_eq(strstr(said, expected), said);
}

// To a program that starts processes it is well, and ready; one that asks for figures gets those of
// now.
TEST(it_is_well_and_says_so) {
    apex_race_file file = bots_race(0);
    api_rig rig;
    api_rig_begin(&rig, &file);
    race_rig_server(rig.race)->setup.idles = true;
    race_rig_tick(rig.race, 10 * SECOND);
    rig.api.now_us = race_rig_now_us(rig.race);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/healthz", ""), 200);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/readyz", ""), 200);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/races/1", ""), 200);
    ck_assert(api_rig_is(&rig, "idle"));
    ck_assert_uint_eq(api_rig_get_as(&rig, "/metrics", ""), 200);
    ck_assert_ptr_nonnull(strstr(rig.body, "\napex_race_idle{race=\"1\"} 1\n"));
    ck_assert_ptr_nonnull(strstr(rig.body, "\napex_ticks_dropped_total{race=\"1\"} 0\n"));
    come(rig.race);
    race_rig_tick(rig.race, 2);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/races/1", ""), 200);
    ck_assert(!api_rig_is(&rig, "idle"));
    api_rig_end(&rig);
}
