// Heat and wear of tyres and brakes, where the world asks for them.

#include "physics/car_private.h"

static const real AIR_C = R(25.0);
// A tyre or brake disc sheds this share of its heat above the air in a second, standing; more
// with speed.
static const real COOLING_PER_S = R(0.02);
static const real COOLING_PER_M = R(0.001);

static real cooling(real temperature_c, real speed_mps) {
    return (temperature_c - AIR_C) * (COOLING_PER_S + COOLING_PER_M * real_abs(speed_mps));
}

static void age_wheel(physics_car_step *step, uint32_t w, const physics_axle *axle) {
    const apex_world_def *def = &step->world->def;
    const physics_tyre *tyre = &axle->tyre;
    physics_wheel *wheel = &step->car->wheels[w];
    const physics_tyre_output *out = &step->tyre[w];
    real h = step->h_s;
    real slip_x = wheel->spin_radps * tyre->radius_m - step->wheel_x_mps[w];
    real sliding_w = real_abs(out->long_n * slip_x) + real_abs(out->lat_n * step->wheel_y_mps[w]);
    real speed = step->wheel_x_mps[w];
    if (def->temperatures) {
        // Half of the sliding work stays in the road.
        wheel->temperature_c += h * (R(0.5) * sliding_w / tyre->heat_capacity_j_per_k -
                                     cooling(wheel->temperature_c, speed));
        real brake_w = step->brake_nm[w] * real_abs(wheel->spin_radps);
        wheel->brake_temperature_c +=
            h * (brake_w / axle->brake_heat_j_per_k - cooling(wheel->brake_temperature_c, speed));
    }
    if (def->tyres_wear) {
        real worn = wheel->wear + h * sliding_w * R(1e-6) * tyre->wear_per_mj;
        wheel->wear = real_min(worn, R(1.0));
    }
}

void physics_tyres_age(physics_car_step *step) {
    const apex_world_def *def = &step->world->def;
    if (!def->temperatures && !def->tyres_wear) {
        return;
    }
    for (uint32_t w = 0; w < step->type->wheel_count; w++) {
        age_wheel(step, w, &step->type->axles[step->type->wheels[w].axle]);
    }
}

real physics_tyre_condition(const physics_car_step *step, uint32_t w) {
    const apex_world_def *def = &step->world->def;
    const physics_tyre *tyre = &step->type->axles[step->type->wheels[w].axle].tyre;
    const physics_wheel *wheel = &step->car->wheels[w];
    real grip = R(1.0);
    if (def->temperatures) { // 90 % one window away from the best
        real off = (wheel->temperature_c - tyre->temperature_best_c) / tyre->temperature_window_c;
        grip *= real_max(R(1.0) - R(0.1) * off * off, R(0.6));
    }
    if (def->tyres_wear) {
        grip *= R(1.0) - R(0.3) * wheel->wear;
    }
    return grip;
}

real physics_brake_condition(const physics_car_step *step, uint32_t w) {
    const real FADE_RANGE_C = R(400.0);
    if (!step->world->def.temperatures) {
        return R(1.0);
    }
    const physics_axle *axle = &step->type->axles[step->type->wheels[w].axle];
    real over = step->car->wheels[w].brake_temperature_c - axle->brake_fade_c;
    return real_clamp(R(1.0) - over / FADE_RANGE_C, R(0.2), R(1.0));
}
