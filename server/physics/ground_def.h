/// Ground that cars drive on and walls that they run into. Part of the public face of physics;
/// include "physics/physics.h". Filled by track (or a test), borrowed by a world for its whole
/// life.
///
/// Heights stand in sparse square tiles, so that a ribbon of road costs memory by its length. Each
/// tile has its own copy of the nodes on its edges: a sample touches one tile only. Where no tile
/// is, the ground is level at `outside_height_m` with the outside surface. A second tile at the
/// same place (`above`) is a bridge.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "physics/car_def.h"

enum {
    APEX_GROUND_CELLS = 32, ///< cells on a side of a tile
    APEX_GROUND_NODES = APEX_GROUND_CELLS + 1,
    APEX_SURFACES_MAX = 32,
    APEX_WALL_MATERIALS_MAX = 8,
};

#define APEX_GROUND_CELL_M 0.5
#define APEX_GROUND_TILE_M 16.0
#define APEX_GROUND_NONE   UINT32_MAX

typedef struct apex_surface_def {
    char name[APEX_NAME_BYTES];
    double friction;         ///< scales the tyres', 1 dry asphalt
    double rolling_ratio;    ///< scales the tyres' rolling resistance
    double plough_n_per_mps; ///< drag of one wheel in soft ground, for each m/s
    double roughness_m;      ///< height of seeded bumps, peak
    bool is_road;            ///< a wheel on it counts as on the track for rules and drivers
} apex_surface_def;

typedef struct apex_ground_tile {
    int32_t tile_x, tile_y; ///< covers [tile_x, tile_x + 1) * 16 m, likewise y
    uint32_t above;         ///< index of the next tile up at the same place, or APEX_GROUND_NONE
    float height_m[APEX_GROUND_NODES][APEX_GROUND_NODES];  ///< [y][x]
    uint8_t surface[APEX_GROUND_CELLS][APEX_GROUND_CELLS]; ///< [y][x], index into surfaces
} apex_ground_tile;

typedef struct apex_ground {
    int32_t first_x, first_y;  ///< tile coordinates of directory[0]
    uint32_t width, depth;     ///< of the directory, in tiles
    const uint32_t *directory; ///< [y * width + x]: lowest tile's index or APEX_GROUND_NONE
    const apex_ground_tile *tiles;
    uint32_t tile_count;
    const apex_surface_def *surfaces;
    uint32_t surface_count;
    uint8_t outside_surface;
    double outside_height_m;
    uint64_t roughness_seed;
} apex_ground;

typedef struct apex_ground_sample {
    double height_m;
    double normal[3]; ///< unit
    uint8_t surface;
} apex_ground_sample;

/// Ground under (x, y): of several layers the highest that is not more than a step above z.
/// Bilinear in the cell. Never fails; a position that is not finite samples the outside.
apex_ground_sample apex_ground_at(const apex_ground *ground, double x_m, double y_m, double z_m);

typedef struct apex_wall_material {
    char name[APEX_NAME_BYTES];
    double restitution;
    double friction;
} apex_wall_material;

/// A straight piece of wall. Its left side, seen from `from` to `to`, is the side cars are on: it
/// pushes only that way. `previous` and `next` name its neighbours in a chain, so that a car slides
/// over their joint without catching.
typedef struct apex_wall_segment {
    double from_x_m, from_y_m, to_x_m, to_y_m;
    double base_m, top_m;
    uint32_t previous, next; ///< segment indices or APEX_GROUND_NONE
    uint8_t material;
} apex_wall_segment;

/// A round thing that does not move: a post, a cone.
typedef struct apex_wall_post {
    double x_m, y_m, radius_m;
    double base_m, top_m;
    uint8_t material;
} apex_wall_post;

typedef struct apex_walls {
    const apex_wall_segment *segments;
    uint32_t segment_count;
    const apex_wall_post *posts;
    uint32_t post_count;
    const apex_wall_material *materials;
    uint32_t material_count;
} apex_walls;
