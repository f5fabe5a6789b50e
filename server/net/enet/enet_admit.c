// Admission of datagrams. ENet as distributions ship it cannot be trusted with what strangers send,
// so the gate (datagram_gate.h) stands before it in its `intercept` hook, and cookies before that
// while many want in.
//
// A lone unsequenced packet, which nine of ten datagrams are, is put onto the frame by the hook
// itself, by ENet's own memory of what has come: a packet of controls costs 1.4 us instead of 2.1,
// the kernel's part and its own reader in proto included (DECISIONS 32).
#include "net/enet/enet_admit.h"

#include "net/enet/datagram_gate.h"
#include "net/enet/enet_events.h"
#include "net/enet/transport_counters.h"

enum {
    REPLIES_PER_S = 2000,
    REPLY_BYTES = 10,
};

// 10 bytes for the 52 of a CONNECT: asking in another's name gains nothing.
static bool may_reply(apex_transport *transport) {
    net_rate rate = {.per_s = REPLIES_PER_S, .burst = REPLIES_PER_S / 10};
    return net_bucket_take(&transport->replies, rate, 1, transport->now_us);
}

static bool reply(const net_host *host, const ENetAddress *to, uint8_t bytes[REPLY_BYTES],
                  uint32_t word) {
    for (int i = 0; i < 4; i++) {
        bytes[6 + i] = (uint8_t)(word >> (24 - 8 * i));
    }
    ENetBuffer buffer = {.data = bytes, .dataLength = REPLY_BYTES};
    return enet_socket_send(host->enet->socket, to, &buffer, 1) == REPLY_BYTES;
}

// Stock ENet ignores it, since a datagram for peer 0xFFF has to begin with a CONNECT.
static void send_cookie(const net_host *host, const ENetAddress *to) {
    apex_transport *transport = host->transport;
    if (!may_reply(transport)) {
        return;
    }
    uint8_t bytes[REPLY_BYTES] = {0x0F, 0xFF, 'A', 'P', 'X', 'C'};
    uint32_t cookie = net_cookie_make(&transport->cookies, to->host, to->port, transport->now_us);
    transport->counters[APEX_TRANSPORT_COOKIES_SENT] += reply(host, to, bytes, cookie);
}

static bool is_linked(const net_host *host, const ENetAddress *address) {
    for (const ENetPeer *peer = host->enet->peers; peer < host->enet->peers + host->shown; peer++) {
        if (peer->state != ENET_PEER_STATE_DISCONNECTED && peer->address.host == address->host &&
            peer->address.port == address->port) {
            return true;
        }
    }
    return false;
}

// A DISCONNECT for the id that the client gave its peer, which a stock client takes for the end of
// its attempt; silence would have it wait for half a minute. A client that has a link already is
// not told, since it might lose that link by a CONNECT that another sends in its name.
static void turn_away(const net_host *host, const ENetAddress *to, uint16_t peer_id,
                      apex_reason reason) {
    if (may_reply(host->transport) && !is_linked(host, to)) {
        uint8_t command = ENET_PROTOCOL_COMMAND_DISCONNECT | ENET_PROTOCOL_COMMAND_FLAG_UNSEQUENCED;
        uint8_t bytes[REPLY_BYTES] = {(uint8_t)(peer_id >> 8), (uint8_t)peer_id, command, 0xFF};
        reply(host, to, bytes, (uint32_t)reason);
    }
}

static bool is_full(const net_host *host) {
    const net_links *links = &host->transport->links;
    uint32_t end = host->first_slot + host->transport->peers_each;
    uint32_t slot = host->first_slot;
    while (slot < end && links->records[slot].state != NET_LINK_FREE) {
        slot++;
    }
    return slot == end;
}

