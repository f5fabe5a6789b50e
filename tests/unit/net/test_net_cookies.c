// Connecting to a server that keeps nothing of who has not shown that it receives at its address.
#include "support/base/check_main.h"
#include "support/net/enet_attack.h"
#include "support/net/enet_client.h"
#include "support/net/net_server.h"

#include <string.h>

#include "net/enet/fair_budget.h"

enum { FRAME_BYTES = 1024 * 1024, ROUNDS_MAX = 2000, VERIFY_BYTES = 48, ACKNOWLEDGE_BYTES = 12 };

static net_server server;

// Every CONNECT is answered with a cookie.
static void start_with(uint32_t links_max) {
    apex_transport_def def = apex_default_transport_def();
    def.half_open_max = 0;
    def.links_max = links_max;
    net_server_open(&server, def, FRAME_BYTES);
}

static void start(void) {
    start_with(16);
}

static void stop(void) {
    net_server_close(&server);
}

static uint64_t counted(apex_transport_counter counter) {
    return net_server_counter(&server, counter);
}

static uint16_t port(void) {
    return apex_transport_port(server.transport);
}

typedef struct stranger {
    enet_attack attack;
    uint8_t verify[VERIFY_BYTES];
    uint8_t acknowledge[ACKNOWLEDGE_BYTES];
} stranger;

// Has a VERIFY_CONNECT, and what answers it.
static void ask(stranger *self) {
    enet_attack_open(&self->attack, port());
    enet_attack_connect(&self->attack, 1, 0);
    net_server_round(&server);
    uint8_t bytes[2048];
    ck_assert_uint_eq(enet_attack_receive(&self->attack, bytes, sizeof bytes), VERIFY_BYTES);
    memcpy(self->verify, bytes, VERIFY_BYTES);
    const uint8_t *said = self->verify;
    const uint8_t acknowledge[ACKNOWLEDGE_BYTES] = {(uint8_t)(0x80 | said[11] << 4 | said[8]),
                                                    said[9],
                                                    0,
                                                    0,
                                                    1,
                                                    0xFF,
                                                    said[6],
                                                    said[7],
                                                    said[6],
                                                    said[7],
                                                    said[2],
                                                    said[3]};
    memcpy(self->acknowledge, acknowledge, sizeof acknowledge);
}

static void acknowledge(const stranger *self) {
    enet_attack_send(&self->attack, self->acknowledge, sizeof self->acknowledge);
    net_server_round(&server);
}

FIXTURE(start, stop)

TEST(a_verify_connect_is_what_enet_would_have_said) {
    stranger self;
    ask(&self);
    const uint8_t *command = self.verify + 4;
    ck_assert_uint_eq(self.verify[0] & 0xCF, 0x80); // with its time; to the peer id that it gave
    ck_assert_uint_eq(self.verify[1], 7);
    ck_assert_uint_eq(command[0], 0x83);
    ck_assert_uint_eq(command[1], 0xFF);
    ck_assert_uint_eq(self.verify[0] >> 4 & 3, command[6]);
    ck_assert_mem_eq(command + 8, "\0\0\x05\x78\0\1\0\0\0\0\0\2", 12); // MTU, window, channels
    ck_assert_mem_eq(command + 28, "\0\0\x13\x88\0\0\0\2\0\0\0\2\1\0\0\0", 16); // as it said
    ck_assert_uint_eq(counted(APEX_TRANSPORT_COOKIES_SENT), 1);
    // Nothing is kept.
    server.skipped_us += 5000000;
    net_server_round(&server);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_HALF_OPEN_RESET), 0);
    enet_attack_close(&self.attack);
}

TEST(a_stock_client_comes_talks_and_leaves) {
    enet_client client;
    enet_client_open(&client, port(), 2);
    for (int i = 0; i < ROUNDS_MAX && server.opened == 0; i++) {
        enet_client_service(&client, 1);
        net_server_round(&server);
    }
    ck_assert(client.is_connected);
    ck_assert_str_eq(server.events[0].address, "127.0.0.1");
    enet_client_send(&client, 0, "reliable", 8);
    enet_client_send(&client, 1, "state", 5);
    apex_link_packet packet = {server.newest, 0, (const uint8_t *)"down", 4};
    apex_transport_send(server.transport, &packet, 1);
    for (int i = 0; i < ROUNDS_MAX && (server.packets < 2 || client.packets < 1); i++) {
        enet_client_service(&client, 1);
        net_server_round(&server);
    }
    ck_assert_uint_eq(server.packets, 2);
    ck_assert_mem_eq(client.last_bytes, "down", 4);
    for (int i = 0; i < 30; i++) { // until all that is reliable has been acknowledged
        enet_client_service(&client, 1);
        net_server_round(&server);
    }
    apex_link_quality quality;
    ck_assert(apex_transport_quality(server.transport, server.newest, &quality));
    ck_assert_uint_lt(quality.round_trip_ms, 600);
    enet_peer_disconnect(client.peer, 0);
    for (int i = 0; i < ROUNDS_MAX && !client.is_disconnected; i++) {
        enet_client_service(&client, 1);
        net_server_round(&server);
    }
    for (int i = 0; i < 10; i++) { // a second of silence shows that it was itself
        server.skipped_us += 200000;
        net_server_round(&server);
    }
    ck_assert_uint_eq(server.closed, 1);
    ck_assert_uint_eq(server.opened, 1);
    enet_client_close(&client);
}

