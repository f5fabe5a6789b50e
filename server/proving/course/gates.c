// The gates of a course: their places, and the test that a car is within one.
#include "proving/course/gates.h"

#include <math.h>

// Parts 1 and 2 of ISO 3888 differ in numbers only; w is the car's width. `beyond_m` is where the
// right edge of lane 3 lies to the left of the right edge of lane 1.
typedef struct lane_change {
    double length_m[5]; ///< lane 1, gap, lane 3, gap, lane 5
    double width_m[3];
    double beyond_m;
} lane_change;

static lane_change double_lane_change(double w) {
    return (lane_change){
        {15.0, 30.0, 25.0, 25.0, 15.0}, {1.1 * w + 0.25, 1.2 * w + 0.25, 1.3 * w + 0.25}, 3.5};
}

static lane_change obstacle_avoidance(double w) {
    double first = 1.1 * w + 0.25;
    return (lane_change){
        {12.0, 13.5, 11.0, 12.5, 12.0}, {first, w + 1.0, fmax(1.3 * w + 0.25, 3.0)}, first + 1.0};
}

static void lay_lanes(proving_course *course, const lane_change *change) {
    double x = 0.0, right = -0.5 * change->width_m[0];
    course->gate_count = 3;
    for (uint32_t lane = 0; lane < 3; lane++) {
        double edge = right + (lane == 1 ? change->beyond_m : 0.0);
        course->gates[lane] = (proving_gate){
            .from_x_m = x,
            .to_x_m = x + change->length_m[2 * lane],
            .right_y_m = edge,
            .left_y_m = edge + change->width_m[lane],
        };
        x += change->length_m[2 * lane] + (lane < 2 ? change->length_m[2 * lane + 1] : 0.0);
    }
    course->end_x_m = x;
}

static const double CONE_SPACING_M = 18.0, CONE_RADIUS_M = 0.15;

// Ten cones in a row; the first is passed on its left.
static void lay_cones(proving_course *course) {
    const uint32_t CONES = 10;
    course->gate_count = CONES;
    for (uint32_t i = 0; i < CONES; i++) {
        double x = CONE_SPACING_M * i;
        bool is_left = i % 2 == 0;
        course->gates[i] = (proving_gate){
            .from_x_m = x - CONE_RADIUS_M,
            .to_x_m = x + CONE_RADIUS_M,
            .right_y_m = is_left ? CONE_RADIUS_M : -(double)INFINITY,
            .left_y_m = is_left ? (double)INFINITY : -CONE_RADIUS_M,
        };
    }
    course->end_x_m = CONE_SPACING_M * (CONES - 1) + CONE_RADIUS_M;
}

static void mirror(proving_course *course) {
    for (uint32_t i = 0; i < course->gate_count; i++) {
        proving_gate *gate = &course->gates[i];
        double left = gate->left_y_m;
        gate->left_y_m = -gate->right_y_m;
        gate->right_y_m = -left;
    }
}

proving_course proving_course_for(const apex_manoeuvre_def *def, const apex_hull_def *hull) {
    proving_course course = {.coasts = def->kind == APEX_MANOEUVRE_OBSTACLE_AVOIDANCE};
    if (def->kind == APEX_MANOEUVRE_SLALOM) {
        lay_cones(&course);
    } else {
        lane_change change =
            course.coasts ? obstacle_avoidance(hull->width_m) : double_lane_change(hull->width_m);
        lay_lanes(&course, &change);
    }
    if (def->to_right) {
        mirror(&course);
    }
    return course;
}

// Corners of the hull's underside, in order: cones are low, a leaning motorcycle's head may pass
// above them.
static void outline(const apex_car_pose *pose, const apex_hull_def *hull, double out[4][2]) {
    static const double SIGNS[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    const double *q = pose->orientation;
    double w = q[0], i = q[1], j = q[2], k = q[3];
    const double x_axis[2] = {1.0 - 2.0 * (j * j + k * k), 2.0 * (i * j + w * k)};
    const double y_axis[2] = {2.0 * (i * j - w * k), 1.0 - 2.0 * (i * i + k * k)};
    const double z_axis[2] = {2.0 * (i * k + w * j), 2.0 * (j * k - w * i)};
    double down = hull->centre_z_m - 0.5 * hull->height_m;
    for (uint32_t corner = 0; corner < 4; corner++) {
        double along = hull->centre_x_m + 0.5 * SIGNS[corner][0] * hull->length_m;
        double across = hull->centre_y_m + 0.5 * SIGNS[corner][1] * hull->width_m;
        for (uint32_t axis = 0; axis < 2; axis++) {
            out[corner][axis] = pose->position_m[axis] + along * x_axis[axis] +
                                across * y_axis[axis] + down * z_axis[axis];
        }
    }
}

// The part of an edge of the outline that lies within the gate's length.
static bool clip(const proving_gate *gate, const double a[2], const double b[2], double y_m[2]) {
    const double *left = a[0] < b[0] ? a : b, *right = a[0] < b[0] ? b : a;
    double from = fmax(gate->from_x_m, left[0]), to = fmin(gate->to_x_m, right[0]);
    if (from > to) {
        return false;
    }
    double span = right[0] - left[0];
    double slope = span > 0.0 ? (right[1] - left[1]) / span : 0.0;
    y_m[0] = left[1] + slope * (from - left[0]);
    y_m[1] = span > 0.0 ? left[1] + slope * (to - left[0]) : right[1];
    return true;
}

void proving_gate_miss_m(const proving_gate *gate, const apex_car_pose *pose,
                         const apex_hull_def *hull, double beyond_m[2]) {
    double corners[4][2];
    outline(pose, hull, corners);
    beyond_m[0] = beyond_m[1] = 0.0;
    for (uint32_t edge = 0; edge < 4; edge++) {
        double y[2];
        if (clip(gate, corners[edge], corners[(edge + 1) % 4], y)) {
            beyond_m[0] = fmax(beyond_m[0], gate->right_y_m - fmin(y[0], y[1]));
            beyond_m[1] = fmax(beyond_m[1], fmax(y[0], y[1]) - gate->left_y_m);
        }
    }
}
