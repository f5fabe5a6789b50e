// Sessions over the ENet transport on loopback: the two halves as a server joins them, and stock
// ENet clients on the other side.
#include "support/base/check_main.h"
#include "support/net/enet_client.h"
#include "support/net/net_server.h"
#include "support/net/session_scene.h"

#include <string.h>

enum { FRAME_BYTES = 4 * 1024 * 1024, ROUNDS_MAX = 2000, CLIENTS = 30 };

static net_server server;
static apex_sessions *sessions;

static void start(void) {
    static const uint8_t key[16] = {0};
    apex_sessions_def def = apex_default_sessions_def();
    net_server_open(&server, apex_default_transport_def(), FRAME_BYTES);
    ck_assert_int_eq(apex_sessions_create(&def, key, &sessions), APEX_OK);
}

static void stop(void) {
    apex_sessions_destroy(sessions);
    net_server_close(&server);
}

static void tick(void) {
    net_server_round(&server);
    apex_mail *mail = NULL;
    apex_sessions_begin(sessions, net_server_now(&server), &server.frame);
    size_t count = apex_sessions_take(sessions, server.events, server.event_count, &mail);
    for (size_t i = 0; i < count; i++) {
        if (mail[i].kind == APEX_MAIL_WELCOMED) {
            apex_sessions_welcome(sessions, mail[i].session,
                                  &(apex_welcome){.tick_hz = 60, .snapshot_hz = 20});
        }
    }
    const apex_link_packet *packets = NULL;
    size_t packet_count = apex_sessions_outbox(sessions, &packets);
    apex_transport_send(server.transport, packets, packet_count);
    const apex_link *links = NULL;
    size_t link_count = apex_sessions_closing(sessions, &links);
    for (size_t i = 0; i < link_count; i++) {
        apex_transport_close_link(server.transport, links[i]);
    }
    apex_transport_flush(server.transport);
}

static void say_hello(enet_client *client, uint32_t version) {
    apex_client_message hello = scene_message(APEX_CLIENT_HELLO);
    hello.hello.protocol_version = version;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_client(&hello, bytes, sizeof bytes);
    enet_client_send(client, APEX_CHANNEL_RELIABLE, bytes, length);
}

FIXTURE(start, stop)

// All clients say Hello the moment that they are connected, which puts it into one datagram with
// the last word of ENet's handshake.
TEST(a_hello_right_after_connecting_is_not_lost) {
    enet_client clients[CLIENTS];
    bool has_said[CLIENTS] = {false};
    uint32_t welcomed = 0;
    for (int i = 0; i < CLIENTS; i++) {
        enet_client_open(&clients[i], apex_transport_port(server.transport), 2);
    }
    for (int round = 0; round < ROUNDS_MAX && welcomed < CLIENTS; round++) {
        tick();
        welcomed = 0;
        for (int i = 0; i < CLIENTS; i++) {
            enet_client_service(&clients[i], 0);
            if (clients[i].is_connected && !has_said[i]) {
                say_hello(&clients[i], APEX_PROTOCOL_VERSION);
                has_said[i] = true;
            }
            welcomed += clients[i].packets;
        }
    }
    ck_assert_uint_eq(welcomed, CLIENTS);
    ck_assert_uint_eq(apex_sessions_welcomed(sessions), CLIENTS);
    for (int i = 0; i < CLIENTS; i++) {
        ck_assert_uint_eq(clients[i].peer->packetsLost, 0); // nothing was sent twice
        enet_client_close(&clients[i]);
    }
}

TEST(the_quality_of_a_link_is_known_while_it_is_open) {
    apex_link_quality quality = {.round_trip_ms = 9999};
    ck_assert(!apex_transport_quality(server.transport, (apex_link){1, 1}, &quality));
    enet_client client;
    enet_client_open(&client, apex_transport_port(server.transport), 2);
    for (int round = 0; round < ROUNDS_MAX && !client.is_connected; round++) {
        enet_client_service(&client, 1);
        tick();
    }
    say_hello(&client, APEX_PROTOCOL_VERSION);
    for (int round = 0; round < ROUNDS_MAX && apex_sessions_welcomed(sessions) == 0; round++) {
        enet_client_service(&client, 1);
        tick();
    }
    apex_link link = apex_session_link(sessions, (apex_session_id){1, 1});
    ck_assert(link.index1 == server.newest.index1 && link.generation == server.newest.generation);
    ck_assert(apex_transport_quality(server.transport, link, &quality));
    ck_assert_uint_lt(quality.round_trip_ms, 500); // ENet's guess before it has measured
    apex_link stale = {link.index1, (uint16_t)(link.generation + 1)};
    ck_assert(!apex_transport_quality(server.transport, stale, &quality));
    ck_assert(
        !apex_transport_quality(server.transport, (apex_link){65535, 1}, &quality)); // a browser's
    enet_client_close(&client); // without a word
    for (int round = 0; round < ROUNDS_MAX && server.closed == 0; round++) {
        server.skipped_us += 20000;
        tick();
    }
    ck_assert_uint_eq(server.closed, 1);
    ck_assert(!apex_transport_quality(server.transport, link, &quality));
    ck_assert_uint_eq(apex_session_link(sessions, (apex_session_id){1, 1}).index1, 0);
}

TEST(a_closing_reject_arrives_before_the_end) {
    static _Alignas(16) uint8_t scratch[APEX_DECODE_SCRATCH_BYTES];
    enet_client client;
    enet_client_open(&client, apex_transport_port(server.transport), 2);
    for (int round = 0; round < ROUNDS_MAX && !client.is_connected; round++) {
        enet_client_service(&client, 1);
        tick();
    }
    say_hello(&client, 99);
    for (int round = 0; round < ROUNDS_MAX && server.closed == 0; round++) {
        enet_client_service(&client, 1);
        tick();
    }
    ck_assert(client.is_disconnected);
    ck_assert_uint_eq(client.packets, 1);
    apex_server_message message;
    size_t kept = client.last_length < sizeof client.last_bytes ? client.last_length
                                                                : sizeof client.last_bytes;
    ck_assert_uint_eq(kept, client.last_length);
    ck_assert(apex_decode_server(client.last_bytes, kept, (apex_scratch){scratch, sizeof scratch},
                                 &message, NULL));
    ck_assert_int_eq(message.kind, APEX_SERVER_REJECT);
    ck_assert_int_eq(message.reject.reason, APEX_REASON_VERSION);
    ck_assert(message.reject.closing);
    ck_assert_uint_eq(apex_sessions_counters(sessions)[APEX_SESSION_CLOSED], 1);
    enet_client_close(&client);
}
