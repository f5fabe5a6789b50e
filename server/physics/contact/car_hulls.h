/// Cars as hulls, before and after contacts.
#pragma once

#include "physics/car/cars.h"
#include "physics/lanes/isa.h"
#include "physics/solver/hulls.h"
#include "physics/type/type.h"

/// Sets the parts of a hull that follow from its type alone.
static inline void physics_hulls_set_type(physics_hulls *hulls, uint32_t slot,
                                          const physics_hull *as) {
    physics_hull_surface *surface = &hulls->surfaces[slot];
    surface->friction = as->friction;
    surface->restitution = as->restitution;
    hulls->shapes[slot] = (physics_shape){
        .half_m = {as->half_length_m, as->half_width_m, as->half_height_m},
        .centre_m = {as->x_m, as->y_m, as->z_m},
        .radius_m = as->radius_m,
        .rounding_m = as->rounding_m,
    };
}

/// Updates the hulls of these blocks from their cars.
void FOR_ISA(physics_hulls_update)(const physics_cars *cars, physics_hulls *hulls,
                                   const uint32_t blocks[], uint32_t count);
/// Moves cars with their biased velocities, and gives them the velocities that contacts have left.
void FOR_ISA(physics_hulls_move)(physics_cars *cars, const physics_hulls *hulls,
                                 const uint32_t blocks[], uint32_t count);
