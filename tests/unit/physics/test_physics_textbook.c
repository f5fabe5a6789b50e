// builds: float double
// Tests of the textbook formulas beyond the sources' worked numbers: other kinds of car, limits,
// handling; and of the model beside them.

#include "support/base/check_main.h"
#include "support/physics/rows_stages.h"
#include "support/physics/scenes.h"
#include "support/physics/source_rows.h"
#include "support/physics/textbook_rest.h"

#include <math.h>
#include <string.h>

static const double G = 9.81;
static const apex_textbook_place EARTH = {.gravity_mps2 = 9.81, .air_density_kg_per_m3 = 1.2};

// Every kind of car the scenes have, full of fuel, standing: wheel by wheel.
TEST(cars_stand_as_they_should) {
    const uint32_t KINDS[] = {0, 1, 2, 4, 5};
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
        apex_car_def def = scene_car_kind(KINDS[k]);
        double n[APEX_WHEELS_MAX];
        apex_textbook_wheel_loads(&def, G, (const double[2]){0.0, 0.0}, n);
        scene_solo solo = scene_solo_create(&def, scene_flat());
        solo.controls.gear = APEX_GEAR_NEUTRAL;
        solo.controls.brake = 255;
        scene_solo_run(&solo, 1200);
        apex_car_work work = scene_solo_work(&solo);
        for (uint32_t w = 0; w < apex_car_def_wheel_count(&def); w++) {
            ck_assert_double_eq_tol(work.wheels[w].load_n, n[w], 3e-3 * n[w]);
        }
        scene_solo_destroy(&solo);
    }
}

TEST(loads_hold_up_the_car_and_keep_it_level) {
    apex_car_def def = scene_car_kind(5); // three axles
    double n[APEX_AXLES_MAX], sum = 0.0, moment = 0.0;
    double mass = def.mass_kg + def.fuel_kg_max;
    double shift = def.fuel_kg_max * def.fuel_x_m / mass;
    apex_textbook_axle_loads(&def, G, 2.0, n);
    for (uint32_t a = 0; a < 3; a++) {
        ck_assert_double_gt(n[a], 0.0);
        sum += n[a];
        moment += n[a] * (def.axles[a].x_m - shift);
    }
    ck_assert_double_eq_tol(sum, mass * G, 1e-6);
    ck_assert_double_eq_tol(moment, -mass * 2.0 * def.com_height_m, 1e-6);
}

/// A steady bend to the left.
typedef struct bend {
    double left_mps2, roll_rad, yaw_radps, speed_mps;
    double load_n[4];
} bend;

static bend drive_bend(const apex_car_def *def, double speed_mps, double steer_rad) {
    scene_solo solo = rows_solo(def, &(rows_place){.is_vacuum = true});
    bend at;
    rows_roll(&solo, speed_mps);
    solo.controls.steer = (int16_t)(APEX_STEER_MAX * steer_rad / def->steering.angle_rad_max);
    scene_solo_run(&solo, 720);
    apex_car_pose pose = scene_solo_pose(&solo);
    apex_car_work work = scene_solo_work(&solo);
    at.speed_mps = scene_solo_speed(&solo);
    at.yaw_radps = pose.angular_radps[2];
    at.left_mps2 = at.speed_mps * at.yaw_radps;
    at.roll_rad = pose.roll_rad;
    for (uint32_t w = 0; w < 4; w++) {
        at.load_n[w] = work.wheels[w].load_n;
    }
    scene_solo_destroy(&solo);
    return at;
}

static apex_car_def linear_car(void) {
    apex_car_def def = rows_monster_car();
    def.com_height_m = 0.5;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.model = APEX_TYRE_LINEAR;
    }
    return def;
}

