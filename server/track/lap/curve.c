// The spline through a definition's points: its system of equations, its widths and its length.
#include "track/lap/curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/trig.h"
#include "track/definition/refuse.h"
#include "track/numbers.h"

// Points closer than this are one point written twice.
#define POINT_GAP_M_MIN 0.05
// A lap whose last point is this much further from its first than any other two neighbours was cut
// open: closing it would invent a road.
#define CLOSING_GAP_RATIO_MAX 10.0
#define CLOSING_GAP_M         100.0
// Elsewhere a gap is known by its ends, which do not point at each other.
#define HOLE_M_MIN     50.0
#define HOLE_RATIO_MIN 4.0 // to the mean of all
#define HOLE_RAD_MIN   0.5

static double distance_m(const apex_track_point *a, const apex_track_point *b) {
    double dx_m = b->x_m - a->x_m;
    double dy_m = b->y_m - a->y_m;
    double dz_m = b->z_m - a->z_m;
    return sqrt(dx_m * dx_m + dy_m * dy_m + dz_m * dz_m);
}

static double plan_distance_m(const apex_track_point *a, const apex_track_point *b) {
    double dx_m = b->x_m - a->x_m;
    double dy_m = b->y_m - a->y_m;
    return sqrt(dx_m * dx_m + dy_m * dy_m);
}

// From one chord to the next, in the plan.
static double turn_rad(const apex_track_point *a, const apex_track_point *b,
                       const apex_track_point *c) {
    double ab_x = b->x_m - a->x_m;
    double ab_y = b->y_m - a->y_m;
    double bc_x = c->x_m - b->x_m;
    double bc_y = c->y_m - b->y_m;
    return fabs(apex_atan2(ab_x * bc_y - ab_y * bc_x, ab_x * bc_x + ab_y * bc_y));
}

// A long straight needs no points on it, but then the road beside it runs along it. If both leave
// in other directions, points are missing.
static apex_err check_hole(const apex_track_def *def, uint32_t from, double mean_m,
                           apex_def_problem *problem) {
    uint32_t count = def->point_count;
    uint32_t to = (from + 1) % count;
    const apex_track_point *a = &def->points[from];
    const apex_track_point *b = &def->points[to];
    double gap_m = distance_m(a, b);
    if (gap_m < HOLE_M_MIN || gap_m < HOLE_RATIO_MIN * mean_m) {
        return APEX_OK;
    }
    double turned_rad = 0;
    if (def->closed || from > 0) {
        turned_rad = turn_rad(&def->points[(from + count - 1) % count], a, b);
    }
    if (def->closed || to + 1 < count) {
        turned_rad = track_max(turned_rad, turn_rad(a, b, &def->points[(to + 1) % count]));
    }
    if (turned_rad > HOLE_RAD_MIN) {
        return track_refuse(problem,
                            "points[%u]: a gap of %.1f m to points[%u], off the road's direction "
                            "by %.0f degrees; points are missing",
                            from, gap_m, to, turned_rad * 180 / APEX_PI);
    }
    return APEX_OK;
}

static apex_err check_gaps(const apex_track_def *def, apex_def_problem *problem) {
    uint32_t last = def->point_count - 1;
    double longest_m = 0;
    double total_m = 0;
    for (uint32_t i = 0; i < last; i++) {
        if (plan_distance_m(&def->points[i], &def->points[i + 1]) < POINT_GAP_M_MIN) {
            return track_refuse(problem, "points[%u]: the same place as points[%u]", i + 1, i);
        }
        double gap_m = distance_m(&def->points[i], &def->points[i + 1]);
        longest_m = track_max(longest_m, gap_m);
        total_m += gap_m;
    }
    if (def->closed) {
        if (plan_distance_m(&def->points[last], &def->points[0]) < POINT_GAP_M_MIN) {
            return track_refuse(
                problem, "points[%u]: the same place as points[0]; a lap closes by itself", last);
        }
        double gap_m = distance_m(&def->points[last], &def->points[0]);
        if (gap_m > CLOSING_GAP_M && gap_m > CLOSING_GAP_RATIO_MAX * longest_m) {
            return track_refuse(
                problem, "points[%u]: a gap of %.1f m to points[0]; the lap is open", last, gap_m);
        }
        total_m += gap_m;
    }
    if (!(total_m <= APEX_TRACK_LENGTH_M_MAX)) {
        return track_refuse(problem, "points: %.0f m long, at most %d m", total_m,
                            APEX_TRACK_LENGTH_M_MAX);
    }
    uint32_t pieces = def->closed ? def->point_count : last;
    for (uint32_t i = 0; i < pieces; i++) {
        apex_err err = check_hole(def, i, total_m / pieces, problem);
        if (err != APEX_OK) {
            return err;
        }
    }
    return APEX_OK;
}

