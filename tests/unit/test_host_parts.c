// The server's small parts: controls on their way, figures, who sits where, the console.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "host/clients.h"
#include "host/metrics.h"
#include "support/check_main.h"
#include "support/race_rig.h"

// --- Controls -----------------------------------------------------------------------------------

static host_controls_buffer buffer;
static apex_controls_counters counters;

static void buffer_begin(void) {
    host_controls_reset(&buffer);
    memset(&counters, 0, sizeof counters);
}

// A sample for each tick that tells which tick it is for.
static apex_control_sample sample_for(uint32_t tick) {
    return (apex_control_sample){.steer = (int16_t)(tick % 30000), .throttle = (uint8_t)tick};
}

static void add(uint32_t first_tick, uint32_t count, uint32_t now) {
    apex_controls_message message = {.first_tick = first_tick, .sample_count = count};
    for (uint32_t i = 0; i < count; i++) {
        message.samples[i] = sample_for(first_tick + i);
    }
    host_controls_add(&buffer, &message, now, &counters);
}

static void assert_taken(uint32_t tick, uint32_t wanted) {
    apex_controls got = host_controls_take(&buffer, tick, &counters);
    ck_assert_int_eq(got.steer, sample_for(wanted).steer);
    ck_assert_uint_eq(got.throttle, sample_for(wanted).throttle);
}

static void assert_counters(uint64_t used, uint64_t missed, uint64_t late, uint64_t early) {
    ck_assert_uint_eq(counters.used_on_tick, used);
    ck_assert_uint_eq(counters.missed, missed);
    ck_assert_uint_eq(counters.late, late);
    ck_assert_uint_eq(counters.early, early);
}

START_TEST(each_field_of_a_sample_reaches_the_car) {
    buffer_begin();
    apex_controls_message message = {.first_tick = 5, .sample_count = 1};
    message.samples[0] = (apex_control_sample){.steer = -32767,
                                               .throttle = 1,
                                               .brake = 2,
                                               .clutch = 3,
                                               .handbrake = 4,
                                               .gear = -1,
                                               .shift_up = 6,
                                               .shift_down = 7,
                                               .reset = 8,
                                               .aids_off = 9};
    host_controls_add(&buffer, &message, 4, &counters);
    apex_controls got = host_controls_take(&buffer, 5, &counters);
    ck_assert_int_eq(got.steer, -32767);
    ck_assert(got.throttle == 1 && got.brake == 2 && got.clutch == 3 && got.handbrake == 4);
    ck_assert_int_eq(got.gear, -1);
    ck_assert(got.shift_up_count == 6 && got.shift_down_count == 7 && got.reset_count == 8);
    ck_assert_uint_eq(got.aids_off, 9);
}
END_TEST

START_TEST(before_the_first_message_a_car_idles_in_automatic) {
    buffer_begin();
    for (uint32_t tick = 1; tick < 200; tick++) {
        apex_controls got = host_controls_take(&buffer, tick, &counters);
        ck_assert_int_eq(got.gear, APEX_GEAR_AUTOMATIC);
        ck_assert(got.throttle == 0 && got.steer == 0);
        ck_assert_int_eq(host_controls_depth(&buffer, tick), 0);
    }
    assert_counters(0, 0, 0, 0); // who has not spoken yet misses nothing
}
END_TEST

START_TEST(a_sample_is_used_on_its_tick_and_repeated_after_it) {
    buffer_begin();
    add(101, 3, 100);
    ck_assert_int_eq(host_controls_depth(&buffer, 101), 2);
    assert_taken(101, 101);
    assert_taken(102, 102);
    assert_taken(103, 103);
    assert_counters(3, 0, 0, 0);
    assert_taken(104, 103);
    assert_taken(105, 103);
    assert_counters(3, 2, 0, 0);
    ck_assert_uint_eq(buffer.used_tick, 103);
    ck_assert_int_eq(host_controls_depth(&buffer, 105), -2);
    add(106, 1, 105);
    assert_taken(106, 106);
    ck_assert_uint_eq(buffer.used_tick, 106);
}
END_TEST

// Eight ticks in each packet: seven of them are here already, some are past.
START_TEST(repeats_are_neither_late_nor_early) {
    buffer_begin();
    for (uint32_t tick = 100; tick < 300; tick++) {
        add(tick - 3, 8, tick);
        assert_taken(tick + 1, tick + 1);
    }
    assert_counters(200, 0, 4, 0); // the first packet's head was for ticks that were over
    buffer_begin();
    add(10, 8, 9);
    add(10, 8, 9);
    apex_controls_message other = {.first_tick = 10, .sample_count = 1};
    host_controls_add(&buffer, &other, 9, &counters); // what came first stands
    assert_taken(10, 10);
}
END_TEST

// Every second packet lost, and the lost ones' ticks came with the next.
START_TEST(lost_packets_are_made_good_by_the_next) {
    buffer_begin();
    for (uint32_t tick = 100; tick < 200; tick++) {
        if (tick % 2 == 0) {
            add(tick - 1, 8, tick);
        }
        assert_taken(tick + 1, tick + 1);
    }
    ck_assert_uint_eq(counters.missed, 0);
}
END_TEST

START_TEST(late_samples_are_dropped_and_counted_once) {
    buffer_begin();
    add(101, 1, 100);
    assert_taken(101, 101);
    add(102, 2, 110); // ten ticks too late
    add(102, 2, 110);
    assert_counters(1, 0, 2, 0);
    assert_taken(111, 101);
    ck_assert_int_eq(host_controls_depth(&buffer, 111), -8);
    add(111, 1, 111); // the very tick that was just made
    ck_assert_uint_eq(counters.late, 3);
    add(112, 1, 111);
    assert_taken(112, 112);
    assert_counters(2, 1, 3, 0);
}
END_TEST

