// The whole client over real sockets on loopback, against the server's own links and sessions:
// definitions longer than a datagram, controls, and the ways to part.
#include "support/base/check_main.h"
#include "support/net/net_server.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/client.h"
#include "defs/defs.h"

enum { FRAME_BYTES = 8 * 1024 * 1024, ROUNDS_MAX = 3000, TRACK_BYTES = 300000 };

static net_server server;
static apex_sessions *sessions;
static apex_client *client;
static uint8_t *track;
static uint32_t controls_heard, leaves_heard, closed_heard;
static apex_session_id visitor;

static void setup(uint32_t half_open_max) {
    apex_transport_def links = apex_default_transport_def();
    links.half_open_max = half_open_max;
    net_server_open(&server, links, FRAME_BYTES);
    apex_sessions_def def = apex_default_sessions_def();
    static const uint8_t KEY[16] = {1, 2, 3};
    ck_assert_int_eq(apex_sessions_create(&def, KEY, &sessions), APEX_OK);
    track = malloc(TRACK_BYTES);
    for (uint32_t i = 0; i < TRACK_BYTES; i++) {
        track[i] = (uint8_t)(i * 31 + i / 256);
    }
    controls_heard = 0;
    leaves_heard = 0;
    closed_heard = 0;
}

static void teardown(void) {
    apex_client_destroy(client);
    apex_sessions_destroy(sessions);
    net_server_close(&server);
    free(track);
}

static void welcome(apex_session_id id) {
    apex_welcome message = {.tick_hz = 60, .snapshot_hz = 20, .tick = 100, .speed_permille = 1000};
    message.def_count = 1;
    message.defs[0] = (apex_def_name){.kind = APEX_DEF_TRACK,
                                      .name = "long-way-round",
                                      .hash = apex_def_hash(track, TRACK_BYTES),
                                      .length = TRACK_BYTES};
    apex_sessions_welcome(sessions, id, &message);
}

static void answer(const apex_mail *mail) {
    visitor = mail->session;
    if (mail->kind == APEX_MAIL_WELCOMED) {
        welcome(mail->session);
        return;
    }
    if (mail->kind == APEX_MAIL_CLOSED) {
        closed_heard++;
        return;
    }
    apex_server_message reply = {0};
    switch (mail->message->kind) {
    case APEX_CLIENT_DEF_REQUEST:
        reply.kind = APEX_SERVER_DEF;
        reply.def = (apex_def_content){.kind = APEX_DEF_TRACK,
                                       .name = "long-way-round",
                                       .hash = mail->message->def_hash,
                                       .bytes = track,
                                       .length = TRACK_BYTES};
        apex_sessions_send(sessions, mail->session, &reply);
        break;
    case APEX_CLIENT_JOIN:
        apex_sessions_accept(sessions, mail->session,
                             &(apex_joined){.player = 1, .car = 2, .car_def = "boxster-s"});
        break;
    case APEX_CLIENT_TIME_REQUEST:
        reply.kind = APEX_SERVER_TIME_REPLY;
        reply.time_reply.client_us = mail->message->client_us;
        reply.time_reply.tick = 100;
        apex_sessions_send(sessions, mail->session, &reply);
        break;
    case APEX_CLIENT_CONTROLS:
        controls_heard++;
        break;
    case APEX_CLIENT_LEAVE:
        leaves_heard++;
        apex_sessions_close(sessions, mail->session, APEX_REASON_NONE, "goodbye");
        break;
    default:
        break;
    }
}

static void server_round(void) {
    net_server_round(&server);
    apex_mail *mail;
    apex_sessions_begin(sessions, net_server_now(&server), &server.frame);
    size_t count = apex_sessions_take(sessions, server.events, server.event_count, &mail);
    for (size_t i = 0; i < count; i++) {
        answer(&mail[i]);
    }
    const apex_link_packet *packets;
    size_t packet_count = apex_sessions_outbox(sessions, &packets);
    apex_transport_send(server.transport, packets, packet_count);
    const apex_link *closing;
    size_t closing_count = apex_sessions_closing(sessions, &closing);
    for (size_t i = 0; i < closing_count; i++) {
        apex_transport_close_link(server.transport, closing[i]);
    }
    apex_transport_flush(server.transport);
}

// Rounds until the client is in the state. @return false if it does not get there.
static bool run_until(apex_client_state state) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
        server_round();
        apex_client_update(client, net_server_now(&server));
        if (apex_client_state_of(client) == state) {
            return true;
        }
        struct pollfd readable = {.fd = apex_client_socket(client), .events = POLLIN};
        poll(&readable, 1, 1);
    }
    return false;
}

static void connect_client(const apex_client_def *def) {
    ck_assert_int_eq(apex_client_create(def, &client), APEX_OK);
    ck_assert_int_eq(apex_client_socket(client), -1);
    ck_assert_int_eq(
        apex_client_connect(client, "127.0.0.1", apex_transport_port(server.transport)), APEX_OK);
    ck_assert_int_eq(apex_client_state_of(client), APEX_CLIENT_CONNECTING);
    ck_assert_int_ge(apex_client_socket(client), 0);
}

