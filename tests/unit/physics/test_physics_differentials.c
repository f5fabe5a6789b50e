// The torque that differentials pass between what they join, worked out wheel by wheel: what
// spins a wheel up is its share of the gearbox's torque, what the differential adds, less the tyre.

#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>

static const double H_S = 1.0 / 240.0;

// Nothing turns the wheels but gearbox, differentials and tyres.
static apex_car_def bare_car(void) {
    apex_car_def def = scene_plain_car();
    def.centre_differential.kind = APEX_DIFFERENTIAL_OPEN;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.rolling_coefficient = 0.0;
        def.axles[a].tyre.rolling_coefficient_s_per_m = 0.0;
        def.axles[a].differential.kind = APEX_DIFFERENTIAL_OPEN;
    }
    return def;
}

static const apex_differential_def LIMITED = {.kind = APEX_DIFFERENTIAL_LIMITED_SLIP,
                                              .preload_nm = 30.0,
                                              .power_bias = 0.4,
                                              .coast_bias = 0.15,
                                              .viscous_nms_per_rad = 20.0};

/// A moment on the road: gear, engine and each wheel's spin before the substep.
typedef struct moment {
    int8_t gear;
    double speed_mps, engine_radps;
    double faster_radps[4]; ///< than the road
} moment;

/// What came of it.
typedef struct shares {
    double passed_nm[4]; ///< to each wheel beside its share of the drive torque
    double gearbox_nm;   ///< through the gearbox, before losses
} shares;

static shares take_substep(const apex_car_def *def, const moment *at) {
    apex_world_def world = scene_world_def(1);
    world.tick_hz = 240;
    scene_solo solo = scene_solo_create_in(&world, def, scene_flat());
    scene_solo_run(&solo, 60);
    apex_car_state state = scene_solo_state(&solo);
    double radius_m = def->axles[0].tyre.radius_m, before[4];
    state.velocity_mps[0] = at->speed_mps;
    state.engine_radps = at->engine_radps;
    state.gear = state.gear_before = at->gear;
    state.shift_left_s = 0.0;
    for (uint32_t w = 0; w < 4; w++) {
        before[w] = at->speed_mps / radius_m + at->faster_radps[w];
        state.wheels[w].spin_radps = before[w];
    }
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    solo.controls.gear = at->gear;
    solo.controls.throttle = at->engine_radps > 400.0 ? 255 : 0;
    scene_solo_run(&solo, 1);
    apex_car_state after = scene_solo_state(&solo);
    apex_car_work work = scene_solo_work(&solo);
    double ratio = at->gear > 0 ? def->gearbox.ratio[at->gear - 1] : -def->gearbox.reverse_ratio;
    shares out = {.gearbox_nm = work.clutch_torque_nm * ratio * def->gearbox.final_drive};
    for (uint32_t w = 0; w < 4; w++) {
        const apex_axle_def *axle = &def->axles[w / 2];
        double spun_nm = axle->tyre.inertia_kgm2 * (after.wheels[w].spin_radps - before[w]) / H_S;
        out.passed_nm[w] = spun_nm + work.wheels[w].force_long_n * radius_m -
                           0.5 * axle->drive_share * work.drive_torque_nm;
    }
    scene_solo_destroy(&solo);
    return out;
}

// 30 m/s in second are 537 rad/s of the engine. Backwards, the engine drives below 0.
static const moment POWER = {2, 30.0, 640.0, {0.0, 0.0, 30.0, -30.0}};
static const moment COAST = {2, 30.0, 300.0, {0.0, 0.0, 30.0, -30.0}};
static const moment REVERSE_POWER = {-1, -10.0, 500.0, {0.0, 0.0, 30.0, -30.0}};

static void check_axle(const moment *at, double bias, int power) {
    apex_car_def def = bare_car();
    def.axles[1].differential = LIMITED;
    shares got = take_substep(&def, at);
    double limit_nm = 30.0 + bias * fabs(got.gearbox_nm);
    ck_assert_int_eq(got.gearbox_nm * at->gear > 0.0, power);
    ck_assert_double_gt(fabs(got.gearbox_nm), 300.0);
    ck_assert_double_eq_tol(got.passed_nm[2], -limit_nm, 0.01 * limit_nm); // the faster one
    ck_assert_double_eq_tol(got.passed_nm[3], limit_nm, 0.01 * limit_nm);
}

TEST(an_axles_slip_is_limited_by_the_bias_of_power_and_coast) {
    check_axle(&POWER, 0.4, 1);
    check_axle(&COAST, 0.15, 0);
    check_axle(&REVERSE_POWER, 0.4, 1);
}

TEST(an_open_one_passes_nothing) {
    apex_car_def def = bare_car();
    def.axles[1].differential = LIMITED;
    def.axles[1].differential.kind = APEX_DIFFERENTIAL_OPEN;
    shares got = take_substep(&def, &POWER);
    ck_assert_double_gt(got.gearbox_nm, 300.0);
    ck_assert_double_eq_tol(got.passed_nm[2], 0.0, 5.0);
    ck_assert_double_eq_tol(got.passed_nm[3], 0.0, 5.0);
}

// Between axles that drive with 0.4 and 0.6: half of what it passes goes to each wheel.
static void check_centre(const moment *from, double bias, int power) {
    apex_car_def def = bare_car();
    def.axles[0].drive_share = 0.4;
    def.axles[1].drive_share = 0.6;
    def.centre_differential = LIMITED;
    moment at = *from;
    at.faster_radps[0] = at.faster_radps[1] = -30.0;
    at.faster_radps[2] = at.faster_radps[3] = 30.0;
    shares got = take_substep(&def, &at);
    double limit_nm = 30.0 + bias * fabs(got.gearbox_nm);
    ck_assert_int_eq(got.gearbox_nm * at.gear > 0.0, power);
    for (uint32_t w = 0; w < 4; w++) {
        double wanted_nm = (w < 2 ? 0.5 : -0.5) * limit_nm;
        ck_assert_double_eq_tol(got.passed_nm[w], wanted_nm, 0.01 * limit_nm);
    }
}

TEST(the_centres_slip_is_limited_by_the_bias_of_power_and_coast) {
    check_centre(&POWER, 0.4, 1);
    check_centre(&COAST, 0.15, 0);
    check_centre(&REVERSE_POWER, 0.4, 1);
}

// Torque for each rad/s of what slip is left at the substep's end.
TEST(a_viscous_one_passes_torque_by_its_slip) {
    apex_car_def def = bare_car();
    def.axles[1].differential = LIMITED;
    def.axles[1].differential.kind = APEX_DIFFERENTIAL_VISCOUS;
    apex_car_def stiffer = def;
    stiffer.axles[1].differential.viscous_nms_per_rad = 40.0;
    shares got = take_substep(&def, &POWER), more = take_substep(&stiffer, &POWER);
    // The slip falls as the substep goes on: by the tyres, and by what is passed.
    ck_assert_double_lt(-got.passed_nm[2], 20.0 * 60.0);
    ck_assert_double_gt(-got.passed_nm[2], 20.0 * 60.0 * 0.3);
    ck_assert_double_eq_tol(got.passed_nm[3], -got.passed_nm[2], 5.0);
    ck_assert_double_gt(-more.passed_nm[2], -1.2 * got.passed_nm[2]);
}
