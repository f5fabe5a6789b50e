// What ENet receives and sends: it is given datagrams that were admitted, and what it sends goes
// out in batches, to addresses of either family.
#pragma once

#include "net/enet/enet_state.h"

// Around each call of ENet that may receive or send.
void net_enet_begin(net_host *host);
void net_enet_end(void);

apex_udp_path net_enet_path(net_host *host);

// A round may look at so many datagrams from now on.
void net_enet_allow(net_host *host, uint32_t datagrams);
// @return whether there may be more to receive in this round.
bool net_enet_has_more(const net_host *host);

// The way out past ENet for an unsequenced packet, in a datagram of its own. Nine of ten datagrams
// are such ones; ENet would take two blocks from the heap for each.
void net_enet_send_alone(net_host *host, ENetPeer *peer, const apex_link_packet *packet);
