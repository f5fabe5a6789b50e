// Tests of what is shown of others, against what they did: in virtual time, over links that jitter
// and lose.
#include "support/base/check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/view/interpolate.h"

enum { TICK_HZ = 60, PERIOD_TICKS = 3, FRAME_HZ = 144, FLIGHT_MAX = 256, CAR = 7 };

typedef struct truth {
    double x_m, y_m, vx_mps, vy_mps, yaw_rad, yaw_rate_radps;
} truth;

typedef truth (*motion)(double tick);

// Round and round: 25 m/s on a radius of 50 m.
static truth circle(double tick) {
    double angle = 0.5 * tick / TICK_HZ;
    return (truth){50.0 * cos(angle), 50.0 * sin(angle),  -25.0 * sin(angle),
                   25.0 * cos(angle), angle + M_PI / 2.0, 0.5};
}

// From 60 m/s to a stand at 12 m/s2, and off again, every ten seconds.
static truth braking(double tick) {
    double round_s = 10.0, t = fmod(tick / TICK_HZ, round_s), whole = floor(tick / TICK_HZ / 10.0);
    double way_m = t < 5.0 ? 60.0 * t - 6.0 * t * t : 150.0 + 6.0 * (t - 5.0) * (t - 5.0);
    double speed = t < 5.0 ? 60.0 - 12.0 * t : 12.0 * (t - 5.0);
    return (truth){whole * 300.0 + way_m, 0.0, speed, 0.0, 0.0, 0.0};
}

// Somebody puts it 200 m away every four seconds.
static truth put_about(double tick) {
    double t = tick / TICK_HZ;
    return (truth){10.0 * t + 200.0 * floor(t / 4.0), 0.0, 10.0, 0.0, 0.0, 0.0};
}

static apex_wire_car wire_of(truth at) {
    return (apex_wire_car){
        .id = CAR,
        .x_mm = (int32_t)lround(at.x_m * 1000.0),
        .y_mm = (int32_t)lround(at.y_m * 1000.0),
        .vx_cmps = (int16_t)lround(at.vx_mps * 100.0),
        .vy_cmps = (int16_t)lround(at.vy_mps * 100.0),
        .yaw_q = (int16_t)lround(remainder(at.yaw_rad, 2.0 * M_PI) * APEX_ANGLE_UNITS_PER_RAD *
                                 (1.0 - 1e-9)),
        .yaw_rate_q = (int16_t)lround(at.yaw_rate_radps * APEX_YAW_RATE_UNITS_PER_RADPS),
    };
}

typedef struct flight {
    uint32_t tick;
    double arrives_s;
} flight;

typedef struct scene {
    client_interpolation shown;
    client_snapshots snapshots;
    motion move;
    double delay_s, jitter_s, loss;
    uint32_t car_ticks; ///< the car comes only with snapshots of a multiple of this
    uint64_t random;
    uint32_t sent_tick;
    flight flights[FLIGHT_MAX];
    uint32_t flight_count;
    double now_s;
    uint64_t frames;
    // Results of looking:
    bool has_pose;
    apex_client_pose pose;
    double worst_m, worst_rad; ///< off the truth of the moment that is shown
    double worst_jump_m;       ///< from a frame to the next, beyond what its speed explains
    double worst_slew;         ///< the delay's change per second
    double delay_s_before;
    uint32_t extrapolated, stale, seen;
} scene;

static double random_unit(scene *self) {
    self->random = self->random * 6364136223846793005u + 1442695040888963407u;
    return (double)(self->random >> 11) / 9007199254740992.0;
}

static scene *begin(motion move, double jitter_s, double loss) {
    scene *self = calloc(1, sizeof *self);
    ck_assert_ptr_nonnull(self);
    self->move = move;
    self->delay_s = 0.04;
    self->jitter_s = jitter_s;
    self->loss = loss;
    self->random = 42;
    self->car_ticks = PERIOD_TICKS;
    client_interpolation_begin(&self->shown, TICK_HZ);
    client_snapshots_begin(&self->snapshots, TICK_HZ);
    return self;
}

static void end(scene *self) {
    client_interpolation_free(&self->shown);
    client_snapshots_free(&self->snapshots);
    free(self);
}

