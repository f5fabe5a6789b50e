/// The solver of a substep's contacts: of the tick's candidates those near each other have become
/// groups of eight pairs that share no car; they meet, recall what held before, push, and relax;
/// and what held is remembered.
#pragma once

#include "physics/solver/groups.h"

typedef struct physics_solver {
    physics_hulls hulls;
    physics_groups groups; ///< of pairs of cars first; then of cars and what does not move
    uint32_t pair_groups;  ///< how many of them are pairs of cars
    physics_memories memories;
} physics_solver;

/// Pairs meet, recall and push. Wall groups must have met already.
void FOR_ISA(physics_solver_push)(physics_solver *solver, real h_s);
/// Follows the ways, relaxes and remembers.
void FOR_ISA(physics_solver_relax)(physics_solver *solver, real h_s);
