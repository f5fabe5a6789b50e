// builds: float double
// Motorcycles: leaning into bends, and staying on both wheels under power and brake.

#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>

static const double G = 9.81;

// Grip for more than its wheels bear, and an engine that lifts the front without help.
static apex_car_def sports_motorcycle(void) {
    apex_car_def def = scene_motorcycle();
    def.engine.brake_nm_per_rps = 0.1;
    def.engine.torque_nm[0] = 140.0;
    def.engine.torque_nm[1] = 150.0;
    def.aero.lift_front_m2 = 0.0;
    def.steering.rate_radps_max = 4.0;
    def.steering.fade_speed_mps = 0.0;
    def.aids.stability_control = 0.0;
    def.aids.traction_control = 1.0;
    for (uint32_t a = 0; a < 2; a++) {
        apex_axle_def *axle = &def.axles[a];
        axle->tyre.longitudinal.d = 1.4;
        axle->tyre.lateral.d = 1.4;
        axle->tyre.inertia_kgm2 = 0.6;
        axle->tyre.camber_stiffness = 0.9;
        axle->suspension.unsprung_mass_kg = 15.0;
        axle->brake.torque_nm_max = a == 0 ? 1200.0 : 150.0;
    }
    return def;
}

static scene_solo roll(const apex_car_def *def, double speed_mps) {
    scene_solo solo = scene_solo_create(def, scene_flat());
    apex_placement at = {.speed_mps = speed_mps};
    apex_world_place_car(solo.world, solo.car, &at);
    return solo;
}

static double wheelbase_m(const apex_car_def *def) {
    return def->axles[0].x_m - def->axles[1].x_m;
}

// The bars that ask for a sideways acceleration, which the rider turns into lean.
static void ask(scene_solo *solo, const apex_car_def *def, double across_mps2) {
    double speed = scene_solo_speed(solo);
    double angle = across_mps2 * wheelbase_m(def) / (speed * speed);
    solo->controls.steer = (int16_t)(APEX_STEER_MAX * angle / def->steering.angle_rad_max);
}

static void hold_speed(scene_solo *solo, double speed_mps) {
    double wanted = 40.0 + 60.0 * (speed_mps - scene_solo_speed(solo));
    solo->controls.throttle = (uint8_t)fmin(fmax(wanted, 0.0), 255.0);
}

static const double SPEEDS_MPS[] = {10.0, 25.0, 45.0, 60.0};

TEST_OVER(it_leans_for_the_bend_after_steering_the_other_way, 0, 4) {
    apex_car_def def = sports_motorcycle();
    double speed = SPEEDS_MPS[_i], most_right = 0.0, most_lean = 0.0;
    scene_solo solo = roll(&def, speed);
    scene_solo_run(&solo, 60);
    for (int tick = 0; tick < 60 * 8; tick++) {
        ask(&solo, &def, 0.8 * G);
        hold_speed(&solo, speed);
        scene_solo_run(&solo, 1);
        apex_car_pose pose = scene_solo_pose(&solo);
        if (tick < 30) {
            most_right = fmin(most_right, pose.steer_rad);
        }
        most_lean = fmax(most_lean, -pose.roll_rad);
    }
    apex_car_pose pose = scene_solo_pose(&solo);
    double across = scene_solo_speed(&solo) * pose.angular_radps[2];
    ck_assert_double_lt(most_right, -1e-3);
    ck_assert_double_eq_tol(across, 0.8 * G, 0.08 * G);
    ck_assert_double_eq_tol(-pose.roll_rad, atan(across / G), 0.03);
    ck_assert_double_lt(most_lean, 1.15 * atan(0.8));
    ck_assert_double_eq_tol(scene_solo_speed(&solo), speed, 0.1 * speed);
    scene_solo_destroy(&solo);
}

// A leaning wheel points where its plane cuts the ground: tan(steer) / cos(lean), not times it.
TEST(leaning_wheels_turn_more_than_their_steering) {
    apex_car_def def = sports_motorcycle();
    scene_solo solo = roll(&def, 20.0);
    for (int tick = 0; tick < 60 * 6; tick++) {
        ask(&solo, &def, 0.8 * G);
        hold_speed(&solo, 20.0);
        scene_solo_run(&solo, 1);
    }
    apex_car_pose pose = scene_solo_pose(&solo);
    apex_car_work work = scene_solo_work(&solo);
    double slip = work.wheels[0].slip_angle_rad - work.wheels[1].slip_angle_rad;
    double points = atan(tan(pose.steer_rad) / cos(pose.roll_rad));
    double curvature = pose.angular_radps[2] / scene_solo_speed(&solo);
    ck_assert_double_gt(-pose.roll_rad, 0.6);
    ck_assert_double_eq_tol(curvature * wheelbase_m(&def), points - slip, 0.06 * points);
    scene_solo_destroy(&solo);
}

