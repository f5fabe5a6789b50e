// Link events of what has come, on the frame.
#pragma once

#include "net/enet/datagram_gate.h"
#include "net/enet/enet_state.h"

// @return whether one more event, with the longest packet, can be handed out; or two, since a slot
// that opens might still have to be reported closed. Asked before ENet is: packets that stay in its
// queues are not lost.
bool net_enet_has_room(apex_transport *transport);
// The peer of a half-open slot is connected.
void net_enet_take_connect(apex_transport *transport, ENetPeer *peer);
void net_enet_take_event(apex_transport *transport, const ENetEvent *event);
// The slot is free from now on; if it had a link, that one's end is told.
void net_enet_report_closed(apex_transport *transport, uint32_t slot);
void net_enet_free_slot(apex_transport *transport, uint32_t slot);
// The slot's link, which it is to have, is at this address.
void net_enet_join_endpoint(apex_transport *transport, uint32_t slot,
                            const apex_udp_address *address);
void net_enet_move_endpoint(apex_transport *transport, uint32_t slot,
                            const apex_udp_address *address);
// A packet that may be lost, onto the frame at once: ENet would hand it on through three blocks of
// the heap and two queues. It is lost for a link that is not open, and when the frame is full.
// @return whether it was taken.
bool net_enet_take_bytes(apex_transport *transport, const ENetPeer *peer, uint8_t channel,
                         const uint8_t *bytes, size_t length);
