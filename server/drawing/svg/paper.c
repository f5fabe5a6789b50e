// The colours of surfaces and materials, and places and texts as SVG writes them.
#include "drawing/svg/paper.h"

#include <string.h>

typedef struct drawing_paint {
    const char *name, *colour;
} drawing_paint;

static const drawing_paint surfaces[] = {
    {"asphalt", "#4b4f55"}, {"wet-asphalt", "#3c5068"}, {"concrete", "#9c9b95"},
    {"kerb", "#cf3a2e"},    {"grass", "#a9c58a"},       {"gravel", "#dcc99a"},
    {"sand", "#ead9a0"},    {"mud", "#7d6044"},         {"earth", "#ab8c63"},
    {"snow", "#f2f6fa"},    {"ice", "#cde7f2"},
};

static const drawing_paint materials[] = {
    {"concrete", "#6f7277"},
    {"tyre-wall", "#1d1d1f"},
    {"guard-rail", "#8593a3"},
    {"plastic", "#d9822b"},
};

static const char *colour_of(const drawing_paint *paints, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(paints[i].name, name) == 0) {
            return paints[i].colour;
        }
    }
    return "#a48fb8"; // of a track's own making
}

const char *drawing_surface_colour(const char *name) {
    return colour_of(surfaces, sizeof surfaces / sizeof surfaces[0], name);
}

const char *drawing_material_colour(const char *name) {
    return colour_of(materials, sizeof materials / sizeof materials[0], name);
}

double drawing_right(const drawing_paper *paper, double x_m) {
    return x_m - paper->low_x_m;
}

double drawing_down(const drawing_paper *paper, double y_m) {
    return paper->high_y_m - y_m;
}

void drawing_print_place(const drawing_paper *paper, char command, const double at_m[2]) {
    fprintf(paper->out, "%c%.2f %.2f", command, drawing_right(paper, at_m[0]),
            drawing_down(paper, at_m[1]));
}

void drawing_print_text(FILE *out, const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != 0; at++) {
        if (*at == '&') {
            fputs("&amp;", out);
        } else if (*at == '<') {
            fputs("&lt;", out);
        } else if (*at == '>') {
            fputs("&gt;", out);
        } else if (*at >= 0x20) {
            fputc(*at, out);
        }
    }
}