// Left, right, left as quickly as it leans.
TEST_OVER(it_swings_from_side_to_side, 0, 4) {
    apex_car_def def = sports_motorcycle();
    double speed = SPEEDS_MPS[_i], left = 0.0, right = 0.0;
    scene_solo solo = roll(&def, speed);
    for (int tick = 0; tick < 60 * 10; tick++) {
        ask(&solo, &def, (tick / 75 % 2 == 0 ? 0.8 : -0.8) * G);
        hold_speed(&solo, speed);
        scene_solo_run(&solo, 1);
        double lean = -scene_solo_pose(&solo).roll_rad;
        left = fmax(left, lean);
        right = fmin(right, lean);
    }
    ck_assert_double_gt(left, 0.5);
    ck_assert_double_lt(right, -0.5);
    ck_assert_double_lt(left, 0.9);
    ck_assert_double_gt(right, -0.9);
    scene_solo_destroy(&solo);
}

// Wheelie: a = g c / h.
TEST(full_throttle_stays_just_below_a_wheelie) {
    double nose[2], at_s[2] = {0.0, 0.0};
    apex_car_def def = sports_motorcycle();
    double limit = G * -def.axles[1].x_m / def.com_height_m;
    for (int with = 0; with < 2; with++) {
        scene_solo solo = roll(&def, 0.0);
        solo.controls.throttle = 255;
        solo.controls.aids_off = with ? 0 : APEX_AID_TRACTION | APEX_AID_LAUNCH;
        nose[with] = 0.0;
        for (int tick = 1; tick < 60 * 10 && scene_solo_speed(&solo) < 25.0; tick++) {
            scene_solo_run(&solo, 1);
            double pitch = scene_solo_pose(&solo).pitch_rad;
            nose[with] = fmax(nose[with], -pitch);
            at_s[with] = tick / 60.0;
            if (pitch < -0.8) {
                break;
            }
        }
        scene_solo_destroy(&solo);
    }
    ck_assert_double_gt(nose[0], 0.8);
    ck_assert_double_lt(nose[1], 0.15);
    ck_assert_double_lt(at_s[1], 25.0 / (0.7 * limit));
}

// Stoppie: a = g b / h.
TEST(full_brake_stays_just_below_a_stoppie) {
    double nose[2], travel_m[2] = {0.0, 0.0};
    apex_car_def def = sports_motorcycle();
    double limit = G * def.axles[0].x_m / def.com_height_m;
    for (int with = 0; with < 2; with++) {
        scene_solo solo = roll(&def, 40.0);
        solo.controls.brake = 255;
        solo.controls.aids_off = with ? 0 : APEX_AID_ABS;
        nose[with] = 0.0;
        for (int tick = 0; tick < 60 * 10 && scene_solo_speed(&solo) > 0.2; tick++) {
            scene_solo_run(&solo, 1);
            apex_car_pose pose = scene_solo_pose(&solo);
            nose[with] = fmax(nose[with], pose.pitch_rad);
            travel_m[with] = pose.position_m[0];
            if (pose.pitch_rad > 0.8) {
                break;
            }
        }
        scene_solo_destroy(&solo);
    }
    ck_assert_double_gt(nose[0], 0.8);
    ck_assert_double_lt(nose[1], 0.15);
    ck_assert_double_lt(travel_m[1], 40.0 * 40.0 / (2.0 * 0.8 * limit));
    ck_assert_double_gt(travel_m[1], 40.0 * 40.0 / (2.0 * limit));
}

