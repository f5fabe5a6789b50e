// The arithmetic of poses against closed forms: a cubic, an arc, and offsets that fade.
#include "support/base/check_main.h"

#include <math.h>

#include "client-lite/view/pose.h"

// Hermite's curve is a cubic, so one is met to the last digit: x = t^3 and yaw = t^3 / 10 between
// the first second and the third.
TEST(a_cubic_is_met_everywhere) {
    apex_client_pose from = {.tick = 60.0,
                             .position_m = {1.0, 0.0, -1.0},
                             .velocity_mps = {3.0, 0.0, -3.0},
                             .yaw_rad = 0.1,
                             .yaw_rate_radps = 0.3};
    apex_client_pose to = {.tick = 180.0,
                           .position_m = {27.0, 0.0, -27.0},
                           .velocity_mps = {27.0, 0.0, -27.0},
                           .yaw_rad = 2.7,
                           .yaw_rate_radps = 2.7};
    for (double share = 0.0; share <= 1.0; share += 0.125) {
        double t = 1.0 + 2.0 * share;
        apex_client_pose pose = client_pose_curve(&from, &to, share, 2.0);
        ck_assert_double_eq_tol(pose.tick, 60.0 * t, 1e-9);
        ck_assert_double_eq_tol(pose.position_m[0], t * t * t, 1e-9);
        ck_assert_double_eq_tol(pose.position_m[2], -t * t * t, 1e-9);
        ck_assert_double_eq_tol(pose.velocity_mps[0], 3.0 * t * t, 1e-9);
        ck_assert_double_eq_tol(pose.yaw_rad, 0.1 * t * t * t, 1e-9);
        ck_assert_double_eq_tol(pose.yaw_rate_radps, 0.3 * t * t, 1e-9);
    }
}

// 20 m/s and half a radian a second: a circle of 40 m.
TEST(a_steady_bend_goes_on_as_an_arc) {
    apex_client_pose pose = {.velocity_mps = {20.0, 0.0, 1.0}, .yaw_rate_radps = 0.5};
    client_pose_turn_on(&pose, 1.0);
    ck_assert_double_eq_tol(pose.position_m[0], 40.0 * sin(0.5), 1e-6);
    ck_assert_double_eq_tol(pose.position_m[1], 40.0 * (1.0 - cos(0.5)), 1e-6);
    ck_assert_double_eq_tol(pose.position_m[2], 1.0, 1e-9);
    ck_assert_double_eq_tol(pose.velocity_mps[0], 20.0 * cos(0.5), 1e-6);
    ck_assert_double_eq_tol(pose.velocity_mps[1], 20.0 * sin(0.5), 1e-6);
    ck_assert_double_eq_tol(pose.yaw_rad, 0.5, 1e-9);
}

// An angle goes the short way, over half a turn.
TEST(angles_go_the_short_way) {
    apex_client_pose from = {.yaw_rad = 3.0}, to = {.yaw_rad = -3.0};
    double gap = 2.0 * M_PI - 6.0;
    double yaw = client_pose_between(&from, &to, 0.25).yaw_rad;
    ck_assert_double_eq_tol(yaw, 3.0 + 0.25 * gap, 1e-9);
    client_offset offset = client_offset_between(&from, &to);
    ck_assert_double_eq_tol(offset.angle_rad[0], -gap, 1e-9);
    client_pose_shift(&to, &offset);
    ck_assert_double_eq_tol(remainder(to.yaw_rad - 3.0, 2.0 * M_PI), 0.0, 1e-9);
}

