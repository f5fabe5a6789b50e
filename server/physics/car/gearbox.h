/// Gears of one car.
#pragma once

#include "physics/car/cars.h"

/// Asks for a gear; refused when it would reverse at speed or the box does not have it.
void physics_gearbox_request(physics_cars *cars, uint32_t slot, int32_t gear);
/// Does what is wanted of the box now.
void physics_gearbox_attend(physics_cars *cars, uint32_t slot);
/// Speed of the gearbox's input if the clutch were closed, in the gear given.
real physics_gearbox_input_radps(const physics_car *car, const physics_type *type, int32_t gear);
