/// Recordings that were listed, kept for the next request.
#pragma once

#include "api/api_memory.h"

void api_replays_destroy(api_replays *replays); ///< NULL is fine
