// builds: float double
// Tests against the single-track models of CommonRoad: derivatives and end states that its own
// tests publish, and end states of manoeuvres that the published models were run through
// (Runge-Kutta, 0.1 ms).

#include "support/base/check_main.h"
#include "support/physics/commonroad.h"
#include "support/physics/linear_car.h"
#include "support/physics/scenes.h"

#include <math.h>

/// A state of the published models, and the longitudinal acceleration that they take for given.
typedef struct plane_state {
    double steer_rad, speed_mps, yaw_rad, yaw_radps, beta_rad, along_mps2;
} plane_state;

// One wheel in the published state: load with all of the transfer there, patch stretched as far as
// its slip will stretch it.
static void set_wheel(const plane_state *at, const apex_car_def *def, uint32_t w,
                      apex_wheel_state *wheel) {
    const apex_axle_def *axle = &def->axles[w / 2];
    const apex_tyre_def *tyre = &axle->tyre;
    double length = COMMONROAD_FRONT_M + COMMONROAD_REAR_M, side = w % 2 == 0 ? 0.5 : -0.5;
    double transfer_n = 0.5 * COMMONROAD_MASS_KG * at->along_mps2 * COMMONROAD_HEIGHT_M / length;
    double load_n = 0.5 * COMMONROAD_MASS_KG * COMMONROAD_GRAVITY *
                    (w < 2 ? COMMONROAD_REAR_M : COMMONROAD_FRONT_M) / length;
    load_n += w < 2 ? -transfer_n : transfer_n;
    wheel->travel_m = (w < 2 ? transfer_n : -transfer_n) / tyre->vertical_stiffness_n_per_m;
    double turn = w < 2 ? at->steer_rad : 0.0;
    double vx = at->speed_mps * cos(at->beta_rad) - at->yaw_radps * side * axle->track_width_m;
    double vy = at->speed_mps * sin(at->beta_rad) + at->yaw_radps * axle->x_m;
    double along = vx * cos(turn) + vy * sin(turn), across = vy * cos(turn) - vx * sin(turn);
    double pull_n = 0.5 * COMMONROAD_MASS_KG * at->along_mps2;
    double slip = w < 2 ? 0.0 : pull_n / (load_n * tyre->longitudinal.stiffness);
    wheel->spin_radps = along * (1.0 + slip) / tyre->radius_m;
    wheel->deflection_long_m = tyre->longitudinal.relaxation_m * slip;
    wheel->deflection_lat_m = -tyre->lateral.relaxation_m * across / along;
}

static void set_plane(scene_solo *solo, const plane_state *at, const apex_car_def *def) {
    apex_car_state state = scene_solo_state(solo);
    double course = at->yaw_rad + at->beta_rad;
    state.orientation[0] = cos(0.5 * at->yaw_rad);
    state.orientation[3] = sin(0.5 * at->yaw_rad);
    state.velocity_mps[0] = at->speed_mps * cos(course);
    state.velocity_mps[1] = at->speed_mps * sin(course);
    state.angular_radps[2] = at->yaw_radps;
    state.steer_rad = at->steer_rad;
    state.gear = state.gear_before = 1;
    state.engine_radps = 1500.0;
    for (uint32_t w = 0; w < 4; w++) {
        set_wheel(at, def, w, &state.wheels[w]);
    }
    ck_assert(apex_world_set_car(solo->world, solo->car, &state));
}

// The published truth of the linear single track, in the state of its own unit test.
TEST(single_track_derivatives_are_the_published_ones) {
    const plane_state AT = {.steer_rad = 0.0197545248559617,
                            .speed_mps = 15.721623633429012,
                            .yaw_rad = 0.0025857914776859,
                            .yaw_radps = 0.0529001056654038,
                            .beta_rad = 0.0033012170610298,
                            .along_mps2 = 5.3536773276413925};
    const double TURN_RADPS2 = 0.6435589397748606, DRIFT_RADPS = 0.0313297971641291;
    apex_car_def def = commonroad_bmw(APEX_TYRE_LINEAR, COMMONROAD_TALL);
    linear_set_steer(&def, AT.steer_rad);
    linear_set_push(&def, COMMONROAD_MASS_KG * AT.along_mps2);
    scene_solo solo = linear_solo(&def, scene_flat());
    set_plane(&solo, &AT, &def);
    solo.controls =
        (apex_controls){.steer = APEX_STEER_MAX, .throttle = 255, .gear = 1, .brake = 0};
    scene_solo_run(&solo, 1);
    apex_car_work work = scene_solo_work(&solo);
    const double *a = work.acceleration_mps2;
    double s = sin(AT.beta_rad), c = cos(AT.beta_rad);
    double along = a[0] * c + a[1] * s;
    double drift = (a[1] * c - a[0] * s) / AT.speed_mps - AT.yaw_radps;
    double turn = (linear_motion_of(&solo).yaw_radps - AT.yaw_radps) * 240.0;
    // Theirs has no cornering drag: 0.02 m/s2 here.
    expect_share("ST v'", along, AT.along_mps2, 4e-3);
    // Theirs takes tan for its argument, and lets no front force turn with the steering.
    expect_share("ST psi''", turn, TURN_RADPS2, 1e-3);
    // Theirs leaves out that an accelerating car's course turns towards its nose.
    expect_near("ST beta' with -a beta / v", drift, DRIFT_RADPS - AT.along_mps2 * s / AT.speed_mps,
                5e-5);
    // Same loads as theirs, to rounding of the penetration: 1.4 kN more behind than at rest.
    double rear_n = work.wheels[2].load_n + work.wheels[3].load_n;
    double theirs_n =
        COMMONROAD_MASS_KG *
        (COMMONROAD_GRAVITY * COMMONROAD_FRONT_M + AT.along_mps2 * COMMONROAD_HEIGHT_M) /
        (COMMONROAD_FRONT_M + COMMONROAD_REAR_M);
    expect_share("ST rear axle load", rear_n, theirs_n, 1e-3);
    scene_solo_destroy(&solo);
}

