/// Incidents, which are rare within a substep.
#pragma once

#include "physics/car/cars.h"

/// A car's wheels have left the ground, or found it again.
void physics_flight_change(physics_cars *cars, uint32_t slot);
/// Nothing may spread from a car whose numbers have left the range: it stands where it last was.
void physics_stop_bad_car(physics_cars *cars, uint32_t slot);
