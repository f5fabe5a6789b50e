/// Contacts as the finders write them and the solver reads them.
#pragma once

#include "physics/physics_private.h"

#define PHYSICS_NOBODY UINT32_MAX

typedef struct physics_contact_point {
    real arm_a_x, arm_a_y; ///< from a's centre of mass to the point
    real arm_b_x, arm_b_y;
    real separation_m; ///< negative when sunk in, positive when only near
    real normal_mass_kg, tangent_mass_kg;
    real normal_ns, tangent_ns; ///< impulses, summed over the substep's sweeps
    real approach_mps;          ///< before the solver; negative when closing
} physics_contact_point;

typedef struct physics_manifold {
    uint32_t a, b;        ///< bodies; b is PHYSICS_NOBODY for what does not move
    uint32_t other_index; ///< wall segment or post
    apex_contact_kind kind;
    real normal_x, normal_y; ///< from a towards b
    real friction, restitution;
    uint32_t point_count;
    physics_contact_point points[2];
} physics_manifold;

/// Room for manifolds, filled in the order of keys.
typedef struct physics_manifold_list {
    physics_manifold *items;
    uint32_t count, capacity;
    uint64_t dropped; ///< for want of room
} physics_manifold_list;

/// A zeroed manifold at the list's end, or NULL when it is full.
physics_manifold *physics_manifold_add(physics_manifold_list *list);

/// Order of contacts, in the solver and among events: by car, kind, other.
uint64_t physics_manifold_key(const physics_manifold *manifold);

/// Sets how far apart things may be and still meet it within a substep, if they are at rest.
void physics_body_set_reach(physics_body *body, real h_s);
/// Centre of the body's box, in world axes from its centre of mass.
void physics_body_hull_offset(const physics_body *body, real offset[2]);

/// Separating axes, then clipping of the nearer edges. Adds up to one manifold of two points.
void physics_boxes_collide(const physics_body bodies[], uint32_t a, uint32_t b,
                           physics_manifold_list *list);

/// Sequential impulses: sweeps over all points in order, then restitution, then push-out.
void physics_contacts_solve(physics_body bodies[], physics_manifold_list *list, real h_s);

/// Where a body's hull lies towards a point, given in world axes from its centre of mass.
apex_damage_zone physics_zone_of(const physics_body *body, real arm_x, real arm_y);

/// Damage to both cars by the impulses of a substep, where the world asks for it.
void physics_damage_apply(apex_world *world, const physics_manifold *manifold);

// --- Walls ------------------------------------------------------------------------------------

typedef struct physics_walls physics_walls;

/// Indexes segments and posts in a grid. @return NULL when memory is refused.
physics_walls *physics_walls_create(const apex_walls *from);
void physics_walls_destroy(physics_walls *walls);
bool physics_walls_are_none(const physics_walls *walls);

typedef struct physics_circle {
    double x_m, y_m, radius_m;
} physics_circle;

/// Segments by index, then posts from segment_count on, rising. All that a body may meet, or the
/// one item PHYSICS_NEAR_MANY: too many for a list, look for them.
typedef struct physics_near {
    const uint32_t *items;
    uint32_t count;
} physics_near;

#define PHYSICS_NEAR_MANY UINT32_MAX

/// What the circle's square touches, rising, each once; of more than `max` the lowest.
/// @return how many of found[max] are filled.
uint32_t physics_walls_find(const physics_walls *walls, const physics_circle *circle,
                            uint32_t found[], uint32_t max);
/// The same among candidates.
uint32_t physics_walls_pick(const physics_walls *walls, const physics_circle *circle,
                            const physics_near *candidates, uint32_t found[], uint32_t max);
/// Adds what a body meets of walls and posts, segments first, each by index.
void physics_walls_collide(const physics_walls *walls, const physics_body bodies[], uint32_t slot,
                           physics_manifold_list *list);
/// The same of candidates only.
void physics_walls_collide_near(const physics_walls *walls, const physics_body bodies[],
                                uint32_t slot, const physics_near *candidates,
                                physics_manifold_list *list);
/// The last guard: no box's centre ends a substep behind a wall it began in front of.
void physics_walls_guard(const physics_walls *walls, physics_body bodies[],
                         const physics_manifold_list *list, real h_s);
