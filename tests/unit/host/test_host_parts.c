// The server's small parts: figures, seats, the console.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/log.h"
#include "host/clients/clients.h"
#include "host/load/metrics.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

TEST(a_second_is_shown_when_it_is_whole) {
    static host_metrics metrics;
    memset(&metrics, 0, sizeof metrics);
    for (uint32_t tick = 0; tick < 59; tick++) {
        host_metrics_tick(&metrics, 100, 5, 60);
    }
    ck_assert_uint_eq(metrics.work_second.count, 0);
    host_metrics_tick(&metrics, 900, 50, 60);
    ck_assert_uint_eq(metrics.work_second.count, 60);
    ck_assert_uint_eq(metrics.work_second.max, 900);
    ck_assert_uint_eq(metrics.work_second.sum, 59 * 100 + 900);
    ck_assert_uint_eq(metrics.late_second.count, 60);
    ck_assert_uint_eq(metrics.late_second.max, 50);
    for (uint32_t tick = 0; tick < 90; tick++) {
        host_metrics_tick(&metrics, 200, 7, 60);
    }
    ck_assert_uint_eq(metrics.work_second.count, 60); // the second one, not the half begun
    ck_assert_uint_eq(metrics.work_second.max, 200);
    ck_assert_uint_eq(metrics.late_second.max, 7);
    ck_assert_uint_eq(metrics.work.count, 150);
    ck_assert_uint_eq(metrics.work.max, 900);
    ck_assert_uint_eq(metrics.late.sum, 59 * 5 + 50 + 90 * 7);
}

TEST(the_worst_tick_ages) {
    static host_metrics metrics;
    memset(&metrics, 0, sizeof metrics);
    ck_assert_uint_eq(host_metrics_work_worst_us(&metrics), 0);
    host_metrics_tick(&metrics, 9000, 3000, 60); // in the second under way, too
    ck_assert_uint_eq(host_metrics_work_worst_us(&metrics), 9000);
    ck_assert_uint_eq(host_metrics_late_worst_us(&metrics), 3000);
    for (uint32_t tick = 1; tick < 61 * 60 - 1; tick++) {
        host_metrics_tick(&metrics, 100 + tick % 7, 5, 60);
    }
    ck_assert_uint_eq(host_metrics_work_worst_us(&metrics), 9000); // a minute has not passed
    host_metrics_tick(&metrics, 100, 5, 60);
    ck_assert_uint_eq(host_metrics_work_worst_us(&metrics), 106);
    ck_assert_uint_eq(host_metrics_late_worst_us(&metrics), 5);
    ck_assert_uint_eq(metrics.work.max, 9000); // that of all times is still there
}

static apex_session_id session(uint16_t index1, uint16_t generation) {
    apex_session_id id = {0};
    id.index1 = index1;
    id.generation = generation;
    return id;
}

static apex_player_id player(uint16_t index1, uint16_t generation) {
    return (apex_player_id){.index1 = index1, .generation = generation};
}

TEST(a_session_is_found_by_its_own_id_only) {
    host_clients clients;
    ck_assert_int_eq(host_clients_create(&clients, 4, 8), APEX_OK);
    ck_assert_ptr_null(host_client_of(&clients, session(0, 0)));
    ck_assert_ptr_null(host_client_of(&clients, session(3, 1)));
    host_client *client = host_client_open(&clients, session(3, 1));
    ck_assert_int_eq(client->controls.last.gear, APEX_GEAR_AUTOMATIC);
    ck_assert_ptr_eq(host_client_of(&clients, session(3, 1)), client);
    ck_assert_ptr_null(host_client_of(&clients, session(3, 2)));
    ck_assert_ptr_null(host_client_of(&clients, session(2, 1)));
    ck_assert_ptr_null(host_client_of(&clients, session(5, 1))); // beyond the table
    ck_assert_ptr_null(host_client_of(&clients, session(65535, 1)));
    client->admitted = client->kicked = true;
    host_client_close(&clients, client);
    ck_assert_ptr_null(host_client_of(&clients, session(3, 1)));
    client = host_client_open(&clients, session(3, 3));
    ck_assert(!client->admitted && !client->kicked); // nothing of the client that was here before
    ck_assert_ptr_null(host_client_of(&clients, session(3, 1)));
    ck_assert_ptr_eq(host_client_of(&clients, session(3, 3)), client);
    host_clients_destroy(&clients);
}

TEST(a_player_is_found_while_somebody_is_connected_for_it) {
    host_clients clients;
    ck_assert_int_eq(host_clients_create(&clients, 4, 8), APEX_OK);
    host_client *ada = host_client_open(&clients, session(1, 1));
    host_client *bob = host_client_open(&clients, session(2, 1));
    ck_assert_ptr_null(host_client_of_player(&clients, player(5, 1)));
    host_client_seat(&clients, ada, player(5, 1));
    host_client_seat(&clients, bob, player(8, 3)); // the last slot
    ck_assert_ptr_eq(host_client_of_player(&clients, player(5, 1)), ada);
    ck_assert_ptr_eq(host_client_of_player(&clients, player(8, 3)), bob);
    ck_assert_ptr_null(host_client_of_player(&clients, player(5, 3)));
    ck_assert_ptr_null(host_client_of_player(&clients, player(8, 1)));
    ck_assert_ptr_null(host_client_of_player(&clients, player(0, 0)));
    ck_assert_ptr_null(host_client_of_player(&clients, player(9, 1)));
    ck_assert_ptr_null(host_client_of_player(&clients, player(65535, 1)));
    host_client_close(&clients, ada);
    ck_assert_ptr_null(host_client_of_player(&clients, player(5, 1)));
    ck_assert_ptr_eq(host_client_of_player(&clients, player(8, 3)), bob);
    host_clients_destroy(&clients);
}