static apex_car_def kinematic_bmw(double acceleration_mps2) {
    apex_car_def def = commonroad_bmw(APEX_TYRE_LINEAR, COMMONROAD_TALL);
    def.model = APEX_CAR_KINEMATIC;
    def.kinematic = (apex_kinematic_def){.form = APEX_KINEMATIC_REAR_AXLE,
                                         .acceleration_mps2_max = acceleration_mps2,
                                         .braking_mps2_max = 10.0,
                                         .speed_mps_max = 50.8,
                                         .reverse_mps_max = 13.6};
    return def;
}

// Their reference is the rear axle.
static void rear_axle(const linear_motion *now, double out[2]) {
    out[0] = now->x_m - COMMONROAD_REAR_M * (cos(now->yaw_rad) - 1.0);
    out[1] = now->y_m - COMMONROAD_REAR_M * sin(now->yaw_rad);
}

TEST(kinematic_derivatives_are_the_published_ones) {
    const double STEER = 0.0378491427211811, SPEED = 16.354695786088357, YAW = 0.0294717351052816;
    const double GAIN_MPS2 = 5.146442410233975, TURN_RADPS = 0.2401426578627629;
    apex_car_def def = kinematic_bmw(GAIN_MPS2);
    linear_set_steer(&def, STEER);
    scene_solo solo = linear_solo(&def, scene_flat());
    apex_placement at = {.yaw_rad = YAW, .speed_mps = SPEED};
    apex_world_place_car(solo.world, solo.car, &at);
    solo.controls = (apex_controls){.steer = APEX_STEER_MAX, .gear = 1};
    apex_car_pose before = scene_solo_pose(&solo);
    scene_solo_run(&solo, 1);
    apex_car_pose now = scene_solo_pose(&solo);
    double rear[2];
    for (int i = 0; i < 2; i++) {
        double arm_now = i == 0 ? cos(now.yaw_rad) : sin(now.yaw_rad);
        double arm_before = i == 0 ? cos(before.yaw_rad) : sin(before.yaw_rad);
        rear[i] =
            (now.position_m[i] - before.position_m[i] - COMMONROAD_REAR_M * (arm_now - arm_before));
        rear[i] *= 240.0;
    }
    // A step goes along a chord, whose direction is that of its middle.
    double middle = 0.5 * (now.yaw_rad - before.yaw_rad);
    double x = rear[0] * cos(middle) + rear[1] * sin(middle);
    double y = rear[1] * cos(middle) - rear[0] * sin(middle);
    expect_near("KS x'", x, 16.34759359342502, 1e-4);
    expect_near("KS y'", y, 0.4819314886013121, 1e-4);
    expect_share("KS psi'", (now.yaw_rad - before.yaw_rad) * 240.0, TURN_RADPS, 1e-5);
    apex_car_state state = scene_solo_state(&solo);
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 1);
    double spin = scene_solo_state(&solo).wheels[0].spin_radps - state.wheels[0].spin_radps;
    expect_share("KS v'", spin * COMMONROAD_WHEEL_M * 240.0, GAIN_MPS2, 1e-3);
    scene_solo_destroy(&solo);
}

