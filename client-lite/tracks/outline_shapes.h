// The shapes of an outline: what lies beside the road and on it.
#pragma once

#include "client-lite/tracks/outline.h"
#include "track/plan.h"

typedef struct outline_work {
    const apex_track_def *def;
    const apex_track *track;
    client_outline *out;
    apex_track_spot *spots; ///< of the whole lap, close together in bends
    size_t spot_count;
} outline_work;

void outline_strips(outline_work *work);
void outline_pits(outline_work *work);
void outline_walls(outline_work *work);
