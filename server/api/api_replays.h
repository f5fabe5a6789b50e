/// What is kept of recordings that were listed.
#pragma once

#include "api/api_memory.h"

void api_replays_destroy(api_replays *replays); ///< NULL is fine
