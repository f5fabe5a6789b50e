/// Motion of blocks through a substep.
#pragma once

#include "physics/car/cars.h"
#include "physics/lanes/isa.h"

/// Cars whose numbers have left the range that means anything.
void FOR_ISA(physics_block_find_bad)(const physics_block *block, const physics_drive *drive,
                                     lanes_mask *is_bad);
/// Moves a block by speeds that need not be its own; stops bad cars instead, and notes flights.
/// @param velocity world axes: velocity, then rotation
void FOR_ISA(physics_block_advance)(physics_cars *cars, uint32_t index, const lanes velocity[6]);
/// Moves blocks with their own velocities.
void FOR_ISA(physics_block_move)(physics_cars *cars, const uint32_t blocks[], uint32_t count);
