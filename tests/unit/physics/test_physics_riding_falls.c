// builds: float double
// Motorcycles at every speed and steering: they lean, stay up under anybody who does not brake in a
// bend, and stay down once they have fallen.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include "base/trig.h"

#include <math.h>

// Bends that its tyres could take: a lateral acceleration of this many g at the most.
static const double LEAN_G_MAX = 0.75;

static double abs_roll(const scene_solo *solo) {
    return fabs(scene_solo_pose(solo).roll_rad);
}

// Holds a speed; the bars turn after a second.
static void ride(scene_solo *solo, double speed_mps, double bars, int ticks) {
    for (int tick = 0; tick < ticks; tick++) {
        double missing = speed_mps - scene_solo_speed(solo);
        double throttle = fmin(fmax(20.0 + 60.0 * missing, 0.0), 255.0);
        solo->controls.throttle = speed_mps > 0.0 ? (uint8_t)throttle : 0;
        solo->controls.steer = tick > 60 ? (int16_t)(bars * APEX_STEER_MAX) : 0;
        scene_solo_run(solo, 1);
    }
}

TEST(leans_into_bends_at_every_speed) {
    apex_car_def def = scene_motorcycle();
    for (int speed = 0; speed <= 70; speed += 5) {
        for (int bars = -4; bars <= 4; bars++) {
            scene_solo solo = scene_solo_create(&def, scene_flat());
            apex_placement at = {.speed_mps = speed};
            apex_world_place_car(solo.world, solo.car, &at);
            ride(&solo, speed, 0.25 * bars, 600);
            apex_car_pose pose = scene_solo_pose(&solo);
            double across_g = scene_solo_speed(&solo) * pose.angular_radps[2] / 9.81;
            ck_assert_msg(abs_roll(&solo) < 0.75, "%d m/s, bars %d: leans by %g", speed, bars,
                          pose.roll_rad);
            if (speed >= 10) {
                // To the side of the bend, by the angle whose tangent is its acceleration.
                ck_assert_msg(fabs(apex_atan(across_g) + pose.roll_rad) < 0.06,
                              "%d m/s, bars %d: leans by %g at %g g", speed, bars, pose.roll_rad,
                              across_g);
                ck_assert(bars == 0 || across_g * bars > 0.0);
                ck_assert_double_lt(fabs(across_g), 1.2 * LEAN_G_MAX);
            }
            if (speed >= 20 && bars != 0) { // any bars ask for more than it may lean
                ck_assert_double_gt(fabs(across_g), 0.9 * LEAN_G_MAX);
            }
            scene_solo_destroy(&solo);
        }
    }
}

TEST(straight_on_is_straight) {
    apex_car_def def = scene_motorcycle();
    for (int speed = 0; speed <= 60; speed += 10) {
        scene_solo solo = scene_solo_create(&def, scene_flat());
        apex_placement at = {.speed_mps = speed};
        apex_world_place_car(solo.world, solo.car, &at);
        ride(&solo, speed, 0.0, 600);
        ck_assert_double_eq(scene_solo_pose(&solo).position_m[1], 0.0);
        ck_assert_double_eq(abs_roll(&solo), 0.0);
        scene_solo_destroy(&solo);
    }
}

// @return whether the motorcycle stays up through half a minute of any bars and throttle.
static bool survives(uint64_t rider) {
    apex_car_def def = scene_motorcycle();
    def.engine.brake_nm_per_rps = 0.1; // a car's would break the rear wheel loose
    uint64_t random = rider;
    double boldness = rider % 3 == 0 ? 0.1 : rider % 3 == 1 ? 0.4 : 1.0;
    scene_solo solo = scene_solo_create(&def, scene_flat());
    apex_placement at = {.speed_mps = 15.0};
    apex_world_place_car(solo.world, solo.car, &at);
    bool is_up = true;
    for (int half_second = 0; half_second < 60 && is_up; half_second++) {
        double bars = boldness * scene_random_between(&random, -1.0, 1.0);
        solo.controls.steer = (int16_t)(bars * APEX_STEER_MAX);
        solo.controls.throttle = (uint8_t)scene_random_between(&random, 0.0, 255.0);
        scene_solo_run(&solo, 30);
        is_up = abs_roll(&solo) < 0.9;
    }
    scene_solo_destroy(&solo);
    return is_up;
}

TEST(stays_up_under_nearly_anybody) {
    int fallen = 0, fallen_timid = 0;
    for (uint64_t rider = 1; rider <= 60; rider++) {
        bool is_up = survives(rider);
        fallen += !is_up;
        fallen_timid += !is_up && rider % 3 == 0;
    }
    ck_assert_int_eq(fallen_timid, 0);
    ck_assert_int_le(fallen, 1); // full throttle at full lean can cost the rear wheel its grip
}

TEST(who_has_fallen_lies_until_put_back) {
    apex_car_def def = scene_motorcycle();
    for (int side = -1; side <= 1; side += 2) {
        scene_solo solo = scene_solo_create(&def, scene_flat());
        apex_car_state state = scene_solo_state(&solo);
        state.orientation[0] = cos(0.75);
        state.orientation[1] = side * sin(0.75); // 86 degrees
        state.position_m[2] = 0.5;
        state.velocity_mps[0] = 8.0;
        ck_assert(apex_world_set_car(solo.world, solo.car, &state));
        solo.controls.throttle = 255;
        scene_solo_run(&solo, 60 * 5);
        ck_assert_double_gt(abs_roll(&solo), 1.3);
        ck_assert_double_eq(scene_solo_speed(&solo), 0.0);
        ck_assert(!scene_solo_pose(&solo).airborne);
        apex_placement back = {.x_m = 3.0};
        apex_world_place_car(solo.world, solo.car, &back);
        ride(&solo, 10.0, 0.0, 300);
        ck_assert_double_lt(abs_roll(&solo), 0.01);
        ck_assert_double_gt(scene_solo_speed(&solo), 8.0);
        scene_solo_destroy(&solo);
    }
}

TEST(nobody_holds_it_in_the_air) {
    apex_car_def def = scene_motorcycle();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    apex_car_state state = scene_solo_state(&solo);
    state.orientation[0] = cos(0.15);
    state.orientation[1] = sin(0.15);
    state.position_m[2] += 4.0;
    state.airborne = true;
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    scene_solo_run(&solo, 30);
    ck_assert(scene_solo_pose(&solo).airborne);
    ck_assert_double_eq_tol(scene_solo_pose(&solo).roll_rad, 0.3, 1e-3);
    scene_solo_destroy(&solo);
}
