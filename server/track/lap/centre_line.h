/// The centre line between its stations.
#pragma once

#include "track/laid_track.h"

/// Lap distance brought into 0..length_m on a closed track; left alone on an open one.
double track_wrap_s(const apex_track *track, double s_m);

/// Two neighbouring stations and a place between them.
typedef struct track_span {
    const track_station *from, *to;
    double t; ///< 0..1 between them
} track_span;

static inline track_span track_span_at(const apex_track *track, double s_m) {
    double along = (track_wrap_s(track, s_m) - track->first_s_m) / track->spacing_m;
    if (!(along > 0)) {
        along = 0;
    }
    along = track_min(along, track->segment_count);
    int32_t index = track_floor(along);
    if (index >= (int32_t)track->segment_count) {
        index = (int32_t)track->segment_count - 1;
    }
    const track_station *from = &track->stations[index];
    const track_station *to = &track->stations[track_next_station(track, (uint32_t)index)];
    return (track_span){from, to, along - index};
}

/// Cubic Hermite: values and derivatives (per span) at both ends.
static inline double track_hermite(double from, double from_slope, double to, double to_slope,
                                   double t) {
    double t2 = t * t;
    double t3 = t2 * t;
    return from + (to - from) * (3 * t2 - 2 * t3) + from_slope * (t3 - 2 * t2 + t) +
           to_slope * (t3 - t2);
}
