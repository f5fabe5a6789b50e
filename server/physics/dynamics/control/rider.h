/// A motorcycle's rider.
#pragma once

#include "physics/dynamics/pass/stages.h"

/// A motorcycle's rider: turns the wanted steering angle into the one that makes it lean so, and
/// holds it up where it is too slow to balance.
void FOR_ISA(physics_rider)(physics_substep *step, lanes *steer_rad);
/// The throttle and brakes that a motorcycle can take without rising on one wheel or sliding in a
/// bend.
typedef struct physics_balance {
    lanes throttle, front_brake, rear_brake; ///< factors 0..1; 1 for what has two tracks
    lanes throttle_least; ///< that keeps engine braking from dragging the rear wheel along
} physics_balance;

void FOR_ISA(physics_rider_balance)(const physics_substep *step, physics_balance *out);
