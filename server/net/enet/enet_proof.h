// Links of those who have to show first that they receive at their address.
#pragma once

#include "net/enet/datagram_gate.h"
#include "net/enet/enet_sealing.h"

// A CONNECT that has passed the gate is answered with a cookie, if there is an answer left for it.
void net_enet_ask_for_proof(net_host *host, const net_arrival *arrival,
                            const net_gate_connect *connect);
// A datagram of nobody who has a link. If its sender has shown that he receives, here or before,
// and it is his turn to have a link, it is put by, and the arrival becomes the CONNECT by which
// ENet gets its peer. @return whether ENet is to see that; a refusal is counted.
bool net_enet_take_proof(net_host *host, net_arrival *arrival, const net_gate_header *header,
                         uint32_t *slot);
// Its peer is there: it is connected, and the arrival becomes the datagram that was put by.
// @return false if there is none, or ENet would not have it.
bool net_enet_finish_proof(net_host *host, net_arrival *arrival);
// Of a link that began so: takes out of a datagram what acknowledges the VERIFY_CONNECT that ENet
// knows nothing of. @param bytes have passed the gate.
void net_enet_disarm_proof(const apex_transport *transport, uint32_t slot, uint8_t *bytes,
                           size_t length, const net_gate_header *header);
