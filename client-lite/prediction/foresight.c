// A world of one car repeats what the server is about to do with the controls under way.
#include "client-lite/prediction/foresight.h"

#include <stdlib.h>

#include "base/assert.h"
#include "base/trig.h"

static const double RADPS_PER_RPM = 2.0 * APEX_PI / 60.0;
static const double MM_PER_M = 1000.0;

struct client_foresight {
    apex_world *world;
    apex_car_id car;
    const apex_car_def *def;
    apex_car_state fresh; ///< full of fuel, undamaged: every run begins with it, all alike
};

client_foresight *client_foresight_create(const apex_ground *ground, const apex_walls *walls,
                                          const apex_car_def *car, const apex_world_def *world) {
    client_foresight *foresight = calloc(1, sizeof *foresight);
    if (foresight == NULL) {
        return NULL;
    }
    foresight->def = car;
    apex_car_type type;
    apex_placement anywhere = {0};
    if (apex_world_create(world, ground, walls, &foresight->world) != APEX_OK ||
        apex_world_add_type(foresight->world, car, &type) != APEX_OK ||
        apex_world_add_car(foresight->world, type, &anywhere, &foresight->car) != APEX_OK) {
        client_foresight_destroy(foresight);
        return NULL;
    }
    apex_world_get_car(foresight->world, foresight->car, &foresight->fresh);
    return foresight;
}

void client_foresight_destroy(client_foresight *foresight) {
    if (foresight != NULL) {
        apex_world_destroy(foresight->world);
        free(foresight);
    }
}

// Yaw, then pitch, then roll (ISO 8855), as a quaternion.
static void orient(const apex_wire_car *car, double out[4]) {
    double sin_yaw, cos_yaw, sin_pitch, cos_pitch, sin_roll, cos_roll;
    apex_sincos(0.5 * car->yaw_q / APEX_ANGLE_UNITS_PER_RAD, &sin_yaw, &cos_yaw);
    apex_sincos(0.5 * car->pitch_q / APEX_ANGLE_UNITS_PER_RAD, &sin_pitch, &cos_pitch);
    apex_sincos(0.5 * car->roll_q / APEX_ANGLE_UNITS_PER_RAD, &sin_roll, &cos_roll);
    out[0] = cos_yaw * cos_pitch * cos_roll + sin_yaw * sin_pitch * sin_roll;
    out[1] = cos_yaw * cos_pitch * sin_roll - sin_yaw * sin_pitch * cos_roll;
    out[2] = cos_yaw * sin_pitch * cos_roll + sin_yaw * cos_pitch * sin_roll;
    out[3] = sin_yaw * cos_pitch * cos_roll - cos_yaw * sin_pitch * sin_roll;
}

// Wheels roll as fast as the car moves along its heading.
static void spin_wheels(const client_foresight *foresight, double speed_mps,
                        apex_car_state *state) {
    uint32_t wheel = 0;
    for (uint32_t axle = 0; axle < foresight->def->axle_count; axle++) {
        const apex_axle_def *def = &foresight->def->axles[axle];
        for (uint32_t side = 0; side < (def->track_width_m > 0.0 ? 2u : 1u); side++) {
            APEX_ASSERT(wheel < APEX_WHEELS_MAX);
            state->wheels[wheel].spin_radps = speed_mps / def->tyre.radius_m;
            wheel++;
        }
    }
}

