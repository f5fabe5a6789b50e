/// Traces the outline of a laid track.
#pragma once

#include "client-lite/tracks/outline.h"

/// @param def of which the track was laid. @return NULL when out of memory.
client_outline *client_outline_create(const apex_track_def *def, const apex_track *track,
                                      uint32_t grid_boxes);
