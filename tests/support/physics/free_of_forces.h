/// A world in which nothing but contacts changes a speed, or what a test puts in place of its
/// forces. Compiled into each program, as `real` differs between the builds.
#pragma once

#include "physics/world/world.h"

typedef void free_forces(physics_cars *cars, const uint32_t blocks[], uint32_t count, bool is_last);

static inline void free_no_forces(physics_cars *cars, const uint32_t blocks[], uint32_t count,
                                  bool is_last) {
    (void)cars;
    (void)blocks;
    (void)count;
    (void)is_last;
}

/// Instead of the world's. Only for the one world at a time that runs.
static inline void free_take_forces(apex_world *world, free_forces *instead) {
    static physics_isa isa;
    isa = *world->isa;
    isa.forces = instead;
    world->isa = &isa;
}

/// No tyres, springs, air or weight; and no hull on the ground, if that lies far below. A body
/// turns on as it turns: what unequal inertias do to a tumbling one is a force here, too.
static inline void free_of_forces(apex_world *world) {
    free_take_forces(world, free_no_forces);
}
