// Bots of the server and people who come: a full race has room for a person as long as there is a
// bot.

#include <stdio.h>
#include <string.h>

#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60, BOTS = 3 };

static apex_race_file full_race(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.bots = BOTS;
    file.race.player_capacity = BOTS;
    file.race.start_players = 1;
    file.race.races = 2;
    file.race.countdown_s = 1.0;
    file.race.race_s_max = 12.0;
    file.race.results_s = 1.0;
    file.race.world.seed = 7;
    return file;
}

static race_rig *rig_of(const apex_race_file *file) {
    race_rig *rig = race_rig_create(file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    return rig;
}

static size_t add_driver(race_rig *rig, const char *name) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.want_defs = true;
    size_t client = race_rig_connect(rig, &def);
    race_rig_pilot(rig, client);
    race_rig_tick(rig, SECOND);
    return client;
}

static bool drives(race_rig *rig, size_t client) {
    return apex_client_state_of(race_rig_client(rig, client)) == APEX_CLIENT_DRIVING;
}

static const apex_standing *line_of(race_rig *rig, const char *name, bool is_present) {
    static apex_standing lines[64];
    const apex_race *race = apex_server_race(race_rig_server(rig));
    size_t count = apex_race_standings(race, lines, 64);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(lines[i].name, name) == 0 && lines[i].present == is_present) {
            return &lines[i];
        }
    }
    return NULL;
}

TEST(the_last_bot_makes_room_and_leaves_no_line) {
    apex_race_file file = full_race();
    race_rig *rig = rig_of(&file);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    race_rig_tick(rig, 3 * SECOND);
    char last[APEX_NAME_BYTES] = "";
    for (uint32_t bot = 1; bot <= BOTS; bot++) {
        char name[APEX_NAME_BYTES];
        snprintf(name, sizeof name, "Bot %u", bot);
        if (line_of(rig, name, true)->position == BOTS) {
            snprintf(last, sizeof last, "%s", name);
        }
    }
    size_t client = add_driver(rig, "Ada");
    ck_assert(drives(rig, client));
    ck_assert_ptr_nonnull(line_of(rig, "Ada", true));
    ck_assert_ptr_null(line_of(rig, last, true));
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 20 * SECOND));
    race_rig_tick(rig, SECOND / 2);
    const apex_results *results = apex_client_results(race_rig_client(rig, client));
    ck_assert_ptr_nonnull(results);
    ck_assert_uint_eq(results->line_count + results->apart_count, BOTS);
    for (uint32_t i = 0; i < results->line_count; i++) {
        ck_assert_str_ne(results->lines[i].name, last);
    }
    race_rig_destroy(rig);
}

TEST(only_people_fill_a_race_for_good) {
    apex_race_file file = full_race();
    race_rig *rig = rig_of(&file);
    static const char *const names[BOTS + 1] = {"Ada", "Bea", "Cyd", "Dan"};
    for (size_t i = 0; i <= BOTS; i++) {
        size_t client = add_driver(rig, names[i]);
        ck_assert_int_eq(drives(rig, client), i < BOTS);
    }
    race_rig_destroy(rig);
}

TEST(nobody_makes_room_where_nobody_may_join) {
    apex_race_file file = full_race();
    file.race.late_join = false;
    race_rig *rig = rig_of(&file);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    size_t client = add_driver(rig, "Ada");
    ck_assert(!drives(rig, client));
    for (uint32_t bot = 1; bot <= BOTS; bot++) {
        char name[APEX_NAME_BYTES];
        snprintf(name, sizeof name, "Bot %u", bot);
        ck_assert_ptr_nonnull(line_of(rig, name, true));
    }
    race_rig_destroy(rig);
}

TEST(who_made_room_is_back_when_there_is_some) {
    apex_race_file file = full_race();
    race_rig *rig = rig_of(&file);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 10 * SECOND));
    size_t client = add_driver(rig, "Ada");
    ck_assert(drives(rig, client));
    apex_client_leave(race_rig_client(rig, client));
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 20 * SECOND));
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 20 * SECOND));
    uint32_t players = apex_race_status_of(apex_server_race(race_rig_server(rig))).players;
    ck_assert_uint_eq(players, BOTS);
    race_rig_destroy(rig);
}
