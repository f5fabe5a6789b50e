// Who comes up the pit lane behind a car.
#pragma once

#include "race/field/field.h"

// @param[out] behind_m to the nearest car behind that moves; not written where there is none
// @param[out] behind_mps its speed
void race_lane_behind(const race_field *field, uint32_t slot, double *behind_m, double *behind_mps);
