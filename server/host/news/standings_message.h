/// The order, to those who want it and whose turn it is.
#pragma once

#include "host/news/told_order.h"
#include "host/tick_frame.h"

/// Of the order that may be told; the same bytes for all but those further down.
void host_capture_standings(host_frame *frame, const host_clients *clients,
                            const host_order *order);
void host_send_standings(const host_frame *frame, const host_clients *clients,
                         apex_sessions *sessions);
