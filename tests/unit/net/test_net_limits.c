// Tests of how much a session may do, how long it may take, and how it ends. All in virtual time.
#include "support/base/check_main.h"
#include "support/base/heap_count.h"
#include "support/net/session_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_BYTES = 1024 * 1024 };

static const uint64_t second_us = 1000000;

static session_scene *scene;
static apex_server_message heard;
static apex_mail mail;

static void start(void) {
    scene = scene_open(apex_default_sessions_def(), FRAME_BYTES);
}

static void stop(void) {
    scene_close(scene);
}

static void start_again(apex_sessions_def def, size_t frame_bytes) {
    scene_close(scene);
    scene = scene_open(def, frame_bytes);
}

static void say(uint16_t number, apex_client_message_kind kind) {
    apex_client_message message = scene_message(kind);
    scene_say(scene, number, &message);
}

static uint32_t said_and_mailed(apex_client_message_kind kind, uint32_t count, uint64_t later_us) {
    for (uint32_t i = 0; i < count; i++) {
        say(0, kind);
    }
    scene_round(scene, later_us);
    return scene_mails(scene, APEX_MAIL_MESSAGE, NULL);
}

FIXTURE(start, stop)

TEST(messages_come_at_their_rate_with_a_burst_of_two_seconds) {
    apex_sessions_def def = apex_default_sessions_def();
    def.messages_per_s_max = 50;
    def.strikes_max = 1000;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 150, 10 * second_us), 100);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_RATE), 50);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 8);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_RATE);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 100, second_us), 50);
    // At the rate itself nothing is ever refused.
    scene_round(scene, 10 * second_us);
    uint64_t refused = scene_counter(scene, APEX_SESSION_REFUSED_RATE);
    for (int i = 0; i < 500; i++) {
        ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 1, second_us / 50), 1);
    }
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_RATE), refused);
}

// The table of limits that clients are promised.
TEST(the_page_has_these_limits) {
    const apex_sessions_def def = apex_default_sessions_def();
    ck_assert_uint_eq(def.bytes_per_s_max, 65536);
    const char *root = getenv("APEX_SOURCE_DIR");
    ck_assert_ptr_nonnull(root);
    char path[1024], messages[128], line[1024];
    snprintf(path, sizeof path, "%s/proto/PROTOCOL.md", root);
    snprintf(messages, sizeof messages,
             "| messages from one client | %u a second of the race, %u at once |\n",
             def.messages_per_s_max, 2 * def.messages_per_s_max);
    const char *rows[] = {
        messages, "| bytes from one client | 65,536 a second of the race, twice that at once |\n"};
    int found = 0;
    FILE *page = fopen(path, "r");
    ck_assert_ptr_nonnull(page);
    while (fgets(line, sizeof line, page) != NULL) {
        found += strcmp(line, rows[0]) == 0 || strcmp(line, rows[1]) == 0;
    }
    fclose(page);
    ck_assert_int_eq(found, 2);
}

// A driver has as many ticks in a second of the race, however long that takes.
TEST(a_race_that_hurries_is_told_more) {
    apex_sessions_def def = apex_default_sessions_def();
    def.strikes_max = 100000;
    def.bytes_per_s_max = 1000000;
    def.speed_permille = 16000;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_round(scene, 10 * second_us);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 500, 0), 400);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 500, second_us / 16), 200);
    uint64_t refused = scene_counter(scene, APEX_SESSION_REFUSED_RATE);
    for (int i = 0; i < 960; i++) {
        ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 1, second_us / 960), 1);
    }
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_RATE), refused);
    // Slow motion is no reason to say less.
    def.speed_permille = 100;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    said_and_mailed(APEX_CLIENT_CONTROLS, 500, 0);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 500, second_us), 200);
}

TEST(a_race_without_a_pace_is_told_as_much_as_it_has_made_ticks) {
    apex_sessions_def def = apex_default_sessions_def();
    def.strikes_max = 100000;
    def.bytes_per_s_max = 1000000;
    def.speed_permille = 0;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_round(scene, 10 * second_us);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 500, 0), 400);
    apex_sessions_went_on(scene->sessions, second_us / 2);
    apex_sessions_went_on(scene->sessions, second_us / 2);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 500, 1000), 200);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 500, 0), 0);
    // One that stands still is told as much as any other.
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_CONTROLS, 500, second_us), 200);
}

