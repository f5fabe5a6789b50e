// The transport over ENet 1.3.17, and the only file that knows it.
//
// ENet as distributions ship it cannot be trusted with what strangers send, so three things stand
// between it and the network: the gate (gate.h) in its `intercept` hook; a table of our own with
// deadlines for links that never finish connecting, never finish closing or fall silent; and a
// look at the head of the socket's queue, because ENet stops reading at a datagram of 0 bytes
// (taken for "nothing there") and at one of more than 4,096 (taken for an error).
#include <arpa/inet.h>
#include <enet/enet.h>
#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "bucket.h"
#include "cookie.h"
#include "frame_list.h"
#include "gate.h"
#include "links.h"
#include "net.h"

#include "base/assert.h"

enum {
    LINKS_MAX = 4095, // peer ids have 12 bits, and the last stands for none
    SOCKET_BUFFER_BYTES = 4 * 1024 * 1024,
    PACKET_IN_BYTES_MAX = 4096,
    WAITING_BYTES_MAX = 64 * 1024,
    COOKIE_REPLIES_PER_S = 2000,
    HALF_OPEN_US = 2000000,
    SWEEP_US = 100000,
    STALL_US = 250000,
    GIVE_UP_MS = 30000,
    TRIES_WITHOUT_END = 1 << 16, // of the first wait for an answer, which doubles with each try
    UNUSABLE_MAX = 8192,         // datagrams that ENet would stumble over, thrown away in one round
    THROTTLE_INTERVAL_MS = 5000,
    QUEUE_BYTES_MAX = 16 * 1024 * 1024,
    FRAME_SHARE = 4, // one part in so many of a frame is for what comes
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

apex_transport_def apex_default_transport_def(void) {
    return (apex_transport_def){
        .port = 26000,
        .links_max = 1024,
        .links_per_address_max = 256,
        .half_open_max = 64,
        .link_timeout_us = 5000000,
    };
}

static uint32_t slot_of(const ENetPeer *peer) {
    return peer->incomingPeerID;
}

static bool is_connecting(const ENetPeer *peer) {
    return peer->state == ENET_PEER_STATE_ACKNOWLEDGING_CONNECT ||
           peer->state == ENET_PEER_STATE_CONNECTION_PENDING ||
           peer->state == ENET_PEER_STATE_CONNECTION_SUCCEEDED;
}

// --- The gate -----------------------------------------------------------------------------------

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

static void count_refusal(apex_transport *transport, net_gate_verdict verdict) {
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
        count_refusal(transport, verdict);
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
        count_refusal(transport, verdict);
        if (verdict == NET_GATE_FRAGMENT_RELIABLE && peer) {
            // It would send it again for half a minute, and never learn what is wrong.
            net_links_set_fault(&transport->links, slot_of(peer), APEX_REASON_BAD_MESSAGE);
        }
        return false;
    }
    if (peer) {
        transport->links.records[slot_of(peer)].heard_us = transport->awake_us;
        return true;
    }
    return may_connect(transport, &host->receivedAddress, net_gate_connect_data(bytes, &header));
}

// A host has no word for its owner. The compressor's is free: without functions it is never used.
static int intercept(ENetHost *host, ENetEvent *event) {
    (void)event;
    return admit(host->compressor.context, host) ? 0 : 1;
}

// --- Creating -----------------------------------------------------------------------------------

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

apex_err apex_transport_create(const apex_transport_def *def, apex_transport **out) {
    APEX_ASSERT(def->links_max >= 1 && def->links_max <= LINKS_MAX);
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
        err = open_host(def, &transport->host);
    }
    if (err != APEX_OK) {
        apex_transport_destroy(transport);
        return err;
    }
    configure_host(transport);
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

// --- Receiving ----------------------------------------------------------------------------------

// Whether one more event, with the longest packet, can be handed out; or two, since a slot that
// opens might still have to be reported closed. Asked before ENet is: what stays in its queues is
// not lost.
static bool has_room(apex_transport *transport) {
    apex_arena *frame = transport->frame;
    return net_frame_list_reserve(&transport->events, frame, 2) &&
           frame->capacity - frame->used >= PACKET_IN_BYTES_MAX + APEX_ARENA_ALIGN;
}

