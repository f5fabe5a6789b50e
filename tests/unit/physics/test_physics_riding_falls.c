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

// The throttle that holds a speed.
static uint8_t throttle_to(double wanted_mps, double speed_mps) {
    double throttle = fmin(fmax(20.0 + 60.0 * (wanted_mps - speed_mps), 0.0), 255.0);
    return (uint8_t)(wanted_mps > 0.0 ? throttle : 0.0);
}

enum { RIDERS_MAX = 144 };

/// Motorcycles in one world. They are ghosts, so that each rides as if it were alone, and a block
/// of them takes no longer than one.
typedef struct crowd {
    apex_world *world;
    uint32_t count;
    apex_car_id cars[RIDERS_MAX];
    apex_controls controls[RIDERS_MAX];
    apex_car_pose poses[RIDERS_MAX]; // after the last tick
} crowd;

static void open_road(crowd *of, const apex_car_def *def, const double speeds_mps[],
                      uint32_t count) {
    apex_world_def world = scene_world_def(count);
    apex_car_type type;
    *of = (crowd){.count = count};
    ck_assert_int_eq(apex_world_create(&world, scene_flat(), NULL, &of->world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(of->world, def, &type), APEX_OK);
    for (uint32_t i = 0; i < count; i++) {
        apex_placement at = {.speed_mps = speeds_mps[i]};
        ck_assert_int_eq(apex_world_add_car(of->world, type, &at, &of->cars[i]), APEX_OK);
        apex_world_ghost_car(of->world, of->cars[i], true);
        of->controls[i].gear = APEX_GEAR_AUTOMATIC;
    }
    ck_assert_uint_eq(apex_world_poses(of->world, of->poses, count), count);
}

static void step(crowd *of) {
    apex_world_step(of->world, of->controls, NULL);
    ck_assert_uint_eq(apex_world_poses(of->world, of->poses, of->count), of->count);
}

static double speed_of(const apex_car_pose *pose) {
    const double *v = pose->velocity_mps;
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Each holds its speed; bars turn after a second.
static void ride_all(crowd *of, const double speeds_mps[], const double bars[], int ticks) {
    for (int tick = 0; tick < ticks; tick++) {
        for (uint32_t i = 0; i < of->count; i++) {
            of->controls[i].throttle = throttle_to(speeds_mps[i], speed_of(&of->poses[i]));
            of->controls[i].steer = (int16_t)(tick > 60 ? bars[i] * APEX_STEER_MAX : 0.0);
        }
        step(of);
    }
}

static void check_lean(const apex_car_pose *pose, double speed_mps, double bars) {
    double across_g = speed_of(pose) * pose->angular_radps[2] / 9.81;
    ck_assert_msg(fabs(pose->roll_rad) < 0.75, "%g m/s, bars %g: leans by %g", speed_mps, bars,
                  pose->roll_rad);
    if (speed_mps >= 10.0) {
        // To the side of the bend, by the angle whose tangent is its acceleration.
        ck_assert_msg(fabs(apex_atan(across_g) + pose->roll_rad) < 0.06,
                      "%g m/s, bars %g: leans by %g at %g g", speed_mps, bars, pose->roll_rad,
                      across_g);
        ck_assert(bars == 0.0 || across_g * bars > 0.0);
        ck_assert_double_lt(fabs(across_g), 1.2 * LEAN_G_MAX);
    }
    if (speed_mps >= 20.0 && bars != 0.0) { // any bars ask for more than it may lean
        ck_assert_double_gt(fabs(across_g), 0.9 * LEAN_G_MAX);
    }
}

TEST(leans_into_bends_at_every_speed) {
    static crowd riders;
    static double speeds_mps[RIDERS_MAX], bars[RIDERS_MAX];
    apex_car_def def = scene_motorcycle();
    uint32_t count = 0;
    for (int speed = 0; speed <= 70; speed += 5) {
        for (int turned = -4; turned <= 4; turned++) {
            speeds_mps[count] = speed;
            bars[count++] = 0.25 * turned;
        }
    }
    open_road(&riders, &def, speeds_mps, count);
    ride_all(&riders, speeds_mps, bars, 600);
    for (uint32_t i = 0; i < count; i++) {
        check_lean(&riders.poses[i], speeds_mps[i], bars[i]);
    }
    apex_world_destroy(riders.world);
}

TEST(straight_on_is_straight) {
    enum { SPEEDS = 7 };
    static crowd riders;
    static const double BARS[SPEEDS] = {0.0};
    double speeds_mps[SPEEDS];
    apex_car_def def = scene_motorcycle();
    for (int i = 0; i < SPEEDS; i++) {
        speeds_mps[i] = 10.0 * i;
    }
    open_road(&riders, &def, speeds_mps, SPEEDS);
    ride_all(&riders, speeds_mps, BARS, 600);
    for (int i = 0; i < SPEEDS; i++) {
        ck_assert_double_eq(riders.poses[i].position_m[1], 0.0);
        ck_assert_double_eq(fabs(riders.poses[i].roll_rad), 0.0);
    }
    apex_world_destroy(riders.world);
}

enum { ANYBODY = 60 };

// Half a minute of any bars and throttle.
static void ride_anyhow(crowd *riders, bool has_fallen[ANYBODY]) {
    uint64_t randoms[ANYBODY];
    for (uint32_t i = 0; i < ANYBODY; i++) {
        randoms[i] = i + 1;
    }
    for (int tick = 0; tick < 60 * 30; tick++) {
        for (uint32_t i = 0; i < ANYBODY && tick % 30 == 0; i++) {
            has_fallen[i] = has_fallen[i] || fabs(riders->poses[i].roll_rad) >= 0.9;
            double boldness = (i + 1) % 3 == 0 ? 0.1 : (i + 1) % 3 == 1 ? 0.4 : 1.0;
            double bars = boldness * scene_random_between(&randoms[i], -1.0, 1.0);
            riders->controls[i].steer = (int16_t)(bars * APEX_STEER_MAX);
            riders->controls[i].throttle = (uint8_t)scene_random_between(&randoms[i], 0.0, 255.0);
        }
        step(riders);
    }
    for (uint32_t i = 0; i < ANYBODY; i++) {
        has_fallen[i] = has_fallen[i] || fabs(riders->poses[i].roll_rad) >= 0.9;
    }
}

TEST(stays_up_under_nearly_anybody) {
    static crowd riders;
    bool has_fallen[ANYBODY] = {false};
    double speeds_mps[ANYBODY];
    apex_car_def def = scene_motorcycle();
    def.engine.brake_nm_per_rps = 0.1; // a car's would break the rear wheel loose
    for (int i = 0; i < ANYBODY; i++) {
        speeds_mps[i] = 15.0;
    }
    open_road(&riders, &def, speeds_mps, ANYBODY);
    ride_anyhow(&riders, has_fallen);
    int fallen = 0, fallen_timid = 0;
    for (int i = 0; i < ANYBODY; i++) {
        fallen += has_fallen[i];
        fallen_timid += has_fallen[i] && (i + 1) % 3 == 0;
    }
    apex_world_destroy(riders.world);
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
        for (int tick = 0; tick < 300; tick++) {
            solo.controls.throttle = throttle_to(10.0, scene_solo_speed(&solo));
            scene_solo_run(&solo, 1);
        }
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
