// Links that begin with a cookie. Past half_open_max a CONNECT is answered with a VERIFY_CONNECT
// that is no longer than it and of which nothing is kept (connect_cookie.h, DECISIONS 58). Any ENet
// client acknowledges it, and with that it has shown that it receives at its address. Then ENet is
// given a CONNECT that makes it a peer, and the answer that it has for it is dropped: the client
// has had it.
//
// Only a few get their link at once. The others are remembered (shown_addresses.h) until they say
// something that they mean to be heard, which a client repeats until it is: a flood of
// acknowledgements alone is worth no link.
//
// The peer id in the cookie is a number of the address's own, and not the slot's, which is chosen
// when the link begins: two clients never wait for one slot.
#include "net/enet/enet_proof.h"

#include <string.h>

#include "net/enet/enet_events.h"
#include "net/enet/enet_slots.h"
#include "net/enet/transport_counters.h"
#include "net/enet/wire_words.h"

enum {
    VERIFY_BYTES = 48, // of 52 that a CONNECT has
    CONNECT_BYTES = 52,
    HEAD_BYTES = 4,
    ACKNOWLEDGE_BYTES = 8,
    PING_BYTES = 4,
    CHANNEL_OF_PEER = 0xFF, // of commands that concern no channel
};

// @return whether a link at this address goes by the number, as peer id, already.
static bool is_told(const apex_transport *transport, const apex_udp_address *address,
                    uint32_t number) {
    uint32_t endpoint = net_endpoints_find(&transport->endpoints, address);
    uint32_t slot1 = endpoint != NET_ENDPOINT_NONE
                         ? net_endpoints_at(&transport->endpoints, endpoint)->first_slot1
                         : 0;
    while (slot1 != 0 && transport->links.records[slot1 - 1].told != number) {
        slot1 = transport->links.records[slot1 - 1].next_slot1;
    }
    return slot1 != 0;
}

// The same one each time, as long as the address has no other link.
static uint16_t choose_peer_id(const apex_transport *transport, const apex_udp_address *address) {
    uint32_t count = transport->peers_each;
    uint32_t number = net_cookie_hash(&transport->cookies, address) % count;
    for (uint32_t tries = 1; tries < count && is_told(transport, address, number); tries++) {
        number = (number + 1) % count;
    }
    return (uint16_t)number;
}

// A VERIFY_CONNECT repeats most of a CONNECT.
static void write_verify(const net_verify *verify, const net_gate_connect *connect,
                         uint8_t bytes[VERIFY_BYTES]) {
    uint8_t *command = bytes + HEAD_BYTES;
    memcpy(command, connect->command, VERIFY_BYTES - HEAD_BYTES);
    net_put_u16(bytes, ENET_PROTOCOL_HEADER_FLAG_SENT_TIME |
                           (uint32_t)verify->down_session << ENET_PROTOCOL_HEADER_SESSION_SHIFT |
                           verify->client_peer_id);
    net_put_u16(bytes + 2, verify->sent_time);
    command[0] = ENET_PROTOCOL_COMMAND_VERIFY_CONNECT | ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE;
    command[1] = CHANNEL_OF_PEER;
    net_put_u16(command + 2, verify->sequence);
    net_put_u16(command + 4, verify->peer_id);
    command[6] = verify->down_session;
    command[7] = verify->up_session;
    net_put_u32(command + 16, APEX_CHANNEL_COUNT);
}

void net_enet_ask_for_proof(net_host *host, const net_arrival *arrival,
                            const net_gate_connect *connect) {
    apex_transport *transport = host->transport;
    if (connect->channels < APEX_CHANNEL_COUNT || connect->peer_id == NET_GATE_NO_PEER) {
        return; // no client of ours
    }
    if (!net_fair_take(&transport->answers, arrival->address, NET_FAIR_PLAIN, transport->now_us)) {
        transport->counters[APEX_TRANSPORT_REFUSED_ANSWER_RATE]++;
        return;
    }
    net_verify verify = {.peer_id = choose_peer_id(transport, arrival->address),
                         .client_peer_id = connect->peer_id};
    net_cookie_make(&transport->cookies, arrival->address, transport->now_us, &verify);
    uint8_t bytes[VERIFY_BYTES];
    write_verify(&verify, connect, bytes);
    transport->counters[APEX_TRANSPORT_COOKIES_SENT]++;
    transport->cookies_until_us = transport->now_us + 2 * NET_COOKIE_EPOCH_US;
    net_enet_answer(host, arrival, bytes, sizeof bytes);
}

static bool is_acknowledgement(const uint8_t *command, size_t length) {
    return length >= ACKNOWLEDGE_BYTES && command[0] == ENET_PROTOCOL_COMMAND_ACKNOWLEDGE &&
           command[1] == CHANNEL_OF_PEER;
}

