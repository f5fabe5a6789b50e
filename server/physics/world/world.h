/// The world's own shape: its cars, their contacts and their wakes.
#pragma once

#include "physics/air/slipstream.h"
#include "physics/car/cars.h"
#include "physics/contact/collider.h"
#include "physics/physics.h"
#include "physics/world/isa_table.h"

struct apex_world {
    apex_world_def def;
    const physics_isa *isa;
    uint32_t substeps;
    physics_cars cars;
    uint32_t *involved_blocks, *alone_blocks; ///< of this tick
    uint32_t involved_count, alone_count;
    physics_collider *collider;
    physics_slipstream *slipstream;
    uint64_t tick;
};

/// @return false for null, stale and foreign handles.
bool physics_world_find(const apex_world *world, apex_car_id car, uint32_t *slot);
