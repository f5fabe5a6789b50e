// A correction that nobody sees: it ends in time, without a step in place or speed.
#include "support/base/check_main.h"

#include <math.h>

#include "client-lite/view/correction.h"

static client_offset aside(double m) {
    return (client_offset){.position_m = {m, 0.0, 0.0}};
}

static double x_of(const client_correction *self) {
    return client_correction_offset(self).position_m[0];
}

TEST(forty_centimetres_take_half_a_second_at_less_than_two_metres_a_second) {
    client_correction_limits limits = client_correction_near();
    client_correction self = {0};
    client_offset jump = aside(0.4);
    client_correction_add(&self, &jump, &limits);
    ck_assert_double_eq_tol(x_of(&self), 0.4, 1e-12);
    double fastest = 0.0;
    for (int ms = 0; ms < 480; ms++) {
        fastest = fmax(fastest, client_correction_mps(&self));
        client_correction_pass(&self, 0.001);
    }
    // Minimum jerk: 1.875 times the mean speed, in the middle.
    ck_assert_double_eq_tol(fastest, 1.875 * 0.4 / 0.48, 0.001);
    ck_assert_double_eq_tol(x_of(&self), 0.0, 1e-9);
    client_correction_pass(&self, 0.001);
    ck_assert_double_eq(client_correction_mps(&self), 0.0);
}

TEST(half_way_in_time_is_half_way) {
    client_correction_limits limits = client_correction_near();
    client_correction self = {0};
    client_offset jump = aside(-0.3);
    client_correction_add(&self, &jump, &limits);
    client_correction_pass(&self, 0.18);
    ck_assert_double_eq_tol(x_of(&self), -0.15, 1e-9);
}

TEST(another_one_on_top_changes_neither_speed_nor_its_change_at_once) {
    client_correction_limits limits = client_correction_near();
    client_correction self = {0};
    client_offset jump = aside(0.2), more = aside(0.1);
    client_correction_add(&self, &jump, &limits);
    client_correction_pass(&self, 0.1);
    double before_m = x_of(&self);
    client_correction just_before = self;
    client_correction_pass(&just_before, -0.0);
    double speed_mps = client_correction_mps(&self);
    client_correction_add(&self, &more, &limits);
    ck_assert_double_eq_tol(x_of(&self), before_m + 0.1, 1e-12);
    ck_assert_double_eq_tol(client_correction_mps(&self), speed_mps, 1e-9);
    // The speed goes on as it was about to.
    client_correction_pass(&just_before, 1e-4);
    client_correction_pass(&self, 1e-4);
    ck_assert_double_eq_tol(client_correction_mps(&self), client_correction_mps(&just_before),
                            1e-3);
}

TEST(nothing_is_taken_back_faster_than_is_allowed) {
    client_correction_limits limits = client_correction_near();
    client_correction self = {0};
    client_offset jump = aside(3.9);
    client_correction_add(&self, &jump, &limits);
    for (int turn = 0; turn < 30; turn++) {
        client_offset more = aside(turn % 2 ? 0.6 : -0.6);
        for (int ms = 0; ms < 50; ms++) {
            ck_assert_double_le(client_correction_mps(&self), 5.0);
            client_correction_pass(&self, 0.001);
        }
        client_correction_add(&self, &more, &limits);
    }
}

TEST(alone_it_is_over_sooner) {
    client_correction_limits near = client_correction_near(), alone = client_correction_alone();
    client_correction one = {0}, other = {0};
    client_offset jump = aside(0.3);
    client_correction_add(&one, &jump, &near);
    client_correction_add(&other, &jump, &alone);
    client_correction_pass(&one, 0.25);
    client_correction_pass(&other, 0.25);
    ck_assert_double_gt(x_of(&one), 0.02);
    ck_assert_double_eq(x_of(&other), 0.0);
}

TEST(a_turn_takes_its_time_too) {
    client_correction_limits limits = client_correction_near();
    client_correction self = {0};
    client_offset jump = {.angle_rad = {0.2, 0.0, 0.0}};
    client_correction_add(&self, &jump, &limits);
    client_correction_pass(&self, 0.24);
    ck_assert_double_eq_tol(client_correction_offset(&self).angle_rad[0], 0.1, 1e-9);
}

TEST(what_nobody_sees_is_none) {
    client_correction_limits limits = client_correction_near();
    client_correction self = {0};
    client_offset jump = aside(1e-9);
    client_correction_add(&self, &jump, &limits);
    ck_assert_double_eq(x_of(&self), 0.0);
}
