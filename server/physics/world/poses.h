/// Poses of eight cars, for those outside of physics.
#pragma once

#include "physics/car/cars.h"
#include "physics/lanes/isa.h"

/// Of those cars of a block whose bit is set.
void FOR_ISA(physics_block_poses)(const physics_cars *cars, uint32_t index, uint32_t which,
                                  apex_car_pose out[PHYSICS_LANES]);
