// Drag acts against the whole velocity, not per axis (Monster: F = -C v |v|); lift by the speed
// along the car, on its first and its last axle.

#include "physics/substep_private.h"

void LEVEL(physics_aero)(physics_substep *step) {
    const physics_numbers_lanes *numbers = step->numbers;
    const lanes *velocity = step->velocity_mps;
    real half_density = R(0.5) * step->world->air_kg_per_m3;
    lanes speed = lanes_sqrt(dot3(velocity, velocity));
    // Behind another car the air already moves along.
    lanes clean = R(1.0) - step->block->slipstream * numbers->slipstream_strength;
    lanes drag = half_density * numbers->drag_m2 * clean * speed;
    for (uint32_t i = 0; i < 3; i++) {
        step->drag_n[i] = -drag * velocity[i];
    }
    lanes pressure = half_density * velocity[0] * velocity[0];
    step->lift_n = lanes_zero();
    step->pitch_nm = numbers->drag_height_m * step->drag_n[0];
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &numbers->axles[a];
        lanes lift = axle->lift_m2 * pressure;
        step->lift_n += lift;
        step->pitch_nm -= axle->x_m * lift;
    }
    step->work->drag_n = drag * speed;
    step->work->downforce_n = -step->lift_n;
}
