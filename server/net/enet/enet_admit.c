// Admission of datagrams. ENet as distributions ship it cannot be trusted with what strangers send,
// so the gate (datagram_gate.h) stands before it.
//
// A lone unsequenced packet, which nine of ten datagrams are, is put onto the frame at once: a
// packet of controls costs 1.4 us instead of 2.1, the kernel's part and its own reader in proto
// included (DECISIONS 32). enet_cut.c cuts such packets out of the others.
#include "net/enet/enet_admit.h"

#include <string.h>

#include "base/assert.h"
#include "net/enet/enet_connect.h"
#include "net/enet/enet_cut.h"
#include "net/enet/enet_events.h"
#include "net/enet/enet_proof.h"
#include "net/enet/transport_counters.h"
#include "net/enet/wire_words.h"

enum {
    BURST_S = 4,         // of what a link may send in a second
    EXCESS_PER_S = 20,   // datagrams past that, which are forgiven
    EXCESS_BURST = 1000, // and so many at once
};

// Over the link's own sealed connection, or plain from its address if it has none.
static bool is_from(const net_host *host, const net_arrival *arrival, uint32_t slot) {
    const apex_transport *transport = host->transport;
    const net_link_record *record = &transport->links.records[slot];
    if (arrival->sealed != NULL || record->sealed1 != 0) {
        return arrival->sealed != NULL && arrival->sealed->slot1 == slot + 1;
    }
    return record->endpoint != NET_ENDPOINT_NONE &&
           apex_udp_is_same(&net_endpoints_at(&transport->endpoints, record->endpoint)->address,
                            arrival->address);
}

// @return whether this slot's link is what a datagram speaks for, by the same test that ENet
// applies.
static bool is_spoken_for(const net_host *host, const net_arrival *arrival,
                          const net_gate_header *header, uint32_t slot) {
    const ENetPeer *peer = net_enet_peer(host->transport, slot);
    bool is_alive =
        peer->state != ENET_PEER_STATE_DISCONNECTED && peer->state != ENET_PEER_STATE_ZOMBIE;
    bool is_this_session = peer->outgoingPeerID >= ENET_PROTOCOL_MAXIMUM_PEER_ID ||
                           peer->incomingSessionID == header->session;
    return is_alive && net_enet_host(peer->host) == host &&
           host->transport->links.records[slot].told == header->peer_id &&
           is_from(host, arrival, slot) && is_this_session;
}

// Of the links at the arrival's address. @return its slot + 1, or 0.
static uint32_t slot1_told_other(const net_host *host, const net_arrival *arrival,
                                 const net_gate_header *header) {
    const apex_transport *transport = host->transport;
    uint32_t endpoint = net_endpoints_find(&transport->endpoints, arrival->address);
    uint32_t slot1 = endpoint != NET_ENDPOINT_NONE
                         ? net_endpoints_at(&transport->endpoints, endpoint)->first_slot1
                         : 0;
    while (slot1 != 0 && !is_spoken_for(host, arrival, header, slot1 - 1)) {
        slot1 = transport->links.records[slot1 - 1].next_slot1;
    }
    return slot1;
}

// The peer that a datagram speaks for; NULL for a stranger. Its client may have been told another
// number than it has, and ENet is to find it by its own.
static ENetPeer *speaker(const net_host *host, net_arrival *arrival,
                         const net_gate_header *header) {
    uint32_t slot = host->first_slot + header->peer_id;
    if (header->peer_id < host->shown && is_spoken_for(host, arrival, header, slot)) {
        return &host->peers[header->peer_id];
    }
    uint32_t slot1 = arrival->sealed == NULL ? slot1_told_other(host, arrival, header) : 0;
    if (slot1 == 0) {
        return NULL;
    }
    uint32_t number = slot1 - 1 - host->first_slot;
    uint32_t flags = net_read_u16(arrival->bytes) & ~(uint32_t)NET_GATE_NO_PEER;
    net_put_u16(arrival->bytes, flags | number);
    return &host->peers[number];
}

static net_gate_received received_by(const ENetPeer *peer) {
    net_gate_received received = {{0}};
    for (size_t i = 0; peer != NULL && i < peer->channelCount && i < NET_GATE_CHANNELS; i++) {
        received.reliable[i] = peer->channels[i].incomingReliableSequenceNumber;
    }
    return received;
}

static bool is_lone_packet(apex_transport *transport, ENetPeer *peer, const uint8_t *bytes,
                           size_t length, const net_gate_header *header) {
    net_gate_packet packet;
    if (!net_gate_read_lone_packet(bytes, length, header, &packet) ||
        !net_enet_take_bytes(transport, peer, packet.channel, packet.bytes, packet.length)) {
        return false;
    }
    net_link_record *record = &transport->links.records[net_enet_slot(peer)];
    record->heard_us = transport->awake_us;
    record->is_doubtful = false;
    return true;
}

static void note_refusal(apex_transport *transport, const ENetPeer *peer,
                         net_gate_verdict verdict) {
    net_enet_count_refusal(transport, verdict);
    if (verdict == NET_GATE_FRAGMENT_RELIABLE && peer != NULL &&
        transport->links.records[net_enet_slot(peer)].sealed1 != 0) {
        // It would send it again for half a minute, and never learn what is wrong. Over a plain
        // link somebody else may have sent it to have this one closed.
        net_links_set_fault(&transport->links, net_enet_slot(peer), APEX_REASON_BAD_MESSAGE);
    }
}

