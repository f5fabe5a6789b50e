// Reproducers of what is wrong with ENet 1.3.17, each run twice: against a bare ENet host, where
// it must do its harm (or the reproducer proves nothing), and against the transport, where it must
// do none. The bare half is skipped with a newer ENet, which has some of the faults mended.
#include "test_net_attack_scene.h"
#include "support/base/check_main.h"
#include "support/net/enet_attack.h"
#include "support/net/enet_client.h"
#include "support/net/enet_heap.h"
#include "support/net/net_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static ENetHost *bare;
static uint32_t bare_packets;
static uint32_t bare_errors;

static bool is_faulty_enet(void) {
    return enet_linked_version() <= ENET_VERSION_CREATE(1, 3, 17);
}

// As small as the transport's limits make ENet's own.
static uint16_t bare_open(size_t slots) {
    ENetAddress address = {.port = 0};
    enet_address_set_host_ip(&address, "127.0.0.1");
    bare = enet_host_create(&address, slots, 2, 0, 0);
    ck_assert_ptr_nonnull(bare);
    bare->maximumPacketSize = 64 * KB;
    bare->maximumWaitingData = 1024 * KB;
    bare_packets = 0;
    bare_errors = 0;
    return bare->address.port;
}

static void bare_round(void) {
    ENetEvent event;
    int result = 0;
    while ((result = enet_host_service(bare, &event, 0)) > 0) {
        if (event.type == ENET_EVENT_TYPE_RECEIVE) {
            bare_packets++;
            enet_packet_destroy(event.packet);
        }
    }
    bare_errors += result < 0;
}
static void flood(const enet_attack *attack, uint32_t first_id, uint32_t count,
                  void (*round)(void)) {
    for (uint32_t i = 0; i < count; i++) {
        enet_attack_connect(attack, first_id + i, 0);
        if (i % 128 == 127) {
            round();
        }
    }
    round();
}
FIXTURE(start, stop)

TEST(a_flood_of_connects_fills_a_bare_host) {
    if (is_faulty_enet()) {
        enet_attack attack;
        enet_attack_open(&attack, bare_open(256));
        flood(&attack, 1, 600, bare_round);
        enet_client honest;
        enet_client_open(&honest, bare->address.port, 2);
        ck_assert(!connects(&honest, bare_round, 100));
        enet_client_close(&honest);
        enet_attack_close(&attack);
        enet_host_destroy(bare);
    }
}

TEST(a_flood_of_connects_leaves_room) {
    enet_attack attack;
    enet_attack_open(&attack, apex_transport_port(server.transport));
    flood(&attack, 1, 5000, server_round);
    // Datagrams may be lost on the way; most come.
    ck_assert_uint_gt(
        refused(APEX_TRANSPORT_COOKIES_SENT) + refused(APEX_TRANSPORT_REFUSED_ANSWER_RATE), 3000);
    ck_assert_uint_ge(refused(APEX_TRANSPORT_COOKIES_SENT), 100);
    ck_assert_uint_ge(refused(APEX_TRANSPORT_REFUSED_ANSWER_RATE), 1000);
    ck_assert_uint_eq(server.opened, 0);

    // At once, though it knows of nothing.
    enet_client plain;
    enet_client_open(&plain, apex_transport_port(server.transport), 2);
    ck_assert(connects(&plain, server_round, 20));
    ck_assert_uint_eq(server.opened, 1);
    server.skipped_us += 2000000;
    server_round();
    // Every half-open link was one that the flood had got, and no more than the limit.
    ck_assert_uint_eq(refused(APEX_TRANSPORT_HALF_OPEN_RESET),
                      apex_default_transport_def().half_open_max);
    enet_client after;
    enet_client_open(&after, apex_transport_port(server.transport), 2);
    ck_assert(connects(&after, server_round, 200));
    ck_assert_uint_eq(server.opened, 2);
    ck_assert_uint_eq(server.closed, 0);
    enet_client_close(&plain);
    enet_client_close(&after);
    enet_attack_close(&attack);
}

TEST(the_answer_to_a_flood_is_smaller_than_the_flood) {
    enet_attack attack;
    enet_attack_open(&attack, apex_transport_port(server.transport));
    flood(&attack, 1, 64, server_round);
    uint8_t bytes[2048];
    while (enet_attack_receive(&attack, bytes, sizeof bytes) > 0) {}
    flood(&attack, 100, 100, server_round);
    size_t answered = 0;
    size_t length = 0;
    while ((length = enet_attack_receive(&attack, bytes, sizeof bytes)) > 0) {
        ck_assert_uint_eq(length, 48);
        answered += length;
    }
    ck_assert_uint_eq(refused(APEX_TRANSPORT_COOKIES_SENT), 100);
    ck_assert_uint_ge(answered, 100 * 48);
    ck_assert_uint_le(answered, 100 * ENET_ATTACK_CONNECT_BYTES);
    enet_attack_close(&attack);
}

