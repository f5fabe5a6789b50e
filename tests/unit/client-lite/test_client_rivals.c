// Rivals in the predictor: told of in any order, at any place, by a server that means no good; and
// by one that does.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

#include "client-lite/prediction/predict.h"

enum { TICK_HZ = 60, OWN = 1, CARS = 20 };

typedef struct scene {
    apex_car_def def;
    client_interpolation seen;
    client_snapshots known;
    client_controls controls;
    client_predict *predict;
    uint32_t tick;
    uint64_t now_us;
} scene;

static scene self;

static void begin(void) {
    apex_world_def world = apex_default_world_def();
    memset(&self, 0, sizeof self);
    self.def = scene_corvette();
    self.tick = 1000;
    self.now_us = 1000000;
    client_interpolation_begin(&self.seen, TICK_HZ);
    client_snapshots_begin(&self.known, TICK_HZ);
    client_controls_begin(&self.controls, TICK_HZ, TICK_HZ, 3, 0);
    client_predict_def def = {.ground = scene_flat(),
                              .car = &self.def,
                              .seen = &self.seen,
                              .tick_hz = TICK_HZ,
                              .rules = {.physics_version = APEX_PHYSICS_VERSION,
                                        .substep_hz = world.substep_hz,
                                        .gravity_mps2 = world.gravity_mps2,
                                        .air_density_kg_per_m3 = world.air_density_kg_per_m3}};
    self.predict = client_predict_create(&def);
    ck_assert_ptr_nonnull(self.predict);
}

static void end(void) {
    client_predict_destroy(self.predict);
    client_interpolation_free(&self.seen);
    client_snapshots_free(&self.known);
}

FIXTURE(begin, end)

static const apex_car_def *def_of(void *context, uint32_t car) {
    return car % 7 == 6 ? NULL : &((scene *)context)->def;
}

static apex_own_car own_at(double x_m) {
    apex_own_car own = {.position_m = {x_m, 0.0, 0.5},
                        .orientation = {1.0},
                        .velocity_mps = {20.0f},
                        .wheel_count = 4,
                        .engine_radps = 300.0f,
                        .fuel_kg = 30.0f,
                        .gear = 3,
                        .gear_before = 3};
    for (int i = 0; i < 4; i++) {
        own.wheels[i].spin_radps = 60.0f;
    }
    return own;
}

static apex_wire_car rolling(uint32_t id, double x_m, double y_m) {
    return (apex_wire_car){.id = id,
                           .x_mm = (int32_t)(1000.0 * x_m),
                           .y_mm = (int32_t)(1000.0 * y_m),
                           .z_mm = 500,
                           .vx_cmps = 2000,
                           .rpm = 2865,
                           .gear = 3};
}

// A part of a snapshot comes; then controls go on, and a frame is shown.
static void tell(uint32_t tick, const apex_own_car *own, const apex_wire_car cars[],
                 uint32_t count) {
    apex_snapshot_message part = {
        .tick = tick, .parts = 1, .car_count = count, .cars = cars, .own = own};
    client_predict_look(self.predict);
    client_snapshots_take(&self.known, &part, self.now_us);
    client_interpolation_take(&self.seen, &part, TICK_HZ, self.now_us);
    client_rivals_news rivals = {.tick = tick,
                                 .cars = cars,
                                 .count = count,
                                 .own = OWN,
                                 .known = &self.known,
                                 .def_of = def_of,
                                 .context = &self};
    client_predict_news news = {.tick = tick, .own = own, .rivals = &rivals};
    client_predict_take(self.predict, &news, self.now_us);
}

static void drive_to(uint32_t tick) {
    apex_controls_message message;
    self.controls.now.gear = APEX_GEAR_AUTOMATIC;
    client_controls_sample_to(&self.controls, (double)tick, self.now_us, &message);
    client_predict_advance(self.predict, &self.controls);
}

static size_t show(double controls_tick, apex_client_pose out[], size_t capacity) {
    client_frame frame = {.server_tick = self.tick, .out = out, .capacity = capacity};
    apex_client_pose own;
    size_t count = client_interpolation_show(&self.seen, &self.known, self.now_us, &frame);
    if (client_predict_show(self.predict, controls_tick, TICK_HZ, self.now_us, &own)) {
        client_predict_begin_frame(self.predict, &own);
        ck_assert(isfinite(own.position_m[0]));
    }
    for (size_t i = 0; i < count; i++) {
        (void)client_predict_show_rival(self.predict, TICK_HZ, self.now_us, &out[i]);
    }
    return count;
}

static int32_t any_place(uint64_t *random) {
    static const int32_t places[] = {0, 1000, -5000, 40000, INT32_MAX, INT32_MIN + 1, 2000000};
    return scene_random(random) % 3 ? places[scene_random(random) % 7]
                                    : (int32_t)(scene_random(random) % 20000);
}

