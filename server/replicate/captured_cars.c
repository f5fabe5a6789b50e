// The captured cars of a replica: poses as delta.h's integers, tick by tick.
#include "replicate/captured_cars.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/trig.h"
#include "replicate/capture.h"

bool captured_cars_create(captured_cars *cars, uint32_t capacity, uint32_t tick_hz) {
    size_t slots = capacity + (size_t)1;
    cars->capacity = capacity;
    cars->tick_hz = tick_hz;
    cars->rows = calloc(slots * CAPTURED_TICKS, sizeof *cars->rows);
    cars->far_row = calloc(slots, sizeof *cars->far_row);
    cars->along_mps = calloc(slots, sizeof *cars->along_mps);
    cars->since_tick = calloc(slots, sizeof *cars->since_tick);
    cars->place_m = calloc(slots, sizeof *cars->place_m);
    cars->live = calloc(slots, sizeof *cars->live);
    return cars->rows != NULL && cars->far_row != NULL && cars->along_mps != NULL &&
           cars->since_tick != NULL && cars->place_m != NULL && cars->live != NULL;
}

void captured_cars_destroy(captured_cars *cars) {
    free(cars->live);
    free(cars->place_m);
    free(cars->since_tick);
    free(cars->along_mps);
    free(cars->far_row);
    free(cars->rows);
}

void captured_cars_forget(captured_cars *cars) {
    size_t slots = cars->capacity + (size_t)1;
    for (uint32_t row = 0; row < CAPTURED_TICKS; row++) {
        cars->ticks[row] = row + 1; // which is never this row's
    }
    memset(cars->since_tick, 0, slots * sizeof *cars->since_tick);
    memset(cars->along_mps, 0, slots * sizeof *cars->along_mps);
    cars->live_count = 0;
}

static void quantise_motion(const apex_car_pose *pose, double along_before_mps, uint32_t tick_hz,
                            double *along_mps, apex_delta_car *out) {
    double sin, cos;
    apex_sincos(pose->yaw_rad, &sin, &cos);
    const double *v = pose->velocity_mps;
    *along_mps = cos * v[0] + sin * v[1];
    double aside_mps = cos * v[1] - sin * v[0];
    double acceleration = (*along_mps - along_before_mps) * (double)tick_hz;
    out->q[APEX_DELTA_ACCELERATION] =
        apex_delta_quantise(APEX_DELTA_ACCELERATION, 2.0 * acceleration);
    out->q[APEX_DELTA_ALONG] = apex_delta_quantise(APEX_DELTA_ALONG, 20.0 * *along_mps);
    out->q[APEX_DELTA_ASIDE] = apex_delta_quantise(APEX_DELTA_ASIDE, 20.0 * aside_mps);
    out->q[APEX_DELTA_CLIMB] = apex_delta_quantise(APEX_DELTA_CLIMB, 20.0 * v[2]);
    out->q[APEX_DELTA_YAW_RATE] =
        apex_delta_quantise(APEX_DELTA_YAW_RATE, 64.0 * pose->angular_radps[2]);
}

static void quantise_place(const apex_car_pose *pose, apex_delta_car *out) {
    const double PER_TURN = 0.5 / APEX_PI;
    for (uint32_t i = 0; i < 3; i++) {
        apex_delta_field field = (apex_delta_field)(APEX_DELTA_X + i);
        out->q[field] = apex_delta_quantise(field, 100.0 * pose->position_m[i]);
    }
    out->q[APEX_DELTA_YAW] = apex_delta_quantise(APEX_DELTA_YAW, 8192.0 * PER_TURN * pose->yaw_rad);
    out->q[APEX_DELTA_PITCH] =
        apex_delta_quantise(APEX_DELTA_PITCH, 2048.0 * PER_TURN * pose->pitch_rad);
    out->q[APEX_DELTA_ROLL] =
        apex_delta_quantise(APEX_DELTA_ROLL, 2048.0 * PER_TURN * pose->roll_rad);
}

static void quantise_driving(const apex_car_pose *pose, apex_delta_car *out) {
    out->q[APEX_DELTA_GEAR] = pose->gear;
    out->q[APEX_DELTA_FLAGS] = pose_flags(pose);
    out->q[APEX_DELTA_DAMAGE] = (int32_t)pose_zones(pose);
    out->q[APEX_DELTA_RPM] =
        apex_delta_quantise(APEX_DELTA_RPM, pose->engine_radps * APEX_RPM_PER_RADPS / 128.0);
    out->q[APEX_DELTA_STEER] = apex_delta_quantise(APEX_DELTA_STEER, 64.0 * pose->steer_rad);
    out->q[APEX_DELTA_THROTTLE] = apex_delta_quantise(APEX_DELTA_THROTTLE, 15.0 * pose->throttle);
    out->q[APEX_DELTA_BRAKE] = apex_delta_quantise(APEX_DELTA_BRAKE, 15.0 * pose->brake);
}

static void capture_car(captured_cars *cars, const apex_car_pose *pose,
                        const apex_delta_car *before, apex_delta_car *out) {
    uint32_t slot = pose->id.index1;
    double *along_mps = &cars->along_mps[slot];
    out->id = apex_car_wire_id(pose->id);
    // A car that has just come has not been faster or slower.
    bool is_known = before != NULL && before->id == out->id;
    quantise_motion(pose, *along_mps, cars->tick_hz, along_mps, out);
    if (!is_known) {
        out->q[APEX_DELTA_ACCELERATION] = 0;
        cars->since_tick[slot] = cars->tick;
    }
    cars->place_m[slot][0] = (float)pose->position_m[0];
    cars->place_m[slot][1] = (float)pose->position_m[1];
    quantise_place(pose, out);
    quantise_driving(pose, out);
    cars->far_row[slot] = apex_delta_far_car(out);
}

void captured_cars_take(captured_cars *cars, uint32_t tick, const apex_car_pose poses[],
                        uint32_t end) {
    APEX_ASSERT(end <= cars->capacity);
    bool has_before = captured_has(cars, tick - 1);
    const apex_delta_car *before = has_before ? captured_row(cars, tick - 1) : NULL;
    apex_delta_car *row = captured_row(cars, tick);
    cars->tick = tick;
    cars->ticks[tick % CAPTURED_TICKS] = tick;
    cars->live_count = 0;
    for (uint32_t slot = 1; slot <= end; slot++) {
        if (poses[slot - 1].id.index1 == 0) {
            row[slot] = (apex_delta_car){0};
            cars->since_tick[slot] = 0;
            continue;
        }
        APEX_ASSERT(poses[slot - 1].id.index1 == slot);
        capture_car(cars, &poses[slot - 1], before != NULL ? &before[slot] : NULL, &row[slot]);
        cars->live[cars->live_count++] = (uint16_t)slot;
    }
}