// Symmetric tridiagonal: off[k] couples k and k + 1. Diagonally dominant, so elimination without
// pivoting is stable.
typedef struct tridiagonal {
    uint32_t count;
    double *diagonal;
    double *off;
    double *scratch;
} tridiagonal;

static void solve(const tridiagonal *system, double *x) {
    uint32_t count = system->count;
    x[0] /= system->diagonal[0];
    for (uint32_t i = 1; i < count; i++) {
        double before = i > 1 ? system->scratch[i - 1] : system->diagonal[0];
        system->scratch[i] = system->diagonal[i] - system->off[i - 1] * system->off[i - 1] / before;
        x[i] = (x[i] - system->off[i - 1] * x[i - 1]) / system->scratch[i];
    }
    for (uint32_t i = count - 1; i > 0; i--) {
        double pivot = i > 1 ? system->scratch[i - 1] : system->diagonal[0];
        x[i - 1] -= system->off[i - 1] / pivot * x[i];
    }
}

static double right_side(const track_knot *before, const track_knot *here, const track_knot *after,
                         int axis) {
    return 6 * ((after->at[axis] - here->at[axis]) / (after->u - here->u) -
                (here->at[axis] - before->at[axis]) / (here->u - before->u));
}

static void bend_open(track_curve *curve, tridiagonal *system, double *x) {
    uint32_t inner = curve->piece_count - 1;
    track_knot *knots = curve->knots;
    system->count = inner;
    if (inner == 0) {
        return;
    }
    for (uint32_t i = 0; i < inner; i++) {
        system->diagonal[i] = 2 * (knots[i + 2].u - knots[i].u);
        system->off[i] = knots[i + 2].u - knots[i + 1].u;
    }
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < inner; i++) {
            x[i] = right_side(&knots[i], &knots[i + 1], &knots[i + 2], axis);
        }
        solve(system, x);
        for (uint32_t i = 0; i < inner; i++) {
            knots[i + 1].bend[axis] = x[i];
        }
    }
}

// The corner elements of the periodic system are taken out by the Sherman-Morrison formula:
// A = B + p q^T with p = (gamma, 0, .., corner), q = (1, 0, .., corner / gamma).
static void bend_closed(track_curve *curve, tridiagonal *system, double *x, double *p) {
    uint32_t count = curve->piece_count;
    track_knot *knots = curve->knots;
    double corner = knots[count].u - knots[count - 1].u;
    system->count = count;
    for (uint32_t i = 0; i < count; i++) {
        double before = i > 0 ? knots[i].u - knots[i - 1].u : corner;
        system->diagonal[i] = 2 * (before + knots[i + 1].u - knots[i].u);
        system->off[i] = knots[i + 1].u - knots[i].u;
    }
    double gamma = -system->diagonal[0];
    system->diagonal[0] -= gamma;
    system->diagonal[count - 1] -= corner * corner / gamma;
    for (uint32_t i = 0; i < count; i++) {
        p[i] = 0;
    }
    p[0] = gamma;
    p[count - 1] = corner;
    solve(system, p);
    double q_last = corner / gamma;
    double denominator = 1 + p[0] + q_last * p[count - 1];
    for (int axis = 0; axis < 3; axis++) {
        track_knot last = knots[count - 1];
        last.u -= knots[count].u; // the piece before the first point, seen from it
        x[0] = right_side(&last, &knots[0], &knots[1], axis);
        for (uint32_t i = 1; i < count; i++) {
            x[i] = right_side(&knots[i - 1], &knots[i], &knots[i + 1], axis);
        }
        solve(system, x);
        double share = (x[0] + q_last * x[count - 1]) / denominator;
        for (uint32_t i = 0; i < count; i++) {
            knots[i].bend[axis] = x[i] - share * p[i];
        }
        knots[count].bend[axis] = knots[0].bend[axis];
    }
}

// Fritsch and Butland's choice: a weighted harmonic mean of the neighbouring slopes, none at an
// extremum. A plain spline would swing outside the widths that the author wrote.
static double monotone_slope(double before_u, double before, double after_u, double after) {
    if (before * after <= 0) {
        return 0;
    }
    double w_before = 2 * after_u + before_u;
    double w_after = after_u + 2 * before_u;
    return (w_before + w_after) / (w_before / before + w_after / after);
}

