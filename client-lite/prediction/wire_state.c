// Integers of a snapshot become a place, an attitude and velocities.
#include "client-lite/prediction/wire_state.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/trig.h"
#include "client-lite/view/pose.h"

static const double RADPS_PER_RPM = 2.0 * APEX_PI / 60.0;
// Half of the step of each field of delta.h's near class, and of what Car's integers round.
static const double HALF_STEP_M = 0.005 + 0.0005;
static const double HALF_STEP_MPS = 0.025 + 0.005;
static const double HALF_STEP_YAW_RAD = APEX_PI / 8192.0 + 1e-4;
static const double HALF_STEP_TILT_RAD = APEX_PI / 2048.0 + 1e-4;
static const double HALF_STEP_YAW_RATE = 1.0 / 128.0 + 1e-3;
static const double HALF_STEP_STEER_RAD = 1.0 / 128.0 + 1e-4;
static const double HALF_STEP_RPM = 64.5;

/// What is told, in physics' units.
typedef struct told_motion {
    double position_m[3], velocity_mps[3];
    double yaw_rad, pitch_rad, roll_rad;
    double yaw_rate_radps, steer_rad, engine_radps;
} told_motion;

static told_motion motion_of(const apex_wire_car *car) {
    apex_client_pose pose = client_pose_of_wire(car, 0.0);
    told_motion told = {.yaw_rad = pose.yaw_rad,
                        .pitch_rad = pose.pitch_rad,
                        .roll_rad = pose.roll_rad,
                        .yaw_rate_radps = pose.yaw_rate_radps,
                        .steer_rad = pose.steer_rad,
                        .engine_radps = pose.rpm * RADPS_PER_RPM};
    memcpy(told.position_m, pose.position_m, sizeof told.position_m);
    memcpy(told.velocity_mps, pose.velocity_mps, sizeof told.velocity_mps);
    return told;
}

static double nearest_within(double wanted, double centre, double half) {
    return fmin(fmax(wanted, centre - half), centre + half);
}

static double nearest_angle_within(double wanted_rad, double centre_rad, double half_rad) {
    double off_rad = apex_wrap_angle(wanted_rad - centre_rad);
    return apex_wrap_angle(centre_rad + nearest_within(off_rad, 0.0, half_rad));
}

static void turn(const double from[2], double angle_rad, double to[2]) {
    double sine, cosine;
    apex_sincos(angle_rad, &sine, &cosine);
    double x = from[0] * cosine - from[1] * sine;
    to[1] = from[0] * sine + from[1] * cosine;
    to[0] = x;
}

// Speeds are rounded where the nose points and to its left.
static void keep_velocity(told_motion *told, const double expected_mps[3]) {
    double said[2], wanted[2];
    turn(told->velocity_mps, -told->yaw_rad, said);
    turn(expected_mps, -told->yaw_rad, wanted);
    for (int i = 0; i < 2; i++) {
        said[i] = nearest_within(wanted[i], said[i], HALF_STEP_MPS);
    }
    turn(said, told->yaw_rad, told->velocity_mps);
    told->velocity_mps[2] = nearest_within(expected_mps[2], told->velocity_mps[2], HALF_STEP_MPS);
}

static void keep_expected(told_motion *told, const client_expected_state *expected) {
    const apex_client_pose *pose = expected->pose;
    const apex_car_state *state = expected->state;
    keep_velocity(told, state->velocity_mps);
    for (int i = 0; i < 3; i++) {
        told->position_m[i] =
            nearest_within(state->position_m[i], told->position_m[i], HALF_STEP_M);
    }
    told->yaw_rad = nearest_angle_within(pose->yaw_rad, told->yaw_rad, HALF_STEP_YAW_RAD);
    told->pitch_rad = nearest_angle_within(pose->pitch_rad, told->pitch_rad, HALF_STEP_TILT_RAD);
    told->roll_rad = nearest_angle_within(pose->roll_rad, told->roll_rad, HALF_STEP_TILT_RAD);
    told->yaw_rate_radps =
        nearest_within(state->angular_radps[2], told->yaw_rate_radps, HALF_STEP_YAW_RATE);
    told->steer_rad = nearest_within(state->steer_rad, told->steer_rad, HALF_STEP_STEER_RAD);
    told->engine_radps =
        nearest_within(state->engine_radps, told->engine_radps, HALF_STEP_RPM * RADPS_PER_RPM);
}

