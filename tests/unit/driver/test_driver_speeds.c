// The speeds of a plan whose stations are laid by hand, against closed forms.
#include "support/base/check_main.h"

#include "driver/plan/racing_line.h"
#include "driver/plan/speed_profile.h"

#include "base/trig.h"

#include <math.h>

enum { COUNT = 64, SLOW = 2 };

static const double GRAVITY_MPS2 = 10.0;

static driver_station stations[COUNT];
static apex_car_def def;
static apex_driver_plan plan;

// A kinematic car: it pulls by 4 m/s^2 and brakes by 8, and has a grip of 1 across.
static void take_car(void) {
    def = apex_default_car_def();
    def.model = APEX_CAR_KINEMATIC;
    def.kinematic.acceleration_mps2_max = 4.0;
    def.kinematic.speed_mps_max = 200.0;
    plan.car = (driver_car){.def = &def,
                            .kinematic = true,
                            .gravity_mps2 = GRAVITY_MPS2,
                            .mass_kg = 1000.0,
                            .wheelbase_m = 2.5,
                            .grip_lat = 1.0,
                            .grip_long = 1.0,
                            .drive_grip = 0.5,
                            .brake_mps2_full = 8.0,
                            .driven_radius_m = 0.3};
}

// A circle to the left, or to the right with a negative radius.
static void lay_circle(double radius_m) {
    plan = (apex_driver_plan){.closed = true, .count = COUNT, .stations = stations};
    take_car();
    plan.step_m = 2.0 * fabs(radius_m) * apex_sin(APEX_PI / COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        double angle_rad = 2.0 * APEX_PI * i / COUNT;
        stations[i] = (driver_station){.x_m = fabs(radius_m) * apex_cos(angle_rad),
                                       .y_m = radius_m * apex_sin(angle_rad),
                                       .friction = 1.0,
                                       .leap_mps = 130.0};
    }
}

static void lay_straight(void) {
    plan = (apex_driver_plan){.count = COUNT, .stations = stations, .step_m = 4.0};
    take_car();
    for (uint32_t i = 0; i < COUNT; i++) {
        stations[i] = (driver_station){.x_m = 4.0 * i, .friction = 1.0, .leap_mps = 130.0};
    }
}

static void bank(double banking_rad) {
    for (uint32_t i = 0; i < COUNT; i++) {
        stations[i].banking_rad = banking_rad;
    }
}

static void check_all(double square) {
    driver_set_speeds(&plan);
    for (uint32_t i = 0; i < COUNT; i++) {
        ck_assert_double_eq_tol(stations[i].speed_mps, sqrt(square), 1e-3);
    }
}

// v^2 = 0.9 g r.
TEST(a_flat_bend_is_taken_with_nine_tenths_of_the_grip) {
    lay_circle(100.0);
    check_all(900.0);
    ck_assert_double_eq_tol(stations[0].curvature_per_m, 0.01, 1e-6);
    ck_assert_double_eq_tol(stations[0].tangent_y, 1.0, 1e-6);
    ck_assert_double_eq_tol(stations[COUNT / 4].tangent_x, -1.0, 1e-6);
    lay_circle(-100.0);
    check_all(900.0);
    ck_assert_double_eq_tol(stations[0].curvature_per_m, -0.01, 1e-6);
}

// v^2 = g r (0.9 + 0.6 b) / (1 - 0.9 b), b the lean into the bend.
TEST(a_banking_helps_only_where_it_leans_into_the_bend) {
    const double INTO = 1000.0 * 0.96 / 0.91, OUT_OF = 1000.0 * 0.84 / 1.09;
    for (int side = -1; side <= 1; side += 2) {
        lay_circle(side * 100.0);
        bank(-0.1 * side);
        check_all(INTO);
        bank(0.1 * side);
        check_all(OUT_OF);
    }
}

TEST(a_rider_leans_however_the_road_lies) {
    lay_circle(100.0);
    def.kinematic.acceleration_mps2_max = 20.0;
    plan.car.leans = true;
    bank(-0.1);
    driver_set_speeds(&plan);
    ck_assert_double_eq_tol(stations[9].speed_mps, 30.0, 1e-3);
    bank(0.1);
    driver_set_speeds(&plan);
    ck_assert_double_eq_tol(stations[9].speed_mps, sqrt(1000.0 * 0.84 / 1.09), 1e-3);
}