TEST(bytes_come_at_their_rate) {
    apex_sessions_def def = apex_default_sessions_def();
    def.messages_per_s_max = 10000;
    def.bytes_per_s_max = 1000;
    def.strikes_max = 1000;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    apex_client_message message = scene_message(APEX_CLIENT_CONTROLS);
    message.secret = scene_secret(scene, 0);
    size_t length = apex_encode_client(&message, bytes, sizeof bytes);
    uint32_t accepted = said_and_mailed(APEX_CLIENT_CONTROLS, 400, 10 * second_us);
    ck_assert_uint_eq(accepted, 2000 / length);
}

// Two full sets at once, and then two a second.
TEST(def_requests_have_a_rate_of_their_own) {
    apex_sessions_def def = apex_default_sessions_def();
    def.strikes_max = 1000;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_LOBBY);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_DEF_REQUEST, 60, 10 * second_us), 34);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_RATE), 26);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_DEF_REQUEST, 60, 3 * second_us), 6);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_TIME_REQUEST, 60, 0), 60);
}

// Eight at once, and then two a second.
TEST(pit_plans_have_a_rate_of_their_own) {
    apex_sessions_def def = apex_default_sessions_def();
    def.strikes_max = 1000;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_PIT_PLAN, 20, 10 * second_us), 8);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_RATE), 12);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_PIT_PLAN, 20, 3 * second_us), 6);
    ck_assert_uint_eq(said_and_mailed(APEX_CLIENT_TIME_REQUEST, 60, 0), 60);
}

TEST(one_sessions_flood_is_not_anothers) {
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_enter(scene, 1, APEX_SESSION_PLAYER);
    for (int i = 0; i < 600; i++) {
        say(0, APEX_CLIENT_CONTROLS);
    }
    say(1, APEX_CLIENT_CONTROLS);
    scene_round(scene, second_us);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, &mail), 400 + 1);
    ck_assert_uint_eq(scene_heard(scene, 1, 0, NULL), 0);
}

TEST(too_many_bad_messages_end_a_session) {
    apex_sessions_def def = apex_default_sessions_def();
    def.strikes_max = 10;
    start_again(def, FRAME_BYTES);
    scene->trust = APEX_LINK_SEALED;
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_SPECTATOR);
    for (int i = 0; i < 9; i++) {
        scene_say_bytes(scene, 0, 0, "\xFF", 1);
    }
    scene_round(scene, 1000);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_SPECTATOR);
    scene_say_bytes(scene, 0, 0, "\xFF", 1);
    say(0, APEX_CLIENT_LEAVE); // comes too late
    scene_round(scene, 1000);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_CLOSING);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, &heard), 1);
    ck_assert(heard.reject.closing);
    ck_assert(scene_is_closing(scene, 0));
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 0);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, &mail), 1);
    ck_assert_int_eq(mail.was, APEX_SESSION_SPECTATOR);
    ck_assert_uint_eq(mail.session.index1, id.index1);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED_STRIKES), 1);
}

TEST(strikes_are_forgiven_in_time) {
    apex_sessions_def def = apex_default_sessions_def();
    def.strikes_max = 3;
    start_again(def, FRAME_BYTES);
    scene->trust = APEX_LINK_SEALED;
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_LOBBY);
    for (int i = 0; i < 20; i++) {
        scene_say_bytes(scene, 0, 0, "\xFF", 1);
        scene_round(scene, 10 * second_us);
    }
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_LOBBY);
    for (int i = 0; i < 2; i++) {
        scene_say_bytes(scene, 0, 0, "\xFF", 1);
        scene_round(scene, 9 * second_us);
    }
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_CLOSING);
}

TEST(a_flood_of_refusals_is_not_answered_one_for_one) {
    apex_sessions_def def = apex_default_sessions_def();
    def.strikes_max = 1000;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_SPECTATOR);
    for (int i = 0; i < 100; i++) {
        say(0, APEX_CLIENT_JOIN);
    }
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_ORDER), 100);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_REJECT, NULL), 8);
}

