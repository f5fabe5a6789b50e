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

// Not who is sent a long message at the wrong moment.
TEST(who_has_taken_nothing_for_longest_goes_first) {
    enum { OLDEST = 7, LONGEST = 3 };
    for (uint32_t k = 0; k < 2; k++) {
        send_to(OLDEST, MESSAGE_BYTES);
    }
    server.skipped_us += 1000;
    net_server_round(&server);
    for (uint32_t k = 0; k < 15 * MIB / MESSAGE_BYTES; k++) {
        send_to(LONGEST, MESSAGE_BYTES);
    }
    while (server.transport->links.faulty_count == 0) {
        for (uint32_t i = 0; i < LINKS; i++) {
            send_to(i, i == OLDEST || i == LONGEST ? 0 : 1024);
        }
    }
    ck_assert_uint_eq(server.transport->links.faulty_count, 1);
    ck_assert_uint_ne(server.transport->links.records[links[OLDEST].index1 - 1].fault, 0);
}

// What is sent to everybody is counted for each, and is there once.
TEST(short_queues_do_not_give_way) {
    static const apex_link_packet none = {.channel = APEX_CHANNEL_RELIABLE};
    apex_link_packet packets[LINKS];
    for (uint32_t i = 0; i < LINKS; i++) {
        packets[i] = none;
        packets[i].link = links[i];
        packets[i].bytes = message;
        packets[i].length = MESSAGE_BYTES;
    }
    server.transport->queued_bytes = NET_QUEUES_BYTES_MAX; // as by thousands of them
    apex_transport_send(server.transport, packets, LINKS);
    ck_assert_uint_eq(server.transport->links.faulty_count, 0);
    server.transport->queued_bytes -= NET_QUEUES_BYTES_MAX;
}
