/// What outline*.c share.
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

void outline_put(client_outline *out, client_outline_numbers *numbers, double value);
void outline_put_point(client_outline *out, client_outline_numbers *numbers, const double at_m[2]);
/// A new shape, whose points follow.
client_outline_shape *outline_begin_shape(client_outline *out, client_outline_shapes *shapes,
                                          const char *name);
/// One more point of the newest shape.
void outline_add_point(client_outline *out, client_outline_shape *shape, const double at_m[2]);

void outline_strips(outline_work *work);
void outline_pits(outline_work *work);
void outline_walls(outline_work *work);