static net_gate_verdict read_header(const net_arrival *arrival, net_gate_header *header) {
    if (arrival->is_cut) {
        return NET_GATE_OVERSIZE;
    }
    // To port 0 nothing can be sent, and at the error ENet would leave off sending to the others.
    return arrival->address->port == 0
               ? NET_GATE_MALFORMED
               : net_gate_read_header(arrival->bytes, arrival->length, header);
}

static bool is_within(const apex_transport *transport, net_bucket *bucket, uint32_t per_s,
                      uint32_t count) {
    net_rate rate = {.per_s = per_s, .burst = BURST_S * per_s};
    return per_s == 0 || net_bucket_take(bucket, rate, count, transport->now_us);
}

// Past its rates a link's datagrams are dropped. Who goes on all the same loses it, if it is
// sealed: else it may be others who send in its name.
static bool is_too_much(apex_transport *transport, net_link_record *record, net_bucket *bucket,
                        uint32_t per_s, uint32_t count) {
    static const net_rate excess_rate = {.per_s = EXCESS_PER_S, .burst = EXCESS_BURST};
    if (is_within(transport, bucket, per_s, count)) {
        return false;
    }
    transport->counters[APEX_TRANSPORT_REFUSED_LINK_FLOOD]++;
    if (record->sealed1 != 0 &&
        !net_bucket_take(&record->excess, excess_rate, 1, transport->now_us)) {
        uint32_t slot = (uint32_t)(record - transport->links.records);
        net_links_set_fault(&transport->links, slot, APEX_REASON_RATE);
    }
    return true;
}

// What is reliable has to be acknowledged, however fast it goes.
static bool is_asked_for(ENetPeer *peer, const net_arrival *arrival,
                         const net_gate_header *header) {
    return !enet_list_empty(&peer->sentReliableCommands) &&
           net_gate_acknowledges(arrival->bytes, header);
}

// Of a link that is there. @return whether ENet is to see it.
static bool admit_from(net_host *host, ENetPeer *peer, net_arrival *arrival,
                       const net_gate_header *header) {
    apex_transport *transport = host->transport;
    net_link_record *record = &transport->links.records[net_enet_slot(peer)];
    bool is_plain = record->sealed1 == 0;
    if (is_plain && is_lone_packet(transport, peer, arrival->bytes, arrival->length, header)) {
        transport->is_ours =
            is_within(transport, &record->lone, transport->def.datagrams_per_s_max, 1);
        return false; // sessions tell by its secret whose it is, and have rates for either
    }
    uint32_t charged = is_asked_for(peer, arrival, header) ? 0 : 1;
    if (is_too_much(transport, record, &record->datagrams, transport->def.datagrams_per_s_max,
                    charged)) {
        return false;
    }
    transport->is_ours = true;
    if (!is_plain && is_lone_packet(transport, peer, arrival->bytes, arrival->length, header)) {
        return false;
    }
    bool says_goodbye = false;
    net_gate_verdict verdict =
        net_gate_walk(arrival->bytes, arrival->length, header, received_by(peer), &says_goodbye);
    if (verdict != NET_GATE_PASS) {
        transport->is_ours = false;
        note_refusal(transport, peer, verdict);
        return false;
    }
    if (is_too_much(transport, record, &record->commands, transport->def.commands_per_s_max,
                    net_gate_count(arrival->bytes, arrival->length, header))) {
        transport->is_ours = false;
        return false;
    }
    net_enet_disarm_proof(transport, net_enet_slot(peer), arrival->bytes, arrival->length, header);
    record->heard_us = transport->awake_us;
    record->said_goodbye = record->said_goodbye || (says_goodbye && record->sealed1 != 0);
    net_enet_show_peers(host, true);
    return net_enet_cut(host, peer, arrival, header->bytes);
}

// Of somebody who wants a link.
static bool admit_connect(net_host *host, const net_arrival *arrival, const net_gate_header *header,
                          uint32_t *slot) {
    bool says_goodbye = false;
    net_gate_verdict verdict =
        net_gate_walk(arrival->bytes, arrival->length, header, received_by(NULL), &says_goodbye);
    if (verdict != NET_GATE_PASS) {
        note_refusal(host->transport, NULL, verdict);
        return false;
    }
    net_gate_connect connect = net_gate_read_connect(arrival->bytes, header);
    return net_enet_may_connect(host, arrival, &connect, slot);
}

bool net_enet_admit(net_host *host, net_arrival *arrival, uint32_t *slot) {
    apex_transport *transport = host->transport;
    net_gate_header header = {0};
    net_gate_verdict verdict = read_header(arrival, &header);
    if (verdict != NET_GATE_PASS) {
        net_enet_count_refusal(transport, verdict);
        return false;
    }
    if (header.peer_id == NET_GATE_NO_PEER) {
        return admit_connect(host, arrival, &header, slot);
    }
    ENetPeer *peer = speaker(host, arrival, &header);
    if (peer == NULL) {
        return net_enet_take_proof(host, arrival, &header, slot);
    }
    *slot = net_enet_slot(peer);
    return admit_from(host, peer, arrival, &header);
}
