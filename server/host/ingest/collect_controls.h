/// Controls of every player for the coming tick.
#pragma once

#include "host/simulation/simulation.h"
#include "host/tick_frame.h"

void host_collect_controls(const host_frame *frame, host_clients *clients,
                           host_simulation *simulation);
