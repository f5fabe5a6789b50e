// Admission of datagrams. ENet as distributions ship it cannot be trusted with what strangers send,
// so the gate (datagram_gate.h) stands before it, and cookies before that while many want in.
//
// A lone unsequenced packet, which nine of ten datagrams are, is put onto the frame at once: a
// packet of controls costs 1.4 us instead of 2.1, the kernel's part and its own reader in proto
// included (DECISIONS 32). enet_cut.c cuts such packets out of the others.
//
// To let somebody in ENet walks over all its peers, half a kilobyte each. It is shown one, which is
// free; whether the attempt is a repeated one is found out here.
#include "net/enet/enet_admit.h"

#include <string.h>

#include "base/assert.h"
#include "net/enet/datagram_gate.h"
#include "net/enet/enet_cut.h"
#include "net/enet/enet_events.h"
#include "net/enet/transport_counters.h"

enum {
    REPLIES_PER_S = 2000,
    REPLY_BYTES = 10,
    HALF_OPEN_US = 2000000,
};

// 10 bytes for the 52 of a CONNECT: asking in another's name gains nothing.
static bool may_reply(apex_transport *transport) {
    net_rate rate = {.per_s = REPLIES_PER_S, .burst = REPLIES_PER_S / 10};
    return net_bucket_take(&transport->replies, rate, 1, transport->now_us);
}

static void reply(net_host *host, const net_arrival *to, const uint8_t head[6], uint32_t word) {
    uint8_t bytes[REPLY_BYTES];
    memcpy(bytes, head, 6);
    for (int i = 0; i < 4; i++) {
        bytes[6 + i] = (uint8_t)(word >> (24 - 8 * i));
    }
    net_enet_answer(host, to, bytes, sizeof bytes);
}

// Stock ENet ignores it, since a datagram for peer 0xFFF has to begin with a CONNECT.
static void send_cookie(net_host *host, const net_arrival *to) {
    static const uint8_t head[6] = {0x0F, 0xFF, 'A', 'P', 'X', 'C'};
    apex_transport *transport = host->transport;
    if (may_reply(transport)) {
        transport->counters[APEX_TRANSPORT_COOKIES_SENT]++;
        reply(host, to, head, net_cookie_make(&transport->cookies, to->address, transport->now_us));
    }
}

// A DISCONNECT for the id that the client gave its peer, which a stock client takes for the end of
// its attempt; silence would have it wait for half a minute. A client that has a link already is
// not told, since it might lose that link by a CONNECT that another sends in its name.
static void turn_away(net_host *host, const net_arrival *to, uint16_t peer_id, apex_reason reason) {
    apex_transport *transport = host->transport;
    if (net_endpoints_find(&transport->endpoints, to->address) == NET_ENDPOINT_NONE &&
        may_reply(transport)) {
        uint8_t command = ENET_PROTOCOL_COMMAND_DISCONNECT | ENET_PROTOCOL_COMMAND_FLAG_UNSEQUENCED;
        uint8_t head[6] = {(uint8_t)(peer_id >> 8), (uint8_t)peer_id, command, 0xFF, 0, 0};
        reply(host, to, head, (uint32_t)reason);
    }
}

// A client repeats its CONNECT until it is answered, and ENet repeats its answer.
static bool is_repeated(const net_host *host, const net_arrival *arrival, uint32_t connect_id) {
    const apex_transport *transport = host->transport;
    if (arrival->sealed != NULL) {
        return arrival->sealed->slot1 != 0;
    }
    uint32_t endpoint = net_endpoints_find(&transport->endpoints, arrival->address);
    uint32_t slot1 = endpoint != NET_ENDPOINT_NONE
                         ? net_endpoints_at(&transport->endpoints, endpoint)->first_slot1
                         : 0;
    while (slot1 != 0 && net_enet_peer(transport, slot1 - 1)->connectID != connect_id) {
        slot1 = transport->links.records[slot1 - 1].next_slot1;
    }
    return slot1 != 0;
}

static bool may_be_plain(const apex_transport *transport, const apex_udp_address *address) {
    return transport->def.plain == APEX_PLAIN_ALL ||
           (transport->def.plain == APEX_PLAIN_NEAR && apex_udp_is_near(address));
}

// A seal shows all that a cookie does.
static bool has_proof(net_host *host, const net_arrival *arrival, const net_gate_connect *connect) {
    apex_transport *transport = host->transport;
    if (arrival->sealed != NULL) {
        return true;
    }
    if (!may_be_plain(transport, arrival->address)) {
        transport->counters[APEX_TRANSPORT_REFUSED_PLAIN]++;
        turn_away(host, arrival, connect->peer_id, APEX_REASON_SEAL_NEEDED);
        return false;
    }
    if (transport->links.half_open_count < transport->def.half_open_max ||
        net_cookie_check(&transport->cookies, arrival->address, transport->now_us, connect->data)) {
        return true;
    }
    transport->counters[APEX_TRANSPORT_REFUSED_COOKIE]++;
    send_cookie(host, arrival);
    return false;
}

