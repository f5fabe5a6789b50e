// The test driver's hands and feet by themselves, the paths that he follows, and the textbook's
// even speeds: numbers worked out by hand.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include "proving/paper/textbook.h"
#include "proving/test_driver/feet.h"
#include "proving/test_driver/hands.h"
#include "proving/test_driver/path.h"

#include <math.h>

// Points at x = 10, 11, ... 15.
static proving_path line(void) {
    return (proving_path){.kind = PROVING_PATH_LINE,
                          .from_x_m = 10.0,
                          .point_count = 6,
                          .y_m = {0.0, 0.0, 0.1, 0.4, 0.9, 1.4}};
}

TEST(a_line_bends_as_its_points_do) {
    proving_path path = line();
    static const struct {
        double x_m, curvature_per_m;
    } spots[] = {{9.5, 0.0},  {10.0, 0.0}, {10.5, 0.05}, {11.0, 0.1}, {11.25, 0.125}, {12.0, 0.2},
                 {13.5, 0.1}, {14.0, 0.0}, {14.5, 0.0},  {15.0, 0.0}, {99.0, 0.0}};
    for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
        // What is asked for is ahead of the place.
        const double place_m[2] = {spots[i].x_m - 3.0, 0.0};
        proving_beside at = proving_path_beside(&path, place_m, 3.0);
        ck_assert_double_eq_tol(at.curvature_per_m, spots[i].curvature_per_m, 1e-9);
    }
    // The last point has no bend of its own.
    path.y_m[5] = 2.4;
    const double end_m[2] = {14.5, 0.0};
    double middle = proving_path_beside(&path, end_m, 0.0).curvature_per_m;
    ck_assert_double_eq_tol(middle, 0.5 * (0.4 - 1.8 + 2.4), 1e-9);
}

// Level before the first point, straight on after the last.
TEST(beside_a_line_is_across_its_slope) {
    const proving_path path = line();
    static const struct {
        double x_m, y_m, slope;
    } spots[] = {{3.0, 0.0, 0.0},   {10.5, 0.0, 0.0}, {11.5, 0.05, 0.1},
                 {13.5, 0.65, 0.5}, {15.0, 1.4, 0.5}, {17.0, 2.4, 0.5}};
    for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
        double across = 1.0 / sqrt(1.0 + spots[i].slope * spots[i].slope);
        const double place_m[2] = {spots[i].x_m, spots[i].y_m + 2.0};
        proving_beside at = proving_path_beside(&path, place_m, 0.0);
        ck_assert_double_eq_tol(at.off_m, 2.0 * across, 1e-9);
        ck_assert_double_eq_tol(at.along[0], across, 1e-9);
        ck_assert_double_eq_tol(at.along[1], spots[i].slope * across, 1e-9);
    }
}

// Round (0, 50) to the left, round (0, -50) to the right.
TEST(beside_a_circle_is_left_of_it) {
    for (int side = -1; side <= 1; side += 2) {
        const proving_path path = proving_path_circle(side * 50.0);
        const double place_m[2] = {30.0, side * (50.0 - 36.0)}; // 3, 4, 5: 46.9 m from its middle
        proving_beside at = proving_path_beside(&path, place_m, 10.0);
        double distance_m = sqrt(30.0 * 30.0 + 36.0 * 36.0);
        ck_assert_double_eq_tol(at.off_m, side * (50.0 - distance_m), 1e-9);
        ck_assert_double_eq_tol(at.along[0], 36.0 / distance_m, 1e-9);
        ck_assert_double_eq_tol(at.along[1], side * 30.0 / distance_m, 1e-9);
        ck_assert_double_eq_tol(at.curvature_per_m, side / 50.0, 1e-12);
    }
}

// atan(2.5 * 0.02) of 0.5 rad of lock, and 0.4 of the tenth that is missing.
TEST(hands_begin_with_geometry_and_add_what_is_missing) {
    const apex_car_def car = scene_corvette();
    const double asked = atan(0.05) / 0.5;
    proving_rig rig = {.car = &car, .lock_rad = 0.5, .wheelbase_m = 2.5, .speed_mps = 20.0};
    proving_driver driver = proving_driver_for(&car);
    proving_driver_turn(&driver, &rig, 0.02);
    ck_assert_double_eq_tol(rig.demand.steer, asked + 0.4 * 0.1, 1e-6);
    ck_assert_double_eq_tol(driver.turn_memory, 4.0 * 0.1 * PROVING_TICK_S, 1e-9);
    // Half of the yaw rate is there.
    driver = proving_driver_for(&car);
    rig.yaw_rate_radps = 0.2;
    proving_driver_turn(&driver, &rig, 0.02);
    ck_assert_double_eq_tol(rig.demand.steer, asked + 0.4 * 0.05, 1e-6);
    // Sliding front tyres: nothing is added to what slides, but it may be taken back.
    rig.work.wheels[1].slip_angle_rad = -0.26;
    driver = proving_driver_for(&car);
    proving_driver_turn(&driver, &rig, 0.02);
    ck_assert_double_eq(driver.turn_memory, 0.0);
    rig.yaw_rate_radps = 0.6;
    proving_driver_turn(&driver, &rig, 0.02);
    ck_assert_double_eq_tol(driver.turn_memory, -4.0 * 0.05 * PROVING_TICK_S, 1e-9);
    // The lock ends it as well.
    rig.work.wheels[1].slip_angle_rad = 0.0;
    rig.yaw_rate_radps = 0.0;
    driver = proving_driver_for(&car);
    proving_driver_turn(&driver, &rig, 0.2);
    ck_assert_double_eq(rig.demand.steer, 1.0);
    ck_assert_double_eq(driver.turn_memory, 0.0);
}