static apex_link_event *add_event(apex_transport *transport, apex_link_event_kind kind,
                                  uint32_t slot) {
    apex_link_event *event = net_frame_list_add(&transport->events, transport->frame);
    APEX_ASSERT(event);
    event->kind = kind;
    event->link = net_links_handle(&transport->links, slot);
    return event;
}

static void report_closed(apex_transport *transport, uint32_t slot) {
    uint8_t state = transport->links.records[slot].state;
    if (state == NET_LINK_OPEN || state == NET_LINK_CLOSING) {
        add_event(transport, APEX_LINK_CLOSED, slot);
        transport->counters[APEX_TRANSPORT_LINKS_CLOSED]++;
    }
    net_links_set_free(&transport->links, slot);
}

static void configure_peer(const apex_transport *transport, ENetPeer *peer) {
    uint32_t timeout_ms = (uint32_t)(transport->def.link_timeout_us / 1000);
    // For a peer that is heard but takes nothing; silence is found out by the sweep. ENet would
    // also give up after six tries of one packet: a quarter lost each way, and a ping is that
    // unlucky after a minute.
    enet_peer_timeout(peer, TRIES_WITHOUT_END, timeout_ms, timeout_ms + GIVE_UP_MS);
    if (timeout_ms / 4 < ENET_PEER_PING_INTERVAL) {
        enet_peer_ping_interval(peer, timeout_ms / 4 + 1);
    }
    // ENet's throttle drops a fifth of what is sent even on loopback.
    enet_peer_throttle_configure(peer, THROTTLE_INTERVAL_MS, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
    // The MTU was the client's to choose. A smaller one would turn snapshots into reliable
    // fragments, a larger one would make our datagrams into several of IP's.
    peer->mtu = transport->host->mtu;
}

static void take_connect(apex_transport *transport, ENetPeer *peer) {
    uint32_t slot = slot_of(peer);
    configure_peer(transport, peer);
    report_closed(transport, slot);
    net_links_set_open(&transport->links, slot, peer->address.host, transport->awake_us);
    apex_link_event *event = add_event(transport, APEX_LINK_OPENED, slot);
    enet_address_get_host_ip(&peer->address, event->address, sizeof event->address);
    transport->counters[APEX_TRANSPORT_LINKS_OPENED]++;
}

static void take_packet(apex_transport *transport, const ENetEvent *event) {
    const ENetPacket *packet = event->packet;
    uint32_t slot = slot_of(event->peer);
    if (transport->links.records[slot].state != NET_LINK_OPEN) {
        return;
    }
    APEX_ASSERT(packet->dataLength <= PACKET_IN_BYTES_MAX);
    uint8_t *bytes = apex_arena_alloc(transport->frame, packet->dataLength);
    APEX_ASSERT(bytes);
    if (packet->dataLength > 0) {
        memcpy(bytes, packet->data, packet->dataLength);
    }
    apex_link_event *out = add_event(transport, APEX_LINK_BYTES, slot);
    out->channel = event->channelID;
    out->bytes = bytes;
    out->length = packet->dataLength;
}

static void take_event(apex_transport *transport, const ENetEvent *event) {
    switch (event->type) {
    case ENET_EVENT_TYPE_CONNECT:
        take_connect(transport, event->peer);
        break;
    case ENET_EVENT_TYPE_RECEIVE:
        take_packet(transport, event);
        enet_packet_destroy(event->packet);
        break;
    case ENET_EVENT_TYPE_DISCONNECT:
        report_closed(transport, slot_of(event->peer));
        break;
    case ENET_EVENT_TYPE_NONE:
        break;
    }
}

// ENet says nothing of a peer that has begun to connect, so it is looked for when the gate has let
// a CONNECT through; and, by the same walk, one that ENet has given up on its own is let go.
static void find_half_open(apex_transport *transport) {
    net_links *links = &transport->links;
    for (uint32_t slot = 0; slot < links->capacity; slot++) {
        const ENetPeer *peer = &transport->host->peers[slot];
        uint8_t state = links->records[slot].state;
        if (is_connecting(peer) && state == NET_LINK_FREE) {
            net_links_set_half_open(links, slot, peer->address.host,
                                    transport->now_us + HALF_OPEN_US);
        } else if (!is_connecting(peer) && state == NET_LINK_HALF_OPEN) {
            net_links_set_free(links, slot);
        }
    }
    transport->connects_passed = 0;
}

// Not on the spot: ENet was in the middle of something, or a packet of this peer is being shared.
static void disconnect_faulty(apex_transport *transport) {
    net_links *links = &transport->links;
    uint64_t deadline_us = transport->now_us + transport->def.link_timeout_us;
    for (uint32_t slot = 0; slot < links->capacity && links->faulty_count > 0; slot++) {
        if (links->records[slot].fault != APEX_REASON_NONE) {
            enet_peer_disconnect(&transport->host->peers[slot], links->records[slot].fault);
            net_links_set_closing(links, slot, deadline_us);
        }
    }
}

// Whether the socket's queue begins with something that ENet can digest. Throws away what stands
// before it.
static bool has_datagram(apex_transport *transport, uint32_t *patience) {
    for (; *patience > 0; (*patience)--) {
        uint8_t byte = 0;
        int socket_fd = transport->host->socket;
        ssize_t length = recv(socket_fd, &byte, sizeof byte, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
        if (length < 0) {
            return false;
        }
        if (length > 0 && length <= ENET_PROTOCOL_MAXIMUM_MTU) {
            return true;
        }
        net_gate_verdict verdict = length > 0 ? NET_GATE_OVERSIZE : NET_GATE_MALFORMED;
        count_refusal(transport, verdict);
        recv(socket_fd, &byte, sizeof byte, MSG_DONTWAIT);
    }
    return false;
}

// One service call reads up to 256 datagrams, but returns early for a connection; and it walks
// over all slots twice. So there may be many calls on a small host and few on a big one.
static void service(apex_transport *transport) {
    ENetHost *host = transport->host;
    uint32_t patience = UNUSABLE_MAX;
    uint32_t calls_max = 16 + 65536 / transport->def.links_max;
    // Fragments are refused, so a packet from a client is shorter than a datagram anyway; but the
    // same number limits what we send, see apex_transport_send.
    host->maximumPacketSize = PACKET_IN_BYTES_MAX;
    for (uint32_t calls = 0; calls < calls_max && has_room(transport); calls++) {
        ENetEvent event = {0};
        int result = enet_host_service(host, &event, 0);
        if (result < 0) {
            transport->counters[APEX_TRANSPORT_SERVICE_ERRORS]++;
        }
        while (result > 0) {
            take_event(transport, &event);
            result = has_room(transport) ? enet_host_check_events(host, &event) : 0;
        }
        if (transport->connects_passed > 0) {
            find_half_open(transport);
        }
        // After an error not all peers have been served, so ENet is asked again.
        if (!has_datagram(transport, &patience) && result >= 0) {
            break;
        }
    }
}

// Resets links whose time is up. ENet's own time-outs need a reliable command that goes
// unanswered, double their patience with each try, and start anew with every forged answer.
static void sweep(apex_transport *transport) {
    net_links *links = &transport->links;
    uint64_t now_us = transport->now_us;
    transport->sweep_at_us = now_us + SWEEP_US;
    find_half_open(transport);
    for (uint32_t slot = 0; slot < links->capacity && has_room(transport); slot++) {
        const net_link_record *record = &links->records[slot];
        bool is_silent = record->state == NET_LINK_OPEN &&
                         transport->awake_us >= record->heard_us + transport->def.link_timeout_us;
        bool is_late = (record->state == NET_LINK_HALF_OPEN || record->state == NET_LINK_CLOSING) &&
                       now_us >= record->deadline_us;
        if (is_silent || is_late) {
            transport->counters[APEX_TRANSPORT_HALF_OPEN_RESET] +=
                record->state == NET_LINK_HALF_OPEN;
            enet_peer_reset(&transport->host->peers[slot]);
            report_closed(transport, slot);
        }
    }
}

// ENet counts in 32 bits, which last a busy server for some minutes.
static void count_traffic(apex_transport *transport) {
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

// A server that was held up (a debugger, a moved virtual machine) has not heard its clients either,
// and they are not to blame: more than a moment between two rounds does not count as silence.
static void tell_time(apex_transport *transport, uint64_t now_us) {
    uint64_t passed_us = now_us - transport->now_us;
    transport->awake_us += passed_us < STALL_US ? passed_us : STALL_US;
    transport->now_us = now_us;
}

size_t apex_transport_receive(apex_transport *transport, uint64_t now_us, apex_arena *frame,
                              apex_link_event **events) {
    tell_time(transport, now_us);
    // A flood must not take the frame from all that is made of it later in the tick: mail, and
    // messages whose loss would cost other clients their connections.
    size_t capacity = frame->capacity;
    frame->capacity = frame->used + (capacity - frame->used) / FRAME_SHARE;
    transport->frame = frame;
    transport->events = (net_frame_list){.item_bytes = sizeof(apex_link_event)};
    service(transport);
    disconnect_faulty(transport);
    if (now_us >= transport->sweep_at_us) {
        sweep(transport);
    }
    transport->counters[APEX_TRANSPORT_FRAME_FULL] += !has_room(transport);
    count_traffic(transport);
    transport->frame = NULL;
    frame->capacity = capacity;
    *events = transport->events.items;
    return transport->events.count;
}

// --- Sending ------------------------------------------------------------------------------------

static ENetPacket *new_packet(const apex_link_packet *packet) {
    bool is_reliable = packet->channel == APEX_CHANNEL_RELIABLE;
    APEX_ASSERT(packet->channel < APEX_CHANNEL_COUNT);
    APEX_ASSERT(packet->length <=
                (is_reliable ? (size_t)APEX_MESSAGE_BYTES_MAX : APEX_DATAGRAM_BYTES_MAX));
    return enet_packet_create(packet->bytes, packet->length,
                              is_reliable ? ENET_PACKET_FLAG_RELIABLE
                                          : ENET_PACKET_FLAG_UNSEQUENCED);
}

static void discard_if_unused(ENetPacket *packet) {
    if (packet && packet->referenceCount == 0) {
        enet_packet_destroy(packet);
    }
}

// ENet keeps what a client does not acknowledge for as long as it acknowledges anything at all. So
// a client gives up its link when its queue has not been seen empty for that many bytes.
static void limit_queue(apex_transport *transport, uint32_t slot, size_t bytes) {
    net_link_record *record = &transport->links.records[slot];
    if (enet_list_empty(&transport->host->peers[slot].outgoingCommands)) {
        record->queued_bytes = 0;
    }
    record->queued_bytes += (uint32_t)bytes;
    if (record->queued_bytes > QUEUE_BYTES_MAX) {
        net_links_set_fault(&transport->links, slot, APEX_REASON_TIMEOUT);
    }
}

static void send_one(apex_transport *transport, const apex_link_packet *packet,
                     ENetPacket *contents) {
    uint32_t slot = 0;
    if (!net_links_slot(&transport->links, packet->link, &slot) ||
        transport->links.records[slot].state != NET_LINK_OPEN) {
        return;
    }
    ENetPeer *peer = &transport->host->peers[slot];
    bool is_reliable = packet->channel == APEX_CHANNEL_RELIABLE;
    if (is_reliable) {
        limit_queue(transport, slot, packet->length);
    }
    if (contents && enet_peer_send(peer, packet->channel, contents) == 0) {
        return;
    }
    transport->counters[APEX_TRANSPORT_SEND_ERRORS]++;
    // A gap in what is promised to be without gaps is worse than the end.
    if (is_reliable) {
        net_links_set_fault(&transport->links, slot, APEX_REASON_SERVER_FULL);
    }
}

// Neighbours that say the same share one packet: a message to everybody is copied once.
void apex_transport_send(apex_transport *transport, const apex_link_packet packets[],
                         size_t count) {
    transport->host->maximumPacketSize = APEX_MESSAGE_BYTES_MAX;
    ENetPacket *contents = NULL;
    for (size_t i = 0; i < count; i++) {
        const apex_link_packet *packet = &packets[i];
        bool is_same = i > 0 && packet->bytes == packets[i - 1].bytes &&
                       packet->length == packets[i - 1].length &&
                       packet->channel == packets[i - 1].channel;
        if (!is_same) {
            discard_if_unused(contents);
            contents = new_packet(packet);
        }
        send_one(transport, packet, contents);
    }
    discard_if_unused(contents);
}

void apex_transport_flush(apex_transport *transport) {
    enet_host_flush(transport->host);
    count_traffic(transport);
}

void apex_transport_close_link(apex_transport *transport, apex_link link) {
    uint32_t slot = 0;
    if (!net_links_slot(&transport->links, link, &slot) ||
        transport->links.records[slot].state != NET_LINK_OPEN) {
        return;
    }
    enet_peer_disconnect_later(&transport->host->peers[slot], 0);
    net_links_set_closing(&transport->links, slot,
                          transport->now_us + transport->def.link_timeout_us);
}