static apex_wire_car any_car(uint64_t *random) {
    uint64_t bits = scene_random(random), more = scene_random(random);
    return (apex_wire_car){.id = 1 + (uint32_t)(scene_random(random) % CARS),
                           .x_mm = any_place(random),
                           .y_mm = any_place(random),
                           .z_mm = any_place(random),
                           .yaw_q = (int16_t)bits,
                           .pitch_q = (int16_t)(bits >> 16),
                           .roll_q = (int16_t)(bits >> 32),
                           .vx_cmps = (int16_t)(bits >> 48),
                           .vy_cmps = (int16_t)more,
                           .vz_cmps = (int16_t)(more >> 16),
                           .yaw_rate_q = (int16_t)(more >> 32),
                           .steer_q = (int16_t)(more >> 8),
                           .rpm = (uint16_t)(more >> 40),
                           .gear = (int8_t)(more >> 24),
                           .throttle = (uint8_t)bits,
                           .brake = (uint8_t)(bits >> 8),
                           .flags = (uint8_t)(more >> 56),
                           .damage_zones = (uint32_t)more};
}

static uint32_t any_tick(uint64_t *random) {
    static const uint32_t away[] = {0, 1, 3, 10, 60, 200};
    uint32_t off = away[scene_random(random) % 6];
    return scene_random(random) % 4 ? self.tick + off : self.tick - off;
}

TEST(whatever_is_told_of_rivals_is_survived) {
    uint64_t random = 77;
    apex_client_pose poses[CARS];
    int rounds = check_is_whole() ? 3000 : 600;
    for (int i = 0; i < rounds; i++) {
        apex_wire_car cars[6];
        uint32_t count = (uint32_t)(scene_random(&random) % 7);
        for (uint32_t c = 0; c < count; c++) {
            cars[c] = any_car(&random);
        }
        apex_own_car own = own_at((double)(scene_random(&random) % 100));
        bool has_own = scene_random(&random) % 2 == 0;
        tell(any_tick(&random), has_own ? &own : NULL, cars, count);
        drive_to(self.tick + (uint32_t)(scene_random(&random) % 20));
        self.now_us += scene_random(&random) % 60000;
        self.tick += (uint32_t)(scene_random(&random) % 4);
        size_t shown = show((double)self.tick + 8.0, poses, CARS);
        for (size_t p = 0; p < shown; p++) {
            ck_assert(isfinite(poses[p].position_m[0]) && isfinite(poses[p].yaw_rad));
        }
    }
    apex_client_rival_errors of = client_predict_stats(self.predict).rivals;
    ck_assert(isfinite(of.along_m_p99) && isfinite(of.correction_mps_max));
}

// Both roll at 20 m/s; the rival is 3 m to the left.
static void roll(uint32_t ticks, uint32_t interval, uint32_t told_until) {
    for (uint32_t t = 0; t < ticks; t++) {
        uint32_t tick = self.tick + t;
        if (t % interval == 0 && t <= told_until) {
            double x_m = 20.0 * (tick - 1000.0) / TICK_HZ;
            apex_wire_car cars[2] = {rolling(OWN, x_m, 0.0), rolling(2, x_m, 3.0)};
            apex_own_car own = own_at(x_m);
            tell(tick, &own, cars, 2);
        }
        drive_to(tick + 9);
        self.now_us += 1000000 / TICK_HZ;
        apex_client_pose poses[CARS];
        (void)show((double)tick + 10.0, poses, CARS);
    }
    self.tick += ticks;
}

static apex_client_pose rival_now(double controls_tick) {
    apex_client_pose poses[CARS];
    size_t count = show(controls_tick, poses, CARS);
    ck_assert_uint_eq(count, 2);
    return poses[1];
}

TEST(a_rival_glides_to_the_moment_of_the_own_car) {
    roll(20, 3, 1000);
    apex_client_pose early = rival_now(self.tick + 9.0);
    ck_assert_double_lt(early.tick, (double)self.tick + 7.0); // on the way
    roll(200, 3, 1000);
    apex_client_pose there = rival_now(self.tick + 9.0);
    ck_assert_double_eq_tol(there.tick, (double)self.tick + 8.0, 0.2);
    // As far along as it will be then, coasting a little slower than it was told to roll.
    ck_assert_double_eq_tol(there.position_m[0], 20.0 * (there.tick - 1000.0) / TICK_HZ, 0.4);
    ck_assert_double_eq_tol(there.position_m[1], 3.0, 0.05);
}

TEST(past_a_quarter_of_a_second_and_an_interval_it_stands) {
    roll(200, 3, 1000);
    double told_tick = self.tick;
    uint64_t late = client_predict_stats(self.predict).rivals.late;
    roll(40, 3, 0);
    apex_client_pose there = rival_now(self.tick + 9.0);
    ck_assert_double_eq_tol(there.tick, told_tick + 15.0 + 3.0, 1e-9);
    ck_assert(there.stale);
    ck_assert_uint_gt(client_predict_stats(self.predict).rivals.late, late + 20);
    roll(60, 3, 1000); // and it goes on when something is heard
    there = rival_now(self.tick + 9.0);
    ck_assert(!there.stale);
    ck_assert_double_gt(there.tick, told_tick + 60.0);
}

TEST(a_rival_who_has_left_is_let_go) {
    roll(100, 3, 1000);
    client_snapshots_remove(&self.known, 2);
    apex_wire_car own = rolling(OWN, 33.0, 0.0);
    tell(self.tick, NULL, &own, 1);
    apex_client_pose poses[CARS];
    ck_assert_uint_eq(show(self.tick + 9.0, poses, CARS), 1);
}
