// The step's stages by themselves, for rows that speak of one of them. Compiled into each program,
// as `real` differs between the builds.

#ifndef APEX_TESTS_ROWS_STAGES_H
#define APEX_TESTS_ROWS_STAGES_H

#include "physics/dynamics/pass/stages.h"
#include "physics/type/type_build.h"
#include "physics/world/world.h"
#include "support/physics/scenes.h"

#include <stdint.h>

// All eight lanes are this kind of car.
static inline const physics_numbers_lanes *rows_numbers(const apex_car_def *def) {
    static physics_type type;
    static physics_numbers_lanes numbers;
    physics_type_build(&type, def, 1.0 / 240.0);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        physics_numbers_set_lane(&numbers, lane, &type.numbers);
    }
    return &numbers;
}

static inline const physics_type *rows_type(const apex_car_def *def) {
    static physics_type type;
    physics_type_build(&type, def, 1.0 / 240.0);
    return &type;
}

// Every part of a tyre's law; each lane takes its own.
static const physics_tyre_plan ROWS_ALL_TYRES = {true, true, true, true, true, true};

// Force per load of the front axle's tyre on a road of friction 1: slip ratio and tangent of the
// slip angle in, along and across out.
static inline void rows_tyre_force(const physics_numbers_lanes *numbers, const double slip[2],
                                   double force[2]) {
    const physics_tyre_lanes *tyre = &numbers->axles[0].tyre;
    const lanes in[2] = {lanes_all((real)slip[0]) * tyre->longitudinal.per_peak,
                         lanes_all((real)slip[1]) * tyre->lateral.per_peak};
    lanes out[2];
    physics_tyre_combined_base(tyre, &ROWS_ALL_TYRES, in, out);
    force[0] = (double)out[0][0];
    force[1] = (double)out[1][0];
}

static inline physics_tyre_input rows_tyre_input(double load_n, const double speed_mps[2],
                                                 double spin_radps) {
    return (physics_tyre_input){.plan = &ROWS_ALL_TYRES,
                                .h_s = R(1.0) / R(240.0),
                                .gravity_mps2 = R(9.81),
                                .load_n = lanes_all((real)load_n),
                                .friction = lanes_all(R(1.0)),
                                .speed_x_mps = lanes_all((real)speed_mps[0]),
                                .speed_y_mps = lanes_all((real)speed_mps[1]),
                                .spin_radps = lanes_all((real)spin_radps),
                                .patch_share = lanes_all(R(1.0))};
}

// The patch's state once it has settled at constant speeds and spin.
static inline physics_grip rows_tyre_settled(const physics_numbers_lanes *numbers,
                                             const physics_tyre_input *in) {
    physics_wheel_lanes wheel = {.spin_radps = in->spin_radps};
    physics_grip grip = {.slip = {0}};
    for (int i = 0; i < 2000; i++) {
        physics_tyre_predict_base(&numbers->axles[0].tyre, in, &wheel, &grip);
    }
    return grip;
}

typedef struct rows_bench {
    scene_solo solo;
    physics_substep step;
    physics_sum sum;
} rows_bench;

// Stands on level ground with these speeds along itself and about its vertical; its wheels point
// where `steer_rad` says. Stages up to footing are done.
static inline void rows_bench_set(rows_bench *bench, const double motion[3], double steer_rad) {
    apex_world *world = bench->solo.world;
    apex_car_state state = scene_solo_state(&bench->solo);
    state.velocity_mps[0] = motion[0];
    state.velocity_mps[1] = motion[1];
    state.angular_radps[2] = motion[2];
    state.steer_rad = steer_rad;
    apex_world_set_car(world, bench->solo.car, &state);
    physics_drive *drive = &world->cars.drives[0];
    drive->steer = lanes_all((real)steer_rad) / drive->numbers->steer_max_rad;
    bench->step = (physics_substep){.cars = &world->cars,
                                    .block = &world->cars.blocks[0],
                                    .drive = drive,
                                    .work = &world->cars.works[0],
                                    .numbers = drive->numbers,
                                    .h_s = world->cars.conditions.h_s,
                                    .gravity_mps2 = world->cars.conditions.gravity_mps2};
    physics_frame_base(&bench->step);
    physics_steering_base(&bench->step);
    physics_wheel_contacts_base(&bench->step);
}

// The middle of an axle, along and across its wheels.
static inline void rows_bench_axle_speed(const rows_bench *bench, uint32_t axle, double out[2]) {
    const physics_wheel_pass *pair = &bench->step.wheels[2 * axle];
    out[0] = 0.5 * (double)(pair[0].speed_x_mps[0] + pair[1].speed_x_mps[0]);
    out[1] = 0.5 * (double)(pair[0].speed_y_mps[0] + pair[1].speed_y_mps[0]);
}

// Gives an axle's tyres forces along and across their wheels.
static inline void rows_bench_push(rows_bench *bench, uint32_t axle, const double force_n[2]) {
    for (uint32_t side = 0; side < 2; side++) {
        physics_grip *grip = &bench->step.wheels[2 * axle + side].grip;
        *grip = (physics_grip){.long_n = lanes_all((real)(0.5 * force_n[0])),
                               .lat_n = lanes_all((real)(0.5 * force_n[1]))};
    }
}

#endif
