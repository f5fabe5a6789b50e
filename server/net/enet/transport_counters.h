// The transport's counters.
#pragma once

#include "net/enet/datagram_gate.h"
#include "net/enet/enet_state.h"

// What the system has dropped since the last call.
void net_enet_count_dropped(net_host *host);
void net_enet_count_refusal(apex_transport *transport, net_gate_verdict verdict);
// Sends what waits in the writers, and counts it.
void net_enet_write_out(apex_transport *transport);
