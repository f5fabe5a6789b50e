/// The kinematic models as pure functions.
#pragma once

#include "physics/car_def.h"

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
