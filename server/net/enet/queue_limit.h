// What waits to be acknowledged, in bytes: of each link, and of all together.
#pragma once

#include "net/enet/enet_state.h"

enum {
    NET_QUEUE_BYTES_MAX = 16 * 1024 * 1024,
    NET_QUEUES_BYTES_MAX = 64 * 1024 * 1024, // of all links
};

// ENet is about to be given a reliable packet of so many bytes for this link. Where that is too
// much, for the link or for all together, one that takes nothing has its fault set.
// @return false if ENet is not to have it: the link is one of those.
bool net_queue_add(apex_transport *transport, uint32_t slot, size_t bytes);
// What queues have taken goes back to the system once they are short again. Ten times a second.
void net_queues_give_back(apex_transport *transport);
