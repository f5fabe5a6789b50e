/// Contact manifolds of pairs of hulls: up to two points each, eight pairs side by side.
#pragma once

#include "physics/lanes/isa.h"
#include "physics/lanes/lanes.h"
#include "physics/solver/hulls.h"

/// Eight pairs. Lanes without one name the hull that does not move twice.
typedef struct physics_pairs {
    uint32_t a[PHYSICS_LANES], b[PHYSICS_LANES];
    lanes_mask is_other_half; ///< the other two corners of a hull that lies on another
} physics_pairs;

/// The manifolds of eight pairs: points that penetrate, or may before manifolds are found again.
typedef struct physics_manifold {
    lanes offset_m[3];       ///< from a's centre of mass to b's
    lanes normal[3];         ///< unit, from a towards b
    lanes anchor_m[2][3];    ///< of up to two points, from a's centre of mass
    lanes separation_m[2];   ///< below 0: penetration
    lanes_mask has_point[2]; ///< the second only with the first
    lanes friction, restitution;
    lanes lever_m; ///< the farthest that the load of sides may lie over or under the points
} physics_manifold;

/// Of the height that both have: sides are flat nearly to their edges.
#define PHYSICS_LEVER_SHARE R(0.4)

/// Separating axes: the boxes' four in the plan, and the vertical. Then the part of the facing edge
/// that lies over the reference face; or corner against corner; or four corners of what overlaps.
void FOR_ISA(physics_collide)(const physics_hulls *hulls, const physics_pairs *pairs,
                              physics_manifold *out);

/// Two slots as one number: pairs rise with the lower one.
static inline uint32_t physics_pair(uint32_t a, uint32_t b) {
    return a < b ? a << 16 | b : b << 16 | a;
}
static inline uint32_t physics_pair_lower(uint32_t pair) {
    return pair >> 16;
}
static inline uint32_t physics_pair_higher(uint32_t pair) {
    return pair & 0xffff;
}

#define PHYSICS_ON_TOP 0x80000000u

/// Those of the pairs (of physics_pair) that are within each other's reach: their indices, rising,
/// with PHYSICS_ON_TOP where one lies on the other.
/// @return how many of near[count] are filled.
uint32_t FOR_ISA(physics_find_near)(const physics_hulls *hulls, const uint32_t pairs[],
                                    uint32_t count, uint32_t near[]);
