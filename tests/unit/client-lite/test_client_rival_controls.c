// What another driver is taken to do: what he did last, or his mean if he taps his pedals.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include "client-lite/prediction/rival_controls.h"

enum { TICK_HZ = 60, INTERVAL = 3, HORIZON = 9 };

static apex_wire_car pedals(uint8_t throttle, uint8_t brake) {
    return (apex_wire_car){.throttle = throttle, .brake = brake, .gear = 3};
}

static void tell(client_rival_controls *self, uint32_t tick, uint8_t throttle) {
    apex_wire_car car = pedals(throttle, 0);
    client_rival_controls_told(self, tick, &car, TICK_HZ, HORIZON);
}

static apex_controls now(const client_rival_controls *self, double steer_rad, int8_t gear) {
    static apex_car_def def;
    def = scene_corvette();
    return client_rival_controls_now(self, &def, steer_rad, gear);
}

TEST(controls_are_held) {
    client_rival_controls self = {0};
    apex_wire_car car = pedals(200, 30);
    double lock_rad = scene_corvette().steering.angle_rad_max;
    client_rival_controls_told(&self, 100, &car, TICK_HZ, HORIZON);
    apex_controls held = now(&self, 0.5 * lock_rad, 3);
    ck_assert_uint_eq(held.throttle, 200);
    ck_assert_uint_eq(held.brake, 30);
    ck_assert_int_eq(held.steer, APEX_STEER_MAX / 2);
    ck_assert_int_eq(held.gear, APEX_GEAR_AUTOMATIC);
    ck_assert_uint_eq(held.aids_off, APEX_AID_STEERING); // or the lock would be taken twice
    ck_assert_int_eq(now(&self, -2.0 * lock_rad, 3).steer, -APEX_STEER_MAX);
    ck_assert_int_eq(now(&self, 0.0, APEX_GEAR_REVERSE).gear, APEX_GEAR_REVERSE);
    ck_assert_int_eq(now(&self, 0.0, APEX_GEAR_NEUTRAL).gear, APEX_GEAR_NEUTRAL);
}

TEST(one_who_taps_is_taken_at_his_mean) {
    client_rival_controls self = {0};
    for (uint32_t i = 0; i < 60; i++) {
        tell(&self, 100 + INTERVAL * i, i % 2 ? 255 : 0);
    }
    ck_assert_int_eq(self.rule, CLIENT_RIVAL_TAPS);
    ck_assert_uint_eq(now(&self, 0.0, 3).throttle, 128);
}

TEST(one_who_holds_his_pedals_is_believed_again) {
    client_rival_controls self = {0};
    uint32_t tick = 100;
    for (uint32_t i = 0; i < 60; i++, tick += INTERVAL) {
        tell(&self, tick, i % 2 ? 255 : 0);
    }
    for (uint32_t i = 0; i < 200; i++, tick += INTERVAL) {
        tell(&self, tick, i / 40 % 2 ? 255 : 0); // for two seconds each
    }
    ck_assert_int_eq(self.rule, CLIENT_RIVAL_HOLDS);
    ck_assert_uint_eq(now(&self, 0.0, 3).throttle, 0);
}

TEST(what_comes_late_changes_nothing) {
    client_rival_controls self = {0};
    tell(&self, 100, 255);
    tell(&self, 97, 0);
    tell(&self, 100, 10);
    ck_assert_uint_eq(now(&self, 0.0, 3).throttle, 255);
}
