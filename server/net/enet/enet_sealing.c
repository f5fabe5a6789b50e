// A HELLO costs a hash and is answered within a rate. An OPEN costs a hash unless its cookie is
// good, which shows that its sender receives at its address; then it costs three multiplications on
// a curve, within a rate of its own, and a place that gives way while no link is over it.
#include "net/enet/enet_sealing.h"

#include <string.h>

#include "base/assert.h"
#include "net/enet/enet_events.h"

enum { LINK_US_MAX = 5000000 };

static apex_seal_from from_of(const apex_transport *transport, const apex_udp_address *address,
                              uint8_t bytes[APEX_SEAL_ADDRESS_BYTES_MAX]) {
    memcpy(bytes, address->ip, sizeof address->ip);
    memcpy(bytes + sizeof address->ip, &address->port, sizeof address->port);
    return (apex_seal_from){.address = bytes,
                            .address_bytes = sizeof address->ip + sizeof address->port,
                            .now_us = transport->now_us};
}

static void refuse(apex_transport *transport) {
    transport->counters[APEX_TRANSPORT_REFUSED_HANDSHAKE]++;
}

static void answer_hello(net_host *host, const apex_udp_datagram *datagram) {
    apex_transport *transport = host->transport;
    uint8_t address[APEX_SEAL_ADDRESS_BYTES_MAX];
    apex_seal_from from = from_of(transport, &datagram->address, address);
    if (!net_fair_take(&transport->answers, &datagram->address, NET_FAIR_SEALED,
                       transport->now_us)) {
        refuse(transport);
        return;
    }
    size_t length = apex_seal_answer_hello(&transport->door, &from, datagram->bytes,
                                           datagram->length, apex_udp_room(host->writer));
    if (length == 0) {
        refuse(transport);
        return;
    }
    transport->counters[APEX_TRANSPORT_HELLOS]++;
    apex_udp_add(host->writer, &datagram->address, length);
}

static net_sealed *begin_sealed(net_host *host, const apex_udp_datagram *datagram) {
    apex_transport *transport = host->transport;
    const uint8_t *key = apex_seal_open_key(datagram->bytes);
    net_sealed *sealed = net_sealed_of_open(&host->sealed, key);
    uint32_t number = 0;
    if (sealed != NULL ||
        !net_fair_take(&transport->opens, &datagram->address, NET_FAIR_SEALED, transport->now_us)) {
        return sealed;
    }
    sealed = net_sealed_add(&host->sealed, key, &number);
    if (sealed == NULL) {
        return NULL;
    }
    size_t length =
        apex_seal_accept(&transport->door, datagram->bytes, number, &sealed->seal, sealed->accept);
    if (length == 0) {
        net_sealed_remove(&host->sealed, sealed);
        return NULL;
    }
    sealed->accept_length = (uint8_t)length;
    sealed->address = datagram->address;
    sealed->deadline_us = transport->now_us + LINK_US_MAX;
    transport->counters[APEX_TRANSPORT_SEALED]++;
    return sealed;
}

// A client that asks again has not got the answer.
static void answer_open(net_host *host, const apex_udp_datagram *datagram) {
    apex_transport *transport = host->transport;
    uint8_t address[APEX_SEAL_ADDRESS_BYTES_MAX];
    apex_seal_from from = from_of(transport, &datagram->address, address);
    if (!apex_seal_check_open(&transport->door, &from, datagram->bytes, datagram->length)) {
        refuse(transport);
        return;
    }
    const net_sealed *sealed = begin_sealed(host, datagram);
    if (sealed == NULL) {
        refuse(transport);
        return;
    }
    memcpy(apex_udp_room(host->writer), sealed->accept, sealed->accept_length);
    apex_udp_add(host->writer, &datagram->address, sealed->accept_length);
}

// Somebody whose router has given him another address goes on from there.
static void follow(net_host *host, net_sealed *sealed, const apex_udp_address *address) {
    if (apex_udp_is_same(&sealed->address, address)) {
        return;
    }
    sealed->address = *address;
    if (sealed->slot1 != 0) {
        net_enet_move_endpoint(host->transport, sealed->slot1 - 1, address);
    }
}

static bool open_data(net_host *host, const apex_udp_datagram *datagram, net_arrival *arrival) {
    apex_transport *transport = host->transport;
    uint32_t number = 0;
    uint8_t *content = NULL;
    net_sealed *sealed = apex_seal_number_of(datagram->bytes, datagram->length, &number)
                             ? net_sealed_of_number(&host->sealed, number)
                             : NULL;
    if (sealed == NULL) {
        transport->counters[APEX_TRANSPORT_REFUSED_STRANGER]++;
        return false;
    }
    uint64_t newest = sealed->seal.receiver.newest;
    if (!apex_seal_open(&sealed->seal, datagram->bytes, datagram->length, &content,
                        &arrival->length)) {
        transport->counters[APEX_TRANSPORT_REFUSED_SEAL]++;
        return false;
    }
    if (sealed->seal.receiver.newest > newest) {
        follow(host, sealed, &datagram->address);
    }
    arrival->bytes = content;
    arrival->sealed = sealed;
    return true;
}

