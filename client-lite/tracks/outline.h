/// An outline is a laid track as lines, for maps: the road's edges along the lap, what lies
/// beside it as polygons, walls, the pit lane, the grid. World axes, points as pairs x, y.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "track/track.h"

/// The most that a line of the outline is off the laid track.
#define CLIENT_OUTLINE_ERROR_M 0.05

/// A polygon of a surface, or the line of a wall of a material.
typedef struct client_outline_shape {
    char name[APEX_NAME_BYTES]; ///< of the surface or the material
    size_t first, count;        ///< numbers in client_outline.points, two for each point
} client_outline_shape;

typedef struct client_outline_shapes {
    client_outline_shape *list;
    size_t count, capacity;
} client_outline_shapes;

/// Numbers one after the other.
typedef struct client_outline_numbers {
    double *values;
    size_t count, capacity;
} client_outline_numbers;

typedef struct client_outline {
    bool closed;
    double length_m;                 ///< of a lap; 0 without one, and then no lines either
    double finish_m;                 ///< lap distance of the line
    double west, south, east, north; ///< all of it
    client_outline_numbers left_edge, right_edge, centre; ///< equally many points
    client_outline_numbers lap_m, height_m;               ///< of each of them
    client_outline_numbers points;                        ///< of all shapes
    /// Along the road: two sides of equally many points, one forwards and the other back. A long
    /// one comes in pieces that overlap. Later ones lie on top.
    client_outline_shapes strips;
    client_outline_shapes walls;   ///< one that is closed ends where it begins
    client_outline_shape pit_lane; ///< as a strip; of no points without one
    client_outline_numbers grid;   ///< x, y, yaw of each box
    bool failed;                   ///< while being made: out of memory
} client_outline;

void client_outline_destroy(client_outline *outline); ///< NULL is fine

/// One more number, or point of two. These and the next set `failed` when out of memory.
void client_outline_put(client_outline *out, client_outline_numbers *numbers, double value);
void client_outline_put_point(client_outline *out, client_outline_numbers *numbers,
                              const double at_m[2]);
/// A new shape, whose points follow.
client_outline_shape *client_outline_begin_shape(client_outline *out, client_outline_shapes *shapes,
                                                 const char *name);
/// One more point of the newest shape.
void client_outline_add_point(client_outline *out, client_outline_shape *shape,
                              const double at_m[2]);
