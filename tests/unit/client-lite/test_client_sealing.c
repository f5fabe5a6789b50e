// A client and a server over real sockets with somebody between them, who reads, changes, repeats
// and forges: he learns nothing, and nobody is disturbed.
#include "support/base/check_main.h"

#include <enet/enet.h>
#include <string.h>
#include <time.h>

#include "client-lite/transport.h"
#include "seal/seal.h"
#include "support/net/middleman.h"
#include "support/net/net_server.h"

enum { FRAME_BYTES = 1 << 20 };

static const char up_words[] = "throttle, brake and steer";
static const char down_words[] = "where everybody is";

static uint8_t secret[APEX_SEAL_KEY_BYTES];
static net_server server;
static middleman man;
static client_transport *client;
static bool is_open;
static uint32_t closed_count, received;
static apex_reason closed_for;
static uint8_t newest[64]; // that the client has received
static size_t newest_length;

static void open_server(apex_plain plain) {
    apex_transport_def def = apex_default_transport_def();
    def.plain = plain;
    def.seal_secret = secret;
    net_server_open(&server, def, FRAME_BYTES);
}

static void open_client(bool is_plain, const uint8_t *key, uint16_t port) {
    client_transport_def def = {.is_plain = is_plain, .server_key = key};
    ck_assert_int_eq(client_transport_create(&def, &client), APEX_OK);
    ck_assert_int_eq(client_transport_connect(client, "127.0.0.1", port), APEX_OK);
}

static void start(void) {
    is_open = false;
    closed_count = 0;
    received = 0;
    apex_seal_make_secret(secret);
    open_server(APEX_PLAIN_NONE);
    middleman_open(&man, apex_transport_port(server.transport));
}

static void stop(void) {
    client_transport_destroy(client);
    client = NULL;
    middleman_close(&man);
    net_server_close(&server);
}

static void take_events(void) {
    client_link_event event;
    while (client_transport_poll(client, &event)) {
        if (event.kind == CLIENT_LINK_OPENED) {
            is_open = true;
        } else if (event.kind == CLIENT_LINK_CLOSED) {
            closed_count++;
            closed_for = event.reason;
        } else {
            ck_assert_uint_le(event.length, sizeof newest);
            memcpy(newest, event.bytes, event.length);
            newest_length = event.length;
            received++;
        }
    }
}

static void turn(void) {
    struct timespec moment = {.tv_nsec = 1000000};
    client_transport_service(client);
    take_events();
    client_transport_flush(client);
    middleman_pump(&man);
    net_server_round(&server);
    middleman_pump(&man);
    nanosleep(&moment, NULL);
}

static void turns(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        turn();
    }
}

static void until_open(void) {
    for (uint32_t i = 0; i < 3000 && !(is_open && server.opened > 0); i++) {
        turn();
    }
    ck_assert(is_open);
    ck_assert_uint_eq(server.opened, 1);
}

// What clients wait for passes at once.
static void let_pass(uint32_t ms) {
    enet_time_set(enet_time_get() + ms);
}

static uint64_t counted(apex_transport_counter counter) {
    return net_server_counter(&server, counter);
}

static void send_up(uint8_t channel) {
    client_transport_send(client, channel, (const uint8_t *)up_words, sizeof up_words);
    client_transport_flush(client);
}

static void send_down(uint8_t channel) {
    apex_link_packet packet = {.link = server.newest,
                               .channel = channel,
                               .bytes = (const uint8_t *)down_words,
                               .length = sizeof down_words};
    apex_transport_send(server.transport, &packet, 1);
    apex_transport_flush(server.transport);
}

// Both channels there and back.
static void talk(void) {
    uint32_t packets = server.packets;
    uint32_t before = received;
    for (uint8_t channel = 0; channel < APEX_CHANNEL_COUNT; channel++) {
        send_up(channel);
        send_down(channel);
    }
    turns(20);
    ck_assert_uint_eq(server.packets, packets + APEX_CHANNEL_COUNT);
    ck_assert_uint_eq(received, before + APEX_CHANNEL_COUNT);
    ck_assert_mem_eq(newest, down_words, sizeof down_words);
    ck_assert_uint_eq(closed_count, 0);
    ck_assert_uint_eq(server.closed, 0);
}

