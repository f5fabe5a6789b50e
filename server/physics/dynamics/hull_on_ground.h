/// A car's hull, rims and lying wheels against the ground.
#pragma once

#include "physics/car/cars.h"

/// A wheel whose axis stands steeper than this against the ground rolls on nothing: it lies there,
/// as the hull does.
#define PHYSICS_UPRIGHT_MIN R(0.2)
/// Share of its radius by which a tyre gives way; then the rim meets the ground.
#define PHYSICS_TYRE_DEPTH R(0.35)

/// Keeps a hull's corners, rims and wheels that lie out of the ground. @return whether it bears any
/// of the car.
bool physics_hull_solve_ground(physics_cars *cars, uint32_t slot);
