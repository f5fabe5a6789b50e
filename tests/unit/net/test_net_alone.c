// State packets, which go past ENet both ways: what arrives and when must be as if they did not.
#include "support/base/check_main.h"
#include "support/base/heap_count.h"
#include "support/net/enet_attack.h"
#include "support/net/enet_client.h"
#include "support/net/net_server.h"

#include <stdlib.h>
#include <string.h>

enum { FRAME_BYTES = 4 * 1024 * 1024, ROUNDS_MAX = 3000 };

static net_server server;
static enet_client client;

static void open_server(void) {
    net_server_open(&server, apex_default_transport_def(), FRAME_BYTES);
}

static void connect_client(void) {
    enet_client_open(&client, apex_transport_port(server.transport), 2);
    enet_peer_ping_interval(client.peer, 60000);
    for (int i = 0; i < ROUNDS_MAX && !(client.is_connected && server.opened > 0); i++) {
        enet_client_service(&client, 1);
        net_server_round(&server);
    }
    ck_assert(client.is_connected);
    ck_assert_uint_eq(server.opened, 1);
    // ENet's own words after connecting are said and answered.
    for (int i = 0; i < 20; i++) {
        enet_client_service(&client, 1);
        net_server_round(&server);
    }
}

static void send_to_client(const apex_link_packet packets[], size_t count) {
    apex_transport_send(server.transport, packets, count);
    apex_transport_flush(server.transport);
}

enum { PACKETS = 20000, PACKETS_OF_A_ROUND = 50 };

static ENetHost *bare;
static uint16_t by_enet[2 * PACKETS], by_us[2 * PACKETS];
static uint32_t by_enet_count, by_us_count;

static void round_of_both(void) {
    ENetEvent event;
    while (enet_host_service(bare, &event, 0) > 0) {
        if (event.type == ENET_EVENT_TYPE_RECEIVE) {
            memcpy(&by_enet[by_enet_count++], event.packet->data, sizeof by_enet[0]);
            enet_packet_destroy(event.packet);
        }
    }
    net_server_round(&server);
    for (size_t i = 0; i < server.event_count; i++) {
        if (server.events[i].kind == APEX_LINK_BYTES) {
            ck_assert_uint_eq(server.events[i].channel, 1);
            ck_assert_uint_eq(server.events[i].length, sizeof by_us[0]);
            memcpy(&by_us[by_us_count++], server.events[i].bytes, sizeof by_us[0]);
        }
    }
}

static void connect_attack(enet_attack *attack, uint16_t port) {
    enet_attack_open(attack, port);
    enet_attack_connect(attack, 99, 0);
    bool is_verified = false;
    for (int i = 0; i < ROUNDS_MAX && !is_verified; i++) {
        round_of_both();
        is_verified = enet_attack_verify(attack);
    }
    ck_assert(is_verified);
}

static size_t put_packet(uint8_t *at, uint16_t group, uint16_t number) {
    uint8_t command[10] = {0x49, 1, 0, 0, (uint8_t)(group >> 8), (uint8_t)group, 0, 2};
    memcpy(command + 8, &number, sizeof number);
    memcpy(at, command, sizeof command);
    return sizeof command;
}

static uint32_t random_state = 4;

static uint32_t draw(uint32_t below) {
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % below;
}

// The next one mostly; also doubled ones, late ones, and leaps as after a long silence.
static uint16_t next_group(uint16_t *newest) {
    switch (draw(40)) {
    case 0:
        return (uint16_t)(*newest + 32768 + draw(32768));
    case 1:
    case 2:
        return (uint16_t)(*newest - draw(3000));
    case 3:
        return *newest = (uint16_t)(*newest + (draw(10) == 0 ? 29000 + draw(3500) : draw(30)));
    case 4:
        return *newest;
    default:
        return ++*newest;
    }
}