static void expect_refusal(uint16_t number, apex_reason reason) {
    ck_assert_uint_eq(scene_heard(scene, number, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, reason);
    ck_assert(heard.reject.closing);
    ck_assert(scene_is_closing(scene, number));
}

TEST(a_full_server_says_so_and_has_room_again) {
    apex_sessions_def def = apex_default_sessions_def();
    def.clients_max = 2;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    apex_session_id leaving = scene_enter(scene, 1, APEX_SESSION_LOBBY);
    scene_enter(scene, 2, APEX_SESSION_GREETING);
    say(2, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    expect_refusal(2, APEX_REASON_SERVER_FULL);
    ck_assert_uint_eq(apex_sessions_welcomed(scene->sessions), 2);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_FULL), 1);
    // A client that is being thrown out gives its place away at once.
    apex_sessions_close(scene->sessions, leaving, APEX_REASON_KICKED, NULL);
    ck_assert_uint_eq(apex_sessions_welcomed(scene->sessions), 1);
    scene_enter(scene, 3, APEX_SESSION_LOBBY);
}

TEST(behind_locked_doors_only_who_is_in_goes_on) {
    apex_session_id player = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_enter(scene, 1, APEX_SESSION_LOBBY);
    scene_enter(scene, 2, APEX_SESSION_LOBBY);
    apex_sessions_lock(scene->sessions, true);
    ck_assert(apex_sessions_are_locked(scene->sessions));
    say(0, APEX_CLIENT_CONTROLS);
    say(1, APEX_CLIENT_JOIN);
    say(2, APEX_CLIENT_SPECTATE);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, &mail), 1);
    ck_assert_uint_eq(mail.session.index1, player.index1);
    for (uint16_t i = 1; i <= 2; i++) {
        ck_assert_uint_eq(scene_heard(scene, i, APEX_SERVER_REJECT, &heard), 1);
        ck_assert_int_eq(heard.reject.reason, APEX_REASON_LOCKDOWN);
        ck_assert(!heard.reject.closing);
    }
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_LOCKDOWN), 2);
    apex_sessions_lock(scene->sessions, false);
    say(1, APEX_CLIENT_JOIN);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 1);
}

TEST(watching_that_is_open_is_locked_all_the_same) {
    apex_sessions_def def = apex_default_sessions_def();
    def.watching_open = true;
    snprintf(def.password, sizeof def.password, "sesame");
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_LOBBY);
    apex_sessions_lock(scene->sessions, true);
    say(0, APEX_CLIENT_SPECTATE);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_MESSAGE, NULL), 0);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_LOCKDOWN), 1);
}

TEST(links_without_a_session_are_turned_away) {
    apex_sessions_def def = apex_default_sessions_def();
    def.sessions_max = 1;
    start_again(def, FRAME_BYTES);
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_connect(scene, 1, "10.0.0.2");
    say(1, APEX_CLIENT_HELLO);
    scene_disconnect(scene, 1);
    scene_round(scene, 1000);
    expect_refusal(1, APEX_REASON_SERVER_FULL);
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_PLAYER);
}

TEST(an_address_gets_its_share_of_clients) {
    apex_sessions_def def = apex_default_sessions_def();
    def.clients_per_address_max = 2;
    start_again(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_enter(scene, 1, APEX_SESSION_PLAYER);
    scene_enter(scene, 2, APEX_SESSION_GREETING);
    say(2, APEX_CLIENT_HELLO);
    scene_connect(scene, 3, "10.0.0.11");
    say(3, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    expect_refusal(2, APEX_REASON_ADDRESS_LIMIT);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, NULL), 1);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_ADDRESS), 1);
}

// Of IPv6 whoever has one address has its 64 bits of others as well.
TEST(a_household_gets_its_share_of_clients) {
    apex_sessions_def def = apex_default_sessions_def();
    def.clients_per_address_max = 2;
    start_again(def, FRAME_BYTES);
    static const char *const addresses[] = {"2001:db8:0:1::1", "2001:db8:0:1:ffff::2",
                                            "2001:db8:0:1::3", "2001:db8:0:2::1"};
    for (uint16_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++) {
        scene_connect(scene, i, addresses[i]);
        say(i, APEX_CLIENT_HELLO);
    }
    scene_round(scene, 1000);
    expect_refusal(2, APEX_REASON_ADDRESS_LIMIT);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, NULL), 3);
}

