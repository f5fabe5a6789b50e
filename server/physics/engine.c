#include "physics/car_private.h"

static const real RPM_PER_RADPS = R(9.54929658551372015);

real physics_engine_curve_nm(const physics_engine *engine, real radps) {
    real rpm = radps * RPM_PER_RADPS;
    if (rpm <= engine->rpm[0]) {
        return engine->nm[0];
    }
    uint32_t last = engine->count - 1;
    if (rpm >= engine->rpm[last]) {
        return engine->nm[last];
    }
    uint32_t i = 0;
    while (rpm >= engine->rpm[i + 1]) {
        i++;
    }
    return engine->nm[i] + engine->nm_per_rpm[i] * (rpm - engine->rpm[i]);
}

// Full until just below the limiter, so that a car held against it hums instead of hammering.
static real fuel_share(const physics_engine *engine, real radps) {
    real band = R(0.01) * engine->limiter_radps;
    return real_clamp((engine->limiter_radps - radps) / band, R(0.0), R(1.0));
}

static real boosted(physics_car_step *step, real throttle) {
    const physics_engine *engine = &step->type->engine;
    if (engine->turbo_lag_s <= R(0.0)) {
        return R(1.0);
    }
    real *boost = &step->car->boost;
    real target =
        throttle * real_min(step->car->engine_radps / (R(0.5) * engine->limiter_radps), R(1.0));
    *boost += (target - *boost) * step->h_s / (engine->turbo_lag_s + step->h_s);
    return R(1.0) - engine->turbo_share * (R(1.0) - *boost);
}

real physics_engine_torque_nm(physics_car_step *step) {
    const physics_engine *engine = &step->type->engine;
    const physics_car *car = step->car;
    real radps = car->engine_radps;
    real drag = engine->brake_nms_per_rad * radps;
    if (car->engine_blown) {
        return -R(3.0) * drag - (radps > R(0.0) ? R(20.0) : R(0.0));
    }
    bool has_fuel = !step->world->def.fuel_burns || car->fuel_kg > R(0.0);
    if (!has_fuel) {
        return -drag;
    }
    real throttle = step->throttle * fuel_share(engine, radps);
    real full = physics_engine_curve_nm(engine, radps) * boosted(step, throttle);
    if (step->world->def.damage == APEX_DAMAGE_FULL) {
        full *= R(1.0) - R(0.5) * car->damage[APEX_ZONE_FRONT];
    }
    real torque = throttle * full - (R(1.0) - throttle) * drag;
    if (radps < engine->idle_radps) { // the idle governor, no stronger than the engine at idle
        real wanted = engine->inertia_kgm2 * (engine->idle_radps - radps) / (R(4.0) * step->h_s);
        torque = real_max(torque, real_min(wanted, real_max(engine->nm[0], R(10.0))));
    }
    return torque;
}

void physics_engine_after(physics_car_step *step, real torque_nm) {
    const physics_engine *engine = &step->type->engine;
    physics_car *car = step->car;
    car->engine_radps = real_max(car->engine_radps, R(0.0));
    if (engine->blow_radps > R(0.0) && car->engine_radps > engine->blow_radps &&
        !car->engine_blown) {
        car->engine_blown = true;
        physics_event_raise(step->world, step->slot, APEX_CAR_ENGINE_BLEW,
                            (double)(car->engine_radps * RPM_PER_RADPS));
    }
    if (!step->world->def.fuel_burns || car->engine_blown || car->fuel_kg <= R(0.0)) {
        return;
    }
    real power_w = real_max(torque_nm, R(0.0)) * car->engine_radps;
    car->fuel_kg -= step->h_s * (power_w * engine->fuel_kg_per_j + engine->fuel_idle_kg_per_s);
    if (car->fuel_kg <= R(0.0)) {
        car->fuel_kg = R(0.0);
        physics_event_raise(step->world, step->slot, APEX_CAR_OUT_OF_FUEL, 0.0);
    }
}