START_TEST(what_is_too_far_ahead_is_dropped) {
    buffer_begin();
    add(100 + HOST_CONTROLS_AHEAD_MAX - 1, 1, 100); // the last that has a place
    assert_counters(0, 0, 0, 0);
    ck_assert_int_eq(host_controls_depth(&buffer, 101), HOST_CONTROLS_AHEAD_MAX - 2);
    add(100 + HOST_CONTROLS_AHEAD_MAX, 2, 100);
    assert_counters(0, 0, 0, 2);
    ck_assert_int_eq(host_controls_depth(&buffer, 101), HOST_CONTROLS_AHEAD_MAX - 2);
    add(1000000, 4, 100); // a wild clock neither counts as newest nor hides what comes later
    add(101, 1, 100);
    assert_taken(101, 101);
    assert_counters(1, 0, 0, 6);
    for (uint32_t tick = 102; tick < 100 + HOST_CONTROLS_AHEAD_MAX - 1; tick++) {
        assert_taken(tick, 101);
    }
    assert_taken(163, 163);
}
END_TEST

// A place is used again every 64 ticks; what stood there must not pass for the new tick's.
START_TEST(the_ring_goes_round) {
    buffer_begin();
    add(1, 16, 0);
    for (uint32_t tick = 1; tick <= 16; tick++) {
        assert_taken(tick, tick);
    }
    for (uint32_t tick = 17; tick <= 16 + 2 * HOST_CONTROLS_AHEAD_MAX; tick++) {
        assert_taken(tick, 16);
    }
    assert_counters(16, 2 * HOST_CONTROLS_AHEAD_MAX, 0, 0);
    for (uint32_t tick = 200; tick < 1000; tick += 16) {
        add(tick + 1, 16, tick);
        for (uint32_t i = 1; i <= 16; i++) {
            assert_taken(tick + i, tick + i);
        }
    }
}
END_TEST

START_TEST(tick_numbers_may_wrap) {
    buffer_begin();
    uint32_t now = UINT32_MAX - 4;
    add(now + 1, 10, now); // ..., 2^32 - 1, 0, 1, ...
    for (uint32_t i = 1; i <= 4; i++) {
        assert_taken(now + i, now + i);
    }
    assert_taken(1, 1);
    assert_taken(5, 5);
    ck_assert_int_eq(host_controls_depth(&buffer, 5), 0);
    ck_assert_int_eq(host_controls_depth(&buffer, UINT32_MAX), 6);
    buffer_begin();
    add(1, 1, UINT32_MAX / 2 + 100); // half a round behind: old, and not to come
    ck_assert_uint_eq(counters.late + counters.early, 1);
}
END_TEST

// --- Figures ------------------------------------------------------------------------------------

START_TEST(a_second_is_shown_when_it_is_whole) {
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
END_TEST

// --- Clients ------------------------------------------------------------------------------------

static apex_session_id session(uint16_t index1, uint16_t generation) {
    apex_session_id id = {0};
    id.index1 = index1;
    id.generation = generation;
    return id;
}

static apex_player_id player(uint16_t index1, uint16_t generation) {
    return (apex_player_id){.index1 = index1, .generation = generation};
}

START_TEST(a_session_is_found_by_its_own_id_only) {
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
    ck_assert(!client->admitted && !client->kicked); // nothing of who was here before
    ck_assert_ptr_null(host_client_of(&clients, session(3, 1)));
    ck_assert_ptr_eq(host_client_of(&clients, session(3, 3)), client);
    host_clients_destroy(&clients);
}
END_TEST

START_TEST(a_player_is_found_while_somebody_is_connected_for_it) {
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
END_TEST

// The slot went to somebody else before the first one's connection was closed.
START_TEST(closing_a_stale_client_leaves_the_new_one_seated) {
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
END_TEST

// --- Console ------------------------------------------------------------------------------------

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

START_TEST(the_console_answers) {
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
    ck_assert_ptr_nonnull(strstr(status, "2 players, 2 clients\n"));
    ck_assert_ptr_nonnull(strstr(status, "Ada Lovelace"));
    ck_assert_ptr_nonnull(strstr(status, "bob"));
    race_rig_destroy(rig);
}
END_TEST

START_TEST(an_operator_speaks_kicks_and_starts) {
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
END_TEST

static void add_case(Suite *suite, const char *name, const TTest *test) {
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test);
    suite_add_tcase(suite, tcase);
}

Suite *apex_suite(void) {
    apex_log_set_level(APEX_LOG_ERROR);
    Suite *suite = suite_create("host parts");
    add_case(suite, "fields", each_field_of_a_sample_reaches_the_car);
    add_case(suite, "first", before_the_first_message_a_car_idles_in_automatic);
    add_case(suite, "tick", a_sample_is_used_on_its_tick_and_repeated_after_it);
    add_case(suite, "repeats", repeats_are_neither_late_nor_early);
    add_case(suite, "lost", lost_packets_are_made_good_by_the_next);
    add_case(suite, "late", late_samples_are_dropped_and_counted_once);
    add_case(suite, "early", what_is_too_far_ahead_is_dropped);
    add_case(suite, "ring", the_ring_goes_round);
    add_case(suite, "wrap", tick_numbers_may_wrap);
    add_case(suite, "seconds", a_second_is_shown_when_it_is_whole);
    add_case(suite, "sessions", a_session_is_found_by_its_own_id_only);
    add_case(suite, "players", a_player_is_found_while_somebody_is_connected_for_it);
    add_case(suite, "stale", closing_a_stale_client_leaves_the_new_one_seated);
    add_case(suite, "console", the_console_answers);
    add_case(suite, "operator", an_operator_speaks_kicks_and_starts);
    return suite;
}
