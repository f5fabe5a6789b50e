// builds: float double
// Tests of the tyre alone, between standstill and sliding: the contact patch's stretch, its force,
// and the limit of that. Its curves' worked values are rows of the sources (F01 to F11, M31).

#include "physics/dynamics/pass/stages.h"
#include "physics/type/type_build.h"
#include "support/base/check_main.h"
#include "support/physics/rows_stages.h"
#include "support/physics/scenes.h"

#include <math.h>

static const double LOAD_N = 4000.0;

// B 10, C 2, D 1, E 1 along and across: 80 kN for each unit of slip at 4 kN, its peak at 0.1557.
static const physics_numbers_lanes *note_tyre(void) {
    apex_car_def def = scene_corvette();
    return rows_numbers(&def);
}

static double curve_of(const physics_numbers_lanes *numbers, double across) {
    double force[2];
    rows_tyre_force(numbers, (const double[2]){0.0, across}, force);
    return force[1];
}

TEST(a_curve_without_peak_is_taken_at_its_end) {
    apex_car_def def = scene_corvette();
    def.axles[0].tyre.lateral.c = 1.0;
    def.axles[0].tyre.lateral.e = 0.0;
    const physics_numbers_lanes *numbers = rows_numbers(&def);
    double peak_slip = (double)numbers->axles[0].tyre.lateral.peak_slip[0];
    double at_end = curve_of(numbers, 2.0);
    ck_assert_double_eq_tol(at_end, sin(atan(20.0)), 2e-6);
    ck_assert_double_eq_tol(curve_of(numbers, peak_slip), 0.99 * at_end, 1e-5);
    ck_assert_double_lt(peak_slip, 1.0);
}

// As the thesis's half force, but smoothly, from the peak on to half as much slip again.
TEST(sliding_may_cost_force) {
    apex_car_def def = scene_corvette();
    apex_tyre_def *tyre = &def.axles[0].tyre;
    tyre->model = APEX_TYRE_LINEAR;
    tyre->slide_force_ratio = 0.7;
    const physics_numbers_lanes *numbers = rows_numbers(&def);
    double before = curve_of(numbers, 0.05);
    ck_assert_double_eq_tol(before, 1.0, 1e-6);
    for (int i = 1; i <= 100; i++) {
        double slip = 0.05 * (1.0 + 0.01 * i), force = curve_of(numbers, slip);
        ck_assert_double_le(force, before + 1e-6);
        ck_assert_double_ge(force, before - 0.01); // no jump
        before = force;
    }
    ck_assert_double_eq_tol(curve_of(numbers, 0.0625), 0.85, 1e-6);
    ck_assert_double_eq_tol(curve_of(numbers, 0.075), 0.7, 1e-6);
    ck_assert_double_eq_tol(curve_of(numbers, 1.0), 0.7, 1e-6);
}

TEST(friction_falls_with_load) {
    static const double WANTED[][2] = {
        {3000.0, 1.0}, {6000.0, 0.9}, {1500.0, 1.05}, {60000.0, 0.3}};
    apex_car_def def = scene_plain_car();
    def.axles[0].tyre.load_nominal_n = 3000.0;
    def.axles[0].tyre.load_sensitivity = 0.1;
    for (int i = 0; i < 4; i++) {
        rows_bench bench = {.solo = scene_solo_create(&def, scene_flat())};
        rows_bench_set(&bench, (const double[3]){20.0, 0.0, 0.0}, 0.0);
        for (uint32_t w = 0; w < 2; w++) {
            bench.step.wheels[w].load_n = lanes_all((real)WANTED[i][0]);
        }
        physics_tyres_base(&bench.step);
        const physics_wheel_pass *wheel = &bench.step.wheels[0];
        ck_assert_double_eq_tol((double)wheel->friction[0], WANTED[i][1], 1e-6);
        ck_assert_double_eq_tol((double)wheel->grip.lat_n_max[0], WANTED[i][0] * WANTED[i][1],
                                1e-6 * WANTED[i][0]);
        scene_solo_destroy(&bench.solo);
    }
}

