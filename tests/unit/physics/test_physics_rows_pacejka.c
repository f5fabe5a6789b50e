// builds: float double
// The note on Pacejka's formula: curve, peak, combined slip. Rows F01 to F11.

#include "support/base/check_main.h"
#include "support/physics/rows_stages.h"
#include "support/physics/scenes.h"
#include "support/physics/source_rows.h"
#include "support/physics/textbook_rest.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double PEAK_SLIP = 0.155740772465;
static const double LOAD_N = 4000.0;

// The float step's arctangent and sine are polynomials: the rows allow them 2e-5 of the load.
#ifdef APEX_REAL_DOUBLE
static const double POLYNOMIALS = 0.0;
#else
static const double POLYNOMIALS = 2e-5;
#endif

// B 10, C 2, D 1, E 1 along and across.
static const physics_numbers_lanes *note_tyre(void) {
    apex_car_def def = scene_corvette();
    return rows_numbers(&def);
}

static void force_at(double along, double across, double out[2]) {
    rows_tyre_force(note_tyre(), (const double[2]){along, across}, out);
}

static double curve(double slip) {
    double force[2];
    force_at(slip, 0.0, force);
    return force[0];
}

static void curve_gives(double slip, double wanted) {
    double along[2], across[2];
    force_at(slip, 0.0, along);
    force_at(0.0, slip, across);
    ROW_BETWEEN(along[0], wanted, fmax(1e-9 * wanted, POLYNOMIALS));
    ROW_BETWEEN(across[1], wanted, fmax(1e-9 * wanted, POLYNOMIALS));
    ROW_IS(along[1] == 0.0 && across[0] == 0.0);
}

static void f01_0_01(void) {
    curve_gives(0.01, 0.197376597387);
}

static void f01_0_05(void) {
    curve_gives(0.05, 0.763225347815);
}

static void f01_0_1(void) {
    curve_gives(0.1, 0.971516256648);
}

static void f01_0_15(void) {
    curve_gives(0.15, 0.999849403101);
}

static void f01_0_2(void) {
    curve_gives(0.2, 0.994841872701);
}

static void f01_0_3(void) {
    curve_gives(0.3, 0.975773045947);
}

static void f01_0_5(void) {
    curve_gives(0.5, 0.951691948023);
}

static void f01_1_0(void) {
    curve_gives(1.0, 0.929852689888);
}

static void f01_2_0(void) {
    curve_gives(2.0, 0.918117595141);
}

// The note finds no nice derivative; for E = 1 the peak has a closed form, tan(tan(pi / 2C)) / B.
static void f02(void) {
    const physics_tyre_lanes *tyre = &note_tyre()->axles[0].tyre;
    ROW_SAME((double)tyre->longitudinal.peak_slip[0], PEAK_SLIP, 1e-9);
    ROW_SAME((double)tyre->lateral.peak_slip[0], PEAK_SLIP, 1e-9);
    ROW_NEAR((double)tyre->lateral.peak_slip[0] * 180.0 / PI, 8.923, 5e-4);
    // Another curve that has the closed form: C 1.6, B 8.
    apex_car_def def = scene_corvette();
    def.axles[0].tyre.lateral.b = 8.0;
    def.axles[0].tyre.lateral.c = 1.6;
    tyre = &rows_numbers(&def)->axles[0].tyre;
    ROW_SAME((double)tyre->lateral.peak_slip[0], tan(tan(PI / 3.2)) / 8.0, 1e-9);
}

static void f03(void) {
    ROW_NEAR(curve(PEAK_SLIP), 1.0, 1e-12);
    ROW_IS(curve(0.99 * PEAK_SLIP) < curve(PEAK_SLIP));
    ROW_IS(curve(1.01 * PEAK_SLIP) < curve(PEAK_SLIP));
}

static void f04(void) {
    ROW_BETWEEN(curve(1e12), 0.906036700901, fmax(1e-9, POLYNOMIALS));
    // It comes from above and never reaches it.
    ROW_IS(curve(20.0) > curve(200.0) && curve(200.0) > 0.906036);
}

static void f05(void) {
    const physics_tyre_axis_lanes *axis = &note_tyre()->axles[0].tyre.longitudinal;
    ROW_SAME((double)(axis->rest_secant[0] * axis->per_peak[0]), 20.0, 1e-9);
    ROW_SAME(curve(1e-9) / 1e-9, 20.0, 1e-9);
    // Beyond the slips that take the slope itself: the curve has lost 133 s^2 of it.
    ROW_SAME(curve(1e-4) / 1e-4, 20.0, 1e-5);
}

