// A viewer's own car, exactly: what physics hands out of it, as the wire has it.
#include "replicate/replicate.h"

#include <string.h>

_Static_assert((int)APEX_WIRE_WHEELS_MAX == (int)APEX_WHEELS_MAX, "all wheels fit");
_Static_assert((int)APEX_WIRE_HOTTEST_C == (int)APEX_HOTTEST_C, "every temperature travels");
_Static_assert((int)APEX_WIRE_ZONES == (int)APEX_ZONE_COUNT, "all zones fit");

// Physics keeps these as floats; the state that it hands out has them as doubles, exactly.
static void narrow(const double from[], float to[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] = (float)from[i];
    }
}

static apex_own_wheel own_wheel(const apex_wheel_state *wheel) {
    return (apex_own_wheel){
        .spin_radps = (float)wheel->spin_radps,
        .deflection_long_m = (float)wheel->deflection_long_m,
        .deflection_lat_m = (float)wheel->deflection_lat_m,
        .travel_m = (float)wheel->travel_m,
        .travel_mps = (float)wheel->travel_mps,
        .temperature_c = (float)wheel->temperature_c,
        .brake_temperature_c = (float)wheel->brake_temperature_c,
        .wear = (float)wheel->wear,
    };
}

static uint8_t own_flags(const apex_car_state *state) {
    return apex_car_flags((apex_car_condition){.airborne = state->airborne,
                                               .held = state->held,
                                               .ghost = state->ghost,
                                               .engine_blown = state->engine_blown,
                                               .counters_known = state->counters_known});
}

static void take_state(const apex_car_state *state, uint32_t wheel_count, apex_own_car *out) {
    *out = (apex_own_car){
        .wheel_count = wheel_count,
        .steer_rad = (float)state->steer_rad,
        .engine_radps = (float)state->engine_radps,
        .fuel_kg = (float)state->fuel_kg,
        .ballast_kg = (float)state->ballast_kg,
        .boost = (float)state->boost,
        .slipstream = (float)state->slipstream,
        .shift_left_s = (float)state->shift_left_s,
        .lean_rad = (float)state->lean_rad,
        .lean_radps = (float)state->lean_radps,
        .gear = state->gear,
        .gear_before = state->gear_before,
        .shift_up_seen = state->shift_up_seen,
        .shift_down_seen = state->shift_down_seen,
        .reset_seen = state->reset_seen,
        .flags = own_flags(state),
    };
    memcpy(out->position_m, state->position_m, sizeof out->position_m);
    memcpy(out->orientation, state->orientation, sizeof out->orientation);
    narrow(state->velocity_mps, out->velocity_mps, 3);
    narrow(state->angular_radps, out->angular_radps, 3);
    narrow(state->acceleration_mps2, out->acceleration_mps2, 2);
    narrow(state->damage, out->damage, APEX_ZONE_COUNT);
    for (uint32_t i = 0; i < wheel_count; i++) {
        out->wheels[i] = own_wheel(&state->wheels[i]);
    }
}

bool apex_replicate_own_car(const apex_world *world, const apex_viewer *viewer, apex_own_car *out) {
    apex_car_id id = apex_car_of_wire_id(viewer->own_car);
    apex_car_pose pose;
    apex_car_state state;
    if (!viewer->wants_own_car || !apex_world_pose(world, id, &pose) ||
        !apex_world_get_car(world, id, &state)) {
        return false;
    }
    take_state(&state, pose.wheel_count, out);
    return apex_own_car_ok(out);
}