static bool contains(const middleman_datagram *datagram, const char *words, size_t length) {
    for (size_t i = 0; i + length <= datagram->length; i++) {
        if (memcmp(datagram->bytes + i, words, length) == 0) {
            return true;
        }
    }
    return false;
}

FIXTURE(start, stop)

TEST(who_reads_along_learns_nothing) {
    open_client(false, NULL, man.port);
    until_open();
    talk();
    uint32_t sealed = 0;
    for (uint32_t i = 0; i < man.seen_count; i++) {
        apex_seal_kind kind = apex_seal_kind_of(man.seen[i].bytes, man.seen[i].length);
        ck_assert_int_ne(kind, APEX_SEAL_NONE);
        ck_assert(!contains(&man.seen[i], up_words, 6));
        ck_assert(!contains(&man.seen[i], down_words, 6));
        sealed += kind == APEX_SEAL_DATA;
    }
    ck_assert_uint_gt(sealed, 8);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_SEALED), 1);
    ck_assert_mem_eq(client_transport_server_key(client), apex_transport_seal_key(server.transport),
                     APEX_SEAL_KEY_BYTES);
}

// A proof that the client makes for this connection is one that the server can check.
TEST(both_ends_have_one_binding_for_each_connection) {
    uint8_t first[APEX_SEAL_BINDING_BYTES];
    open_client(false, NULL, man.port);
    ck_assert_ptr_null(client_transport_binding(client));
    until_open();
    ck_assert_ptr_nonnull(client_transport_binding(client));
    ck_assert_mem_eq(client_transport_binding(client), server.binding, sizeof first);
    memcpy(first, server.binding, sizeof first);
    is_open = false;
    client_transport_reconnect(client);
    ck_assert_ptr_null(client_transport_binding(client));
    for (uint32_t i = 0; i < 3000 && !(is_open && server.opened > 1); i++) {
        turn();
    }
    ck_assert_mem_eq(client_transport_binding(client), server.binding, sizeof first);
    ck_assert_mem_ne(first, server.binding, sizeof first);
}

static bool lose_each_kind_once(void *context, middleman_datagram *datagram) {
    uint32_t *lost = context;
    uint32_t bit = 1u << (datagram->bytes[0] & 7);
    bool is_new = datagram->bytes[0] != APEX_SEAL_DATA && (*lost & bit) == 0;
    *lost |= bit;
    return !is_new;
}

TEST(each_datagram_of_the_handshake_may_be_lost) {
    uint32_t lost = 0;
    man.passes = lose_each_kind_once;
    man.context = &lost;
    open_client(false, NULL, man.port);
    for (uint32_t i = 0; i < 100 && !is_open; i++) {
        turns(5);
        let_pass(200);
    }
    until_open();
    talk();
    ck_assert_uint_eq(lost & 0x1E, 0x1E); // HELLO, COOKIE, OPEN and ACCEPT
    ck_assert_uint_eq(counted(APEX_TRANSPORT_SEALED), 1);
}

static bool change_each_third(void *context, middleman_datagram *datagram) {
    uint32_t *count = context;
    if (datagram->bytes[0] == APEX_SEAL_DATA && ++*count % 3 == 0) {
        datagram->bytes[*count % datagram->length] ^= 0x10;
    }
    return true;
}

TEST(what_was_changed_is_lost_and_no_more) {
    uint32_t count = 0;
    open_client(false, NULL, man.port);
    until_open();
    man.passes = change_each_third;
    man.context = &count;
    for (uint32_t i = 0; i < 60; i++) {
        send_up(APEX_CHANNEL_STATE);
        turn();
    }
    turns(20);
    ck_assert_uint_ge(server.packets, 35);
    ck_assert_uint_lt(server.packets, 60);
    ck_assert_uint_gt(counted(APEX_TRANSPORT_REFUSED_SEAL), 10);
    man.passes = NULL;
    talk();
}

