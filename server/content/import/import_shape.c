/// Surveyed lines are noisy: what no road can follow is eased, and no more than that.
#include "content/import/import_shape.h"

#include <math.h>

enum { ROUNDS_MAX = 40 };

// No car gets round less; a hairpin of Monaco has 12 m at its middle.
#define RADIUS_M_MIN 5.0
// Of the bend's radius: a road up to this wide is laid as it was surveyed, with a point for its
// inner edge; a wider one is made as wide as the radius.
#define EDGE_SHARE_MAX 1.15
#define WIDTH_M_MIN    1.0

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

static double turn_per_m(const import_line *line, uint32_t index) {
    return import_curvature_per_m(&line->points[import_before(line, index)], &line->points[index],
                                  &line->points[import_next(line, index)]);
}

/// @return the curvature, at one of the points, of the cubic spline that will be laid through them.
/// If single points are off, it turns tighter than circles through their neighbours: these are the
/// first terms of the inverse of (1 4 1) / 6, which leads from the spline's bends to those of the
/// circles.
static double curvature_per_m(const import_line *line, uint32_t index) {
    static const double terms[] = {1.7321, -0.4641, 0.1244, -0.0333};
    double sum_per_m = terms[0] * turn_per_m(line, index);
    uint32_t before = index, next = index;
    for (size_t i = 1; i < sizeof terms / sizeof terms[0]; i++) {
        before = import_before(line, before);
        next = import_next(line, next);
        sum_per_m += terms[i] * (turn_per_m(line, before) + turn_per_m(line, next));
    }
    return sum_per_m;
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
            if (fabs(curvature_per_m(line, i)) <= 1 / RADIUS_M_MIN) {
                continue;
            }
            ease(line, i);
            moved++;
        }
        if (moved > line->circuit->eased_count) {
            line->circuit->eased_count = moved;
        }
        if (moved == 0) {
            return;
        }
    }
}

static void narrow(import_line *line, uint32_t index, bool left, double most_m) {
    apex_track_point *point = &line->points[index];
    double *width_m = left ? &point->left_m : &point->right_m;
    most_m = rounded(fmax(most_m, WIDTH_M_MIN));
    if (*width_m <= most_m) {
        return;
    }
    line->circuit->narrowed_count++;
    line->circuit->narrowed_m_max = fmax(line->circuit->narrowed_m_max, *width_m - most_m);
    *width_m = most_m;
}

/// The curve between two points may be tighter than at either, hence the neighbours.
static void narrow_bends(import_line *line) {
    for (uint32_t i = 0; i < line->count; i++) {
        double bend_per_m = curvature_per_m(line, i);
        bool left = bend_per_m > 0;
        double width_m = left ? line->points[i].left_m : line->points[i].right_m;
        if (width_m * fabs(bend_per_m) <= EDGE_SHARE_MAX) {
            continue;
        }
        double most_m = 1 / fabs(bend_per_m);
        narrow(line, import_before(line, i), left, most_m);
        narrow(line, i, left, most_m);
        narrow(line, import_next(line, i), left, most_m);
    }
}

void import_shape(import_line *line) {
    ease_kinks(line);
    narrow_bends(line);
    import_measure(line);
}
