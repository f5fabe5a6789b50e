// builds: float double
// Monster, "Car Physics for Games": drag, rolling, speed, braking, loads. Rows M01 to M17.

#include "physics/dynamics/pass/stages.h"
#include "physics/type/type_build.h"
#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"
#include "support/physics/source_rows.h"
#include "support/physics/textbook_rest.h"

#include <math.h>

static const double G = 9.8;
static const double MONSTER_AIR = 1.29;
static const apex_textbook_place EARTH = {.gravity_mps2 = 9.8, .air_density_kg_per_m3 = 1.2};

// High up, so that only the air acts; one substep at this velocity, along the car's own axes.
static apex_car_work fly(const apex_car_def *def, double air, const double velocity_mps[2]) {
    scene_solo solo = rows_solo(def, &(rows_place){.air_kg_per_m3 = air});
    apex_car_state state = scene_solo_state(&solo);
    state.position_m[2] = 100.0;
    state.velocity_mps[0] = velocity_mps[0];
    state.velocity_mps[1] = velocity_mps[1];
    apex_world_set_car(solo.world, solo.car, &state);
    scene_solo_run(&solo, 1);
    apex_car_work work = scene_solo_work(&solo);
    scene_solo_destroy(&solo);
    return work;
}

static void m01(void) {
    apex_car_def def = rows_monster_car();
    def.aero.drag_coefficient = 0.30;
    def.aero.frontal_area_m2 = 2.2;
    apex_car_work work = fly(&def, MONSTER_AIR, (const double[2]){10.0, 0.0});
    ROW_SAME(work.drag_n / 100.0, 0.4257, 1e-9);
}

// Monster's rule makes rolling resistance as great as drag at 30 m/s.
static void m02(void) {
    apex_car_def def = rows_monster_car();
    rows_set_drag(&def, 0.4257);
    rows_set_rolling(&def, 12.771, G);
    const apex_textbook_drive at = {.gear = 1, .speed_mps = 30.0};
    apex_textbook_forces forces = apex_textbook_forces_at(&def, &EARTH, &at);
    ROW_SAME(forces.rolling_n / 30.0, 12.771, 1e-9);
    ROW_SAME(forces.rolling_n, forces.drag_n, 1e-9);
}

static void m03(void) { // erratum: the text calls 30 m/s 100 km/h and 60 mph
    apex_car_def def = rows_monster_car();
    rows_set_drag(&def, 0.4257);
    rows_set_rolling(&def, 12.771, G);
    ROW_SAME(textbook_crossover_mps(&def, &EARTH), 30.0, 1e-9);
    ROW_NEAR(textbook_crossover_mps(&def, &EARTH) / APEX_MPS_PER_KMH, 108.0, 1e-6);
    ROW_NEAR(textbook_crossover_mps(&def, &EARTH) / APEX_MPS_PER_MPH, 67.1, 0.05);
}

static void m04(void) {
    apex_car_def def = rows_monster_car();
    rows_set_drag(&def, 0.4257);
    apex_car_work work = fly(&def, 1.2, (const double[2]){30.0, 40.0});
    ROW_SAME(work.acceleration_mps2[0] * 1500.0, -638.55, 1e-9);
    ROW_SAME(work.acceleration_mps2[1] * 1500.0, -851.4, 1e-9);
}

