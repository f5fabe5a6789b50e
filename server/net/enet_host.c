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
static void send_cookie(const net_host *host, const ENetAddress *to) {
    apex_transport *transport = host->transport;
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
    if (enet_socket_send(host->enet->socket, to, &buffer, 1) == (int)sizeof reply) {
        transport->counters[APEX_TRANSPORT_COOKIES_SENT]++;
    }
}

static bool may_connect(const net_host *host, const ENetAddress *from, uint32_t cookie) {
    apex_transport *transport = host->transport;
    const net_links *links = &transport->links;
    bool is_crowded =
        links->half_open_count + transport->connects_passed >= transport->def.half_open_max;
    if (is_crowded &&
        !net_cookie_check(&transport->cookies, from->host, from->port, transport->now_us, cookie)) {
        transport->counters[APEX_TRANSPORT_REFUSED_COOKIE]++;
        send_cookie(host, from);
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

// Whether ENet is to see the datagram that its host has just received.
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
    if (!wants_to_connect && !peer) {
        transport->counters[APEX_TRANSPORT_REFUSED_STRANGER]++;
        return false;
    }
    if (peer && is_lone_packet(transport, peer, bytes, length, &header)) {
        return false;
    }
    bool says_goodbye = false;
    verdict = net_gate_walk(bytes, length, &header, received_by(peer), &says_goodbye);
    if (verdict != NET_GATE_PASS) {
        net_enet_count_refusal(transport, verdict);
        if (verdict == NET_GATE_FRAGMENT_RELIABLE && peer) {
            // It would send it again for half a minute, and never learn what is wrong.
            net_links_set_fault(&transport->links, net_enet_slot(peer), APEX_REASON_BAD_MESSAGE);
        }
        return false;
    }
    if (peer) {
        net_link_record *record = &transport->links.records[net_enet_slot(peer)];
        record->heard_us = transport->awake_us;
        record->said_goodbye = record->said_goodbye || says_goodbye;
        return true;
    }
    return may_connect(host, &enet->receivedAddress, net_gate_connect_data(bytes, &header));
}

static int intercept(ENetHost *enet, ENetEvent *event) {
    (void)event;
    const net_host *host = net_enet_host(enet);
    bool is_admitted = admit(host);
    net_enet_show_peers(host, is_admitted);
    return is_admitted ? 0 : 1;
}

// --- Opening ------------------------------------------------------------------------------------

static apex_err err_of_open(void) {
    if (errno == EADDRNOTAVAIL) {
        return APEX_ERR_INVALID;
    }
    return errno != 0 ? apex_err_from_errno(errno) : APEX_ERR_NO_MEMORY;
}

static bool share_port(ENetSocket socket) {
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0;
}

// The first host takes the port for itself, so that it is refused where another server has it, even
// one that shares its own; only then does it let the others in.
static ENetHost *open_first(const apex_transport *transport, const ENetAddress *address) {
    ENetHost *enet = enet_host_create(address, transport->peers_each, APEX_CHANNEL_COUNT, 0, 0);
    if (enet && transport->host_count > 1 && !share_port(enet->socket)) {
        enet_host_destroy(enet);
        return NULL;
    }
    return enet;
}

static ENetHost *open_another(const apex_transport *transport, const ENetAddress *address) {
    ENetHost *enet = enet_host_create(NULL, transport->peers_each, APEX_CHANNEL_COUNT, 0, 0);
    if (!enet) {
        return NULL;
    }
    if (!share_port(enet->socket) || enet_socket_bind(enet->socket, address) != 0) {
        enet_host_destroy(enet);
        return NULL;
    }
    enet->address = *address;
    return enet;
}

static void configure_host(apex_transport *transport, uint32_t number, ENetHost *enet) {
    net_host *host = &transport->hosts[number];
    *host = (net_host){
        .enet = enet,
        .transport = transport,
        .first_slot = number * transport->peers_each,
        .shown = transport->peers_each,
    };
    enet->intercept = intercept;
    enet->compressor.context = host;
    enet->maximumWaitingData = WAITING_BYTES_MAX;
    enet->duplicatePeers = transport->def.links_per_address_max;
    // The kernel's own limit may be lower; then it gives what it has.
    enet_socket_set_option(enet->socket, ENET_SOCKOPT_RCVBUF, SOCKET_BUFFER_BYTES);
    enet_socket_set_option(enet->socket, ENET_SOCKOPT_SNDBUF, SOCKET_BUFFER_BYTES);
}

apex_err net_enet_open(apex_transport *transport, const char *address_text) {
    ENetAddress address = {.host = ENET_HOST_ANY, .port = transport->def.port};
    bool is_anywhere = !address_text || address_text[0] == '\0';
    if (!is_anywhere && enet_address_set_host_ip(&address, address_text) != 0) {
        return APEX_ERR_INVALID;
    }
    for (uint32_t i = 0; i < transport->host_count; i++) {
        errno = 0;
        ENetHost *enet =
            i == 0 ? open_first(transport, &address) : open_another(transport, &address);
        if (!enet) {
            return err_of_open();
        }
        configure_host(transport, i, enet);
        apex_err err = net_batch_create(&transport->hosts[i].batch);
        if (err != APEX_OK) {
            return err;
        }
        address.port = enet->address.port; // any free one has become this one
    }
    return APEX_OK;
}
