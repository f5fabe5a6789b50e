// builds: float double
// Worked numbers of the sources (Monster, Palmer, the thesis) against what the model computes:
// engine, gears, drag, rolling, loads and their transfer, coasting down, top speed.

#include "physics/car_private.h"
#include "support/check_main.h"
#include "support/scenes.h"

#include <math.h>
#include <string.h>

static const double RPM = 3.14159265358979323846 / 30.0;

static physics_type *build(const apex_car_def *def) {
    static physics_type type;
    apex_def_problem problem;
    ck_assert_msg(apex_car_def_check(def, &problem), "%s: %s", problem.field, problem.reason);
    physics_type_build(&type, def);
    return &type;
}

static double torque_at(const apex_car_def *def, double rpm) {
    return (double)physics_engine_curve_nm(&build(def)->engine, (real)(rpm * RPM));
}

START_TEST(torque_between_points) { // M28
    apex_car_def def = scene_corvette();
    ck_assert_double_eq_tol(torque_at(&def, 3450.0), 461.5, 1e-3);
    ck_assert_double_eq_tol(torque_at(&def, 4400.0), 475.0, 1e-3);
    ck_assert_double_eq_tol(torque_at(&def, 100.0), 390.0, 1e-3);
    ck_assert_double_eq_tol(torque_at(&def, 9000.0), 380.0, 1e-3);
}
END_TEST

START_TEST(boxster_torque_curve) { // P03, Palmer 8.17: 220, then 0.025 rpm + 195, 457.2 - 0.032 rpm
    static const double ROWS[][2] = {{500, 220},  {1000, 220},   {2800, 265},
                                     {4600, 310}, {6200, 258.8}, {7200, 226.8}};
    apex_car_def def = scene_corvette();
    const double AT[] = {1000.0, 4600.0, 7200.0}, NM[] = {220.0, 310.0, 226.8};
    def.engine.torque_count = 3;
    memcpy(def.engine.torque_rpm, AT, sizeof AT);
    memcpy(def.engine.torque_nm, NM, sizeof NM);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        ck_assert_double_eq_tol(torque_at(&def, ROWS[i][0]), ROWS[i][1], 1e-3);
    }
}
END_TEST

START_TEST(speeds_in_each_gear) { // M40 at 6000 rpm, km/h
    static const double KMH[] = {84.5383064678, 126.332525396, 172.978380926,
                                 224.871895204, 303.880939465, 449.743790409};
    apex_car_def def = scene_corvette();
    physics_type *type = build(&def);
    physics_car car = {0};
    for (int8_t gear = 1; gear <= 6; gear++) {
        for (uint32_t w = 0; w < 4; w++) {
            car.wheels[w].spin_radps = (real)(KMH[gear - 1] / 3.6 / 0.34);
        }
        double radps = (double)physics_gearbox_input_radps(&car, type, gear);
        ck_assert_double_eq_tol(radps / RPM, 6000.0, 1e-2);
    }
    for (uint32_t w = 0; w < 4; w++) {
        car.wheels[w].spin_radps = (real)(-77.5420328291 / 3.6 / 0.34);
    }
    ck_assert_double_eq_tol((double)physics_gearbox_input_radps(&car, type, -1) / RPM, 6000.0,
                            1e-2);
}
END_TEST

START_TEST(boxster_table_8_2) { // P05 at 7200 rpm, m/s
    static const double MPS[] = {18.2803742, 31.7413769, 45.9414666,
                                 57.2385486, 68.4617934, 83.1321777};
    const double RATIO[] = {3.82, 2.2, 1.52, 1.22, 1.02, 0.84};
    apex_car_def def = scene_corvette();
    memcpy(def.gearbox.ratio, RATIO, sizeof RATIO);
    def.gearbox.final_drive = 3.44;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.radius_m = 0.3186; // P02, 225/40-18
    }
    physics_type *type = build(&def);
    physics_car car = {0};
    for (int8_t gear = 1; gear <= 6; gear++) {
        car.wheels[2].spin_radps = car.wheels[3].spin_radps = (real)(MPS[gear - 1] / 0.3186);
        double radps = (double)physics_gearbox_input_radps(&car, type, gear);
        ck_assert_double_eq_tol(radps / RPM, 7200.0, 1e-2);
    }
}
END_TEST

// A step's stages on a car that stands on level ground with the speeds given.
typedef struct bench_car {
    scene_solo solo;
    physics_car_step step;
    physics_work work;
} bench_car;

