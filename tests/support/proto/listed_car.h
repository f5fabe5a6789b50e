// A car as a list tells of it: what the class lacks is 0.

#ifndef APEX_TESTS_LISTED_CAR_H
#define APEX_TESTS_LISTED_CAR_H

#include "proto/delta/delta_values.h"

static inline apex_delta_car listed_car(const apex_delta_car *far_car) {
    apex_delta_car car = {.id = far_car->id};
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        car.q[f] = delta_has(APEX_DELTA_LISTED, f) ? far_car->q[f] : 0;
    }
    return car;
}

#endif