typedef struct fragment {
    uint32_t start, count, total, data_bytes;
} fragment;

// SEND_UNRELIABLE_FRAGMENT on channel 1, waiting for a reliable command that never comes.
static size_t put_fragment(uint8_t *out, fragment piece) {
    memset(out, 0, 24 + piece.data_bytes);
    out[0] = 12;
    out[1] = 1;
    put_u16(out + 2, 1);
    put_u16(out + 4, piece.start);
    put_u16(out + 6, piece.data_bytes);
    put_u16(out + 8, piece.count >> 16);
    put_u16(out + 10, piece.count & 0xFFFF);
    put_u16(out + 16, piece.total >> 16);
    put_u16(out + 18, piece.total & 0xFFFF);
    return 24 + piece.data_bytes;
}

// 24 bytes for 128 KB.
static void send_bitmaps(const enet_attack *attack, uint32_t datagrams, void (*round)(void)) {
    for (uint32_t d = 0; d < datagrams; d++) {
        uint8_t commands[30 * 24];
        for (uint32_t i = 0; i < 30; i++) {
            put_fragment(commands + i * 24, (fragment){d * 30 + i + 1, 1024 * 1024, 1, 0});
        }
        enet_attack_commands(attack, commands, sizeof commands);
        round();
    }
}

TEST(fragments_make_a_bare_host_allocate) {
    if (is_faulty_enet()) {
        enet_attack attack;
        get_in(&attack, bare_open(8), bare_round);
        size_t before = enet_heap_bytes();
        send_bitmaps(&attack, 5, bare_round);
        ck_assert_uint_gt(enet_heap_bytes() - before, (size_t)16 * 1024 * KB);
        enet_attack_close(&attack);
        enet_host_destroy(bare);
    }
}

TEST(fragments_cost_the_server_nothing) {
    enet_attack attack;
    get_in(&attack, apex_transport_port(server.transport), server_round);
    enet_heap_reset_peak();
    size_t before = enet_heap_bytes();
    send_bitmaps(&attack, 100, server_round);
    ck_assert_uint_le(enet_heap_bytes_peak() - before, 4 * KB);
    ck_assert_uint_eq(refused(APEX_TRANSPORT_REFUSED_FRAGMENT), 100);
    enet_attack_close(&attack);
}

// The first pieces of packets of 50,000 bytes, whose others were lost; then ten whole packets.
static void send_pieces_then_packets(const enet_attack *attack, void (*round)(void)) {
    uint8_t command[1024];
    for (uint32_t i = 0; i < 40; i++) {
        size_t length = put_fragment(command, (fragment){i + 1, 50, 50000, 1000});
        put_u16(command + 2, 0);
        enet_attack_commands(attack, command, length);
        round();
    }
    for (uint32_t i = 0; i < 10; i++) {
        uint8_t unreliable[8 + 100] = {7, 1};
        put_u16(unreliable + 4, 100 + i);
        put_u16(unreliable + 6, 100);
        enet_attack_commands(attack, unreliable, sizeof unreliable);
        round();
    }
    for (uint32_t i = 0; i < 10; i++) {
        uint8_t unreliable[8 + 100] = {7, 1};
        put_u16(unreliable + 4, 200 + i);
        put_u16(unreliable + 6, 100);
        enet_attack_commands(attack, unreliable, sizeof unreliable);
        round();
    }
}

TEST(lost_fragments_make_a_bare_host_deaf) {
    if (is_faulty_enet()) {
        enet_attack attack;
        get_in(&attack, bare_open(8), bare_round);
        send_pieces_then_packets(&attack, bare_round);
        ck_assert_uint_lt(bare_packets, 20);
        enet_attack_close(&attack);
        enet_host_destroy(bare);
    }
}

TEST(lost_fragments_leave_the_server_hearing) {
    enet_attack attack;
    get_in(&attack, apex_transport_port(server.transport), server_round);
    send_pieces_then_packets(&attack, server_round);
    ck_assert_uint_eq(refused(APEX_TRANSPORT_REFUSED_FRAGMENT), 40);
    ck_assert_uint_eq(server.packets, 20);
    enet_attack_close(&attack);
}

static void send_unusable(const enet_attack *attack, size_t bytes, int count) {
    static const uint8_t zeros[6000];
    for (int i = 0; i < count; i++) {
        enet_attack_send(attack, zeros, bytes);
    }
}

TEST(an_oversize_datagram_is_an_error_to_a_bare_host) {
    if (is_faulty_enet()) {
        enet_attack attack;
        enet_attack_open(&attack, bare_open(8));
        send_unusable(&attack, 5000, 10);
        for (int i = 0; i < 10; i++) {
            bare_round();
        }
        ck_assert_uint_eq(bare_errors, 10);
        enet_attack_close(&attack);
        enet_host_destroy(bare);
    }
}

