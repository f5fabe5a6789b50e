/// The way of a circuit from a table of points to a track: read (import_read.c), made passable
/// (import_shape.c), given bridges (import_bridge.c) and surroundings (import_furnish.c).
#pragma once

#include "content/document/reader.h"

/// The shape of the line, by point; the last point is followed by the first.
typedef struct import_line {
    apex_circuit *circuit;
    apex_track_point *points; ///< of circuit->def
    uint32_t count;
    uint32_t *text_line; ///< where a point stands in the file
    double *along_m;     ///< count + 1: way from the first point, in the plan
} import_line;

/// What reading and refusing need.
typedef struct import_text {
    const char *label;
    apex_content_problem *problem;
} import_text;

/// Reads all points. On success free line->text_line, line->along_m and the definition's points.
apex_err import_read(const import_text *from, const char *text, size_t length, import_line *line);
/// Notes `file:line:column: why`.
/// @return PARSE, for the caller to hand on.
__attribute__((format(printf, 4, 5))) apex_err import_refuse(const import_text *from, uint32_t line,
                                                             uint32_t column, const char *fmt, ...);

void import_measure(import_line *line);
/// Of the circle through three points, which are not all in one place; left positive.
double import_curvature_per_m(const apex_track_point *a, const apex_track_point *b,
                              const apex_track_point *c);
/// Moves points of kinks that no road has, and narrows the road where it would fold.
void import_shape(import_line *line);
/// Lifts the later of two branches over the earlier one wherever the line crosses itself.
apex_err import_bridges(const import_text *from, import_line *line);
/// Columns as far apart as the road allows, before a track is laid of it.
void import_place_grid(import_line *line);
/// Sectors, kerbs, gravel traps and rails for a lap of that length.
void import_furnish(import_line *line, double lap_m);

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
