// A car's figures against what can be worked out by hand.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include "proving/proving.h"

#include <math.h>
#include <string.h>

#define KMH (1.0 / 3.6)

static apex_car_figures measure(const apex_car_def *car, uint32_t what) {
    static apex_car_figures figures;
    ck_assert_int_eq(apex_car_figures_measure(car, what, &figures), APEX_OK);
    return figures;
}

static void expect_share(double got, double wanted, double share) {
    ck_assert_msg(fabs(got - wanted) <= share * fabs(wanted), "%f is not %f", got, wanted);
}

TEST(gears_turn_at_the_limiter) { // M40, at 6200 rpm
    const apex_car_def car = scene_corvette();
    const apex_car_figures f = measure(&car, 0);
    ck_assert_uint_eq(f.gear_count, 6);
    for (uint32_t g = 0; g < 6; g++) {
        double ratio = car.gearbox.ratio[g] * 3.42;
        ck_assert_double_eq_tol(f.gear_speed_mps[g],
                                6200.0 / 60.0 * 2.0 * 3.14159265358979 * 0.34 / ratio, 1e-9);
    }
    ck_assert_double_eq_tol(f.gear_speed_mps[0] / KMH, 84.5383064678 * 6200.0 / 6000.0, 1e-6);
    ck_assert_double_eq_tol(f.reverse_speed_mps / KMH, 77.5420328291 * 6200.0 / 6000.0, 1e-6);
    ck_assert(isnan(f.skidpad_g) && isnan(f.mass_kg) && isnan(f.top_speed_mps));
}

TEST(engine_curve_and_peaks) {
    apex_car_def car = scene_corvette();
    const apex_car_figures f = measure(&car, 0);
    ck_assert_uint_eq(f.engine_count, 21); // 1000, 1250 .. 6000
    ck_assert_double_eq(f.engine[0].rpm, 1000.0);
    ck_assert_double_eq(f.engine[20].rpm, 6000.0);
    ck_assert_double_eq_tol(f.engine[10].torque_nm, 448.0 + 27.0 * 1000.0 / 1900.0, 1e-9); // 3500
    ck_assert_double_eq_tol(f.engine[10].power_w,
                            f.engine[10].torque_nm * 3500.0 * 3.14159265358979 / 30.0, 1e-6);
    ck_assert_double_eq(f.torque_peak_nm, 475.0);
    ck_assert_double_eq(f.torque_peak_rpm, 4400.0);
    ck_assert_double_eq_tol(f.power_peak_w, 256856.6, 1.0); // 438 N m at 5600
    ck_assert_double_eq(f.power_peak_rpm, 5600.0);
    // Palmer 8.17: b = -0.032, d = 457.2 has its greatest power at 7143.75 rpm, 171.01 kW, where
    // no point of the table lies.
    const double rpm[] = {1000.0, 2800.0, 4600.0, 8000.0}, nm[] = {220.0, 265.0, 310.0, 201.2};
    car.engine.torque_count = 4;
    memcpy(car.engine.torque_rpm, rpm, sizeof rpm);
    memcpy(car.engine.torque_nm, nm, sizeof nm);
    car.engine.limiter_rpm = 7600.0;
    car.engine.blow_rpm = 8000.0;
    const apex_car_figures palmer = measure(&car, 0);
    ck_assert_double_eq_tol(palmer.power_peak_rpm, 7143.75, 1e-6);
    ck_assert_double_eq_tol(palmer.power_peak_w, 171010.0, 10.0);
}