// Pedals to the floor in the middle of a bend: the tyres are needed sideways.
TEST_OVER(a_bend_limits_throttle_and_brake, 0, 4) {
    apex_car_def def = sports_motorcycle();
    for (int brakes = 0; brakes < 2; brakes++) {
        double from = SPEEDS_MPS[_i], most = 0.0;
        scene_solo solo = roll(&def, from);
        for (int tick = 0; tick < 60 * 8; tick++) {
            ask(&solo, &def, scene_solo_speed(&solo) > 5.0 ? 0.7 * G : 0.0);
            hold_speed(&solo, from);
            if (tick > 60 * 3) {
                solo.controls.throttle = brakes ? 0 : 255;
                solo.controls.brake = brakes ? 255 : 0;
            }
            scene_solo_run(&solo, 1);
            most = fmax(most, fabs(scene_solo_pose(&solo).roll_rad));
        }
        double speed = scene_solo_speed(&solo);
        ck_assert_double_lt(most, 0.95);
        ck_assert(brakes ? speed < fmax(from - 15.0, 0.5) : speed > from + 1.0);
        scene_solo_destroy(&solo);
    }
}

TEST(half_a_throttle_is_left_alone) {
    apex_car_def def = sports_motorcycle();
    scene_solo solo = roll(&def, 30.0);
    solo.controls.gear = 4;
    solo.controls.throttle = 128;
    scene_solo_run(&solo, 60);
    ck_assert_double_eq_tol(scene_solo_pose(&solo).throttle, 128.0 / 255.0, 1e-6);
    solo.controls.throttle = 0;
    solo.controls.brake = 40;
    scene_solo_run(&solo, 30);
    ck_assert_double_eq_tol(scene_solo_pose(&solo).brake, 40.0 / 255.0, 1e-6);
    scene_solo_destroy(&solo);
}

// @return seconds to 20 m/s; *rpm is the engine's after half a second.
static double launch_s(const apex_car_def *def, double *rpm) {
    scene_solo solo = scene_solo_create(def, scene_flat());
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 30);
    *rpm = scene_solo_pose(&solo).engine_radps * 30.0 / 3.14159265358979;
    int ticks = 30;
    for (; ticks < 600 && scene_solo_speed(&solo) < 20.0; ticks++) {
        scene_solo_run(&solo, 1);
    }
    scene_solo_destroy(&solo);
    return ticks / 60.0;
}

// An engine that is weak when slow is held where it is strong; one that could spin its wheels from
// idle on has nothing to gain, and next to nothing to lose.
TEST(launch_control_holds_the_revs_that_a_start_needs) {
    apex_car_def motorcycle = sports_motorcycle(), car = scene_corvette();
    motorcycle.gearbox.shift_time_s = 0.05;
    motorcycle.engine.torque_count = 3;
    motorcycle.engine.torque_rpm[0] = 1000.0;
    motorcycle.engine.torque_nm[0] = 40.0;
    motorcycle.engine.torque_rpm[1] = 5000.0;
    motorcycle.engine.torque_nm[1] = 90.0;
    motorcycle.engine.torque_rpm[2] = 7000.0;
    motorcycle.engine.torque_nm[2] = 100.0;
    car.aids.traction_control = 1.0;
    for (int i = 0; i < 2; i++) {
        apex_car_def def = i == 0 ? motorcycle : car;
        double without_rpm, with_rpm;
        def.aids.launch_control = 0.0;
        double without_s = launch_s(&def, &without_rpm);
        def.aids.launch_control = 1.0;
        double with_s = launch_s(&def, &with_rpm);
        ck_assert_double_lt(with_s, 1.04 * without_s);
        if (i == 0) {
            ck_assert_double_gt(with_rpm, without_rpm + 500.0);
            ck_assert_double_lt(with_s, without_s);
        }
    }
}

// Off the throttle at full lean, an engine that brakes harder than the tyre bears would drag the
// rear wheel from under it.
TEST(engine_braking_does_not_throw_it) {
    apex_car_def def = sports_motorcycle();
    def.engine.brake_nm_per_rps = 1.0;
    scene_solo solo = roll(&def, 25.0);
    double most = 0.0, slip = 0.0;
    for (int tick = 0; tick < 60 * 6; tick++) {
        ask(&solo, &def, 0.9 * G);
        hold_speed(&solo, 25.0);
        solo.controls.gear = 2;
        solo.controls.throttle = tick > 60 * 3 ? 0 : solo.controls.throttle;
        scene_solo_run(&solo, 1);
        most = fmax(most, fabs(scene_solo_pose(&solo).roll_rad));
        slip = fmin(slip, scene_solo_work(&solo).wheels[1].slip_ratio);
    }
    ck_assert_double_lt(most, 0.9);
    ck_assert_double_gt(slip, -0.12);
    scene_solo_destroy(&solo);
}
