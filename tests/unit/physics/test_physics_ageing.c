// Heat and wear of tyres and brakes, and what they cost, against the closed forms.

#include "physics/dynamics/pass/stages.h"
#include "support/base/check_main.h"
#include "support/physics/rows_stages.h"
#include "support/physics/scenes.h"

static const double SPEED_MPS = 40.0, RADIUS_M = 0.34;

// The Corvette: tyres of 9 kJ/K and 0.002 a MJ, brakes of 5 kJ/K.
static rows_bench open_bench(bool temperatures, bool wear) {
    apex_car_def def = scene_corvette();
    def.aids = (apex_aids_def){0};
    apex_world_def world = scene_world_def(1);
    world.temperatures = temperatures;
    world.tyres_wear = wear;
    rows_bench bench = {.solo = scene_solo_create_in(&world, &def, scene_flat())};
    rows_bench_set(&bench, (const double[3]){SPEED_MPS, 0.0, 0.0}, 0.0);
    bench.step.h_s = R(1.0); // so that a rate can be read off
    return bench;
}

static void close_bench(rows_bench *bench) {
    scene_solo_destroy(&bench->solo);
}

// 3 kN at 5 m/s of slip along and 2 kN at 0.5 m/s across: 16 kW. 1 kNm of brake at 100 rad/s, 20
// K/s. Signs are those of braking in a bend.
static const double SLIDING_W = 3000.0 * 5.0 + 2000.0 * 0.5;

static void slide(rows_bench *bench, uint32_t wheel, double spin_radps) {
    physics_wheel_pass *pass = &bench->step.wheels[wheel];
    pass->grip.long_n = lanes_all(R(-3000.0));
    pass->grip.lat_n = lanes_all(R(2000.0));
    pass->speed_x_mps = lanes_all((real)(spin_radps * RADIUS_M + 5.0));
    pass->speed_y_mps = lanes_all(R(-0.5));
    pass->brake_nm = lanes_all(R(1000.0));
    bench->step.block->wheels[wheel].spin_radps = lanes_all((real)spin_radps);
}

static void set_temperatures(rows_bench *bench, double tyre_c, double brake_c) {
    for (uint32_t w = 0; w < 4; w++) {
        bench->step.block->wheels[w].temperature_c = lanes_all((real)tyre_c);
        bench->step.block->wheels[w].brake_temperature_c = lanes_all((real)brake_c);
    }
}

static double one(const lanes *of) {
    return (double)(*of)[0];
}

// Cooling: 2 % of what is above 25 degrees in a second, and 0.1 % in a metre: 6 % at 40 m/s.
static void check_rates(double spin_radps, double speed_mps) {
    rows_bench bench = open_bench(true, true);
    set_temperatures(&bench, 85.0, 425.0);
    bench.step.velocity_mps[0] = lanes_all((real)speed_mps);
    slide(&bench, 1, spin_radps);
    physics_heat_and_wear_base(&bench.step);
    const physics_wheel_lanes *wheels = bench.step.block->wheels;
    double warmer_c = 0.5 * SLIDING_W / 9000.0;
    ck_assert_double_eq_tol(one(&wheels[1].temperature_c), 85.0 - 60.0 * 0.06 + warmer_c, 1e-4);
    ck_assert_double_eq_tol(one(&wheels[1].brake_temperature_c), 425.0 - 400.0 * 0.06 + 20.0, 1e-3);
    ck_assert_double_eq_tol(one(&wheels[1].wear), SLIDING_W * 0.002e-6, 1e-9);
    // The others only cool.
    for (uint32_t w = 0; w < 4; w += w == 0 ? 2 : 1) {
        bench.step.wheels[w].brake_nm = lanes_zero();
        ck_assert_double_eq_tol(one(&wheels[w].temperature_c), 85.0 - 60.0 * 0.06, 1e-4);
        ck_assert_double_eq_tol(one(&wheels[w].brake_temperature_c), 425.0 - 400.0 * 0.06, 1e-3);
        ck_assert_double_eq(one(&wheels[w].wear), 0.0);
    }
    close_bench(&bench);
}

