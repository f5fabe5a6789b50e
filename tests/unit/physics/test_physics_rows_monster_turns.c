// builds: float double
// Monster, "Car Physics for Games": curves. Rows M34 to M38.

#include "physics/car/kinematic.h"
#include "support/base/check_main.h"
#include "support/physics/rows_stages.h"
#include "support/physics/scenes.h"
#include "support/physics/source_rows.h"
#include "support/physics/textbook_rest.h"

#include <math.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

// The front wheels' circle, on paper and as the geometry without slip drives it: half of it, end to
// end.
static void m34(void) {
    const double L = 2.5, STEER = 10.0 * DEGREE;
    ROW_SAME(textbook_turn_of(L, STEER, 1.0).radius_m, 14.3969262079, 1e-9);
    physics_kinematic_pose at = {0};
    const physics_kinematic_move move = {L, STEER, 180.0 * DEGREE * L / tan(STEER) / 100.0};
    for (int i = 0; i < 100; i++) {
        at = physics_kinematic_step(APEX_KINEMATIC_REAR_AXLE, at, &move);
    }
    double x = at.x_m + L * cos(at.yaw_rad), y = at.y_m + L * sin(at.yaw_rad);
    ROW_SAME(0.5 * hypot(x - L, y), 14.3969262079, 1e-9);
}

// 10 m/s of the front wheels; both axles' in the baseline form, for short steps.
static void m35(void) {
    const double L = 2.5, STEER = 10.0 * DEGREE;
    ROW_SAME(textbook_turn_of(L, STEER, 10.0).yaw_radps, 0.694592710668, 1e-9);
    const physics_kinematic_move move = {L, STEER, 10.0 * 1e-6};
    physics_kinematic_pose at = {0};
    at = physics_kinematic_step(APEX_KINEMATIC_BASELINE, at, &move);
    ROW_SAME(at.yaw_rad / 1e-6, 0.694592710668, 1e-6);
}

static apex_car_def long_tail(void) {
    apex_car_def def = rows_monster_car();
    def.axles[0].x_m = 1.2;
    def.axles[1].x_m = -1.3;
    return def;
}

// Erratum: the text's "arctan(vy/vx) by vx/vy"; its equations are an image, restored by the thesis.
static void m36(void) {
    apex_car_def def = long_tail();
    const double motion[3] = {20.0, 1.0, 0.3};
    const textbook_motion same = {20.0, 1.0, 0.3};
    rows_bench bench = {.solo = rows_solo(&def, &(rows_place){0})};
    rows_bench_set(&bench, motion, 0.05);
    static const double WANTED[] = {0.0178954791631, 0.0304905477336};
    for (uint32_t a = 0; a < 2; a++) {
        double speed[2], steer = a == 0 ? 0.05 : 0.0;
        rows_bench_axle_speed(&bench, a, speed);
        ROW_NEAR(textbook_slip_angle_rad(&same, def.axles[a].x_m, steer), WANTED[a], 1e-12);
        ROW_NEAR(atan2(speed[1], speed[0]), WANTED[a], 1e-12);
        // And so the patch stretches: by as much, to the other side.
        physics_tyre_input in = rows_tyre_input(3675.0, speed, speed[0] / 0.34);
        physics_grip grip = rows_tyre_settled(bench.step.numbers, &in);
        const physics_tyre_axis_lanes *axis = &bench.step.numbers->axles[0].tyre.lateral;
        double tangent = (double)(grip.slip_lat[0] * axis->peak_slip[0]);
        ROW_NEAR(-atan(tangent), WANTED[a], 1e-12);
    }
    scene_solo_destroy(&bench.solo);
}

static void m37(void) {
    apex_car_def def = long_tail();
    rows_bench bench = {.solo = rows_solo(&def, &(rows_place){0})};
    rows_bench_set(&bench, (const double[3]){0.0, 0.0, 0.0}, 0.1);
    rows_bench_push(&bench, 0, (const double[2]){0.0, 3000.0});
    rows_bench_push(&bench, 1, (const double[2]){0.0, 2800.0});
    physics_suspension_forces_base(&bench.step, &bench.sum);
    ROW_SAME((double)bench.sum.force_n[1][0], 5785.01249583, 1e-9);
    // The difference of two moments of 3600 N m, each right to 1e-5 in the float build.
    ROW_BETWEEN((double)bench.sum.moment_nm[2][0], -57.9850049991,
                1e-9 * 57.985 + ROWS_ROUNDING * 3600.0);
    scene_solo_destroy(&bench.solo);
}

static void m38(void) {
    ROW_SAME(textbook_corner_radius_m(20.0, 6000.0 / 1500.0), 100.0, 1e-9);
}

static const row ROWS[] = {
    ROW("M34", m34), ROW("M35", m35), ROW("M36", m36), ROW("M37", m37), ROW("M38", m38),
};

ROWS_TEST(ROWS)
