/// Controls of every player for the coming tick.
#pragma once

#include "host/frame.h"
#include "host/simulation/simulation.h"

void host_collect_controls(host_frame *frame, host_clients *clients, host_simulation *simulation);
