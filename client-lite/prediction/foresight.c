// A world of one car repeats what the server is about to do with the controls under way.
#include "client-lite/prediction/foresight.h"

#include <stdlib.h>

#include "base/trig.h"
#include "client-lite/prediction/wire_state.h"

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

static void put_car(client_foresight *foresight, const apex_wire_car *car) {
    apex_car_state state;
    client_state_of_wire(foresight->def, car, &foresight->fresh, &state);
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