// From a standstill for a second: steering at 0.15 rad/s with 0.63 g, and backwards with 0.7 g.
// The step moves with the speed at its end: half a substep of way, 13 mm, too far.
TEST(kinematic_end_states_are_the_published_ones) {
    apex_car_def def = kinematic_bmw(0.63 * COMMONROAD_GRAVITY);
    linear_set_steer(&def, 0.15);
    def.steering.rate_radps_max = 0.15;
    scene_solo solo = linear_solo(&def, scene_flat());
    solo.controls = (apex_controls){.steer = APEX_STEER_MAX, .throttle = 255, .gear = 1};
    linear_run(&solo, 1.0);
    linear_motion now = linear_motion_of(&solo);
    double at[2];
    rear_axle(&now, at);
    expect_near("KS from rest: x", at[0], 3.0845676868494927, 0.015);
    expect_near("KS from rest: y", at[1], 0.1484249221523042, 1e-2);
    expect_near("KS from rest: v",
                scene_solo_state(&solo).wheels[0].spin_radps * COMMONROAD_WHEEL_M, 6.1803, 1e-3);
    expect_near("KS from rest: psi", now.yaw_rad, 0.1203664469224163, 1e-2);
    scene_solo_destroy(&solo);

    def = kinematic_bmw(0.7 * COMMONROAD_GRAVITY);
    solo = linear_solo(&def, scene_flat());
    solo.controls = (apex_controls){.throttle = 255, .gear = APEX_GEAR_REVERSE};
    linear_run(&solo, 1.0);
    now = linear_motion_of(&solo);
    expect_near("KS backwards: x", now.x_m, -3.4335, 0.015);
    expect_near("KS backwards: v", now.forward_mps, -6.867, 1e-3);
    scene_solo_destroy(&solo);
}

// The linear single track (ST). Its speed is its input: it knows no cornering drag, which takes
// 0.04 to 0.13 m/s here, and the way that goes with it.
TEST(linear_single_track_ends_where_the_published_one_does) {
    const commonroad_manoeuvre ALL[] = {
        {"ST from rest, 0.15 rad/s, 0.63 g",
         0.0,
         1.0,
         0.0,
         0.15,
         0.63 * COMMONROAD_GRAVITY,
         {3.0731976, 0.28698354, 6.1803, 0.10977471, 0.32482681, 0.06975475},
         {0.01, 0.01, 0.05, 0.01, 0.01, 0.01}},
        {"ST 15 m/s, 0.05 rad/s, 0.3 g",
         15.0,
         1.0,
         0.0,
         0.05,
         0.3 * COMMONROAD_GRAVITY,
         {16.443971, 0.712235, 17.943, 0.124260, 0.275591, 0.004096},
         {0.01, 0.01, 0.05, 0.01, 0.01, 0.01}},
        {"ST 20 m/s, 0.05 rad/s, -0.3 g",
         20.0,
         1.0,
         0.0,
         0.05,
         -0.3 * COMMONROAD_GRAVITY,
         {18.480899, 0.947357, 17.057, 0.172631, 0.361389, -0.001702},
         {0.03, 0.01, 0.08, 0.01, 0.01, 0.01}},
        {"ST 20 m/s, 0.02 rad for 3 s",
         20.0,
         3.0,
         0.02,
         0.0,
         0.0,
         {58.092055, 12.739088, 20.0, 0.450941, 0.155104, -0.003392},
         {0.2, 0.02, 0.13, 0.01, 0.01, 0.01}},
    };
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        apex_car_def def = commonroad_bmw(APEX_TYRE_LINEAR, COMMONROAD_TALL);
        ck_assert(commonroad_ends_near(def, &ALL[i]));
    }
}

// It is neutral: the yaw gain is V / L at every speed. Published for 0.02 rad, where tyres are
// linear; a tenth of it here, so that no speed is lost.
TEST(linear_single_track_is_neutral) {
    const double SPEED[3] = {10.0, 20.0, 30.0};
    const double RATE[3] = {0.07755206, 0.15510412, 0.23265618};
    for (int i = 0; i < 3; i++) {
        apex_car_def def = commonroad_bmw(APEX_TYRE_LINEAR, COMMONROAD_FLAT);
        linear_set_steer(&def, 0.002);
        scene_solo solo = linear_solo(&def, scene_flat());
        linear_place(&solo, SPEED[i]);
        solo.controls.steer = APEX_STEER_MAX;
        linear_run(&solo, 3.0);
        linear_motion now = linear_motion_of(&solo);
        expect_share("ST yaw rate for 0.02 rad", 10.0 * now.yaw_radps * SPEED[i] / now.forward_mps,
                     RATE[i], 1e-3);
        scene_solo_destroy(&solo);
    }
}

// Backwards from rest with 0.7 g: theirs brakes itself into reverse; ours needs the gear.
TEST(linear_single_track_backwards) {
    apex_car_def def = commonroad_bmw(APEX_TYRE_LINEAR, COMMONROAD_TALL);
    linear_set_push(&def, 0.7 * COMMONROAD_GRAVITY * COMMONROAD_MASS_KG);
    scene_solo solo = linear_solo(&def, scene_flat());
    solo.controls = (apex_controls){.throttle = 255, .gear = APEX_GEAR_REVERSE};
    linear_run(&solo, 1.0);
    linear_motion now = linear_motion_of(&solo);
    expect_near("ST backwards: x", now.x_m, -3.4335, 0.02);
    expect_near("ST backwards: v", now.forward_mps, -6.867, 0.02);
    expect_near("ST backwards: y", now.y_m, 0.0, 1e-4);
    scene_solo_destroy(&solo);
}
