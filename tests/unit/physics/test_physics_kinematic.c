// builds: float double
// The kinematic models as functions, against the steering texts' own runs, and cars that use them.

#include "physics/car/kinematic.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

// One second at 1 m/s with a wheelbase of 2 m and 5 degrees of steering.
static double heading_after(apex_kinematic_form form, double dt_s) {
    physics_kinematic_pose at = {0};
    physics_kinematic_move move = {2.0, 5.0 * DEGREE, dt_s};
    for (int i = 0; i < (int)(1.0 / dt_s + 0.5); i++) {
        at = physics_kinematic_step(form, at, &move);
    }
    return at.yaw_rad / DEGREE;
}

TEST(baseline_form_is_the_six_line_bicycle) { // B01
    ck_assert_double_eq_tol(heading_after(APEX_KINEMATIC_BASELINE, 0.001), 2.49683285891, 1e-9);
    ck_assert_double_eq_tol(heading_after(APEX_KINEMATIC_BASELINE, 0.01), 2.49687545865, 1e-9);
    ck_assert_double_eq_tol(heading_after(APEX_KINEMATIC_BASELINE, 0.1), 2.4972874455, 1e-9);
}

TEST(rear_axle_form_is_exact_at_any_step) {          // B03's note, B06
    double exact = 0.5 * tan(5.0 * DEGREE) / DEGREE; // 2.50636558779
    ck_assert_double_eq_tol(exact, 2.50636558779, 3e-9);
    ck_assert_double_eq_tol(heading_after(APEX_KINEMATIC_REAR_AXLE, 0.001), exact, 1e-10);
    ck_assert_double_eq_tol(heading_after(APEX_KINEMATIC_REAR_AXLE, 0.1), exact, 1e-12);
}

TEST(circles_close) { // B06: after one turn, wherever the steps fall
    for (int steps = 7; steps < 4000; steps *= 3) {
        double radius = 2.0 / tan(0.3);
        physics_kinematic_pose at = {.x_m = 3.0, .y_m = -1.0, .yaw_rad = 0.4};
        physics_kinematic_move move = {2.0, 0.3, 2.0 * 180.0 * DEGREE * radius / steps};
        for (int i = 0; i < steps; i++) {
            at = physics_kinematic_step(APEX_KINEMATIC_REAR_AXLE, at, &move);
        }
        ck_assert_double_lt(hypot(at.x_m - 3.0, at.y_m + 1.0), 1e-11);
        ck_assert_double_eq_tol(at.yaw_rad, 0.4 + 360.0 * DEGREE, 1e-11);
    }
}

TEST(straight_ahead_is_straight) {
    for (int form = 0; form < 2; form++) {
        physics_kinematic_pose at = {.yaw_rad = 0.5};
        physics_kinematic_move move = {2.0, 0.0, 0.25};
        for (int i = 0; i < 400; i++) {
            at = physics_kinematic_step((apex_kinematic_form)form, at, &move);
        }
        ck_assert_double_eq_tol(at.x_m, 100.0 * cos(0.5), 1e-9);
        ck_assert_double_eq_tol(at.y_m, 100.0 * sin(0.5), 1e-9);
        ck_assert_double_eq_tol(at.yaw_rad, 0.5, 1e-12);
    }
}

TEST(backwards_retraces_the_way) { // B10
    for (int form = 0; form < 2; form++) {
        physics_kinematic_pose at = {0};
        physics_kinematic_move move = {2.0, 5.0 * DEGREE, 0.001};
        for (int i = 0; i < 1000; i++) {
            at = physics_kinematic_step((apex_kinematic_form)form, at, &move);
        }
        move.distance_m = -0.001;
        for (int i = 0; i < 1000; i++) {
            at = physics_kinematic_step((apex_kinematic_form)form, at, &move);
        }
        ck_assert_double_lt(fabs(at.x_m), 2e-4);
        ck_assert_double_lt(fabs(at.y_m), 2e-4);
        ck_assert_double_lt(fabs(at.yaw_rad), 2e-4);
    }
}

static scene_solo kinematic_car(apex_kinematic_form form) {
    apex_car_def def = scene_car_kind(6);
    def.kinematic.form = form;
    def.steering.fade_speed_mps = 0.0;
    return scene_solo_create(&def, scene_flat());
}

