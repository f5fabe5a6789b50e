// The transport over ENet 1.3.17: making it, and what it counts. See enet_private.h for its rooms.
#include <sodium.h>
#include <stdlib.h>

#include "enet_private.h"

#include "base/assert.h"

apex_transport_def apex_default_transport_def(void) {
    return (apex_transport_def){
        .port = 26000,
        .links_max = 1024,
        .links_per_address_max = 256,
        .half_open_max = 64,
        .link_timeout_us = 5000000,
    };
}

apex_err apex_transport_create(const apex_transport_def *def, apex_transport **out) {
    APEX_ASSERT(def->links_max >= 1 && def->links_max <= NET_PEERS_MAX);
    APEX_ASSERT(def->links_per_address_max > 0 && def->link_timeout_us > 0);
    *out = NULL;
    if (sodium_init() < 0 || enet_initialize() != 0) {
        return APEX_ERR_UNSUPPORTED;
    }
    apex_transport *transport = calloc(1, sizeof *transport);
    if (!transport) {
        return APEX_ERR_NO_MEMORY;
    }
    transport->def = *def;
    transport->def.address = NULL;
    apex_err err = net_links_create(&transport->links, def->links_max);
    if (err == APEX_OK) {
        err = net_enet_open(transport, def->address, def->port);
    }
    if (err != APEX_OK) {
        apex_transport_destroy(transport);
        return err;
    }
    randombytes_buf(transport->cookies.key, sizeof transport->cookies.key);
    *out = transport;
    return APEX_OK;
}

void apex_transport_destroy(apex_transport *transport) {
    if (!transport) {
        return;
    }
    if (transport->host) {
        enet_host_destroy(transport->host);
    }
    net_links_destroy(&transport->links);
    free(transport);
}

uint16_t apex_transport_port(const apex_transport *transport) {
    return transport->host->address.port;
}

int apex_transport_socket(const apex_transport *transport) {
    return transport->host->socket;
}

const uint64_t *apex_transport_counters(const apex_transport *transport) {
    return transport->counters;
}

// ENet counts in 32 bits, which last a busy server for some minutes.
void net_enet_count_traffic(apex_transport *transport) {
    const ENetHost *host = transport->host;
    uint64_t *counters = transport->counters;
    counters[APEX_TRANSPORT_BYTES_IN] += host->totalReceivedData - transport->data_in_seen;
    counters[APEX_TRANSPORT_PACKETS_IN] += host->totalReceivedPackets - transport->packets_in_seen;
    counters[APEX_TRANSPORT_BYTES_OUT] += host->totalSentData - transport->data_out_seen;
    counters[APEX_TRANSPORT_PACKETS_OUT] += host->totalSentPackets - transport->packets_out_seen;
    transport->data_in_seen = host->totalReceivedData;
    transport->packets_in_seen = host->totalReceivedPackets;
    transport->data_out_seen = host->totalSentData;
    transport->packets_out_seen = host->totalSentPackets;
}
