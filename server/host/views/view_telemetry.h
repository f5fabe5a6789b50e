/// Telemetry, to those who asked for it and whose turn it is.
#pragma once

#include "host/tick_frame.h"

void host_capture_telemetry(host_frame *frame, const host_clients *clients, const apex_race *race);
/// Once for all who look at a car.
void host_encode_telemetry(host_frame *frame);
void host_send_telemetry(const host_frame *frame, const host_clients *clients,
                         apex_sessions *sessions);