TEST(scales_show_the_centre_of_mass) {
    apex_car_def car = scene_corvette();
    car.axles[0].x_m = 1.2;
    car.axles[1].x_m = -1.454;
    car.fuel_kg_max = 50.0;
    car.fuel_x_m = 0.0;
    const apex_car_figures f = measure(&car, APEX_MEASURE_REST);
    expect_share(f.mass_kg, 1550.0, 1e-4);
    expect_share(f.axle_load_n[0], 1550.0 * 9.81 * 1.454 / 2.654, 2e-3);
    expect_share(f.axle_load_n[1], 1550.0 * 9.81 * 1.2 / 2.654, 2e-3);
    expect_share(f.wheel_load_n[0], 0.5 * f.axle_load_n[0], 2e-3);
    expect_share(f.wheel_load_n[3], 0.5 * f.axle_load_n[1], 2e-3);
    expect_share(f.front_share, 1.454 / 2.654, 2e-3);
    expect_share(f.rollover_g, 1.575 / (2.0 * 0.45), 0.01); // t / 2h
    ck_assert(isnan(f.wheelie_g) && isnan(f.stoppie_g));
}

TEST(motorcycle_lifts_its_wheels) {
    apex_car_def car = scene_motorcycle();
    car.axles[0].x_m = 0.8;
    car.inertia_pitch_kgm2 *= 1.5; // the wheel further ahead has its part in it
    car.fuel_kg_max = 0.0;
    const apex_car_figures f = measure(&car, APEX_MEASURE_REST);
    expect_share(f.wheelie_g, 0.7 / 0.6, 0.02); // c / h
    expect_share(f.stoppie_g, 0.8 / 0.6, 0.02); // b / h
    ck_assert(isnan(f.rollover_g));
    ck_assert_uint_eq(f.wheel_count, 2);
}

TEST(full_speed_is_where_forces_meet) {
    const apex_car_def car = scene_corvette();
    const apex_car_figures f = measure(&car, APEX_MEASURE_SPRINT | APEX_MEASURE_TOP_SPEED);
    double v = f.top_speed_mps, ratio = car.gearbox.ratio[f.top_speed_gear - 1] * 3.42;
    // 5600..6200 rpm: from 438 to 380 N m.
    ck_assert_int_eq(f.top_speed_gear, 5);
    ck_assert(f.top_speed_rpm > 5600.0 && f.top_speed_rpm < 6200.0);
    double torque = 438.0 - 58.0 * (f.top_speed_rpm - 5600.0) / 600.0;
    const apex_tyre_def *tyre = &car.axles[0].tyre;
    double drag = 0.5 * 1.2 * car.aero.drag_coefficient * car.aero.frontal_area_m2 * v * v;
    double rolling =
        1500.0 * 9.81 * (tyre->rolling_coefficient + tyre->rolling_coefficient_s_per_m * v);
    expect_share(torque * ratio * car.gearbox.efficiency / 0.34, drag + rolling, 0.015);
    expect_share(f.top_speed_rpm, v / 0.34 * ratio * 30.0 / 3.14159265358979, 0.03);
    // In order, and no better than tyres of friction 1 allow: a = mu g b / (L - mu h) (M17).
    double best = 9.81 * 1.327 / (2.654 - 0.45);
    ck_assert_double_gt(f.to_60mph_s, 26.8224 / best);
    ck_assert_double_lt(f.to_60mph_s, 1.5 * 26.8224 / best);
    ck_assert(f.to_60mph_s < f.to_100kmh_s && f.to_100kmh_s < f.to_160kmh_s &&
              f.to_160kmh_s < f.to_200kmh_s);
    // It goes through 402 m between these two speeds.
    ck_assert(f.quarter_mile_s > f.to_160kmh_s && f.quarter_mile_s < f.to_200kmh_s);
    ck_assert(f.quarter_mile_mps > 160.0 * KMH && f.quarter_mile_mps < 200.0 * KMH);
}

// A gearbox that is past its best gear long before: the one below is tried by hand.
TEST(full_speed_is_that_of_the_best_gear) {
    apex_car_def car = scene_corvette();
    const apex_car_figures best = measure(&car, APEX_MEASURE_TOP_SPEED);
    car.gearbox.shift_up_rpm = 4000.0;
    const apex_car_figures f = measure(&car, APEX_MEASURE_TOP_SPEED);
    ck_assert_int_eq(f.top_speed_gear, 5);
    expect_share(f.top_speed_mps, best.top_speed_mps, 0.002);
}

