/// The cars that ship, against what the sources print of them, and what a car file may say and
/// leave out. Their driving is in test_content_figures.c.
#include <check.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "content/content.h"
#include "content/load_file.h"
#include "support/base/check_main.h"

static apex_car_def load(const char *name) {
    apex_car_def car;
    apex_content_problem problem;
    apex_err err = apex_content_load_car(name, NULL, &car, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    return car;
}

static apex_car_def parse(const char *text) {
    apex_car_def car;
    apex_content_problem problem;
    apex_err err = apex_content_parse_car(text, strlen(text), "f.yaml", &car, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    return car;
}

/// Palmer 8.13.
static double gear_speed_mps(const apex_car_def *car, uint32_t gear, double rpm, double radius_m) {
    return 2.0 * 3.14159265358979323846 * radius_m * rpm /
           (60.0 * car->gearbox.ratio[gear - 1] * car->gearbox.final_drive);
}

static double torque_nm(const apex_engine_def *engine, double rpm) {
    uint32_t i = 1;
    while (i + 1 < engine->torque_count && engine->torque_rpm[i] < rpm) {
        i++;
    }
    double share =
        (rpm - engine->torque_rpm[i - 1]) / (engine->torque_rpm[i] - engine->torque_rpm[i - 1]);
    return engine->torque_nm[i - 1] + share * (engine->torque_nm[i] - engine->torque_nm[i - 1]);
}

static double power_kw(const apex_engine_def *engine, double rpm) {
    return torque_nm(engine, rpm) * rpm * 3.14159265358979323846 / 30000.0;
}

TEST(corvette_has_monsters_figures) {
    static const double speed_kmh[6] = {84.5383064678, 126.332525396, 172.978380926,
                                        224.871895204, 303.880939465, 449.743790409};
    apex_car_def car = load("corvette-c5");
    ck_assert_uint_eq(car.gearbox.gear_count, 6);
    for (uint32_t gear = 1; gear <= 6; gear++) {
        ck_assert_double_eq_tol(3.6 * gear_speed_mps(&car, gear, 6000, car.axles[1].tyre.radius_m),
                                speed_kmh[gear - 1], 1e-6);
    }
    ck_assert_double_eq(car.gearbox.reverse_ratio, 2.90);
    ck_assert_double_eq(torque_nm(&car.engine, 2500), 448);
    ck_assert_double_eq_tol(torque_nm(&car.engine, 3450), 461.5, 1e-9);
    ck_assert_double_eq(torque_nm(&car.engine, 4400), 475);
    ck_assert_double_eq_tol(power_kw(&car.engine, 5600), 257.3, 0.3);
    ck_assert_double_eq(car.mass_kg + car.fuel_kg_max, 1500);
    ck_assert_double_eq_tol(car.aero.drag_coefficient * car.aero.frontal_area_m2, 0.66, 1e-12);
    ck_assert_double_eq_tol(car.axles[0].x_m - car.axles[1].x_m, 2.654, 1e-12);
}

TEST(boxster_has_palmers_figures) {
    static const double speed_mps[6] = {18.2803742, 31.7413769, 45.9414666,
                                        57.2385486, 68.4617934, 83.1321777};
    apex_car_def car = load("boxster-s");
    ck_assert_uint_eq(car.gearbox.gear_count, 6);
    // Palmer counts with the front tyre; the driven rear one is larger.
    for (uint32_t gear = 1; gear <= 6; gear++) {
        ck_assert_double_eq_tol(gear_speed_mps(&car, gear, 7200, car.axles[0].tyre.radius_m),
                                speed_mps[gear - 1], 1e-5);
    }
    ck_assert_double_eq_tol(car.axles[0].tyre.radius_m, 0.225 * 0.40 + 9 * 0.0254, 1e-12);
    ck_assert_double_eq_tol(car.axles[1].tyre.radius_m, 0.265 * 0.35 + 9 * 0.0254, 1e-3);
    ck_assert_double_eq(car.mass_kg + car.fuel_kg_max, 1393);
    ck_assert_double_eq(car.aero.drag_coefficient, 0.31);
    ck_assert_double_eq_tol(car.aero.frontal_area_m2, 0.85 * 1.78 * 1.28, 0.005);
    ck_assert_double_eq(torque_nm(&car.engine, 4600), 310);
    ck_assert_double_eq_tol(power_kw(&car.engine, 6400), 192, 0.2);
    for (double rpm = 1000; rpm <= 7200; rpm += 50) {
        ck_assert_double_le(torque_nm(&car.engine, rpm), 310);
        ck_assert_double_le(power_kw(&car.engine, rpm), 192.2);
    }
    ck_assert_double_eq_tol(car.engine.brake_nm_per_rps * 6000 / 60, 74, 1e-9);
    ck_assert_double_eq(car.engine.blow_rpm, 8000);
}

/// Table 8-4: 106 N m and 153.5 hp, measured at the rear wheel.
TEST(motorcycle_has_palmers_figures_at_its_wheel) {
    apex_car_def car = load("cbr1000rr");
    ck_assert_int_eq(car.model, APEX_CAR_MOTORCYCLE);
    ck_assert_double_eq(car.engine.limiter_rpm, 11650);
    double efficiency = car.gearbox.efficiency;
    ck_assert_double_eq_tol(efficiency * torque_nm(&car.engine, 8500), 106, 0.02 * 106);
    ck_assert_double_eq_tol(efficiency * power_kw(&car.engine, 11250), 153.5 * 0.7457,
                            0.02 * 153.5 * 0.7457);
}

TEST(truck_has_six_wheels) {
    apex_car_def car = load("truck-6x4");
    ck_assert_uint_eq(car.axle_count, 3);
    ck_assert_uint_eq(apex_car_def_wheel_count(&car), 6);
    ck_assert_double_eq(car.axles[0].drive_share, 0);
    ck_assert_double_eq(car.axles[1].drive_share, car.axles[2].drive_share);
    ck_assert_double_eq_tol(car.aero.drag_coefficient * car.aero.frontal_area_m2, 3.46 / 0.6, 1e-9);
}

// Parts of files that tests put together, with keys that a file may leave out.
#define HEAD "kind: car\nname: x\nmass_kg: 1000\n"
#define AXLES                                                      \
    "axles:\n  - {x_m: 1.2, track_width_m: 1.5, steer_share: 1}\n" \
    "  - {x_m: -1.2, track_width_m: 1.5, drive_share: 1, tyre: {width_m: 0.3}}\n"

TEST(axles_take_over_and_change) {
    // The tyre stands after the axles on purpose: order does not matter.
    apex_car_def car = parse(HEAD AXLES "tyre: {radius_m: 0.4, width_m: 0.2, lateral: {d: 1.3}}\n"
                                        "brake: {torque_nm_max: 1234}\n");
    ck_assert_uint_eq(car.axle_count, 2);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq(car.axles[i].tyre.radius_m, 0.4);
        ck_assert_double_eq(car.axles[i].tyre.lateral.d, 1.3);
        ck_assert_double_eq(car.axles[i].brake.torque_nm_max, 1234);
    }
    ck_assert_double_eq(car.axles[0].tyre.width_m, 0.2);
    ck_assert_double_eq(car.axles[1].tyre.width_m, 0.3);
    ck_assert_double_eq(car.axles[0].drive_share, 0);
    ck_assert_double_eq(car.axles[1].steer_share, 0);
}

TEST(rest_is_the_default_car) {
    apex_car_def car = parse(HEAD AXLES);
    apex_car_def plain_car = apex_default_car_def();
    ck_assert_str_eq(car.name, "x");
    ck_assert_str_eq(car.title, "x");
    ck_assert_double_eq(car.mass_kg, 1000);
    ck_assert_uint_eq(car.engine.torque_count, plain_car.engine.torque_count);
    ck_assert_mem_eq(car.engine.torque_rpm, plain_car.engine.torque_rpm,
                     sizeof car.engine - offsetof(apex_engine_def, torque_rpm));
    ck_assert_mem_eq(&car.hull, &plain_car.hull, sizeof car.hull);
    ck_assert_double_eq(car.axles[0].tyre.radius_m, plain_car.axles[0].tyre.radius_m);
}

TEST(inertia_is_guessed_from_mass_and_hull) {
    // CommonRoad's vehicle 2, a BMW 320i: 1093.3 kg, 4.508 by 1.610 m, 1791.6 kgm2 in yaw.
    apex_car_def car = parse("kind: car\nname: x\nmass_kg: 1093.3\n"
                             "hull: {length_m: 4.508, width_m: 1.610}\n" AXLES);
    ck_assert_double_eq_tol(car.inertia_yaw_kgm2, 1791.6, 0.1 * 1791.6);
    car = parse(HEAD "inertia_yaw_kgm2: 1234\n" AXLES);
    ck_assert_double_eq(car.inertia_yaw_kgm2, 1234);
}

TEST(degrees_become_radians) {
    apex_car_def car = parse(HEAD "steering: {angle_deg_max: 30, rate_degps_max: 90}\n"
                                  "suspension: {camber_deg: -1.5, toe_deg: 0.1,\n"
                                  "  camber_curve: [[-0.05, 0.5], [0, 0], [0.08, -2]]}\n" AXLES);
    ck_assert_double_eq_tol(car.steering.angle_rad_max, 0.52359877559829887, 1e-15);
    ck_assert_double_eq_tol(car.steering.rate_radps_max, 1.5707963267948966, 1e-15);
    const apex_suspension_def *suspension = &car.axles[1].suspension;
    ck_assert_double_eq_tol(suspension->camber_rad, -0.026179938779914944, 1e-15);
    ck_assert_double_eq_tol(suspension->toe_rad, 0.0017453292519943296, 1e-15);
    ck_assert_uint_eq(suspension->camber_curve.count, 3);
    ck_assert_double_eq(suspension->camber_curve.travel_m[2], 0.08);
    ck_assert_double_eq_tol(suspension->camber_curve.value_rad[2], -0.034906585039886591, 1e-15);
}

/// Monster: C = 0.5 * 0.30 * 2.2 m2 * 1.29 kg/m3 = 0.4257.
TEST(drag_may_be_one_constant) {
    apex_car_def car = parse(HEAD AXLES "aero: {drag_n_per_mps2: 0.4257, lift_front_m2: 0.1,\n"
                                        "  air_density_kg_per_m3: 1.29}\n");
    ck_assert_double_eq_tol(car.aero.drag_coefficient * car.aero.frontal_area_m2, 0.66, 1e-12);
    ck_assert_double_eq(car.aero.lift_front_m2, 0.1);
    car = parse(HEAD AXLES "aero: {drag_n_per_mps2: 0.6}\n");
    ck_assert_double_eq_tol(car.aero.drag_coefficient * car.aero.frontal_area_m2, 1.0, 1e-12);
    // The largest there may be still is a frontal area that physics takes.
    car = parse(HEAD AXLES "aero: {drag_n_per_mps2: 3.75, air_density_kg_per_m3: 0.5}\n");
    ck_assert_double_eq_tol(car.aero.frontal_area_m2, 15.0, 1e-12);
    apex_car_def plain_car = apex_default_car_def();
    car = parse(HEAD AXLES "aero: {drag_n_per_mps2: 0}\n");
    ck_assert_double_eq(car.aero.drag_coefficient, plain_car.aero.drag_coefficient);
}

static apex_err parse_published(const char *text, apex_car_published *out,
                                apex_content_problem *problem) {
    return content_parse(text, strlen(text), "f.yaml",
                         (content_wanted){.kind = APEX_CONTENT_CAR, .published = out}, problem);
}

static apex_car_published published_of(const char *text) {
    apex_car_published published;
    memset(&published, 0x55, sizeof published);
    apex_content_problem problem;
    apex_err err = parse_published(text, &published, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    return published;
}

TEST(published_figures_stand_beside_the_car) {
    apex_car_published published = published_of(
        HEAD AXLES "published:\n  top_speed_kmph: 250\n  zero_to_100_s: 6.5\n"
                   "  zero_to_60mph_s: 6.2\n  braking_100_0_m: 37\n  braking_60mph_0_m: 35\n"
                   "  skidpad_g: 0.9\n  source: the maker\n"
                   "  notes: {skidpad_g: of another year, zero_to_60mph_s: downhill}\n");
    ck_assert_double_eq(published.top_speed_kmph, 250);
    ck_assert_double_eq(published.zero_to_100_s, 6.5);
    ck_assert_double_eq(published.zero_to_60mph_s, 6.2);
    ck_assert_double_eq(published.braking_100_0_m, 37);
    ck_assert_double_eq(published.braking_60mph_0_m, 35);
    ck_assert_double_eq(published.skidpad_g, 0.9);
    ck_assert_str_eq(published.source, "the maker");
    ck_assert_str_eq(published.notes.skidpad_g, "of another year");
    ck_assert_str_eq(published.notes.zero_to_60mph_s, "downhill");
    ck_assert_str_eq(published.notes.zero_to_100_s, "");
    published = published_of(HEAD AXLES);
    ck_assert_double_eq(published.top_speed_kmph, 0);
    ck_assert_double_eq(published.skidpad_g, 0);
    ck_assert_str_eq(published.source, "");
    // They change nothing of the car.
    apex_car_def with = parse(HEAD AXLES "published: {skidpad_g: 0.9, source: x}\n");
    apex_car_def without = parse(HEAD AXLES);
    ck_assert_double_eq(with.axles[0].tyre.lateral.d, without.axles[0].tyre.lateral.d);
}

TEST(published_figures_of_a_bad_car_are_refused) {
    const char *text = HEAD "published: {skidpad_g: 0.9, source: x}\n"
                            "axles:\n  - {x_m: 1.2, track_width_m: 1.5}\n"
                            "  - {x_m: -1.2, track_width_m: 1.5, drive_share: 1}\n";
    apex_car_published published = {.skidpad_g = 7};
    apex_content_problem problem;
    ck_assert_int_eq(parse_published(text, &published, &problem), APEX_ERR_RANGE);
    ck_assert_str_eq(problem.text, "f.yaml:6:3: axles[].steer_share: no axle steers");
    ck_assert_double_eq(published.skidpad_g, 7);
}
