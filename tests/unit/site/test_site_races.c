// Several races of a process: what is left of one that is over while others go on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "host/host.h"
#include "playback/playback.h"
#include "replay/replay.h"
#include "site/site.h"
#include "support/base/check_main.h"

enum { TICK_US = 16667, TICKS_MAX = 6000 };

static char folder[64], path[128];
static apex_server *servers[2];
static apex_site *site;
static uint64_t now_us;

static apex_server *host(uint32_t races, const char *record_path) {
    static apex_server_def def;
    char why[APEX_HOST_WHY_BYTES] = "";
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.results_dir[0] = '\0';
    file.bots = 2;
    file.race.races = races;
    file.race.player_capacity = file.race.start_players = 2;
    file.race.lobby_s = 0.0;
    file.race.countdown_s = 1.0;
    file.race.race_s_max = 15.0;
    file.race.results_s = 1.0;
    ck_assert_int_eq(apex_server_def_load(&file, NULL, &def, why), APEX_OK);
    snprintf(def.record_path, sizeof def.record_path, "%s", record_path);
    def.now_us = now_us;
    apex_server *server = NULL;
    ck_assert_msg(apex_server_create(&def, &server, why) == APEX_OK, "%s", why);
    apex_track_def_free(&def.track);
    return server;
}

static void begin(void) {
    apex_log_set_level(APEX_LOG_ERROR);
    snprintf(folder, sizeof folder, "/tmp/apex-site-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/first.apexr", folder);
    now_us = 1000000;
    servers[0] = host(1, path);
    servers[1] = host(0, "");
    apex_site_def def = {.listen = {.on = false}, .now_us = now_us};
    char why[APEX_HOST_WHY_BYTES] = "";
    ck_assert_int_eq(apex_site_create(&def, servers, 2, &site, why), APEX_OK);
}

static void end(void) {
    apex_site_destroy(site);
    apex_server_destroy(servers[0]);
    apex_server_destroy(servers[1]);
    unlink(path);
    rmdir(folder);
}

static void tick(void) {
    now_us += TICK_US;
    apex_site_tick(site, 0, now_us);
    apex_site_tick(site, 1, now_us);
}

static apex_replay_extent extent_of_file(void) {
    char why[160] = "";
    apex_replay_reader *reader = NULL;
    apex_replay_extent extent;
    ck_assert_msg(apex_replay_open(path, &reader, why) == APEX_OK, "%s", why);
    ck_assert_int_eq(apex_replay_survey(reader, &extent), APEX_OK);
    apex_replay_reader_close(reader);
    return extent;
}

FIXTURE(begin, end)

TEST(a_race_that_is_over_has_its_recording) {
    uint32_t ticks = 0;
    while (!apex_server_finished(servers[0])) {
        ck_assert_uint_lt(++ticks, TICKS_MAX);
        ck_assert(ticks < 700 || !extent_of_file().is_closed);
        tick();
    }
    ck_assert_uint_gt(ticks, 600);
    apex_replay_extent extent = extent_of_file();
    ck_assert(extent.is_closed);
    ck_assert_str_eq(extent.why, "");
    ck_assert_uint_eq(extent.ticks, ticks);
    ck_assert_uint_eq(extent.ticks, apex_world_tick(apex_race_world(apex_server_race(servers[0]))));
    FILE *said = tmpfile();
    ck_assert_int_eq(apex_replay_verify(path, 0, said), APEX_OK);
    fclose(said);
}

// Its caller may have a tick in hand; nothing moves any more.
TEST(a_race_that_is_over_stands_still) {
    for (int i = 0; i < TICKS_MAX && !apex_server_finished(servers[0]); i++) {
        tick();
    }
    uint64_t ticks = apex_world_tick(apex_race_world(apex_server_race(servers[0])));
    uint64_t others = apex_world_tick(apex_race_world(apex_server_race(servers[1])));
    tick();
    tick();
    ck_assert_uint_eq(apex_world_tick(apex_race_world(apex_server_race(servers[0]))), ticks);
    ck_assert_uint_eq(apex_world_tick(apex_race_world(apex_server_race(servers[1]))), others + 2);
    ck_assert_uint_eq(extent_of_file().ticks, ticks);
}
