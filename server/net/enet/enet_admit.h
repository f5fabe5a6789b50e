// Admission of datagrams, before ENet sees them.
#pragma once

#include "net/enet/enet_sealing.h"

// @return whether ENet is to see what the arrival then is. Then *slot is that of its peer, and ENet
// has been shown the peers that it needs for it.
bool net_enet_admit(net_host *host, net_arrival *arrival, uint32_t *slot);
