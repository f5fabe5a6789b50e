/// Walls and posts: the grid that finds them, and a hull's contact manifolds with them. A wall is
/// solid from its left only, seen from its beginning to its end.
#pragma once

#include "physics/ground_def.h"
#include "physics/solver/hulls.h"

/// A segment's direction and length.
typedef struct physics_wall_line {
    real along_x, along_y; ///< unit
    real length_m;
} physics_wall_line;

typedef struct physics_walls {
    const apex_walls *from;
    physics_wall_line *lines; ///< [segment]
    double first_x_m, first_y_m, cell_m;
    uint32_t columns, rows;
    uint32_t *starts; ///< [cell] into items; one more at the end
    uint32_t *items;  ///< segments, then posts from segment_count on; NULL if there are none
} physics_walls;

/// @return NULL when memory is refused.
physics_walls *physics_walls_create(const apex_walls *from);
void physics_walls_destroy(physics_walls *walls);
bool physics_walls_are_none(const physics_walls *walls);

typedef struct physics_circle {
    double x_m, y_m, radius_m;
} physics_circle;

/// The items whose bounds overlap the circle's square, rising, each once; of more than `max` the
/// lowest.
/// @return the number of entries of found[max] that are filled.
uint32_t physics_walls_find(const physics_walls *walls, const physics_circle *circle,
                            uint32_t found[], uint32_t max);
/// @return whether the item's bounds overlap the circle's square.
bool physics_wall_is_near(const physics_walls *walls, uint32_t item, const physics_circle *circle);

/// The manifold of one hull and a wall or a post: a lane of physics_manifold.
typedef struct physics_wall_manifold {
    real normal[2]; ///< into the wall
    real anchor_m[2][3];
    real separation_m[2];
    uint32_t count; ///< of points
    real friction, restitution;
    real lever_m; ///< as physics_manifold
} physics_wall_manifold;

/// @return false if it is out of reach.
bool physics_wall_collide(const physics_walls *walls, const physics_hulls *hulls, uint32_t slot,
                          uint32_t item, physics_wall_manifold *out);

/// The last guard: no box's middle ends a substep behind a wall it began in front of. Changes the
/// slot's biased velocity, and takes the part that leads into the wall from its motion.
void physics_wall_guard(const physics_walls *walls, physics_hulls *hulls, uint32_t slot,
                        uint32_t item, real h_s);
