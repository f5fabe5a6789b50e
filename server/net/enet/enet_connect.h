// Who wants a link: from his CONNECT until ENet has a peer for him.
#pragma once

#include "net/enet/datagram_gate.h"
#include "net/enet/enet_sealing.h"

// A CONNECT that has passed the gate. @return whether ENet is to see it; then *slot is that of the
// one peer that it is shown.
bool net_enet_may_connect(net_host *host, const net_arrival *arrival,
                          const net_gate_connect *connect, uint32_t *slot);
// To be called once ENet has dealt with what it was given last.
void net_enet_settle_connect(net_host *host);

// @return whether somebody may have a plain link before he has said anything; then it counts.
bool net_enet_may_be_silent(apex_transport *transport);
// A slot for a link to whom the arrival came from. @param head of a datagram to him, if he has to
// be told that there is none, or that his household has its share. @return false then; it is
// counted.
bool net_enet_find_slot(net_host *host, const net_arrival *arrival, uint32_t head, uint32_t *slot);
// ENet is to see a CONNECT from there next, and has this slot for it.
void net_enet_begin_connect(net_host *host, const net_arrival *arrival, uint32_t slot);
