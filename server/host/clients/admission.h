/// A client is let in.
#pragma once

#include "host/tick_frame.h"

uint32_t host_period_of_hz(const apex_race *race, uint32_t hz); ///< in ticks; 0 for 0
/// The same of the lower of two rates: what a client wishes, and what the operator gives.
uint32_t host_period_within(const apex_race *race, uint32_t wished_hz, uint32_t hz_max);
void host_admit(const host_frame *frame, host_clients *clients, const apex_race *race,
                host_client *client);
