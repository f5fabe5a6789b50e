// What has come: ENet's events as link events. A table of our own (link_table.h) has deadlines for
// links that never finish connecting, never finish closing or fall silent; and the head of the
// socket's queue is looked at, because ENet stops reading at a datagram of 0 bytes (taken for
// "nothing there") and at one of more than 4,096 (taken for an error).
#include <string.h>
#include <sys/socket.h>

#include "net/enet/enet_private.h"

#include "base/assert.h"

enum {
    HALF_OPEN_US = 2000000,
    SWEEP_US = 100000,
    TEND_US = 50000,
    STALL_US = 250000,
    GIVE_UP_MS = 30000,
    PING_MS_MAX = 2000,
    TRIES_WITHOUT_END = 1 << 16, // of the first wait for an answer, which doubles with each try
    UNUSABLE_MAX = 8192,         // datagrams that ENet would stumble over, thrown away in one round
    THROTTLE_INTERVAL_MS = 5000,
    SPARE_PEERS = 256, // as many as one service call can let in
    FRAME_SHARE = 4,   // one part in so many of a frame is for what comes
};

static bool is_connecting(const ENetPeer *peer) {
    return peer->state == ENET_PEER_STATE_ACKNOWLEDGING_CONNECT ||
           peer->state == ENET_PEER_STATE_CONNECTION_PENDING ||
           peer->state == ENET_PEER_STATE_CONNECTION_SUCCEEDED;
}

// Whether one more event, with the longest packet, can be handed out; or two, since a slot that
// opens might still have to be reported closed. Asked before ENet is: what stays in its queues is
// not lost.
static bool has_room(apex_transport *transport) {
    apex_arena *frame = transport->frame;
    return net_frame_list_reserve(&transport->events, frame, 2) &&
           frame->capacity - frame->used >= NET_PACKET_IN_BYTES_MAX + APEX_ARENA_ALIGN;
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
        apex_link_event *event = add_event(transport, APEX_LINK_CLOSED, slot);
        event->by_client = transport->links.records[slot].said_goodbye;
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
    // A ping is sent where nothing reliable has been acknowledged for that long. ENet's half a
    // second would be four datagrams a second, there and back, to clients that talk all the time
    // anyway.
    uint32_t ping_ms = timeout_ms / 4 + 1;
    enet_peer_ping_interval(peer, ping_ms < PING_MS_MAX ? ping_ms : PING_MS_MAX);
    // ENet's throttle drops a fifth of what is sent even on loopback.
    enet_peer_throttle_configure(peer, THROTTLE_INTERVAL_MS, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
    // The MTU was the client's to choose. A smaller one would turn snapshots into reliable
    // fragments, a larger one would make our datagrams into several of IP's.
    peer->mtu = peer->host->mtu;
}

static void take_connect(apex_transport *transport, ENetPeer *peer) {
    uint32_t slot = net_enet_slot(peer);
    configure_peer(transport, peer);
    report_closed(transport, slot);
    net_links_set_open(&transport->links, slot, peer->address.host, transport->awake_us);
    apex_link_event *event = add_event(transport, APEX_LINK_OPENED, slot);
    enet_address_get_host_ip(&peer->address, event->address, sizeof event->address);
    transport->counters[APEX_TRANSPORT_LINKS_OPENED]++;
}

static void add_bytes(apex_transport *transport, uint32_t slot, uint8_t channel,
                      const uint8_t *bytes, size_t length) {
    APEX_ASSERT(length <= NET_PACKET_IN_BYTES_MAX);
    uint8_t *copy = apex_arena_alloc(transport->frame, length);
    APEX_ASSERT(copy);
    if (length > 0) {
        memcpy(copy, bytes, length);
    }
    apex_link_event *event = add_event(transport, APEX_LINK_BYTES, slot);
    event->channel = channel;
    event->bytes = copy;
    event->length = length;
}

static void take_packet(apex_transport *transport, const ENetEvent *event) {
    uint32_t slot = net_enet_slot(event->peer);
    if (transport->links.records[slot].state == NET_LINK_OPEN) {
        add_bytes(transport, slot, event->channelID, event->packet->data,
                  event->packet->dataLength);
    }
}

// As ENet keeps them apart (enet_protocol_handle_send_unsequenced), in the same places.
static bool is_doubled_or_old(ENetPeer *peer, uint16_t group) {
    uint16_t ahead = (uint16_t)(group - peer->incomingUnsequencedGroup);
    if (ahead >= ENET_PEER_FREE_UNSEQUENCED_WINDOWS * ENET_PEER_UNSEQUENCED_WINDOW_SIZE) {
        return true;
    }
    uint32_t index = group % ENET_PEER_UNSEQUENCED_WINDOW_SIZE;
    if (ahead >= ENET_PEER_UNSEQUENCED_WINDOW_SIZE) {
        peer->incomingUnsequencedGroup = (uint16_t)(group - index);
        memset(peer->unsequencedWindow, 0, sizeof peer->unsequencedWindow);
    }
    uint32_t bit = 1u << index % 32;
    bool is_doubled = (peer->unsequencedWindow[index / 32] & bit) != 0;
    peer->unsequencedWindow[index / 32] |= bit;
    return is_doubled;
}

bool net_enet_take_lone_packet(apex_transport *transport, ENetPeer *peer,
                               const net_gate_packet *packet) {
    uint32_t slot = net_enet_slot(peer);
    if (transport->links.records[slot].state != NET_LINK_OPEN ||
        peer->state != ENET_PEER_STATE_CONNECTED || packet->channel >= peer->channelCount ||
        !has_room(transport)) {
        return false;
    }
    if (!is_doubled_or_old(peer, packet->group)) {
        add_bytes(transport, slot, packet->channel, packet->bytes, packet->length);
    }
    return true;
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
        report_closed(transport, net_enet_slot(event->peer));
        break;
    case ENET_EVENT_TYPE_NONE:
        break;
    }
}

