/// A driver's controls as a block's substeps want them.
#pragma once

#include "physics/car/cars.h"

/// Turns a tick's controls into levels, and counters into gear changes and events.
void physics_car_begin_tick(physics_cars *cars, uint32_t slot, const apex_controls *controls);