static void send(scene *self) {
    while ((double)(self->sent_tick + PERIOD_TICKS) / TICK_HZ <= self->now_s) {
        self->sent_tick += PERIOD_TICKS;
        double lag_s = self->delay_s + self->jitter_s * random_unit(self);
        if (random_unit(self) >= self->loss) {
            ck_assert_uint_lt(self->flight_count, FLIGHT_MAX);
            self->flights[self->flight_count++] =
                (flight){self->sent_tick, (double)self->sent_tick / TICK_HZ + lag_s};
        }
    }
}

static void receive(scene *self) {
    for (uint32_t i = 0; i < self->flight_count;) {
        if (self->flights[i].arrives_s > self->now_s) {
            i++;
            continue;
        }
        uint32_t tick = self->flights[i].tick;
        apex_wire_car car = wire_of(self->move((double)tick));
        uint32_t count = tick % self->car_ticks == 0 ? 1 : 0;
        apex_snapshot_message part = {.tick = tick, .parts = 1, .car_count = count, .cars = &car};
        uint64_t now_us = (uint64_t)(self->now_s * 1e6);
        client_snapshots_take(&self->snapshots, &part, now_us);
        client_interpolation_take(&self->shown, &part, TICK_HZ, now_us);
        self->flights[i] = self->flights[--self->flight_count];
    }
}

static void look(scene *self) {
    apex_client_pose pose;
    client_frame frame = {.server_tick = self->now_s * TICK_HZ, .out = &pose, .capacity = 1};
    uint64_t now_us = (uint64_t)(self->now_s * 1e6);
    if (client_interpolation_show(&self->shown, &self->snapshots, now_us, &frame) == 0) {
        return;
    }
    truth at = self->move(pose.tick);
    double off_m = hypot(pose.position_m[0] - at.x_m, pose.position_m[1] - at.y_m);
    self->worst_m = fmax(self->worst_m, off_m);
    self->worst_rad = fmax(self->worst_rad, fabs(remainder(pose.yaw_rad - at.yaw_rad, 2.0 * M_PI)));
    double delay_s = client_presentation_delay_s(&self->shown.presentation);
    if (self->has_pose) {
        double step_m = hypot(pose.position_m[0] - self->pose.position_m[0],
                              pose.position_m[1] - self->pose.position_m[1]);
        double speed_mps = fmax(hypot(at.vx_mps, at.vy_mps),
                                hypot(self->pose.velocity_mps[0], self->pose.velocity_mps[1]));
        self->worst_jump_m = fmax(self->worst_jump_m, step_m - 1.1 * speed_mps / FRAME_HZ);
    }
    self->delay_s_before = delay_s;
    self->pose = pose;
    self->has_pose = true;
    self->seen++;
    self->extrapolated += pose.extrapolated;
    self->stale += pose.stale;
}

static void run(scene *self, double seconds) {
    double until_s = self->now_s + seconds;
    while (self->now_s < until_s) {
        self->frames++;
        self->now_s = (double)self->frames / FRAME_HZ;
        send(self);
        receive(self);
        look(self);
    }
}

static void forget(scene *self) {
    self->worst_m = self->worst_rad = self->worst_jump_m = 0.0;
    self->seen = self->extrapolated = self->stale = 0;
}

static double delay_of(const scene *self) {
    return client_presentation_delay_s(&self->shown.presentation);
}

TEST(a_car_on_a_circle_is_shown_on_it) {
    scene *self = begin(circle, 0.0, 0.0);
    run(self, 2.0);
    forget(self);
    run(self, 60.0); // almost five turns
    // A straight line between samples would cut the bend by 4 mm.
    ck_assert_double_lt(self->worst_m, 0.0015);
    ck_assert_double_lt(self->worst_rad, 0.0003);
    ck_assert_double_lt(self->worst_jump_m, 0.001);
    ck_assert_uint_eq(self->extrapolated, 0);
    ck_assert_uint_ge(self->seen, 60 * FRAME_HZ);
    end(self);
}

TEST(a_car_that_brakes_is_shown_where_it_was) {
    scene *self = begin(braking, 0.0, 0.0);
    run(self, 1.0);
    forget(self);
    run(self, 30.0);
    ck_assert_double_lt(self->worst_m, 0.002);
    ck_assert_double_lt(self->worst_jump_m, 0.002);
    end(self);
}

typedef struct link {
    double jitter_s, loss;
    double delay_s_min, delay_s_max;
    double circle_m, braking_m, jump_m; ///< bounds
    double extrapolated;                ///< share at most
} link;

