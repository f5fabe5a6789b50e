// What of a datagram reaches ENet, looked at from inside.
#include "support/base/check_main.h"
#include "support/net/enet_attack.h"
#include "support/net/net_server.h"

#include <string.h>

#include "net/enet/enet_state.h"

enum { FRAME_BYTES = 4 << 20, ROUNDS_MAX = 3000, SENT_TIME = 0xABCD };

static net_server server;
static enet_attack attack;

static ENetPeer *peer(void) {
    return net_enet_peer(server.transport, server.newest.index1 - 1u);
}

static const net_link_record *record(void) {
    return &server.transport->links.records[server.newest.index1 - 1u];
}

static void connect_attack(void) {
    enet_attack_connect(&attack, 99, 0);
    bool is_verified = false;
    for (int i = 0; i < ROUNDS_MAX && !is_verified; i++) {
        net_server_round(&server);
        is_verified = enet_attack_verify(&attack);
    }
    ck_assert(is_verified);
    for (int i = 0; i < 5; i++) {
        net_server_round(&server);
    }
    ck_assert_uint_eq(server.opened, 1);
    uint8_t bytes[2048];
    while (enet_attack_receive(&attack, bytes, sizeof bytes) > 0) {}
}

static void start(void) {
    net_server_open(&server, apex_default_transport_def(), FRAME_BYTES);
    enet_attack_open(&attack, apex_transport_port(server.transport));
    connect_attack();
}

static void stop(void) {
    enet_attack_close(&attack);
    net_server_close(&server);
}

// Again, and sealed.
static void start_sealed(void) {
    static apex_seal seal;
    apex_seal_client asking;
    stop();
    net_server_open(&server, apex_default_transport_def(), FRAME_BYTES);
    enet_attack_open(&attack, apex_transport_port(server.transport));
    apex_seal_client_init(&asking, NULL);
    bool is_over = false;
    for (int i = 0; i < ROUNDS_MAX && !is_over; i++) {
        is_over = enet_attack_ask_seal(&attack, &asking, &seal);
        net_server_round(&server);
    }
    ck_assert(is_over);
    connect_attack();
    ck_assert_uint_ne(record()->sealed1, 0);
}

static void send_commands(const uint8_t *commands, size_t length) {
    uint8_t bytes[1500] = {(uint8_t)(0x80 | attack.session << 4), (uint8_t)attack.peer_id,
                           SENT_TIME >> 8, SENT_TIME & 0xFF};
    memcpy(bytes + 4, commands, length);
    enet_attack_send(&attack, bytes, length + 4);
}

// The server's next datagram that begins with an acknowledgement. @return its length; 0: none.
static size_t next_acknowledgement(uint8_t *bytes, size_t capacity) {
    size_t length = 0;
    while ((length = enet_attack_receive(&attack, bytes, capacity)) > 0) {
        if ((bytes[0] & 0x80) == 0 && (bytes[2] & 0x0F) == 1) {
            return length;
        }
    }
    return 0;
}

FIXTURE(start, stop)

