/// Hulls: the shapes and motions of cars that the contact solver works on.
///
/// A hull is a box whose footprint is the yaw projection of the rotated box, with a height; its
/// edges are rounded in the plan, so that corners have steady normals. The data of a slot are rows
/// of eight numbers: eight rows are turned into eight vectors at once.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "physics/lanes/real.h"

/// The velocities that contacts change, and the inverse mass. World axes.
typedef struct physics_motion {
    real velocity_mps[3], angular_radps[3];
    real inverse_mass; ///< 0 for walls and posts; contacts do not change it
    real spare;
} physics_motion;

/// The inverse inertia tensor. World axes; all 0 for what does not move.
typedef struct physics_inverse_inertia {
    real tensor[6]; ///< xx yy zz xy xz yz
    real spare[2];
} physics_inverse_inertia;

/// The box, as it stands when contacts are looked for.
typedef struct physics_box {
    real cos_yaw, sin_yaw;
    real half_m[2];     ///< along and across, without the rounding
    real low_m, high_m; ///< from the centre of mass
    real rounding_m;
    real reach_m; ///< the farthest it may get before contacts are looked for again
} physics_box;

/// Material, and the planes of roof and underside.
typedef struct physics_hull_surface {
    real friction, restitution;
    real centre_m[2];      ///< of the box in the plan, from the centre of mass, world directions
    real slope[2];         ///< of its roof and its underside, along the world's x and y
    real half_thickness_m; ///< from its middle to the one or the other
    real spare;
} physics_hull_surface;

/// The box of the car's type, body axes from the centre of mass.
typedef struct physics_shape {
    real half_m[3], centre_m[3];
    real radius_m; ///< of all of it, about the centre of mass
    real rounding_m;
} physics_shape;

typedef struct physics_hull_position {
    double centre_m[3]; ///< the box's middle in the plan, the height of the centre of mass
    double spare;
} physics_hull_position;

/// All of it, [slot]. The last one, [count], does not move and is nowhere: walls and posts.
typedef struct physics_hulls {
    physics_motion *motions;
    physics_motion *biased; ///< velocities with bias: cars move with them, and do not keep them
    physics_inverse_inertia *inverse_inertias;
    physics_box *boxes;
    physics_hull_surface *surfaces;
    physics_shape *shapes;
    physics_hull_position *positions;
    uint32_t count;
} physics_hulls;

bool physics_hulls_allocate(physics_hulls *hulls, uint32_t count);
void physics_hulls_free(physics_hulls *hulls);