static void f06(void) {
    static const apex_tyre_model MODELS[] = {APEX_TYRE_MAGIC, APEX_TYRE_LINEAR, APEX_TYRE_BRUSH};
    uint64_t seed = 6;
    for (size_t m = 0; m < sizeof MODELS / sizeof *MODELS; m++) {
        apex_car_def def = scene_corvette();
        def.axles[0].tyre.model = MODELS[m];
        def.axles[0].tyre.slide_force_ratio = 0.8;
        def.axles[0].tyre.lateral.e = 0.3;
        const physics_numbers_lanes *numbers = rows_numbers(&def);
        for (int i = 0; i < 1000; i++) {
            const double slip[2] = {scene_random_between(&seed, -2.0, 2.0),
                                    scene_random_between(&seed, -0.3, 0.3)};
            const double mirrored[2] = {-slip[0], -slip[1]};
            double force[2], back[2];
            rows_tyre_force(numbers, slip, force);
            rows_tyre_force(numbers, mirrored, back);
            ROW_IS(force[0] == -back[0] && force[1] == -back[1]);
            ROW_IS(force[0] != 0.0 && force[1] != 0.0);
        }
    }
}

// The law by itself, and where a rolling tyre's patch settles at these slips.
static void combined_gives(double along, double across, const double wanted_n[2]) {
    double force[2], amount = fmax(1e-9 * hypot(wanted_n[0], wanted_n[1]), POLYNOMIALS * LOAD_N);
    force_at(along, across, force);
    ROW_BETWEEN(LOAD_N * force[0], wanted_n[0], amount);
    ROW_BETWEEN(LOAD_N * force[1], wanted_n[1], amount);
    physics_tyre_input in = rows_tyre_input(LOAD_N, (const double[2]){20.0, -20.0 * across},
                                            20.0 * (1.0 + along) / 0.34);
    physics_grip grip = rows_tyre_settled(note_tyre(), &in);
    ROW_BETWEEN((double)grip.long_n[0], wanted_n[0], amount);
    ROW_BETWEEN((double)grip.lat_n[0], wanted_n[1], amount);
    ROW_IS(hypot((double)grip.long_n[0], (double)grip.lat_n[0]) <= LOAD_N * (1.0 + 1e-6));
}

static void f07_0(void) {
    const double WANTED_N[2] = {2825.4745144, 2825.4745144};
    combined_gives(0.1, 0.1, WANTED_N);
    ROW_NEAR(hypot(WANTED_N[0], WANTED_N[1]), 3995.82438, 5e-6);
}

static void f07_1(void) {
    combined_gives(PEAK_SLIP, PEAK_SLIP, (const double[2]){2802.82733348, 2802.82733348});
}

static void f07_2(void) {
    combined_gives(0.05, 0.1, (const double[2]){1762.39012944, 3524.78025888});
}

static void f07_3(void) {
    combined_gives(-0.2, 0.05, (const double[2]){-3856.10710752, 964.026776879});
}

// Each direction alone at its peak gives 1; added up without coupling that would be the root of
// two. Together the product gives what the combined slip, that root of the peak's, has left.
static void f08(void) {
    double along[2], across[2], both[2];
    force_at(PEAK_SLIP, 0.0, along);
    force_at(0.0, PEAK_SLIP, across);
    force_at(PEAK_SLIP, PEAK_SLIP, both);
    ROW_SAME(hypot(along[0], across[1]), 1.41421356237, 1e-9);
    ROW_SAME(hypot(both[0], both[1]), curve(sqrt(2.0) * PEAK_SLIP), 1e-9);
    ROW_IS(hypot(both[0], both[1]) < 0.995);
}

static void f09(void) { // the note divides 0 by 0 here
    double force[2];
    force_at(1e-9, 0.0, force);
    ROW_SAME(LOAD_N * force[0], 8e-5, 1e-6);
    force_at(0.0, 0.0, force);
    ROW_IS(force[0] == 0.0 && force[1] == 0.0);
    // No step where the curve takes over from its slope, at 1e-4 of the peak.
    ROW_SAME(curve(1.001e-4 * PEAK_SLIP) / curve(0.999e-4 * PEAK_SLIP), 1.001 / 0.999, 1e-6);
}

static double settled_tangent(const rows_bench *bench, uint32_t axle) {
    double speed[2];
    rows_bench_axle_speed(bench, axle, speed);
    physics_tyre_input in = rows_tyre_input(LOAD_N, speed, speed[0] / 0.34);
    physics_grip grip = rows_tyre_settled(bench->step.numbers, &in);
    return (double)(grip.slip_lat[0] * bench->step.numbers->axles[0].tyre.lateral.peak_slip[0]);
}