static void put_on_bench(bench_car *bench, const apex_car_def *def, double x_mps, double y_mps) {
    bench->solo = scene_solo_create(def, scene_flat());
    apex_world *world = bench->solo.world;
    bench->step = (physics_car_step){.world = world,
                                     .type = &world->types[0],
                                     .input = &world->inputs[0],
                                     .car = &world->cars[0],
                                     .work = &bench->work,
                                     .h_s = world->h_s};
    world->cars[0].velocity_mps[0] = (real)x_mps;
    world->cars[0].velocity_mps[1] = (real)y_mps;
    physics_stance_sample(&bench->step);
    physics_aero_forces(&bench->step);
}

START_TEST(drag_is_against_the_whole_velocity) { // M01, M04: 0.4257 v |v|
    apex_car_def def = scene_plain_car();
    def.aero.drag_coefficient = 0.30;
    def.aero.frontal_area_m2 = 2.2;
    bench_car bench;
    put_on_bench(&bench, &def, 30.0, 40.0);
    // The default air is 1.2 kg/m3, Monster's 1.29.
    double drag = (double)bench.step.drag_n * 1.29 / 1.2;
    ck_assert_double_eq_tol(drag, hypot(638.55, 851.4), 1e-2);
    scene_solo_destroy(&bench.solo);
}
END_TEST

static void loads(bench_car *bench, double ax, double ay, double out[4]) {
    bench->step.car->acceleration_mps2[0] = (real)ax;
    bench->step.car->acceleration_mps2[1] = (real)ay;
    bench->step.drag_n = R(0.0);
    bench->step.lift_n = R(0.0);
    physics_stance_loads(&bench->step);
    for (uint32_t w = 0; w < 4; w++) {
        out[w] = (double)bench->step.load_n[w];
    }
}

static apex_car_def round_car(void) { // M12: 1500 kg, axles 1.25 m before and behind, 1 m high
    apex_car_def def = scene_plain_car();
    def.com_height_m = 1.0;
    return def;
}

START_TEST(loads_at_rest_and_accelerating) { // M12 to M14, g 9.8
    apex_car_def def = round_car();
    bench_car bench;
    put_on_bench(&bench, &def, 0.0, 0.0);
    bench.solo.world->gravity_mps2 = R(9.8);
    double n[4];
    loads(&bench, 0.0, 0.0, n);
    ck_assert_double_eq_tol(n[0] + n[1], 7350.0, 0.01);
    ck_assert_double_eq_tol(n[2] + n[3], 7350.0, 0.01);
    loads(&bench, 4.9, 0.0, n);
    ck_assert_double_eq_tol(n[0] + n[1], 4410.0, 0.01);
    ck_assert_double_eq_tol(n[2] + n[3], 10290.0, 0.01);
    loads(&bench, -4.9, 0.0, n);
    ck_assert_double_eq_tol(n[0] + n[1], 10290.0, 0.01);
    scene_solo_destroy(&bench.solo);
}
END_TEST

START_TEST(loads_turning) { // T10: W 14700, h 0.5, t 1.5, 4.9 m/s2 -> 2450 N over both axles
    apex_car_def def = round_car();
    def.com_height_m = 0.5;
    def.axles[0].track_width_m = def.axles[1].track_width_m = 1.5;
    bench_car bench;
    put_on_bench(&bench, &def, 0.0, 0.0);
    bench.solo.world->gravity_mps2 = R(9.8);
    double n[4];
    loads(&bench, 0.0, 4.9, n); // to the left: the right wheels gain
    ck_assert_double_eq_tol(n[1] + n[3] - 7350.0, 2450.0, 0.01);
    ck_assert_double_eq_tol(n[0] + n[1] + n[2] + n[3], 14700.0, 0.01);
    // Far past tipping: the inner wheels are empty, nothing is negative, nothing is lost.
    loads(&bench, 0.0, 60.0, n);
    ck_assert(n[0] == 0.0 && n[2] == 0.0);
    ck_assert_double_eq_tol(n[1] + n[3], 14700.0, 0.01);
    loads(&bench, 60.0, 0.0, n);
    ck_assert(n[0] == 0.0 && n[1] == 0.0);
    ck_assert_double_eq_tol(n[2] + n[3], 14700.0, 0.01);
    scene_solo_destroy(&bench.solo);
}
END_TEST