// ENet is shown no more peers than are in use, and some for those who come before the next look. It
// gives the lowest free one to whoever connects.
static void fit_peers(net_host *host) {
    const ENetHost *enet = host->enet;
    const net_link_record *records = &host->transport->links.records[host->first_slot];
    size_t used = host->shown;
    while (used > 0 && enet->peers[used - 1].state == ENET_PEER_STATE_DISCONNECTED &&
           records[used - 1].state == NET_LINK_FREE) {
        used--;
    }
    size_t shown = used + SPARE_PEERS;
    host->shown = shown < host->transport->peers_each ? shown : host->transport->peers_each;
    net_enet_show_peers(host, true);
}

// ENet says nothing of a peer that has begun to connect, so it is looked for when the gate has let
// a CONNECT through; and, by the same walk, one that ENet has given up on its own is let go.
static void find_half_open(net_host *host) {
    apex_transport *transport = host->transport;
    net_links *links = &transport->links;
    for (uint32_t i = 0; i < host->shown; i++) {
        uint32_t slot = host->first_slot + i;
        const ENetPeer *peer = &host->enet->peers[i];
        uint8_t state = links->records[slot].state;
        if (is_connecting(peer) && state == NET_LINK_FREE) {
            net_links_set_half_open(links, slot, peer->address.host,
                                    transport->now_us + HALF_OPEN_US);
        } else if (!is_connecting(peer) && state == NET_LINK_HALF_OPEN) {
            net_links_set_free(links, slot);
        }
    }
    transport->connects_passed = 0;
    fit_peers(host);
}

// Not on the spot: ENet was in the middle of something, or a packet of this peer is being shared.
static void disconnect_faulty(apex_transport *transport) {
    net_links *links = &transport->links;
    uint64_t deadline_us = transport->now_us + transport->def.link_timeout_us;
    for (uint32_t slot = 0; slot < links->capacity && links->faulty_count > 0; slot++) {
        if (links->records[slot].fault != APEX_REASON_NONE) {
            enet_peer_disconnect(net_enet_peer(transport, slot), links->records[slot].fault);
            net_links_set_closing(links, slot, deadline_us);
        }
    }
}

// Whether the socket's queue begins with something that ENet can digest. Throws away what stands
// before it.
static bool has_datagram(const net_host *host, uint32_t *patience) {
    for (; *patience > 0; (*patience)--) {
        uint8_t byte = 0;
        int socket_fd = host->enet->socket;
        ssize_t length = recv(socket_fd, &byte, sizeof byte, MSG_PEEK | MSG_TRUNC | MSG_DONTWAIT);
        if (length < 0) {
            return false;
        }
        if (length > 0 && length <= ENET_PROTOCOL_MAXIMUM_MTU) {
            return true;
        }
        net_gate_verdict verdict = length > 0 ? NET_GATE_OVERSIZE : NET_GATE_MALFORMED;
        net_enet_count_refusal(host->transport, verdict);
        recv(socket_fd, &byte, sizeof byte, MSG_DONTWAIT);
    }
    return false;
}