TEST(who_says_nothing_is_shut_out_on_time) {
    uint64_t patience_us = apex_default_sessions_def().greeting_us_max;
    scene_connect(scene, 0, "10.0.0.1");
    scene_round(scene, 0);
    scene_round(scene, patience_us - 1);
    ck_assert(!scene_is_closing(scene, 0));
    scene_round(scene, 1);
    expect_refusal(0, APEX_REASON_TIMEOUT);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED_SILENT), 1);
    ck_assert_uint_eq(scene->mail_count, 0);
    // Once it is in, a session may be quiet for ever: its link looks after that.
    apex_session_id id = scene_enter(scene, 1, APEX_SESSION_SPECTATOR);
    scene_round(scene, 1000 * patience_us);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_SPECTATOR);
}

TEST(who_never_comes_in_gives_his_place_back) {
    uint64_t patience_us = apex_default_sessions_def().lobby_us_max;
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_LOBBY);
    scene_round(scene, patience_us - 1);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_LOBBY);
    scene_round(scene, 1);
    expect_refusal(0, APEX_REASON_TIMEOUT);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED_SILENT), 1);
    ck_assert_uint_eq(apex_sessions_welcomed(scene->sessions), 0);
}

TEST(a_link_that_will_not_close_is_forgotten) {
    uint64_t patience_us = apex_default_sessions_def().closing_us_max;
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    apex_sessions_close(scene->sessions, id, APEX_REASON_SHUTDOWN, NULL);
    ck_assert(scene_is_closing(scene, 0));
    scene_round(scene, patience_us - 1);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_CLOSING);
    ck_assert(!scene_is_closing(scene, 0));
    scene_round(scene, 1);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_FREE);
    ck_assert(scene_is_closing(scene, 0)); // asked once more
    scene_disconnect(scene, 0);
    scene_round(scene, 1);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED), 1);
}

TEST_OVER(a_lost_link_is_told_once_with_what_it_was, 0, 4) {
    static const apex_session_state states[] = {APEX_SESSION_LOBBY, APEX_SESSION_JOINING,
                                                APEX_SESSION_PLAYER, APEX_SESSION_SPECTATOR};
    apex_session_id id = scene_enter(scene, 0, states[_i]);
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 1);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, &mail), 1);
    ck_assert_int_eq(mail.was, states[_i]);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_FREE);
    ck_assert_uint_eq(apex_sessions_welcomed(scene->sessions), 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
}

TEST(closing_says_goodbye_and_is_told_once) {
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    apex_sessions_close(scene->sessions, id, APEX_REASON_KICKED, "out, please");
    apex_sessions_close(scene->sessions, id, APEX_REASON_SHUTDOWN, NULL); // too late to matter
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    apex_sessions_send(scene->sessions, id, &notice);
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_GOODBYE, &heard), 1);
    ck_assert_int_eq(heard.goodbye.reason, APEX_REASON_KICKED);
    ck_assert_str_eq(heard.goodbye.text, "out, please");
    ck_assert_uint_eq(scene_heard(scene, 0, APEX_SERVER_NOTICE, NULL), 0);
    ck_assert(scene_is_closing(scene, 0));
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, &mail), 1);
    ck_assert_int_eq(mail.was, APEX_SESSION_PLAYER);
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_int_eq(scene_state(scene, id), APEX_SESSION_FREE);
}

TEST(an_id_outlives_nothing) {
    apex_session_id old = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_disconnect(scene, 0);
    scene_round(scene, 1000);
    apex_session_id new = scene_enter(scene, 0, APEX_SESSION_JOINING);
    ck_assert_uint_eq(new.index1, old.index1);
    ck_assert_uint_ne(new.generation, old.generation);
    static const apex_session_id odd[] = {{0, 0}, {0, 1}, {1, 0}, {65535, 1}};
    apex_session_id ids[] = {old, odd[0], odd[1], odd[2], odd[3]};
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        apex_sessions_send(scene->sessions, ids[i], &notice);
        apex_sessions_send_bytes(scene->sessions, ids[i], 0, (const uint8_t *)"x", 1);
        apex_sessions_accept(scene->sessions, ids[i], &(apex_joined){.player = 1});
        apex_sessions_reject(scene->sessions, ids[i], APEX_REASON_RACE_FULL, NULL);
        apex_sessions_welcome(scene->sessions, ids[i], &(apex_welcome){0});
        apex_sessions_close(scene->sessions, ids[i], APEX_REASON_KICKED, NULL);
        ck_assert_int_eq(scene_state(scene, ids[i]), APEX_SESSION_FREE);
        ck_assert_str_eq(apex_session_address(scene->sessions, ids[i]), "");
    }
    ck_assert_uint_eq(scene_heard(scene, 0, 0, NULL), 0);
    ck_assert_int_eq(scene_state(scene, new), APEX_SESSION_JOINING);
}

