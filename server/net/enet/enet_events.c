// Link events of what has come: a copy of each packet on the frame, and a state for each link.
#include "net/enet/enet_events.h"

#include <string.h>

#include "base/assert.h"

enum {
    GIVE_UP_MS = 30000,
    PING_MS_MAX = 2000,
    TRIES_WITHOUT_END = 1 << 16, // of the first wait for an answer, which doubles with each try
    THROTTLE_INTERVAL_MS = 5000,
};

bool net_enet_has_room(apex_transport *transport) {
    apex_arena *frame = transport->frame;
    return net_frame_list_reserve(&transport->events, frame, 2) &&
           frame->capacity - frame->used >= NET_PACKET_IN_BYTES_MAX + APEX_ARENA_ALIGN;
}

static apex_link_event *add_event(apex_transport *transport, apex_link_event_kind kind,
                                  uint32_t slot) {
    apex_link_event *event = net_frame_list_add(&transport->events, transport->frame);
    APEX_ASSERT(event != NULL);
    event->kind = kind;
    event->link = net_links_handle(&transport->links, slot);
    return event;
}

void net_enet_join_endpoint(apex_transport *transport, uint32_t slot,
                            const apex_udp_address *address) {
    net_link_record *record = &transport->links.records[slot];
    record->endpoint = net_endpoints_add(&transport->endpoints, address);
    net_endpoint *endpoint = net_endpoints_at(&transport->endpoints, record->endpoint);
    record->next_slot1 = endpoint->first_slot1;
    endpoint->first_slot1 = slot + 1;
}

// Out of the row of those at the same address.
static void leave_endpoint(apex_transport *transport, uint32_t slot) {
    net_link_record *records = transport->links.records;
    uint32_t endpoint = records[slot].endpoint;
    if (endpoint == NET_ENDPOINT_NONE) {
        return;
    }
    uint32_t *at = &net_endpoints_at(&transport->endpoints, endpoint)->first_slot1;
    while (*at != slot + 1) {
        at = &records[*at - 1].next_slot1;
    }
    *at = records[slot].next_slot1;
    records[slot].endpoint = NET_ENDPOINT_NONE;
    net_endpoints_remove(&transport->endpoints, endpoint);
}

void net_enet_move_endpoint(apex_transport *transport, uint32_t slot,
                            const apex_udp_address *address) {
    leave_endpoint(transport, slot);
    net_enet_join_endpoint(transport, slot, address);
}

void net_enet_free_slot(apex_transport *transport, uint32_t slot) {
    net_link_record *record = &transport->links.records[slot];
    net_host *host = net_enet_host(net_enet_peer(transport, slot)->host);
    if (record->sealed1 != 0) {
        net_sealed_remove(&host->sealed, &host->sealed.places[record->sealed1 - 1]);
        record->sealed1 = 0;
    }
    leave_endpoint(transport, slot);
    transport->queued_bytes -= record->queued_bytes;
    record->queued_bytes = 0;
    net_links_set_free(&transport->links, slot);
}

void net_enet_report_closed(apex_transport *transport, uint32_t slot) {
    uint8_t state = transport->links.records[slot].state;
    if (state == NET_LINK_OPEN || state == NET_LINK_CLOSING) {
        apex_link_event *event = add_event(transport, APEX_LINK_CLOSED, slot);
        event->by_client = transport->links.records[slot].said_goodbye;
        transport->counters[APEX_TRANSPORT_LINKS_CLOSED]++;
    }
    net_enet_free_slot(transport, slot);
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

static void tell_trust(const apex_transport *transport, uint32_t slot, apex_link_event *event) {
    uint32_t sealed1 = transport->links.records[slot].sealed1;
    if (sealed1 != 0) {
        const net_host *host = net_enet_host(net_enet_peer(transport, slot)->host);
        const apex_seal *seal = &host->sealed.places[sealed1 - 1].seal;
        event->trust = APEX_LINK_SEALED;
        memcpy(event->binding, seal->binding, sizeof event->binding);
    }
}

void net_enet_take_connect(apex_transport *transport, ENetPeer *peer) {
    uint32_t slot = net_enet_slot(peer);
    configure_peer(transport, peer);
    APEX_ASSERT(transport->links.records[slot].state == NET_LINK_HALF_OPEN);
    net_links_set_open(&transport->links, slot, transport->awake_us);
    apex_link_event *event = add_event(transport, APEX_LINK_OPENED, slot);
    uint32_t endpoint = transport->links.records[slot].endpoint;
    apex_udp_host_text(&net_endpoints_at(&transport->endpoints, endpoint)->address, event->address);
    tell_trust(transport, slot, event);
    transport->counters[APEX_TRANSPORT_LINKS_OPENED]++;
}

static void add_bytes(apex_transport *transport, uint32_t slot, uint8_t channel,
                      const uint8_t *bytes, size_t length) {
    APEX_ASSERT(length <= NET_PACKET_IN_BYTES_MAX);
    uint8_t *copy = apex_arena_alloc(transport->frame, length);
    APEX_ASSERT(copy != NULL);
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

bool net_enet_take_bytes(apex_transport *transport, const ENetPeer *peer, uint8_t channel,
                         const uint8_t *bytes, size_t length) {
    uint32_t slot = net_enet_slot(peer);
    if (transport->links.records[slot].state != NET_LINK_OPEN ||
        peer->state != ENET_PEER_STATE_CONNECTED || channel >= peer->channelCount ||
        !net_enet_has_room(transport)) {
        return false;
    }
    add_bytes(transport, slot, channel, bytes, length);
    return true;
}

void net_enet_take_event(apex_transport *transport, const ENetEvent *event) {
    switch (event->type) {
    case ENET_EVENT_TYPE_CONNECT:
        net_enet_take_connect(transport, event->peer);
        break;
    case ENET_EVENT_TYPE_RECEIVE:
        take_packet(transport, event);
        enet_packet_destroy(event->packet);
        break;
    case ENET_EVENT_TYPE_DISCONNECT:
        net_enet_report_closed(transport, net_enet_slot(event->peer));
        break;
    case ENET_EVENT_TYPE_NONE:
        break;
    }
}
