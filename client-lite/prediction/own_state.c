// States are converted and compared field by field.
#include "client-lite/prediction/own_state.h"

#include <string.h>

static void widen(const float from[], double to[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        to[i] = (double)from[i];
    }
}

static apex_wheel_state wheel_of(const apex_own_wheel *wheel) {
    return (apex_wheel_state){
        .spin_radps = (double)wheel->spin_radps,
        .deflection_long_m = (double)wheel->deflection_long_m,
        .deflection_lat_m = (double)wheel->deflection_lat_m,
        .travel_m = (double)wheel->travel_m,
        .travel_mps = (double)wheel->travel_mps,
        .temperature_c = (double)wheel->temperature_c,
        .brake_temperature_c = (double)wheel->brake_temperature_c,
        .wear = (double)wheel->wear,
    };
}

apex_car_state client_state_of(const apex_own_car *own) {
    apex_car_state out = {0};
    memcpy(out.position_m, own->position_m, sizeof out.position_m);
    memcpy(out.orientation, own->orientation, sizeof out.orientation);
    widen(own->velocity_mps, out.velocity_mps, 3);
    widen(own->angular_radps, out.angular_radps, 3);
    widen(own->acceleration_mps2, out.acceleration_mps2, 2);
    widen(own->damage, out.damage, APEX_ZONE_COUNT);
    for (uint32_t i = 0; i < own->wheel_count; i++) {
        out.wheels[i] = wheel_of(&own->wheels[i]);
    }
    out.steer_rad = (double)own->steer_rad;
    out.engine_radps = (double)own->engine_radps;
    out.boost = (double)own->boost;
    out.lean_rad = (double)own->lean_rad;
    out.lean_radps = (double)own->lean_radps;
    out.shift_left_s = (double)own->shift_left_s;
    out.fuel_kg = (double)own->fuel_kg;
    out.ballast_kg = (double)own->ballast_kg;
    out.slipstream = (double)own->slipstream;
    out.gear = own->gear;
    out.gear_before = own->gear_before;
    out.shift_up_seen = own->shift_up_seen;
    out.shift_down_seen = own->shift_down_seen;
    out.reset_seen = own->reset_seen;
    apex_car_condition is = apex_car_condition_of(own->flags);
    out.counters_known = is.counters_known;
    out.airborne = is.airborne;
    out.held = is.held;
    out.ghost = is.ghost;
    out.engine_blown = is.engine_blown;
    return out;
}

static bool are_same(const double a[], const double b[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

static bool are_wheels_same(const apex_wheel_state *a, const apex_wheel_state *b) {
    return a->spin_radps == b->spin_radps && a->deflection_long_m == b->deflection_long_m &&
           a->deflection_lat_m == b->deflection_lat_m && a->travel_m == b->travel_m &&
           a->travel_mps == b->travel_mps && a->temperature_c == b->temperature_c &&
           a->brake_temperature_c == b->brake_temperature_c && a->wear == b->wear;
}

static bool are_drives_same(const apex_car_state *a, const apex_car_state *b) {
    return a->steer_rad == b->steer_rad && a->engine_radps == b->engine_radps &&
           a->boost == b->boost && a->lean_rad == b->lean_rad && a->lean_radps == b->lean_radps &&
           a->shift_left_s == b->shift_left_s && a->fuel_kg == b->fuel_kg &&
           a->ballast_kg == b->ballast_kg && a->slipstream == b->slipstream && a->gear == b->gear &&
           a->gear_before == b->gear_before && a->shift_up_seen == b->shift_up_seen &&
           a->shift_down_seen == b->shift_down_seen && a->reset_seen == b->reset_seen &&
           a->counters_known == b->counters_known && a->airborne == b->airborne &&
           a->held == b->held && a->ghost == b->ghost && a->engine_blown == b->engine_blown;
}

bool client_states_are_same(const apex_car_state *a, const apex_car_state *b) {
    bool same = are_same(a->position_m, b->position_m, 3) &&
                are_same(a->orientation, b->orientation, 4) &&
                are_same(a->velocity_mps, b->velocity_mps, 3) &&
                are_same(a->angular_radps, b->angular_radps, 3) &&
                are_same(a->acceleration_mps2, b->acceleration_mps2, 2) &&
                are_same(a->damage, b->damage, APEX_ZONE_COUNT) && are_drives_same(a, b);
    for (uint32_t i = 0; same && i < APEX_WHEELS_MAX; i++) {
        same = are_wheels_same(&a->wheels[i], &b->wheels[i]);
    }
    return same;
}
