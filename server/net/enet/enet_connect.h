// Who wants a link: from his CONNECT until ENet has a peer for him.
#pragma once

#include "net/enet/datagram_gate.h"
#include "net/enet/enet_sealing.h"

// A CONNECT that has passed the gate. @return whether ENet is to see it; then *slot is that of the
// one peer that it is shown.
bool net_enet_may_connect(net_host *host, const net_arrival *arrival,
                          const net_gate_connect *connect, uint32_t *slot);
