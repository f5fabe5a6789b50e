/// Contacts of a car's hull, rims and lying wheels with the ground.
#pragma once

#include "physics/car/cars.h"

/// Keeps a hull's corners, rims and wheels that lie out of the ground. @return whether any point
/// had an impulse.
bool physics_hull_solve_ground(physics_cars *cars, uint32_t slot);
