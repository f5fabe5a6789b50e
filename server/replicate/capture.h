// A pose's flags and its damage by zones, which either encoding tells.
#pragma once

#include "replicate/replicate.h"

/// As in Car.
uint8_t pose_flags(const apex_car_pose *pose);
uint32_t pose_zones(const apex_car_pose *pose);