// Whether ENet is to look for peers that have not answered: to say it again, or to give them up.
static bool is_to_tend(net_host *host) {
    bool is_time = host->transport->now_us >= host->tended_us + TEND_US;
    host->tended_us = is_time ? host->transport->now_us : host->tended_us;
    return is_time;
}

// One service call reads up to 256 datagrams, but returns early for a connection. What has come is
// answered by the flush, so that ENet's walk over all peers is needed only now and then.
// A connection makes us walk over all slots. So there may be many calls on a small host and few on
// a big one.
static void service(net_host *host) {
    apex_transport *transport = host->transport;
    ENetHost *enet = host->enet;
    uint32_t patience = UNUSABLE_MAX;
    uint32_t calls_max = 16 + 65536 / transport->peers_each;
    // Fragments are refused, so a packet from a client is shorter than a datagram anyway; but the
    // same number limits what we send, see apex_transport_send.
    enet->maximumPacketSize = NET_PACKET_IN_BYTES_MAX;
    // Whenever somebody comes or goes, ENet tells everybody what bandwidth is theirs. There is no
    // limit to tell of.
    enet->recalculateBandwidthLimits = 0;
    bool is_tending = is_to_tend(host);
    for (uint32_t calls = 0; calls < calls_max && has_room(transport); calls++) {
        ENetEvent event = {0};
        net_enet_show_peers(host, is_tending && calls == 0);
        int result = enet_host_service(enet, &event, 0);
        if (result < 0) {
            transport->counters[APEX_TRANSPORT_SERVICE_ERRORS]++;
        }
        while (result > 0) {
            take_event(transport, &event);
            result = has_room(transport) ? enet_host_check_events(enet, &event) : 0;
        }
        if (transport->connects_passed > 0) {
            find_half_open(host);
        }
        // After an error not all peers have been served, so ENet is asked again.
        if (!has_datagram(host, &patience) && result >= 0) {
            break;
        }
    }
    net_enet_show_peers(host, true);
}

// Each round begins with another host, since the first to be served may leave no room for the next.
static void service_all(apex_transport *transport) {
    transport->turn = (transport->turn + 1) % transport->host_count;
    for (uint32_t i = 0; i < transport->host_count; i++) {
        service(&transport->hosts[(transport->turn + i) % transport->host_count]);
    }
}

// Resets links whose time is up. ENet's own time-outs need a reliable command that goes
// unanswered, double their patience with each try, and start anew with every forged answer.
static void sweep(apex_transport *transport) {
    net_links *links = &transport->links;
    uint64_t now_us = transport->now_us;
    transport->sweep_at_us = now_us + SWEEP_US;
    for (uint32_t i = 0; i < transport->host_count; i++) {
        find_half_open(&transport->hosts[i]);
    }
    for (uint32_t slot = 0; slot < links->capacity && has_room(transport); slot++) {
        const net_link_record *record = &links->records[slot];
        bool is_silent = record->state == NET_LINK_OPEN &&
                         transport->awake_us >= record->heard_us + transport->def.link_timeout_us;
        bool is_late = (record->state == NET_LINK_HALF_OPEN || record->state == NET_LINK_CLOSING) &&
                       now_us >= record->deadline_us;
        if (is_silent || is_late) {
            transport->counters[APEX_TRANSPORT_HALF_OPEN_RESET] +=
                record->state == NET_LINK_HALF_OPEN;
            enet_peer_reset(net_enet_peer(transport, slot));
            report_closed(transport, slot);
        }
    }
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
    service_all(transport);
    disconnect_faulty(transport);
    if (now_us >= transport->sweep_at_us) {
        sweep(transport);
    }
    transport->counters[APEX_TRANSPORT_FRAME_FULL] += !has_room(transport);
    net_enet_count_traffic(transport);
    transport->frame = NULL;
    frame->capacity = capacity;
    *events = transport->events.items;
    return transport->events.count;
}
