// Links whose clients send what no honest one would: odd bytes, floods, and nothing that
// acknowledges. Others go on meanwhile.
#include "test_net_attack_scene.h"
#include "support/base/check_main.h"
#include "support/net/enet_attack.h"
#include "support/net/enet_client.h"
#include "support/net/enet_heap.h"
#include "support/net/net_server.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

FIXTURE(start, stop)

// Mostly commands that ENet has, on a channel that there is; seldom one that ends the link.
static size_t make_up(uint8_t *bytes, size_t capacity) {
    static const uint8_t types[] = {1, 2, 3, 5, 6, 6, 6, 7, 7, 9, 9, 10, 11, 12, 13, 0};
    size_t length = (size_t)rand() % capacity;
    for (size_t k = 0; k < length; k++) {
        bytes[k] = (uint8_t)rand();
    }
    if (length > 8) {
        uint8_t type = types[rand() % 16];
        type = rand() % 100 == 0 ? (rand() % 2 ? 4 : 8) : type;
        bytes[0] = (uint8_t)((bytes[0] & 0xC0) | type);
        bytes[1] = (uint8_t)(rand() % 3);
        bytes[2] = (uint8_t)(rand() % 8 == 0);
        bytes[type == 6 ? 4 : 6] = 0;
        bytes[type == 6 ? 5 : 7] = (uint8_t)(rand() % 2 ? length - (type == 6 ? 6 : 8) : 3);
    }
    return length;
}

TEST(a_hundred_thousand_odd_datagrams_disturb_nobody) {
    enet_client honest;
    enet_attack inside;
    enet_attack outside;
    enet_client_open(&honest, apex_transport_port(server.transport), 2);
    ck_assert(connects(&honest, server_round, 200));
    get_in(&inside, apex_transport_port(server.transport), server_round);
    enet_attack_open(&outside, apex_transport_port(server.transport));
    size_t before = enet_heap_bytes();
    srand(7);
    for (int i = 0; i < 100000; i++) {
        uint8_t bytes[200];
        size_t length = make_up(bytes, sizeof bytes);
        if (i % 4 == 0) {
            enet_attack_send(&outside, bytes, length);
        } else {
            enet_attack_commands(&inside, bytes, length);
        }
        if (i % 64 == 0) {
            server.skipped_us += 10000;
            // ENet's clock does not skip with ours, so its pings alone would be too few.
            enet_client_send(&honest, 1, "here", 4);
            enet_client_service(&honest, 0);
            server_round();
        }
        if (i % 500 == 499) { // by now it has said that it leaves, or sent a fragment
            enet_attack_close(&inside);
            get_in(&inside, apex_transport_port(server.transport), server_round);
        }
    }
    uint32_t packets = server.packets;
    enet_client_send(&honest, 0, "still here", 10);
    for (int i = 0; i < 200 && server.packets == packets; i++) {
        enet_client_service(&honest, 1);
        server_round();
    }
    ck_assert_uint_gt(server.packets, packets);
    ck_assert(honest.is_connected);
    ck_assert_uint_ge(server.closed, 50);
    ck_assert_uint_gt(packets, 100000 / 64 + 50); // some odd ones are as good as any
    static const apex_transport_counter seen[] = {
        APEX_TRANSPORT_REFUSED_MALFORMED,  APEX_TRANSPORT_REFUSED_FRAGMENT,
        APEX_TRANSPORT_REFUSED_COMPRESSED, APEX_TRANSPORT_REFUSED_SEQUENCE,
        APEX_TRANSPORT_REFUSED_STRANGER,
    };
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
        ck_assert_uint_gt(refused(seen[i]), 100);
    }
    // The attackers' links may hold so much: 64 KB of waiting data each, and what carries it.
    ck_assert_uint_lt(enet_heap_bytes(), before + 1024 * KB);
    enet_attack_close(&inside);
    enet_attack_close(&outside);
    enet_client_close(&honest);
}

