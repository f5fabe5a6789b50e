/// A client is let in.
#pragma once

#include "host/tick_frame.h"

uint32_t host_period_of_hz(const apex_race *race, uint32_t hz); ///< in ticks; 0 for 0
void host_admit(const host_frame *frame, host_clients *clients, const apex_race *race,
                host_client *client);