static bool number_of(const apex_udp_datagram *datagram, uint32_t *number) {
    return apex_seal_kind_of(datagram->bytes, datagram->length) == APEX_SEAL_DATA &&
           apex_seal_number_of(datagram->bytes, datagram->length, number);
}

// What its admission reads of a link.
static void expect_link(const net_host *host, uint32_t slot) {
    const net_link_record *record = &host->transport->links.records[slot];
    const ENetPeer *peer = &host->peers[slot - host->first_slot];
    __builtin_prefetch(record, 1);
    __builtin_prefetch(&record->excess, 1);
    __builtin_prefetch(peer);
    __builtin_prefetch(&peer->state);
    __builtin_prefetch(&peer->sentReliableCommands);
}

static void expect_newcomer(net_host *host, const apex_udp_datagram *next) {
    net_fair_budget *answers = &host->transport->answers;
    apex_seal_kind kind = apex_seal_kind_of(next->bytes, next->length);
    net_gate_header header;
    if (kind == APEX_SEAL_HELLO) {
        net_fair_expect(answers, &next->address, NET_FAIR_SEALED);
    } else if (kind == APEX_SEAL_NONE &&
               net_gate_read_header(next->bytes, next->length, &header) == NET_GATE_PASS &&
               header.peer_id == NET_GATE_NO_PEER) {
        net_fair_expect(answers, &next->address, NET_FAIR_PLAIN);
    }
}

void net_enet_expect(net_host *host, const apex_udp_datagram *next, size_t count) {
    uint32_t number = 0;
    if (count > 0) {
        expect_newcomer(host, &next[0]);
    }
    if (count > 1 && number_of(&next[1], &number)) {
        net_sealed_expect(&host->sealed, number);
    }
    const net_sealed *sealed = count > 0 && number_of(&next[0], &number)
                                   ? net_sealed_of_number(&host->sealed, number)
                                   : NULL;
    if (sealed != NULL && sealed->slot1 != 0) {
        expect_link(host, sealed->slot1 - 1);
    }
}

bool net_enet_unseal(net_host *host, const apex_udp_datagram *datagram, net_arrival *arrival) {
    *arrival = (net_arrival){.address = &datagram->address,
                             .bytes = datagram->bytes,
                             .length = datagram->length,
                             .is_cut = datagram->is_cut};
    if (datagram->is_cut) {
        return true;
    }
    bool has_port = datagram->address.port != 0;
    switch (apex_seal_kind_of(datagram->bytes, datagram->length)) {
    case APEX_SEAL_NONE:
        return true;
    case APEX_SEAL_DATA:
        return has_port && open_data(host, datagram, arrival);
    case APEX_SEAL_HELLO:
        if (has_port) {
            answer_hello(host, datagram);
        }
        return false;
    case APEX_SEAL_OPEN:
        if (has_port) {
            answer_open(host, datagram);
        }
        return false;
    case APEX_SEAL_COOKIE:
    case APEX_SEAL_ACCEPT:
        break;
    }
    refuse(host->transport);
    return false;
}

void net_enet_answer(net_host *host, const net_arrival *to, const uint8_t *bytes, size_t length) {
    uint8_t *room = apex_udp_room(host->writer);
    if (to->sealed != NULL) {
        memcpy(room + APEX_SEAL_HEAD_BYTES, bytes, length);
        length = apex_seal_close(&to->sealed->seal, room, length);
    } else {
        memcpy(room, bytes, length);
    }
    apex_udp_add(host->writer, to->address, length);
}

static net_sealed *sealed_of(const net_host *host, uint32_t slot) {
    uint32_t index = host->transport->links.records[slot].sealed1;
    return index != 0 ? &host->sealed.places[index - 1] : NULL;
}

uint8_t *net_enet_room(net_host *host, uint32_t slot) {
    uint8_t *room = apex_udp_room(host->writer);
    return sealed_of(host, slot) != NULL ? room + APEX_SEAL_HEAD_BYTES : room;
}

void net_enet_expect_dispatch(const net_host *host, uint32_t slot) {
    const net_sealed *sealed = sealed_of(host, slot);
    if (sealed != NULL) {
        __builtin_prefetch(sealed, 1);
    }
}

void net_enet_dispatch(net_host *host, uint32_t slot, size_t length) {
    const apex_transport *transport = host->transport;
    net_sealed *sealed = sealed_of(host, slot);
    if (sealed != NULL) {
        length = apex_seal_close(&sealed->seal, apex_udp_room(host->writer), length);
    }
    uint32_t endpoint = transport->links.records[slot].endpoint;
    APEX_ASSERT(endpoint != NET_ENDPOINT_NONE);
    apex_udp_add(host->writer, &net_endpoints_at(&transport->endpoints, endpoint)->address, length);
}
