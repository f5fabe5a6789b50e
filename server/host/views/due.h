/// The viewers who are due in this tick, and what is due to them.
#pragma once

#include "host/tick_frame.h"

void host_find_due(host_frame *frame, host_clients *clients);
