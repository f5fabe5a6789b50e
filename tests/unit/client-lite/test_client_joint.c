// The small world of a client: it goes back and does the same again, and cars in it meet.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

#include "client-lite/prediction/joint.h"

enum { RIVAL = 3 };

static apex_car_def def;

static void begin(client_joint *self) {
    def = scene_corvette();
    client_joint_def joint = {
        .ground = scene_flat(), .own = &def, .tick_hz = 60, .has_rivals = true};
    ck_assert(client_joint_create(&joint, self));
}

// Rolls at a speed along x, at a place beside it.
static apex_car_state rolling(const client_joint *self, double x_m, double y_m, double speed_mps) {
    apex_car_state state = self->cars[CLIENT_JOINT_OWN].fresh;
    state.position_m[0] = x_m;
    state.position_m[1] = y_m;
    state.velocity_mps[0] = speed_mps;
    for (int i = 0; i < 4; i++) {
        state.wheels[i].spin_radps = speed_mps / def.axles[i / 2].tyre.radius_m;
    }
    state.gear = state.gear_before = 3;
    return state;
}

static void step(client_joint *self, int ticks) {
    apex_controls controls[CLIENT_JOINT_CARS] = {0};
    for (int i = 0; i < CLIENT_JOINT_CARS; i++) {
        controls[i] = (apex_controls){.throttle = 90, .gear = APEX_GEAR_AUTOMATIC};
    }
    for (int t = 0; t < ticks; t++) {
        client_joint_step(self, controls);
    }
}

static void begin_pair(client_joint *self, double gap_m, double faster_mps) {
    begin(self);
    apex_car_state own = rolling(self, 0.0, 0.0, 30.0);
    apex_car_state rival = rolling(self, 0.0, gap_m, 30.0);
    own.velocity_mps[1] = faster_mps;
    ck_assert(client_joint_enter(self, RIVAL, &def));
    ck_assert(client_joint_begin(self, 1000, &own));
    ck_assert(client_joint_put(self, RIVAL, &rival));
}

TEST(it_goes_back_and_does_the_same_again) {
    static client_joint self;
    begin_pair(&self, 6.0, 0.0);
    step(&self, 20);
    client_joint_moment own = *client_joint_past(&self, CLIENT_JOINT_OWN, 1020);
    client_joint_moment rival = *client_joint_past(&self, RIVAL, 1020);
    ck_assert(client_joint_go_back(&self, 1007));
    ck_assert_uint_eq(self.at_tick, 1007);
    step(&self, 13);
    ck_assert_mem_eq(&own.state, &client_joint_past(&self, CLIENT_JOINT_OWN, 1020)->state,
                     sizeof own.state);
    ck_assert_mem_eq(&rival.state, &client_joint_past(&self, RIVAL, 1020)->state,
                     sizeof rival.state);
    ck_assert_uint_eq(self.steps, 33);
    client_joint_destroy(&self);
}

TEST(another_car_changes_no_bit_of_one_that_it_does_not_meet) {
    static client_joint alone, both;
    begin(&alone);
    apex_car_state own = rolling(&alone, 0.0, 0.0, 30.0);
    ck_assert(client_joint_begin(&alone, 1000, &own));
    begin_pair(&both, 6.0, 0.0);
    step(&alone, 30);
    step(&both, 30);
    ck_assert_mem_eq(&client_joint_past(&alone, CLIENT_JOINT_OWN, 1030)->state,
                     &client_joint_past(&both, CLIENT_JOINT_OWN, 1030)->state, sizeof own);
    client_joint_destroy(&alone);
    client_joint_destroy(&both);
}

static uint32_t first_touch(const client_joint *self, uint32_t from, uint32_t to) {
    for (uint32_t tick = from; tick <= to; tick++) {
        const client_joint_touches *touches = client_joint_touches_at(self, tick);
        if (touches != NULL && touches->count > 0) {
            ck_assert_uint_eq(touches->list[0].rival, RIVAL);
            ck_assert_double_gt(touches->list[0].impulse_ns, 300.0);
            return tick;
        }
    }
    return 0;
}

