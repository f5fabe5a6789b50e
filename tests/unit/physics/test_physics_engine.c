// Turbo and fuel by their closed forms, what a service and being put back do to a car, and the
// inertia of its body.

#include "physics/type/type_build.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>

static const double H_S = 1.0 / 240.0;

// In neutral, at this speed of the engine, for one substep.
static scene_solo rev(const apex_car_def *def, double engine_radps, double boost,
                      uint8_t throttle) {
    apex_world_def world = scene_world_def(1);
    world.tick_hz = 240;
    world.fuel_burns = def->fuel_kg_max > 0.0;
    scene_solo solo = scene_solo_create_in(&world, def, scene_flat());
    apex_car_state state = scene_solo_state(&solo);
    state.gear = state.gear_before = APEX_GEAR_NEUTRAL;
    state.engine_radps = engine_radps;
    state.boost = boost;
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    solo.controls.throttle = throttle;
    scene_solo_run(&solo, 1);
    return solo;
}

// The Corvette's torque at 300 rad/s, which are 2865 rpm, lies between those at 2500 and 4400; at
// 500 rad/s, 4775 rpm, between those at 4400 and 5600. Full boost from half of 6200 rpm on.
static void check_turbo(double engine_radps, double full_nm, double target) {
    const double LAG_S = 0.4, SHARE = 0.3, BEFORE = 0.2;
    apex_car_def def = scene_plain_car();
    def.engine.turbo_lag_s = LAG_S;
    def.engine.turbo_share = SHARE;
    scene_solo solo = rev(&def, engine_radps, BEFORE, 255);
    double boost = BEFORE + (target - BEFORE) * H_S / (LAG_S + H_S);
    ck_assert_double_eq_tol(scene_solo_state(&solo).boost, boost, 1e-6);
    ck_assert_double_eq_tol(scene_solo_work(&solo).engine_torque_nm,
                            full_nm * (1.0 - SHARE * (1.0 - boost)), 0.01);
    scene_solo_destroy(&solo);
}

TEST(a_turbo_follows_throttle_and_speed_by_its_lag) {
    const double RPM = 30.0 / acos(-1.0);
    check_turbo(300.0, 448.0 + 27.0 * (300.0 * RPM - 2500.0) / 1900.0, 300.0 * RPM / 3100.0);
    check_turbo(500.0, 475.0 - 37.0 * (500.0 * RPM - 4400.0) / 1200.0, 1.0);
}

// 0.024 kg/s at idle are 0.1 g in a substep; 0.05 kg a MJ on top.
TEST(fuel_burns_by_power_and_time) {
    apex_car_def def = scene_plain_car();
    def.fuel_kg_max = 0.01;
    def.engine.fuel_idle_kg_per_s = 0.024;
    def.engine.fuel_kg_per_mj = 0.05;
    scene_solo coasting = rev(&def, 300.0, 0.0, 0), pulling = rev(&def, 300.0, 0.0, 255);
    ck_assert_double_eq_tol(scene_solo_state(&coasting).fuel_kg, 0.0099, 1e-8);
    apex_car_state state = scene_solo_state(&pulling);
    double power_w = scene_solo_work(&pulling).engine_torque_nm * state.engine_radps;
    ck_assert_double_gt(power_w, 1.3e5);
    ck_assert_double_eq_tol(state.fuel_kg, 0.0099 - power_w * H_S * 0.05e-6, 1e-8);
    scene_solo_destroy(&coasting);
    scene_solo_destroy(&pulling);
}

TEST(a_service_fills_no_more_than_there_is_room_for) {
    apex_car_def def = apex_default_car_def();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    apex_service less = {.fuel_kg = 10.0, .ballast_kg = 20.0};
    apex_world_service_car(solo.world, solo.car, &less);
    ck_assert_double_eq(scene_solo_state(&solo).fuel_kg, 10.0);
    ck_assert_double_eq(scene_solo_state(&solo).ballast_kg, 20.0);
    apex_service none = {.fuel_kg = -1.0, .ballast_kg = -1.0};
    apex_world_service_car(solo.world, solo.car, &none);
    ck_assert_double_eq(scene_solo_state(&solo).fuel_kg, 10.0);
    ck_assert_double_eq(scene_solo_state(&solo).ballast_kg, 20.0);
    apex_service more = {.fuel_kg = 1000.0, .ballast_kg = 1e5};
    apex_world_service_car(solo.world, solo.car, &more);
    ck_assert_double_eq(scene_solo_state(&solo).fuel_kg, 45.0);
    ck_assert_double_eq(scene_solo_state(&solo).ballast_kg, 1300.0); // as much as it weighs
    scene_solo_destroy(&solo);
}

// A blown engine stands still; any other idles, and no turbo spins.
TEST(who_is_put_back_idles_unless_the_engine_is_blown) {
    for (int blown = 0; blown < 2; blown++) {
        apex_car_def def = scene_plain_car();
        scene_solo solo = scene_solo_create(&def, scene_flat());
        apex_car_state state = scene_solo_state(&solo);
        state.engine_blown = blown;
        state.engine_radps = 400.0;
        state.boost = 0.5;
        state.lean_rad = state.lean_radps = state.steer_rad = 0.1;
        ck_assert(apex_world_set_car(solo.world, solo.car, &state));
        apex_world_place_car(solo.world, solo.car, &(apex_placement){.x_m = 3.0});
        state = scene_solo_state(&solo);
        double idle_radps = 800.0 * acos(-1.0) / 30.0;
        ck_assert_double_eq_tol(state.engine_radps, blown ? 0.0 : idle_radps, 1e-4);
        ck_assert_int_eq(state.engine_blown, blown);
        ck_assert_double_eq(state.boost, 0.0);
        ck_assert_double_eq(state.steer_rad, 0.0);
        ck_assert_double_eq(state.lean_rad, 0.0);
        ck_assert_double_eq(state.lean_radps, 0.0);
        scene_solo_destroy(&solo);
    }
}

// Hubs of 40 kg, 0.75 m to either side and 1.3 m before and behind, move by themselves.
TEST(the_bodys_inertia_is_without_its_hubs) {
    apex_car_def def = apex_default_car_def();
    physics_type type;
    physics_type_build(&type, &def, H_S);
    ck_assert_double_eq_tol((double)type.numbers.inertia_kgm2[0], 450.0 - 90.0, 1e-3);
    ck_assert_double_eq_tol((double)type.numbers.inertia_kgm2[1], 1700.0 - 270.4, 1e-3);
    ck_assert_double_eq_tol((double)type.numbers.inertia_kgm2[2], 1950.0, 1e-3);
}