// @return whether it brings a cookie that is good, or its sender has done so before.
static bool has_shown_himself(apex_transport *transport, const net_arrival *arrival, bool is_cookie,
                              const net_gate_header *header, net_verify *verify) {
    *verify = (net_verify){.peer_id = header->peer_id, .up_session = header->session};
    if (!is_cookie) {
        bool is_known =
            net_shown_find(&transport->shown, arrival->address, transport->now_us, verify);
        transport->counters[APEX_TRANSPORT_REFUSED_STRANGER] += !is_known;
        return is_known;
    }
    const uint8_t *command = arrival->bytes + header->bytes;
    verify->sequence = net_read_u16(command + 4);
    verify->sent_time = net_read_u16(command + 6);
    bool is_good =
        net_cookie_check(&transport->cookies, arrival->address, transport->now_us, verify);
    transport->counters[APEX_TRANSPORT_REFUSED_COOKIE] += !is_good;
    return is_good;
}

// Something that its sender repeats until it is acknowledged.
static bool says_something(apex_transport *transport, const net_arrival *arrival,
                           const net_gate_header *header) {
    bool says_goodbye = false;
    net_gate_verdict verdict = net_gate_walk(arrival->bytes, arrival->length, header,
                                             (net_gate_received){{0}}, &says_goodbye);
    if (verdict != NET_GATE_PASS) {
        net_enet_count_refusal(transport, verdict);
        return false;
    }
    return net_gate_has_message(arrival->bytes, arrival->length, header);
}

static bool is_his_turn(apex_transport *transport, const net_arrival *arrival,
                        const net_gate_header *header) {
    if (!says_something(transport, arrival, header)) {
        return false;
    }
    bool is_turn =
        net_fair_take(&transport->first_words, arrival->address, NET_FAIR_PLAIN, transport->now_us);
    transport->counters[APEX_TRANSPORT_REFUSED_LINK_RATE] += !is_turn;
    return is_turn;
}

// What is not in the cookie is as ENet's own client says it.
static void put_connect(const net_proven *proven, uint8_t bytes[CONNECT_BYTES]) {
    uint8_t *command = bytes + HEAD_BYTES;
    memset(bytes, 0, CONNECT_BYTES);
    net_put_u16(bytes, ENET_PROTOCOL_HEADER_FLAG_SENT_TIME | NET_GATE_NO_PEER);
    command[0] = ENET_PROTOCOL_COMMAND_CONNECT | ENET_PROTOCOL_COMMAND_FLAG_ACKNOWLEDGE;
    command[1] = CHANNEL_OF_PEER;
    net_put_u16(command + 4, proven->verify.client_peer_id);
    net_put_u32(command + 8, ENET_HOST_DEFAULT_MTU);
    net_put_u32(command + 12, ENET_PROTOCOL_MAXIMUM_WINDOW_SIZE);
    net_put_u32(command + 16, APEX_CHANNEL_COUNT);
}

static void begin_link(net_host *host, net_arrival *arrival, const net_verify *verify,
                       uint32_t slot) {
    apex_transport *transport = host->transport;
    net_proven *proven = &host->proven;
    proven->waits = true;
    proven->address = *arrival->address;
    proven->slot = slot;
    proven->verify = *verify;
    proven->length = arrival->length;
    memcpy(proven->bytes, arrival->bytes, arrival->length);
    put_connect(proven, proven->connect);
    arrival->bytes = proven->connect;
    arrival->length = sizeof proven->connect;
    net_enet_begin_connect(host, arrival, slot);
    transport->links.records[slot].told = verify->peer_id;
    net_shown_forget(&transport->shown, arrival->address, verify->peer_id);
}

bool net_enet_take_proof(net_host *host, net_arrival *arrival, const net_gate_header *header,
                         uint32_t *slot) {
    apex_transport *transport = host->transport;
    if (host->proven.waits || arrival->sealed != NULL || header->peer_id >= transport->peers_each ||
        transport->now_us >= transport->cookies_until_us) {
        transport->counters[APEX_TRANSPORT_REFUSED_STRANGER]++;
        return false;
    }
    net_verify verify;
    bool is_cookie =
        is_acknowledgement(arrival->bytes + header->bytes, arrival->length - header->bytes);
    if (!has_shown_himself(transport, arrival, is_cookie, header, &verify)) {
        return false;
    }
    bool begins =
        (is_cookie && net_enet_may_be_silent(transport)) || is_his_turn(transport, arrival, header);
    if (!begins) {
        transport->counters[APEX_TRANSPORT_PROOFS_KEPT] += is_cookie;
        net_shown_note(&transport->shown, arrival->address, transport->now_us, &verify);
        return false;
    }
    uint32_t head =
        (uint32_t)verify.down_session << ENET_PROTOCOL_HEADER_SESSION_SHIFT | verify.client_peer_id;
    if (!net_enet_find_slot(host, arrival, head, slot)) {
        return false;
    }
    begin_link(host, arrival, &verify, *slot);
    return true;
}

bool net_enet_finish_proof(net_host *host, net_arrival *arrival) {
    apex_transport *transport = host->transport;
    net_proven *proven = &host->proven;
    uint32_t slot = proven->slot;
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
        if (net_read_u16(bytes + at + 4) == proof) {
            static const uint8_t ping[PING_BYTES] = {ENET_PROTOCOL_COMMAND_PING, CHANNEL_OF_PEER};
            memcpy(bytes + at, ping, PING_BYTES);
            memcpy(bytes + at + PING_BYTES, ping, PING_BYTES);
        }
    }
}
