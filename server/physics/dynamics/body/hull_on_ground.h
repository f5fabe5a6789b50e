/// A car's hull, rims and lying wheels against the ground.
#pragma once

#include "physics/car/cars.h"

/// Keeps a hull's corners, rims and wheels that lie out of the ground. @return whether it bears any
/// of the car.
bool physics_hull_solve_ground(physics_cars *cars, uint32_t slot);