static const link LINKS[] = {
    {0.020, 0.00, 0.055, 0.085, 0.0015, 0.002, 0.001, 0.001},
    {0.060, 0.05, 0.075, 0.170, 0.0020, 0.060, 0.002, 0.030},
    {0.040, 0.25, 0.110, 0.260, 0.0030, 0.350, 0.002, 0.040},
};

TEST_OVER(bad_links_are_hidden, 0, (int)(sizeof LINKS / sizeof LINKS[0])) {
    const link *is = &LINKS[_i];
    scene *round_car = begin(circle, is->jitter_s, is->loss);
    scene *brakes = begin(braking, is->jitter_s, is->loss);
    run(round_car, 5.0);
    run(brakes, 5.0);
    forget(round_car);
    forget(brakes);
    run(round_car, 60.0);
    run(brakes, 60.0);
    double share = (double)brakes->extrapolated / brakes->seen;
    printf(
        "jitter %.0f ms, loss %.0f %%: delay %.0f ms, off by %.4f m on the circle, %.3f m braking; "
        "jumps %.4f m, %.4f m; %.2f %% extrapolated\n",
        is->jitter_s * 1e3, is->loss * 100.0, delay_of(brakes) * 1e3, round_car->worst_m,
        brakes->worst_m, round_car->worst_jump_m, brakes->worst_jump_m, share * 100.0);
    ck_assert_double_gt(delay_of(brakes), is->delay_s_min);
    ck_assert_double_lt(delay_of(brakes), is->delay_s_max);
    ck_assert_double_lt(round_car->worst_m, is->circle_m);
    ck_assert_double_lt(brakes->worst_m, is->braking_m);
    ck_assert_double_lt(round_car->worst_jump_m, is->jump_m);
    ck_assert_double_lt(brakes->worst_jump_m, is->jump_m);
    ck_assert_double_le(share, is->extrapolated);
    ck_assert_uint_eq(brakes->stale, 0);
    end(round_car);
    end(brakes);
}

// Runs and looks how fast the moment shown goes by.
static void run_evenly(scene *self, double seconds) {
    for (double ran_s = 0.0; ran_s < seconds; ran_s += 1.0 / FRAME_HZ) {
        double before = self->shown.presentation.moment.tick, before_s = self->now_s;
        run(self, 0.5 / FRAME_HZ);
        double rate =
            (self->shown.presentation.moment.tick - before) / TICK_HZ / (self->now_s - before_s);
        ck_assert_msg(rate > 0.899 && rate < 1.101, "the moment goes at %.3f", rate);
    }
}

TEST(the_delay_follows_the_link_evenly) {
    scene *self = begin(circle, 0.0, 0.0);
    run(self, 5.0);
    ck_assert_double_gt(delay_of(self), 0.0499); // an interval
    ck_assert_double_lt(delay_of(self), 0.060);
    self->jitter_s = 0.1;
    run_evenly(self, 10.0);
    double jittery_s = delay_of(self);
    ck_assert_double_gt(jittery_s, 0.09);
    ck_assert_double_lt(jittery_s, 0.16);
    self->jitter_s = 0.0;
    run_evenly(self, 15.0);
    ck_assert_double_lt(delay_of(self), 0.065);
    end(self);
}

TEST(the_delay_has_an_end) {
    scene *self = begin(circle, 0.8, 0.3);
    run(self, 30.0);
    ck_assert_double_gt(delay_of(self), 0.35);
    ck_assert_double_lt(delay_of(self), 0.65); // half a second, and what it still has to go
    end(self);
}

// Far cars come more rarely than snapshots do; they are shown later instead of in leaps.
TEST(a_rare_car_is_shown_later) {
    static const uint32_t ticks[] = {12, 36};
    for (int i = 0; i < 2; i++) {
        scene *rare = begin(braking, 0.0, 0.0);
        rare->car_ticks = ticks[i];
        run(rare, 20.0);
        forget(rare);
        run(rare, 40.0);
        double behind_s = rare->now_s - rare->delay_s - rare->pose.tick / TICK_HZ;
        ck_assert_double_ge(behind_s, fmin(ticks[i] / 60.0, 0.35));
        ck_assert_double_lt(behind_s, 0.51);
        ck_assert_uint_eq(rare->stale, 0);
        ck_assert_double_lt(rare->worst_jump_m, 0.005);
        ck_assert_double_lt(rare->worst_m, i == 0 ? 0.01 : 0.2); // the rest is extrapolated
        // Once it comes as often as all others it is no later than they.
        rare->car_ticks = PERIOD_TICKS;
        run(rare, 20.0);
        behind_s = rare->now_s - rare->delay_s - rare->pose.tick / TICK_HZ;
        ck_assert_double_lt(behind_s, 0.07);
        end(rare);
    }
}

