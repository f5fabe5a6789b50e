// Foresight against a world that plays the server: what was foreseen is where the car then is.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>

#include "client-lite/pilot/pilot.h"
#include "client-lite/prediction/foresight.h"
#include "client-lite/prediction/world_def.h"

enum { TICK_HZ = 60, AHEAD_TICKS = 12, LEAD_TICKS = 3 };

// The server's car, and the client's record of what it sent for which tick.
typedef struct scene {
    scene_solo solo;
    client_controls controls;
    client_foresight *foresight;
    apex_car_def def;
    uint32_t tick;
} scene;

static client_foresight *foresight_for(const apex_car_def *car, apex_world_rules rules,
                                       uint32_t tick_hz) {
    apex_world_def world = client_world_def(&rules, tick_hz);
    return client_foresight_create(scene_flat(), NULL, car, &world);
}

static void begin_in(scene *self, apex_world_rules rules) {
    *self = (scene){.def = scene_corvette(), .tick = 1000};
    apex_world_def world = client_world_def(&rules, TICK_HZ);
    self->solo = scene_solo_create_in(&world, &self->def, scene_flat());
    self->foresight = foresight_for(&self->def, rules, TICK_HZ);
    ck_assert_ptr_nonnull(self->foresight);
    client_controls_begin(&self->controls, TICK_HZ, TICK_HZ, LEAD_TICKS, 0);
}

static void begin(scene *self) {
    begin_in(self, (apex_world_rules){0});
}

static void end(scene *self) {
    client_foresight_destroy(self->foresight);
    scene_solo_destroy(&self->solo);
}

// A slalom at full throttle in second and third gear.
static apex_control_sample slalom(uint32_t tick) {
    bool left = tick / 20 % 2 == 0;
    return (apex_control_sample){
        .steer = left ? 3000 : -3000, .throttle = 200, .gear = APEX_GEAR_AUTOMATIC};
}

// The client samples AHEAD_TICKS before the server uses them.
static void run(scene *self, uint32_t ticks) {
    for (uint32_t i = 0; i < ticks; i++) {
        apex_controls_message message;
        uint32_t sampled = self->tick + 1 + AHEAD_TICKS;
        self->controls.now = slalom(sampled);
        client_controls_sample_to(&self->controls, sampled, 0, &message);
        self->tick++;
        apex_control_sample used = slalom(self->tick);
        self->solo.controls =
            (apex_controls){.steer = used.steer, .throttle = used.throttle, .gear = used.gear};
        scene_solo_run(&self->solo, 1);
    }
}

static int16_t units(double value, double per_unit) {
    return (int16_t)lround(value * per_unit);
}

static apex_wire_car captured(const scene *self) {
    apex_car_pose pose = scene_solo_pose(&self->solo);
    return (apex_wire_car){.id = 1,
                           .x_mm = (int32_t)lround(pose.position_m[0] * 1000.0),
                           .y_mm = (int32_t)lround(pose.position_m[1] * 1000.0),
                           .z_mm = (int32_t)lround(pose.position_m[2] * 1000.0),
                           .yaw_q = units(pose.yaw_rad, APEX_ANGLE_UNITS_PER_RAD),
                           .pitch_q = units(pose.pitch_rad, APEX_ANGLE_UNITS_PER_RAD),
                           .roll_q = units(pose.roll_rad, APEX_ANGLE_UNITS_PER_RAD),
                           .vx_cmps = units(pose.velocity_mps[0], 100.0),
                           .vy_cmps = units(pose.velocity_mps[1], 100.0),
                           .vz_cmps = units(pose.velocity_mps[2], 100.0),
                           .yaw_rate_q =
                               units(pose.angular_radps[2], APEX_YAW_RATE_UNITS_PER_RADPS),
                           .steer_q = units(pose.steer_rad, APEX_ANGLE_UNITS_PER_RAD),
                           .rpm = (uint16_t)lround(pose.engine_radps * 30.0 / M_PI),
                           .gear = pose.gear};
}