// 32 pings in a datagram cost as much as 32 datagrams. They may be forged, so the link stays.
TEST(pings_have_a_rate) {
    enet_attack attack;
    get_in(&attack, apex_transport_port(server.transport), server_round);
    uint8_t pings[32 * 4];
    for (int i = 0; i < 32; i++) {
        memcpy(pings + 4 * i, "\x05\xFF\0\1", 4);
    }
    for (int i = 0; i < 1000; i++) {
        enet_attack_commands(&attack, pings, sizeof pings);
        if (i % 100 == 99) {
            server_round();
        }
    }
    uint64_t refusals = refused(APEX_TRANSPORT_REFUSED_LINK_FLOOD);
    ck_assert_uint_ge(refusals, 1000 - 4000 / 32 - 20); // some seconds' worth may pass
    ck_assert_uint_le(refusals, 1000 - 4000 / 32);
    server.skipped_us += 1000000;
    server_round();
    enet_attack_commands(&attack, "\x49\1\0\0\0\1\0\3Hey", 11);
    server_round();
    ck_assert_uint_eq(server.packets, 1);
    ck_assert_uint_eq(server.closed, 0);
    enet_attack_close(&attack);
}

// A packet alone is looked at by sessions, which know whose it is; with a ping behind it, here.
TEST(datagrams_have_a_rate_and_honest_ones_keep_it) {
    enet_attack attack;
    get_in(&attack, apex_transport_port(server.transport), server_round);
    uint16_t group = 0;
    for (int i = 0; i < 600; i++) { // 60 a second
        uint8_t packet[15] = {0x49, 1, 0, 0, 0, 0, 0, 3, 'H', 'e', 'y', 5, 0xFF, 0, 0};
        put_u16(packet + 4, ++group);
        server.skipped_us += 16667;
        enet_attack_commands(&attack, packet, sizeof packet);
        server_round();
    }
    ck_assert_uint_eq(server.packets, 600);
    ck_assert_uint_eq(refused(APEX_TRANSPORT_REFUSED_LINK_FLOOD), 0);
    for (int i = 0; i < 4500; i++) {
        uint8_t packet[15] = {0x49, 1, 0, 0, 0, 0, 0, 3, 'H', 'e', 'y', 5, 0xFF, 0, 0};
        put_u16(packet + 4, ++group);
        enet_attack_commands(&attack, packet, sizeof packet);
        if (i % 100 == 99) {
            server_round();
        }
    }
    ck_assert_uint_ge(server.packets, 600 + 2000);
    ck_assert_uint_ge(refused(APEX_TRANSPORT_REFUSED_LINK_FLOOD), 2000);
    server.skipped_us += 6000000; // were it on its way out, that would be over
    server_round();
    ck_assert_uint_eq(server.closed, 0);
    enet_attack_close(&attack);
}

// Each may have 16 MiB that it does not acknowledge, but not all of them at once.
TEST(all_queues_together_have_a_bound) {
    enum { LINKS = 8, MIB = 1024 * 1024 };
    enet_attack attacks[LINKS];
    apex_link links[LINKS];
    uint8_t *bytes = calloc(1, APEX_MESSAGE_BYTES_MAX);
    for (int i = 0; i < LINKS; i++) {
        get_in(&attacks[i], apex_transport_port(server.transport), server_round);
        server_round();
        links[i] = server.newest;
    }
    ck_assert_uint_eq(server.opened, LINKS);
    enet_heap_reset_peak();
    for (uint32_t sent = 1; sent <= 15; sent++) {
        for (int i = 0; i < LINKS; i++) {
            apex_link_packet packet = {links[i], 0, bytes, APEX_MESSAGE_BYTES_MAX};
            apex_transport_send(server.transport, &packet, 1);
        }
        server_round();
        if (sent == 7) {
            server.skipped_us += 6000000;
            server_round();
            ck_assert_uint_eq(server.closed, 0);
        }
    }
    ck_assert_uint_ge(enet_heap_bytes_peak(), 56u * MIB);
    ck_assert_uint_le(enet_heap_bytes_peak(), 84u * MIB);
    server.skipped_us += 6000000;
    server_round();
    ck_assert_uint_ge(server.closed, 3);
    ck_assert_uint_lt(server.closed, LINKS);
    for (int i = 0; i < LINKS; i++) {
        enet_attack_close(&attacks[i]);
    }
    free(bytes);
}
