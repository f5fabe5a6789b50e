/// A jam of boxes that slide in the plane: a world whose cars have no tyres, engine, air or weight,
/// only a steady pull towards the origin, so that its step is contacts and little else. Compiled
/// into each program, as `real` differs between the builds; a program that uses it also includes
/// support/physics/jam_scene.h, by which that is linked.
#pragma once

#include "support/physics/free_of_forces.h"
#include "support/physics/jam_scene.h"

#define JAM_BOXES_PULL_MPS2 R(3.0)

// Nothing else holds a box in the plane.
static inline void jam_boxes_forces(physics_cars *cars, const uint32_t blocks[], uint32_t count,
                                    bool is_last) {
    const real NEAR_M2 = R(0.01);
    (void)is_last;
    for (uint32_t i = 0; i < count; i++) {
        physics_block *block = &cars->blocks[blocks[i]];
        lanes x = lanes_narrow(block->position_m[0]), y = lanes_narrow(block->position_m[1]);
        lanes gain =
            (cars->conditions.h_s * JAM_BOXES_PULL_MPS2) / lanes_sqrt(x * x + y * y + NEAR_M2);
        block->velocity_mps[0] -= gain * x;
        block->velocity_mps[1] -= gain * y;
        block->velocity_mps[2] = lanes_zero();
        block->angular_radps[0] = block->angular_radps[1] = lanes_zero();
    }
}

/// Takes the forces of a world's cars away.
static inline void jam_boxes_take_forces(apex_world *world) {
    free_take_forces(world, jam_boxes_forces);
}