// The slot went to somebody else before the first one's connection was closed.
TEST(closing_a_stale_client_leaves_the_new_one_seated) {
    host_clients clients;
    ck_assert_int_eq(host_clients_create(&clients, 4, 8), APEX_OK);
    host_client *old = host_client_open(&clients, session(1, 1));
    host_client_seat(&clients, old, player(5, 1));
    host_client *fresh = host_client_open(&clients, session(2, 1));
    host_client_seat(&clients, fresh, player(5, 3));
    ck_assert_ptr_null(host_client_of_player(&clients, player(5, 1)));
    ck_assert_ptr_eq(host_client_of_player(&clients, player(5, 3)), fresh);
    host_client_close(&clients, old);
    ck_assert_ptr_eq(host_client_of_player(&clients, player(5, 3)), fresh);
    host_client *spectator = host_client_open(&clients, session(3, 1));
    host_client_close(&clients, spectator);
    ck_assert_ptr_eq(host_client_of_player(&clients, player(5, 3)), fresh);
    host_clients_destroy(&clients);
}

static char answer[8192];

static const char *ask(race_rig *rig, const char *line) {
    FILE *out = fmemopen(answer, sizeof answer, "w");
    ck_assert_ptr_nonnull(out);
    apex_server_console(race_rig_server(rig), line, out);
    long length = ftell(out);
    fclose(out);
    ck_assert(length >= 0 && (size_t)length < sizeof answer);
    answer[length] = '\0';
    return answer;
}

static race_rig *rig_with(const char *const names[], size_t count) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.race.start_players = 0;
    file.race.player_capacity = 4;
    file.clients_max = 6;
    file.results_dir[0] = '\0';
    race_rig *rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    for (size_t i = 0; i < count; i++) {
        apex_client_def def = apex_default_client_def();
        def.name = names[i];
        (void)race_rig_connect(rig, &def);
    }
    race_rig_tick(rig, 30);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, i)), APEX_CLIENT_DRIVING);
    }
    return rig;
}

TEST(the_console_answers) {
    static const char *const names[] = {"Ada Lovelace", "bob"};
    race_rig *rig = rig_with(names, 2);
    ck_assert_str_eq(ask(rig, ""), "");
    ck_assert_str_eq(ask(rig, "  \t\r\n"), "");
    ck_assert_str_eq(ask(rig, "dance now"), "no command \"dance\"; help lists them\n");
    ck_assert_str_eq(ask(rig, "stat"), "no command \"stat\"; help lists them\n");
    const char *help = ask(rig, " help \r\n");
    static const char *const commands[] = {"status",  "say TEXT", "kick NAME", "start",
                                           "restart", "quit",     "help"};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char word[16];
        snprintf(word, sizeof word, "  %.*s", (int)strcspn(commands[i], " "), commands[i]);
        ck_assert_msg(strstr(help, word) != NULL, "no %s", word);
    }
    const char *status = ask(rig, "status");
    ck_assert_ptr_nonnull(strstr(status, "race 1: lobby"));
    ck_assert_ptr_nonnull(
        strstr(status, "2 players, 2 clients\nwaiting for the operator to start\n"));
    ck_assert_ptr_nonnull(strstr(status, "Ada Lovelace"));
    ck_assert_ptr_nonnull(strstr(status, "bob"));
    race_rig_destroy(rig);
}

TEST(an_operator_speaks_kicks_and_starts) {
    static const char *const names[] = {"Ada Lovelace", "bob"};
    race_rig *rig = rig_with(names, 2);
    ck_assert_ptr_nonnull(strstr(ask(rig, "say"), "say what?"));
    ck_assert_str_eq(ask(rig, "say  five minutes"), "said to everybody\n");
    ck_assert_str_eq(ask(rig, "kick nobody"),
                     "nobody here is called \"nobody\"; status lists the names\n");
    ck_assert_str_eq(ask(rig, "kick ada"), // not by a part of the name
                     "nobody here is called \"ada\"; status lists the names\n");
    ck_assert_str_eq(ask(rig, "kick ADA lovelace \n"), "Ada Lovelace is out\n");
    race_rig_tick(rig, 10);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, 0)), APEX_CLIENT_CLOSED);
    const char *why = NULL;
    ck_assert_int_eq(apex_client_close_reason(race_rig_client(rig, 0), &why), APEX_REASON_KICKED);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, 1)), APEX_CLIENT_DRIVING);
    ck_assert_ptr_nonnull(strstr(ask(rig, "status"), "1 players, 1 clients\n"));
    ck_assert_str_eq(ask(rig, "start"), "the grid forms\n");
    race_rig_tick(rig, 1);
    ck_assert_ptr_nonnull(strstr(ask(rig, "status"), "race 1: grid"));
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 60 * 30));
    ck_assert_str_eq(ask(rig, "restart"), "back to the grid\n");
    race_rig_tick(rig, 1);
    ck_assert_ptr_nonnull(strstr(ask(rig, "status"), ": grid"));
    ck_assert_str_eq(ask(rig, "quit"), "closing\n");
    race_rig_tick(rig, 120);
    ck_assert_int_eq(apex_client_close_reason(race_rig_client(rig, 1), &why), APEX_REASON_SHUTDOWN);
    ck_assert(apex_server_finished(race_rig_server(rig)));
    race_rig_destroy(rig);
}
