// Paths for the test driver: a straight, a circle, a line through points.
#include "proving/test_driver/path.h"

#include <math.h>

#include "proving/rig/units.h"

proving_path proving_path_straight(void) {
    return (proving_path){.kind = PROVING_PATH_STRAIGHT};
}

proving_path proving_path_circle(double radius_m) {
    return (proving_path){.kind = PROVING_PATH_CIRCLE, .radius_m = radius_m};
}

static proving_beside beside_circle(const proving_path *path, const double place_m[2]) {
    double x = place_m[0], y = place_m[1] - path->radius_m;
    double distance = fmax(sqrt(x * x + y * y), 1e-3);
    double inside = fabs(path->radius_m) - distance;
    // No angles here, so that a left circle and a right one mirror to the last bit.
    double side = path->radius_m > 0.0 ? 1.0 : -1.0;
    return (proving_beside){
        .off_m = side * inside,
        .along = {-side * y / distance, side * x / distance},
        .curvature_per_m = 1.0 / path->radius_m,
    };
}

static double bend_per_m(const proving_path *path, uint32_t i) {
    if (i == 0 || i + 1 >= path->point_count) {
        return 0.0;
    }
    double second = path->y_m[i - 1] - 2.0 * path->y_m[i] + path->y_m[i + 1];
    return second / (PROVING_LINE_STEP_M * PROVING_LINE_STEP_M);
}

// Curvature at a point along x, a line's slope being too small to matter.
static double line_bend_per_m(const proving_path *path, double x_m) {
    double place = (x_m - path->from_x_m) / PROVING_LINE_STEP_M;
    if (place <= 0.0 || place >= path->point_count - 1.0) {
        return 0.0;
    }
    uint32_t i = (uint32_t)place;
    double share = place - i;
    return (1.0 - share) * bend_per_m(path, i) + share * bend_per_m(path, i + 1);
}

static proving_beside beside_line(const proving_path *path, const double place_m[2],
                                  double ahead_m) {
    double place = (place_m[0] - path->from_x_m) / PROVING_LINE_STEP_M;
    double last = path->point_count - 1.0;
    double within = proving_clamp(place, 0.0, last);
    uint32_t i = within >= last ? path->point_count - 2 : (uint32_t)within;
    double rise = path->y_m[i + 1] - path->y_m[i];
    double slope = place < 0.0 ? 0.0 : rise / PROVING_LINE_STEP_M;
    double y = path->y_m[i] + slope * (place - i) * PROVING_LINE_STEP_M;
    double c = 1.0 / sqrt(1.0 + slope * slope);
    return (proving_beside){
        .off_m = (place_m[1] - y) * c,
        .along = {c, slope * c},
        .curvature_per_m = line_bend_per_m(path, place_m[0] + ahead_m),
    };
}

proving_beside proving_path_beside(const proving_path *path, const double place_m[2],
                                   double ahead_m) {
    switch (path->kind) {
    case PROVING_PATH_CIRCLE:
        return beside_circle(path, place_m);
    case PROVING_PATH_LINE:
        return beside_line(path, place_m, ahead_m);
    case PROVING_PATH_STRAIGHT:
        break;
    }
    return (proving_beside){.off_m = place_m[1], .along = {1.0, 0.0}};
}

double proving_path_offset_m(const proving_path *path, const double place_m[2]) {
    return proving_path_beside(path, place_m, 0.0).off_m;
}
