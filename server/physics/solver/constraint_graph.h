/// Pairs in groups of eight that share no hull.
#pragma once

#include "physics/solver/constraint.h"

enum { PHYSICS_COLOURS = 64 };

/// Pairs in groups of eight that share no hull: each pair takes the lowest colour that neither of
/// its hulls has, and a colour's pairs fill groups in the order they came. Same order, same groups.
typedef struct physics_groups {
    physics_constraints *items; ///< the owner's, aligned as vectors are
    uint32_t count, capacity;
    uint64_t *colours;              ///< [hull] those that are taken
    uint32_t open[PHYSICS_COLOURS]; ///< a colour's last group
    uint32_t room[PHYSICS_COLOURS]; ///< lanes left in it
    uint32_t hull_count;       ///< hulls from this one on do not move and belong to all colours
    uint32_t nobodys_impulses; ///< of lanes without a pair
} physics_groups;

typedef struct physics_lane {
    uint32_t group, lane;
} physics_lane;

void physics_groups_clear(physics_groups *groups);
/// What is added from now on shares no group with what is there.
void physics_groups_part(physics_groups *groups);
/// @return false when there is no room. A pair whose hulls have all colours gets a group alone.
bool physics_groups_add(physics_groups *groups, uint32_t a, uint32_t b, physics_lane *out);
