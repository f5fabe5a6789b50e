// The seal below ENet: handshakes are answered, datagrams are opened before anything looks at them
// and sealed behind all that writes them.
#pragma once

#include "net/enet/enet_state.h"

// A datagram as the gate sees it.
typedef struct net_arrival {
    const apex_udp_address *address;
    uint8_t *bytes; // the host's own, until the next is read
    size_t length;
    bool is_cut;        // it was longer than any of ours
    net_sealed *sealed; // the connection by which it came; NULL: it was plain
} net_arrival;

// @return whether there is something for the gate.
bool net_enet_unseal(net_host *host, const apex_udp_datagram *datagram, net_arrival *arrival);

// Has the memory fetch what the next datagrams will need: the second its keys, and the first, which
// has them, its link; or whether one who wants a link has had his answer.
void net_enet_expect(net_host *host, const apex_udp_datagram *next, size_t count);

// Where the bytes of a datagram for this link are to be put, APEX_UDP_DATAGRAM_BYTES_MAX less
// APEX_SEAL_MORE_BYTES at most; net_enet_dispatch sends as many of them as were put there.
uint8_t *net_enet_room(net_host *host, uint32_t slot);
void net_enet_dispatch(net_host *host, uint32_t slot, size_t length);
// Has the memory fetch what that will read.
void net_enet_expect_dispatch(const net_host *host, uint32_t slot);

// One datagram back to where another came from, sealed if that was.
void net_enet_answer(net_host *host, const net_arrival *to, const uint8_t *bytes, size_t length);
