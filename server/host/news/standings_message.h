/// The order, to those who want it and whose turn it is.
#pragma once

#include "host/tick_frame.h"

/// Written while the race is at hand, since each line has times of its own: they are the same bytes
/// for all but those further down. After the order was captured.
void host_capture_standings(host_frame *frame, const host_clients *clients, const apex_race *race);
void host_send_standings(const host_frame *frame, const host_clients *clients,
                         apex_sessions *sessions);
