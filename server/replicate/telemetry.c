// A car's telemetry: its state and its last step's work, as the wire has them.
#include "replicate/replicate.h"

#include "base/trig.h"
#include "track/track.h"

static apex_wheel_telemetry wheel_telemetry(const apex_wheel_work *work,
                                            const apex_wheel_state *wheel) {
    return (apex_wheel_telemetry){
        .load_n = (float)work->load_n,
        .slip_ratio = (float)work->slip_ratio,
        .slip_angle_rad = (float)work->slip_angle_rad,
        .force_long_n = (float)work->force_long_n,
        .force_lat_n = (float)work->force_lat_n,
        .friction = (float)work->friction,
        .spin_radps = (float)wheel->spin_radps,
        .temperature_c = (float)wheel->temperature_c,
        .surface = work->surface,
        .sliding = work->sliding,
    };
}

static double speed_along(const apex_car_pose *pose) {
    const double *q = pose->orientation; // first column of its matrix: where the nose points
    double x = 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]);
    double y = 2.0 * (q[1] * q[2] + q[0] * q[3]);
    double z = 2.0 * (q[1] * q[3] - q[0] * q[2]);
    return pose->velocity_mps[0] * x + pose->velocity_mps[1] * y + pose->velocity_mps[2] * z;
}

bool apex_replicate_telemetry(const apex_race *race, apex_player_id player, apex_telemetry *out) {
    const apex_world *world = apex_race_world(race);
    apex_standing standing;
    apex_car_pose pose;
    apex_car_state state;
    apex_car_work work;
    if (!apex_race_player_standing(race, player, &standing) ||
        !apex_world_pose(world, standing.car_id, &pose) ||
        !apex_world_get_car(world, standing.car_id, &state) ||
        !apex_world_get_work(world, standing.car_id, &work)) {
        return false;
    }
    const apex_track *track = apex_race_track(race);
    const double *at = pose.position_m;
    // Without a lap nobody is followed along it, and the place is quickly found.
    apex_track_place place = apex_track_has_lap(track)
                                 ? apex_track_project(track, at[0], at[1], standing.lap_m)
                                 : apex_track_find(track, at[0], at[1], at[2]);
    *out = (apex_telemetry){
        .tick = (uint32_t)apex_world_tick(world),
        .car = apex_car_wire_id(pose.id),
        .speed_mps = (float)speed_along(&pose),
        .rpm = (float)(pose.engine_radps * APEX_RPM_PER_RADPS),
        .gear = pose.gear,
        .throttle = (float)pose.throttle,
        .brake = (float)pose.brake,
        .steer_rad = (float)pose.steer_rad,
        .acceleration_x_mps2 = (float)work.acceleration_mps2[0],
        .acceleration_y_mps2 = (float)work.acceleration_mps2[1],
        .lap_m = (float)place.s_m,
        .offset_m = (float)place.offset_m,
        .fuel_kg = (float)state.fuel_kg,
        .wheel_count = pose.wheel_count,
    };
    for (uint32_t i = 0; i < pose.wheel_count && i < APEX_WIRE_WHEELS_MAX; i++) {
        out->wheels[i] = wheel_telemetry(&work.wheels[i], &state.wheels[i]);
    }
    return true;
}
