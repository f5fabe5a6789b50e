// Letting clients in. To let somebody in ENet walks over all its peers, half a kilobyte each. It is
// shown one, which is free; whether the attempt is a repeated one is found out here.
//
// ENet keeps a peer from the first datagram on, which anybody can send in anybody's name, and
// repeats its answer six times. So past half_open_max of those a CONNECT is answered from here,
// with a VERIFY_CONNECT that is no longer than it and of which nothing is kept (connect_cookie.h,
// DECISIONS 58). Any ENet client acknowledges it, and with that it has shown that it receives at
// its address. Then ENet is given a CONNECT that makes it a peer, and the answer that it has for it
// is dropped: the client has had it.
#include "net/enet/enet_connect.h"

#include <string.h>

#include "base/assert.h"
#include "net/enet/enet_events.h"

enum {
    REPLIES_PER_S = 2000,
    REPLY_BYTES = 10,
    HALF_OPEN_US = 2000000,
    // Links that begin with a cookie: no more at once than sessions make room for.
    PROVEN_PER_S = 1000,
    PROVEN_BURST = 20,
    SLOTS_APART_MAX = 64, // clients whose answers are on their way, and who have each a slot

    VERIFY_BYTES = 48, // of 52 that a CONNECT has
    CONNECT_BYTES = 52,
    HEAD_BYTES = 4,
    ACKNOWLEDGE_BYTES = 8,
    PING_BYTES = 4,
    CHANNEL_OF_PEER = 0xFF, // of commands that concern no channel
};

static void put_u16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put_u32(uint8_t *at, uint32_t value) {
    put_u16(at, value >> 16);
    put_u16(at + 2, value & 0xFFFF);
}

static uint16_t read_u16(const uint8_t *at) {
    return (uint16_t)(at[0] << 8 | at[1]);
}

// 10 bytes for the 52 of a CONNECT: asking in another's name gains nothing.
static bool may_reply(apex_transport *transport) {
    net_rate rate = {.per_s = REPLIES_PER_S, .burst = REPLIES_PER_S / 10};
    return net_bucket_take(&transport->replies, rate, 1, transport->now_us);
}