static bool send_twice(void *context, middleman_datagram *datagram) {
    middleman_send(context, datagram->is_up, datagram->bytes, datagram->length);
    return true;
}

TEST(what_is_repeated_counts_once) {
    open_client(false, NULL, man.port);
    until_open();
    man.passes = send_twice;
    man.context = &man;
    uint32_t packets = server.packets;
    for (uint32_t i = 0; i < 30; i++) {
        send_up(APEX_CHANNEL_STATE);
        send_down(APEX_CHANNEL_STATE);
        turn();
    }
    turns(5);
    ck_assert_uint_eq(server.packets, packets + 30);
    ck_assert_uint_eq(received, 30);
    ck_assert_uint_ge(counted(APEX_TRANSPORT_REFUSED_SEAL), 30);
    // All that was seen so far, again.
    man.passes = NULL;
    uint32_t seen = man.seen_count;
    for (uint32_t i = 0; i < seen; i++) {
        middleman_send(&man, man.seen[i].is_up, man.seen[i].bytes, man.seen[i].length);
    }
    turns(5);
    ck_assert_uint_eq(server.packets, packets + 30);
    ck_assert_uint_eq(received, 30);
    talk();
}

// From the client's own address, for the peer that its link has: what took a driver out of a race
// in seconds before (D1, D2).
TEST(forged_datagrams_without_a_seal_do_nothing) {
    open_client(false, NULL, man.port);
    until_open();
    uint32_t packets = server.packets;
    for (uint32_t session = 0; session < 4; session++) {
        const uint8_t disconnect[] = {(uint8_t)(session << 4), 0, 0x44, 0xFF, 0, 0, 0, 0, 0, 0};
        const uint8_t controls[] = {(uint8_t)(session << 4), 0, 0x49, 1, 0, 0, 0x7F, 0, 0, 1, 9};
        middleman_send(&man, true, disconnect, sizeof disconnect);
        middleman_send(&man, true, controls, sizeof controls);
        middleman_send(&man, false, disconnect, sizeof disconnect);
    }
    turns(20);
    ck_assert_uint_eq(server.packets, packets);
    ck_assert_uint_eq(server.closed, 0);
    ck_assert_uint_ge(counted(APEX_TRANSPORT_REFUSED_STRANGER), 8);
    talk();
}

TEST(a_client_that_moves_keeps_its_link) {
    open_client(false, NULL, man.port);
    until_open();
    talk();
    middleman_move(&man, apex_transport_port(server.transport));
    send_up(APEX_CHANNEL_STATE); // until then the server cannot know
    turns(5);
    talk();
    ck_assert_uint_eq(server.opened, 1);
}

// An old datagram that somebody has seen does not draw the link to himself.
TEST(an_old_datagram_from_elsewhere_moves_nobody) {
    open_client(false, NULL, man.port);
    until_open();
    talk();
    middleman thief;
    middleman_open(&thief, apex_transport_port(server.transport));
    for (uint32_t i = 0; i < man.seen_count; i++) {
        if (man.seen[i].is_up) {
            middleman_send(&thief, true, man.seen[i].bytes, man.seen[i].length);
        }
    }
    turns(5);
    middleman_close(&thief);
    send_down(APEX_CHANNEL_STATE);
    uint32_t before = received;
    turns(5);
    ck_assert_uint_eq(received, before + 1);
}

TEST(a_server_that_is_known_is_insisted_on) {
    uint8_t key[APEX_SEAL_KEY_BYTES];
    memcpy(key, apex_transport_seal_key(server.transport), sizeof key);
    key[0] ^= 1;
    open_client(false, key, man.port);
    for (uint32_t i = 0; i < 100 && closed_count == 0; i++) {
        turns(3);
        let_pass(200);
    }
    ck_assert_uint_eq(closed_count, 1);
    ck_assert_int_eq(closed_for, APEX_REASON_SERVER_KEY);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_SEALED), 0);
}

