// Tests of what is left when somebody or something ends: players, last words, results, the disk.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/api.h"
#include "base/log.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60 };

static char folder[CHECK_PATH_BYTES];

static apex_race_file open_race(uint32_t capacity) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    snprintf(file.results_dir, sizeof file.results_dir, "%s", folder);
    file.race.races = 0;
    file.race.start_players = 0;
    file.race.player_capacity = capacity;
    file.race.lobby_s = 0.0;
    file.race.countdown_s = 1.0;
    file.race.race_s_max = 3.0;
    file.race.results_s = 10.0;
    return file;
}

static race_rig *rig_of(const apex_race_file *file) {
    race_rig *rig = race_rig_create(file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    return rig;
}

static size_t add_client(race_rig *rig, const char *name, bool spectates) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.spectate = spectates;
    def.standings = true;
    return race_rig_connect(rig, &def);
}

static uint32_t players(race_rig *rig) {
    return apex_race_status_of(apex_server_race(race_rig_server(rig))).players;
}

static void console(race_rig *rig, const char *line) {
    FILE *out = fopen("/dev/null", "w");
    ck_assert_ptr_nonnull(out);
    apex_server_console(race_rig_server(rig), line, out);
    fclose(out);
}

static void make_folder(void) {
    check_make_folder(folder, "host");
}

FIXTURE(make_folder, NULL)

TEST(a_leave_and_a_join_in_one_tick_leave_nobody_behind) {
    apex_race_file file = open_race(4);
    race_rig *rig = rig_of(&file);
    add_client(rig, "stays", false);
    size_t client = add_client(rig, "goes", false);
    race_rig_tick(rig, SECOND);
    ck_assert_uint_eq(players(rig), 2);
    apex_client_message join = {.kind = APEX_CLIENT_JOIN, .join = {.name = "again"}};
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(&join, bytes, sizeof bytes);
    apex_client_leave(race_rig_client(rig, client));
    race_rig_inject(rig, client, APEX_CHANNEL_RELIABLE, bytes, length);
    race_rig_tick(rig, 5);
    ck_assert_uint_eq(players(rig), 1);
    race_rig_destroy(rig);
}

TEST(a_race_that_never_began_has_no_results) {
    apex_race_file file = open_race(4);
    race_rig *rig = rig_of(&file);
    add_client(rig, "waits", false);
    race_rig_tick(rig, SECOND);
    apex_server_stop(race_rig_server(rig), APEX_REASON_SHUTDOWN, "no race today");
    race_rig_tick(rig, SECOND);
    ck_assert(apex_server_finished(race_rig_server(rig)));
    ck_assert_str_eq(apex_server_newest_results(race_rig_server(rig)), "");
    race_rig_destroy(rig);
}

TEST(the_server_waits_until_last_words_have_arrived) {
    apex_race_file file = open_race(4);
    race_rig *rig = rig_of(&file);
    size_t client = add_client(rig, "listens", false);
    race_rig_tick(rig, SECOND);
    apex_server *server = race_rig_server(rig);
    apex_server_stop(server, APEX_REASON_SHUTDOWN, "closing time");
    for (int i = 0; i < SECOND; i++) {
        if (apex_client_state_of(race_rig_client(rig, client)) == APEX_CLIENT_CLOSED) {
            break;
        }
        ck_assert(!apex_server_finished(server));
        race_rig_tick(rig, 1);
    }
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, client)), APEX_CLIENT_CLOSED);
    ck_assert(!apex_server_finished(server)); // its link is still open
    race_rig_tick(rig, 2);
    ck_assert(apex_server_finished(server));
    race_rig_destroy(rig);
}

TEST(who_comes_after_goodbye_hears_why) {
    apex_race_file file = open_race(4);
    race_rig *rig = rig_of(&file);
    apex_server_stop(race_rig_server(rig), APEX_REASON_SHUTDOWN, "closing time");
    race_rig_tick(rig, 5);
    size_t late = add_client(rig, "late", true);
    race_rig_tick(rig, 5);
    const char *text = "";
    apex_client *client = race_rig_client(rig, late);
    ck_assert_int_eq(apex_client_state_of(client), APEX_CLIENT_CLOSED);
    ck_assert_int_eq(apex_client_close_reason(client, &text), APEX_REASON_SHUTDOWN);
    ck_assert_ptr_nonnull(strstr(text, "closing time"));
    race_rig_destroy(rig);
}