// By stiffness and by roll centres; the whole is what the mass asks for.
TEST(axles_share_what_a_bend_shifts) {
    for (int i = 0; i < 2; i++) {
        apex_car_def def = linear_car();
        def.axles[0].suspension.anti_roll_n_per_m = i == 0 ? 40000.0 : 10000.0;
        def.axles[1].suspension.anti_roll_n_per_m = i == 0 ? 0.0 : 10000.0;
        def.axles[0].suspension.roll_centre_height_m = i == 0 ? 0.0 : 0.05;
        def.axles[1].suspension.roll_centre_height_m = i == 0 ? 0.0 : 0.25;
        bend at = drive_bend(&def, 20.0, 0.02);
        double n[APEX_WHEELS_MAX];
        apex_textbook_wheel_loads(&def, G, (const double[2]){0.0, at.left_mps2}, n);
        double front = 0.5 * (at.load_n[1] - at.load_n[0]),
               rear = 0.5 * (at.load_n[3] - at.load_n[2]);
        double front_paper = 0.5 * (n[1] - n[0]), rear_paper = 0.5 * (n[3] - n[2]);
        ck_assert_double_gt(at.left_mps2, 1.0);
        ck_assert_double_gt(fabs(front_paper / rear_paper - 1.0), 0.2);
        // The body leans, and its mass with it: some hundredths more than on paper.
        ck_assert_double_eq_tol((front + rear) / (front_paper + rear_paper), 1.04, 0.03);
        ck_assert_double_eq_tol(front / rear, front_paper / rear_paper,
                                0.03 * front_paper / rear_paper);
    }
}

TEST(roll_centres_hold_the_body) {
    apex_car_def def = linear_car();
    def.axles[0].suspension.anti_roll_n_per_m = def.axles[1].suspension.anti_roll_n_per_m = 0.0;
    double soft = apex_textbook_roll_rad_per_mps2(&def, G);
    bend at = drive_bend(&def, 20.0, 0.01);
    ck_assert_double_eq_tol(at.roll_rad / at.left_mps2, soft, 0.01 * soft);
    def.axles[0].suspension.roll_centre_height_m = 0.25;
    def.axles[1].suspension.roll_centre_height_m = 0.25;
    double held = apex_textbook_roll_rad_per_mps2(&def, G);
    ck_assert_double_lt(held, 0.55 * soft);
    at = drive_bend(&def, 20.0, 0.01);
    ck_assert_double_eq_tol(at.roll_rad / at.left_mps2, held, 0.01 * held);
}

TEST(limits_of_a_tall_narrow_car) {
    apex_car_def def = rows_monster_car(); // axles 1.25 m off, 1 m high
    def.axles[0].x_m = 1.0;
    def.axles[1].x_m = -1.5;
    def.axles[0].track_width_m = def.axles[1].track_width_m = 1.4;
    ck_assert_double_eq_tol(apex_textbook_wheelie_mps2(&def, G), 1.5 * G, 1e-9);
    ck_assert_double_eq_tol(apex_textbook_stoppie_mps2(&def, G), 1.0 * G, 1e-9);
    ck_assert_double_eq_tol(apex_textbook_rollover_mps2(&def, G), 0.7 * G, 1e-9);
    apex_car_def bike = scene_motorcycle();
    ck_assert_double_eq(apex_textbook_rollover_mps2(&bike, G), 0.0);
}

TEST(traction_by_drive) {
    apex_car_def def = rows_monster_car();
    def.axles[0].drive_share = 0.4;
    def.axles[1].drive_share = 0.6;
    // Open, the front gives up first: 0.4 m a = mu (m g / 2 - m a h / L).
    double front = 0.5 * G / (0.4 + 0.4);
    ck_assert_double_eq_tol(apex_textbook_traction_mps2(&def, 1.0, G), front, 1e-9);
    def.centre_differential.kind = APEX_DIFFERENTIAL_VISCOUS;
    ck_assert_double_eq_tol(apex_textbook_traction_mps2(&def, 0.8, G), 0.8 * G, 1e-9);
    // So grippy that it would lift its front wheels first: still no more than mu g.
    def = rows_monster_car();
    def.com_height_m = 2.0;
    ck_assert_double_eq_tol(apex_textbook_traction_mps2(&def, 1.3, G), 1.3 * G, 1e-9);
}

