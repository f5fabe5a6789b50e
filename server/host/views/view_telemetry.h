/// Telemetry, to those who asked for it and whose turn it is.
#pragma once

#include "host/tick_frame.h"

void host_send_telemetry(const host_frame *frame, const host_clients *clients,
                         apex_sessions *sessions, const apex_race *race);