static void slope_across(track_curve *curve, bool closed) {
    track_knot *knots = curve->knots;
    uint32_t count = curve->piece_count;
    for (uint32_t i = 0; i <= count; i++) {
        bool inside = i > 0 && i < count;
        if (!inside && !closed) {
            continue; // level ends
        }
        const track_knot *from = i > 0 ? &knots[i - 1] : &knots[count - 1];
        const track_knot *here = i > 0 ? &knots[i] : &knots[count];
        const track_knot *to = i < count ? &knots[i + 1] : &knots[1];
        double before_u = here->u - from->u;
        double after_u = i < count ? to->u - knots[i].u : knots[1].u - knots[0].u;
        for (int k = 0; k < 3; k++) {
            double before = (here->across[k] - from->across[k]) / before_u;
            double after = (to->across[k] - here->across[k]) / after_u;
            knots[i].across_slope[k] = monotone_slope(before_u, before, after_u, after);
        }
    }
}

static void fill_knots(const apex_track_def *def, track_curve *curve) {
    double u = 0;
    for (uint32_t i = 0; i <= curve->piece_count; i++) {
        const apex_track_point *point = &def->points[i % def->point_count];
        if (i > 0) {
            u += distance_m(&def->points[i - 1], point);
        }
        curve->knots[i] = (track_knot){
            .u = u,
            .at = {point->x_m, point->y_m, point->z_m},
            .across = {point->left_m, point->right_m, point->banking_rad},
        };
    }
}

apex_err track_curve_create(const apex_track_def *def, track_curve *curve,
                            apex_def_problem *problem) {
    apex_err err = check_gaps(def, problem);
    if (err != APEX_OK) {
        return err;
    }
    uint32_t count = def->closed ? def->point_count : def->point_count - 1;
    APEX_ASSERT(count > 0);
    curve->piece_count = count;
    curve->knots = calloc(count + 1u, sizeof *curve->knots);
    double *rows = calloc((size_t)count * 5, sizeof *rows);
    if (curve->knots == NULL || rows == NULL) {
        free(rows);
        track_curve_destroy(curve);
        return APEX_ERR_NO_MEMORY;
    }
    fill_knots(def, curve);
    tridiagonal system = {count, rows, rows + count, rows + (size_t)count * 2};
    if (def->closed) {
        bend_closed(curve, &system, rows + (size_t)count * 3, rows + (size_t)count * 4);
    } else {
        bend_open(curve, &system, rows + (size_t)count * 3);
    }
    slope_across(curve, def->closed);
    free(rows);
    return APEX_OK;
}

void track_curve_destroy(track_curve *curve) {
    free(curve->knots);
    curve->knots = NULL;
}

track_curve_sample track_curve_at(const track_curve *curve, uint32_t piece, double u) {
    const track_knot *from = &curve->knots[piece];
    const track_knot *to = from + 1;
    double h = to->u - from->u;
    double a = (to->u - u) / h;
    double b = (u - from->u) / h;
    track_curve_sample sample;
    for (int k = 0; k < 3; k++) {
        sample.at[k] =
            a * from->at[k] + b * to->at[k] +
            ((a * a * a - a) * from->bend[k] + (b * b * b - b) * to->bend[k]) * h * h / 6;
        sample.first[k] = (to->at[k] - from->at[k]) / h +
                          ((3 * b * b - 1) * to->bend[k] - (3 * a * a - 1) * from->bend[k]) * h / 6;
        sample.second[k] = a * from->bend[k] + b * to->bend[k];
    }
    return sample;
}

void track_curve_across(const track_curve *curve, uint32_t piece, double u, double out[3]) {
    APEX_ASSERT(piece < curve->piece_count);
    const track_knot *from = &curve->knots[piece];
    const track_knot *to = from + 1;
    double h = to->u - from->u;
    double t = (u - from->u) / h;
    double t2 = t * t;
    double t3 = t2 * t;
    for (int k = 0; k < 3; k++) {
        out[k] = from->across[k] + (to->across[k] - from->across[k]) * (3 * t2 - 2 * t3) +
                 h * ((t3 - 2 * t2 + t) * from->across_slope[k] + (t3 - t2) * to->across_slope[k]);
    }
}

double track_curve_length_m(const track_curve *curve, uint32_t piece, double from_u, double to_u) {
    // Gauss-Legendre, five points (Abramowitz and Stegun, table 25.4).
    static const double node[3] = {0, 0.538469310105683091, 0.906179845938663993};
    static const double weight[3] = {0.568888888888888889, 0.478628670499366468,
                                     0.236926885056189088};
    double middle = 0.5 * (from_u + to_u);
    double half = 0.5 * (to_u - from_u);
    double sum = 0;
    for (int i = -2; i <= 2; i++) {
        int k = i < 0 ? -i : i;
        double u = middle + (i < 0 ? -node[k] : node[k]) * half;
        track_curve_sample sample = track_curve_at(curve, piece, u);
        double speed = sqrt(sample.first[0] * sample.first[0] + sample.first[1] * sample.first[1] +
                            sample.first[2] * sample.first[2]);
        sum += weight[k] * speed;
    }
    return sum * half;
}
