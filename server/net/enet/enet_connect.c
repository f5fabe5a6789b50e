// Letting clients in: whether the attempt is a repeated one is found out here, since ENet is not to
// walk over all its peers for it.
//
// ENet keeps a peer from the first datagram on, which anybody can send in anybody's name, and
// repeats its answer six times. So past half_open_max of those who asks has to show first that he
// receives at his address: enet_proof.c. Likewise past a rate of those who get a link before they
// have said anything: of addresses that are his somebody may have thousands.
#include "net/enet/enet_connect.h"

#include "net/enet/enet_proof.h"
#include "net/enet/enet_slots.h"

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

bool net_enet_may_connect(net_host *host, const net_arrival *arrival,
                          const net_gate_connect *connect, uint32_t *slot) {
    apex_transport *transport = host->transport;
    if (is_repeated(host, arrival, connect->id)) {
        return false;
    }
    bool is_sealed = arrival->sealed != NULL; // a seal shows all that a cookie does
    if (!is_sealed && !may_be_plain(transport, arrival->address)) {
        transport->counters[APEX_TRANSPORT_REFUSED_PLAIN]++;
        net_enet_turn_away(host, arrival, connect->peer_id, APEX_REASON_SEAL_NEEDED);
        return false;
    }
    if (!is_sealed && (transport->links.half_open_count >= transport->def.half_open_max ||
                       !net_enet_may_be_silent(transport))) {
        net_enet_ask_for_proof(host, arrival, connect);
        return false;
    }
    if (!net_enet_find_slot(host, arrival, connect->peer_id, slot)) {
        return false;
    }
    net_enet_begin_connect(host, arrival, *slot);
    return true;
}
