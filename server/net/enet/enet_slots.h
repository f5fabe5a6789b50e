// A slot for whom ENet is to give a link next.
#pragma once

#include "net/enet/enet_sealing.h"

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
// Ends an attempt to connect. @param head of a datagram to its client.
void net_enet_turn_away(net_host *host, const net_arrival *to, uint32_t head, apex_reason reason);