// Deceleration of a car that rolls along (3, 4) / 5 with nothing but rolling resistance.
static void m05(void) {
    apex_car_def def = rows_monster_car();
    def.com_height_m = 0.45;
    def.mass_kg -= rows_turning_kg(&def);
    rows_set_rolling(&def, 12.8, 9.81);
    scene_solo solo = rows_solo(&def, &(rows_place){.is_vacuum = true});
    apex_placement at = {.yaw_rad = atan2(4.0, 3.0), .speed_mps = 51.0};
    apex_world_place_car(solo.world, solo.car, &at);
    scene_solo_run(&solo, 480); // until it has stopped nodding
    double before[2], speed = 0.0;
    for (int i = 0; i < 2; i++) {
        before[i] = scene_solo_pose(&solo).velocity_mps[i];
    }
    speed += 0.5 * scene_solo_speed(&solo);
    scene_solo_run(&solo, 120);
    speed += 0.5 * scene_solo_speed(&solo);
    apex_car_pose after = scene_solo_pose(&solo);
    // At 50 m/s, i.e. (30, 40); both parts in half a second.
    double x_n = (after.velocity_mps[0] - before[0]) / 0.5 * 1500.0 * 50.0 / speed;
    double y_n = (after.velocity_mps[1] - before[1]) / 0.5 * 1500.0 * 50.0 / speed;
    ROW_SAME(x_n, -384.0, 2e-4);
    ROW_SAME(y_n, -512.0, 2e-4);
    // On paper, without the wheels' inertia and the tyres' give.
    rows_set_rolling(&def, 12.8, 9.81);
    const apex_textbook_place earth = {9.81, 0.0};
    const apex_textbook_drive drive = {.gear = 1, .speed_mps = 50.0};
    double rolling = apex_textbook_forces_at(&def, &earth, &drive).rolling_n;
    ROW_SAME(rolling, hypot(384.0, 512.0), 1e-9);
    scene_solo_destroy(&solo);
}

static apex_car_def pushed_car(double force_n) {
    apex_car_def def = rows_monster_car();
    def.com_height_m = 0.45;
    rows_set_drag(&def, 0.4257);
    rows_set_force(&def, force_n);
    def.mass_kg -= rows_turning_kg(&def);
    rows_set_rolling(&def, 12.8, 9.81);
    return def;
}

static scene_solo push_off(const apex_car_def *def, double from_mps) {
    scene_solo solo = rows_solo(def, &(rows_place){.ticks_at_60_hz = true});
    if (from_mps > 0.0) {
        rows_roll(&solo, from_mps);
    }
    solo.controls.gear = 1;
    solo.controls.throttle = 255;
    return solo;
}

static double speed_after(const apex_car_def *def, double from_mps, int seconds) {
    scene_solo solo = push_off(def, from_mps);
    scene_solo_run(&solo, (uint32_t)seconds * 60);
    double speed = scene_solo_speed(&solo);
    scene_solo_destroy(&solo);
    return speed;
}

// A float near 37 has steps of 3.8e-6: half of one, gained 240 times a second, is 4.6e-4 m/s2, and
// what is less does not move it. Against 0.03 /s that pull it to the even speed, 0.015 m/s.
#ifdef APEX_REAL_DOUBLE
static const double ROUNDING_MPS = 0.0;
#else
static const double ROUNDING_MPS = 0.016;
#endif

static void m06(void) {
    apex_car_def def = pushed_car(1056.3833);
    const int seconds = check_cases(300);
    double slower = speed_after(&def, 36.5, seconds), faster = speed_after(&def, 37.5, seconds);
    ROW_IS(slower < faster);
    if (seconds == 300) {
        ROW_NEAR(slower, 37.0, 0.01 + ROUNDING_MPS);
        ROW_NEAR(faster, 37.0, 0.01 + ROUNDING_MPS);
    }
}

typedef struct coast_end {
    double speed_mps, travel_m;
} coast_end;

// Ten seconds from 30 m/s, with this many substeps in 1/60 s.
static coast_end coast(uint32_t substeps) {
    apex_car_def def = rows_monster_car();
    rows_set_drag(&def, 0.4257);
    def.mass_kg -= rows_turning_kg(&def);
    rows_set_rolling(&def, 12.8, 9.81);
    scene_solo solo = rows_solo(&def, &(rows_place){.ticks_at_60_hz = true});
    solo.world->substeps = substeps;
    solo.world->cars.conditions.h_s = (real)(1.0 / (60.0 * substeps));
    rows_roll(&solo, 30.0);
    scene_solo_run(&solo, 600);
    coast_end end = {scene_solo_speed(&solo), scene_solo_pose(&solo).position_m[0]};
    scene_solo_destroy(&solo);
    return end;
}