// v^2 = 0.9 g / (k - 0.9 d), d of wings and of the dip; no more of it than half the bend counts.
TEST(what_presses_a_car_down_carries_it_through_a_bend) {
    lay_circle(100.0);
    plan.car.downforce_n_per_mps2 = 3.0;
    for (uint32_t i = 0; i < COUNT; i++) {
        stations[i].crest_per_m = 0.001;
    }
    check_all(9.0 / (0.01 - 0.9 * 0.004));
    plan.car.downforce_n_per_mps2 = 20.0;
    check_all(9.0 / (0.01 - 0.9 * 0.005));
    plan.car.downforce_n_per_mps2 = 0.0;
    for (uint32_t i = 0; i < COUNT; i++) {
        stations[i].crest_per_m = -0.002;
    }
    check_all(9.0 / (0.01 + 0.9 * 0.002));
}

// Before a place that is taken at 10 m/s a car brakes by 0.88 * 8 m/s^2, and behind it it pulls by
// 4. Both are found round the line, where the place is just past it or just before it.
static void check_around(uint32_t slow, double brakes_mps2, double pulls_mps2) {
    stations[slow].leap_mps = 10.0;
    driver_set_speeds(&plan);
    for (uint32_t k = 0; k < 5; k++) {
        double before = 100.0 + 2.0 * brakes_mps2 * plan.step_m * k;
        double behind = 100.0 + 2.0 * pulls_mps2 * plan.step_m * k;
        double mps = stations[driver_line_index(&plan, slow, -(int64_t)k)].speed_mps;
        ck_assert_double_eq_tol(mps, sqrt(before), 1e-3);
        mps = stations[driver_line_index(&plan, slow, k)].speed_mps;
        ck_assert_double_eq_tol(mps, sqrt(behind), 1e-3);
    }
}

TEST(a_slow_place_is_braked_for_and_pulled_out_of_round_the_line) {
    lay_circle(1000.0);
    check_around(SLOW, 7.04, 4.0);
    lay_circle(1000.0);
    check_around(COUNT - SLOW, 7.04, 4.0);
}

TEST(a_climb_and_resistance_help_the_brakes_and_hinder_the_engine) {
    lay_circle(1000.0);
    plan.car.rolling_mps2 = 0.1;
    for (uint32_t i = 0; i < COUNT; i++) {
        stations[i].slope_rad = 0.05;
    }
    check_around(20, 7.04 + 0.1 + 0.5, 4.0 - 0.1 - 0.5);
}

// 2 N for each (m/s)^2 are 0.2 m/s^2 at 10 m/s, of 1000 kg.
TEST(drag_goes_with_the_square_of_speed) {
    lay_circle(1000.0);
    plan.car.drag_n_per_mps2 = 2.0;
    stations[20].leap_mps = 10.0;
    driver_set_speeds(&plan);
    double step_m = plan.step_m;
    ck_assert_double_eq_tol(stations[19].speed_mps, sqrt(100.0 + 2.0 * 7.24 * step_m), 1e-3);
    ck_assert_double_eq_tol(stations[21].speed_mps, sqrt(100.0 + 2.0 * 3.8 * step_m), 1e-3);
}

// A car pulls on the ground that it leaves and brakes on the ground before the slow place.
TEST(a_step_of_the_plan_has_the_slope_of_where_it_begins) {
    lay_circle(1000.0);
    stations[20].leap_mps = 10.0;
    stations[20].slope_rad = 0.05;
    driver_set_speeds(&plan);
    double step_m = plan.step_m;
    ck_assert_double_eq_tol(stations[19].speed_mps, sqrt(100.0 + 2.0 * 7.04 * step_m), 1e-3);
    ck_assert_double_eq_tol(stations[21].speed_mps, sqrt(100.0 + 2.0 * 3.5 * step_m), 1e-3);
}

// Through (-8, 0), (0, 0.4) and (8, 0): one station aside is no hairpin.
TEST(a_kink_is_spread_over_two_stations) {
    lay_straight();
    stations[10].y_m = 0.4;
    driver_set_speeds(&plan);
    ck_assert_double_eq_tol(stations[10].curvature_per_m, -12.8 / (64.16 * 16.0), 1e-9);
}

TEST(a_strip_ends_at_a_walk) {
    lay_straight();
    driver_set_speeds(&plan);
    for (uint32_t k = 0; k < 10; k++) {
        double square = 1.0 + 2.0 * 7.04 * 4.0 * k;
        ck_assert_double_eq_tol(stations[COUNT - 1 - k].speed_mps, sqrt(square), 1e-3);
    }
    ck_assert_double_eq_tol(stations[0].speed_mps, sqrt(1.0 + 2.0 * 7.04 * 252.0), 1e-3);
}

