/// The check of a terrain's definition.
#pragma once

#include "track/track.h"

static inline bool track_has_terrain(const apex_track_def *def) {
    return def->terrain.columns > 0;
}

/// Ranges, names and what does not go together.
apex_err track_check_terrain(const apex_track_def *def, apex_def_problem *problem);
