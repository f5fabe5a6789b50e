// Touches that were felt, against those that the server tells of.
#include "support/base/check_main.h"

#include "client-lite/prediction/touches.h"

static apex_client_touch touch(uint32_t car, uint32_t tick, double impulse_ns) {
    return (apex_client_touch){.car = car, .tick = tick, .impulse_ns = impulse_ns};
}

static void feel(client_touches *self, uint32_t car, uint32_t tick) {
    apex_client_touch felt = touch(car, tick, 1000.0);
    client_touches_feel(self, &felt);
}

static void tell(client_touches *self, uint32_t car, uint32_t tick) {
    apex_client_touch told = touch(car, tick, 1000.0);
    client_touches_tell(self, &told);
}

TEST(one_that_was_felt_comes) {
    client_touches self = {.tick_hz = 60};
    feel(&self, 7, 1000);
    tell(&self, 7, 1009);
    client_touches_settle(&self, 2000, 2000);
    ck_assert_uint_eq(self.came, 1);
    ck_assert_uint_eq(self.phantom + self.unforeseen, 0);
}

TEST(the_word_may_come_before_the_frame) {
    client_touches self = {.tick_hz = 60};
    tell(&self, 7, 1000);
    client_touches_settle(&self, 1003, 1009);
    ck_assert_uint_eq(self.unforeseen, 0);
    feel(&self, 7, 1009);
    ck_assert_uint_eq(self.came, 1);
}

TEST(another_time_or_another_car_is_another_touch) {
    client_touches self = {.tick_hz = 60};
    feel(&self, 7, 1000);
    tell(&self, 7, 1010);
    tell(&self, 8, 1000);
    client_touches_settle(&self, 1120, 1120);
    ck_assert_uint_eq(self.came, 0);
    ck_assert_uint_eq(self.unforeseen, 2);
    ck_assert_uint_eq(self.phantom, 0); // the word may still come
    client_touches_settle(&self, 1121, 1121);
    ck_assert_uint_eq(self.phantom, 1);
    client_touches_settle(&self, 2000, 2000);
    ck_assert_uint_eq(self.phantom + self.unforeseen, 3); // each once
}

TEST(cars_that_rub_along_touch_once) {
    client_touches self = {.tick_hz = 60};
    for (uint32_t tick = 1000; tick < 1200; tick += 20) {
        feel(&self, 7, tick);
        tell(&self, 7, tick + 3);
    }
    client_touches_settle(&self, 3000, 3000);
    ck_assert_uint_eq(self.came, 1);
    ck_assert_uint_eq(self.phantom + self.unforeseen, 0);
    feel(&self, 7, 1300); // and again later
    client_touches_settle(&self, 3000, 3000);
    ck_assert_uint_eq(self.phantom, 1);
}

TEST(a_touch_that_is_hardly_one_is_not_judged) {
    client_touches self = {.tick_hz = 60};
    apex_client_touch light = touch(7, 1000, 150.0);
    client_touches_feel(&self, &light);
    light.car = 8;
    client_touches_tell(&self, &light);
    client_touches_settle(&self, 3000, 3000);
    ck_assert_uint_eq(self.phantom + self.unforeseen, 0);
}

TEST(a_frame_has_what_is_felt_in_it) {
    client_touches self = {.tick_hz = 60};
    client_touches_begin_frame(&self);
    feel(&self, 7, 1000);
    feel(&self, 8, 1000);
    ck_assert_uint_eq(self.frame_count, 2);
    ck_assert_uint_eq(self.frame[1].car, 8);
    client_touches_begin_frame(&self);
    ck_assert_uint_eq(self.frame_count, 0);
    for (uint32_t i = 0; i < 50; i++) {
        feel(&self, i + 1, 2000);
    }
    ck_assert_uint_eq(self.frame_count, CLIENT_TOUCHES_MAX);
}
