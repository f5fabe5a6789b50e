/// The world's own shape, and the stages of its step.
#pragma once

#include "physics/air/slipstream.h"
#include "physics/car/cars.h"
#include "physics/contact/collider.h"
#include "physics/physics.h"

typedef struct physics_level physics_level;

struct apex_world {
    apex_world_def def;
    const physics_level *level;
    uint32_t substeps;
    physics_cars cars;
    uint32_t *involved_blocks, *alone_blocks; ///< of this tick
    uint32_t involved_count, alone_count;
    physics_collider *collider;
    physics_slipstream *slipstream;
    uint64_t tick;
    uint64_t random_state;
};

/// @return false for null, stale and foreign handles.
bool physics_world_find(const apex_world *world, apex_car_id car, uint32_t *slot);

/// The step for one instruction set.
struct physics_level {
    const char *name;
    // Of blocks, see dynamics/.
    void (*forces)(physics_cars *cars, const uint32_t blocks[], uint32_t count, bool is_last);
    void (*move)(physics_cars *cars, const uint32_t blocks[], uint32_t count);
    // Of blocks with cars that may touch, see contact/car_hulls.h.
    void (*show)(const physics_cars *cars, physics_hulls *hulls, const uint32_t blocks[],
                 uint32_t count);
    void (*move_hulls)(physics_cars *cars, const physics_hulls *hulls, const uint32_t blocks[],
                       uint32_t count);
    physics_contact_stages contact;
    physics_wakes_felt_fn *wakes_felt;
    /// Of those cars of a block whose bit is set.
    void (*poses)(const physics_cars *cars, uint32_t index, uint32_t which,
                  apex_car_pose out[PHYSICS_LANES]);
};

/// The fastest that this processor has, unless the environment's APEX_LANES names another.
const physics_level *physics_level_best(void);
