/// Contact constraints of eight pairs side by side.
#pragma once

#include "physics/lanes/isa.h"
#include "physics/solver/impulse_cache.h"
#include "physics/solver/manifold.h"

/// Two rows of a constraint: the normal at each of two points, or two tangents; of sides the second
/// is no tangent but a twist about the level one, in Nms.
typedef struct physics_constraint_rows {
    lanes angular_a[2][3], angular_b[2][3]; ///< what a unit of impulse does to the rotation
    lanes inverse_mass[2];                  ///< effective: what it does to the speed along the row
    lanes impulse_ns[2];                    ///< accumulated
} physics_constraint_rows;

/// Eight pairs that share no car. Friction acts at the mean point.
typedef struct physics_constraints {
    physics_pairs pairs;
    uint32_t impulses[PHYSICS_LANES]; ///< index into the cache
    physics_manifold manifold;
    physics_constraint_rows normals, tangents;
    lanes coupling;        ///< of the two normals: what an impulse at one does to the other's speed
    lanes relative_mps[2]; ///< along the normal before anything was solved; below 0: closing
} physics_constraints;

/// Updates anchors and separations once cars have moved with their biased velocities.
void FOR_ISA(physics_constraints_update_anchors)(const physics_hulls *hulls,
                                                 physics_constraints *constraints, real h_s);
/// Effective masses, from the manifold: at the beginning, and after anchors were updated.
void FOR_ISA(physics_constraints_prepare)(const physics_hulls *hulls,
                                          physics_constraints *constraints);
/// Applies the impulses of the substep before, all of them before anything is solved: pair by
/// pair, together with solving, a heap of a thousand cars sinks in by 17 cm instead of 1.5.
/// Notes the relative velocities, for restitution.
void FOR_ISA(physics_constraints_warm_start)(const physics_hulls *hulls,
                                             physics_constraints *constraints);
/// With bias: stops what closes, and pushes out what overlaps, as a stiff damped spring would
/// (Catto, "Soft Step", 2023). Cars move with the velocities this leaves.
void FOR_ISA(physics_constraints_solve)(const physics_hulls *hulls,
                                        physics_constraints *constraints, real h_s);
/// Without bias: takes it out of the velocities again, and applies restitution; all of them before
/// any friction, which is a share of the normal impulse in the end.
void FOR_ISA(physics_constraints_relax)(const physics_hulls *hulls,
                                        physics_constraints *constraints);
/// Friction, and relaxes once more.
void FOR_ISA(physics_constraints_solve_friction)(const physics_hulls *hulls,
                                                 physics_constraints *constraints);
