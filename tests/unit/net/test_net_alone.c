// State packets, which go past ENet both ways.
#include "support/base/check_main.h"
#include "support/base/heap_count.h"
#include "support/net/enet_attack.h"
#include "support/net/enet_client.h"
#include "support/net/net_server.h"

#include <string.h>

enum { FRAME_BYTES = 4 * 1024 * 1024, ROUNDS_MAX = 3000 };

static net_server server;
static enet_client client;

static void open_server(void) {
    apex_transport_def def = apex_default_transport_def();
    def.datagrams_per_s_max = def.commands_per_s_max = 0; // thousands in no time
    net_server_open(&server, def, FRAME_BYTES);
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

static void connect_attack(enet_attack *attack) {
    enet_attack_open(attack, apex_transport_port(server.transport));
    enet_attack_connect(attack, 99, 0);
    bool is_verified = false;
    for (int i = 0; i < ROUNDS_MAX && !is_verified; i++) {
        net_server_round(&server);
        is_verified = enet_attack_verify(attack);
    }
    ck_assert(is_verified);
    net_server_round(&server);
    ck_assert_uint_eq(server.opened, 1);
}

static size_t put_packet(uint8_t *at, uint16_t group, uint16_t number) {
    uint8_t command[10] = {0x49, 1, 0, 0, (uint8_t)(group >> 8), (uint8_t)group, 0, 2};
    memcpy(command + 8, &number, sizeof number);
    memcpy(at, command, sizeof command);
    return sizeof command;
}

// An unreliable packet has a number, too, which ENet compares with those before.
static size_t put_unreliable(uint8_t *at, uint16_t order, uint16_t number) {
    uint8_t command[10] = {7, 1, 0, 0, (uint8_t)(order >> 8), (uint8_t)order, 0, 2};
    memcpy(command + 8, &number, sizeof number);
    memcpy(at, command, sizeof command);
    return sizeof command;
}

// @return how many events of the round are packets with these numbers, one after the other.
static uint32_t numbers_in_order(uint16_t first) {
    uint32_t count = 0;
    net_server_round(&server);
    for (size_t i = 0; i < server.event_count; i++) {
        uint16_t number = (uint16_t)(first + count);
        ck_assert_int_eq(server.events[i].kind, APEX_LINK_BYTES);
        ck_assert_uint_eq(server.events[i].channel, 1);
        ck_assert_uint_eq(server.events[i].length, sizeof number);
        ck_assert_mem_eq(server.events[i].bytes, &number, sizeof number);
        count++;
    }
    return count;
}

// ENet takes for old what is up to 32,767 behind: one leap would silence a client for minutes (D1).
TEST(no_number_of_a_packet_has_others_left_out) {
    enum { ROUNDS = 200, OF_A_ROUND = 6 };
    static const uint16_t leaps[] = {1, 0, 32767, 40000, 65535, 3, 31999, 2};
    open_server();
    enet_attack attack;
    connect_attack(&attack);
    for (uint16_t round = 0; round < ROUNDS; round++) {
        uint16_t first = (uint16_t)(round * OF_A_ROUND);
        uint16_t group = leaps[round % 8];
        uint8_t commands[4 * 10];
        enet_attack_commands(&attack, commands, put_packet(commands, group, first));
        // Among others, where ENet would have to take them: two kinds, a ping in between.
        size_t length = put_packet(commands, leaps[(round + 1) % 8], (uint16_t)(first + 1));
        length += put_unreliable(commands + length, group, (uint16_t)(first + 2));
        enet_attack_commands(&attack, commands, length);
        length = put_unreliable(commands, leaps[(round + 3) % 8], (uint16_t)(first + 3));
        const uint8_t ping[4] = {5, 0xFF, 0, 0};
        memcpy(commands + length, ping, sizeof ping);
        length += sizeof ping;
        length += put_packet(commands + length, group, (uint16_t)(first + 4));
        enet_attack_commands(&attack, commands, length);
        enet_attack_commands(&attack, commands, put_packet(commands, 1, (uint16_t)(first + 5)));
        ck_assert_uint_eq(numbers_in_order(first), OF_A_ROUND);
    }
    enet_attack_close(&attack);
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
