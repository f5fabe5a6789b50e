// The replica of a race from which deltas are coded: made, and filled once a tick.
#include "replicate/replica_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/trig.h"

static bool allocate(apex_replica *replica) {
    size_t slots = replica->capacity + (size_t)1;
    replica->rows = calloc(slots * REPLICA_TICKS, sizeof *replica->rows);
    replica->far_row = calloc(slots, sizeof *replica->far_row);
    replica->along_mps = calloc(slots, sizeof *replica->along_mps);
    replica->since_tick = calloc(slots, sizeof *replica->since_tick);
    replica->place_m = calloc(slots, sizeof *replica->place_m);
    replica->live = calloc(slots, sizeof *replica->live);
    replica->codes = aligned_alloc(_Alignof(coded_car), slots * CODES_A_CAR * sizeof(coded_car));
    if (replica->rows == NULL || replica->far_row == NULL || replica->along_mps == NULL ||
        replica->since_tick == NULL || replica->place_m == NULL || replica->live == NULL ||
        replica->codes == NULL) {
        return false;
    }
    memset(replica->codes, 0, slots * CODES_A_CAR * sizeof *replica->codes);
    return replica_order_create(replica, 2 * replica->capacity) && // some have left the race
           replica_grid_create(&replica->grid, replica->capacity);
}

apex_replica *apex_replica_create(uint32_t car_capacity, uint32_t tick_hz) {
    APEX_ASSERT(car_capacity > 0 && car_capacity < UINT16_MAX);
    APEX_ASSERT(tick_hz > 0 && tick_hz <= APEX_DELTA_TICK_HZ_MAX);
    apex_replica *replica = calloc(1, sizeof *replica);
    if (replica == NULL) {
        return NULL;
    }
    replica->capacity = car_capacity;
    replica->tick_hz = tick_hz;
    if (!allocate(replica)) {
        apex_replica_destroy(replica);
        return NULL;
    }
    return replica;
}

void apex_replica_destroy(apex_replica *replica) {
    if (replica == NULL) {
        return;
    }
    free(replica->codes);
    replica_grid_destroy(&replica->grid);
    replica_order_destroy(replica);
    free(replica->live);
    free(replica->place_m);
    free(replica->since_tick);
    free(replica->along_mps);
    free(replica->far_row);
    free(replica->rows);
    free(replica);
}

void apex_replica_forget(apex_replica *replica) {
    size_t slots = replica->capacity + (size_t)1;
    for (uint32_t row = 0; row < REPLICA_TICKS; row++) {
        replica->ticks[row] = row + 1; // which is never this row's
    }
    memset(replica->since_tick, 0, slots * sizeof *replica->since_tick);
    memset(replica->along_mps, 0, slots * sizeof *replica->along_mps);
    for (size_t i = 0; i < slots * CODES_A_CAR; i++) {
        replica->codes[i].of = 0; // of the same tick there may be two pasts
    }
    replica->live_count = 0;
    replica_order_forget(replica);
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
    const double RPM_PER_RADPS = 30.0 / APEX_PI;
    out->q[APEX_DELTA_GEAR] = pose->gear;
    out->q[APEX_DELTA_FLAGS] = replica_flags(pose);
    out->q[APEX_DELTA_DAMAGE] = (int32_t)replica_zones(pose);
    out->q[APEX_DELTA_RPM] =
        apex_delta_quantise(APEX_DELTA_RPM, pose->engine_radps * RPM_PER_RADPS / 128.0);
    out->q[APEX_DELTA_STEER] = apex_delta_quantise(APEX_DELTA_STEER, 64.0 * pose->steer_rad);
    out->q[APEX_DELTA_THROTTLE] = apex_delta_quantise(APEX_DELTA_THROTTLE, 15.0 * pose->throttle);
    out->q[APEX_DELTA_BRAKE] = apex_delta_quantise(APEX_DELTA_BRAKE, 15.0 * pose->brake);
}

static void capture_car(apex_replica *replica, const apex_car_pose *pose,
                        const apex_delta_car *before, apex_delta_car *out) {
    uint32_t slot = pose->id.index1;
    double *along_mps = &replica->along_mps[slot];
    out->id = apex_car_wire_id(pose->id);
    // A car that has just come has not been faster or slower.
    bool is_known = before != NULL && before->id == out->id;
    quantise_motion(pose, *along_mps, replica->tick_hz, along_mps, out);
    if (!is_known) {
        out->q[APEX_DELTA_ACCELERATION] = 0;
        replica->since_tick[slot] = replica->tick;
    }
    replica->place_m[slot][0] = (float)pose->position_m[0];
    replica->place_m[slot][1] = (float)pose->position_m[1];
    quantise_place(pose, out);
    quantise_driving(pose, out);
    replica->far_row[slot] = apex_delta_far_car(out);
}

void replica_capture(apex_replica *replica, uint32_t tick, const apex_car_pose poses[],
                     uint32_t end) {
    APEX_ASSERT(end <= replica->capacity);
    bool has_before = replica->ticks[(tick - 1) % REPLICA_TICKS] == tick - 1;
    const apex_delta_car *before = has_before ? replica_row(replica, tick - 1) : NULL;
    apex_delta_car *row = replica_row(replica, tick);
    replica->tick = tick;
    replica->ticks[tick % REPLICA_TICKS] = tick;
    replica->live_count = 0;
    for (uint32_t slot = 1; slot <= end; slot++) {
        if (poses[slot - 1].id.index1 == 0) {
            row[slot] = (apex_delta_car){0};
            replica->since_tick[slot] = 0;
            continue;
        }
        capture_car(replica, &poses[slot - 1], before != NULL ? &before[slot] : NULL, &row[slot]);
        replica->live[replica->live_count++] = (uint16_t)slot;
    }
    replica_grid_fill(replica);
}

void apex_replica_capture(apex_replica *replica, const apex_race *race) {
    uint32_t tick = (uint32_t)apex_world_tick(apex_race_world(race)), end;
    const apex_car_pose *poses = apex_race_poses(race, &end);
    replica_capture(replica, tick, poses, end);
    replica_order_update(replica, race);
}

const apex_delta_car *apex_replica_car(const apex_replica *replica, uint32_t tick, uint32_t slot) {
    if (slot == 0 || slot > replica->capacity || replica->ticks[tick % REPLICA_TICKS] != tick) {
        return NULL;
    }
    const apex_delta_car *car = &replica_row(replica, tick)[slot];
    return car->id != 0 ? car : NULL;
}
