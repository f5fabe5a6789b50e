// What an axle bears, in numbers that can be worked out on paper.
#include "support/base/check_main.h"

#include "driver/plan/axle_load.h"

static const double FULL_MPS2 = 20.0;
static const double STEP_MPS2 = 0.02; // ten halvings leave 20/1024

// Both axles alike, the centre of mass on the ground; 10 m/s^2 of gravity.
static driver_car even_car(void) {
    driver_axle front = {
        .weight_share = 0.5, .brake_share = 0.5, .gains = 1.0, .grip_lat = 1.0, .grip_long = 1.0};
    driver_axle rear = front;
    rear.gains = -1.0;
    return (driver_car){.gravity_mps2 = 10.0,
                        .mass_kg = 1000.0,
                        .wheelbase_m = 2.0,
                        .axles = {front, rear},
                        .brake_mps2_full = FULL_MPS2};
}

static void check_brakes(const driver_car *car, driver_load load, double expected_mps2) {
    ck_assert_double_eq_tol(driver_axles_brake_mps2(car, &load), expected_mps2, STEP_MPS2);
}

static const driver_load STRAIGHT = {.pressed_mps2 = 10.0, .friction = 1.0};

TEST(a_car_brakes_with_what_it_weighs_times_friction) {
    driver_car car = even_car();
    driver_load wet = STRAIGHT;
    wet.friction = 0.5;
    check_brakes(&car, STRAIGHT, 10.0);
    check_brakes(&car, wet, 5.0);
}

// b/2 = 5 - b/4 at the rear, which braking unloads.
TEST(braking_takes_load_from_the_rear_axle) {
    driver_car car = even_car();
    car.com_height_m = 0.5;
    check_brakes(&car, STRAIGHT, 20.0 / 3.0);
    // With little of the brakes there it is the front: 0.8 b = 5 + b/4.
    car.axles[0].brake_share = 0.8;
    car.axles[1].brake_share = 0.2;
    check_brakes(&car, STRAIGHT, 5.0 / 0.55);
}

// b/2 + 2 = 5 - (b + 2)/4 at the driven rear.
TEST(the_engine_brakes_the_driven_axle_too) {
    driver_car car = even_car();
    car.com_height_m = 0.5;
    car.axles[1].drive_share = 1.0;
    driver_load load = STRAIGHT;
    load.engine_mps2 = 2.0;
    check_brakes(&car, load, 10.0 / 3.0);
}

// (b/2)^2 + (6/2)^2 = 5^2; with tyres of twice the grip across, (b/2)^2 + (3/2)^2 = 5^2.
TEST(a_bend_leaves_the_rest_of_an_ellipse) {
    driver_car car = even_car();
    driver_load load = STRAIGHT;
    load.side_mps2 = -6.0;
    check_brakes(&car, load, 8.0);
    car.axles[0].grip_lat = car.axles[1].grip_lat = 2.0;
    check_brakes(&car, load, 9.539);
}

TEST(speed_crests_and_banking_press_a_car_down) {
    driver_car car = even_car();
    car.downforce_n_per_mps2 = 2.0;
    driver_point here = {.crest_per_m = 0.001, .banking_rad = -0.1, .friction = 0.7};
    // 10 + 20^2 (2/1000 + 1/1000) + 5 * 0.1 and 5 - 10 * 0.1.
    driver_load load = driver_axles_load(&car, &here, 20.0, 5.0);
    ck_assert_double_eq_tol(load.pressed_mps2, 11.7, 1e-9);
    ck_assert_double_eq_tol(load.side_mps2, 4.0, 1e-9);
    ck_assert_double_eq_tol(load.engine_mps2, 0.0, 1e-9);
    ck_assert_double_eq_tol(load.friction, 0.7, 1e-9);
    here.crest_per_m = -0.1; // it flies
    ck_assert_double_eq_tol(driver_axles_load(&car, &here, 20.0, 5.0).pressed_mps2, 1.0, 1e-9);
}
