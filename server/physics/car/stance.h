/// A car's stance before anything moves it.
#pragma once

#include "physics/car/cars.h"

/// Puts a car on the ground at rest or rolling, with idling engine; resets what moves, keeps
/// damage, fuel and wear.
void physics_car_place(const physics_cars *cars, physics_car *car, const apex_placement *at);

/// The plane under a car's wheels.
typedef struct physics_stance {
    real rise_m; ///< of the plane under the centre of mass, above where its wheels stand level
    real forward[3], left[3], normal[3];
} physics_stance;

physics_stance physics_stance_of(const physics_cars *cars, const physics_car *car);
