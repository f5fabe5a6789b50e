/// Attitudes of one car: quaternions and axes.
#pragma once

#include "physics/car/cars.h"

/// Heading (any length) and unit up axis -> orientation.
void physics_car_orient(physics_car *car, const double heading[2], const double up[3]);
/// World axes from a quaternion (w x y z).
void physics_quaternion_axes(const double q[4], double x[3], double y[3], double z[3]);