TEST(who_is_not_heard_of_stops_and_is_marked) {
    scene *self = begin(circle, 0.0, 0.0);
    run(self, 5.0);
    self->loss = 1.0;
    forget(self);
    run(self, 0.2);
    ck_assert_uint_gt(self->extrapolated, 0);
    ck_assert_uint_eq(self->stale, 0);
    ck_assert_double_lt(self->worst_m, 0.01); // a steady bend goes on as a bend
    run(self, 0.5);
    ck_assert(self->pose.stale);
    apex_client_pose stands = self->pose;
    run(self, 0.5);
    ck_assert_double_eq(self->pose.position_m[0], stands.position_m[0]);
    ck_assert_double_eq(self->pose.position_m[1], stands.position_m[1]);
    self->loss = 0.0;
    run(self, 1.0);
    ck_assert(!self->pose.stale && !self->pose.extrapolated);
    forget(self);
    run(self, 1.0);
    ck_assert_double_lt(self->worst_m, 0.0015);
    end(self);
}

TEST(who_is_put_elsewhere_is_never_between) {
    scene *self = begin(put_about, 0.0, 0.0);
    run(self, 3.0);
    uint32_t jumps = 0;
    for (int i = 0; i < 13 * FRAME_HZ; i++) {
        double before_m = self->pose.position_m[0];
        run(self, 0.5 / FRAME_HZ);
        double step_m = self->pose.position_m[0] - before_m;
        ck_assert_msg(step_m < 1.0 || step_m > 199.0, "it is seen %.1f m on the way", step_m);
        jumps += step_m > 199.0;
    }
    ck_assert_uint_eq(jumps, 3);
    end(self);
}

TEST(held_cars_stay_and_gone_cars_go) {
    scene *self = begin(circle, 0.0, 0.0);
    apex_wire_car cars[2] = {{.id = 1, .vx_cmps = 3000, .flags = APEX_CAR_FLAG_HELD}, {.id = 2}};
    apex_snapshot_message part = {.tick = 3, .parts = 1, .car_count = 2, .cars = cars};
    client_snapshots_take(&self->snapshots, &part, 50000);
    client_interpolation_take(&self->shown, &part, TICK_HZ, 50000);
    apex_client_pose poses[4];
    client_frame frame = {.server_tick = 5.0, .out = poses, .capacity = 4};
    size_t count = client_interpolation_show(&self->shown, &self->snapshots, 350000, &frame);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(poses[0].car, 1);
    ck_assert_uint_eq(poses[1].car, 2);
    ck_assert(poses[0].extrapolated);
    ck_assert_double_eq(poses[0].position_m[0], 0.0);
    frame.capacity = 1;
    ck_assert_uint_eq(client_interpolation_show(&self->shown, &self->snapshots, 350000, &frame), 1);
    client_snapshots_remove(&self->snapshots, 1);
    frame.capacity = 4;
    ck_assert_uint_eq(client_interpolation_show(&self->shown, &self->snapshots, 350000, &frame), 1);
    ck_assert_uint_eq(poses[0].car, 2);
    end(self);
}

TEST(statistics_say_what_was_shown) {
    scene *self = begin(circle, 0.0, 0.0);
    run(self, 10.0);
    self->loss = 1.0;
    run(self, 1.0);
    apex_client_showing stats = client_interpolation_stats(&self->shown);
    ck_assert_uint_eq(stats.cars, self->seen);
    ck_assert_uint_eq(stats.extrapolated, self->extrapolated);
    ck_assert_uint_eq(stats.stale, self->stale);
    ck_assert_uint_gt(stats.stale, FRAME_HZ / 2);
    // The link's 40 ms, an interval, and what a step of the count is wide.
    ck_assert_double_gt(stats.age_s_p50, 0.08);
    ck_assert_double_lt(stats.age_s_p50, 0.15);
    ck_assert_double_gt(stats.age_s_p99, 0.4);
    end(self);
}