// The number of packets of an honest client, sent behind `count` datagrams of `bytes` bytes, that
// come in the very next round.
static uint32_t packets_behind(size_t bytes, int count) {
    enet_client honest;
    enet_attack attack;
    enet_client_open(&honest, apex_transport_port(server.transport), 2);
    ck_assert(connects(&honest, server_round, 200));
    server_round();
    enet_attack_open(&attack, apex_transport_port(server.transport));
    send_unusable(&attack, bytes, count);
    enet_client_send(&honest, 1, "still here", 10);
    enet_client_service(&honest, 0);
    server_round();
    enet_attack_close(&attack);
    enet_client_close(&honest);
    return server.packets;
}

TEST(oversize_datagrams_are_counted_and_receiving_goes_on) {
    ck_assert_uint_eq(packets_behind(5000, 50), 1);
    ck_assert_uint_eq(
        refused(APEX_TRANSPORT_REFUSED_OVERSIZE) + refused(APEX_TRANSPORT_SERVICE_ERRORS), 50);
    ck_assert_uint_ge(refused(APEX_TRANSPORT_REFUSED_OVERSIZE), 49);
}

TEST(datagrams_longer_than_an_honest_one_are_refused) {
    ck_assert_uint_eq(packets_behind(1501, 20), 1);
    ck_assert_uint_eq(refused(APEX_TRANSPORT_REFUSED_OVERSIZE), 20);
}

// A CONNECT whose UDP header names port 0 as its source. False where raw sockets are not allowed.
static bool connect_from_port_0(uint16_t port) {
    int raw = socket(AF_INET, SOCK_RAW, IPPROTO_UDP);
    if (raw < 0) {
        ck_assert_int_eq(errno, EPERM);
        return false;
    }
    int ends[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    enet_attack_connect(&(enet_attack){.socket = ends[0]}, 77, 0);
    enum { UDP_HEADER_BYTES = 8 };
    uint8_t datagram[UDP_HEADER_BYTES + ENET_ATTACK_CONNECT_BYTES] = {
        0, 0, (uint8_t)(port >> 8), (uint8_t)port, 0, sizeof datagram};
    ck_assert_int_eq(recv(ends[1], datagram + UDP_HEADER_BYTES, ENET_ATTACK_CONNECT_BYTES, 0),
                     ENET_ATTACK_CONNECT_BYTES);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    ck_assert_int_eq(
        sendto(raw, datagram, sizeof datagram, 0, (const struct sockaddr *)&to, sizeof to),
        sizeof datagram);
    close(ends[0]);
    close(ends[1]);
    close(raw);
    return true;
}

// ENet gives up a round of sending at the first error, and nothing can be sent to port 0.
TEST(who_cannot_be_answered_is_not) {
    uint16_t port = apex_transport_port(server.transport);
    if (connect_from_port_0(port)) {
        for (int i = 0; i < ROUNDS_MAX && server.opened == 0 &&
                        net_server_counter(&server, APEX_TRANSPORT_REFUSED_MALFORMED) == 0;
             i++) {
            server_round();
        }
        ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_REFUSED_MALFORMED), 1);
        ck_assert_uint_eq(net_server_counter(&server, APEX_TRANSPORT_SERVICE_ERRORS), 0);
    }
}

TEST(empty_datagrams_do_not_hide_what_is_behind_them) {
    ck_assert_uint_eq(packets_behind(0, 500), 1);
    ck_assert_uint_ge(refused(APEX_TRANSPORT_REFUSED_MALFORMED), 499);
}

static void send_hoard(const enet_attack *attack, uint32_t datagrams, void (*round)(void)) {
    for (uint32_t d = 0; d < datagrams; d++) {
        uint8_t commands[30 * 8] = {0};
        for (uint32_t i = 0; i < 30; i++) {
            uint8_t *command = commands + i * 8;
            command[0] = 7;
            command[1] = 1;
            put_u16(command + 2, 1);
            put_u16(command + 4, d * 30 + i);
        }
        enet_attack_commands(attack, commands, sizeof commands);
        round();
    }
}

TEST(empty_commands_fill_a_bare_host) {
    enet_attack attack;
    get_in(&attack, bare_open(8), bare_round);
    size_t before = enet_heap_bytes();
    send_hoard(&attack, 100, bare_round);
    ck_assert_uint_gt(enet_heap_bytes() - before, (size_t)3000 * 100);
    enet_attack_close(&attack);
    enet_host_destroy(bare);
}

TEST(empty_commands_are_not_kept_by_the_server) {
    enet_attack attack;
    get_in(&attack, apex_transport_port(server.transport), server_round);
    enet_heap_reset_peak();
    size_t before = enet_heap_bytes();
    send_hoard(&attack, 100, server_round);
    ck_assert_uint_le(enet_heap_bytes_peak() - before, 4 * KB);
    ck_assert_uint_eq(refused(APEX_TRANSPORT_REFUSED_SEQUENCE), 100);
    enet_attack_close(&attack);
}