// In a bend of 1000 m at 10 m/s: 0.1 m/s^2 across, and 1 is spared.
static void take_tyres(void) {
    driver_axle axle = {
        .weight_share = 0.5, .brake_share = 0.5, .gains = 1.0, .grip_lat = 1.0, .grip_long = 1.0};
    plan.car.kinematic = false;
    plan.car.axles[0] = plan.car.axles[1] = axle;
    plan.car.brake_mps2_full = 20.0;
    def.model = APEX_CAR_DYNAMIC;
    def.engine.brake_nm_per_rps = 0.0;
    for (uint32_t i = 0; i < def.engine.torque_count; i++) {
        def.engine.torque_nm[i] *= 10.0;
    }
}

TEST(tyres_that_slide_bound_brakes_and_engine) {
    lay_circle(1000.0);
    take_tyres();
    stations[20].leap_mps = 10.0;
    stations[19].friction = 0.3;
    driver_set_speeds(&plan);
    double across = 1.0 + 0.1 / 0.9;
    double brakes = 0.88 * sqrt(9.0 - across * across);
    double before = 100.0 + 2.0 * brakes * plan.step_m;
    ck_assert_double_eq_tol(stations[19].speed_mps, sqrt(before), 0.1);
    // Half of the weight is on the driven wheels; 0.01 of the grip is used: left 0.99 (2 - 0.99).
    double behind = 100.0 + 2.0 * 0.85 * 5.0 * 0.99 * 1.01 * plan.step_m;
    ck_assert_double_eq_tol(stations[21].speed_mps, sqrt(behind), 1e-3);
    plan.car.downforce_n_per_mps2 = 20.0; // is not counted on
    plan.car.leans = true;                // who leans has 0.99 of it only
    driver_set_speeds(&plan);
    behind = 100.0 + 2.0 * 0.85 * 5.0 * 0.99 * plan.step_m;
    ck_assert_double_eq_tol(stations[21].speed_mps, sqrt(behind), 1e-3);
}

// 3 m/s^2 of a banking out of the bend and 0.1 of the bend itself have to be held.
TEST(a_banking_that_must_be_held_leaves_less_to_pull) {
    lay_circle(1000.0);
    take_tyres();
    plan.car.leans = true;
    stations[20].leap_mps = 10.0;
    stations[20].banking_rad = 0.3;
    driver_set_speeds(&plan);
    double left = sqrt(1.0 - 0.31 * 0.31);
    double behind = 100.0 + 2.0 * 0.85 * 5.0 * left * plan.step_m;
    ck_assert_double_eq_tol(stations[21].speed_mps, sqrt(behind), 1e-3);
}

// A road with less than 1/2000 of a bend is left over a crest; one that bends more is not.
TEST(only_a_straight_crest_is_flown_over) {
    for (int far = 0; far <= 1; far++) {
        double radius_m = far ? 2100.0 : 1900.0;
        lay_circle(radius_m);
        for (uint32_t i = 0; i < COUNT; i++) {
            stations[i].crest_per_m = -0.001;
        }
        check_all(far ? 130.0 * 130.0 : 9.0 / (1.0 / radius_m + 0.0009));
    }
}

TEST(stations_wrap_on_a_lap_and_stop_at_the_ends_of_a_stretch) {
    lay_circle(100.0);
    ck_assert_uint_eq(driver_line_index(&plan, 0, -1), COUNT - 1);
    ck_assert_uint_eq(driver_line_index(&plan, COUNT - 1, 1), 0);
    ck_assert_uint_eq(driver_line_index(&plan, 3, -2 * COUNT - 4), COUNT - 1);
    plan.closed = false;
    ck_assert_uint_eq(driver_line_index(&plan, 1, -2), 0);
    ck_assert_uint_eq(driver_line_index(&plan, COUNT - 2, 2), COUNT - 1);
}

TEST(the_line_lies_its_offset_to_the_left) {
    lay_straight();
    stations[5].centre_x_m = 7.0;
    stations[5].centre_y_m = 1.0;
    stations[5].normal_x = 0.6;
    stations[5].normal_y = 0.8;
    stations[5].offset_m = -5.0;
    driver_line_place(&plan);
    ck_assert_double_eq_tol(stations[5].x_m, 4.0, 1e-9);
    ck_assert_double_eq_tol(stations[5].y_m, -3.0, 1e-9);
}