static void m07(void) {
    ROW_NEAR(coast(4).speed_mps, 25.4677957879, 1e-3);
}

static void m08(void) {
    ROW_NEAR(coast(4).travel_m, 276.424610939, 0.02);
}

static void m09(void) {
    apex_car_def def = pushed_car(1056.3833);
    scene_solo solo = push_off(&def, 0.0);
    scene_solo_run(&solo, 10 * 60);
    ROW_NEAR(scene_solo_speed(&solo), 6.70767344, 2e-3);
    scene_solo_run(&solo, 20 * 60);
    ROW_NEAR(scene_solo_speed(&solo), 17.7159119, 2e-3);
    scene_solo_run(&solo, 30 * 60);
    ROW_NEAR(scene_solo_speed(&solo), 28.0777491, 2e-3);
    scene_solo_destroy(&solo);
}

// Errors of half the step are half as great. On the way, where eight digits do not hide it.
static void m10(void) {
    double coarse = coast(4).travel_m, middle = coast(8).travel_m, fine = coast(16).travel_m;
    double order = (coarse - middle) / (middle - fine);
    ROW_IS(order > 1.9 && order < 2.1);
}

// From 20 m/s at 5 m/s2, by brakes and by geometry.
static void m11(void) {
    apex_textbook_stop stop = apex_textbook_stop_from(20.0, 5.0);
    ROW_SAME(stop.time_s, 4.0, 1e-12);
    ROW_SAME(stop.distance_m, 40.0, 1e-12);

    apex_car_def def = rows_monster_car();
    def.com_height_m = 0.45;
    for (uint32_t a = 0; a < 2; a++) { // all wheels alike, from first to last
        double each_nm = 0.25 * 5.0 * 1500.0 * 0.34;
        def.axles[a].brake.torque_nm_max = each_nm;
    }
    def.mass_kg -= rows_turning_kg(&def);
    scene_solo solo = rows_solo(&def, &(rows_place){.is_vacuum = true});
    rows_roll(&solo, 20.0);
    solo.controls.brake = 255;
    double time_s = 0.0, least_radps = 1.0;
    while (scene_solo_pose(&solo).velocity_mps[0] > 0.0 && time_s < 10.0) {
        scene_solo_run(&solo, 1);
        time_s += 1.0 / 240.0;
        least_radps = fmin(least_radps, scene_solo_state(&solo).wheels[0].spin_radps);
    }
    ROW_NEAR(time_s, 4.0, 0.01);
    ROW_NEAR(scene_solo_pose(&solo).position_m[0], 40.0, 20.0 / 240.0);
    // The stretched tyres pull the body back by a little; no wheel ever turns backwards.
    scene_solo_run(&solo, 480);
    ROW_IS(least_radps >= 0.0);
    ROW_IS(scene_solo_state(&solo).wheels[0].spin_radps == 0.0);
    ROW_NEAR(scene_solo_pose(&solo).position_m[0], 40.0, 20.0 / 240.0);
    ROW_IS(fabs(scene_solo_pose(&solo).velocity_mps[0]) < 1e-4);
    scene_solo_destroy(&solo);
}

static void axle_loads(const scene_solo *solo, double out_n[2]) {
    apex_car_work work = scene_solo_work(solo);
    out_n[0] = work.wheels[0].load_n + work.wheels[1].load_n;
    out_n[1] = work.wheels[2].load_n + work.wheels[3].load_n;
}