// Hello goes with the acknowledgement.
TEST(what_comes_with_the_proof_is_heard) {
    stranger self;
    ask(&self);
    uint8_t bytes[ACKNOWLEDGE_BYTES + 9] = {0};
    memcpy(bytes, self.acknowledge, ACKNOWLEDGE_BYTES);
    memcpy(bytes + ACKNOWLEDGE_BYTES, "\x86\0\0\1\0\3Hey", 9);
    enet_attack_send(&self.attack, bytes, sizeof bytes);
    net_server_round(&server);
    ck_assert_uint_eq(server.opened, 1);
    ck_assert_uint_eq(server.packets, 1);
    ck_assert_mem_eq(server.events[1].bytes, "Hey", 3);
    enet_attack_close(&self.attack);
}

TEST(nobody_gets_in_by_what_another_was_told) {
    stranger self;
    stranger other;
    ask(&self);
    ask(&other);
    memcpy(other.acknowledge, self.acknowledge, ACKNOWLEDGE_BYTES);
    acknowledge(&other);
    ck_assert_uint_eq(server.opened, 0);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_REFUSED_COOKIE), 1);
    acknowledge(&self);
    ck_assert_uint_eq(server.opened, 1);
    enet_attack_close(&self.attack);
    enet_attack_close(&other.attack);
}

TEST(a_changed_answer_is_no_proof) {
    static const uint8_t places[] = {0, 1, 8, 9, 10, 11};
    stranger self;
    ask(&self);
    for (size_t i = 0; i < sizeof places; i++) {
        self.acknowledge[places[i]] ^= 0x10;
        acknowledge(&self);
        self.acknowledge[places[i]] ^= 0x10;
        ck_assert_uint_eq(server.opened, 0);
    }
    acknowledge(&self);
    ck_assert_uint_eq(server.opened, 1);
    enet_attack_close(&self.attack);
}

TEST_OVER(an_answer_is_good_for_ten_seconds_at_least, 0, 2) {
    stranger self;
    ask(&self);
    server.skipped_us += _i == 0 ? 9900000 : 20000000;
    acknowledge(&self);
    ck_assert_uint_eq(server.opened, _i == 0 ? 1 : 0);
    enet_attack_close(&self.attack);
}

// ENet repeats what is not acknowledged, and so does its client.
TEST(a_proof_that_comes_again_opens_nothing_and_is_no_measurement) {
    stranger self;
    ask(&self);
    for (int i = 0; i < 20; i++) {
        acknowledge(&self);
    }
    ck_assert_uint_eq(server.opened, 1);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_LINKS_OPENED), 1);
    apex_link_quality quality;
    ck_assert(apex_transport_quality(server.transport, server.newest, &quality));
    ck_assert_uint_eq(quality.round_trip_ms, ENET_PEER_DEFAULT_ROUND_TRIP_TIME);
    enet_attack_close(&self.attack);
}

TEST(who_proves_himself_too_late_is_told_that_it_is_full) {
    stop();
    start_with(1);
    stranger first;
    stranger second;
    ask(&first);
    ask(&second);
    acknowledge(&first);
    ck_assert_uint_eq(server.opened, 1);
    acknowledge(&second);
    ck_assert_uint_eq(server.opened, 1);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_REFUSED_FULL), 1);
    uint8_t bytes[2048];
    ck_assert_uint_eq(enet_attack_receive(&second.attack, bytes, sizeof bytes), 10);
    ck_assert_uint_eq(bytes[0] & 0x3F, second.verify[0] & 0x3F); // with the session it knows
    ck_assert_uint_eq(bytes[1], 7);
    ck_assert_mem_eq(bytes + 2, "\x44\xFF\0\0\0\0\0\2", 8);
    enet_attack_close(&first.attack);
    enet_attack_close(&second.attack);
}

TEST(who_wants_one_channel_or_has_no_peer_id_is_not_answered) {
    enet_client client;
    enet_client_open(&client, port(), 1);
    for (int i = 0; i < 20; i++) {
        enet_client_service(&client, 1);
        net_server_round(&server);
    }
    ck_assert(!client.is_connected);
    ck_assert_uint_eq(counted(APEX_TRANSPORT_COOKIES_SENT), 0);
    ck_assert_uint_ge(counted(APEX_TRANSPORT_PACKETS_IN), 1);
    enet_client_close(&client);
}

static apex_udp_address address_of(uint32_t household, uint16_t from_port) {
    apex_udp_address address = {.port = from_port};
    memset(address.ip + 10, 0xFF, 2);
    memcpy(address.ip + 12, &household, sizeof household);
    return address;
}

