/// The line of a circuit on its way from a table of points to a track.
#pragma once

#include "content/content.h"

/// The shape of the line, by point; the last point is followed by the first.
typedef struct import_line {
    apex_circuit *circuit;
    apex_track_point *points; ///< of circuit->def
    uint32_t count;
    uint32_t *text_line; ///< of a point in the file
    double *along_m;     ///< count + 1: way from the first point, in the plan
} import_line;

static inline uint32_t import_next(const import_line *line, uint32_t index) {
    return index + 1 < line->count ? index + 1 : 0;
}

static inline uint32_t import_before(const import_line *line, uint32_t index) {
    return index > 0 ? index - 1 : line->count - 1;
}

/// Way along the lap between two distances, the short way round.
static inline double import_apart_m(const import_line *line, double a_m, double b_m) {
    double lap_m = line->along_m[line->count];
    double apart_m = a_m > b_m ? a_m - b_m : b_m - a_m;
    return apart_m < lap_m - apart_m ? apart_m : lap_m - apart_m;
}