TEST(lines_said_at_once_all_arrive) {
    apex_race_file file = open_race(4);
    race_rig *rig = rig_of(&file);
    size_t client = add_client(rig, "listens", true);
    race_rig_tick(rig, SECOND);
    console(rig, "say one");
    console(rig, "say two");
    race_rig_tick(rig, 1);
    size_t count = 0;
    const char *const *notices = apex_client_notices(race_rig_client(rig, client), &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(notices[0], "one");
    ck_assert_str_eq(notices[1], "two");
    race_rig_destroy(rig);
}

TEST(a_viewer_below_the_head_of_the_order_gets_his_own_line) {
    apex_race_file file = open_race(72);
    file.bots = 70;
    race_rig *rig = rig_of(&file);
    size_t watcher = add_client(rig, "watcher", true);
    size_t last = add_client(rig, "last", false);
    race_rig_tick(rig, SECOND);
    const apex_standings *head = apex_client_standings(race_rig_client(rig, watcher));
    ck_assert_ptr_nonnull(head);
    ck_assert_uint_eq(head->total, 71);
    ck_assert_uint_eq(head->line_count, APEX_STANDINGS_LINES_MAX - 1);
    const apex_standings *own = apex_client_standings(race_rig_client(rig, last));
    ck_assert_ptr_nonnull(own);
    ck_assert_uint_eq(own->line_count, APEX_STANDINGS_LINES_MAX);
    ck_assert_str_eq(own->lines[APEX_STANDINGS_LINES_MAX - 1].name, "last");
    ck_assert_uint_eq(own->lines[APEX_STANDINGS_LINES_MAX - 1].position, 71);
    race_rig_destroy(rig);
}

TEST(results_wait_for_the_disk_and_newcomers_get_them_too) {
    apex_race_file file = open_race(4);
    race_rig *rig = rig_of(&file);
    size_t driver = add_client(rig, "driver", false);
    race_rig_tick(rig, SECOND);
    console(rig, "start");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    check_remove_folder(folder);
    apex_log_set_level((apex_log_level)(APEX_LOG_ERROR + 1)); // it will complain
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 5 * SECOND));
    race_rig_tick(rig, SECOND);
    size_t early = add_client(rig, "early", true);
    race_rig_tick(rig, SECOND);
    ck_assert_ptr_null(apex_client_results(race_rig_client(rig, driver)));
    ck_assert_ptr_null(apex_client_results(race_rig_client(rig, early)));
    ck_assert(!apex_server_do_blocking_work(race_rig_server(rig)));

    ck_assert_int_eq(mkdir(folder, 0755), 0);
    race_rig_tick(rig, 3);
    size_t late = add_client(rig, "late", true);
    race_rig_tick(rig, SECOND);
    const size_t everybody[] = {driver, early, late};
    for (size_t i = 0; i < 3; i++) {
        const apex_results *results = apex_client_results(race_rig_client(rig, everybody[i]));
        ck_assert_ptr_nonnull(results);
        ck_assert_uint_eq(results->line_count, 1);
        ck_assert_str_eq(results->lines[0].name, "driver");
    }
    ck_assert_int_eq(access(apex_server_newest_results(race_rig_server(rig)), R_OK), 0);
    race_rig_destroy(rig);
}

// Whoever began an event hears of its end, even if no disk ever takes its results.
TEST(an_event_that_is_over_waits_half_a_minute_for_the_disk) {
    apex_race_file file = open_race(4);
    file.race.races = 1;
    file.race.results_s = 1.0;
    race_rig *rig = rig_of(&file);
    size_t driver = add_client(rig, "driver", false);
    race_rig_tick(rig, SECOND);
    console(rig, "start");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    check_remove_folder(folder);
    apex_log_set_level((apex_log_level)(APEX_LOG_ERROR + 1));
    ck_assert(race_rig_until(rig, APEX_PHASE_OVER, 8 * SECOND));
    race_rig_tick(rig, 29 * SECOND);
    ck_assert(!apex_server_finished(race_rig_server(rig)));
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, driver)), APEX_CLIENT_DRIVING);
    race_rig_tick(rig, 2 * SECOND);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, driver)), APEX_CLIENT_CLOSED);
    race_rig_tick(rig, 3 * SECOND);
    ck_assert(apex_server_finished(race_rig_server(rig)));
    ck_assert(apex_server_has_blocking_work(race_rig_server(rig)));
    race_rig_destroy(rig);
}

TEST(an_event_that_waits_for_the_disk_ends_once_it_can) {
    apex_race_file file = open_race(4);
    file.race.races = 1;
    file.race.results_s = 1.0;
    race_rig *rig = rig_of(&file);
    add_client(rig, "driver", false);
    race_rig_tick(rig, SECOND);
    console(rig, "start");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 5 * SECOND));
    check_remove_folder(folder);
    apex_log_set_level((apex_log_level)(APEX_LOG_ERROR + 1));
    ck_assert(race_rig_until(rig, APEX_PHASE_OVER, 8 * SECOND));
    race_rig_tick(rig, 20 * SECOND);
    ck_assert_int_eq(mkdir(folder, 0755), 0);
    race_rig_tick(rig, 4 * SECOND);
    ck_assert(apex_server_finished(race_rig_server(rig)));
    ck_assert_int_eq(access(apex_server_newest_results(race_rig_server(rig)), R_OK), 0);
    race_rig_destroy(rig);
}

// A stranger's file under the journal's name is left alone, and the sentence says what to do.
TEST(a_journal_that_is_a_strangers_is_refused) {
    static apex_server_def def;
    char why[APEX_HOST_WHY_BYTES] = "", path[CHECK_PATH_BYTES + 16], expected[600];
    apex_race_file file = open_race(4);
    snprintf(path, sizeof path, "%s/events.jsonl", folder);
    FILE *theirs = fopen(path, "w");
    ck_assert_ptr_nonnull(theirs);
    fputs("theirs\nhalf", theirs);
    fclose(theirs);
    ck_assert_int_eq(apex_server_def_load(&file, NULL, &def, why), APEX_OK);
    apex_server *server = NULL;
    ck_assert_int_eq(apex_server_create(&def, &server, why), APEX_ERR_EXISTS);
    snprintf(expected, sizeof expected,
             "results directory %s: its events.jsonl is not one that this program has "
             "written: move it away, or name another directory",
             folder);
    ck_assert_str_eq(why, expected);
    apex_track_def_free(&def.track);
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_eq(info.st_size, 11);
}