TEST(gears_and_clutch_are_worked_by_hand_as_well) {
    apex_car_def car = scene_corvette();
    const apex_car_figures by_itself = measure(&car, APEX_MEASURE_SPRINT);
    car.gearbox.automatic = false;
    car.aids.automatic_clutch = false;
    car.aids.traction_control = 0.0;
    const apex_car_figures by_hand = measure(&car, APEX_MEASURE_SPRINT);
    expect_share(by_hand.to_100kmh_s, by_itself.to_100kmh_s, 0.08);
    expect_share(by_hand.quarter_mile_s, by_itself.quarter_mile_s, 0.05);
}

TEST(stopping_takes_the_square_of_speed) {
    apex_car_def car = scene_corvette();
    car.aero.drag_coefficient = 0.0;
    const apex_car_figures f = measure(&car, APEX_MEASURE_BRAKES);
    double best = 27.7777778 * 27.7777778 / (2.0 * 9.81); // friction 1: 39.3 m
    ck_assert_double_gt(f.from_100kmh_m, 0.98 * best);
    ck_assert_double_lt(f.from_100kmh_m, 1.06 * best);
    expect_share(f.from_60mph_m / f.from_100kmh_m, 26.8224 * 26.8224 / (27.7777778 * 27.7777778),
                 0.01);
    car.aids.abs = 0.0; // the driver's foot is nearly as good
    const apex_car_figures by_foot = measure(&car, APEX_MEASURE_BRAKES);
    ck_assert_double_gt(by_foot.from_100kmh_m, 0.98 * best);
    ck_assert_double_lt(by_foot.from_100kmh_m, 1.15 * best);
}

TEST(skidpad_comes_near_friction) {
    apex_car_def car = scene_corvette();
    const apex_car_figures f = measure(&car, APEX_MEASURE_SKIDPAD);
    // Friction 1 less what drives the car and what the wheels do not share evenly: sqrt(mu g r).
    ck_assert_double_lt(f.skidpad_g, 1.0);
    ck_assert_double_gt(f.skidpad_g, 0.82);
    ck_assert_double_eq(f.skidpad_left_g, f.skidpad_right_g); // left and right mirror
    if (!check_is_whole()) {
        return; // The rest runs the same code on less grip.
    }
    for (uint32_t a = 0; a < 2; a++) {
        car.axles[a].tyre.lateral.d *= 0.7;
        car.axles[a].tyre.longitudinal.d *= 0.7;
    }
    expect_share(measure(&car, APEX_MEASURE_SKIDPAD).skidpad_g, 0.7 * f.skidpad_g, 0.03);
}

// The textbook car of Abe: m 1500, Iz 2500, a 1.1, b 1.6, axles of 110 and 120 kN/rad.
static apex_car_def textbook_car(void) {
    apex_car_def car = scene_plain_car();
    car.mass_kg = 1500.0;
    car.inertia_yaw_kgm2 = 2500.0;
    car.com_height_m = 0.2;
    car.hull.height_m = 0.3; // clear of the ground
    car.hull.centre_z_m = 0.1;
    car.aero.drag_coefficient = 0.0;
    car.aero.lift_rear_m2 = 0.0;
    car.steering.rate_radps_max = 20.0;
    const double x_m[] = {1.1, -1.6}, stiffness[] = {110000.0, 120000.0};
    for (uint32_t a = 0; a < 2; a++) {
        apex_axle_def *axle = &car.axles[a];
        double load = 1500.0 * 9.81 * fabs(x_m[1 - a]) / 2.7;
        axle->x_m = x_m[a];
        axle->tyre.model = APEX_TYRE_LINEAR;
        axle->tyre.lateral.stiffness = stiffness[a] / load;
        axle->tyre.longitudinal.stiffness = 25.0;
        axle->tyre.lateral.relaxation_m = 0.05;
        axle->tyre.lateral.d = axle->tyre.longitudinal.d = 3.0;
        axle->tyre.load_sensitivity = 0.0;
        axle->tyre.camber_stiffness = 0.0;
        axle->tyre.pneumatic_trail_m = 0.0;
        axle->tyre.rolling_coefficient = 0.0;
        axle->tyre.rolling_coefficient_s_per_m = 0.0;
    }
    return car;
}

