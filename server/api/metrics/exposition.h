/// The figures of all races in the text format of Prometheus.
#pragma once

#include "api/api.h"

/// @param with_players for operators
/// @return the text, on the arena; NULL if it has no room.
const char *api_exposition(const apex_api *api, bool with_players, apex_arena *arena,
                           size_t *length);