TEST(half_of_the_sliding_warms_and_all_of_it_wears) {
    check_rates(100.0, SPEED_MPS);
    check_rates(-100.0, -SPEED_MPS);
}

TEST(what_stands_cools_by_two_percent_a_second) {
    rows_bench bench = open_bench(true, false);
    set_temperatures(&bench, 125.0, 225.0);
    bench.step.velocity_mps[0] = lanes_zero();
    physics_heat_and_wear_base(&bench.step);
    ck_assert_double_eq_tol(one(&bench.step.block->wheels[3].temperature_c), 123.0, 1e-4);
    ck_assert_double_eq_tol(one(&bench.step.block->wheels[3].brake_temperature_c), 221.0, 1e-4);
    set_temperatures(&bench, -25.0, 25.0); // colder than the air: warmed by it
    physics_heat_and_wear_base(&bench.step);
    ck_assert_double_eq_tol(one(&bench.step.block->wheels[3].temperature_c), -24.0, 1e-4);
    ck_assert_double_eq(one(&bench.step.block->wheels[3].brake_temperature_c), 25.0);
    close_bench(&bench);
}

TEST(a_substep_ages_by_its_length) {
    rows_bench bench = open_bench(true, true);
    bench.step.h_s = R(0.25);
    set_temperatures(&bench, 25.0, 25.0);
    slide(&bench, 0, 100.0);
    physics_heat_and_wear_base(&bench.step);
    const physics_wheel_lanes *wheel = &bench.step.block->wheels[0];
    ck_assert_double_eq_tol(one(&wheel->temperature_c), 25.0 + 0.125 * SLIDING_W / 9000.0, 1e-5);
    ck_assert_double_eq_tol(one(&wheel->brake_temperature_c), 30.0, 1e-5);
    ck_assert_double_eq_tol(one(&wheel->wear), 0.25 * SLIDING_W * 0.002e-6, 1e-9);
    close_bench(&bench);
}

TEST(each_ages_only_where_it_is_asked_for) {
    for (int heat = 0; heat < 2; heat++) {
        rows_bench bench = open_bench(heat == 1, heat == 0);
        set_temperatures(&bench, 25.0, 25.0);
        slide(&bench, 2, 100.0);
        physics_heat_and_wear_base(&bench.step);
        const physics_wheel_lanes *wheel = &bench.step.block->wheels[2];
        ck_assert_int_eq(one(&wheel->temperature_c) > 25.5, heat);
        ck_assert_int_eq(one(&wheel->brake_temperature_c) > 40.0, heat);
        ck_assert_int_eq(one(&wheel->wear) > 3e-5, 1 - heat);
        close_bench(&bench);
    }
}

TEST(held_cars_do_not_age_and_nothing_wears_beyond_worn_out) {
    rows_bench bench = open_bench(true, true);
    set_temperatures(&bench, 85.0, 425.0);
    slide(&bench, 0, 100.0);
    slide(&bench, 1, 100.0);
    bench.step.block->wheels[1].wear = lanes_all(R(0.99999));
    lanes_mask moves = bench.step.drive->is_dynamic;
    bench.step.drive->is_dynamic = lanes_true(lanes_zero());
    physics_heat_and_wear_base(&bench.step);
    ck_assert_double_eq(one(&bench.step.block->wheels[0].temperature_c), 85.0);
    ck_assert_double_eq(one(&bench.step.block->wheels[0].brake_temperature_c), 425.0);
    ck_assert_double_eq(one(&bench.step.block->wheels[0].wear), 0.0);
    bench.step.drive->is_dynamic = moves;
    physics_heat_and_wear_base(&bench.step);
    ck_assert_double_eq(one(&bench.step.block->wheels[1].wear), 1.0);
    close_bench(&bench);
}