TEST(understeer_is_the_textbooks) {
    apex_car_def car = textbook_car();
    // K = (m / L)(b / Cf - a / Cr)
    double wanted = 1500.0 / 2.7 * (1.6 / 110000.0 - 1.1 / 120000.0);
    expect_share(measure(&car, APEX_MEASURE_UNDERSTEER).understeer_rad_per_mps2, wanted, 0.05);
    // Grip moved to the front turns its sign.
    car.axles[0].tyre.lateral.stiffness *= 2.0;
    wanted = 1500.0 / 2.7 * (1.6 / 220000.0 - 1.1 / 120000.0);
    ck_assert_double_lt(wanted, 0.0);
    expect_share(measure(&car, APEX_MEASURE_UNDERSTEER).understeer_rad_per_mps2, wanted, 0.10);
}

TEST(step_answers_as_the_textbook_says) {
    const apex_car_def car = textbook_car();
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_STEP_STEER);
    def.lateral_mps2 = 1.0;
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, NULL, &result), APEX_OK);
    double value[APEX_FIGURES_MAX] = {0};
    static const char *const names[] = {"yaw_gain", "yaw_overshoot", "yaw_peak_time",
                                        "yaw_response_time"};
    for (size_t n = 0; n < 4; n++) {
        for (size_t i = 0; i < result.figure_count; i++) {
            if (strcmp(result.figures[i].name, names[n]) == 0) {
                value[n] = result.figures[i].value;
            }
        }
    }
    // At 80 km/h: gain 5.32184, 3.93 % over, at 0.3662 s, 90 % after 0.1766 s. The wheel takes a
    // moment to turn, tyres to build up force.
    expect_share(value[0], 5.32184, 0.01);
    ck_assert_double_eq_tol(value[1], 3.93, 1.0);
    ck_assert_double_eq_tol(value[2], 0.3662, 0.03);
    ck_assert_double_eq_tol(value[3], 0.1766, 0.02);
}

static double figure(const apex_manoeuvre_result *result, const char *name) {
    for (size_t i = 0; i < result->figure_count; i++) {
        if (strcmp(result->figures[i].name, name) == 0) {
            return result->figures[i].value;
        }
    }
    ck_abort_msg("no figure %s", name);
    return 0.0;
}

// Degrees of the wheels for each g, up to 4 m/s2. To the right all is the same.
TEST(a_ramp_shows_the_textbooks_understeer) {
    const apex_car_def car = textbook_car();
    double wanted_rad = 1500.0 / 2.7 * (1.6 / 110000.0 - 1.1 / 120000.0);
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_RAMP_STEER);
    apex_manoeuvre_result sides[2];
    for (int side = 0; side < 2; side++) {
        def.to_right = side == 1;
        ck_assert_int_eq(apex_manoeuvre_run(&def, &car, NULL, &sides[side]), APEX_OK);
    }
    double wanted = wanted_rad * 9.80665 * 180.0 / 3.14159265358979;
    expect_share(figure(&sides[0], "understeer"), wanted, 0.15);
    // At its peak it takes more than the straight lines of small slip say, and less than the lock.
    double peak_mps2 = 9.80665 * figure(&sides[0], "lateral_peak");
    double speed_mps = KMH * figure(&sides[0], "speed_at_peak");
    double least_rad = 2.7 * peak_mps2 / (speed_mps * speed_mps) + wanted_rad * peak_mps2;
    ck_assert_double_gt(figure(&sides[0], "steer_at_peak"), 0.9 * least_rad * 180.0 / 3.14159265);
    ck_assert_double_lt(figure(&sides[0], "steer_at_peak"), 45.0);
    for (size_t i = 0; i < sides[0].figure_count; i++) {
        expect_share(sides[1].figures[i].value, sides[0].figures[i].value, 1e-9);
    }
}