// All that is between two poses is, each from its own two ends; the rest is of the newer one.
TEST(between_two_poses_all_that_moves_is_mixed) {
    apex_client_pose from = {.tick = 10.0,
                             .position_m = {1.0, 2.0, 3.0},
                             .velocity_mps = {4.0, 5.0, 6.0},
                             .yaw_rad = 0.1,
                             .pitch_rad = 0.2,
                             .roll_rad = 0.3,
                             .yaw_rate_radps = 0.4,
                             .steer_rad = 0.5,
                             .rpm = 1000.0,
                             .gear = 2};
    apex_client_pose to = {.tick = 14.0,
                           .position_m = {5.0, 10.0, 15.0},
                           .velocity_mps = {8.0, 1.0, 26.0},
                           .yaw_rad = 0.9,
                           .pitch_rad = -0.2,
                           .roll_rad = 1.1,
                           .yaw_rate_radps = 2.0,
                           .steer_rad = -0.3,
                           .rpm = 5000.0,
                           .gear = 3};
    apex_client_pose at = client_pose_between(&from, &to, 0.25);
    ck_assert_double_eq_tol(at.tick, 11.0, 1e-9);
    ck_assert_double_eq_tol(at.position_m[0], 2.0, 1e-9);
    ck_assert_double_eq_tol(at.position_m[1], 4.0, 1e-9);
    ck_assert_double_eq_tol(at.position_m[2], 6.0, 1e-9);
    ck_assert_double_eq_tol(at.velocity_mps[0], 5.0, 1e-9);
    ck_assert_double_eq_tol(at.velocity_mps[1], 4.0, 1e-9);
    ck_assert_double_eq_tol(at.velocity_mps[2], 11.0, 1e-9);
    ck_assert_double_eq_tol(at.yaw_rad, 0.3, 1e-9);
    ck_assert_double_eq_tol(at.pitch_rad, 0.1, 1e-9);
    ck_assert_double_eq_tol(at.roll_rad, 0.5, 1e-9);
    ck_assert_double_eq_tol(at.yaw_rate_radps, 0.8, 1e-9);
    ck_assert_double_eq_tol(at.steer_rad, 0.3, 1e-9);
    ck_assert_double_eq_tol(at.rpm, 2000.0, 1e-9);
    ck_assert_int_eq(at.gear, 3);
}

// The size of an angle is that of the greatest of the three, to either side.
TEST(an_offset_is_as_large_as_its_greatest_angle) {
    for (int i = 0; i < 3; i++) {
        client_offset offset = {.angle_rad = {0.1, -0.1, 0.1}};
        offset.angle_rad[i] = i == 1 ? 0.4 : -0.4;
        ck_assert_double_eq_tol(client_offset_rad(&offset), 0.4, 1e-12);
    }
}

// To 1 / e in a tenth of a second; then it is as good as none at all.
TEST(an_offset_fades) {
    client_offset offset = {.position_m = {3.0, 0.0, 4.0}, .angle_rad = {0.5, -0.7, 0.6}};
    ck_assert_double_eq_tol(client_offset_m(&offset), 5.0, 1e-9);
    ck_assert_double_eq_tol(client_offset_rad(&offset), 0.7, 1e-9);
    client_offset_decay(&offset, 0.1);
    ck_assert_double_eq_tol(client_offset_m(&offset), 5.0 / M_E, 1e-6);
    ck_assert_double_eq_tol(client_offset_rad(&offset), 0.7 / M_E, 1e-6);
    client_offset_decay(&offset, 2.0);
    ck_assert_double_eq(client_offset_m(&offset), 0.0);
}

// That of a rare car by 1 / e in 0.4 s, and its way no faster than the car might drive.
TEST(a_rare_cars_offset_is_eased) {
    client_offset far = {.position_m = {10.0}, .angle_rad = {1.0}}, near = {.position_m = {1.0}};
    client_offset_ease(&far, 0.1, 6.0);
    client_offset_ease(&near, 0.1, 6.0);
    ck_assert_double_eq_tol(far.position_m[0], 9.4, 1e-9);
    ck_assert_double_eq_tol(far.angle_rad[0], exp(-0.25), 1e-6);
    ck_assert_double_eq_tol(near.position_m[0], exp(-0.25), 1e-6);
}
