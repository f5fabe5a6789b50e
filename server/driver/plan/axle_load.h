// The load on each axle, and the braking that it bears.
#pragma once

#include "driver/plan/plan_stations.h"

typedef struct driver_load {
    double pressed_mps2; // on the road, for each kilogram of the car
    double side_mps2;    // that the tyres give, to the left
    double engine_mps2;  // that the engine brakes
    double friction;
} driver_load;

// @return the axles' loads and the forces that the tyres must give while the car turns by
// `bend_mps2` to the left.
driver_load driver_axles_load(const driver_car *car, const driver_point *here, double speed_mps,
                              double bend_mps2);
// The hardest that the brakes can be used before an axle slides.
double driver_axles_brake_mps2(const driver_car *car, const driver_load *load);