static bool may_connect(const net_host *host, const net_gate_connect *connect) {
    apex_transport *transport = host->transport;
    const ENetAddress *from = &host->enet->receivedAddress;
    const net_links *links = &transport->links;
    bool is_crowded =
        links->half_open_count + transport->connects_passed >= transport->def.half_open_max;
    if (is_crowded && !net_cookie_check(&transport->cookies, from->host, from->port,
                                        transport->now_us, connect->data)) {
        transport->counters[APEX_TRANSPORT_REFUSED_COOKIE]++;
        send_cookie(host, from);
        return false;
    }
    if (net_links_of_address(links, from->host) >= transport->def.links_per_address_max) {
        transport->counters[APEX_TRANSPORT_REFUSED_ADDRESS]++;
        turn_away(host, from, connect->peer_id, APEX_REASON_ADDRESS_LIMIT);
        return false;
    }
    if (is_full(host)) {
        transport->counters[APEX_TRANSPORT_REFUSED_FULL]++;
        turn_away(host, from, connect->peer_id, APEX_REASON_SERVER_FULL);
        return false;
    }
    transport->connects_passed++;
    return true;
}

// The peer that a datagram speaks for, by the same test that ENet applies; NULL for a stranger.
static ENetPeer *speaker(const net_host *host, const net_gate_header *header) {
    if (header->peer_id >= host->shown) {
        return NULL;
    }
    const ENetHost *enet = host->enet;
    ENetPeer *peer = &enet->peers[header->peer_id];
    bool is_alive =
        peer->state != ENET_PEER_STATE_DISCONNECTED && peer->state != ENET_PEER_STATE_ZOMBIE;
    bool is_from_there = peer->address.host == enet->receivedAddress.host &&
                         peer->address.port == enet->receivedAddress.port;
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
        !net_enet_take_lone_packet(transport, peer, &packet)) {
        return false;
    }
    transport->links.records[net_enet_slot(peer)].heard_us = transport->awake_us;
    return true;
}

// @return whether ENet is to see the datagram that its host has just received.
static bool admit(const net_host *host) {
    apex_transport *transport = host->transport;
    const ENetHost *enet = host->enet;
    const uint8_t *bytes = enet->receivedData;
    size_t length = enet->receivedDataLength;
    net_gate_header header = {0};
    net_gate_verdict verdict = net_gate_read_header(bytes, length, &header);
    // To port 0 nothing can be sent, and at the error ENet would leave off sending to the others.
    if (verdict == NET_GATE_PASS && enet->receivedAddress.port == 0) {
        verdict = NET_GATE_MALFORMED;
    }
    if (verdict != NET_GATE_PASS) {
        net_enet_count_refusal(transport, verdict);
        return false;
    }
    bool wants_to_connect = header.peer_id == NET_GATE_NO_PEER;
    ENetPeer *peer = wants_to_connect ? NULL : speaker(host, &header);
    if (!wants_to_connect && peer == NULL) {
        transport->counters[APEX_TRANSPORT_REFUSED_STRANGER]++;
        return false;
    }
    if (peer != NULL && is_lone_packet(transport, peer, bytes, length, &header)) {
        return false;
    }
    bool says_goodbye = false;
    verdict = net_gate_walk(bytes, length, &header, received_by(peer), &says_goodbye);
    if (verdict != NET_GATE_PASS) {
        net_enet_count_refusal(transport, verdict);
        if (verdict == NET_GATE_FRAGMENT_RELIABLE && peer != NULL) {
            // It would send it again for half a minute, and never learn what is wrong.
            net_links_set_fault(&transport->links, net_enet_slot(peer), APEX_REASON_BAD_MESSAGE);
        }
        return false;
    }
    if (peer != NULL) {
        net_link_record *record = &transport->links.records[net_enet_slot(peer)];
        record->heard_us = transport->awake_us;
        record->said_goodbye = record->said_goodbye || says_goodbye;
        return true;
    }
    net_gate_connect connect = net_gate_read_connect(bytes, &header);
    return may_connect(host, &connect);
}

int net_enet_intercept(ENetHost *enet, ENetEvent *event) {
    (void)event;
    const net_host *host = net_enet_host(enet);
    bool is_admitted = admit(host);
    net_enet_show_peers(host, is_admitted);
    return is_admitted ? 0 : 1;
}
