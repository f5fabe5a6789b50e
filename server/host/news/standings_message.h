/// The order, to those who want it and whose turn it is.
#pragma once

#include "host/tick_frame.h"

void host_send_standings(const host_frame *frame, const host_clients *clients,
                         apex_sessions *sessions, const apex_race *race);