TEST(cars_drive_the_circle_of_their_geometry) {
    scene_solo solo = kinematic_car(APEX_KINEMATIC_REAR_AXLE);
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 150); // 4 m/s2 for 2.5 s
    ck_assert_double_eq_tol(scene_solo_speed(&solo), 10.0, 0.01);
    solo.controls.throttle = 0;
    solo.controls.steer = APEX_STEER_MAX / 2;
    scene_solo_run(&solo, 60);
    apex_car_pose pose = scene_solo_pose(&solo);
    // 10 m/s is the rear axle's speed; wheelbase 2.6 m.
    ck_assert_double_eq_tol(pose.steer_rad, 0.3, 1e-4);
    ck_assert_double_eq_tol(pose.angular_radps[2], 10.0 * tan(0.3) / 2.6, 0.01);
    scene_solo_destroy(&solo);
}

TEST(cars_stop_and_reverse_within_their_limits) {
    scene_solo solo = kinematic_car(APEX_KINEMATIC_BASELINE);
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 60 * 30);
    ck_assert_double_eq_tol(scene_solo_speed(&solo), 60.0, 0.01);
    solo.controls.throttle = 0;
    solo.controls.brake = 255;
    scene_solo_run(&solo, 60 * 7);
    ck_assert_double_eq_tol(scene_solo_speed(&solo), 0.0, 1e-6);
    solo.controls = (apex_controls){.gear = APEX_GEAR_REVERSE, .throttle = 255};
    scene_solo_run(&solo, 60 * 5);
    ck_assert_double_eq_tol(scene_solo_pose(&solo).velocity_mps[0], -8.0, 0.01);
    scene_solo_destroy(&solo);
}

TEST(cars_lose_their_speed_to_walls) {
    const apex_wall_material material = {.name = "wall", .restitution = 0.0};
    const apex_wall_segment segment = {.from_x_m = 12.0,
                                       .from_y_m = -20.0,
                                       .to_x_m = 12.0,
                                       .to_y_m = 20.0,
                                       .base_m = -1.0,
                                       .top_m = 2.0,
                                       .previous = APEX_GROUND_NONE,
                                       .next = APEX_GROUND_NONE};
    const apex_walls walls = {
        .segments = &segment, .segment_count = 1, .materials = &material, .material_count = 1};
    apex_car_def def = scene_car_kind(6);
    def.hull.restitution = 0.0;
    scene_solo solo = {.controls = {.gear = APEX_GEAR_NEUTRAL}};
    apex_world_def world = scene_world_def(1);
    apex_car_type type;
    apex_placement at = {.speed_mps = 10.0};
    ck_assert_int_eq(apex_world_create(&world, scene_flat(), &walls, &solo.world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(solo.world, &def, &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(solo.world, type, &at, &solo.car), APEX_OK);
    scene_solo_run(&solo, 30);
    ck_assert_double_eq_tol(scene_solo_speed(&solo), 10.0, 1e-3); // coasting loses nothing
    scene_solo_run(&solo, 60);
    ck_assert_double_lt(fabs(scene_solo_state(&solo).wheels[0].spin_radps), 0.1);
    ck_assert_double_eq_tol(scene_solo_pose(&solo).position_m[0], 12.0 - 2.2, 0.02);
    scene_solo_destroy(&solo);
}

static double hill(double x_m, double y_m) {
    (void)y_m;
    return 2.0 * sin(x_m * 0.05);
}

TEST(cars_follow_the_ground) {
    apex_car_def def = scene_car_kind(6);
    scene_ground *ground = scene_ground_create(160.0, hill);
    scene_solo solo = scene_solo_create(&def, scene_ground_of(ground));
    solo.controls.throttle = 255;
    for (int tick = 0; tick < 400; tick++) {
        scene_solo_run(&solo, 1);
        apex_car_pose pose = scene_solo_pose(&solo);
        double above = pose.position_m[2] - hill(pose.position_m[0], 0.0);
        ck_assert_double_eq_tol(above, def.com_height_m, 0.05);
    }
    ck_assert_double_gt(scene_solo_pose(&solo).position_m[0], 80.0);
    scene_solo_destroy(&solo);
    scene_ground_destroy(ground);
}