// A DISCONNECT for the id that the client gave its peer, which a stock client takes for the end of
// its attempt; silence would have it wait for half a minute. A client that has a link already is
// not told, since it might lose that link by a CONNECT that another sends in its name.
static void turn_away(net_host *host, const net_arrival *to, uint32_t head, apex_reason reason) {
    apex_transport *transport = host->transport;
    if (net_endpoints_find(&transport->endpoints, to->address) == NET_ENDPOINT_NONE &&
        may_reply(transport)) {
        uint8_t bytes[REPLY_BYTES] = {0};
        put_u16(bytes, head);
        bytes[2] = ENET_PROTOCOL_COMMAND_DISCONNECT | ENET_PROTOCOL_COMMAND_FLAG_UNSEQUENCED;
        bytes[3] = CHANNEL_OF_PEER;
        put_u32(bytes + 6, reason);
        net_enet_answer(host, to, bytes, sizeof bytes);
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

// @param head of a datagram to him, if he is to be told.
static bool has_share_left(net_host *host, const net_arrival *arrival, uint32_t head) {
    apex_transport *transport = host->transport;
    if (net_endpoints_of_household(&transport->endpoints, arrival->address) <
        transport->def.links_per_address_max) {
        return true;
    }
    transport->counters[APEX_TRANSPORT_REFUSED_ADDRESS]++;
    turn_away(host, arrival, head, APEX_REASON_ADDRESS_LIMIT);
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

// @return the end of slots if there is none.
static uint32_t lowest_slot(net_host *host) {
    uint32_t end = end_of_slots(host);
    uint32_t slot = net_links_lowest_free(&host->transport->links, host->first_slot, end);
    return slot < end ? slot : take_back(host);
}

static bool has_slot(net_host *host, const net_arrival *arrival, uint32_t head, uint32_t slot) {
    apex_transport *transport = host->transport;
    if (slot < end_of_slots(host) && transport->links.records[slot].state == NET_LINK_FREE) {
        return true;
    }
    transport->counters[APEX_TRANSPORT_REFUSED_FULL]++;
    turn_away(host, arrival, head, APEX_REASON_SERVER_FULL);
    return false;
}

// A VERIFY_CONNECT repeats most of a CONNECT.
static void answer_with_cookie(net_host *host, const net_arrival *arrival,
                               const net_gate_connect *connect, uint32_t slot) {
    apex_transport *transport = host->transport;
    net_verify verify = {.peer_id = (uint16_t)(slot - host->first_slot),
                         .client_peer_id = connect->peer_id};
    if (connect->channels < APEX_CHANNEL_COUNT || connect->peer_id == NET_GATE_NO_PEER) {
        return; // no client of ours
    }
    net_cookie_make(&transport->cookies, arrival->address, transport->now_us, &verify);
    uint8_t bytes[VERIFY_BYTES];
    uint8_t *command = bytes + HEAD_BYTES;
    memcpy(command, connect->command, sizeof bytes - HEAD_BYTES);
    put_u16(bytes, ENET_PROTOCOL_HEADER_FLAG_SENT_TIME |
                       (uint32_t)verify.down_session << ENET_PROTOCOL_HEADER_SESSION_SHIFT |
                       verify.client_peer_id);
    put_u16(bytes + 2, verify.sent_time);
    command[0] = ENET_PROTOCOL_COMMAND_VERIFY_CONNECT | ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE;
    command[1] = CHANNEL_OF_PEER;
    put_u16(command + 2, verify.sequence);
    put_u16(command + 4, verify.peer_id);
    command[6] = verify.down_session;
    command[7] = verify.up_session;
    put_u32(command + 16, APEX_CHANNEL_COUNT);
    transport->counters[APEX_TRANSPORT_COOKIES_SENT]++;
    transport->cookies_until_us = transport->now_us + 2 * NET_COOKIE_EPOCH_US;
    net_enet_answer(host, arrival, bytes, sizeof bytes);
}

// Clients who are answered at the same time are to have different slots, the same one each time;
// and low ones, since ENet walks over all up to the last.
static uint32_t slot_of_cookie(net_host *host, const net_arrival *arrival) {
    const apex_transport *transport = host->transport;
    uint32_t end = end_of_slots(host);
    uint32_t lowest = lowest_slot(host);
    uint32_t apart = net_cookie_hash(&transport->cookies, arrival->address) % SLOTS_APART_MAX;
    uint32_t from = lowest + apart < end ? lowest + apart : end;
    uint32_t slot = net_links_lowest_free(&transport->links, from, end);
    return slot < end ? slot : lowest;
}

bool net_enet_may_connect(net_host *host, const net_arrival *arrival,
                          const net_gate_connect *connect, uint32_t *slot) {
    apex_transport *transport = host->transport;
    if (is_repeated(host, arrival, connect->id)) {
        return false;
    }
    bool is_sealed = arrival->sealed != NULL; // a seal shows all that a cookie does
    if (!is_sealed && !may_be_plain(transport, arrival->address)) {
        transport->counters[APEX_TRANSPORT_REFUSED_PLAIN]++;
        turn_away(host, arrival, connect->peer_id, APEX_REASON_SEAL_NEEDED);
        return false;
    }
    bool is_unproven =
        !is_sealed && transport->links.half_open_count >= transport->def.half_open_max;
    if (!has_share_left(host, arrival, connect->peer_id)) {
        return false;
    }
    if (is_unproven &&
        !net_answers_take(&transport->answers, arrival->address, transport->now_us)) {
        transport->counters[APEX_TRANSPORT_REFUSED_ANSWER_RATE]++;
        return false;
    }
    *slot = is_unproven ? slot_of_cookie(host, arrival) : lowest_slot(host);
    if (!has_slot(host, arrival, connect->peer_id, *slot)) {
        return false;
    }
    if (is_unproven) {
        answer_with_cookie(host, arrival, connect, *slot);
        return false;
    }
    begin_connect(host, arrival, *slot);
    return true;
}

static bool is_acknowledgement(const uint8_t *command, size_t length) {
    return length >= ACKNOWLEDGE_BYTES && command[0] == ENET_PROTOCOL_COMMAND_ACKNOWLEDGE &&
           command[1] == CHANNEL_OF_PEER;
}

static bool may_be_proof(const net_host *host, const net_arrival *arrival,
                         const net_gate_header *header) {
    const apex_transport *transport = host->transport;
    return transport->now_us < transport->cookies_until_us && arrival->sealed == NULL &&
           header->peer_id < transport->peers_each &&
           is_acknowledgement(arrival->bytes + header->bytes, arrival->length - header->bytes);
}

static bool is_proof(net_host *host, const net_arrival *arrival, const net_gate_header *header,
                     net_verify *verify) {
    apex_transport *transport = host->transport;
    const uint8_t *command = arrival->bytes + header->bytes;
    *verify = (net_verify){.peer_id = header->peer_id,
                           .up_session = header->session,
                           .sequence = read_u16(command + 4),
                           .sent_time = read_u16(command + 6)};
    bool is_good =
        net_cookie_check(&transport->cookies, arrival->address, transport->now_us, verify);
    transport->counters[APEX_TRANSPORT_REFUSED_COOKIE] += !is_good;
    return is_good;
}

// What is not in the cookie is as ENet's own client says it.
static void put_connect(const net_proven *proven, uint8_t bytes[CONNECT_BYTES]) {
    uint8_t *command = bytes + HEAD_BYTES;
    memset(bytes, 0, CONNECT_BYTES);
    put_u16(bytes, ENET_PROTOCOL_HEADER_FLAG_SENT_TIME | NET_GATE_NO_PEER);
    command[0] = ENET_PROTOCOL_COMMAND_CONNECT | ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE;
    command[1] = CHANNEL_OF_PEER;
    put_u16(command + 4, proven->verify.client_peer_id);
    put_u32(command + 8, ENET_HOST_DEFAULT_MTU);
    put_u32(command + 12, ENET_PROTOCOL_MAXIMUM_WINDOW_SIZE);
    put_u32(command + 16, APEX_CHANNEL_COUNT);
}

bool net_enet_take_proof(net_host *host, net_arrival *arrival, const net_gate_header *header,
                         uint32_t *slot) {
    apex_transport *transport = host->transport;
    net_proven *proven = &host->proven;
    net_verify verify;
    if (proven->waits || !may_be_proof(host, arrival, header)) {
        transport->counters[APEX_TRANSPORT_REFUSED_STRANGER]++;
        return false;
    }
    if (!is_proof(host, arrival, header, &verify)) {
        return false;
    }
    net_rate rate = {.per_s = PROVEN_PER_S, .burst = PROVEN_BURST};
    uint32_t head =
        (uint32_t)verify.down_session << ENET_PROTOCOL_HEADER_SESSION_SHIFT | verify.client_peer_id;
    *slot = host->first_slot + verify.peer_id;
    if (!has_share_left(host, arrival, head) || !has_slot(host, arrival, head, *slot)) {
        return false;
    }
    if (!net_bucket_take(&transport->proven, rate, 1, transport->now_us)) {
        transport->counters[APEX_TRANSPORT_REFUSED_LINK_RATE]++;
        turn_away(host, arrival, head, APEX_REASON_RATE);
        return false;
    }
    proven->waits = true;
    proven->address = *arrival->address;
    proven->verify = verify;
    proven->length = arrival->length;
    memcpy(proven->bytes, arrival->bytes, arrival->length);
    put_connect(proven, proven->connect);
    arrival->bytes = proven->connect;
    arrival->length = sizeof proven->connect;
    begin_connect(host, arrival, *slot);
    return true;
}

bool net_enet_finish_proof(net_host *host, net_arrival *arrival) {
    apex_transport *transport = host->transport;
    net_proven *proven = &host->proven;
    uint32_t slot = host->first_slot + proven->verify.peer_id;
    ENetPeer *peer = net_enet_peer(transport, slot);
    if (!proven->waits) {
        return false;
    }
    proven->waits = false;
    if (transport->links.records[slot].state != NET_LINK_HALF_OPEN ||
        peer->state != ENET_PEER_STATE_ACKNOWLEDGING_CONNECT ||
        enet_list_empty(&peer->outgoingCommands)) {
        return false;
    }
    enet_free(enet_list_remove(enet_list_begin(&peer->outgoingCommands)));
    peer->outgoingSessionID = proven->verify.down_session;
    peer->incomingSessionID = proven->verify.up_session;
    peer->outgoingReliableSequenceNumber = proven->verify.sequence;
    enet_peer_on_connect(peer);
    peer->state = ENET_PEER_STATE_CONNECTED;
    net_enet_take_connect(transport, peer);
    transport->links.records[slot].proof = proven->verify.sequence;
    *arrival = (net_arrival){
        .address = &proven->address, .bytes = proven->bytes, .length = proven->length};
    return true;
}

// ENet would take the time in it for one that it had sent, and be wrong about the way there and
// back by half a minute. Two pings are as long, and ask for nothing.
void net_enet_disarm_proof(const apex_transport *transport, uint32_t slot, uint8_t *bytes,
                           size_t length, const net_gate_header *header) {
    uint16_t proof = transport->links.records[slot].proof;
    size_t at = header->bytes;
    for (; proof != 0 && is_acknowledgement(bytes + at, length - at); at += ACKNOWLEDGE_BYTES) {
        if (read_u16(bytes + at + 4) == proof) {
            static const uint8_t ping[PING_BYTES] = {ENET_PROTOCOL_COMMAND_PING, CHANNEL_OF_PEER};
            memcpy(bytes + at, ping, PING_BYTES);
            memcpy(bytes + at + PING_BYTES, ping, PING_BYTES);
        }
    }
}
