// builds: float double
// The tyre alone: the magic formula's worked values, combined slip, the brush and linear models,
// and the deflection scheme between standstill and sliding.

#include "physics/tyre_private.h"
#include "support/check_main.h"
#include "support/scenes.h"

#include <math.h>

// The polynomials of the step: 7e-7 of an arctangent, up to four times that after the formula.
static const double TOLERANCE = 2e-6;

static physics_tyre build(apex_tyre_model model) {
    static physics_type type;
    apex_car_def def = scene_corvette();
    def.axles[0].tyre.model = model;
    physics_type_build(&type, &def);
    return type.axles[0].tyre;
}

static double note_curve(double slip) {
    physics_tyre tyre = build(APEX_TYRE_MAGIC);
    return (double)physics_tyre_curve(APEX_TYRE_MAGIC, &tyre.longitudinal, (real)slip);
}

START_TEST(magic_formula_gives_the_worked_values) { // F01, B 10 C 2 D 1 E 1
    static const double ROWS[][2] = {
        {0.01, 0.197376597387}, {0.05, 0.763225347815}, {0.1, 0.971516256648},
        {0.15, 0.999849403101}, {0.2, 0.994841872701},  {0.3, 0.975773045947},
        {0.5, 0.951691948023},  {1.0, 0.929852689888},  {2.0, 0.918117595141},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        ck_assert_double_eq_tol(note_curve(ROWS[i][0]), ROWS[i][1], TOLERANCE);
    }
}
END_TEST

START_TEST(peak_slope_and_asymptote) { // F02 to F05
    physics_tyre tyre = build(APEX_TYRE_MAGIC);
    ck_assert_double_eq_tol((double)tyre.longitudinal.peak_slip, 0.155740772465, 1e-8);
    ck_assert_double_eq_tol(note_curve(0.155740772465), 1.0, TOLERANCE);
    ck_assert_double_eq_tol((double)tyre.longitudinal.slope, 20.0, 1e-9);
    ck_assert_double_eq_tol(note_curve(1e9), 0.906036700901, TOLERANCE);
    ck_assert(tyre.is_isotropic);
}
END_TEST

static physics_pair combined(double slip_x, double slip_y) {
    physics_tyre tyre = build(APEX_TYRE_MAGIC);
    real peak = tyre.longitudinal.peak_slip;
    physics_pair slip = {(real)slip_x / peak, (real)slip_y / peak};
    return physics_tyre_combined(&tyre, slip);
}

START_TEST(combined_slip_shares_one_force) { // F07, F08, load 4000 N
    static const double ROWS[][4] = {
        {0.1, 0.1, 2825.4745144, 2825.4745144},
        {0.155740772465, 0.155740772465, 2802.82733348, 2802.82733348},
        {0.05, 0.1, 1762.39012944, 3524.78025888},
        {-0.2, 0.05, -3856.10710752, 964.026776879},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        physics_pair force = combined(ROWS[i][0], ROWS[i][1]);
        ck_assert_double_eq_tol(4000.0 * (double)force.x, ROWS[i][2], 4000.0 * TOLERANCE);
        ck_assert_double_eq_tol(4000.0 * (double)force.y, ROWS[i][3], 4000.0 * TOLERANCE);
        ck_assert_double_le(hypot((double)force.x, (double)force.y), 1.0 + TOLERANCE);
    }
}
END_TEST

START_TEST(no_slip_no_division_by_it) { // F09, F06
    physics_pair tiny = combined(1e-9, 0.0), none = combined(0.0, 0.0);
    ck_assert_double_eq_tol(4000.0 * (double)tiny.x, 8e-5, 8e-11);
    ck_assert(none.x == R(0.0) && none.y == R(0.0));
    physics_pair left = combined(0.07, 0.2), right = combined(-0.07, -0.2);
    ck_assert(left.x == -right.x && left.y == -right.y);
}
END_TEST

START_TEST(brush_is_fialas) {
    // C 80 kN at 4 kN of load: 20 per load and unit slip; slides at tan 0.15 (friction 1).
    static const double ROWS[][2] = {
        {0.01, 747.851851851852},
        {0.05, 2814.81481481481},
        {0.1, 3851.85185185185},
        {0.15, 4000.0},
        {0.4, 4000.0},
    };
    physics_tyre tyre = build(APEX_TYRE_BRUSH);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        real force = physics_tyre_curve(APEX_TYRE_BRUSH, &tyre.longitudinal, (real)ROWS[i][0]);
        ck_assert_double_eq_tol(4000.0 * (double)force, ROWS[i][1], 4000.0 * 1e-6);
    }
}
END_TEST

