/// Statistics, as a message to clients.
#pragma once

#include "host/load/metrics.h"
#include "host/network.h"
#include "host/tick_frame.h"

/// In one round of each second.
void host_send_statistics(const host_frame *frame, const host_metrics *metrics,
                          const host_clients *clients, host_network *network);
