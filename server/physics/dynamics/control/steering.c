// The steering: from the driver's wheel to the direction of each road wheel by lock, rate,
// Ackermann and toe.

#include "physics/dynamics/control/rider.h"

static lanes lock_rad(const physics_substep *step) {
    const physics_numbers_lanes *numbers = step->numbers;
    lanes speed = lanes_abs(step->velocity_mps[0]);
    lanes_mask fades = lanes_more(numbers->steer_fade_mps, lanes_zero());
    lanes lost = step->drive->steering_assist * speed /
                 (speed + lanes_max(numbers->steer_fade_mps, lanes_all(R(1e-3))));
    return numbers->steer_max_rad * (R(1.0) - lanes_keep(fades, lost));
}

// A wheel turned further by a small angle.
LANES_INLINE void turn_by(lanes angle, lanes *sine, lanes *cosine) {
    lanes turn_cos = R(1.0) - R(0.5) * angle * angle;
    lanes s = *sine * turn_cos + *cosine * angle;
    *cosine = *cosine * turn_cos - *sine * angle;
    *sine = s;
}

// A blow from the side shortens that side's track rod, which turns its wheel out, and knocks the
// rack over, so that the other wheel follows by half: the car pulls to the side that was hit, and
// its front wheels scrub. Two degrees are some ten times what alignment allows, and lead a wreck
// round a bend of 100 m: a strong arm still holds it. Equal blows on both sides only scrub.
static void bend(const physics_substep *step, const physics_axle_lanes *axle, lanes toe_in[2]) {
    const real BENT_RAD = R(0.035), FOLLOWS = R(0.5);
    const lanes *damage = step->block->damage;
    lanes_mask is_steered =
        lanes_more(lanes_abs(axle->steer_share), lanes_zero()) & lanes_true(axle->present[1]);
    lanes left = lanes_keep(is_steered, BENT_RAD * damage[APEX_ZONE_LEFT]);
    lanes right = lanes_keep(is_steered, BENT_RAD * damage[APEX_ZONE_RIGHT]);
    toe_in[0] -= left - FOLLOWS * right;
    toe_in[1] -= right - FOLLOWS * left;
}

// Inner wheels turn about the same point as the outer ones; toe-in turns the left wheel right.
static void steer_axle(const physics_substep *step, const physics_axle_lanes *axle, lanes angle,
                       physics_steer_cache *cache) {
    const lanes ONE = lanes_all(R(1.0));
    lanes tangent = lanes_sin(angle) / lanes_cos(angle);
    lanes toe = axle->suspension.toe_rad * axle->present[1];
    lanes toe_in[2] = {toe, toe};
    if (step->cars->conditions.damage == APEX_DAMAGE_FULL) {
        bend(step, axle, toe_in);
    }
    for (uint32_t side = 0; side < 2; side++) {
        lanes y = side == 0 ? axle->half_track_m : -axle->half_track_m;
        lanes t = tangent / (ONE - tangent * (y * axle->per_ackermann));
        cache->cosine[side] = ONE / lanes_sqrt(ONE + t * t);
        cache->sine[side] = t * cache->cosine[side];
        turn_by(side == 0 ? -toe_in[0] : toe_in[1], &cache->sine[side], &cache->cosine[side]);
    }
    cache->angle_rad = angle;
}

// Most often the wheel is held, or its angle has been reached since the tick began: then the axle
// still stands as it stood. Whatever changes the damage clears the cache
// (physics_steer_caches_clear).
static void steer_wheels(physics_substep *step, uint32_t a) {
    const physics_axle_lanes *axle = &step->numbers->axles[a];
    physics_steer_cache *cache = &step->work->steer_caches[a];
    lanes angle = step->block->steer_rad * axle->steer_share;
    if (lanes_any(~lanes_equal(angle, cache->angle_rad))) {
        steer_axle(step, axle, angle, cache);
    }
    for (uint32_t side = 0; side < 2; side++) {
        physics_wheel_pass *wheel = &step->wheels[2 * a + side];
        wheel->steer_cos = cache->cosine[side];
        wheel->steer_sin = cache->sine[side];
        if (step->drive->tyres[a].has_curves) {
            lanes travel = step->block->wheels[2 * a + side].travel_m;
            lanes toe = curve_at(&axle->suspension.toe, travel) * axle->present[1];
            turn_by(side == 0 ? -toe : toe, &wheel->steer_sin, &wheel->steer_cos);
        }
    }
}

void FOR_ISA(physics_steering)(physics_substep *step) {
    physics_block *block = step->block;
    lanes target = step->drive->steer * lock_rad(step);
    step->rider_nm = lanes_zero();
    if (step->drive->is_anyone_riding) {
        FOR_ISA(physics_rider)(step, &target);
    }
    lanes change = step->numbers->steer_rate_radps * step->h_s;
    block->steer_rad += lanes_clamp(target - block->steer_rad, -change, change);
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        steer_wheels(step, a);
    }
}