static void m12(void) {
    apex_car_def def = rows_monster_car();
    double on_paper[APEX_AXLES_MAX], at_rest[2];
    apex_textbook_axle_loads(&def, G, 0.0, on_paper);
    scene_solo solo = rows_solo(&def, &(rows_place){.gravity_mps2 = G, .ticks_at_60_hz = true});
    scene_solo_run(&solo, 1200);
    axle_loads(&solo, at_rest);
    for (uint32_t a = 0; a < 2; a++) {
        ROW_SAME(on_paper[a], 7350.0, 1e-9);
        ROW_SAME(at_rest[a], 7350.0, 1e-9);
    }
    // 1650 lb, as the text says.
    ROW_NEAR(at_rest[0] / APEX_N_PER_LBF, 1650.0, 5.0);
    scene_solo_destroy(&solo);
}

// Loads of Monster's car that gains 4.9 m/s2 for good.
static void accelerating(double out_n[2]) {
    apex_car_def def = rows_monster_car();
    def.mass_kg -= rows_turning_kg(&def);
    rows_set_force(&def, 1500.0 * 4.9);
    rows_stiffen(&def);
    scene_solo solo = rows_solo(&def, &(rows_place){.gravity_mps2 = G, .is_vacuum = true});
    solo.controls.gear = 1;
    solo.controls.throttle = 255;
    scene_solo_run(&solo, 960);
    axle_loads(&solo, out_n);
    scene_solo_destroy(&solo);
}

static void m13(void) {
    apex_car_def def = rows_monster_car();
    double rest[APEX_AXLES_MAX], pulled[APEX_AXLES_MAX], n[2];
    apex_textbook_axle_loads(&def, G, 0.0, rest);
    apex_textbook_axle_loads(&def, G, 4.9, pulled);
    ROW_SAME(pulled[1] - rest[1], 2940.0, 1e-9);
    ROW_SAME(rest[0] - pulled[0], 2940.0, 1e-9);
    accelerating(n);
    ROW_SAME(0.5 * (n[1] - n[0]), 2940.0, 0.01);
}

static void m14(void) {
    apex_car_def def = rows_monster_car();
    double pulled[APEX_AXLES_MAX], n[2];
    apex_textbook_axle_loads(&def, G, 4.9, pulled);
    ROW_SAME(pulled[0], 4410.0, 1e-9);
    ROW_SAME(pulled[1], 10290.0, 1e-9);
    ROW_IS(pulled[0] + pulled[1] == 1500.0 * G);
    accelerating(n);
    ROW_SAME(n[0], 4410.0, 0.01);
    ROW_SAME(n[1], 10290.0, 0.01);
    ROW_SAME(n[0] + n[1], 14700.0 - rows_turning_kg(&def) * G, 1e-4);
}

static void m15(void) {
    static physics_type type;
    static physics_numbers_lanes numbers;
    apex_car_def def = rows_monster_car();
    physics_type_build(&type, &def, 1.0 / 240.0);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        physics_numbers_set_lane(&numbers, lane, &type.numbers);
    }
    const physics_tyre_plan plan = {.has_magic = true};
    const physics_tyre_input in = {.plan = &plan,
                                   .h_s = R(1.0) / R(240.0),
                                   .gravity_mps2 = R(9.8),
                                   .load_n = lanes_all(R(7350.0)),
                                   .friction = lanes_all(R(1.0)),
                                   .patch_share = lanes_all(R(1.0)),
                                   .speed_x_mps = lanes_all(R(20.0)),
                                   .spin_radps = lanes_all(R(68.0))};
    physics_wheel_lanes wheel = {.spin_radps = in.spin_radps};
    physics_grip grip;
    double most = 0.0;
    for (int i = 0; i < 400; i++) { // locked: through the peak, and on to full sliding
        wheel.spin_radps = lanes_all(R(20.0) / R(0.34) * (R(1.0) - (real)i / R(400.0)));
        physics_tyre_input now = in;
        now.spin_radps = wheel.spin_radps;
        physics_tyre_predict_base(&numbers.axles[0].tyre, &now, &wheel, &grip);
        most = fmax(most, (double)-grip.long_n[0]);
        ROW_IS((double)-grip.long_n[0] <= 7350.0 * (1.0 + 1e-6));
    }
    ROW_SAME((double)grip.long_n_max[0], 7350.0, 1e-9);
    ROW_SAME(most, 7350.0, 1e-3);
}

