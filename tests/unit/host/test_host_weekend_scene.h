// An event of a qualifying and a race, with one who drives and one who watches.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "host/figures/figures.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, QUALIFYING_S = 20 };

static char folder[CHECK_PATH_BYTES];
static race_rig *rig;
static size_t driver, watcher;

static inline apex_race_file weekend_file(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    snprintf(file.results_dir, sizeof file.results_dir, "%s", folder);
    file.race.player_capacity = 8;
    file.race.countdown_s = 1.0;
    file.race.lobby_s = 1.0;
    file.race.start_players = 1;
    apex_weekend_def *weekend = &file.race.weekend;
    *weekend = apex_default_weekend_def();
    weekend->session_count = 2;
    weekend->sessions[0] = apex_default_session_def(APEX_SESSION_QUALIFYING);
    snprintf(weekend->sessions[0].name, APEX_NAME_BYTES, "Q");
    weekend->sessions[0].duration_s = QUALIFYING_S;
    weekend->sessions[0].overtime_s = 1.0;
    weekend->sessions[0].results_s = 2.0;
    weekend->sessions[1] = apex_default_session_def(APEX_SESSION_RACE);
    snprintf(weekend->sessions[1].name, APEX_NAME_BYTES, "Sprint");
    weekend->sessions[1].laps = 2;
    weekend->sessions[1].results_s = 2.0;
    weekend->entries.class_count = 1;
    snprintf(weekend->entries.classes[0].name, APEX_NAME_BYTES, "GT");
    weekend->rules = apex_preset_rules(APEX_RULES_LEAGUE);
    return file;
}

static inline void start(void) {
    check_make_folder(folder, "weekend");
    apex_race_file file = weekend_file();
    rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    apex_client_def def = apex_default_client_def();
    def.spectate = def.standings = def.sectors = true;
    watcher = race_rig_connect(rig, &def);
    def.spectate = false;
    def.want_defs = true;
    def.name = "Ada";
    driver = race_rig_connect(rig, &def);
    race_rig_pilot(rig, driver);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 40 * SECOND));
    race_rig_tick(rig, SECOND);
}

static inline void stop(void) {
    race_rig_destroy(rig);
}

static inline const apex_race_session *seen_by(size_t client) {
    const apex_race_session *session = apex_client_session(race_rig_client(rig, client));
    ck_assert_ptr_nonnull(session);
    return session;
}

static char answer[8192];

static inline void console(const char *line) {
    memset(answer, 0, sizeof answer);
    FILE *out = fmemopen(answer, sizeof answer - 1, "w");
    ck_assert_ptr_nonnull(out);
    apex_server_console(race_rig_server(rig), line, out);
    fclose(out);
}

static inline void assert_answer(const char *line, const char *wanted) {
    console(line);
    ck_assert_msg(strstr(answer, wanted) != NULL, "'%s' is answered '%s', not '%s'", line, answer,
                  wanted);
}
