// The transport over ENet 1.3.17: making it, and what it tells of itself.
//
// ENet has four known defects, for which see datagram_gate.h and enet_receive.c, and does more that
// a server must guard against (DECISIONS 14):
// * It hoards empty commands that are sequenced ahead, without limit: the gate refuses them.
// * A datagram of no bytes ends receiving for that call: it is never given one.
// * A DISCONNECT without a sent time leaves the peer stuck: the gate refuses that, too.
// * Its reliable queues have no bound, hence a limit of 16 MiB for each link.
// * The limit on a packet's size holds for sending as well, so it is lifted around sends.
//
// ENet gives a link up after six unanswered tries of one reliable packet, pings included: with a
// quarter lost each way four of twenty bots were dropped within half a minute, so both ends leave
// the number of tries open and go by silence.
#include <sodium.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/enet/enet_host.h"

#include "base/assert.h"

apex_transport_def apex_default_transport_def(void) {
    return (apex_transport_def){
        .port = 26000,
        .links_max = 1024,
        .links_per_address_max = 256,
        .half_open_max = 64,
        .datagrams_per_s_max = 500,
        .commands_per_s_max = 1000,
        .link_timeout_us = 5000000,
    };
}

// If one host will not do, each gets as many peers as it can have: chance leads a client to one of
// them, and none should refuse while others have room. The limit on all of them together is for
// sessions to keep.
static void choose_hosts(apex_transport *transport) {
    const apex_transport_def *def = &transport->def;
    uint32_t each_max = def->links_per_host_max > 0 ? def->links_per_host_max : NET_PEERS_MAX;
    transport->host_count = (def->links_max + each_max - 1) / each_max;
    transport->peers_each = transport->host_count > 1 ? each_max : def->links_max;
    APEX_ASSERT(transport->host_count * transport->peers_each < UINT16_MAX);
}

// A server that was given no secret has one for this run, which nobody can have pinned.
static void open_door(apex_transport *transport) {
    uint8_t secret[APEX_SEAL_KEY_BYTES];
    apex_seal_make_secret(secret);
    apex_seal_door_init(&transport->door,
                        transport->def.seal_secret != NULL ? transport->def.seal_secret : secret);
    sodium_memzero(secret, sizeof secret);
    transport->def.seal_secret = NULL;
}

// An answer costs some 5 us on loopback, the kernel's part included; a link with its session some
// 50; a sealed connection 100. What comes at once is what may come in a tick, some 2 ms in all; but
// for a fleet of thirty that connects at once, which repeats its questions at the same times: after
// a quiet while all of them are let in, in one tick of some 3 ms.
// 50,000 households that begin to ask at the same time have each had an answer after 3 s.
static apex_err create_budgets(apex_transport *transport) {
    static const net_fair_rates answers = {.free = {.per_s = 2000, .burst = 120},
                                           .shared = {.per_s = 17000, .burst = 290},
                                           .wait_ms = 5000,
                                           .cells = 1 << 19};
    static const net_fair_rates first_words = {.free = {.per_s = 500, .burst = 30},
                                               .shared = {.per_s = 500, .burst = 10},
                                               .wait_ms = 20000,
                                               .cells = 1 << 16};
    static const net_fair_rates opens = {.free = {.per_s = 500, .burst = 30},
                                         .shared = {.per_s = 300, .burst = 5},
                                         .wait_ms = 20000,
                                         .cells = 1 << 16};
    apex_err err = net_fair_create(&transport->answers, answers);
    err = err == APEX_OK ? net_fair_create(&transport->first_words, first_words) : err;
    err = err == APEX_OK ? net_fair_create(&transport->opens, opens) : err;
    return err == APEX_OK ? net_shown_create(&transport->shown) : err;
}

apex_err apex_transport_create(const apex_transport_def *def, apex_transport **out) {
    APEX_ASSERT(def->links_max >= 1 && def->links_per_host_max <= NET_PEERS_MAX);
    APEX_ASSERT(def->links_per_address_max > 0 && def->link_timeout_us > 0);
    *out = NULL;
    if (!apex_seal_begin() || enet_initialize() != 0) {
        return APEX_ERR_UNSUPPORTED;
    }
    apex_transport *transport = calloc(1, sizeof *transport);
    if (transport == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    transport->def = *def;
    transport->def.address = NULL;
    choose_hosts(transport);
    uint32_t links = transport->host_count * transport->peers_each;
    apex_err err = net_links_create(&transport->links, links);
    if (err == APEX_OK) {
        err = net_endpoints_create(&transport->endpoints, links);
    }
    if (err == APEX_OK) {
        err = create_budgets(transport);
    }
    if (err == APEX_OK) {
        transport->hosts = calloc(transport->host_count, sizeof transport->hosts[0]);
        err =
            transport->hosts != NULL ? net_enet_open(transport, def->address) : APEX_ERR_NO_MEMORY;
    }
    if (err != APEX_OK) {
        apex_transport_destroy(transport);
        return err;
    }
    randombytes_buf(transport->cookies.key, sizeof transport->cookies.key);
    open_door(transport);
    *out = transport;
    return APEX_OK;
}

void apex_transport_destroy(apex_transport *transport) {
    if (transport == NULL) {
        return;
    }
    for (uint32_t i = 0; transport->hosts != NULL && i < transport->host_count; i++) {
        net_host *host = &transport->hosts[i];
        net_intake_destroy(&host->own);
        net_intake_destroy(&host->door);
        if (host->enet != NULL && host->door_socket >= 0) {
            close(host->door_socket);
        }
        apex_udp_writer_destroy(host->writer);
        net_sealed_destroy(&host->sealed);
        if (host->enet != NULL) {
            host->enet->peerCount = transport->peers_each; // see fit_peers
            enet_host_destroy(host->enet);
        }
    }
    free(transport->hosts);
    net_fair_destroy(&transport->answers);
    net_fair_destroy(&transport->first_words);
    net_fair_destroy(&transport->opens);
    net_shown_destroy(&transport->shown);
    net_links_destroy(&transport->links);
    net_endpoints_destroy(&transport->endpoints);
    free(transport);
}

const uint8_t *apex_transport_seal_key(const apex_transport *transport) {
    return transport->door.key;
}

uint16_t apex_transport_port(const apex_transport *transport) {
    return transport->hosts[0].enet->address.port;
}

size_t apex_transport_sockets(const apex_transport *transport, int sockets[APEX_SOCKETS_MAX]) {
    size_t count = 0;
    for (uint32_t i = 0; i < transport->host_count && count < APEX_SOCKETS_MAX; i++) {
        sockets[count++] = transport->hosts[i].socket;
    }
    if (transport->hosts[0].door_socket >= 0 && count < APEX_SOCKETS_MAX) {
        sockets[count++] = transport->hosts[0].door_socket;
    }
    return count;
}

bool apex_transport_quality(const apex_transport *transport, apex_link link,
                            apex_link_quality *out) {
    uint32_t slot = 0;
    if (!net_links_slot(&transport->links, link, &slot) ||
        transport->links.records[slot].state != NET_LINK_OPEN) {
        return false;
    }
    const ENetPeer *peer = net_enet_peer(transport, slot);
    *out = (apex_link_quality){
        .round_trip_ms = peer->roundTripTime,
        .jitter_ms = peer->roundTripTimeVariance,
    };
    return true;
}
