/// The step compiled for each instruction set.
#pragma once

#include "physics/air/slipstream.h"
#include "physics/car/cars.h"
#include "physics/contact/collider.h"

/// The step for one instruction set.
typedef struct physics_isa {
    const char *name;
    // Of blocks, see dynamics/.
    void (*forces)(physics_cars *cars, const uint32_t blocks[], uint32_t count, bool is_last);
    void (*move)(physics_cars *cars, const uint32_t blocks[], uint32_t count);
    // For blocks with cars that may have contacts, see contact/car_hulls.h.
    void (*show)(const physics_cars *cars, physics_hulls *hulls, const uint32_t blocks[],
                 uint32_t count);
    void (*move_hulls)(physics_cars *cars, const physics_hulls *hulls, const uint32_t blocks[],
                       uint32_t count);
    physics_contact_stages contact;
    physics_wakes_felt_fn *wakes_felt;
    /// Of those cars of a block whose bit is set.
    void (*poses)(const physics_cars *cars, uint32_t index, uint32_t which,
                  apex_car_pose out[PHYSICS_LANES]);
} physics_isa;

/// The fastest that this processor has, unless the environment's APEX_LANES names another.
const physics_isa *physics_isa_best(void);