START_TEST(linear_is_stiffness_with_a_cap) { // M31, load 3675 N
    physics_tyre tyre = build(APEX_TYRE_LINEAR);
    real below = physics_tyre_curve(APEX_TYRE_LINEAR, &tyre.longitudinal, R(0.03));
    real above = physics_tyre_curve(APEX_TYRE_LINEAR, &tyre.longitudinal, R(0.2));
    ck_assert_double_eq_tol(3675.0 * (double)below, 2205.0, 2e-3);
    ck_assert_double_eq_tol(3675.0 * (double)above, 3675.0, 1e-9);
}
END_TEST

START_TEST(sliding_may_halve_the_force) { // T07 without the axle's cap: half once it slides
    apex_car_def def = scene_corvette();
    static physics_type type;
    def.axles[0].tyre.model = APEX_TYRE_LINEAR;
    def.axles[0].tyre.slide_force_ratio = 0.5;
    physics_type_build(&type, &def);
    const physics_tyre *tyre = &type.axles[0].tyre;
    ck_assert_double_eq((double)physics_tyre_combined(tyre, (physics_pair){R(1.0), 0}).x, 1.0);
    ck_assert_double_eq_tol((double)physics_tyre_combined(tyre, (physics_pair){R(3.0), 0}).x, 0.5,
                            1e-6);
}
END_TEST

START_TEST(a_curve_without_peak_is_taken_at_its_end) {
    apex_car_def def = scene_corvette();
    static physics_type type;
    def.axles[0].tyre.lateral.c = 1.0;
    def.axles[0].tyre.lateral.e = 0.0;
    physics_type_build(&type, &def);
    const physics_tyre_axis *axis = &type.axles[0].tyre.lateral;
    double at_peak = (double)physics_tyre_curve(APEX_TYRE_MAGIC, axis, axis->peak_slip);
    double at_end = (double)physics_tyre_curve(APEX_TYRE_MAGIC, axis, R(2.0));
    ck_assert_double_eq_tol(at_peak, 0.99 * at_end, 1e-5);
}
END_TEST

START_TEST(friction_falls_with_load) {
    physics_tyre tyre = build(APEX_TYRE_MAGIC);
    tyre.load_nominal_n = R(3000.0);
    tyre.load_sensitivity = R(0.1);
    ck_assert_double_eq_tol((double)physics_tyre_load_factor(&tyre, R(3000.0)), 1.0, 1e-7);
    ck_assert_double_eq_tol((double)physics_tyre_load_factor(&tyre, R(6000.0)), 0.9, 1e-7);
    ck_assert_double_eq_tol((double)physics_tyre_load_factor(&tyre, R(1500.0)), 1.05, 1e-7);
}
END_TEST

static physics_tyre_input rolling(double speed_mps, double side_mps) {
    return (physics_tyre_input){.h_s = R(1.0) / R(240.0),
                                .load_n = R(4000.0),
                                .friction = R(1.0),
                                .velocity_x_mps = (real)speed_mps,
                                .velocity_y_mps = (real)side_mps,
                                .spin_radps = (real)(speed_mps / 0.34),
                                .gravity_mps2 = R(9.81)};
}

START_TEST(side_force_builds_over_the_relaxation_length) {
    // 1 - exp(-x / length) of its end value after x, at any speed; implicit Euler is a little late.
    static const double SPEEDS[] = {10.0, 40.0};
    physics_tyre tyre = build(APEX_TYRE_MAGIC);
    for (size_t s = 0; s < 2; s++) {
        physics_tyre_input in = rolling(SPEEDS[s], -0.004 * SPEEDS[s]);
        real u = 0, v = 0, way = 0, at_length = 0;
        physics_tyre_output out = {0};
        for (int i = 0; i < 2000; i++) {
            out = physics_tyre_predict(&tyre, &in, &u, &v);
            way += in.h_s * in.velocity_x_mps;
            if (at_length == R(0.0) && way >= tyre.lateral.relaxation_m) {
                at_length = out.lat_n;
            }
        }
        // Deflection stands at length times slip, force at the curve's.
        ck_assert_double_eq_tol((double)out.slip_lat * (double)tyre.lateral.peak_slip, 0.004, 1e-6);
        ck_assert_double_eq_tol((double)out.lat_n, 4000.0 * note_curve(0.004), 0.1);
        double share = (double)(at_length / out.lat_n);
        ck_assert_double_gt(share, 0.58);
        ck_assert_double_lt(share, 0.72);
    }
}
END_TEST

