// What may come in. ENet as distributions ship it cannot be trusted with what strangers send, so
// the gate (gate.h) stands before it in its `intercept` hook, and cookies before that while many
// want in.
#include <errno.h>
#include <sys/socket.h>

#include "enet_private.h"

#include "base/assert.h"

enum {
    SOCKET_BUFFER_BYTES = 4 * 1024 * 1024,
    WAITING_BYTES_MAX = 64 * 1024,
    COOKIE_REPLIES_PER_S = 2000,
};

// 10 bytes for 52: asking in another's name gains nothing. Stock ENet ignores it, since a
// datagram for peer 0xFFF has to begin with a CONNECT.
static void send_cookie(apex_transport *transport, const ENetAddress *to) {
    net_rate rate = {.per_s = COOKIE_REPLIES_PER_S, .burst = COOKIE_REPLIES_PER_S / 10};
    if (!net_bucket_take(&transport->cookie_replies, rate, 1, transport->now_us)) {
        return;
    }
    uint32_t cookie = net_cookie_make(&transport->cookies, to->host, to->port, transport->now_us);
    uint8_t reply[10] = {0x0F, 0xFF, 'A', 'P', 'X', 'C'};
    for (int i = 0; i < 4; i++) {
        reply[6 + i] = (uint8_t)(cookie >> (24 - 8 * i));
    }
    ENetBuffer buffer = {.data = reply, .dataLength = sizeof reply};
    if (enet_socket_send(transport->host->socket, to, &buffer, 1) == (int)sizeof reply) {
        transport->counters[APEX_TRANSPORT_COOKIES_SENT]++;
    }
}

static bool may_connect(apex_transport *transport, const ENetAddress *from, uint32_t cookie) {
    const net_links *links = &transport->links;
    bool is_crowded =
        links->half_open_count + transport->connects_passed >= transport->def.half_open_max;
    if (is_crowded &&
        !net_cookie_check(&transport->cookies, from->host, from->port, transport->now_us, cookie)) {
        transport->counters[APEX_TRANSPORT_REFUSED_COOKIE]++;
        send_cookie(transport, from);
        return false;
    }
    if (net_links_of_address(links, from->host) >= transport->def.links_per_address_max) {
        transport->counters[APEX_TRANSPORT_REFUSED_ADDRESS]++;
        return false;
    }
    transport->connects_passed++;
    return true;
}

// The peer that a datagram speaks for, by the same test that ENet applies; NULL for a stranger.
static ENetPeer *speaker(const ENetHost *host, const net_gate_header *header) {
    if (header->peer_id >= host->peerCount) {
        return NULL;
    }
    ENetPeer *peer = &host->peers[header->peer_id];
    bool is_alive =
        peer->state != ENET_PEER_STATE_DISCONNECTED && peer->state != ENET_PEER_STATE_ZOMBIE;
    bool is_from_there = peer->address.host == host->receivedAddress.host &&
                         peer->address.port == host->receivedAddress.port;
    bool is_this_session = peer->outgoingPeerID >= ENET_PROTOCOL_MAXIMUM_PEER_ID ||
                           peer->incomingSessionID == header->session;
    return is_alive && is_from_there && is_this_session ? peer : NULL;
}

static net_gate_received received_by(const ENetPeer *peer) {
    net_gate_received received = {{0}};
    for (size_t i = 0; peer && i < peer->channelCount && i < NET_GATE_CHANNELS; i++) {
        received.reliable[i] = peer->channels[i].incomingReliableSequenceNumber;
    }
    return received;
}

void net_enet_count_refusal(apex_transport *transport, net_gate_verdict verdict) {
    static const apex_transport_counter counters[] = {
        [NET_GATE_MALFORMED] = APEX_TRANSPORT_REFUSED_MALFORMED,
        [NET_GATE_OVERSIZE] = APEX_TRANSPORT_REFUSED_OVERSIZE,
        [NET_GATE_COMPRESSED] = APEX_TRANSPORT_REFUSED_COMPRESSED,
        [NET_GATE_FRAGMENT] = APEX_TRANSPORT_REFUSED_FRAGMENT,
        [NET_GATE_FRAGMENT_RELIABLE] = APEX_TRANSPORT_REFUSED_FRAGMENT,
        [NET_GATE_COMMANDS] = APEX_TRANSPORT_REFUSED_COMMANDS,
        [NET_GATE_SEQUENCE] = APEX_TRANSPORT_REFUSED_SEQUENCE,
    };
    transport->counters[counters[verdict]]++;
}

