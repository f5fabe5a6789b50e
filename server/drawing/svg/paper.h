/// Inside of drawing: the sheet of paper, and what its parts share.
#pragma once

#include <stdbool.h>

#include "drawing/drawing.h"
#include "track/plan.h"

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
    apex_track_stretch lap; ///< all of it
    apex_track_spot *spots; ///< along it, close together in bends; none without one
    uint32_t spot_count;
    double low_x_m, low_y_m; ///< what is to be seen, margins apart
    double high_x_m, high_y_m;
    double unit_m; ///< a letter's height is about two of them
} drawing_paper;

/// Right and down from the picture's upper left corner of a place in the world.
double drawing_right(const drawing_paper *paper, double x_m);
double drawing_down(const drawing_paper *paper, double y_m);
/// "M" or "L" and a place in the world, of a path.
void drawing_print_place(const drawing_paper *paper, char command, const double at_m[2]);
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