TEST(a_link_opened_over_an_open_one_replaces_it) {
    apex_session_id old = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_connect(scene, 0, "10.0.0.9");
    say(0, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, &mail), 1);
    ck_assert_uint_eq(mail.session.generation, old.generation);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, &mail), 1);
    ck_assert_str_eq(apex_session_address(scene->sessions, mail.session), "10.0.0.9");
}

TEST(a_steady_round_asks_the_heap_for_nothing) {
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE, .notice = {"go on"}};
    uint32_t mails = 0;
    heap_count_start();
    for (int i = 0; i < 1000; i++) {
        say(0, APEX_CLIENT_CONTROLS);
        say(0, APEX_CLIENT_TIME_REQUEST);
        scene_round(scene, 16667);
        mails += scene_mails(scene, APEX_MAIL_MESSAGE, NULL);
        apex_sessions_send(scene->sessions, id, &notice);
    }
    heap_count count = heap_count_stop();
    ck_assert_uint_eq(mails, 2000);
    if (heap_count_works()) {
        ck_assert_uint_eq(count.allocs, 0);
        ck_assert_uint_eq(count.frees, 0);
    }
}

static void fill_frame(size_t left) {
    while (scene->frame.capacity - scene->frame.used > left) {
        ck_assert_ptr_nonnull(apex_arena_alloc(&scene->frame, 1));
    }
}

TEST(a_reliable_message_without_room_ends_its_session) {
    apex_session_id first = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    apex_session_id second = scene_enter(scene, 1, APEX_SESSION_PLAYER);
    scene_round(scene, 1000);
    fill_frame(0);
    apex_server_message snapshot = {.kind = APEX_SERVER_SNAPSHOT};
    snapshot.snapshot.parts = 1;
    apex_sessions_send(scene->sessions, first, &snapshot);
    ck_assert_int_eq(scene_state(scene, first), APEX_SESSION_PLAYER);
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    apex_sessions_send(scene->sessions, second, &notice);
    ck_assert_int_eq(scene_state(scene, second), APEX_SESSION_CLOSING);
    ck_assert(scene_is_closing(scene, 1));
    ck_assert(!scene_is_closing(scene, 0));
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_OUTBOX_FULL), 2);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, &mail), 1);
    ck_assert_uint_eq(mail.session.index1, second.index1);
}

// The frame is full while the round is on: mail that must not be lost comes in the next.
TEST(closed_mail_waits_for_room) {
    start_again(apex_default_sessions_def(), 64 * 1024);
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    scene_disconnect(scene, 0);
    size_t capacity = scene->frame.capacity;
    scene->frame.capacity = 64;
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED), 0);
    scene->frame.capacity = capacity;
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, &mail), 1);
    ck_assert_uint_eq(mail.session.generation, id.generation);
    ck_assert_int_eq(mail.was, APEX_SESSION_PLAYER);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_CLOSED), 1);
}

TEST(mail_without_room_loses_controls_but_no_join) {
    start_again(apex_default_sessions_def(), 64 * 1024);
    apex_session_id player = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    apex_session_id joining = scene_enter(scene, 1, APEX_SESSION_LOBBY);
    say(0, APEX_CLIENT_CONTROLS);
    say(1, APEX_CLIENT_JOIN);
    scene->frame.capacity = 64;
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene->mail_count, 0);
    ck_assert_int_eq(scene_state(scene, player), APEX_SESSION_PLAYER);
    ck_assert_int_eq(scene_state(scene, joining), APEX_SESSION_CLOSING);
    ck_assert(scene_is_closing(scene, 1));
    ck_assert_uint_ge(scene_counter(scene, APEX_SESSION_OUTBOX_FULL), 2);
}
