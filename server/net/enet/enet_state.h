// The transport's state: its ENet hosts, the table of their links, what it counts.
#pragma once

#include <enet/enet.h>

#include "net/bucket.h"
#include "net/enet/connect_cookie.h"
#include "net/enet/datagram_gate.h"
#include "net/enet/endpoints.h"
#include "net/enet/fair_budget.h"
#include "net/enet/intake.h"
#include "net/enet/link_table.h"
#include "net/enet/sealed_table.h"
#include "net/enet/shown_addresses.h"
#include "net/frame_list.h"
#include "net/net.h"

enum {
    NET_PEERS_MAX = 4095, // peer ids have 12 bits, and the last stands for none
    NET_PACKET_IN_BYTES_MAX = 4096,
    NET_SEALED_WAITING_MAX = 1024,
    NET_ENET_PORT = 1, // of all names that ENet has for addresses
};

// The CONNECT that ENet has been given last, until it has been seen what came of it.
typedef struct net_connecting {
    bool is_under_way;
    uint32_t slot;
} net_connecting;

// A datagram that shows who sent it, by a cookie, and waits until ENet has a peer for him.
typedef struct net_proven {
    bool waits;
    uint32_t slot;
    apex_udp_address address;
    net_verify verify;
    uint8_t connect[52]; // by which ENet gets it
    size_t length;
    uint8_t bytes[APEX_UDP_DATAGRAM_BYTES_MAX];
} net_proven;

// One of ENet's hosts. Past 4,095 peers several share the port: the kernel sends each client's
// datagrams to one of them, by a hash of both addresses.
typedef struct net_host {
    ENetHost *enet;
    apex_transport *transport;
    uint32_t taken_back;  // the slot after the one whose closing link gave way last
    uint32_t first_slot;  // of its peers in the table of links
    size_t shown;         // how many of its peers ENet has to know of, see fit_peers
    uint64_t tended_us;   // when it last looked for peers that do not answer
    ENetPeer *peers;      // all of them; ENet is shown some, or one
    int socket;           // of the links, and of all that is sent
    int door_socket;      // -1: there is none
    net_intake own, door; // of the links; of those who want one, where there is a socket for them
    apex_udp_writer *writer;
    uint32_t patience;                         // datagrams that this round may still look at
    uint8_t left[NET_GATE_DATAGRAM_BYTES_MAX]; // of a datagram, for ENet: see enet_cut.h
    net_connecting connecting;
    net_proven proven;
    net_sealed_table sealed;
    apex_udp_path path;
    apex_udp_written written_seen;
} net_host;

struct apex_transport {
    net_host *hosts;
    uint32_t host_count, peers_each;
    uint32_t turn; // which host is served first
    apex_transport_def def;
    uint64_t now_us;
    uint64_t awake_us; // time as far as it was seen to pass, see tell_time
    uint64_t sweep_at_us;
    net_links links; // of all hosts, one after the other
    net_endpoints endpoints;
    net_cookies cookies;
    uint64_t queued_bytes;     // of all links, see net_link_record
    bool had_long_queues;      // so that the heap has what it should give back
    net_fair_budget answers;   // to those who have no link
    uint64_t cookies_until_us; // after which nobody can have a good one
    net_bucket replies;        // that turn away who has no link
    bool is_ours;              // the datagram that was read last is a link's, within its rates
    net_shown shown;
    net_bucket silent;           // links of those who have said nothing
    net_fair_budget first_words; // links of those who have shown it and say something
    apex_seal_door door;
    net_fair_budget opens; // sealed connections
    uint64_t counters[APEX_TRANSPORT_COUNTERS];
    apex_arena *frame; // during receive only
    net_frame_list events;
};

// A host has no word for its owner. The compressor's is free: without functions it is never used.
static inline net_host *net_enet_host(const ENetHost *enet) {
    return enet->compressor.context;
}

static inline uint32_t net_enet_slot(const ENetPeer *peer) {
    return net_enet_host(peer->host)->first_slot + peer->incomingPeerID;
}

static inline ENetPeer *net_enet_peer(const apex_transport *transport, uint32_t slot) {
    const net_host *host = &transport->hosts[slot / transport->peers_each];
    return &host->peers[slot % transport->peers_each];
}

// ENet walks over all its peers twice in each service call and once in a flush, half a kilobyte
// each. So where that walk is not wanted it is shown none.
static inline void net_enet_show_peers(const net_host *host, bool are_shown) {
    host->enet->peerCount = are_shown ? host->shown : 0;
}