TEST(the_car_comes_to_where_it_was_foreseen) {
    scene self;
    begin(&self);
    run(&self, 300);
    ck_assert_double_gt(scene_solo_speed(&self.solo), 20.0);
    double worst_m = 0.0;
    double worst_rad = 0.0;
    double worst_guess_rad = 0.0;
    for (int round = 0; round < 20; round++) {
        apex_wire_car seen = captured(&self);
        apex_wire_car foreseen = seen;
        uint32_t ticks = client_foresight_run(self.foresight, &self.controls, self.tick, &foreseen);
        ck_assert_uint_eq(ticks, AHEAD_TICKS);
        apex_client_view view = {.own = &seen};
        apex_driver_view guess = client_pilot_view(&view, (double)AHEAD_TICKS / TICK_HZ);
        run(&self, AHEAD_TICKS);
        apex_wire_car now = captured(&self);
        worst_m = fmax(worst_m, hypot(now.x_mm - foreseen.x_mm, now.y_mm - foreseen.y_mm) / 1000.0);
        double yaw_rad = now.yaw_q / APEX_ANGLE_UNITS_PER_RAD;
        worst_rad = fmax(worst_rad, fabs(foreseen.yaw_q / APEX_ANGLE_UNITS_PER_RAD - yaw_rad));
        worst_guess_rad = fmax(worst_guess_rad, fabs(guess.yaw_rad - yaw_rad));
    }
    // Five metres and more are driven in that time.
    ck_assert_double_lt(worst_m, 0.1);
    ck_assert_double_lt(worst_rad, 0.02);
    // A guess by velocity and yaw rate alone would have been far worse.
    ck_assert_double_gt(worst_guess_rad, 5.0 * worst_rad);
    end(&self);
}

// @return how far off the car is from where it was foreseen, at worst
static double worst_of(scene *self, client_foresight *foresight) {
    double worst_m = 0.0;
    for (int round = 0; round < 20; round++) {
        apex_wire_car foreseen = captured(self);
        uint32_t ticks = client_foresight_run(foresight, &self->controls, self->tick, &foreseen);
        ck_assert_uint_eq(ticks, AHEAD_TICKS);
        run(self, AHEAD_TICKS);
        apex_wire_car now = captured(self);
        worst_m = fmax(worst_m, hypot(now.x_mm - foreseen.x_mm, now.y_mm - foreseen.y_mm) / 1000.0);
    }
    return worst_m;
}

TEST(the_server_s_gravity_and_air_are_foreseen) {
    scene self;
    begin_in(&self, (apex_world_rules){
                        .substep_hz = 240, .gravity_mps2 = 4.0, .air_density_kg_per_m3 = 10.0});
    client_foresight *on_earth = foresight_for(&self.def, (apex_world_rules){0}, TICK_HZ);
    ck_assert_ptr_nonnull(on_earth);
    run(&self, 300);
    double here_m = worst_of(&self, self.foresight);
    double on_earth_m = worst_of(&self, on_earth);
    ck_assert_double_lt(here_m, 0.1);
    ck_assert_double_gt(on_earth_m, 2.0 * here_m);
    client_foresight_destroy(on_earth);
    end(&self);
}

TEST(no_run_leaves_a_trace_for_the_next) {
    scene self;
    begin(&self);
    run(&self, 200);
    apex_wire_car first = captured(&self);
    apex_wire_car second = first;
    apex_wire_car other = {.id = 2, .x_mm = 90000, .vx_cmps = -5000, .yaw_rate_q = 3000, .gear = 5};
    client_foresight_run(self.foresight, &self.controls, self.tick, &first);
    client_foresight_run(self.foresight, &self.controls, self.tick, &other);
    client_foresight_run(self.foresight, &self.controls, self.tick, &second);
    ck_assert_mem_eq(&first, &second, sizeof first);
    end(&self);
}

TEST(nothing_is_foreseen_without_controls_for_the_way) {
    scene self;
    begin(&self);
    apex_wire_car car = captured(&self);
    apex_wire_car same = car;
    ck_assert_uint_eq(client_foresight_run(self.foresight, &self.controls, self.tick, &car), 0);
    run(&self, 90);
    // A snapshot newer than everything sent, and one too long ago.
    uint32_t newest = self.controls.next_tick - 1;
    ck_assert_uint_eq(client_foresight_run(self.foresight, &self.controls, newest, &car), 0);
    ck_assert_uint_eq(client_foresight_run(self.foresight, &self.controls, newest - 65, &car), 0);
    ck_assert_mem_eq(&car, &same, sizeof car);
    ck_assert_uint_eq(client_foresight_run(self.foresight, &self.controls, newest - 64, &car), 64);
    end(&self);
}

