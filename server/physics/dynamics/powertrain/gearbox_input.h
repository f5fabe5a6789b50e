/// The speed at which the wheels would turn the engine.
#pragma once

#include "physics/dynamics/pass/stages.h"

/// Speed of the gearbox's input if the clutch were closed.
LANES_INLINE lanes gearbox_input(const physics_substep *step) {
    lanes spin = lanes_zero();
    for (uint32_t a = 0; a < step->drive->axle_count; a++) {
        const physics_axle_lanes *axle = &step->numbers->axles[a];
        const physics_wheel_lanes *pair = &step->block->wheels[2 * a];
        spin += axle->drive_share * axle->mean_share *
                (pair[0].spin_radps + axle->present[1] * pair[1].spin_radps);
    }
    return spin * step->drive->ratio;
}
