/// The sheet of paper: its scale, its colours, and how a place or a text is printed on it.
#pragma once

#include <stdio.h>

#include "drawing/drawing.h"
#include "track/plan.h"

typedef struct drawing_paper {
    FILE *out;
    const apex_track_sheet *sheet;
    apex_track_stretch lap; ///< all of it
    apex_track_spot *spots; ///< along it, close together in bends; none without one
    uint32_t spot_count;
    double low_x_m, low_y_m; ///< of the picture, without margins
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

const char *drawing_surface_colour(const char *name);
const char *drawing_material_colour(const char *name);
