// Link events of what has come, on the frame.
#pragma once

#include "net/enet/datagram_gate.h"
#include "net/enet/enet_state.h"

// @return whether one more event, with the longest packet, can be handed out; or two, since a slot
// that opens might still have to be reported closed. Asked before ENet is: packets that stay in its
// queues are not lost.
bool net_enet_has_room(apex_transport *transport);
void net_enet_take_event(apex_transport *transport, const ENetEvent *event);
// The slot is free from now on; if it had a link, that one's end is told.
void net_enet_report_closed(apex_transport *transport, uint32_t slot);
void net_enet_free_slot(apex_transport *transport, uint32_t slot);
// The slot's link, which it is to have, is at this address.
void net_enet_join_endpoint(apex_transport *transport, uint32_t slot,
                            const apex_udp_address *address);
void net_enet_move_endpoint(apex_transport *transport, uint32_t slot,
                            const apex_udp_address *address);
// Nine of ten datagrams that come are one packet of controls. ENet would hand it on through three
// blocks of the heap and two queues; here it goes onto the frame at once. False where ENet has to
// have it: for a link that is not open, and when the frame is full.
bool net_enet_take_lone_packet(apex_transport *transport, ENetPeer *peer,
                               const net_gate_packet *packet);
