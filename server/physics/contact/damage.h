/// The damage that contacts do.
#pragma once

#include "physics/car/cars.h"
#include "physics/solver/solver.h"

/// Damage to cars by the impulses of a substep, where conditions ask for it.
void physics_damage_apply(physics_cars *cars, const physics_solver *solver);