START_TEST(three_axles_carry_the_whole) {
    apex_car_def def = scene_car_kind(5);
    physics_type *type = build(&def);
    double sum = 0.0, moment = 0.0, transfer = 0.0, transfer_moment = 0.0;
    for (uint32_t a = 0; a < 3; a++) {
        double x = def.axles[a].x_m;
        ck_assert_double_gt((double)type->axles[a].load_share, 0.0);
        sum += (double)type->axles[a].load_share;
        moment += (double)type->axles[a].load_share * x;
        transfer += (double)type->axles[a].load_per_nm;
        transfer_moment += (double)type->axles[a].load_per_nm * x;
    }
    ck_assert_double_eq_tol(sum, 1.0, 1e-6);
    ck_assert_double_eq_tol(moment, 0.0, 1e-6);
    ck_assert_double_eq_tol(transfer, 0.0, 1e-6);
    ck_assert_double_eq_tol(transfer_moment, -1.0, 1e-6); // 1 N m nose up, balanced
}
END_TEST

START_TEST(axle_stiffer_in_roll_takes_more) {
    apex_car_def def = round_car();
    def.axles[0].suspension.anti_roll_n_per_m = 40000.0;
    def.axles[1].suspension.anti_roll_n_per_m = 0.0;
    bench_car bench;
    put_on_bench(&bench, &def, 0.0, 0.0);
    double n[4];
    loads(&bench, 0.0, 2.0, n);
    double wheel_rate = 35000.0 * 220000.0 / 255000.0;
    double front = 0.5 * wheel_rate + 40000.0, rear = 0.5 * wheel_rate;
    ck_assert_double_eq_tol((n[1] - n[0]) / (n[3] - n[2]), front / rear, 1e-3);
    scene_solo_destroy(&bench.solo);
}
END_TEST

// The friction force of a rear-driven car grows with the load it moves to its driven axle.
START_TEST(rear_drive_limit_closes_its_loop) { // M17: mu g b / (L - mu h)
    apex_car_def def = round_car();
    def.gearbox.shift_up_rpm = 6150.0;
    def.gearbox.clutch_nm_max = 3000.0;
    def.axles[1].differential.kind = APEX_DIFFERENTIAL_LOCKED;
    def.aids.traction_control = 1.0; // holds the slip at the peak
    for (uint32_t p = 0; p < def.engine.torque_count; p++) {
        def.engine.torque_nm[p] *= 2.0;
    }
    def.aero.drag_coefficient = 0.0;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.rolling_coefficient = 0.0;
        def.axles[a].tyre.inertia_kgm2 = 0.05;
    }
    scene_solo solo = scene_solo_create(&def, scene_flat());
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 60);
    double before = scene_solo_speed(&solo);
    scene_solo_run(&solo, 30);
    double acceleration = (scene_solo_speed(&solo) - before) / 0.5;
    double limit = 9.81 * 1.25 / (2.5 - 1.0);
    // Without the transfer it would be 4.9.
    ck_assert_double_eq_tol(acceleration, limit, 0.01 * limit);
    scene_solo_destroy(&solo);
}
END_TEST

START_TEST(coasting_down) { // M07, M08: drag 0.4257 v^2, rolling 12.8 v, 1500 kg, from 30 m/s
    apex_car_def def = scene_plain_car();
    def.aero.drag_coefficient = 0.4257 / 0.6;
    def.aero.frontal_area_m2 = 1.0;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.rolling_coefficient = 0.0;
        def.axles[a].tyre.rolling_coefficient_s_per_m = 12.8 / (1500.0 * 9.81);
        def.axles[a].tyre.inertia_kgm2 = 0.01; // the closed form knows no flywheels
    }
    scene_solo solo = scene_solo_create(&def, scene_flat());
    apex_placement at = {.speed_mps = 30.0};
    apex_world_place_car(solo.world, solo.car, &at);
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    scene_solo_run(&solo, 600);
    ck_assert_double_eq_tol(scene_solo_speed(&solo), 25.4677957879, 4e-3);
    ck_assert_double_eq_tol(scene_solo_pose(&solo).position_m[0], 276.424610939, 0.04);
    scene_solo_destroy(&solo);
}
END_TEST

START_TEST(engine_braking_goes_through_the_gears) { // P18.1: T g G / (r m)
    const double RATIO = 3.82 * 3.44;
    apex_car_def def = scene_plain_car();
    def.mass_kg = 1393.0;
    def.gearbox.gear_count = 1;
    def.gearbox.ratio[0] = 3.82;
    def.gearbox.final_drive = 3.44;
    def.engine.brake_nm_per_rps = 0.74;
    def.engine.inertia_kgm2 = 0.001;
    def.aero.drag_coefficient = 0.0;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.radius_m = 0.3186;
        def.axles[a].tyre.rolling_coefficient = 0.0;
        def.axles[a].tyre.inertia_kgm2 = 0.01;
    }
    scene_solo solo = scene_solo_create(&def, scene_flat());
    double speed = 5000.0 * RPM / RATIO * 0.3186; // below the limiter: it is placed in gear
    apex_placement at = {.speed_mps = speed};
    apex_world_place_car(solo.world, solo.car, &at);
    solo.controls.gear = 1;
    scene_solo_run(&solo, 30); // settle
    double before = scene_solo_speed(&solo);
    double rps = before / 0.3186 * RATIO / (2.0 * 3.14159265358979);
    scene_solo_run(&solo, 6);
    double after = scene_solo_speed(&solo);
    double mean_rps = 0.5 * rps * (1.0 + after / before);
    double wanted = 0.74 * mean_rps * RATIO / (0.3186 * 1393.0);
    ck_assert_double_eq_tol((before - after) / 0.1, wanted, 0.02 * wanted);
    scene_solo_destroy(&solo);
}
END_TEST

