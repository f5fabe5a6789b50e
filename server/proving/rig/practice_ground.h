/// The ground that a car is tried on.
#pragma once

#include "proving/proving.h"

typedef enum proving_ground_kind {
    PROVING_GROUND_FLAT,
    PROVING_GROUND_UPHILL, ///< rises with x
    PROVING_GROUND_ACROSS, ///< rises with y
    PROVING_GROUND_RAMP,   ///< flat, a ramp along x from 0 to PROVING_RAMP_M, and flat again
} proving_ground_kind;

#define PROVING_RAMP_M 16.0

typedef struct proving_site {
    proving_ground_kind kind;
    double friction;
    double grade; ///< of slope or ramp, rise over run
} proving_site;

typedef struct proving_ground proving_ground;

/// @return NULL without memory.
proving_ground *proving_ground_create(const proving_site *site);
const apex_ground *proving_ground_of(const proving_ground *ground);
void proving_ground_destroy(proving_ground *ground);
/// Height of the edge of a ramp above the flat.
double proving_ramp_height_m(double grade);
