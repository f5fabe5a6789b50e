// ENet's hosts of a transport, opened.
#pragma once

#include "net/enet/enet_state.h"

// Opens all hosts of a transport, whose def, host_count and peers_each are set.
apex_err net_enet_open(apex_transport *transport, const char *address);