START_TEST(upshift_drops_the_engine_by_the_ratio) { // P06
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    double speed = 5500.0 * RPM / (2.66 * 3.42) * 0.34;
    apex_placement at = {.speed_mps = speed};
    apex_world_place_car(solo.world, solo.car, &at);
    solo.controls.gear = 1;
    scene_solo_run(&solo, 20);
    double before = scene_solo_state(&solo).engine_radps;
    solo.controls.gear = 2;
    scene_solo_run(&solo, 22); // shift_time_s is 0.25
    double after = scene_solo_state(&solo).engine_radps;
    ck_assert_double_eq_tol(after / before, 1.78 / 2.66, 0.02);
    scene_solo_destroy(&solo);
}
END_TEST

START_TEST(
    top_speed_is_where_drag_eats_the_power) { // P14: power at the wheels = (drag + rolling) v
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    apex_placement at = {.speed_mps = 70.0};
    apex_world_place_car(solo.world, solo.car, &at);
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 60 * 120);
    double speed = scene_solo_speed(&solo);
    apex_car_work work = scene_solo_work(&solo);
    apex_car_state state = scene_solo_state(&solo);
    double power = work.engine_torque_nm * state.engine_radps * 0.8;
    double resistance = 0.5 * 1.2 * 0.29 * 2.05 * speed * speed + 0.013 * 1500.0 * 9.81;
    ck_assert_double_eq_tol(power, resistance * speed, 0.02 * power); // slip takes about 1 %
    ck_assert_double_gt(speed * 3.6, 250.0);                          // the maker says 275 km/h
    ck_assert_double_lt(speed * 3.6, 295.0);
    scene_solo_destroy(&solo);
}
END_TEST

static double ramp_height(double x_m, double y_m) {
    (void)y_m;
    return -0.17632698070846 * x_m; // tan 10 degrees
}

START_TEST(gravity_on_a_slope) { // T02: m g sin(10 degrees), as acceleration of a free car
    apex_car_def def = scene_plain_car();
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.rolling_coefficient = 0.0;
        def.axles[a].tyre.inertia_kgm2 = 0.01;
    }
    def.aero.drag_coefficient = 0.0;
    scene_ground *ground = scene_ground_create(200.0, ramp_height);
    scene_solo solo = scene_solo_create(&def, scene_ground_of(ground));
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    scene_solo_run(&solo, 60);
    double before = scene_solo_speed(&solo);
    scene_solo_run(&solo, 120);
    double wanted = 9.81 * 0.17364817766693; // sin 10 degrees
    ck_assert_double_eq_tol((scene_solo_speed(&solo) - before) / 2.0, wanted, 2e-3 * wanted);
    scene_solo_destroy(&solo);
    scene_ground_destroy(ground);
}
END_TEST

Suite *apex_suite(void) {
    Suite *suite = suite_create("physics numbers");
    TCase *tests = tcase_create("numbers");
    tcase_add_test(tests, torque_between_points);
    tcase_add_test(tests, boxster_torque_curve);
    tcase_add_test(tests, speeds_in_each_gear);
    tcase_add_test(tests, boxster_table_8_2);
    tcase_add_test(tests, drag_is_against_the_whole_velocity);
    tcase_add_test(tests, loads_at_rest_and_accelerating);
    tcase_add_test(tests, loads_turning);
    tcase_add_test(tests, three_axles_carry_the_whole);
    tcase_add_test(tests, axle_stiffer_in_roll_takes_more);
    tcase_add_test(tests, rear_drive_limit_closes_its_loop);
    tcase_add_test(tests, coasting_down);
    tcase_add_test(tests, engine_braking_goes_through_the_gears);
    tcase_add_test(tests, upshift_drops_the_engine_by_the_ratio);
    tcase_add_test(tests, top_speed_is_where_drag_eats_the_power);
    tcase_add_test(tests, gravity_on_a_slope);
    suite_add_tcase(suite, tests);
    return suite;
}