TEST(cars_that_meet_touch_when_the_gap_is_closed) {
    static client_joint self;
    double width_m = scene_corvette().hull.width_m;
    begin_pair(&self, width_m + 0.5, 3.0); // half a metre at 3 m/s, less what tyres take
    step(&self, 30);
    uint32_t tick = first_touch(&self, 1000, 1030);
    ck_assert_uint_ge(tick, 1010);
    ck_assert_uint_le(tick, 1025);
    // The rival was pushed aside.
    ck_assert_double_gt(client_joint_past(&self, RIVAL, tick)->state.velocity_mps[1], 0.2);
    client_joint_destroy(&self);
}

TEST(one_that_has_faded_is_driven_through) {
    static client_joint self;
    begin_pair(&self, scene_corvette().hull.width_m + 0.5, 3.0);
    client_joint_fade(&self, RIVAL);
    step(&self, 30);
    ck_assert_uint_eq(first_touch(&self, 1000, 1030), 0);
    client_joint_destroy(&self);
}

TEST(before_anything_is_known_of_a_rival_it_stands_aside) {
    static client_joint self;
    begin_pair(&self, scene_corvette().hull.width_m + 0.5, 3.0);
    step(&self, 3);
    apex_car_state late = rolling(&self, 200.0, 50.0, 30.0);
    client_joint_leave(&self, RIVAL);
    ck_assert(client_joint_enter(&self, RIVAL, &def));
    ck_assert(self.cars[RIVAL].is_parked);
    step(&self, 2);
    ck_assert_ptr_null(client_joint_past(&self, RIVAL, 1004));
    ck_assert(client_joint_put(&self, RIVAL, &late));
    step(&self, 2);
    ck_assert_ptr_nonnull(client_joint_past(&self, RIVAL, 1006));
    ck_assert(client_joint_go_back(&self, 1003));
    ck_assert(self.cars[RIVAL].is_parked);
    ck_assert_uint_eq(first_touch(&self, 1000, 1007), 0);
    client_joint_destroy(&self);
}

TEST(poses_lie_between_ticks_and_a_little_beyond) {
    static client_joint self;
    apex_client_pose pose;
    begin_pair(&self, 6.0, 0.0);
    step(&self, 4);
    const client_joint_moment *a = client_joint_past(&self, RIVAL, 1002);
    const client_joint_moment *b = client_joint_past(&self, RIVAL, 1003);
    ck_assert(client_joint_pose(&self, RIVAL, 1002.25, &pose));
    ck_assert_double_eq_tol(pose.position_m[0],
                            0.75 * a->pose.position_m[0] + 0.25 * b->pose.position_m[0], 1e-9);
    ck_assert_double_eq_tol(pose.tick, 1002.25, 1e-9);
    ck_assert(client_joint_pose(&self, RIVAL, 1004.5, &pose));
    ck_assert_double_eq_tol(pose.tick, 1004.5, 1e-9);
    ck_assert(client_joint_pose(&self, RIVAL, 1009.0, &pose));
    ck_assert_double_eq_tol(pose.tick, 1005.0, 1e-9);
    ck_assert(!client_joint_pose(&self, RIVAL, 998.0, &pose));
    client_joint_destroy(&self);
}

TEST(it_does_not_go_back_to_what_it_has_not_kept) {
    static client_joint self;
    begin_pair(&self, 6.0, 0.0);
    ck_assert(!client_joint_go_back(&self, 999));
    step(&self, CLIENT_JOINT_TICKS);
    ck_assert(!client_joint_go_back(&self, 1000));
    ck_assert_uint_eq(self.at_tick, 1000 + CLIENT_JOINT_TICKS);
    ck_assert(client_joint_go_back(&self, 1001));
    client_joint_destroy(&self);
}
