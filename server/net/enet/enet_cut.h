// What is cut out of a datagram before ENet sees it.
#pragma once

#include "net/enet/enet_sealing.h"

// The datagram has passed the gate's walk and speaks for the peer. @return whether something is
// left for ENet; then *arrival has that, in memory of the host.
bool net_enet_cut(net_host *host, ENetPeer *peer, net_arrival *arrival, size_t header_bytes);