// A share of 1 - exp(-x / length) of the last after x, at any speed; implicit Euler is a little
// late.
TEST(side_force_builds_over_the_relaxation_length) {
    static const double SPEEDS[] = {10.0, 40.0, -20.0};
    const physics_tyre_lanes *tyre = &note_tyre()->axles[0].tyre;
    for (size_t s = 0; s < sizeof SPEEDS / sizeof *SPEEDS; s++) {
        const double speed[2] = {SPEEDS[s], -0.004 * fabs(SPEEDS[s])};
        physics_tyre_input in = rows_tyre_input(LOAD_N, speed, SPEEDS[s] / 0.34);
        physics_wheel_lanes wheel = {.spin_radps = in.spin_radps};
        physics_grip grip;
        double way = 0.0, at_length = 0.0;
        for (int i = 0; i < 2000; i++) {
            physics_tyre_predict_base(tyre, &in, &wheel, &grip);
            way += fabs(SPEEDS[s]) / 240.0;
            if (at_length == 0.0 && way >= (double)tyre->lateral.relaxation_m[0] - 1e-9) {
                at_length = (double)grip.lat_n[0];
            }
        }
        // The stretch is the length times the slip, the force that of the curve there.
        double length = (double)tyre->lateral.relaxation_m[0], last = (double)grip.lat_n[0];
        ck_assert_double_eq_tol((double)wheel.deflection_lat_m[0], 0.004 * length, 1e-7);
        ck_assert_double_eq_tol(last, LOAD_N * curve_of(note_tyre(), 0.004), 0.1);
        ck_assert_double_gt(at_length / last, 0.58);
        ck_assert_double_lt(at_length / last, 0.72);
    }
}

TEST(a_standing_tyre_is_a_spring_up_to_its_grip) {
    const physics_tyre_lanes *tyre = &note_tyre()->axles[0].tyre;
    physics_tyre_input in = rows_tyre_input(LOAD_N, (const double[2]){0.0, 0.0}, 0.0);
    physics_wheel_lanes wheel = {.deflection_long_m = lanes_all(R(0.0005)),
                                 .deflection_lat_m = lanes_all(R(0.001))};
    physics_grip grip;
    for (int i = 0; i < 1000; i++) {
        physics_tyre_predict_base(tyre, &in, &wheel, &grip);
    }
    double along = 20.0 * LOAD_N / 0.12 * 0.0005, across = 20.0 * LOAD_N / 0.4 * 0.001;
    ck_assert_double_eq_tol((double)grip.long_n[0], along, 0.01 * along);
    ck_assert_double_eq_tol((double)grip.lat_n[0], across, 0.01 * across);
    // And it stays.
    ck_assert(wheel.deflection_long_m[0] == R(0.0005) && wheel.deflection_lat_m[0] == R(0.001));
    wheel.deflection_long_m = lanes_all(R(0.1)); // five times what it can hold
    physics_tyre_predict_base(tyre, &in, &wheel, &grip);
    ck_assert_double_eq_tol((double)grip.slip[0], 1.0, 1e-5);
    ck_assert_double_le(hypot((double)grip.long_n[0], (double)grip.lat_n[0]),
                        LOAD_N * (1.0 + 1e-6));
    ck_assert_double_gt((double)grip.long_n[0], 0.99 * LOAD_N);
}

// Bristles are damped: a creeping wheel is braked, but never by more than stops it within the
// substep.
TEST(creeping_is_damped_and_racing_is_not) {
    const physics_tyre_lanes *tyre = &note_tyre()->axles[0].tyre;
    const double LEAST_N = 20.0 * LOAD_N / 0.4 * 0.05 / 240.0; // of the stretch alone
    physics_wheel_lanes wheel = {.spin_radps = {0}};
    physics_grip grip;
    physics_tyre_input in = rows_tyre_input(LOAD_N, (const double[2]){0.0, 0.05}, 0.0);
    physics_tyre_predict_base(tyre, &in, &wheel, &grip);
    ck_assert_double_lt((double)grip.lat_n[0], -2.0 * LEAST_N);
    ck_assert_double_gt((double)grip.lat_n[0], -0.5 * LOAD_N / 9.81 * 0.05 * 240.0 - LEAST_N);
    wheel = (physics_wheel_lanes){.spin_radps = {0}};
    in = rows_tyre_input(LOAD_N, (const double[2]){2.0, 0.05}, 2.0 / 0.34);
    physics_tyre_predict_base(tyre, &in, &wheel, &grip);
    ck_assert_double_eq_tol((double)grip.lat_n[0], -LEAST_N, 0.03 * LEAST_N);
}

