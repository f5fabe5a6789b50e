// A transport that listens, honest clients of it, and attackers who have got as far as a link.
#pragma once

#include "support/base/check_main.h"
#include "support/net/enet_attack.h"
#include "support/net/enet_client.h"
#include "support/net/enet_heap.h"
#include "support/net/net_server.h"

enum { FRAME_BYTES = 4 * 1024 * 1024, ROUNDS_MAX = 2000, KB = 1024 };

static net_server server;

static inline void start(void) {
    enet_heap_watch();
    net_server_open(&server, apex_default_transport_def(), FRAME_BYTES);
}

static inline void stop(void) {
    net_server_close(&server);
}
static inline void server_round(void) {
    net_server_round(&server);
}

static inline bool connects(enet_client *client, void (*round)(void), int rounds) {
    for (int i = 0; i < rounds && !client->is_connected; i++) {
        enet_client_service(client, 1);
        round();
    }
    return client->is_connected;
}

// An attacker who has got as far as a link, like anybody can.
static inline void get_in(enet_attack *attack, uint16_t port, void (*round)(void)) {
    static uint32_t connect_id = 0; // a port may come again before its last link has ended
    enet_attack_open(attack, port);
    enet_attack_connect(attack, ++connect_id, 0);
    bool is_in = false;
    for (int i = 0; i < ROUNDS_MAX && !is_in; i++) {
        round();
        is_in = enet_attack_verify(attack);
    }
    ck_assert(is_in);
    round();
}

static inline uint64_t refused(apex_transport_counter counter) {
    return net_server_counter(&server, counter);
}

static inline void put_u16(uint8_t *out, uint32_t value) {
    out[0] = (uint8_t)(value >> 8);
    out[1] = (uint8_t)value;
}
