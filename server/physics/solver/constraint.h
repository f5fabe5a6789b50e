/// Contact constraints of eight pairs side by side.
#pragma once

#include "physics/lanes/isa.h"
#include "physics/solver/impulse_cache.h"
#include "physics/solver/manifold.h"

/// Two rows of a constraint: the normal at each of two points, or two tangents; of sides the second
/// is no tangent but a twist about the level one, in Nms.
typedef struct physics_constraint_rows {
    lanes angular_a[2][3], angular_b[2][3]; ///< change of the rotation for a unit of impulse
    lanes inverse_mass[2]; ///< effective: change of the speed along the row for a unit of impulse
    lanes impulse_ns[2];   ///< accumulated
} physics_constraint_rows;

/// Eight pairs that share no car. Friction acts at the mean point.
typedef struct physics_constraints {
    physics_pairs pairs;
    uint32_t impulses[PHYSICS_LANES]; ///< index into the cache
    physics_manifold manifold;
    physics_constraint_rows normals, tangents;
    lanes coupling; ///< of the two normals: change of the speed at one for an impulse at the other
    lanes relative_mps[2]; ///< along the normal before solving; below 0: closing
} physics_constraints;

/// Updates anchors and separations once cars have moved with their biased velocities.
void FOR_ISA(physics_constraints_update_anchors)(const physics_hulls *hulls,
                                                 physics_constraints *constraints, real h_s);
/// Effective masses, from the manifold: at the beginning, and after anchors were updated.
void FOR_ISA(physics_constraints_prepare)(const physics_hulls *hulls,
                                          physics_constraints *constraints);
/// Applies the impulses of the substep before, of all pairs before any is solved: done pair by pair
/// together with solving, a heap of a thousand cars has penetrations of 17 cm instead of 1.5. Notes
/// the relative velocities, for restitution.
void FOR_ISA(physics_constraints_warm_start)(const physics_hulls *hulls,
                                             physics_constraints *constraints);
/// With bias: stops points that close, and pushes points that penetrate apart, as a stiff damped
/// spring would (Catto, "Soft Step", 2023). Cars move with the velocities this leaves.
void FOR_ISA(physics_constraints_solve)(const physics_hulls *hulls,
                                        physics_constraints *constraints, real h_s);
/// Without bias: takes it out of the velocities again, and applies restitution; of all pairs before
/// any friction, whose limit is a share of the final normal impulse.
void FOR_ISA(physics_constraints_relax)(const physics_hulls *hulls,
                                        physics_constraints *constraints);
/// Friction, and relaxes once more.
void FOR_ISA(physics_constraints_solve_friction)(const physics_hulls *hulls,
                                                 physics_constraints *constraints);