TEST(a_server_of_the_same_secret_is_known_again) {
    uint8_t key[APEX_SEAL_KEY_BYTES];
    memcpy(key, apex_transport_seal_key(server.transport), sizeof key);
    net_server_close(&server);
    open_server(APEX_PLAIN_NONE);
    middleman_move(&man, apex_transport_port(server.transport));
    open_client(false, key, man.port);
    until_open();
    talk();
}

// After a restart nobody has the keys that a client still seals with.
TEST(a_client_comes_back_after_the_server_went) {
    open_client(false, NULL, man.port);
    until_open();
    net_server_close(&server);
    open_server(APEX_PLAIN_NONE);
    middleman_move(&man, apex_transport_port(server.transport));
    send_up(APEX_CHANNEL_STATE);
    turns(5);
    ck_assert_uint_eq(server.packets, 0);
    ck_assert_uint_ge(counted(APEX_TRANSPORT_REFUSED_STRANGER), 1);
    is_open = false;
    client_transport_reconnect(client);
    until_open();
    talk();
}

TEST(where_a_seal_is_asked_for_a_plain_client_is_told_so) {
    open_client(true, NULL, man.port);
    for (uint32_t i = 0; i < 500 && closed_count == 0; i++) {
        turn();
    }
    ck_assert_uint_eq(closed_count, 1);
    ck_assert_int_eq(closed_for, APEX_REASON_SEAL_NEEDED);
    ck_assert_uint_ge(counted(APEX_TRANSPORT_REFUSED_PLAIN), 1);
    ck_assert_uint_eq(server.opened, 0);
}

TEST(near_a_plain_client_may_come_in) {
    net_server_close(&server);
    open_server(APEX_PLAIN_NEAR);
    middleman_move(&man, apex_transport_port(server.transport));
    open_client(true, NULL, man.port);
    until_open();
    talk();
    ck_assert_ptr_null(client_transport_server_key(client));
    ck_assert_ptr_null(client_transport_binding(client));
}

// Who floods over a seal can be nobody else: past its rate and a thousand more it has to go.
TEST(a_sealed_client_that_floods_loses_its_link) {
    net_server_close(&server);
    open_server(APEX_PLAIN_NEAR);
    middleman_move(&man, apex_transport_port(server.transport));
    open_client(false, NULL, man.port);
    until_open();
    for (uint32_t i = 0; i < 2900; i++) { // four seconds' worth, and less than a thousand
        send_up(1);
        if (i % 100 == 99) {
            turn();
        }
    }
    ck_assert_uint_ge(counted(APEX_TRANSPORT_REFUSED_LINK_FLOOD), 500);
    ck_assert_uint_eq(server.closed, 0);
    for (uint32_t i = 0; i < 2000 && server.closed == 0; i++) {
        send_up(1);
        if (i % 100 == 99) {
            turn();
        }
    }
    turns(20);
    ck_assert_uint_eq(server.closed, 1);
}

// Nobody is remembered who has only asked.
TEST(a_flood_of_hellos_leaves_nothing_behind) {
    apex_seal_client asking;
    uint8_t hello[APEX_SEAL_HANDSHAKE_BYTES];
    uint64_t bytes_in = counted(APEX_TRANSPORT_BYTES_IN);
    for (uint32_t i = 0; i < 1000; i++) {
        apex_seal_client_init(&asking, NULL);
        size_t length = apex_seal_client_ask(&asking, hello);
        middleman_send(&man, true, hello, length);
        hello[0] = APEX_SEAL_OPEN; // with a cookie of zeros
        middleman_send(&man, true, hello, length);
        if (i % 50 == 0) {
            net_server_round(&server);
        }
    }
    net_server_round(&server);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_SEALED), 0);
    ck_assert_uint_ge(counted(APEX_TRANSPORT_REFUSED_HANDSHAKE), 1000);
    ck_assert_uint_ge(counted(APEX_TRANSPORT_HELLOS), 120); // at once; others in a while
    bytes_in = counted(APEX_TRANSPORT_BYTES_IN) - bytes_in;
    ck_assert_uint_lt(counted(APEX_TRANSPORT_BYTES_OUT), bytes_in); // no amplifier
    open_client(false, NULL, man.port);
    until_open();
    talk();
}
