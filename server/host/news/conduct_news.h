/// What a driver alone is told of his conduct and his pits.
#pragma once

#include "host/clients/clients.h"
#include "host/tick_frame.h"

apex_conduct host_conduct_message(const apex_race_conduct *conduct);
/// Finds the drivers whose turn it is and of whom something has changed.
void host_capture_conducts(host_frame *frame, const host_clients *clients, const apex_race *race);
void host_tell_conducts(const host_frame *frame, host_clients *clients, apex_sessions *sessions);
