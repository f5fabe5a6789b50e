/// Forces of a substep on blocks of eight cars.
#pragma once

#include "physics/car/cars.h"
#include "physics/lanes/isa.h"

/// Forces, and the velocities that they leave.
/// @param is_last of the tick: then telemetry is written, which nobody sees of other substeps.
void FOR_ISA(physics_block_forces)(physics_cars *cars, const uint32_t blocks[], uint32_t count,
                                   bool is_last);
