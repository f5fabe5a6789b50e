/// The cars' validator: whether blocks of cars agree with the pool, and drives with their blocks.
#pragma once

#include "physics/car/cars.h"

/// @return what is wrong, as a sentence; NULL: nothing
const char *physics_cars_validate(const physics_cars *cars);
