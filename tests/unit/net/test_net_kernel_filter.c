// The filter in the kernel: what of it comes through a real socket.
#include "support/base/check_main.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/enet/kernel_filter.h"
#include "udp/udp.h"

enum { PEERS = 224, BYTES_MAX = 1300 };

static int server, client;

static void start(void) {
    uint16_t port = 0;
    apex_udp_def def = {.host = "127.0.0.1", .buffer_bytes = 1 << 20};
    apex_udp_address address;
    server = apex_udp_open(&def, &port);
    ck_assert_int_ge(server, 0);
    ck_assert_int_eq(net_kernel_filter(server, PEERS), APEX_OK);
    client = apex_udp_connect("127.0.0.1", port, &address);
    ck_assert_int_ge(client, 0);
}

static void stop(void) {
    close(client);
    close(server);
}

FIXTURE(start, stop)

// Loopback delivers within the call.
static bool passes(uint8_t first, uint8_t second, size_t length) {
    uint8_t bytes[BYTES_MAX] = {first, second};
    uint8_t came[BYTES_MAX];
    ck_assert_int_eq(send(client, bytes, length, 0), (ssize_t)length);
    ssize_t got = recv(server, came, sizeof came, MSG_DONTWAIT);
    ck_assert(got < 0 || ((size_t)got == length && memcmp(came, bytes, length) == 0));
    return got >= 0;
}

TEST(a_peer_that_there_is_may_send_anything) {
    ck_assert(passes(0x00, 0, 3));
    ck_assert(passes(0x80, PEERS - 1, 12));
    ck_assert(passes(0xB0, 1, BYTES_MAX)); // the session has the number 3, the time is sent
    ck_assert(passes(0x30, PEERS - 1, 1200));
}

TEST(a_peer_that_there_is_not_may_send_nothing) {
    ck_assert(!passes(0x00, PEERS, 12));
    ck_assert(!passes(0x80, PEERS, 12));
    ck_assert(!passes(0x01, 0, 12));
    ck_assert(!passes(0x0F, 0xFE, 52));
    ck_assert(!passes(0xBE, 0xFF, 52));
}

TEST(a_connect_is_for_nobody_and_as_long_as_one) {
    ck_assert(passes(0x8F, 0xFF, 52));
    ck_assert(passes(0x8F, 0xFF, 60));
    ck_assert(!passes(0x8F, 0xFF, 51));
    ck_assert(!passes(0x0F, 0xFF, 12));
}

TEST(of_the_seal_what_a_client_sends_comes_through) {
    ck_assert(passes(0xC1, 1, 64));
    ck_assert(passes(0xC3, 1, 64));
    ck_assert(passes(0xC5, 0, 25));
    ck_assert(passes(0xC5, 0xFF, 1225));
    ck_assert(!passes(0xC1, 1, 63));
    ck_assert(!passes(0xC3, 1, 65));
    ck_assert(!passes(0xC5, 0, 24));
    ck_assert(!passes(0xC2, 1, 58)); // a server's
    ck_assert(!passes(0xC4, 1, 54));
}

TEST(what_is_compressed_is_nobodys) {
    for (unsigned first = 0x40; first < 0x100; first++) {
        bool is_a_clients = first == 0xC1 || first == 0xC3 || first == 0xC5;
        ck_assert(!((first & 0x40) != 0 && !is_a_clients && passes((uint8_t)first, 0, 64)));
    }
}

TEST(what_is_too_short_does_not_come) {
    ck_assert(!passes(0, 0, 0));
    ck_assert(!passes(0, 0, 1));
    ck_assert(!passes(0, 0, 2));
}

TEST(what_was_dropped_is_counted) {
    uint32_t before = apex_udp_dropped(server);
    for (int i = 0; i < 7; i++) {
        ck_assert(!passes(0x40, 0, 100));
    }
    ck_assert(passes(0x00, 0, 100));
    ck_assert_uint_eq(apex_udp_dropped(server) - before, 7);
}