// Yaw, then pitch, then roll (ISO 8855), as a quaternion.
static void orient(const told_motion *told, double out[4]) {
    double sin_yaw, cos_yaw, sin_pitch, cos_pitch, sin_roll, cos_roll;
    apex_sincos(0.5 * told->yaw_rad, &sin_yaw, &cos_yaw);
    apex_sincos(0.5 * told->pitch_rad, &sin_pitch, &cos_pitch);
    apex_sincos(0.5 * told->roll_rad, &sin_roll, &cos_roll);
    out[0] = cos_yaw * cos_pitch * cos_roll + sin_yaw * sin_pitch * sin_roll;
    out[1] = cos_yaw * cos_pitch * sin_roll - sin_yaw * sin_pitch * cos_roll;
    out[2] = cos_yaw * sin_pitch * cos_roll + sin_yaw * cos_pitch * sin_roll;
    out[3] = sin_yaw * cos_pitch * cos_roll - cos_yaw * sin_pitch * sin_roll;
}

static double speed_along(const double velocity_mps[3], double yaw_rad) {
    double along[2];
    turn(velocity_mps, -yaw_rad, along);
    return along[0];
}

// Each wheel turns by so much faster than it did.
static void spin_up(const apex_car_def *def, double faster_mps, apex_car_state *state) {
    uint32_t wheel = 0;
    for (uint32_t axle = 0; axle < def->axle_count; axle++) {
        const apex_axle_def *of = &def->axles[axle];
        for (uint32_t side = 0; side < (of->track_width_m > 0.0 ? 2u : 1u); side++) {
            APEX_ASSERT(wheel < APEX_WHEELS_MAX);
            state->wheels[wheel].spin_radps += faster_mps / of->tyre.radius_m;
            wheel++;
        }
    }
}

static void put_motion(const told_motion *told, apex_car_state *state) {
    memcpy(state->position_m, told->position_m, sizeof state->position_m);
    memcpy(state->velocity_mps, told->velocity_mps, sizeof state->velocity_mps);
    orient(told, state->orientation);
    state->angular_radps[2] = told->yaw_rate_radps;
    state->steer_rad = told->steer_rad;
    state->engine_radps = told->engine_radps;
}

static void put_condition(const apex_wire_car *told, apex_car_state *state) {
    apex_car_condition is = apex_car_condition_of(told->flags);
    state->airborne = is.airborne;
    state->held = is.held;
    state->ghost = is.ghost;
    state->engine_blown = is.engine_blown;
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        state->damage[zone] =
            (double)apex_car_zone(told->damage_zones, zone) / (double)APEX_WIRE_ZONE_MAX;
    }
}

void client_state_of_wire(const apex_car_def *def, const apex_wire_car *told,
                          const apex_car_state *fresh, apex_car_state *out) {
    told_motion motion = motion_of(told);
    *out = *fresh;
    put_motion(&motion, out);
    put_condition(told, out);
    out->gear = out->gear_before = told->gear;
    double speed_mps = speed_along(motion.velocity_mps, motion.yaw_rad);
    spin_up(def, speed_mps, out);
    // Of a steady bend; the load on the outer wheels follows from it.
    out->acceleration_mps2[1] = speed_mps * motion.yaw_rate_radps;
}

void client_state_of_wire_near(const apex_car_def *def, const apex_wire_car *told,
                               const client_expected_state *expected, apex_car_state *out) {
    told_motion motion = motion_of(told);
    keep_expected(&motion, expected);
    *out = *expected->state;
    put_motion(&motion, out);
    put_condition(told, out);
    if (out->gear != told->gear) {
        out->gear = out->gear_before = told->gear;
        out->shift_left_s = 0.0;
    }
    double was_mps = speed_along(expected->state->velocity_mps, expected->pose->yaw_rad);
    spin_up(def, speed_along(motion.velocity_mps, motion.yaw_rad) - was_mps, out);
}
