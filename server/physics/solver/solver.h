/// The solver of a substep's contacts. Those of the tick's candidates that are near each other have
/// become batches of eight pairs that share no car; their manifolds are found, constraints warm
/// started, solved with bias and relaxed without it, and impulses stored.
#pragma once

#include "physics/solver/constraint_graph.h"

typedef struct physics_solver {
    physics_hulls hulls;
    physics_constraint_graph graph; ///< pairs of cars first; then those of a car and a wall or post
    uint32_t pair_batches;          ///< the number of batches of pairs of cars
    physics_impulse_cache cache;
} physics_solver;

/// Manifolds of pairs, warm start, and solving with bias. Batches of walls must have their
/// manifolds.
void FOR_ISA(physics_solver_solve)(physics_solver *solver, real h_s);
/// Relaxes after the motion, and stores impulses.
void FOR_ISA(physics_solver_relax)(physics_solver *solver, real h_s);
