/// The damage zone of a hull that a contact hits.
#pragma once

#include "physics/physics.h"
#include "physics/solver/manifold.h"

/// A contact on one of its two hulls.
typedef struct physics_hit {
    real anchor_m[3]; ///< from its centre of mass, world directions
    real down;        ///< 1: on its roof
} physics_hit;

/// @param side 0 for a, 1 for b.
static inline physics_hit physics_hit_on(const physics_manifold *manifold, uint32_t lane,
                                         uint32_t side) {
    uint32_t last = manifold->has_point[1][lane] ? 1 : 0;
    physics_hit hit;
    for (uint32_t i = 0; i < 3; i++) {
        hit.anchor_m[i] =
            R(0.5) * (manifold->anchor_m[0][i][lane] + manifold->anchor_m[last][i][lane]);
        hit.anchor_m[i] -= side == 0 ? R(0.0) : manifold->offset_m[i][lane];
    }
    hit.down = side == 0 ? manifold->normal[2][lane] : -manifold->normal[2][lane];
    return hit;
}

/// @return the zone of the hull that is hit.
apex_damage_zone physics_zone_of(const physics_hulls *hulls, uint32_t slot, const physics_hit *hit);