TEST(a_lifted_wheel_forgets) {
    physics_tyre_input in = rows_tyre_input(0.0, (const double[2]){20.0, 1.0}, 90.0);
    physics_wheel_lanes wheel = {.deflection_long_m = lanes_all(R(0.01)),
                                 .deflection_lat_m = lanes_all(R(0.02))};
    physics_grip grip;
    const lanes change = lanes_all(R(3.0));
    physics_tyre_predict_base(&note_tyre()->axles[0].tyre, &in, &wheel, &grip);
    physics_tyre_finish_base(&change, &wheel, &grip);
    ck_assert(grip.long_n[0] == R(0.0) && grip.lat_n[0] == R(0.0));
    ck_assert(grip.long_n_per_radps[0] == R(0.0));
    ck_assert(wheel.deflection_long_m[0] == R(0.0) && wheel.deflection_lat_m[0] == R(0.0));
}

// Locked it slides, six times past its peak. Spinning as fast the other way it is not held back by
// more than what sticks.
TEST(a_slip_that_turns_round_unwinds_at_once) {
    const physics_tyre_lanes *tyre = &note_tyre()->axles[0].tyre;
    const double speed[2] = {20.0, 0.0};
    physics_tyre_input in = rows_tyre_input(LOAD_N, speed, 0.0);
    physics_wheel_lanes wheel = {.spin_radps = {0}};
    physics_grip grip;
    for (int i = 0; i < 240; i++) {
        physics_tyre_predict_base(tyre, &in, &wheel, &grip);
    }
    ck_assert_double_eq_tol((double)grip.slip[0], 1.0 / 0.155740772465, 1e-3);
    in = rows_tyre_input(LOAD_N, speed, 40.0 / 0.34);
    physics_tyre_predict_base(tyre, &in, &wheel, &grip);
    ck_assert_double_le((double)grip.slip[0], 1.0 + 1e-6);
    ck_assert_double_le(fabs((double)wheel.deflection_long_m[0]), 0.12 * 0.155740772465 + 1e-6);
}

// The force that the shafts are told of a wheel that changes its spin is the one it would have had.
TEST(a_change_of_spin_is_foreseen) {
    const physics_tyre_lanes *tyre = &note_tyre()->axles[0].tyre;
    for (int i = -5; i <= 5; i++) {
        const double speed[2] = {15.0, 0.1}, change = 0.1 * i;
        physics_tyre_input in = rows_tyre_input(LOAD_N, speed, 44.5);
        physics_tyre_input faster = rows_tyre_input(LOAD_N, speed, 44.5 + change);
        physics_wheel_lanes wheel = {.deflection_long_m = lanes_all(R(0.001))};
        physics_wheel_lanes same = wheel;
        physics_grip foreseen, wanted;
        const lanes changes = lanes_all((real)change);
        physics_tyre_predict_base(tyre, &in, &wheel, &foreseen);
        physics_tyre_finish_base(&changes, &wheel, &foreseen);
        physics_tyre_predict_base(tyre, &faster, &same, &wanted);
        ck_assert_double_eq_tol((double)wheel.deflection_long_m[0],
                                (double)same.deflection_long_m[0], 1e-8);
        // Up to 308 N more, within 4 %: along the secant, and the curve bends.
        ck_assert_double_eq_tol((double)foreseen.long_n[0], (double)wanted.long_n[0], 12.0);
        ck_assert_double_eq_tol((double)foreseen.lat_n[0], (double)wanted.lat_n[0], 12.0);
    }
}

TEST(force_never_leaves_the_friction_ellipse) {
    uint64_t seed = 5;
    apex_car_def def = scene_corvette();
    def.axles[0].tyre.longitudinal.d = 1.2;
    def.axles[0].tyre.lateral.d = 0.9;
    const physics_tyre_lanes *tyre = &rows_numbers(&def)->axles[0].tyre;
    physics_wheel_lanes wheel = {.spin_radps = {0}};
    double most = 0.0;
    for (int i = 0; i < 200000; i++) {
        const double speed[2] = {scene_random_between(&seed, -50.0, 50.0),
                                 scene_random_between(&seed, -20.0, 20.0)};
        double friction = scene_random_between(&seed, 0.05, 1.0);
        physics_tyre_input in =
            rows_tyre_input(LOAD_N, speed, scene_random_between(&seed, -200.0, 200.0));
        const lanes change = lanes_all((real)scene_random_between(&seed, -5.0, 5.0));
        physics_grip grip;
        in.friction = lanes_all((real)friction);
        in.camber_n = lanes_all((real)scene_random_between(&seed, -800.0, 800.0));
        physics_tyre_predict_base(tyre, &in, &wheel, &grip);
        physics_tyre_finish_base(&change, &wheel, &grip);
        double grip_n = friction * LOAD_N;
        double radius =
            hypot((double)grip.long_n[0] / (1.2 * grip_n), (double)grip.lat_n[0] / (0.9 * grip_n));
        ck_assert_double_le(radius, 1.0 + 1e-5);
        most = fmax(most, radius);
    }
    ck_assert_double_gt(most, 0.999);
}

