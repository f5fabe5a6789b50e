/// Surveyed lines are noisy: what no road can follow is eased, and no more than that.
#include "content/import_private.h"

#include <math.h>

enum { ROUNDS_MAX = 40 };

// No car gets round less; a hairpin of Monaco has 12 m at its middle.
#define RADIUS_M_MIN 5.0
// The inner edge of a bend keeps a little radius of its own.
#define EDGE_SHARE  0.9
#define WIDTH_M_MIN 1.0

void import_measure(import_line *line) {
    line->along_m[0] = 0;
    for (uint32_t i = 0; i < line->count; i++) {
        const apex_track_point *here = &line->points[i];
        const apex_track_point *next = &line->points[import_next(line, i)];
        line->along_m[i + 1] =
            line->along_m[i] + hypot(next->x_m - here->x_m, next->y_m - here->y_m);
    }
}

double import_curvature_per_m(const apex_track_point *a, const apex_track_point *b,
                              const apex_track_point *c) {
    double ab_m = hypot(b->x_m - a->x_m, b->y_m - a->y_m);
    double bc_m = hypot(c->x_m - b->x_m, c->y_m - b->y_m);
    double ca_m = hypot(a->x_m - c->x_m, a->y_m - c->y_m);
    double twice_area =
        (b->x_m - a->x_m) * (c->y_m - a->y_m) - (b->y_m - a->y_m) * (c->x_m - a->x_m);
    return 2 * twice_area / fmax(ab_m * bc_m * ca_m, 1e-9);
}

static double curvature_per_m(const import_line *line, uint32_t index) {
    return import_curvature_per_m(&line->points[import_before(line, index)], &line->points[index],
                                  &line->points[import_next(line, index)]);
}

static double rounded(double value_m) {
    return round(value_m * 1000.0) / 1000.0;
}

/// Halfway to the middle of its neighbours, and so a little less of a kink.
static void ease(import_line *line, uint32_t index) {
    apex_track_point *here = &line->points[index];
    const apex_track_point *before = &line->points[import_before(line, index)];
    const apex_track_point *next = &line->points[import_next(line, index)];
    here->x_m = rounded(0.5 * here->x_m + 0.25 * (before->x_m + next->x_m));
    here->y_m = rounded(0.5 * here->y_m + 0.25 * (before->y_m + next->y_m));
}

static void ease_kinks(import_line *line) {
    for (int round = 0; round < ROUNDS_MAX; round++) {
        uint32_t moved = 0;
        for (uint32_t i = 0; i < line->count; i++) {
            if (fabs(curvature_per_m(line, i)) <= 1 / RADIUS_M_MIN)
                continue;
            ease(line, i);
            moved++;
        }
        if (moved > line->circuit->eased_count)
            line->circuit->eased_count = moved;
        if (moved == 0)
            return;
    }
}

static void narrow(import_line *line, uint32_t index, bool left, double most_m) {
    apex_track_point *point = &line->points[index];
    double *width_m = left ? &point->left_m : &point->right_m;
    most_m = rounded(fmax(most_m, WIDTH_M_MIN));
    if (*width_m <= most_m)
        return;
    line->circuit->narrowed_count++;
    line->circuit->narrowed_m_max = fmax(line->circuit->narrowed_m_max, *width_m - most_m);
    *width_m = most_m;
}

/// The curve between two points may be tighter than at either, hence the neighbours.
static void narrow_bends(import_line *line) {
    for (uint32_t i = 0; i < line->count; i++) {
        double bend_per_m = curvature_per_m(line, i);
        if (bend_per_m == 0)
            continue;
        double most_m = EDGE_SHARE / fabs(bend_per_m);
        narrow(line, import_before(line, i), bend_per_m > 0, most_m);
        narrow(line, i, bend_per_m > 0, most_m);
        narrow(line, import_next(line, i), bend_per_m > 0, most_m);
    }
}

void import_shape(import_line *line) {
    ease_kinks(line);
    narrow_bends(line);
    import_measure(line);
}
