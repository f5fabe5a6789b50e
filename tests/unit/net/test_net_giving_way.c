// Sessions that have not joined give way to others. All in virtual time.
#include "support/base/check_main.h"
#include "support/net/session_scene.h"

#include <string.h>

#include "net/sessions/session_table.h"

enum { FRAME_BYTES = 1024 * 1024 };

static const uint64_t second_us = 1000000;

static session_scene *scene;
static apex_server_message heard;
static apex_mail mail;

static void start(void) {
    scene = scene_open(apex_default_sessions_def(), FRAME_BYTES);
}

// Sessions are counted by household, however they came to be where they are.
static void check_counts(void) {
    uint32_t waiting = 0;
    uint32_t counted = 0;
    for (uint32_t i = 0; i < scene->sessions->def.sessions_max; i++) {
        uint8_t state = scene->sessions->table[i].state;
        waiting += state == APEX_SESSION_GREETING || state == APEX_SESSION_LOBBY;
    }
    for (uint32_t i = 0; i < NET_HOUSE_CELLS; i++) {
        counted += scene->sessions->waiting[i];
    }
    ck_assert_uint_eq(counted, waiting);
}

static void stop(void) {
    check_counts();
    scene_close(scene);
}

static void start_with(uint32_t sessions_max, uint32_t clients_max) {
    apex_sessions_def def = apex_default_sessions_def();
    def.sessions_max = sessions_max;
    def.clients_max = clients_max;
    scene_close(scene);
    scene = scene_open(def, FRAME_BYTES);
}

static void say(uint16_t number, apex_client_message_kind kind) {
    apex_client_message message = scene_message(kind);
    scene_say(scene, number, &message);
}

static void connect_at(uint16_t number, const char *address) {
    scene_connect(scene, number, address);
    scene_round(scene, 1000);
}

// In the lobby from its own address.
static void wait_at(uint16_t number, const char *address) {
    connect_at(number, address);
    say(number, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, &mail), 1);
}

static void expect_gone(uint16_t number) {
    ck_assert_uint_eq(scene_heard(scene, number, APEX_SERVER_REJECT, &heard), 1);
    ck_assert_int_eq(heard.reject.reason, APEX_REASON_SERVER_FULL);
    ck_assert(heard.reject.closing);
    ck_assert(scene_is_closing(scene, number));
}

static uint64_t gave_way(void) {
    return scene_counter(scene, APEX_SESSION_CLOSED_GAVE_WAY);
}

FIXTURE(start, stop)

TEST(links_that_say_nothing_shut_nobody_out) {
    start_with(9, 9); // one is kept free
    for (uint16_t i = 0; i < 8; i++) {
        connect_at(i, i % 2 == 0 ? "10.0.0.66" : "10.0.0.67");
    }
    ck_assert_uint_eq(gave_way(), 0);
    connect_at(8, "10.0.0.2");
    ck_assert_uint_eq(gave_way(), 1);
    expect_gone(0); // the oldest of the two households with most
    say(8, APEX_CLIENT_HELLO);
    say(0, APEX_CLIENT_HELLO); // too late
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, &mail), 1);
    ck_assert_str_eq(apex_session_address(scene->sessions, mail.session), "10.0.0.2");
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_FULL), 0);
    connect_at(9, "10.0.0.3"); // 67 has four now, 66 three
    expect_gone(1);
}

// A transport has no more links, however many WebSockets there may be.
TEST(links_of_the_transport_are_counted_by_themselves) {
    apex_sessions_def def = apex_default_sessions_def();
    def.sessions_max = 1000;
    def.scarce_links_max = 9; // one is kept free
    scene_close(scene);
    scene = scene_open(def, FRAME_BYTES);
    connect_at(20, "10.0.0.66"); // a WebSocket
    for (uint16_t i = 0; i < 8; i++) {
        connect_at(i, "10.0.0.66");
    }
    ck_assert_uint_eq(gave_way(), 0);
    scene_disconnect(scene, 7);
    connect_at(7, "10.0.0.2");
    ck_assert_uint_eq(gave_way(), 0);
    scene_connect(scene, 7, "10.0.0.3"); // over the one that was there
    scene_round(scene, 1000);
    ck_assert_uint_eq(gave_way(), 0);
    connect_at(9, "10.0.0.4"); // no link of the transport's
    ck_assert_uint_eq(gave_way(), 0);
    connect_at(8, "10.0.0.5");
    expect_gone(0);
}

