// builds: float double
// Tests of the directions in which wheels roll on the ground: wheels that are steered, lean, or
// stand on a slope.

#include "physics/dynamics/pass/stages.h"
#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/rows_stages.h"
#include "support/physics/scenes.h"

#include <math.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

// Turned about its own x by `lean_rad`, to the left.
static void lean_over(rows_bench *bench, double lean_rad) {
    apex_car_state state = scene_solo_state(&bench->solo);
    state.orientation[0] = cos(0.5 * lean_rad);
    state.orientation[1] = -sin(0.5 * lean_rad);
    apex_world_set_car(bench->solo.world, bench->solo.car, &state);
}

// A wheel rolls where its plane cuts the ground: one that leans by 40 degrees and is steered by 3
// off its car, by 3 / cos 40 degrees.
TEST(a_leaning_wheel_rolls_where_its_plane_cuts_the_ground) {
    const double LEAN = 40.0 * DEGREE, STEER = 3.0 * DEGREE;
    apex_car_def def = scene_motorcycle();
    for (int side = -1; side <= 1; side += 2) {
        rows_bench bench = {.solo = scene_solo_create(&def, scene_flat())};
        lean_over(&bench, side * LEAN);
        rows_bench_set(&bench, (const double[3]){10.0, 0.0, 0.0}, STEER);
        bench.step.drive->is_anyone_riding = false; // the rider has steered elsewhere
        bench.step.block->steer_rad = lanes_all((real)STEER);
        physics_steering_base(&bench.step);
        physics_wheel_contacts_base(&bench.step);
        const physics_wheel_pass *front = &bench.step.wheels[0], *rear = &bench.step.wheels[2];
        double slip = -(double)(front->speed_y_mps[0] / front->speed_x_mps[0]);
        ck_assert_double_eq_tol(slip, tan(STEER) / cos(LEAN), 1e-5);
        ck_assert_double_eq_tol((double)rear->speed_x_mps[0], 10.0, 1e-5);
        ck_assert_double_eq_tol((double)rear->speed_y_mps[0], 0.0, 1e-5);
        ck_assert_double_eq_tol((double)rear->lean[0], side * sin(LEAN), 1e-5);
        scene_solo_destroy(&bench.solo);
    }
}

static double plane(double x_m, double y_m) {
    return 0.3 * x_m + 0.2 * y_m;
}

// On a slope whichever way: directions of unit length, in the ground, at right angles.
TEST(directions_lie_in_the_ground) {
    apex_car_def def = scene_plain_car();
    scene_ground *ground = scene_ground_create(32.0, plane);
    for (double yaw = -3.0; yaw < 3.1; yaw += 0.75) {
        rows_bench bench = {.solo = scene_solo_create(&def, scene_ground_of(ground))};
        const apex_placement at = {.yaw_rad = yaw};
        apex_world_place_car(bench.solo.world, bench.solo.car, &at);
        rows_bench_set(&bench, (const double[3]){5.0, 3.0, 0.5}, 0.3);
        for (uint32_t w = 0; w < 4; w++) {
            const physics_wheel_pass *wheel = &bench.step.wheels[w];
            lanes unit = dot3(wheel->forward, wheel->forward);
            lanes in_ground = dot3(wheel->forward, wheel->normal);
            lanes left_in_ground = dot3(wheel->left, wheel->normal);
            lanes square = dot3(wheel->forward, wheel->left);
            ck_assert_double_eq_tol((double)unit[0], 1.0, 1e-6);
            ck_assert_double_eq_tol((double)in_ground[0], 0.0, 1e-6);
            ck_assert_double_eq_tol((double)left_in_ground[0], 0.0, 1e-6);
            ck_assert_double_eq_tol((double)square[0], 0.0, 1e-6);
        }
        scene_solo_destroy(&bench.solo);
    }
    scene_ground_destroy(ground);
}