TEST(kinematic_car_does_as_told) {
    apex_car_def car = scene_car_kind(6);
    ck_assert_int_eq(car.model, APEX_CAR_KINEMATIC);
    const apex_car_figures f = measure(&car, APEX_MEASURE_ALL);
    expect_share(f.to_100kmh_s, 100.0 * KMH / car.kinematic.acceleration_mps2_max, 0.005);
    expect_share(f.top_speed_mps, car.kinematic.speed_mps_max, 1e-3);
    expect_share(f.from_100kmh_m, 0.5 * 27.7778 * 27.7778 / car.kinematic.braking_mps2_max, 0.01);
    ck_assert_double_lt(fabs(f.understeer_rad_per_mps2), 1e-6);
    ck_assert(isnan(f.skidpad_g));
    ck_assert_uint_eq(f.gear_count + f.engine_count, 0);
}

TEST(slow_cars_do_not_get_there) {
    apex_car_def car = scene_corvette();
    for (uint32_t i = 0; i < car.engine.torque_count; i++) {
        car.engine.torque_nm[i] *= 0.12;
    }
    const apex_car_figures f = measure(&car, APEX_MEASURE_SPRINT);
    ck_assert(isnan(f.to_200kmh_s));
    ck_assert_double_gt(f.to_60mph_s, 20.0);
}

TEST(unfitted_changes_what_was_fitted) {
    const apex_car_def car = scene_car_kind(5);
    apex_car_def plain = apex_car_unfitted(&car);
    ck_assert_double_eq(plain.gearbox.efficiency, 1.0);
    plain.gearbox.efficiency = car.gearbox.efficiency;
    for (uint32_t a = 0; a < 3; a++) {
        ck_assert_double_eq(plain.axles[a].tyre.longitudinal.d, 1.0);
        ck_assert_double_eq(plain.axles[a].tyre.lateral.d, 1.0);
        plain.axles[a].tyre.longitudinal.d = car.axles[a].tyre.longitudinal.d;
        plain.axles[a].tyre.lateral.d = car.axles[a].tyre.lateral.d;
    }
    ck_assert_int_eq(memcmp(&plain, &car, sizeof car), 0);
}

// Friction 1 throughout: v^2 / 2 g to a stop, 1 g round a skidpad, and the loads of a lever.
TEST(paper_has_the_figures_of_the_texts) {
    const double G = 9.81;
    apex_car_def car = scene_corvette();
    for (uint32_t a = 0; a < 2; a++) {
        car.axles[a].tyre.longitudinal.d = car.axles[a].tyre.lateral.d = 1.0;
        car.axles[a].brake.torque_nm_max = 50000.0;
    }
    car.axles[0].x_m = 1.0; // six tenths in front
    car.axles[1].x_m = -1.5;
    apex_car_figures f;
    apex_car_figures_on_paper(&car, &f);
    double wheelbase_m = car.axles[0].x_m - car.axles[1].x_m,
           full_kg = car.mass_kg + car.fuel_kg_max;
    ck_assert_double_eq_tol(f.mass_kg, full_kg, 1e-9);
    ck_assert_double_eq_tol(f.axle_load_n[0], full_kg * G * -car.axles[1].x_m / wheelbase_m, 1.0);
    ck_assert_double_eq_tol(f.wheel_load_n[1], 0.5 * f.axle_load_n[0], 1e-6);
    ck_assert_double_eq_tol(f.front_share, 0.6, 1e-4);
    ck_assert_double_eq_tol(f.from_100kmh_m, 100.0 * KMH * 100.0 * KMH / (2.0 * G), 1e-9);
    ck_assert_double_eq_tol(f.from_60mph_m, 26.8224 * 26.8224 / (2.0 * G), 1e-9);
    ck_assert_double_eq(f.skidpad_g, 1.0);
    ck_assert_double_eq_tol(f.gear_speed_mps[0] / KMH, 87.4, 0.05);
    ck_assert_uint_eq(f.gear_count, car.gearbox.gear_count);
    ck_assert(isnan(f.wheelie_g));
    // Half the brakes that a stop of 1 g would take: twice the way.
    for (uint32_t a = 0; a < 2; a++) {
        car.axles[a].brake.torque_nm_max = full_kg * G * car.axles[a].tyre.radius_m / 8.0;
    }
    apex_car_figures_on_paper(&car, &f);
    ck_assert_double_eq_tol(f.from_100kmh_m, 100.0 * KMH * 100.0 * KMH / G, 1e-6);
}