// Erratum: the note divides by the whole speed. Sideways at 45 degrees that would be 35.3 degrees;
// the slip angle is by the speed along the wheel.
static void f10(void) {
    apex_car_def def = rows_monster_car();
    rows_bench bench = {.solo = rows_solo(&def, &(rows_place){0})};
    rows_bench_set(&bench, (const double[3]){10.0, 10.0, 0.0}, 0.0);
    ROW_NEAR(settled_tangent(&bench, 0), -1.0, 1e-9);
    ROW_NEAR(settled_tangent(&bench, 1), -1.0, 1e-9);
    const textbook_motion sideways = {10.0, 10.0, 0.0};
    ROW_NEAR(textbook_slip_angle_rad(&sideways, 1.25, 0.0), 0.25 * PI, 1e-12);
    // Turning, too: what the axles' places add and take. Steering takes from the front one.
    rows_bench_set(&bench, (const double[3]){10.0, 4.0, 2.0}, 0.2);
    const textbook_motion turning = {10.0, 4.0, 2.0};
    ROW_NEAR(settled_tangent(&bench, 0), -tan(atan(0.65) - 0.2), 1e-9);
    ROW_NEAR(settled_tangent(&bench, 1), -0.15, 1e-9);
    ROW_NEAR(textbook_slip_angle_rad(&turning, 1.25, 0.2), atan(0.65) - 0.2, 1e-12);
    ROW_NEAR(textbook_slip_angle_rad(&turning, -1.25, 0.0), atan(0.15), 1e-12);
    scene_solo_destroy(&bench.solo);
}

static double settled_ratio(double forward_mps, double left_mps, double wheel_mps) {
    const double speed[2] = {forward_mps, left_mps};
    const physics_numbers_lanes *numbers = note_tyre();
    physics_tyre_input in = rows_tyre_input(LOAD_N, speed, wheel_mps / 0.34);
    physics_grip grip = rows_tyre_settled(numbers, &in);
    return (double)(grip.slip_long[0] * numbers->axles[0].tyre.longitudinal.peak_slip[0]);
}

// Erratum as above; and where the note divides by 0, a standing car's wheel slides with the grip
// that there is.
static void f11(void) {
    ROW_NEAR(settled_ratio(10.0, 0.0, 11.0), 0.1, 1e-9);
    ROW_NEAR(settled_ratio(10.0, 10.0, 11.0), 0.1, 1e-9);
    ROW_NEAR(settled_ratio(-10.0, 3.0, -9.0), 0.1, 1e-9);
    const physics_numbers_lanes *numbers = note_tyre();
    for (int way = -1; way <= 1; way += 2) {
        physics_tyre_input in = rows_tyre_input(LOAD_N, (const double[2]){0.0, 0.0}, way * 30.0);
        physics_grip grip = rows_tyre_settled(numbers, &in);
        ROW_IS(way * (double)grip.long_n[0] > 0.9 * LOAD_N);
        ROW_IS(way * (double)grip.long_n[0] <= LOAD_N * (1.0 + 1e-6));
        ROW_IS(grip.lat_n[0] == R(0.0));
    }
    physics_tyre_input still = rows_tyre_input(LOAD_N, (const double[2]){0.0, 0.0}, 0.0);
    physics_grip grip = rows_tyre_settled(numbers, &still);
    ROW_IS(grip.long_n[0] == R(0.0) && grip.slip[0] == R(0.0));
}

static const row ROWS[] = {
    ROW("F01.0.01", f01_0_01), ROW("F01.0.05", f01_0_05), ROW("F01.0.1", f01_0_1),
    ROW("F01.0.15", f01_0_15), ROW("F01.0.2", f01_0_2),   ROW("F01.0.3", f01_0_3),
    ROW("F01.0.5", f01_0_5),   ROW("F01.1.0", f01_1_0),   ROW("F01.2.0", f01_2_0),
    ROW("F02", f02),           ROW("F03", f03),           ROW("F04", f04),
    ROW("F05", f05),           ROW("F06", f06),           ROW("F07.0", f07_0),
    ROW("F07.1", f07_1),       ROW("F07.2", f07_2),       ROW("F07.3", f07_3),
    ROW("F08", f08),           ROW("F09", f09),           ROW("F10", f10),
    ROW("F11", f11),
};

ROWS_TEST(ROWS)
