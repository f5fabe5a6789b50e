/// The test driver's feet: pedals, clutch and gears.
#pragma once

#include "proving/test_driver/driver_state.h"

/// Works throttle and brake.
void proving_driver_hold_speed(proving_driver *driver, proving_rig *rig, double speed_mps);
/// As much as does not spin the wheels away, nor lift the front one off the ground.
void proving_driver_accelerate(proving_driver *driver, proving_rig *rig);
/// The whole pedal where the car has anti-lock brakes; else as much as its tyres take.
void proving_driver_brake(proving_driver *driver, proving_rig *rig);
void proving_driver_coast(proving_driver *driver, proving_rig *rig);
/// Gear and clutch; each of the four above has called it.
void proving_driver_shift(proving_driver *driver, proving_rig *rig);
/// From now on the highest gear in which the engine pulls without effort at this speed, and no
/// other.
void proving_driver_choose_gear(proving_driver *driver, const proving_rig *rig, double speed_mps);