// With power to spare and no drag a car gains speed as its driven wheels hold: mu g b / (L - mu h).
TEST(paper_sprints_as_wheels_hold) {
    apex_car_def car = scene_corvette();
    car.engine.turbo_share = car.engine.turbo_lag_s = 0.0;
    for (uint32_t i = 0; i < car.engine.torque_count; i++) {
        car.engine.torque_nm[i] = 10000.0;
    }
    for (uint32_t a = 0; a < 2; a++) {
        car.axles[a].tyre.longitudinal.d = 1.0;
        car.axles[a].drive_share = a == 1 ? 1.0 : 0.0;
    }
    apex_car_figures f;
    apex_car_figures_on_paper(&car, &f);
    double length_m = car.axles[0].x_m - car.axles[1].x_m;
    double held_mps2 = 9.81 * car.axles[0].x_m / (length_m - car.com_height_m);
    ck_assert_double_eq_tol(f.to_100kmh_s, 100.0 / 3.6 / held_mps2, 0.02);
    ck_assert_double_eq_tol(f.to_60mph_s, 26.8224 / held_mps2, 0.02);
    ck_assert_double_eq_tol(f.quarter_mile_s, sqrt(2.0 * 402.336 / held_mps2), 0.02);
}

static bool has(const apex_figure *list, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

TEST(lists_depend_on_the_kind_of_car) {
    static const char *const only[SCENE_KINDS] = {
        [0] = "rollover", [5] = "wheel_6_load", [6] = "rollover", [7] = "stoppie"};
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        const apex_car_def car = scene_car_kind(kind), plain = apex_car_unfitted(&car);
        const apex_car_figures f = measure(&car, 0), g = measure(&plain, 0);
        apex_car_figures paper;
        apex_car_figures_on_paper(&car, &paper);
        apex_figure list[APEX_FIGURES_MAX], other[APEX_FIGURES_MAX];
        size_t count = apex_car_figures_list(&f, list);
        ck_assert_uint_eq(apex_car_figures_list(&g, other), count);
        ck_assert_uint_eq(apex_car_figures_list(&paper, other), count);
        for (size_t i = 0; i < count; i++) {
            ck_assert_str_eq(list[i].name, other[i].name);
            ck_assert_uint_eq(strspn(list[i].name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
                              strlen(list[i].name));
            ck_assert(!has(list, i, list[i].name));
        }
        ck_assert(only[kind] == NULL || has(list, count, only[kind]));
        ck_assert_int_eq(has(list, count, "wheelie"), kind == 7);
        ck_assert_int_eq(has(list, count, "power_peak"), kind != 6);
    }
}

TEST(same_car_same_bits) {
    const apex_car_def car = scene_car_kind(1);
    const bool is_whole = check_is_whole();
    const uint32_t longer = APEX_MEASURE_SPRINT | APEX_MEASURE_UNDERSTEER;
    const uint32_t what = APEX_MEASURE_BRAKES | (is_whole ? longer : 0);
    const apex_car_figures f = measure(&car, what), g = measure(&car, what);
    ck_assert_double_eq(f.from_100kmh_m, g.from_100kmh_m);
    if (!is_whole) {
        return;
    }
    ck_assert_double_eq(f.to_100kmh_s, g.to_100kmh_s);
    ck_assert_double_eq(f.understeer_rad_per_mps2, g.understeer_rad_per_mps2);
}

TEST(broken_cars_are_refused) {
    apex_car_def car = scene_corvette();
    car.mass_kg = -1.0;
    apex_car_figures figures;
    ck_assert_int_eq(apex_car_figures_measure(&car, APEX_MEASURE_ALL, &figures), APEX_ERR_INVALID);
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_BRAKING);
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, NULL, &result), APEX_ERR_INVALID);
}
