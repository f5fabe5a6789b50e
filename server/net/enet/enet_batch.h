// The way out past ENet, for unsequenced packets.
#pragma once

#include "net/enet/enet_state.h"

apex_err net_batch_create(net_batch **out);
void net_batch_destroy(net_batch *batch);
// The bytes are sent from where they lie, at the latest by net_batch_send.
void net_batch_add(net_host *host, ENetPeer *peer, const apex_link_packet *packet);
void net_batch_send(net_host *host);