// The model's top speed, within the slip of its tyres.
TEST(top_speed_is_where_drag_eats_the_power) {
    apex_car_def def = scene_corvette();
    apex_textbook_top top = apex_textbook_top_speed(&def, &EARTH);
    ck_assert(!top.is_limited);
    apex_textbook_forces even =
        apex_textbook_forces_at(&def, &EARTH, &(apex_textbook_drive){top.gear, top.speed_mps, 0.0});
    ck_assert_double_eq_tol(even.acceleration_mps2, 0.0, 1e-9);
    scene_solo solo = scene_solo_create(&def, scene_flat());
    apex_world_place_car(solo.world, solo.car, &(apex_placement){.speed_mps = top.speed_mps});
    solo.controls.throttle = 255;
    solo.controls.gear = (int8_t)top.gear;
    scene_solo_run(&solo, 60 * 120);
    ck_assert_double_eq_tol(scene_solo_speed(&solo), top.speed_mps, 0.01 * top.speed_mps);
    ck_assert_double_gt(3.6 * top.speed_mps, 250.0); // the maker says 275 km/h
    ck_assert_double_lt(3.6 * top.speed_mps, 295.0);
    scene_solo_destroy(&solo);
}

TEST(top_speed_in_odd_places) {
    apex_car_def def = rows_palmer_car();
    def.gearbox.gear_count = 1; // short: the limiter ends it
    apex_textbook_top top = apex_textbook_top_speed(&def, &EARTH);
    ck_assert(top.is_limited && top.gear == 1);
    ck_assert_double_eq_tol(top.rpm, 7200.0, 1e-9);
    // So long that it never gets off the level part of the curve, below its first point.
    def.gearbox.ratio[0] = 0.1;
    def.gearbox.final_drive = 1.0;
    top = apex_textbook_top_speed(&def, &EARTH);
    ck_assert_double_eq(top.speed_mps, 0.0); // idle is too fast for it
    def.engine.idle_rpm = 100.0;
    def.gearbox.final_drive = 5.0;
    top = apex_textbook_top_speed(&def, &EARTH);
    ck_assert(!top.is_limited && top.gear == 1);
    ck_assert_double_lt(top.rpm, 1000.0);
    double push_n = 220.0 * 0.5 / 0.3186 - 204.97995; // 220 N m, less the rolling
    ck_assert_double_eq_tol(top.speed_mps, sqrt(push_n / (0.6 * 0.31 * 1.94)), 1e-6);
}

TEST(drag_overtakes_a_constant_rolling_resistance) {
    apex_car_def def = rows_palmer_car();
    double speed = textbook_crossover_mps(&def, &EARTH);
    ck_assert_double_eq_tol(0.5 * 1.2 * 0.31 * 1.94 * speed * speed, 204.97995, 1e-6);
    def.aero.drag_coefficient = 0.0;
    ck_assert_double_eq(textbook_crossover_mps(&def, &EARTH), 0.0);
}

TEST(peaks_end_at_the_limiter) {
    apex_car_def def = rows_palmer_car();
    def.engine.limiter_rpm = 4000.0;
    apex_textbook_peaks peaks = apex_textbook_engine_peaks(&def);
    ck_assert_double_eq_tol(peaks.torque_nm, 295.0, 1e-9);
    ck_assert_double_eq_tol(peaks.torque_rpm, 4000.0, 1e-9);
    ck_assert_double_eq_tol(peaks.power_rpm, 4000.0, 1e-9);
}

// Abe's car: 1500 kg, 1.1 m and 1.6 m, axles of 110 and 120 kN/rad.
static apex_car_def abes_car(void) {
    apex_car_def def = rows_monster_car();
    def.com_height_m = 0.4;
    def.inertia_yaw_kgm2 = 2500.0;
    def.axles[0].x_m = 1.1;
    def.axles[1].x_m = -1.6;
    for (uint32_t a = 0; a < 2; a++) {
        double load_n = 1500.0 * G * (a == 0 ? 1.6 : 1.1) / 2.7;
        def.axles[a].tyre.model = APEX_TYRE_LINEAR;
        def.axles[a].tyre.lateral.stiffness = (a == 0 ? 110000.0 : 120000.0) / load_n;
        def.axles[a].tyre.lateral.d = 1.5;
    }
    return def;
}

