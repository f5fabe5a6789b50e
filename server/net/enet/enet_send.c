// Sending: by ENet what is reliable, past it nearly all of the rest (enet_path.c).
#include "net/enet/enet_path.h"
#include "net/enet/enet_sealing.h"
#include "net/enet/queue_limit.h"
#include "net/enet/transport_counters.h"

#include "base/assert.h"

enum { AHEAD = 2 }; // packets, each some 1 us: longer than the memory needs

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
    if (packet != NULL && packet->referenceCount == 0) {
        enet_packet_destroy(packet);
    }
}

static void queue(apex_transport *transport, uint32_t slot, const apex_link_packet *packet,
                  ENetPacket *contents) {
    ENetPeer *peer = net_enet_peer(transport, slot);
    bool is_reliable = packet->channel == APEX_CHANNEL_RELIABLE;
    if (is_reliable && !net_queue_add(transport, slot, packet->length)) {
        return;
    }
    if (contents != NULL && enet_peer_send(peer, packet->channel, contents) == 0) {
        return;
    }
    transport->counters[APEX_TRANSPORT_SEND_ERRORS]++;
    // A gap in what is promised to be without gaps is worse than the end.
    if (is_reliable) {
        net_links_set_fault(&transport->links, slot, APEX_REASON_SERVER_FULL);
    }
}

// @return whether the packet goes in a datagram of its own: not if ENet has something to send to
// the peer, for then it goes along in the same datagram, behind all that was sent before it.
static bool goes_alone(const ENetPeer *peer, const apex_link_packet *packet) {
    return packet->channel != APEX_CHANNEL_RELIABLE && peer->state == ENET_PEER_STATE_CONNECTED &&
           packet->channel < peer->channelCount && enet_list_empty(&peer->outgoingCommands);
}

static bool is_same(const apex_link_packet *a, const apex_link_packet *b) {
    return a->bytes == b->bytes && a->length == b->length && a->channel == b->channel;
}

static void expect(const apex_transport *transport, const apex_link_packet *packet) {
    uint32_t slot = 0;
    if (net_links_slot(&transport->links, packet->link, &slot)) {
        net_enet_expect_dispatch(&transport->hosts[slot / transport->peers_each], slot);
    }
}

// Neighbours that say the same share one packet: a message to everybody is copied once.
void apex_transport_send(apex_transport *transport, const apex_link_packet packets[],
                         size_t count) {
    for (uint32_t i = 0; i < transport->host_count; i++) {
        transport->hosts[i].enet->maximumPacketSize = APEX_MESSAGE_BYTES_MAX;
    }
    ENetPacket *contents = NULL;
    const apex_link_packet *copied = NULL;
    for (const apex_link_packet *packet = packets; packet < packets + count; packet++) {
        uint32_t slot = 0;
        if ((size_t)(packet - packets) + AHEAD < count) {
            expect(transport, packet + AHEAD);
        }
        if (!net_links_slot(&transport->links, packet->link, &slot) ||
            transport->links.records[slot].state != NET_LINK_OPEN) {
            continue;
        }
        ENetPeer *peer = net_enet_peer(transport, slot);
        if (goes_alone(peer, packet)) {
            net_enet_send_alone(net_enet_host(peer->host), peer, packet);
            continue;
        }
        if (copied == NULL || !is_same(packet, copied)) {
            discard_if_unused(contents);
            contents = new_packet(packet);
            copied = packet;
        }
        queue(transport, slot, packet, contents);
    }
    discard_if_unused(contents);
}

void apex_transport_flush(apex_transport *transport) {
    for (uint32_t i = 0; i < transport->host_count; i++) {
        net_enet_begin(&transport->hosts[i]);
        enet_host_flush(transport->hosts[i].enet);
        net_enet_end();
    }
    net_enet_write_out(transport);
}

void apex_transport_close_link(apex_transport *transport, apex_link link) {
    uint32_t slot = 0;
    if (!net_links_slot(&transport->links, link, &slot) ||
        transport->links.records[slot].state != NET_LINK_OPEN) {
        return;
    }
    ENetPeer *peer = net_enet_peer(transport, slot);
    net_enet_begin(net_enet_host(peer->host));
    enet_peer_disconnect_later(peer, 0);
    net_enet_end();
    net_links_set_closing(&transport->links, slot,
                          transport->now_us + transport->def.link_timeout_us);
}
