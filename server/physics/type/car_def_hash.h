/// One number for a definition, by which two worlds know that they mean the same car.
#pragma once

#include <stdint.h>

#include "physics/car_def.h"

/// Of every number and choice the step reads; names and titles have no say.
uint64_t physics_car_def_hash(const apex_car_def *def);
