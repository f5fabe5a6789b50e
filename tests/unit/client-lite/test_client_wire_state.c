// A snapshot's integers as physics' state: by themselves, and beside what was expected.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>

#include "base/trig.h"
#include "client-lite/prediction/wire_state.h"
#include "client-lite/view/pose.h"

static apex_car_def def;

static apex_wire_car told(void) {
    return (apex_wire_car){.id = 7,
                           .x_mm = 100000,
                           .y_mm = -20000,
                           .z_mm = 500,
                           .yaw_q = 8192, // a quarter of half a turn
                           .vx_cmps = 2121,
                           .vy_cmps = 2121,
                           .yaw_rate_q = 256,
                           .steer_q = 1043, // 0.1 rad
                           .rpm = 3000,
                           .gear = 3,
                           .flags = APEX_CAR_FLAG_GHOST};
}

TEST(from_rest_wheels_roll_and_tyres_have_forgotten) {
    apex_wire_car car = told();
    apex_car_state fresh = {.fuel_kg = 30.0}, state;
    def = scene_corvette();
    client_state_of_wire(&def, &car, &fresh, &state);
    double speed_mps = 21.21 * sqrt(2.0);
    ck_assert_double_eq_tol(state.position_m[0], 100.0, 1e-12);
    ck_assert_double_eq_tol(state.position_m[1], -20.0, 1e-12);
    ck_assert_double_eq_tol(state.orientation[0], cos(APEX_PI / 8.0), 1e-6);
    ck_assert_double_eq_tol(state.orientation[3], sin(APEX_PI / 8.0), 1e-6);
    ck_assert_double_eq_tol(state.wheels[2].spin_radps, speed_mps / def.axles[1].tyre.radius_m,
                            1e-3);
    ck_assert_double_eq_tol(state.acceleration_mps2[1], speed_mps * 0.25, 1e-3);
    ck_assert_double_eq_tol(state.steer_rad, 0.1, 1e-4);
    ck_assert_double_eq_tol(state.engine_radps, 100.0 * APEX_PI, 1e-9);
    ck_assert_double_eq(state.fuel_kg, 30.0);
    ck_assert(state.ghost && !state.held && !state.airborne);
    ck_assert_int_eq(state.gear, 3);
}

// As if it had been foretold to the digit, and then moved away from it.
typedef struct expectation {
    apex_car_state state;
    apex_client_pose pose;
} expectation;

static expectation expected(void) {
    apex_wire_car car = told();
    apex_car_state fresh = {0};
    expectation self;
    def = scene_corvette();
    client_state_of_wire(&def, &car, &fresh, &self.state);
    self.pose = client_pose_of_wire(&car, 100.0);
    self.state.wheels[0].deflection_lat_m = 0.01;
    self.state.wheels[0].spin_radps += 3.0; // slip
    return self;
}

static apex_car_state beside(const expectation *self, const apex_wire_car *car) {
    client_expected_state both = {.state = &self->state, .pose = &self->pose};
    apex_car_state state;
    client_state_of_wire_near(&def, car, &both, &state);
    return state;
}

TEST(what_rounding_hides_is_as_expected) {
    apex_wire_car car = told();
    expectation self = expected();
    self.state.position_m[0] += 0.004;
    self.state.steer_rad += 0.005;
    self.pose.yaw_rad += 0.0002;
    self.state.angular_radps[2] -= 0.005;
    apex_car_state state = beside(&self, &car);
    ck_assert_double_eq_tol(state.position_m[0], 100.004, 1e-12);
    ck_assert_double_eq_tol(state.steer_rad, self.state.steer_rad, 1e-12);
    ck_assert_double_eq_tol(state.angular_radps[2], 0.245, 1e-12);
    ck_assert_double_eq_tol(2.0 * asin(state.orientation[3]), APEX_PI / 4.0 + 0.0002, 1e-9);
    ck_assert_double_eq(state.wheels[0].deflection_lat_m, 0.01);
}

TEST(what_rounding_cannot_hide_is_as_told_as_near_as_it_may_be) {
    apex_wire_car car = told();
    expectation self = expected();
    self.state.position_m[1] += 1.0;
    self.state.position_m[2] -= 1.0;
    apex_car_state state = beside(&self, &car);
    ck_assert_double_eq_tol(state.position_m[1], -20.0 + 0.0055, 1e-9);
    ck_assert_double_eq_tol(state.position_m[2], 0.5 - 0.0055, 1e-9);
}

TEST(a_faster_car_keeps_the_slip_of_its_wheels) {
    apex_wire_car car = told();
    expectation self = expected();
    car.vx_cmps = 2828;
    car.vy_cmps = 2828; // ten metres a second faster, less what rounding may hide
    apex_car_state state = beside(&self, &car);
    double faster_mps = 7.07 * sqrt(2.0) - 0.03;
    ck_assert_double_eq_tol(state.wheels[0].spin_radps - self.state.wheels[0].spin_radps,
                            faster_mps / def.axles[0].tyre.radius_m, 0.01);
}

TEST(another_gear_is_told) {
    apex_wire_car car = told();
    expectation self = expected();
    self.state.shift_left_s = 0.1;
    ck_assert_double_eq(beside(&self, &car).shift_left_s, 0.1);
    car.gear = 4;
    apex_car_state state = beside(&self, &car);
    ck_assert_int_eq(state.gear, 4);
    ck_assert_double_eq(state.shift_left_s, 0.0);
}