static int compare_numbers(const void *a, const void *b) {
    uint16_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

// Alone or in pairs, which ENet takes: both ways lead to one memory of what has come.
TEST(what_is_old_or_doubled_is_left_out_as_by_enet) {
    by_enet_count = by_us_count = 0;
    ENetAddress address = {.port = 0};
    enet_address_set_host_ip(&address, "127.0.0.1");
    bare = enet_host_create(&address, 1, 2, 0, 0);
    ck_assert_ptr_nonnull(bare);
    open_server();
    enet_attack attacks[2];
    connect_attack(&attacks[0], bare->address.port);
    connect_attack(&attacks[1], apex_transport_port(server.transport));
    uint16_t newest = 0;
    for (uint16_t number = 0; number < PACKETS; number++) {
        uint8_t commands[2 * 10];
        size_t length = put_packet(commands, next_group(&newest), number);
        if (number % 8 == 0) {
            length += put_packet(commands + length, next_group(&newest), number);
        }
        for (int i = 0; i < 2; i++) {
            enet_attack_commands(&attacks[i], commands, length);
        }
        if (number % PACKETS_OF_A_ROUND == 0) {
            round_of_both();
        }
    }
    round_of_both();
    ck_assert_uint_gt(by_enet_count, PACKETS / 2);
    ck_assert_uint_lt(by_enet_count, PACKETS + PACKETS / 16);
    ck_assert_uint_eq(by_us_count, by_enet_count);
    qsort(by_us, by_us_count, sizeof by_us[0], compare_numbers);
    qsort(by_enet, by_enet_count, sizeof by_enet[0], compare_numbers);
    ck_assert_mem_eq(by_us, by_enet, by_us_count * sizeof by_us[0]);
    for (int i = 0; i < 2; i++) {
        enet_attack_close(&attacks[i]);
    }
    enet_host_destroy(bare);
    net_server_close(&server);
}

TEST(state_packets_take_nothing_from_the_heap) {
    open_server();
    connect_client();
    apex_link_packet packet = {server.newest, APEX_CHANNEL_STATE, (const uint8_t *)"state", 5};
    uint64_t allocs = 0;
    server.packets = client.packets = 0;
    for (int i = 0; i < 100; i++) {
        enet_client_send(&client, 1, "controls", 8);
        enet_host_flush(client.host);
        heap_count_start();
        net_server_round(&server);
        send_to_client(&packet, 1);
        allocs += heap_count_stop().allocs;
        enet_client_service(&client, 0);
    }
    ck_assert_uint_eq(server.packets, 100);
    ck_assert_uint_eq(client.packets, 100);
    if (heap_count_works()) {
        ck_assert_uint_eq(allocs, 0);
    }
    enet_client_close(&client);
    net_server_close(&server);
}

// A client hears "Joined" before its first snapshot, unless the way turns them round.
TEST(a_state_packet_stays_behind_what_was_said_before) {
    open_server();
    connect_client();
    const apex_link_packet packets[] = {
        {server.newest, APEX_CHANNEL_RELIABLE, (const uint8_t *)"said", 4},
        {server.newest, APEX_CHANNEL_STATE, (const uint8_t *)"then", 4},
        {server.newest, APEX_CHANNEL_STATE, (const uint8_t *)"last", 4},
    };
    uint64_t before = net_server_counter(&server, APEX_TRANSPORT_PACKETS_OUT);
    client.packets = 0;
    send_to_client(packets, 3);
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_PACKETS_OUT), before + 1);
    for (int i = 0; i < ROUNDS_MAX && client.packets < 3; i++) {
        enet_client_service(&client, 1);
    }
    ck_assert_uint_eq(client.packets, 3);
    ck_assert_uint_eq(client.last_channel, APEX_CHANNEL_STATE);
    // With nothing of ENet's to go along with, each is a datagram.
    send_to_client(packets + 1, 2);
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_PACKETS_OUT), before + 3);
    enet_client_close(&client);
    net_server_close(&server);
}

// More than one call of the system takes, and each with the bytes that were meant.
TEST(many_state_packets_at_once_all_arrive) {
    enum { MANY = 200 };
    static uint8_t contents[MANY][100];
    static apex_link_packet packets[MANY];
    open_server();
    connect_client();
    for (int i = 0; i < MANY; i++) {
        memset(contents[i], i, sizeof contents[i]);
        packets[i] =
            (apex_link_packet){server.newest, APEX_CHANNEL_STATE, contents[i], sizeof contents[i]};
    }
    uint64_t bytes = net_server_counter(&server, APEX_TRANSPORT_BYTES_OUT);
    client.packets = 0;
    client.bytes = 0;
    send_to_client(packets, MANY);
    for (int i = 0; i < ROUNDS_MAX && client.packets < MANY; i++) {
        enet_client_service(&client, 1);
        ck_assert(client.packets == 0 ||
                  memcmp(client.last_bytes, contents[client.packets - 1], 100) == 0);
    }
    ck_assert_uint_eq(client.packets, MANY);
    ck_assert_uint_eq(client.bytes, MANY * sizeof contents[0]);
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_BYTES_OUT),
                      bytes + MANY * (10 + sizeof contents[0]));
    enet_client_close(&client);
    net_server_close(&server);
}

// ENet would tell everybody of bandwidth when somebody comes or goes, and ping twice a second.
TEST(who_says_nothing_is_told_next_to_nothing) {
    open_server();
    connect_client();
    enet_client other;
    enet_client_open(&other, apex_transport_port(server.transport), 2);
    uint64_t begin_us = net_server_now(&server);
    uint32_t before = client.host->totalReceivedPackets;
    while (net_server_now(&server) < begin_us + 3100000) {
        enet_client_service(&other, 1);
        enet_client_service(&client, 1);
        net_server_round(&server);
    }
    uint32_t told = client.host->totalReceivedPackets - before;
    ck_assert(other.is_connected);
    // Once a second; and what was still under way when the count began.
    ck_assert_uint_le(told, (net_server_now(&server) - begin_us) / 1000000 + 1);
    enet_client_close(&other);
    enet_client_close(&client);
    net_server_close(&server);
}
