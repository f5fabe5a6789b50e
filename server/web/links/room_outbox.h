// The outbox of a room's links.
#pragma once

#include "web/web.h"

// Ends links that flood, that do not read, and whose last words have been said.
void web_rooms_sweep(apex_web *web, uint64_t passed_us);
