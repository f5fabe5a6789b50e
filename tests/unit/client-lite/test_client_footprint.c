// Two cars in each other: how deep, and which way out is the shortest.
#include "support/base/check_main.h"

#include <math.h>

#include "client-lite/view/footprint.h"

static const apex_hull_def hull = {.length_m = 4.0, .width_m = 2.0, .centre_x_m = 0.5};

static client_footprint at(double x_m, double y_m, double yaw_rad) {
    apex_client_pose pose = {.position_m = {x_m, y_m, 0.0}, .yaw_rad = yaw_rad};
    return client_footprint_of(&hull, &pose);
}

TEST(side_by_side) {
    client_footprint one = at(0.0, 0.0, 0.0), other = at(1.0, 1.9, 0.0);
    double normal[2];
    ck_assert_double_eq_tol(client_footprint_overlap_m(&one, &other, normal), 0.1, 1e-9);
    ck_assert_double_eq_tol(normal[1], 1.0, 1e-9);
    ck_assert_double_eq_tol(client_footprint_overlap_m(&other, &one, normal), 0.1, 1e-9);
    ck_assert_double_eq_tol(normal[1], -1.0, 1e-9);
    other = at(1.0, 2.01, 0.0);
    ck_assert_double_eq(client_footprint_overlap_m(&one, &other, normal), 0.0);
}

TEST(nose_to_tail) {
    client_footprint one = at(0.0, 0.0, 0.0), other = at(3.7, 0.5, 0.0);
    double normal[2];
    ck_assert_double_eq_tol(client_footprint_overlap_m(&one, &other, normal), 0.3, 1e-9);
    ck_assert_double_eq_tol(normal[0], 1.0, 1e-9);
}

TEST(one_stands_across) {
    // Turned by a right angle its middle is half a metre to the north of it.
    client_footprint one = at(0.0, 0.0, 0.0), other = at(0.5, 2.4, acos(-1.0) / 2.0);
    double normal[2];
    ck_assert_double_eq_tol(client_footprint_overlap_m(&one, &other, normal), 0.1, 1e-6);
    ck_assert_double_eq_tol(normal[1], 1.0, 1e-6);
}

TEST(only_a_corner_is_near_and_the_boxes_are_apart) {
    // Boxes along the axes would overlap; the turned one's side lies between.
    client_footprint one = at(0.0, 0.0, 0.0), other = at(3.6, 2.5, acos(-1.0) / 4.0);
    double normal[2];
    ck_assert_double_eq(client_footprint_overlap_m(&one, &other, normal), 0.0);
}
