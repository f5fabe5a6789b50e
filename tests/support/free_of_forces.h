// A world in which nothing but contacts changes a speed. Compiled into each program, as `real`
// differs between the builds.

#ifndef APEX_TESTS_FREE_OF_FORCES_H
#define APEX_TESTS_FREE_OF_FORCES_H

#include "physics/physics_private.h"

static inline void free_no_forces(apex_world *world, const uint32_t blocks[], uint32_t count,
                                  bool is_last) {
    (void)world;
    (void)blocks;
    (void)count;
    (void)is_last;
}

// No tyres, springs, air or weight; and no hull on the ground, if that lies far below. A body turns
// on as it turns: what unequal inertias do to a tumbling one is a force here, too.
static inline void free_of_forces(apex_world *world) {
    static physics_level level;
    level = *world->level;
    level.forces = free_no_forces;
    world->level = &level;
}

#endif