/// A tyre's state, and the share of its grip that is left.
typedef struct grip_row {
    double off_c, wear, left;
} grip_row;

static void check_grip(const grip_row *row, bool temperatures, bool wear) {
    rows_bench bench = open_bench(temperatures, wear);
    const double BEST_C = 80.0;
    for (uint32_t w = 0; w < 4; w++) {
        physics_wheel_lanes *wheel = &bench.step.block->wheels[w];
        // Only the rear right one is not as new.
        wheel->temperature_c = lanes_all((real)(BEST_C + (w == 3 ? row->off_c : 0.0)));
        wheel->wear = lanes_all((real)(w == 3 ? row->wear : 0.0));
    }
    physics_tyres_base(&bench.step);
    ck_assert_double_eq_tol(one(&bench.step.wheels[2].friction), 1.0, 1e-6);
    ck_assert_double_eq_tol(one(&bench.step.wheels[3].friction), row->left, 1e-6);
    close_bench(&bench);
}

// The window is 40 degrees: 0.1 of the grip for its square, 0.4 at the most; all the wear 0.3.
TEST(heat_cold_and_wear_cost_grip) {
    static const grip_row HEAT[] = {{0.0, 0.0, 1.0},    {40.0, 0.0, 0.9},   {-40.0, 0.0, 0.9},
                                    {20.0, 1.0, 0.975}, {60.0, 0.0, 0.775}, {120.0, 0.0, 0.6},
                                    {-200.0, 0.0, 0.6}};
    static const grip_row WEAR[] = {{120.0, 0.0, 1.0}, {0.0, 0.5, 0.85}, {-60.0, 1.0, 0.7}};
    static const grip_row BOTH = {40.0, 0.5, 0.9 * 0.85};
    for (uint32_t i = 0; i < sizeof HEAT / sizeof *HEAT; i++) {
        check_grip(&HEAT[i], true, false);
    }
    for (uint32_t i = 0; i < sizeof WEAR / sizeof *WEAR; i++) {
        check_grip(&WEAR[i], false, true);
    }
    check_grip(&BOTH, true, true);
    check_grip(&(grip_row){120.0, 1.0, 1.0}, false, false);
}

// From 450 degrees on a quarter for each 100, to a fifth at the most; the handbrake's is another.
TEST(hot_brakes_fade_and_the_handbrake_does_not) {
    static const double WANTED[][2] = {{300.0, 1.0}, {450.0, 1.0}, {550.0, 0.75},
                                       {650.0, 0.5}, {770.0, 0.2}, {2000.0, 0.2}};
    for (uint32_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
        rows_bench bench = open_bench(true, false);
        set_temperatures(&bench, 80.0, 25.0);
        bench.step.block->wheels[1].brake_temperature_c = lanes_all((real)WANTED[i][0]);
        bench.step.block->wheels[2].brake_temperature_c = lanes_all((real)WANTED[i][0]);
        bench.step.drive->brake = lanes_all(R(0.5));
        physics_aids_base(&bench.step);
        ck_assert_double_eq_tol(one(&bench.step.wheels[0].brake_nm), 1200.0, 1e-3);
        ck_assert_double_eq_tol(one(&bench.step.wheels[1].brake_nm), 1200.0 * WANTED[i][1], 1e-3);
        ck_assert_double_eq_tol(one(&bench.step.wheels[2].brake_nm), 750.0 * WANTED[i][1], 1e-3);
        bench.step.drive->brake = lanes_zero();
        bench.step.drive->handbrake = lanes_all(R(1.0));
        physics_aids_base(&bench.step);
        ck_assert_double_eq(one(&bench.step.wheels[1].brake_nm), 0.0);
        ck_assert_double_eq_tol(one(&bench.step.wheels[2].brake_nm), 1500.0, 1e-3);
        close_bench(&bench);
    }
}
