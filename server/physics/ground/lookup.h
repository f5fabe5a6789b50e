/// Looking up the ground, eight places at a time and one at a time.
#pragma once

#include "physics/ground_def.h"
#include "physics/lanes/isa.h"
#include "physics/lanes/lanes.h"

typedef struct physics_surface {
    real friction, rolling_ratio, plough_ns_per_m, roughness_m;
} physics_surface;

/// The ground that was borrowed, and what a lookup wants to know of it beforehand.
typedef struct physics_ground {
    const apex_ground *map;
    bool has_layers; ///< somewhere
    physics_surface surfaces[APEX_SURFACES_MAX];
} physics_ground;

/// @param map borrowed; valid.
void physics_ground_prepare(physics_ground *ground, const apex_ground *map);

#define PHYSICS_NO_CELL INT32_MIN ///< no cell has this number: look it up again

/// The cells that eight wheels were last in: a cache, no state, since the same cell always gives
/// the same numbers. Under a bridge nothing is kept, because which layer counts depends on height.
/// What wheels need of new cells is fetched at once for all of them: of thousands of cars on a
/// large map a quarter of the time was waiting (DECISIONS 17).
typedef struct physics_ground_cache {
    lanes_index column, row;
    lanes corner_m[4]; ///< heights: south-west, south-east, north-west, north-east
    lanes friction, rolling_ratio, plough_ns_per_m, roughness_m;
    uint8_t surface[PHYSICS_LANES];
    bool is_rough;
} physics_ground_cache;

/// Eight places: a cell each and where in it, 0..1. Heights are from `height_m`.
typedef struct physics_ground_query {
    lanes_index column, row;
    lanes along_x, along_y;
    lanes height_m; ///< reference; the answer's heights are above it
    lanes foot_m;   ///< of the asker, above the reference: chooses the layer
} physics_ground_query;

typedef struct physics_ground_slope {
    lanes rise_m; ///< ground above the reference, its roughness included
    lanes slope_x, slope_y;
} physics_ground_slope;

/// Those of eight wheels that have left their cells, and the lowest tiles they are on now.
typedef struct physics_ground_arrival {
    uint32_t lanes; ///< a bit each
    uint32_t tile[PHYSICS_LANES];
} physics_ground_arrival;

// Three calls, each for all wheels before the next: a wheel stays in its cell for some substeps,
// but the ground of a new one lies far away in memory, and all wheels wait for theirs at once.

/// Finds the wheels that have left their cells, and prefetches what they will read.
void FOR_ISA(physics_ground_find)(const physics_ground *ground, const physics_ground_query *query,
                                  physics_ground_cache *cache, physics_ground_arrival *out);
/// Reads the cells of those that have.
void FOR_ISA(physics_ground_read)(const physics_ground *ground, const physics_ground_query *query,
                                  const physics_ground_arrival *arrival,
                                  physics_ground_cache *cache);
void FOR_ISA(physics_ground_sample)(const physics_ground *ground, const physics_ground_query *query,
                                    const physics_ground_cache *cache, physics_ground_slope *out);

/// Tile and cell of the layer that somebody at `foot_m` stands on; NULL outside all tiles.
const apex_ground_tile *physics_ground_layer(const apex_ground_tile *tiles, uint32_t tile,
                                             const double cell[2], double foot_m);

/// Height of the ground with the surface's roughness, above the position; and the surface.
real physics_ground_under(const apex_ground *ground, const double position_m[3], uint8_t *surface);
