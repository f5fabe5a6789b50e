// The air on a car. Drag acts against the whole velocity, not per axis (Monster: F = -C v |v|);
// lift by the speed along the car, on its first and its last axle.

#include "physics/dynamics/pass/stages.h"

// A wreck's flat front catches as much more air as a saloon's does beside a van's.
static const real FRONT_DRAG = R(0.3);
// Wings and splitter go, the floor stays: it makes about 40 % of what presses a racing car down.
static const real DOWNFORCE_LOST = R(0.6);
// A wing drags by an eighth of what it lifts, and what has come off does neither. No car loses more
// than a fifth of its drag that way, whatever its wings.
static const real WING_DRAG_PER_LIFT = R(0.125);
static const real DRAG_KEPT_MIN = R(0.8);

// Share of its downforce that an axle keeps: the front zone's damage takes it in front of the
// centre of mass, the rear's behind. Lift is no wing's work, and stays.
static lanes downforce_share(const physics_substep *step, const physics_axle_lanes *axle) {
    const lanes *damage = step->block->damage;
    lanes_mask is_front = lanes_more(axle->x_m, lanes_zero());
    lanes_mask is_pressed = lanes_less(axle->lift_m2, lanes_zero());
    lanes hurt = lanes_select(is_front, damage[APEX_ZONE_FRONT], damage[APEX_ZONE_REAR]);
    return R(1.0) - lanes_keep(is_pressed, DOWNFORCE_LOST * hurt);
}

static lanes damaged_drag_m2(const physics_substep *step) {
    const physics_numbers_lanes *numbers = step->numbers;
    lanes whole = numbers->drag_m2, left = whole;
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &numbers->axles[a];
        lanes lost = axle->lift_m2 * (downforce_share(step, axle) - R(1.0));
        left -= WING_DRAG_PER_LIFT * lost;
    }
    left = lanes_max(left, DRAG_KEPT_MIN * whole);
    return left * (R(1.0) + FRONT_DRAG * step->block->damage[APEX_ZONE_FRONT]);
}

void FOR_ISA(physics_aero)(physics_substep *step) {
    const physics_numbers_lanes *numbers = step->numbers;
    const lanes *velocity = step->velocity_mps;
    real half_density = R(0.5) * step->cars->conditions.air_kg_per_m3;
    lanes speed = lanes_sqrt(dot3(velocity, velocity));
    // Behind another car the air already moves along.
    lanes clean = R(1.0) - step->block->slipstream * numbers->slipstream_strength;
    bool can_be_damaged = step->cars->conditions.damage == APEX_DAMAGE_FULL;
    lanes drag_m2 = can_be_damaged ? damaged_drag_m2(step) : numbers->drag_m2;
    lanes drag = half_density * drag_m2 * clean * speed;
    for (uint32_t i = 0; i < 3; i++) {
        step->drag_n[i] = -drag * velocity[i];
    }
    lanes pressure = half_density * velocity[0] * velocity[0];
    step->lift_n = lanes_zero();
    step->pitch_nm = numbers->drag_height_m * step->drag_n[0];
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &numbers->axles[a];
        lanes lift_m2 = axle->lift_m2;
        if (can_be_damaged) {
            lift_m2 *= downforce_share(step, axle);
        }
        lanes lift = lift_m2 * pressure;
        step->lift_n += lift;
        step->pitch_nm -= axle->x_m * lift;
    }
    step->work->drag_n = drag * speed;
    step->work->downforce_n = -step->lift_n;
}