TEST(joins_through_a_server_that_keeps_nothing_of_strangers) {
    setup(0); // half-open links are not tolerated at all
    apex_client_def def = apex_default_client_def();
    def.plain = true; // a seal shows all that a cookie does
    connect_client(&def);
    ck_assert(run_until(APEX_CLIENT_DRIVING));
    ck_assert_uint_ge(net_server_counter(&server, APEX_TRANSPORT_COOKIES_SENT), 1);
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_LINKS_OPENED), 1);
    ck_assert_uint_eq(apex_client_player(client), 1);
    ck_assert_uint_eq(apex_client_car(client), 2);
    teardown();
}

TEST(a_long_definition_arrives_whole) {
    setup(64);
    apex_client_def def = apex_default_client_def();
    def.want_defs = true;
    connect_client(&def);
    ck_assert(run_until(APEX_CLIENT_DRIVING));
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_COOKIES_SENT), 0);
    size_t length = 0;
    uint64_t hash = 0;
    const uint8_t *bytes = apex_client_def_bytes(client, APEX_DEF_TRACK, NULL, &length, &hash);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(length, TRACK_BYTES);
    ck_assert_mem_eq(bytes, track, TRACK_BYTES);
    ck_assert_uint_eq(hash, apex_def_hash(track, TRACK_BYTES));
    ck_assert_ptr_null(apex_client_def_bytes(client, APEX_DEF_CAR, NULL, &length, &hash));
    ck_assert_uint_gt(apex_client_stats_of(client).bytes_in, TRACK_BYTES);
    teardown();
}

TEST(controls_arrive_and_leaving_is_told) {
    setup(64);
    apex_client_def def = apex_default_client_def();
    connect_client(&def);
    ck_assert(run_until(APEX_CLIENT_DRIVING));
    for (int round = 0; round < ROUNDS_MAX && controls_heard < 5; round++) {
        server_round();
        apex_client_update(client, net_server_now(&server));
        struct pollfd readable = {.fd = apex_client_socket(client), .events = POLLIN};
        poll(&readable, 1, 1);
    }
    ck_assert_uint_ge(controls_heard, 5);
    apex_client_leave(client);
    ck_assert(run_until(APEX_CLIENT_CLOSED));
    const char *text;
    ck_assert_int_eq(apex_client_close_reason(client, &text), APEX_REASON_NONE);
    for (int round = 0; round < ROUNDS_MAX && closed_heard == 0; round++) {
        server_round();
        struct pollfd pause = {.fd = apex_client_socket(client), .events = POLLIN};
        poll(&pause, 1, 1);
        apex_client_update(client, net_server_now(&server));
    }
    ck_assert_uint_eq(leaves_heard, 1);
    ck_assert_uint_eq(closed_heard, 1);
    ck_assert_int_eq(apex_client_connect(client, "127.0.0.1", 1), APEX_ERR_STATE);
    teardown();
}

TEST(a_kick_reaches_the_client_with_its_text) {
    setup(64);
    apex_client_def def = apex_default_client_def();
    connect_client(&def);
    ck_assert(run_until(APEX_CLIENT_DRIVING));
    // Mail names the visitor; the words go out with the next round's outbox.
    for (int round = 0; round < ROUNDS_MAX && apex_client_state_of(client) == APEX_CLIENT_DRIVING;
         round++) {
        server_round();
        apex_mail *none;
        apex_sessions_begin(sessions, net_server_now(&server), &server.frame);
        apex_sessions_take(sessions, NULL, 0, &none);
        apex_sessions_close(sessions, visitor, APEX_REASON_KICKED, "wrong side of the road");
        const apex_link_packet *packets;
        size_t count = apex_sessions_outbox(sessions, &packets);
        apex_transport_send(server.transport, packets, count);
        apex_transport_flush(server.transport);
        apex_client_update(client, net_server_now(&server));
        struct pollfd readable = {.fd = apex_client_socket(client), .events = POLLIN};
        poll(&readable, 1, 1);
    }
    const char *text;
    ck_assert_int_eq(apex_client_state_of(client), APEX_CLIENT_CLOSED);
    ck_assert_int_eq(apex_client_close_reason(client, &text), APEX_REASON_KICKED);
    ck_assert_str_eq(text, "wrong side of the road");
    teardown();
}

TEST(a_host_that_does_not_exist_is_said_at_once) {
    apex_client_def def = apex_default_client_def();
    apex_client *lost;
    ck_assert_int_eq(apex_client_create(&def, &lost), APEX_OK);
    ck_assert_int_eq(apex_client_connect(lost, "no.such.host.invalid", 26000), APEX_ERR_NOT_FOUND);
    ck_assert_int_eq(apex_client_state_of(lost), APEX_CLIENT_IDLE);
    ck_assert_int_eq(apex_client_socket(lost), -1);
    apex_client_update(lost, 1);
    apex_client_destroy(lost);
}