// Everything that one lane's tyre reads, in that lane or in all of them.
static void fill(uint32_t lane, uint64_t seed, physics_tyre_input *in, physics_wheel_lanes *wheel) {
    static const double SPEEDS[] = {0.0, 0.3, 1.5, 30.0};
    double speed = SPEEDS[scene_random(&seed) % 4];
    bool is_up = scene_random(&seed) % 4 == 0;
    lanes_set(&in->load_n, lane, is_up ? R(0.0) : (real)scene_random_between(&seed, 10.0, 9e3));
    lanes_set(&in->friction, lane, (real)scene_random_between(&seed, 0.1, 1.2));
    lanes_set(&in->speed_x_mps, lane, (real)(speed * scene_random_between(&seed, -1.0, 1.0)));
    lanes_set(&in->speed_y_mps, lane, (real)(speed * scene_random_between(&seed, -0.4, 0.4)));
    lanes_set(&in->spin_radps, lane, (real)scene_random_between(&seed, -90.0, 90.0));
    lanes_set(&in->camber_n, lane, (real)scene_random_between(&seed, -200.0, 200.0));
    lanes_set(&in->patch_share, lane, R(0.5));
    lanes_set(&wheel->deflection_long_m, lane, (real)scene_random_between(&seed, -0.03, 0.03));
    lanes_set(&wheel->deflection_lat_m, lane, (real)scene_random_between(&seed, -0.1, 0.1));
}

static bool are_same(const physics_grip *a, const physics_grip *b, uint32_t lane) {
    return a->long_n[lane] == b->long_n[lane] && a->lat_n[lane] == b->lat_n[lane] &&
           a->slip[lane] == b->slip[lane] && a->long_n_per_radps[lane] == b->long_n_per_radps[lane];
}

// Each as if it were alone, whichever model its neighbours have: to the last bit.
TEST(neighbours_in_a_block_do_not_matter) {
    static physics_numbers_lanes mixed;
    physics_type types[3];
    for (uint32_t m = 0; m < 3; m++) {
        static const apex_tyre_model MODELS[] = {APEX_TYRE_MAGIC, APEX_TYRE_LINEAR,
                                                 APEX_TYRE_BRUSH};
        apex_car_def def = scene_corvette();
        def.axles[0].tyre.model = MODELS[m];
        def.axles[0].tyre.lateral.d = 0.9;
        def.axles[0].tyre.slide_force_ratio = 0.8;
        physics_type_build(&types[m], &def, 1.0 / 240.0);
    }
    for (uint64_t round = 0; round < 2000; round++) {
        physics_tyre_input in = rows_tyre_input(0.0, (const double[2]){0.0, 0.0}, 0.0);
        physics_wheel_lanes wheel = {.spin_radps = {0}};
        physics_grip together, alone;
        for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
            physics_numbers_set_lane(&mixed, lane, &types[(round + lane) % 3].numbers);
            fill(lane, 8 * round + lane, &in, &wheel);
        }
        physics_tyre_predict_base(&mixed.axles[0].tyre, &in, &wheel, &together);
        uint32_t lane = (uint32_t)(round % PHYSICS_LANES);
        for (uint32_t k = 0; k < PHYSICS_LANES; k++) {
            physics_numbers_set_lane(&mixed, k, &types[(round + lane) % 3].numbers);
            fill(k, 8 * round + lane, &in, &wheel);
        }
        physics_tyre_predict_base(&mixed.axles[0].tyre, &in, &wheel, &alone);
        ck_assert_msg(are_same(&together, &alone, lane), "round %d: lane %u differs", (int)round,
                      lane);
    }
}