START_TEST(a_standing_tyre_is_a_spring_up_to_its_grip) {
    physics_tyre tyre = build(APEX_TYRE_MAGIC);
    physics_tyre_input in = rolling(0.0, 0.0);
    real u = R(0.0005), v = R(0.001);
    physics_tyre_output out = physics_tyre_predict(&tyre, &in, &u, &v);
    double long_rate = 20.0 * 4000.0 / 0.12, lat_rate = 20.0 * 4000.0 / 0.4;
    ck_assert_double_eq_tol((double)out.long_n, long_rate * 0.0005, 0.01 * long_rate * 0.0005);
    ck_assert_double_eq_tol((double)out.lat_n, lat_rate * 0.001, 0.01 * lat_rate * 0.001);
    ck_assert(u == R(0.0005) && v == R(0.001)); // and it stays
    u = R(0.1);                                 // five times what it can hold
    out = physics_tyre_predict(&tyre, &in, &u, &v);
    ck_assert_double_eq_tol((double)out.slip, 1.0, 1e-5);
    ck_assert_double_le(hypot((double)out.long_n, (double)out.lat_n), 4000.0 * (1.0 + 1e-6));
}
END_TEST

START_TEST(force_never_leaves_the_friction_ellipse) {
    uint64_t seed = 5;
    physics_tyre tyre = build(APEX_TYRE_MAGIC);
    tyre.longitudinal.d = R(1.2);
    tyre.lateral.d = R(0.9);
    tyre.is_isotropic = false;
    real u = 0, v = 0;
    for (int i = 0; i < 200000; i++) {
        physics_tyre_input in = rolling(scene_random_between(&seed, -50.0, 50.0),
                                        scene_random_between(&seed, -20.0, 20.0));
        in.spin_radps = (real)scene_random_between(&seed, -200.0, 200.0);
        in.friction = (real)scene_random_between(&seed, 0.05, 1.0);
        physics_tyre_output out = physics_tyre_predict(&tyre, &in, &u, &v);
        physics_tyre_finish(&out, (real)scene_random_between(&seed, -5.0, 5.0), &u);
        double grip = (double)in.friction * 4000.0;
        double radius = hypot((double)out.long_n / (1.2 * grip), (double)out.lat_n / (0.9 * grip));
        ck_assert_double_le(radius, 1.0 + 1e-5);
    }
}
END_TEST

START_TEST(a_lifted_wheel_forgets) {
    physics_tyre tyre = build(APEX_TYRE_MAGIC);
    physics_tyre_input in = rolling(20.0, 1.0);
    real u = R(0.01), v = R(0.02);
    in.load_n = R(0.0);
    physics_tyre_output out = physics_tyre_predict(&tyre, &in, &u, &v);
    physics_tyre_finish(&out, R(3.0), &u);
    ck_assert(out.long_n == R(0.0) && out.lat_n == R(0.0) && u == R(0.0) && v == R(0.0));
}
END_TEST

Suite *apex_suite(void) {
    Suite *suite = suite_create("physics tyre");
    TCase *tests = tcase_create("tyre");
    tcase_add_test(tests, magic_formula_gives_the_worked_values);
    tcase_add_test(tests, peak_slope_and_asymptote);
    tcase_add_test(tests, combined_slip_shares_one_force);
    tcase_add_test(tests, no_slip_no_division_by_it);
    tcase_add_test(tests, brush_is_fialas);
    tcase_add_test(tests, linear_is_stiffness_with_a_cap);
    tcase_add_test(tests, sliding_may_halve_the_force);
    tcase_add_test(tests, a_curve_without_peak_is_taken_at_its_end);
    tcase_add_test(tests, friction_falls_with_load);
    tcase_add_test(tests, side_force_builds_over_the_relaxation_length);
    tcase_add_test(tests, a_standing_tyre_is_a_spring_up_to_its_grip);
    tcase_add_test(tests, force_never_leaves_the_friction_ellipse);
    tcase_add_test(tests, a_lifted_wheel_forgets);
    suite_add_tcase(suite, tests);
    return suite;
}