// A forged one would let ENet send 4 KB at a time, or drop most of what it sends.
TEST(commands_that_slow_a_link_down_are_acknowledged_and_left_out) {
    const uint8_t limit[12] = {0x8A, 0xFF, 0, 40, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint8_t throttle[16] = {0x8B, 0xFF, 0, 41, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 32};
    uint32_t window = peer()->windowSize, bandwidth = peer()->incomingBandwidth;
    uint32_t deceleration = peer()->packetThrottleDeceleration;
    uint8_t commands[28];
    memcpy(commands, limit, sizeof limit);
    memcpy(commands + sizeof limit, throttle, sizeof throttle);
    send_commands(commands, sizeof commands);
    net_server_round(&server);
    ck_assert_uint_eq(peer()->windowSize, window);
    ck_assert_uint_eq(peer()->incomingBandwidth, bandwidth);
    ck_assert_uint_eq(peer()->packetThrottleDeceleration, deceleration);
    // Both in one datagram, shorter than what it answers; to the id that the client gave its peer.
    const uint8_t wanted[18] = {(uint8_t)(peer()->outgoingSessionID << 4),
                                7,
                                1,
                                0xFF,
                                0,
                                40,
                                0,
                                40,
                                SENT_TIME >> 8,
                                SENT_TIME & 0xFF,
                                1,
                                0xFF,
                                0,
                                41,
                                0,
                                41,
                                SENT_TIME >> 8,
                                SENT_TIME & 0xFF};
    uint8_t bytes[2048];
    ck_assert_uint_eq(next_acknowledgement(bytes, sizeof bytes), sizeof wanted);
    ck_assert_mem_eq(bytes, wanted, sizeof wanted);
}

TEST(a_disconnect_leaves_a_peer_as_it_is) {
    const uint8_t wish[8] = {0x84, 0xFF, 0, 50};
    const uint8_t wanted[10] = {(uint8_t)(peer()->outgoingSessionID << 4),
                                7,
                                1,
                                0xFF,
                                0,
                                50,
                                0,
                                50,
                                SENT_TIME >> 8,
                                SENT_TIME & 0xFF};
    uint8_t bytes[2048];
    send_commands(wish, sizeof wish);
    net_server_round(&server);
    ck_assert_uint_eq(next_acknowledgement(bytes, sizeof bytes), sizeof wanted);
    ck_assert_mem_eq(bytes, wanted, sizeof wanted);
    ck_assert_int_eq(peer()->state, ENET_PEER_STATE_CONNECTED);
    ck_assert(record()->is_doubtful);
    ck_assert(!record()->said_goodbye);
    // Anything else is a sign of life.
    const uint8_t ping[4] = {5, 0xFF, 0, 0};
    send_commands(ping, sizeof ping);
    net_server_round(&server);
    ck_assert(!record()->is_doubtful);
    // Also a lone packet; but not another DISCONNECT, from which the time does not run anew.
    send_commands(wish, sizeof wish);
    net_server_round(&server);
    uint64_t since_us = record()->doubted_us;
    server.skipped_us += 200000;
    send_commands(wish, sizeof wish);
    net_server_round(&server);
    ck_assert(record()->is_doubtful);
    ck_assert_uint_eq(record()->doubted_us, since_us);
    const uint8_t packet[9] = {0x49, 1, 0, 0, 0, 1, 0, 1, 'x'};
    send_commands(packet, sizeof packet);
    net_server_round(&server);
    ck_assert(!record()->is_doubtful);
    ck_assert_uint_eq(server.closed, 0);
}

static size_t unanswered(void) {
    size_t count = 0;
    for (ENetListIterator at = enet_list_begin(&peer()->sentReliableCommands);
         at != enet_list_end(&peer()->sentReliableCommands); at = enet_list_next(at)) {
        count++;
    }
    return count;
}

// Each ping is a block of memory until it is answered.
TEST(many_disconnects_are_one_ping) {
    const uint8_t word[8] = {0x44, 0xFF};
    size_t waiting = unanswered();
    for (int i = 0; i < 100; i++) {
        send_commands(word, sizeof word);
    }
    net_server_round(&server);
    ck_assert_uint_eq(unanswered(), waiting + 1);
    server.skipped_us += 240000; // more in one go counts as the server's own absence
    for (int i = 0; i < 3; i++) {
        net_server_round(&server);
        ck_assert_uint_eq(server.closed, 0);
        server.skipped_us += 240000;
    }
    for (int i = 0; i < 3; i++) {
        server.skipped_us += 240000;
        net_server_round(&server);
    }
    ck_assert_uint_eq(server.closed, 1);
    ck_assert_uint_eq(server.closed_by_client, 0);
}

// Neither ENet's window of what has come nor its numbers of unreliable packets move.
TEST(packets_that_may_be_lost_do_not_reach_enet) {
    const uint8_t commands[] = {0x49, 1,    0, 0, 0x70, 0,   0,    1, 'a', 5, 0xFF, 0, 0, 7, 1,  0,
                                0,    0x70, 0, 0, 1,    'b', 0x49, 1, 0,   0, 0x60, 0, 0, 1, 'c'};
    server.packets = 0;
    send_commands(commands, sizeof commands);
    net_server_round(&server);
    ck_assert_uint_eq(server.packets, 3);
    ck_assert_uint_eq(peer()->incomingUnsequencedGroup, 0);
    ck_assert_uint_eq(peer()->channels[1].incomingUnreliableSequenceNumber, 0);
    for (size_t i = 0; i < ENET_PEER_UNSEQUENCED_WINDOW_SIZE / 32; i++) {
        ck_assert_uint_eq(peer()->unsequencedWindow[i], 0);
    }
    ck_assert(enet_list_empty(&peer()->channels[1].incomingUnreliableCommands));
}

// Reliable ones do, in the midst of others.
TEST(what_is_reliable_reaches_enet_whole) {
    const uint8_t commands[] = {0x49, 1, 0,    0,   0,   9,   0,    1, 'a', 0x86, 0,  0,
                                1,    0, 3,    'o', 'n', 'e', 0x49, 1, 0,   0,    0,  8,
                                0,    0, 0x86, 0,   0,   2,   0,    3, 't', 'w',  'o'};
    server.packets = 0;
    send_commands(commands, sizeof commands);
    net_server_round(&server);
    ck_assert_uint_eq(server.packets, 4);
    ck_assert_mem_eq(server.events[0].bytes, "a", 1);
    ck_assert_uint_eq(server.events[1].length, 0);
    ck_assert_uint_eq(server.events[2].length, 3);
    ck_assert_mem_eq(server.events[2].bytes, "one", 3);
    ck_assert_mem_eq(server.events[3].bytes, "two", 3);
}

static const uint8_t fragment[25] = {0x88, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2};

// Its sender would repeat it for half a minute, and never learn what is wrong.
TEST_OVER(fragments_end_sealed_links_alone, 0, 2) {
    bool is_sealed = _i == 1;
    if (is_sealed) {
        start_sealed();
    }
    send_commands(fragment, sizeof fragment);
    net_server_round(&server);
    ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_REFUSED_FRAGMENT), 1);
    ck_assert_int_eq(peer()->state,
                     is_sealed ? ENET_PEER_STATE_DISCONNECTING : ENET_PEER_STATE_CONNECTED);
    ck_assert_int_eq(record()->state, is_sealed ? NET_LINK_CLOSING : NET_LINK_OPEN);
}

// What comes sealed is the client's own.
TEST(over_a_sealed_link_enet_has_its_commands) {
    start_sealed();
    const uint8_t limit[12] = {0x8A, 0xFF, 0, 40, 0, 0, 0, 0, 0, 1, 0, 0};
    send_commands(limit, sizeof limit);
    net_server_round(&server);
    ck_assert_uint_eq(peer()->outgoingBandwidth, 0x10000u);
    const uint8_t packets[18] = {0x49, 1, 0, 0, 0x70, 0, 0, 1, 'x',
                                 0x49, 1, 0, 0, 0x60, 0, 0, 1, 'y'};
    server.packets = 0;
    send_commands(packets, sizeof packets);
    net_server_round(&server);
    ck_assert_uint_eq(server.packets, 2);
    ck_assert_uint_eq(peer()->incomingUnsequencedGroup, 0);
    const uint8_t wish[8] = {0x84, 0xFF, 0, 50};
    send_commands(wish, sizeof wish);
    for (int i = 0; i < 3; i++) {
        net_server_round(&server);
    }
    ck_assert_uint_eq(server.closed, 1);
    ck_assert_uint_eq(server.closed_by_client, 1);
}
