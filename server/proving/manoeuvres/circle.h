/// Tests on a circle: the skidpad, and steering on a steady circle.
#pragma once

#include "proving/rig/rig.h"

typedef struct proving_circle {
    double ay_mps2; ///< mean over the best whole circle
    double speed_mps;
    double steer_rad; ///< mean over the same
    double slip_angle_rad, roll_rad;
    bool is_limit; ///< false if it was speed that ran out, not grip
} proving_circle;

/// Speed rises slowly until the car leaves the circle. @param radius_m left positive
proving_circle proving_skidpad_run(proving_rig *rig, double radius_m);

/// Straight lines through what was seen below a lateral acceleration, per m/s2.
typedef struct proving_gradient {
    double understeer_rad; ///< steering beyond what the curvature asks
    double slip_angle_rad, roll_rad;
    double ay_mps2_max; ///< reached
} proving_gradient;

/// ISO 4138, constant radius, speed raised slowly to a lateral acceleration.
proving_gradient proving_gradient_run(proving_rig *rig, double radius_m, double ay_mps2);
