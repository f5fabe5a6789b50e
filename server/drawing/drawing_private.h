/// Inside of drawing: places along the lap, and the sheet of paper.
#pragma once

#include <stdbool.h>

#include "drawing/drawing.h"

/// A place on the centre line.
typedef struct drawing_spot {
    double s_m;
    apex_track_frame frame;
} drawing_spot;

/// From the begin of the definition to its end: 0..length on a closed track.
void drawing_extent(const apex_track_def *def, const apex_track *track, double *from_m,
                    double *to_m);

static inline double drawing_min(double a, double b) {
    return a < b ? a : b;
}

static inline double drawing_max(double a, double b) {
    return a > b ? a : b;
}

static inline double drawing_size(double value) {
    return value < 0 ? -value : value;
}

/// A curve through level points is not level to the last millimetre: no "-0.0".
static inline double drawing_shown(double value_m) {
    return drawing_size(value_m) < 0.05 ? 0 : value_m;
}

// --- The picture: svg.c draws the ground, svg_marks.c what is written on it ----------------------

typedef struct drawing_paper {
    FILE *out;
    const apex_track_sheet *sheet;
    drawing_spot *spots; ///< of the whole lap, close together in bends; none without one
    uint32_t spot_count;
    double from_m, to_m;     ///< extent along the lap
    double low_x_m, low_y_m; ///< what is to be seen, margins apart
    double high_x_m, high_y_m;
    double unit_m; ///< a letter's height is about two of them
} drawing_paper;

/// Right and down from the picture's upper left corner of a place in the world.
double drawing_right(const drawing_paper *paper, double x_m);
double drawing_down(const drawing_paper *paper, double y_m);
/// A place beside the centre line, offset to the left.
void drawing_beside(const apex_track_frame *frame, double offset_m, double out_m[2]);
/// Text between tags: a title is whatever its file says.
void drawing_print_text(FILE *out, const char *text);

typedef struct drawing_paint {
    const char *name, *colour;
} drawing_paint;

const char *drawing_surface_colour(const char *name);
const char *drawing_material_colour(const char *name);

/// The ground of a terrain (svg_terrain.c), and a pit lane if there is one (svg_pits.c).
void drawing_terrain(const drawing_paper *paper);
void drawing_pits(const drawing_paper *paper);
/// Lines, boxes, arrow and kilometres on the map.
void drawing_marks(const drawing_paper *paper);
/// Title, legend and scale, and the height profile below; `down_m` is where the map ends.
void drawing_captions(const drawing_paper *paper, double down_m);
/// How much room the captions and the profile take below the map.
double drawing_captions_m(const drawing_paper *paper);
bool drawing_has_profile(const drawing_paper *paper);
