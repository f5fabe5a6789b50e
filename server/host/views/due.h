/// Who is to be sent what in this tick.
#pragma once

#include "host/tick_frame.h"

void host_find_due(host_frame *frame, host_clients *clients, uint32_t tick_hz);