// Whether ENet may see the datagram that its host has just received.
static bool admit(apex_transport *transport, const ENetHost *host) {
    const uint8_t *bytes = host->receivedData;
    size_t length = host->receivedDataLength;
    net_gate_header header = {0};
    net_gate_verdict verdict = net_gate_read_header(bytes, length, &header);
    // To port 0 nothing can be sent, and at the error ENet would leave off sending to the others.
    if (verdict == NET_GATE_PASS && host->receivedAddress.port == 0) {
        verdict = NET_GATE_MALFORMED;
    }
    if (verdict != NET_GATE_PASS) {
        net_enet_count_refusal(transport, verdict);
        return false;
    }
    bool wants_to_connect = header.peer_id == NET_GATE_NO_PEER;
    ENetPeer *peer = wants_to_connect ? NULL : speaker(host, &header);
    if (!wants_to_connect && !peer) {
        transport->counters[APEX_TRANSPORT_REFUSED_STRANGER]++;
        return false;
    }
    verdict = net_gate_walk(bytes, length, &header, received_by(peer));
    if (verdict != NET_GATE_PASS) {
        net_enet_count_refusal(transport, verdict);
        if (verdict == NET_GATE_FRAGMENT_RELIABLE && peer) {
            // It would send it again for half a minute, and never learn what is wrong.
            net_links_set_fault(&transport->links, net_enet_slot(peer), APEX_REASON_BAD_MESSAGE);
        }
        return false;
    }
    if (peer) {
        transport->links.records[net_enet_slot(peer)].heard_us = transport->awake_us;
        return true;
    }
    return may_connect(transport, &host->receivedAddress, net_gate_connect_data(bytes, &header));
}

// A host has no word for its owner. The compressor's is free: without functions it is never used.
static int intercept(ENetHost *host, ENetEvent *event) {
    (void)event;
    return admit(host->compressor.context, host) ? 0 : 1;
}

// --- Opening ------------------------------------------------------------------------------------

static apex_err open_host(const apex_transport_def *def, ENetHost **out) {
    ENetAddress address = {.host = ENET_HOST_ANY, .port = def->port};
    bool is_anywhere = !def->address || def->address[0] == '\0';
    if (!is_anywhere && enet_address_set_host_ip(&address, def->address) != 0) {
        return APEX_ERR_INVALID;
    }
    errno = 0;
    *out = enet_host_create(&address, def->links_max, APEX_CHANNEL_COUNT, 0, 0);
    if (*out) {
        return APEX_OK;
    }
    if (errno == EADDRNOTAVAIL) {
        return APEX_ERR_INVALID;
    }
    return errno != 0 ? apex_err_from_errno(errno) : APEX_ERR_NO_MEMORY;
}

static void configure_host(apex_transport *transport) {
    ENetHost *host = transport->host;
    host->intercept = intercept;
    host->compressor.context = transport;
    host->maximumWaitingData = WAITING_BYTES_MAX;
    host->duplicatePeers = transport->def.links_per_address_max;
    // The kernel's own limit may be lower; then it gives what it has.
    enet_socket_set_option(host->socket, ENET_SOCKOPT_RCVBUF, SOCKET_BUFFER_BYTES);
    enet_socket_set_option(host->socket, ENET_SOCKOPT_SNDBUF, SOCKET_BUFFER_BYTES);
}

apex_err net_enet_open(apex_transport *transport, const char *address, uint16_t port) {
    apex_transport_def def = transport->def;
    def.address = address;
    def.port = port;
    apex_err err = open_host(&def, &transport->host);
    if (err == APEX_OK) {
        configure_host(transport);
    }
    return err;
}
