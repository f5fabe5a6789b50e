// The racing line: every station slides along the normal of the centre line until its curvature is
// the mean of its neighbours', or the road's edge stops it. So curvature changes steadily between
// the places where the line touches an edge: out, in, out (Coulom, "Reinforcement Learning Using
// Neural Networks", 2002, appendix C). The plain sum of squared second differences was tried: it
// rewards short lines and hugs the inside of long bends. Long waves settle slowly, so it starts
// with every 16th station and halves the stride.
#include "driver/plan/racing_line.h"

#include <math.h>

#include "driver/clamp.h"

enum { STRIDE_FIRST = 16, SWEEPS = 120 };

static const double PROBE_M = 0.01;
static const double STEP_M_MAX = 0.5;

typedef struct point {
    double x_m, y_m;
} point;

uint32_t driver_line_index(const apex_driver_plan *plan, uint32_t from, int64_t by) {
    int64_t count = plan->count;
    int64_t at = (int64_t)from + by;
    if (plan->closed) {
        return (uint32_t)(((at % count) + count) % count);
    }
    return (uint32_t)(at < 0 ? 0 : at >= count ? count - 1 : at);
}

static void place(driver_station *station) {
    station->x_m = station->centre_x_m + station->offset_m * station->normal_x;
    station->y_m = station->centre_y_m + station->offset_m * station->normal_y;
}

static double curvature_of(const point p[3]) {
    double a_x = p[1].x_m - p[0].x_m;
    double a_y = p[1].y_m - p[0].y_m;
    double b_x = p[2].x_m - p[1].x_m;
    double b_y = p[2].y_m - p[1].y_m;
    double c_x = p[2].x_m - p[0].x_m;
    double c_y = p[2].y_m - p[0].y_m;
    double product = (a_x * a_x + a_y * a_y) * (b_x * b_x + b_y * b_y) * (c_x * c_x + c_y * c_y);
    return product > 1e-9 ? 2.0 * (a_x * b_y - a_y * b_x) / sqrt(product) : 0.0;
}

static double chord_m(point a, point b) {
    double x_m = b.x_m - a.x_m;
    double y_m = b.y_m - a.y_m;
    return sqrt(x_m * x_m + y_m * y_m);
}

// Curvature is nearly linear in the offset, so one secant step finds the offset that gives the
// mean.
static void slide(apex_driver_plan *plan, uint32_t index, int64_t stride) {
    point near[5];
    for (int64_t k = 0; k < 5; k++) {
        const driver_station *from =
            &plan->stations[driver_line_index(plan, index, (k - 2) * stride)];
        near[k] = (point){from->x_m, from->y_m};
    }
    driver_station *station = &plan->stations[index];
    double before_m = chord_m(near[1], near[2]);
    double after_m = chord_m(near[2], near[3]);
    double wanted = (after_m * curvature_of(&near[0]) + before_m * curvature_of(&near[2])) /
                    (before_m + after_m);
    double has = curvature_of(&near[1]);
    point moved[3] = {near[1], near[2], near[3]};
    moved[1].x_m += PROBE_M * station->normal_x;
    moved[1].y_m += PROBE_M * station->normal_y;
    double per_m = (curvature_of(moved) - has) / PROBE_M;
    if (per_m > -1e-9) { // moving left straightens a left-hand bend; stations on top of each other
        return;
    }
    double step_m = driver_clamped((wanted - has) / per_m, -STEP_M_MAX, STEP_M_MAX);
    station->offset_m =
        driver_clamped(station->offset_m + step_m, station->offset_m_min, station->offset_m_max);
    place(station);
}

// Stations between those of the last stride start half-way between them.
static void fill_between(apex_driver_plan *plan, uint32_t stride) {
    for (uint32_t i = 0; i < plan->count; i += 2 * stride) {
        uint32_t middle = driver_line_index(plan, i, stride);
        uint32_t next = driver_line_index(plan, i, 2 * (int64_t)stride);
        driver_station *station = &plan->stations[middle];
        station->offset_m =
            driver_clamped(0.5 * (plan->stations[i].offset_m + plan->stations[next].offset_m),
                           station->offset_m_min, station->offset_m_max);
        place(station);
    }
}

void driver_line_place(apex_driver_plan *plan) {
    for (uint32_t i = 0; i < plan->count; i++) {
        place(&plan->stations[i]);
    }
}

void driver_line_relax(apex_driver_plan *plan) {
    if (!plan->closed) {
        return; // side by side down a strip: nobody gains by crossing over
    }
    for (uint32_t stride = STRIDE_FIRST; stride > 0; stride /= 2) {
        if (stride < STRIDE_FIRST) {
            fill_between(plan, stride);
        }
        for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
            for (uint32_t i = 0; i < plan->count; i += stride) {
                slide(plan, i, stride);
            }
        }
    }
}