TEST(abes_car_understeers) {
    apex_car_def def = abes_car();
    apex_textbook_handling handling = apex_textbook_handling_of(&def, G);
    ck_assert_double_eq_tol(handling.wheelbase_m, 2.7, 1e-12);
    ck_assert_double_eq_tol(handling.understeer_rad_per_mps2, 2.988215e-3, 1e-9);
    ck_assert_double_eq_tol(handling.characteristic_mps, 30.059, 5e-4);
    ck_assert_double_eq(handling.critical_mps, 0.0);
    static const double YAW[][2] = {{60, 4.72141}, {80, 5.32184}, {100, 5.54921}, {120, 5.53688}};
    for (size_t i = 0; i < 4; i++) {
        apex_textbook_gains gains = apex_textbook_gains_at(&def, G, YAW[i][0] / 3.6);
        ck_assert_double_eq_tol(gains.yaw_per_s, YAW[i][1], 1e-4);
        ck_assert_double_eq_tol(gains.lateral_mps2, YAW[i][1] * YAW[i][0] / 3.6, 2e-3);
        // (b - a m V^2 / (L C_r)) / (L + K V^2)
        double v2 = YAW[i][0] * YAW[i][0] / 12.96;
        double slip = (1.6 - 1.1 * 1500.0 * v2 / (2.7 * 120000.0)) / (2.7 + 2.988215e-3 * v2);
        ck_assert_double_eq_tol(gains.sideslip, slip, 1e-6);
    }
}

TEST(the_model_turns_as_abes_car) {
    apex_car_def def = abes_car();
    rows_stiffen(&def);
    for (double kmh = 40.0; kmh < 121.0; kmh += 40.0) {
        bend at = drive_bend(&def, kmh / 3.6, 0.004);
        double gain = apex_textbook_gains_at(&def, G, at.speed_mps).yaw_per_s;
        ck_assert_double_eq_tol(at.yaw_radps / 0.004, gain, 0.01 * gain);
    }
}

TEST(a_tail_heavy_car_has_a_critical_speed) {
    apex_car_def def = abes_car();
    double stiffness = def.axles[0].tyre.lateral.stiffness;
    def.axles[0].tyre.lateral.stiffness = def.axles[1].tyre.lateral.stiffness;
    def.axles[1].tyre.lateral.stiffness = stiffness;
    apex_textbook_handling handling = apex_textbook_handling_of(&def, G);
    ck_assert_double_lt(handling.understeer_rad_per_mps2, 0.0);
    ck_assert_double_eq(handling.characteristic_mps, 0.0);
    double square = -2.7 / handling.understeer_rad_per_mps2;
    ck_assert_double_eq_tol(handling.critical_mps, sqrt(square), 1e-9);
    // Steered at the rear by as much the other way, the same car turns the other way.
    apex_car_def reversed = def;
    reversed.axles[0].steer_share = 0.0;
    reversed.axles[1].steer_share = -1.0;
    ck_assert_double_eq_tol(apex_textbook_gains_at(&reversed, G, 10.0).yaw_per_s,
                            apex_textbook_gains_at(&def, G, 10.0).yaw_per_s, 1e-12);
}

TEST(tyres_that_tire_of_load_are_softer_under_it) {
    apex_car_def def = abes_car();
    double plain = apex_textbook_handling_of(&def, G).understeer_rad_per_mps2;
    def.axles[0].tyre.load_sensitivity = 0.2; // carries 4360 N a wheel, made for 3500 N
    ck_assert_double_gt(apex_textbook_handling_of(&def, G).understeer_rad_per_mps2, 1.1 * plain);
}