static void m16(void) { // before any load has shifted: the mass on the ground
    apex_car_def def = rows_monster_car();
    def.com_height_m = 1e-12;
    ROW_SAME(apex_textbook_traction_mps2(&def, 1.0, G), 4.9, 1e-9);
}

// A constant force, let in within three seconds so that the load has time to follow.
// @return what the car gains in the second after.
static double launch(double force_n, bool drives_front, apex_wheel_work *driven) {
    apex_car_def def = rows_monster_car();
    rows_stiffen(&def);
    rows_set_force(&def, force_n);
    def.mass_kg -= rows_turning_kg(&def);
    def.axles[0].drive_share = drives_front ? 1.0 : 0.0;
    def.axles[1].drive_share = drives_front ? 0.0 : 1.0;
    scene_solo solo = rows_solo(&def, &(rows_place){.gravity_mps2 = G, .is_vacuum = true});
    solo.controls.gear = 1;
    solo.controls.throttle = 255;
    for (int tick = 0; tick < 720; tick++) {
        solo.controls.clutch = (uint8_t)(255 - tick * 255 / 720);
        scene_solo_run(&solo, 1);
    }
    solo.controls.clutch = 0;
    double before = scene_solo_speed(&solo);
    scene_solo_run(&solo, 240);
    double gained = scene_solo_speed(&solo) - before;
    *driven = scene_solo_work(&solo).wheels[drives_front ? 0 : 2];
    scene_solo_destroy(&solo);
    return gained;
}

// Just below the limit the car gains what it is pushed with; above it the wheels spin, and it gains
// less. The most it ever gains is the limit, to the percent that the pushes are apart.
static void bracket(double limit_mps2, bool drives_front) {
    apex_wheel_work wheel;
    double most = 0.0;
    for (int percent = 98; percent <= 102; percent++) {
        double wanted = 0.01 * percent * limit_mps2;
        double gained = launch(1500.0 * wanted, drives_front, &wheel);
        most = fmax(most, gained);
        if (percent < 100) {
            ROW_SAME(gained, wanted, 1e-3);
            ROW_IS(!wheel.sliding && wheel.slip_ratio < 0.156);
        }
    }
    ROW_IS(wheel.sliding && wheel.slip_ratio > 1.0);
    ROW_SAME(most, limit_mps2, 0.0101);
}

static void m17(void) {
    apex_car_def def = rows_monster_car();
    ROW_SAME(apex_textbook_traction_mps2(&def, 1.0, G), 8.16666666667, 1e-9);
    bracket(8.16666666667, false);
    def.axles[0].drive_share = 1.0; // driven in front: mu g c / (L + mu h)
    def.axles[1].drive_share = 0.0;
    ROW_SAME(apex_textbook_traction_mps2(&def, 1.0, G), 3.5, 1e-9);
    bracket(3.5, true);
    def.axles[0].drive_share = def.axles[1].drive_share = 0.5;
    def.centre_differential.kind = APEX_DIFFERENTIAL_LOCKED;
    ROW_SAME(apex_textbook_traction_mps2(&def, 1.0, G), G, 1e-9);
}

static const row ROWS[] = {
    ROW("M01", m01), ROW("M02", m02), ROW("M03", m03), ROW("M04", m04), ROW("M05", m05),
    ROW("M06", m06), ROW("M07", m07), ROW("M08", m08), ROW("M09", m09), ROW("M10", m10),
    ROW("M11", m11), ROW("M12", m12), ROW("M13", m13), ROW("M14", m14), ROW("M15", m15),
    ROW("M16", m16), ROW("M17", m17),
};

ROWS_TEST(ROWS)