enum { FREE_PER_S = 2000, FREE_BURST = 400, SHARED_PER_S = 11000 };

static const net_fair_rates answer_rates = {.free = {FREE_PER_S, FREE_BURST},
                                            .shared = {SHARED_PER_S, 200},
                                            .wait_ms = 5000,
                                            .cells = 1 << 19};

TEST(a_household_has_one_answer_in_five_seconds_past_the_free_ones) {
    net_fair_budget answers;
    ck_assert_int_eq(net_fair_create(&answers, answer_rates), APEX_OK);
    uint64_t now_us = 3600000000u;
    uint32_t given = 0;
    for (uint16_t i = 0; i < 1000; i++) { // its ports are no matter
        apex_udp_address address = address_of(7, i);
        given += net_fair_take(&answers, &address, NET_FAIR_PLAIN, now_us);
    }
    ck_assert_uint_eq(given, FREE_BURST + 1);
    apex_udp_address here = address_of(7, 1);
    apex_udp_address there = address_of(8, 1);
    ck_assert(!net_fair_take(&answers, &here, NET_FAIR_PLAIN, now_us));
    ck_assert(net_fair_take(&answers, &there, NET_FAIR_PLAIN, now_us));
    ck_assert(net_fair_take(&answers, &here, NET_FAIR_SEALED, now_us)); // another turn
    ck_assert(!net_fair_take(&answers, &here, NET_FAIR_SEALED, now_us));
    for (uint32_t i = 0; i < FREE_BURST; i++) {
        ck_assert(net_fair_take(&answers, &there, NET_FAIR_PLAIN, now_us + 4900000));
    }
    ck_assert(!net_fair_take(&answers, &here, NET_FAIR_PLAIN, now_us + 4900000));
    ck_assert(net_fair_take(&answers, &here, NET_FAIR_PLAIN, now_us + 5000000));
    net_fair_destroy(&answers);
}

static bool expect_and_take(net_fair_budget *answers, const apex_udp_address *address,
                            uint64_t now_us) {
    net_fair_expect(answers, address, NET_FAIR_PLAIN);
    return net_fair_take(answers, address, NET_FAIR_PLAIN, now_us);
}

TEST(who_is_expected_has_his_own_turn_and_nobody_elses) {
    net_fair_budget answers;
    ck_assert_int_eq(net_fair_create(&answers, answer_rates), APEX_OK);
    const uint64_t now_us = 3600000000u;
    apex_udp_address here = address_of(7, 1), there = address_of(8, 1), nowhere = {.port = 1};
    for (uint32_t i = 0; i < FREE_BURST; i++) {
        ck_assert(net_fair_take(&answers, &here, NET_FAIR_PLAIN, now_us));
    }
    ck_assert(net_fair_take(&answers, &nowhere, NET_FAIR_PLAIN, now_us)); // before any is expected
    ck_assert(expect_and_take(&answers, &here, now_us));
    ck_assert(!expect_and_take(&answers, &here, now_us));
    ck_assert(net_fair_take(&answers, &there, NET_FAIR_PLAIN, now_us));
    apex_udp_address elsewhere = address_of(9, 1);
    net_fair_expect(&answers, &elsewhere, NET_FAIR_PLAIN);
    ck_assert(!net_fair_take(&answers, &here, NET_FAIR_PLAIN, now_us));
    net_fair_expect(&answers, &here, NET_FAIR_SEALED);
    ck_assert(!net_fair_take(&answers, &here, NET_FAIR_PLAIN, now_us));
    ck_assert(net_fair_take(&answers, &here, NET_FAIR_SEALED, now_us));
    net_fair_destroy(&answers);
}

// 100,000 a second from 50,000 addresses, and now and then somebody else.
TEST(who_asks_seldom_is_answered_among_those_who_ask_all_the_time) {
    enum { TICKS = 600, SENT = 1667, ADDRESSES = 50000, NEWCOMERS = 100 };
    net_fair_budget answers;
    ck_assert_int_eq(net_fair_create(&answers, answer_rates), APEX_OK);
    uint32_t sent = 0;
    uint32_t given = 0;
    uint32_t heard = 0;
    for (uint64_t tick = 0; tick < TICKS; tick++) {
        uint64_t now_us = 1000000 + tick * 16667;
        for (uint32_t i = 0; i < SENT; i++) {
            apex_udp_address address = address_of(1 + sent++ * 31u % ADDRESSES, 5);
            given += net_fair_take(&answers, &address, NET_FAIR_PLAIN, now_us);
            if (i == SENT / 2 && tick >= TICKS - NEWCOMERS) {
                apex_udp_address newcomer = address_of(0x80000000u + (uint32_t)tick, 5);
                heard += net_fair_take(&answers, &newcomer, NET_FAIR_PLAIN, now_us);
            }
        }
    }
    ck_assert_uint_ge(heard, 75);
    ck_assert_uint_le(given, 10 * (FREE_PER_S + SHARED_PER_S) + 500);
    net_fair_destroy(&answers);
}