static void put_car(client_foresight *foresight, const apex_wire_car *car) {
    apex_car_state state = foresight->fresh;
    state.position_m[0] = car->x_mm / MM_PER_M;
    state.position_m[1] = car->y_mm / MM_PER_M;
    state.position_m[2] = car->z_mm / MM_PER_M;
    orient(car, state.orientation);
    state.velocity_mps[0] = car->vx_cmps / 100.0;
    state.velocity_mps[1] = car->vy_cmps / 100.0;
    state.velocity_mps[2] = car->vz_cmps / 100.0;
    state.angular_radps[2] = car->yaw_rate_q / APEX_YAW_RATE_UNITS_PER_RADPS;
    state.steer_rad = car->steer_q / APEX_ANGLE_UNITS_PER_RAD;
    state.engine_radps = car->rpm * RADPS_PER_RPM;
    state.gear = car->gear;
    state.gear_before = car->gear;
    double sine, cosine;
    apex_sincos(car->yaw_q / APEX_ANGLE_UNITS_PER_RAD, &sine, &cosine);
    double speed_mps = state.velocity_mps[0] * cosine + state.velocity_mps[1] * sine;
    spin_wheels(foresight, speed_mps, &state);
    // Of a steady bend; the load on the outer wheels follows from it.
    state.acceleration_mps2[1] = speed_mps * state.angular_radps[2];
    apex_world_set_car(foresight->world, foresight->car, &state);
}

static double clamped(double value, double limit) {
    return value > limit ? limit : value < -limit ? -limit : value;
}

static double rounded(double value) {
    return value < 0.0 ? value - 0.5 : value + 0.5;
}

static int16_t angle_q(double angle_rad) {
    double units = rounded(apex_wrap_angle(angle_rad) * APEX_ANGLE_UNITS_PER_RAD);
    // Half a turn to the left is half a turn to the right.
    return (int16_t)(units >= 32768.0 ? units - 65536.0 : units);
}

static bool take_car(const client_foresight *foresight, apex_wire_car *car) {
    apex_car_pose pose;
    if (!apex_world_pose(foresight->world, foresight->car, &pose)) {
        return false;
    }
    car->x_mm = (int32_t)rounded(clamped(pose.position_m[0] * MM_PER_M, 2e9));
    car->y_mm = (int32_t)rounded(clamped(pose.position_m[1] * MM_PER_M, 2e9));
    car->z_mm = (int32_t)rounded(clamped(pose.position_m[2] * MM_PER_M, 2e9));
    car->yaw_q = angle_q(pose.yaw_rad);
    car->vx_cmps = (int16_t)rounded(clamped(pose.velocity_mps[0] * 100.0, 32767.0));
    car->vy_cmps = (int16_t)rounded(clamped(pose.velocity_mps[1] * 100.0, 32767.0));
    car->vz_cmps = (int16_t)rounded(clamped(pose.velocity_mps[2] * 100.0, 32767.0));
    double yaw_rate_q = pose.angular_radps[2] * APEX_YAW_RATE_UNITS_PER_RADPS;
    car->yaw_rate_q = (int16_t)rounded(clamped(yaw_rate_q, 32767.0));
    car->steer_q = angle_q(pose.steer_rad);
    car->gear = pose.gear;
    return true;
}

apex_controls client_foresight_controls(const apex_control_sample *sample) {
    return (apex_controls){.steer = sample->steer,
                           .throttle = sample->throttle,
                           .brake = sample->brake,
                           .clutch = sample->clutch,
                           .handbrake = sample->handbrake,
                           .gear = sample->gear,
                           .shift_up_count = sample->shift_up,
                           .shift_down_count = sample->shift_down,
                           .reset_count = sample->reset,
                           .aids_off = sample->aids_off};
}

uint32_t client_foresight_run(client_foresight *foresight, const client_controls *controls,
                              uint32_t tick, apex_wire_car *car) {
    uint32_t first = tick + 1;
    bool known = controls->started && first < controls->next_tick &&
                 controls->next_tick - first <= controls->held &&
                 controls->next_tick - first <= CLIENT_FORESIGHT_TICKS_MAX;
    if (!known || (car->flags & (APEX_CAR_FLAG_HELD | APEX_CAR_FLAG_AIRBORNE)) != 0) {
        return 0;
    }
    put_car(foresight, car);
    for (uint32_t at = first; at < controls->next_tick; at++) {
        const client_control_kept *kept = &controls->ring[at % CLIENT_CONTROLS_RING];
        apex_controls used = client_foresight_controls(&kept->sample);
        apex_world_step(foresight->world, &used, NULL);
    }
    return take_car(foresight, car) ? controls->next_tick - first : 0;
}
