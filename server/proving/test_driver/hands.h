/// The test driver's hands: the wheel, and driving along a path.
#pragma once

#include "proving/test_driver/driver_state.h"
#include "proving/test_driver/path.h"

proving_driver proving_driver_for(const apex_car_def *car);
/// Turns the wheel for a path of this curvature, left positive.
void proving_driver_turn(proving_driver *driver, proving_rig *rig, double curvature_per_m);
void proving_driver_follow(proving_driver *driver, proving_rig *rig, const proving_path *path);
/// Learns on a gentle circle how much wheel a bend takes at this speed, and how much throttle it
/// takes to hold it. Moves the car.
void proving_driver_learn(proving_driver *driver, proving_rig *rig, double speed_mps);
/// Follows the path at a speed for a while.
void proving_driver_cruise(proving_driver *driver, proving_rig *rig, const proving_path *path,
                           const double speed_and_time[2]);