// ENet gives the client the one peer that it is shown.
static void begin_connect(net_host *host, const net_arrival *arrival, uint32_t slot) {
    apex_transport *transport = host->transport;
    ENetPeer *peer = net_enet_peer(transport, slot);
    if (peer->state != ENET_PEER_STATE_DISCONNECTED) {
        enet_peer_reset(peer); // it was given up, and ENet would have told of it at some time
    }
    net_enet_join_endpoint(transport, slot, arrival->address);
    if (arrival->sealed != NULL) {
        net_sealed_set_link(&host->sealed, arrival->sealed, slot);
        transport->links.records[slot].sealed1 = net_sealed_index(&host->sealed, arrival->sealed);
    }
    host->connecting = (net_connecting){.is_under_way = true, .slot = slot};
    host->enet->peers = peer;
    host->enet->peerCount = 1;
}

void net_enet_settle_connect(net_host *host) {
    apex_transport *transport = host->transport;
    net_connecting connecting = host->connecting;
    if (!connecting.is_under_way) {
        return;
    }
    host->connecting.is_under_way = false;
    host->enet->peers = host->peers;
    if (net_enet_peer(transport, connecting.slot)->state == ENET_PEER_STATE_DISCONNECTED) {
        net_enet_free_slot(transport, connecting.slot); // ENet would not have it
        return;
    }
    net_links_set_half_open(&transport->links, connecting.slot, transport->now_us + HALF_OPEN_US);
    uint32_t used = connecting.slot - host->first_slot + 1;
    host->shown = host->shown > used ? host->shown : used;
}

static bool may_connect(net_host *host, const net_arrival *arrival, const net_gate_connect *connect,
                        uint32_t *for_slot) {
    apex_transport *transport = host->transport;
    if (is_repeated(host, arrival, connect->id) || !has_proof(host, arrival, connect)) {
        return false;
    }
    if (net_endpoints_of_household(&transport->endpoints, arrival->address) >=
        transport->def.links_per_address_max) {
        transport->counters[APEX_TRANSPORT_REFUSED_ADDRESS]++;
        turn_away(host, arrival, connect->peer_id, APEX_REASON_ADDRESS_LIMIT);
        return false;
    }
    uint32_t end = host->first_slot + transport->peers_each;
    uint32_t slot = net_links_lowest_free(&transport->links, host->first_slot, end);
    if (slot == end) {
        transport->counters[APEX_TRANSPORT_REFUSED_FULL]++;
        turn_away(host, arrival, connect->peer_id, APEX_REASON_SERVER_FULL);
        return false;
    }
    begin_connect(host, arrival, slot);
    *for_slot = slot;
    return true;
}

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

// The peer that a datagram speaks for, by the same test that ENet applies; NULL for a stranger.
static ENetPeer *speaker(const net_host *host, const net_arrival *arrival,
                         const net_gate_header *header) {
    if (header->peer_id >= host->shown) {
        return NULL;
    }
    ENetPeer *peer = &host->peers[header->peer_id];
    bool is_alive =
        peer->state != ENET_PEER_STATE_DISCONNECTED && peer->state != ENET_PEER_STATE_ZOMBIE;
    bool is_from_there = is_from(host, arrival, net_enet_slot(peer));
    bool is_this_session = peer->outgoingPeerID >= ENET_PROTOCOL_MAXIMUM_PEER_ID ||
                           peer->incomingSessionID == header->session;
    return is_alive && is_from_there && is_this_session ? peer : NULL;
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

// Of a link that is there. @return whether ENet is to see it.
static bool admit_from(net_host *host, ENetPeer *peer, net_arrival *arrival,
                       const net_gate_header *header) {
    apex_transport *transport = host->transport;
    net_link_record *record = &transport->links.records[net_enet_slot(peer)];
    if (is_lone_packet(transport, peer, arrival->bytes, arrival->length, header)) {
        return false;
    }
    bool says_goodbye = false;
    net_gate_verdict verdict =
        net_gate_walk(arrival->bytes, arrival->length, header, received_by(peer), &says_goodbye);
    if (verdict != NET_GATE_PASS) {
        note_refusal(transport, peer, verdict);
        return false;
    }
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
    return may_connect(host, arrival, &connect, slot);
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
        transport->counters[APEX_TRANSPORT_REFUSED_STRANGER]++;
        return false;
    }
    *slot = net_enet_slot(peer);
    return admit_from(host, peer, arrival, &header);
}
