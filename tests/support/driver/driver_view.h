// The view of a driver at the wheel of a car in a world, made from poses.

#pragma once

#include "driver/driver.h"

// Of his own car, with nobody near. He may go.
apex_driver_view driver_view_alone(const apex_car_pose *own, double dt_s);
// Of another car, however far away.
apex_driver_neighbour driver_view_neighbour(const apex_car_pose *own, const apex_car_pose *other);
