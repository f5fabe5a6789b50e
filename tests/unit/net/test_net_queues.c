// Links that acknowledge nothing: what is kept for them has a bound, and goes back to the system.
#include "support/base/check_main.h"
#include "support/net/enet_attack.h"
#include "support/net/net_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/enet/queue_limit.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { HEAP_IS_THE_SYSTEMS = 0 }; // freed memory is kept for a while, to find out who uses it
#else
enum { HEAP_IS_THE_SYSTEMS = 1 };
#endif

enum {
    FRAME_BYTES = 1024 * 1024,
    LINKS = 120,
    MESSAGE_BYTES = 64 * 1024,
    ROUNDS = 40, // 300 MiB in all
    MIB = 1024 * 1024,
};

static net_server server;
static enet_attack clients[LINKS];
static apex_link links[LINKS];
static uint8_t *message;

static void start(void) {
    apex_transport_def def = apex_default_transport_def();
    def.half_open_max = 2 * LINKS; // all of them without a word
    def.links_max = 2 * LINKS;
    net_server_open(&server, def, FRAME_BYTES);
    server.is_virtual = true;
    server.skipped_us = 3600000000u;
    message = calloc(1, MESSAGE_BYTES);
    for (uint32_t i = 0; i < LINKS; i++) {
        enet_attack_open(&clients[i], apex_transport_port(server.transport));
        enet_attack_connect(&clients[i], 1, 0);
        net_server_round(&server);
        ck_assert(enet_attack_verify(&clients[i]));
        net_server_round(&server);
        ck_assert_uint_eq(server.opened, i + 1);
        links[i] = server.newest;
    }
}

static void stop(void) {
    for (uint32_t i = 0; i < LINKS; i++) {
        enet_attack_close(&clients[i]);
    }
    free(message);
    net_server_close(&server);
}

static double resident_mib(void) {
    char text[128];
    char *rest = NULL;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, file));
    fclose(file);
    strtoul(text, &rest, 10); // of the whole program
    return (double)strtoul(rest, NULL, 10) * (double)sysconf(_SC_PAGESIZE) / MIB;
}

// Each has a copy of its own.
static void send_to(uint32_t i, size_t length) {
    apex_link_packet packet = {links[i], APEX_CHANNEL_RELIABLE, message, length};
    apex_transport_send(server.transport, &packet, 1);
}

FIXTURE(start, stop)

TEST(a_hundred_and_twenty_links_that_take_nothing_have_64_mib_together) {
    double before = resident_mib();
    double most = before;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < LINKS; i++) {
            send_to(i, MESSAGE_BYTES);
            ck_assert_uint_le(server.transport->queued_bytes, NET_QUEUES_BYTES_MAX);
        }
        most = resident_mib() > most ? resident_mib() : most;
        server.skipped_us += 1000;
        net_server_round(&server);
    }
    // Those who are left have their bytes waiting still; and then they are gone, too.
    ck_assert_uint_gt(server.transport->queued_bytes, 48 * MIB);
    for (int i = 0; i < 100; i++) {
        server.skipped_us += 200000;
        net_server_round(&server);
    }
    ck_assert_uint_eq(server.closed, LINKS);
    ck_assert_uint_eq(server.transport->queued_bytes, 0);
    double after = resident_mib();
    printf("resident memory: %.1f MiB before, %.1f at most, %.1f after\n", before, most, after);
    if (HEAP_IS_THE_SYSTEMS) {
        ck_assert_double_le(most - before, 64 + 26); // with what goes at the end of its round
        ck_assert_double_le(after - before, 2);
    }
}

// Not who is sent a message at the wrong moment.
TEST(the_longest_queue_goes_first) {
    for (uint32_t i = 0; i < 15 * MIB / MESSAGE_BYTES; i++) {
        send_to(0, MESSAGE_BYTES);
    }
    for (uint32_t i = 1; i < LINKS && server.transport->queued_bytes > 0; i++) {
        for (uint32_t k = 0; k < 7; k++) {
            send_to(i, MESSAGE_BYTES);
        }
    }
    server.skipped_us += 1000;
    net_server_round(&server);
    server.skipped_us += 6000000; // the one that is closing has had its time
    for (uint32_t i = 1; i < LINKS; i++) {
        enet_attack_commands(&clients[i], "\x05\xFF\0\0", 4);
    }
    net_server_round(&server);
    ck_assert_uint_eq(server.closed, 1);
    ck_assert_uint_eq(server.events[0].link.index1, links[0].index1);
}
