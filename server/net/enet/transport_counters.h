// The transport's counters.
#pragma once

#include "net/enet/datagram_gate.h"
#include "net/enet/enet_state.h"

void net_enet_count_refusal(apex_transport *transport, net_gate_verdict verdict);
// Adds ENet's own counts since it was last asked.
void net_enet_count_traffic(apex_transport *transport);
