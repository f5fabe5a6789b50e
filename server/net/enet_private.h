// The transport over ENet in rooms: transport_enet.c (all of it together), enet_host.c (what may
// come in), enet_receive.c (what has come), enet_send.c (what goes out). Only these know ENet.
#pragma once

#include <enet/enet.h>

#include "bucket.h"
#include "cookie.h"
#include "frame_list.h"
#include "gate.h"
#include "links.h"
#include "net.h"

enum {
    NET_PEERS_MAX = 4095, // peer ids have 12 bits, and the last stands for none
    NET_PACKET_IN_BYTES_MAX = 4096,
};

struct apex_transport {
    ENetHost *host;
    apex_transport_def def;
    uint64_t now_us;
    uint64_t awake_us; // time as far as it was seen to pass, see tell_time
    uint64_t sweep_at_us;
    net_links links;
    net_cookies cookies;
    net_bucket cookie_replies;
    uint32_t connects_passed; // by the gate in this service call
    uint32_t data_in_seen, packets_in_seen, data_out_seen, packets_out_seen;
    uint64_t counters[APEX_TRANSPORT_COUNTERS];
    apex_arena *frame; // during receive only
    net_frame_list events;
};

static inline uint32_t net_enet_slot(const ENetPeer *peer) {
    return peer->incomingPeerID;
}

// enet_host.c
apex_err net_enet_open(apex_transport *transport, const char *address, uint16_t port);
void net_enet_count_refusal(apex_transport *transport, net_gate_verdict verdict);

// transport_enet.c
void net_enet_count_traffic(apex_transport *transport);
