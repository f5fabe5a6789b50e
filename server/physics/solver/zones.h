/// Which side of a hull a contact presses.
#pragma once

#include "physics/physics.h"
#include "physics/solver/manifold.h"

/// What a contact does to one of its two hulls.
typedef struct physics_pressing {
    real anchor_m[3]; ///< where: from its centre of mass, world directions
    real down;        ///< 1: on its roof
} physics_pressing;

/// @param side 0 for a, 1 for b.
static inline physics_pressing physics_pressing_on(const physics_manifold *manifold, uint32_t lane,
                                                   uint32_t side) {
    uint32_t last = manifold->has_point[1][lane] ? 1 : 0;
    physics_pressing by;
    for (uint32_t i = 0; i < 3; i++) {
        by.anchor_m[i] =
            R(0.5) * (manifold->anchor_m[0][i][lane] + manifold->anchor_m[last][i][lane]);
        by.anchor_m[i] -= side == 0 ? R(0.0) : manifold->offset_m[i][lane];
    }
    by.down = side == 0 ? manifold->normal[2][lane] : -manifold->normal[2][lane];
    return by;
}

/// Which of its zones is pressed.
apex_damage_zone physics_zone_of(const physics_hulls *hulls, uint32_t slot,
                                 const physics_pressing *by);