// 30 m/s are 2882 rpm at a ratio of 1: a calm engine of 6200 turns with 2046 or more.
TEST(a_calm_gear_is_the_highest_that_pulls) {
    const apex_car_def car = scene_corvette();
    const proving_rig rig = {.car = &car};
    proving_driver driver = proving_driver_for(&car);
    ck_assert_int_eq(driver.gear, APEX_GEAR_AUTOMATIC);
    static const struct {
        double speed_mps;
        int gear;
    } cases[] = {{28.6, 4}, {29.0, 5}, {42.0, 5}, {43.0, 6}, {60.0, 6}, {5.0, 1}, {0.0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        proving_driver_choose_gear(&driver, &rig, cases[i].speed_mps);
        ck_assert_msg(driver.gear == cases[i].gear, "gear %d at %g", driver.gear,
                      cases[i].speed_mps);
    }
    const apex_car_def plain = scene_car_kind(6);
    ck_assert_int_eq(plain.model, APEX_CAR_KINEMATIC);
    const proving_rig geared_by_nobody = {.car = &plain};
    driver = proving_driver_for(&plain);
    proving_driver_choose_gear(&driver, &geared_by_nobody, 30.0);
    ck_assert_int_eq(driver.gear, APEX_GEAR_AUTOMATIC);
}

// In first gear 1 m/s is 255.5 rpm, in neutral it is taken for first. Without throttle the clutch
// opens below 1.2 times idling; with it, it comes up over three tenths of the engine's range.
TEST(the_clutch_comes_up_with_the_engine) {
    apex_car_def car = scene_corvette();
    car.aids.automatic_clutch = false;
    double idle_rpm = car.engine.idle_rpm, band_rpm = 0.3 * (car.engine.limiter_rpm - idle_rpm);
    proving_driver driver = proving_driver_for(&car);
    for (int8_t gear = 0; gear <= 1; gear++) {
        proving_rig rig = {.car = &car, .pose = {.gear = gear}};
        rig.speed_mps = 1.25 * idle_rpm / 255.5;
        proving_driver_coast(&driver, &rig);
        ck_assert_double_eq(rig.demand.clutch, 0.0);
        rig.speed_mps = 1.15 * idle_rpm / 255.5;
        proving_driver_coast(&driver, &rig);
        ck_assert_double_eq(rig.demand.clutch, 1.0);
        rig.demand.throttle = 0.5;
        rig.speed_mps = 0.5;
        rig.pose.engine_radps = (idle_rpm + 0.25 * band_rpm) * APEX_RADPS_PER_RPM;
        proving_driver_shift(&driver, &rig);
        ck_assert_double_eq_tol(rig.demand.clutch, 0.75, 1e-6);
        rig.pose.engine_radps = 0.9 * idle_rpm * APEX_RADPS_PER_RPM;
        proving_driver_shift(&driver, &rig);
        ck_assert_double_eq_tol(rig.demand.clutch, 1.0, 1e-9);
    }
}

TEST(forces_are_even_where_the_parabola_is) {
    static const struct {
        apex_textbook_balance balance;
        double even_mps;
    } cases[] = {
        {{-0.01, 0.2, 1.25}, 25.0}, // (0.2 + 0.3) / 0.02
        {{-0.01, 0.2, -5.0}, -1.0}, // weaker than what holds it back at any speed
        {{0.0, -0.5, 10.0}, 20.0},  // no drag: a line
        {{0.0, 0.5, 10.0}, -1.0},   {{0.0, 0.0, 10.0}, -1.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double even_mps = apex_textbook_even_mps(&cases[i].balance);
        ck_assert_double_eq_tol(even_mps, cases[i].even_mps, 1e-9);
    }
}

// At the highest speed on paper the forces on paper are even, and a little above it they are not.
TEST(top_speed_on_paper_is_where_forces_on_paper_are_even) {
    const apex_textbook_place earth = {.gravity_mps2 = 9.81, .air_density_kg_per_m3 = 1.2};
    apex_car_def car = scene_corvette();
    for (int loaded = 0; loaded < 2; loaded++) {
        car.mass_kg += loaded * 3000.0;
        const apex_textbook_top top = apex_textbook_top_speed(&car, &earth);
        ck_assert(!top.is_limited);
        apex_textbook_drive at = {.gear = top.gear, .speed_mps = top.speed_mps};
        apex_textbook_forces even = apex_textbook_forces_at(&car, &earth, &at);
        ck_assert_double_gt(even.drive_n, 1000.0);
        ck_assert_double_eq_tol(even.acceleration_mps2, 0.0, 1e-9);
        double rpm = apex_textbook_engine_rpm(&car, top.gear, top.speed_mps);
        ck_assert_double_eq_tol(top.rpm, rpm, 1e-9);
        at.speed_mps += 1.0;
        for (at.gear = 1; at.gear <= 6; at.gear++) {
            if (apex_textbook_gear_mps(&car, at.gear, car.engine.limiter_rpm) > at.speed_mps) {
                ck_assert_double_lt(apex_textbook_forces_at(&car, &earth, &at).acceleration_mps2,
                                    0.0);
            }
        }
    }
}
