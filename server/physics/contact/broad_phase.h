/// The broad phase: pairs of cars, and of cars and walls, that may have a contact in a tick. They
/// are found once, at its beginning; the narrow phase of each substep tests these candidates only.
#pragma once

#include "physics/car/cars.h"
#include "physics/contact/walls.h"

typedef struct physics_broad_phase physics_broad_phase;

/// Lists are one behind the other: those of car i lie from starts[i] to starts[i + 1].
typedef struct physics_candidates {
    const uint32_t *involved; ///< slots, rising
    uint32_t count;
    const uint32_t *pair_starts;     ///< [count + 1] into pairs
    const uint32_t *pairs;           ///< of physics_pair, rising, each under its lower slot
    const uint32_t *obstacle_starts; ///< [count + 1] into obstacles
    const uint32_t *obstacles;       ///< walls by index, then posts from segment_count on, rising
} physics_candidates;

/// @param walls borrowed. @return NULL when memory is refused.
physics_broad_phase *physics_broad_phase_create(uint32_t car_capacity, const physics_walls *walls);
void physics_broad_phase_destroy(physics_broad_phase *broad); ///< NULL is fine
/// The most candidates that a find can yield.
uint32_t physics_broad_phase_pairs_max(const physics_broad_phase *broad);
uint32_t physics_broad_phase_obstacles_max(const physics_broad_phase *broad);

/// Finds the tick's candidates, from the cars as they stand between two ticks.
void physics_broad_phase_find(physics_broad_phase *broad, const physics_cars *cars, real tick_s);
/// The candidates of the last find; valid until the next.
physics_candidates physics_broad_phase_candidates(const physics_broad_phase *broad);