TEST(held_and_flying_cars_are_left_alone) {
    scene self;
    begin(&self);
    run(&self, 120);
    apex_wire_car car = captured(&self);
    car.flags = APEX_CAR_FLAG_HELD;
    ck_assert_uint_eq(client_foresight_run(self.foresight, &self.controls, self.tick, &car), 0);
    car.flags = APEX_CAR_FLAG_AIRBORNE;
    ck_assert_uint_eq(client_foresight_run(self.foresight, &self.controls, self.tick, &car), 0);
    car.flags = 0;
    ck_assert_uint_gt(client_foresight_run(self.foresight, &self.controls, self.tick, &car), 0);
    end(&self);
}

TEST(a_rate_that_physics_cannot_step_gives_none) {
    apex_car_def def = scene_corvette();
    ck_assert_ptr_null(foresight_for(&def, (apex_world_rules){0}, 1000));
    ck_assert_ptr_null(foresight_for(&def, (apex_world_rules){0}, 0));
    client_foresight *fifty = foresight_for(&def, (apex_world_rules){0}, 50);
    ck_assert_ptr_nonnull(fifty);
    client_foresight_destroy(fifty);
}

// Turned by a quarter, everything goes as before, by a quarter to the left.
TEST(a_car_that_heads_elsewhere_drives_alike) {
    scene self;
    begin(&self);
    run(&self, 30);
    apex_wire_car along = captured(&self);
    along.x_mm = along.y_mm = 0;
    along.yaw_q = along.pitch_q = along.roll_q = along.yaw_rate_q = 0;
    along.vx_cmps = 2000;
    along.vy_cmps = along.vz_cmps = 0;
    apex_wire_car across = along;
    across.yaw_q = 16384; // a quarter turn to the left
    across.vx_cmps = 0;
    across.vy_cmps = 2000;
    ck_assert_uint_eq(client_foresight_run(self.foresight, &self.controls, self.tick, &along),
                      AHEAD_TICKS);
    ck_assert_uint_eq(client_foresight_run(self.foresight, &self.controls, self.tick, &across),
                      AHEAD_TICKS);
    ck_assert_int_gt(along.x_mm, 3000);
    ck_assert_int_le(abs(across.y_mm - along.x_mm), 3);
    ck_assert_int_le(abs(across.x_mm + along.y_mm), 3);
    ck_assert_int_le(abs(across.vy_cmps - along.vx_cmps), 2);
    end(&self);
}

// A car in free fall turns about nothing: after a tick it looks where it looked before, however it
// leans, and is where it was.
TEST(a_leaning_car_keeps_its_heading) {
    for (int lean = -1; lean <= 1; lean += 2) {
        scene self;
        begin(&self);
        apex_wire_car seen = {.id = 1,
                              .z_mm = 50000,
                              .yaw_q = units(0.6, APEX_ANGLE_UNITS_PER_RAD),
                              .pitch_q = units(0.4 * lean, APEX_ANGLE_UNITS_PER_RAD),
                              .roll_q = units(0.9, APEX_ANGLE_UNITS_PER_RAD),
                              .gear = 2};
        apex_wire_car foreseen = seen;
        apex_controls_message message;
        client_controls_sample_to(&self.controls, 1001.0, 0, &message);
        client_controls_sample_to(&self.controls, 1002.0, 0, &message);
        ck_assert_uint_eq(client_foresight_run(self.foresight, &self.controls, 1001, &foreseen), 1);
        ck_assert_int_le(abs(foreseen.yaw_q - seen.yaw_q), 20); // a tenth of a degree
        ck_assert_int_le(abs(foreseen.x_mm), 2);
        ck_assert_int_le(abs(foreseen.y_mm), 2);
        end(&self);
    }
}
