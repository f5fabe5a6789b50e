// Slots for those who come. To let somebody in ENet walks over all its peers, half a kilobyte each.
// So it is shown one, which is free.
#include "net/enet/enet_slots.h"

#include <string.h>

#include "base/assert.h"
#include "net/enet/enet_events.h"
#include "net/enet/wire_words.h"

enum {
    REPLIES_PER_S = 2000,
    REPLY_BYTES = 10,
    HALF_OPEN_US = 2000000,
    SILENT_PER_S = 100,     // links of those who have said nothing, above half_open_max
    CHANNEL_OF_PEER = 0xFF, // of commands that concern no channel
};

// 10 bytes for the 52 of a CONNECT: asking in another's name gains nothing.
static bool may_reply(apex_transport *transport) {
    net_rate rate = {.per_s = REPLIES_PER_S, .burst = REPLIES_PER_S / 10};
    return net_bucket_take(&transport->replies, rate, 1, transport->now_us);
}

// A DISCONNECT for the id that the client gave its peer, which a stock client takes for the end of
// its attempt; silence would have it wait for half a minute. A client that has a link already is
// not told, since it might lose that link by a CONNECT that another sends in its name.
void net_enet_turn_away(net_host *host, const net_arrival *to, uint32_t head, apex_reason reason) {
    apex_transport *transport = host->transport;
    if (net_endpoints_find(&transport->endpoints, to->address) == NET_ENDPOINT_NONE &&
        may_reply(transport)) {
        uint8_t bytes[REPLY_BYTES] = {0};
        net_put_u16(bytes, head);
        bytes[2] = ENET_PROTOCOL_COMMAND_DISCONNECT | ENET_PROTOCOL_COMMAND_FLAG_UNSEQUENCED;
        bytes[3] = CHANNEL_OF_PEER;
        net_put_u32(bytes + 6, reason);
        net_enet_answer(host, to, bytes, sizeof bytes);
    }
}

// ENet gives the client the one peer that it is shown.
void net_enet_begin_connect(net_host *host, const net_arrival *arrival, uint32_t slot) {
    apex_transport *transport = host->transport;
    ENetPeer *peer = net_enet_peer(transport, slot);
    if (peer->state != ENET_PEER_STATE_DISCONNECTED) {
        enet_peer_reset(peer); // it was given up, and ENet would have told of it at some time
    }
    net_enet_join_endpoint(transport, slot, arrival->address);
    transport->links.records[slot].told = (uint16_t)(slot - host->first_slot);
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

// @param head of a datagram to him, if he is to be told.
static bool has_share_left(net_host *host, const net_arrival *arrival, uint32_t head) {
    apex_transport *transport = host->transport;
    if (net_endpoints_of_household(&transport->endpoints, arrival->address) <
        transport->def.links_per_address_max) {
        return true;
    }
    transport->counters[APEX_TRANSPORT_REFUSED_ADDRESS]++;
    net_enet_turn_away(host, arrival, head, APEX_REASON_ADDRESS_LIMIT);
    return false;
}

static uint32_t end_of_slots(const net_host *host) {
    return host->first_slot + host->transport->peers_each;
}

// A link that is closing has had its last words sent, and a client that does not answer them would
// keep the slot for seconds. Each in turn, so that finding the next is cheap.
static uint32_t take_back(net_host *host) {
    apex_transport *transport = host->transport;
    uint32_t end = end_of_slots(host);
    uint32_t from = host->taken_back >= host->first_slot && host->taken_back < end
                        ? host->taken_back
                        : host->first_slot;
    uint32_t slot = net_links_next_closing(&transport->links, from, host->first_slot, end);
    if (slot < end) {
        host->taken_back = slot + 1;
        enet_peer_reset(net_enet_peer(transport, slot));
        net_enet_report_closed(transport, slot);
    }
    return slot;
}

// ENet walks over all up to the last. @return the end of slots if there is none.
static uint32_t lowest_slot(net_host *host) {
    uint32_t end = end_of_slots(host);
    uint32_t slot = net_links_lowest_free(&host->transport->links, host->first_slot, end);
    return slot < end ? slot : take_back(host);
}

bool net_enet_may_be_silent(apex_transport *transport) {
    uint32_t count = SILENT_PER_S + transport->def.half_open_max;
    net_rate rate = {.per_s = count, .burst = count};
    return net_bucket_take(&transport->silent, rate, 1, transport->now_us);
}

bool net_enet_find_slot(net_host *host, const net_arrival *arrival, uint32_t head, uint32_t *slot) {
    if (!has_share_left(host, arrival, head)) {
        return false;
    }
    *slot = lowest_slot(host);
    if (*slot < end_of_slots(host)) {
        return true;
    }
    host->transport->counters[APEX_TRANSPORT_REFUSED_FULL]++;
    net_enet_turn_away(host, arrival, head, APEX_REASON_SERVER_FULL);
    return false;
}