TEST(waiting_in_the_lobby_shuts_nobody_out) {
    start_with(16, 4);
    for (uint16_t i = 0; i < 4; i++) {
        wait_at(i, "10.0.0.66");
    }
    connect_at(4, "10.0.0.2");
    say(4, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, &mail), 1);
    expect_gone(0);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, &mail), 1);
    ck_assert_int_eq(mail.was, APEX_SESSION_LOBBY);
    ck_assert_uint_eq(apex_sessions_welcomed(scene->sessions), 4);
}

TEST_OVER(who_has_joined_does_not_give_way, 0, 3) {
    static const apex_session_state states[] = {APEX_SESSION_JOINING, APEX_SESSION_PLAYER,
                                                APEX_SESSION_SPECTATOR};
    start_with(16, 4);
    for (uint16_t i = 0; i < 4; i++) {
        scene_enter(scene, i, states[_i]);
    }
    scene_round(scene, 100 * second_us);
    connect_at(4, "10.0.0.2");
    say(4, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_FULL), 1);
    ck_assert_uint_eq(gave_way(), 0);
}

// Among households of one each, a client has two seconds for its Join.
TEST(a_lone_client_gives_way_when_it_has_had_its_time) {
    start_with(16, 2);
    wait_at(0, "10.0.0.5");
    wait_at(1, "10.0.0.6");
    connect_at(2, "10.0.0.7");
    say(2, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_counter(scene, APEX_SESSION_REFUSED_FULL), 1);
    scene_round(scene, 2 * second_us);
    connect_at(3, "10.0.0.8");
    say(3, APEX_CLIENT_HELLO);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_WELCOMED, NULL), 1);
    expect_gone(0);
    ck_assert_uint_eq(gave_way(), 1);
}

TEST(an_address_makes_room_for_itself) {
    apex_sessions_def def = apex_default_sessions_def();
    def.clients_per_address_max = 2;
    scene_close(scene);
    scene = scene_open(def, FRAME_BYTES);
    scene_enter(scene, 0, APEX_SESSION_PLAYER); // all from 10.0.0.1
    scene_enter(scene, 1, APEX_SESSION_LOBBY);
    wait_at(2, "10.0.0.2");
    scene_round(scene, 2 * second_us);
    scene_enter(scene, 3, APEX_SESSION_LOBBY);
    ck_assert_uint_eq(gave_way(), 1);
    expect_gone(1);
}

// More of one household than may ever join are no clients.
TEST(a_household_has_a_share_of_those_who_wait) {
    apex_sessions_def def = apex_default_sessions_def();
    def.clients_per_address_max = 8;
    scene_close(scene);
    scene = scene_open(def, FRAME_BYTES);
    for (uint16_t i = 0; i < 16; i++) { // one /64
        connect_at(i, i % 2 == 0 ? "2001:db8::1" : "2001:db8::2");
    }
    ck_assert_uint_eq(gave_way(), 0);
    connect_at(16, "2001:db8:0:1::1"); // another
    ck_assert_uint_eq(gave_way(), 0);
    connect_at(17, "2001:db8::3");
    ck_assert_uint_eq(gave_way(), 1);
    expect_gone(0);
}

TEST(who_has_not_said_hello_goes_before_who_has) {
    start_with(9, 9); // one is kept free
    wait_at(0, "10.0.0.66");
    for (uint16_t i = 1; i < 8; i++) {
        connect_at(i, "10.0.0.66");
    }
    connect_at(8, "10.0.0.2");
    expect_gone(1);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_CLOSED, NULL), 0);
}

TEST(counts_follow_those_who_resume) {
    apex_sessions_def def = apex_default_sessions_def();
    def.resume_us_max = 10 * second_us;
    scene_close(scene);
    scene = scene_open(def, FRAME_BYTES);
    apex_session_id id = scene_enter(scene, 0, APEX_SESSION_PLAYER);
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    const net_session *session = net_session_find(scene->sessions, id);
    memcpy(hello.hello.resume_token, session->token, APEX_TOKEN_BYTES);
    hello.hello.has_token = true;
    connect_at(1, "10.0.0.77");
    check_counts();
    scene_say(scene, 1, &hello);
    scene_round(scene, 1000);
    ck_assert_uint_eq(scene_mails(scene, APEX_MAIL_RESUMED, NULL), 1);
    check_counts();
    scene_disconnect(scene, 1);
    scene_round(scene, 1000);
    check_counts();
}
