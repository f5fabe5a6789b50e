/// A path for the test driver to follow.
#pragma once

#include "proving/rig/rig.h"

typedef enum proving_path_kind {
    PROVING_PATH_STRAIGHT, ///< along x
    PROVING_PATH_CIRCLE,   ///< starts at the origin along x; centre at (0, radius)
    PROVING_PATH_LINE,     ///< y over x, level before the first point and straight after the last
} proving_path_kind;

#define PROVING_LINE_STEP_M 1.0
enum { PROVING_LINE_POINTS = 320 };

typedef struct proving_path {
    proving_path_kind kind;
    double radius_m; ///< left positive
    double from_x_m; ///< of the first point
    uint32_t point_count;
    double y_m[PROVING_LINE_POINTS];
} proving_path;

/// The path beside a place.
typedef struct proving_beside {
    double off_m;           ///< of the place, to the left of the path
    double along[2];        ///< unit, the way the path goes
    double curvature_per_m; ///< of the path, `ahead_m` further on
} proving_beside;

proving_path proving_path_straight(void);
proving_path proving_path_circle(double radius_m);
proving_beside proving_path_beside(const proving_path *path, const double place_m[2],
                                   double ahead_m);
double proving_path_offset_m(const proving_path *path, const double place_m[2]);
