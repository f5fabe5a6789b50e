/// The broad phase: pairs of cars, and of cars and walls, that may touch in a tick. They are found
/// once at its beginning. A substep then looks
/// at candidates only, and a car that is none is shown to nobody in any of them.
#pragma once

#include "physics/car/cars.h"
#include "physics/contact/walls.h"

typedef struct physics_broad physics_broad;

/// Lists are one behind the other: those of car i lie from starts[i] to starts[i + 1].
typedef struct physics_candidates {
    const uint32_t *involved; ///< slots, rising
    uint32_t count;
    const uint32_t *pair_starts; ///< [count + 1] into pairs
    const uint32_t *pairs;       ///< of physics_pair, rising, each under its lower slot
    const uint32_t *near_starts; ///< [count + 1] into near
    const uint32_t *near;        ///< walls by index, then posts from segment_count on, rising
} physics_candidates;

/// @param walls borrowed. @return NULL when memory is refused.
physics_broad *physics_broad_create(uint32_t car_capacity, const physics_walls *walls);
void physics_broad_destroy(physics_broad *broad); ///< NULL is fine
/// The most that a find can find.
uint32_t physics_broad_pairs_max(const physics_broad *broad);
uint32_t physics_broad_near_max(const physics_broad *broad);

/// Reads the cars as they stand between two ticks.
void physics_broad_find(physics_broad *broad, const physics_cars *cars, real tick_s);
/// What the last find found; valid until the next.
physics_candidates physics_broad_candidates(const physics_broad *broad);
