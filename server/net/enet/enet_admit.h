// Admission of datagrams, before ENet sees them.
#pragma once

#include "net/enet/enet_state.h"

// ENet's hook: whether it sees the datagram that its host has just received.
int net_enet_intercept(ENetHost *enet, ENetEvent *event);
