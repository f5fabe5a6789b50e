/// Cars without forces: the kinematic models as pure functions, and what a block's cars do by them.
#pragma once

#include "physics/car/cars.h"

/// Middle of the rear axle and heading.
typedef struct physics_kinematic_pose {
    double x_m, y_m, yaw_rad;
} physics_kinematic_pose;

typedef struct physics_kinematic_move {
    double wheelbase_m, steer_rad;
    double distance_m; ///< of the rear axle, or of each axle (baseline form); negative is backwards
} physics_kinematic_move;

physics_kinematic_pose physics_kinematic_step(apex_kinematic_form form, physics_kinematic_pose at,
                                              const physics_kinematic_move *move);

/// Those of a block's cars that are bicycles without forces.
void physics_kinematic_forces(physics_cars *cars, uint32_t index);
/// Contacts changed its speed along its heading. Others have wheels of their own.
void physics_kinematic_hit(physics_cars *cars, uint32_t slot, real gain_mps);
