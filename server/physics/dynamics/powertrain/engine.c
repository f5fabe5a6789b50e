// The engine: curve, throttle, idle governor, limiter, turbo, drag; fuel and over-revving.

#include "physics/dynamics/powertrain/engine.h"

static void change_pieces(const physics_drive *drive, lanes radps, lanes_mask is_off,
                          physics_torque_cache *cache) {
    for (uint32_t bits = lanes_which(is_off); bits != 0; bits &= bits - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(bits);
        physics_torque_piece piece =
            physics_torque_piece_at(&drive->types[lane]->torque, radps[lane]);
        lanes_set(&cache->from_radps, lane, piece.from_radps);
        lanes_set(&cache->to_radps, lane, piece.to_radps);
        lanes_set(&cache->nm, lane, piece.nm);
        lanes_set(&cache->nm_per_radps, lane, piece.nm_per_radps);
    }
}

static lanes full_torque(physics_substep *step, lanes radps) {
    physics_torque_cache *cache = &step->work->torque;
    lanes_mask is_off = lanes_less(radps, cache->from_radps) | ~lanes_less(radps, cache->to_radps);
    if (lanes_any(is_off)) {
        change_pieces(step->drive, radps, is_off, cache);
    }
    return cache->nm + cache->nm_per_radps * (radps - cache->from_radps);
}

// Full until just below the limiter, so that a car held against it hums instead of hammering.
LANES_INLINE lanes fuel_share(const physics_engine_lanes *engine, lanes radps) {
    lanes band = R(0.01) * engine->limiter_radps;
    return lanes_share((engine->limiter_radps - radps) / band);
}

LANES_INLINE lanes boosted(physics_substep *step, lanes throttle) {
    const physics_engine_lanes *engine = &step->numbers->engine;
    lanes_mask has_turbo = lanes_more(engine->turbo_lag_s, lanes_zero());
    if (!lanes_any(has_turbo)) {
        return lanes_all(R(1.0));
    }
    lanes *boost = &step->block->boost;
    lanes spooled = step->block->engine_radps / (R(0.5) * engine->limiter_radps);
    lanes target = throttle * lanes_min(spooled, lanes_all(R(1.0)));
    *boost +=
        lanes_keep(has_turbo, (target - *boost) * step->h_s / (engine->turbo_lag_s + step->h_s));
    return R(1.0) - lanes_keep(has_turbo, engine->turbo_share * (R(1.0) - *boost));
}

// The radiator stands behind the bumper: what breaks only that costs no power. Of a wreck's engine
// half is left, so that it still crawls to its pit.
LANES_INLINE lanes radiator_share(lanes front) {
    return R(1.0) - R(0.5) * lanes_smoothstep(front, lanes_all(R(0.4)), lanes_all(R(1.0)));
}

void FOR_ISA(physics_engine_torque)(physics_substep *step, lanes *torque_nm) {
    const physics_engine_lanes *engine = &step->numbers->engine;
    const physics_block *block = step->block;
    const physics_drive *drive = step->drive;
    lanes radps = block->engine_radps;
    lanes drag = engine->brake_nms * radps;
    lanes throttle = step->throttle * fuel_share(engine, radps);
    lanes full = full_torque(step, radps) * boosted(step, throttle);
    if (step->cars->conditions.damage == APEX_DAMAGE_FULL) {
        full *= radiator_share(block->damage[APEX_ZONE_FRONT]);
    }
    lanes torque = throttle * full - (R(1.0) - throttle) * drag;
    // The idle governor, no stronger than the engine at idle.
    lanes short_of = engine->idle_radps - radps;
    lanes governed =
        lanes_min(engine->inertia_kgm2 * short_of * (R(0.25) / step->h_s), engine->idle_nm);
    lanes_mask is_slow = lanes_more(short_of, lanes_zero());
    torque = lanes_select(is_slow, lanes_max(torque, governed), torque);
    if (step->cars->conditions.fuel_burns) {
        torque = lanes_select(lanes_more(block->fuel_kg, lanes_zero()), torque, -drag);
    }
    lanes seized = R(-3.0) * drag - lanes_keep(lanes_more(radps, lanes_zero()), lanes_all(R(20.0)));
    *torque_nm = lanes_select(drive->is_blown, seized, torque);
}

static void blow_up(physics_substep *step, lanes_mask is_over) {
    const real RPM_PER_RADPS = R(9.54929658551372015);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        if (is_over[lane]) {
            step->block->engine_blown[lane] = true;
            physics_event_raise(&step->cars->events, step->block_index * PHYSICS_LANES + lane,
                                APEX_CAR_ENGINE_BLEW,
                                (double)(step->block->engine_radps[lane] * RPM_PER_RADPS));
        }
    }
    step->drive->is_blown |= is_over;
}

static void burn(physics_substep *step, lanes torque_nm) {
    const physics_engine_lanes *engine = &step->numbers->engine;
    physics_block *block = step->block;
    lanes_mask burns = lanes_more(block->fuel_kg, lanes_zero()) & ~step->drive->is_blown &
                       step->drive->is_live & ~lanes_true(step->numbers->is_kinematic);
    lanes power_w = lanes_max(torque_nm, lanes_zero()) * block->engine_radps;
    lanes used = step->h_s * (power_w * engine->fuel_kg_per_j + engine->fuel_idle_kg_per_s);
    block->fuel_kg = lanes_max(block->fuel_kg - lanes_keep(burns, used), lanes_zero());
    lanes_mask is_dry = burns & ~lanes_more(block->fuel_kg, lanes_zero());
    if (!lanes_any(is_dry)) {
        return;
    }
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        if (is_dry[lane]) {
            physics_event_raise(&step->cars->events, step->block_index * PHYSICS_LANES + lane,
                                APEX_CAR_OUT_OF_FUEL, 0.0);
        }
    }
}

void FOR_ISA(physics_engine_after)(physics_substep *step, const lanes *torque_nm) {
    const physics_engine_lanes *engine = &step->numbers->engine;
    physics_block *block = step->block;
    block->engine_radps = lanes_max(block->engine_radps, lanes_zero());
    lanes_mask is_over = lanes_more(engine->blow_radps, lanes_zero()) &
                         lanes_more(block->engine_radps, engine->blow_radps) &
                         ~step->drive->is_blown & step->drive->is_live &
                         ~lanes_true(step->numbers->is_kinematic);
    if (lanes_any(is_over)) {
        blow_up(step, is_over);
    }
    if (step->cars->conditions.fuel_burns) {
        burn(step, *torque_nm);
    }
}
