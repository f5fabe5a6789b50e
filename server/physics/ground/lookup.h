/// Looking up the ground, eight places at a time and one at a time.
#pragma once

#include "physics/dynamics/substep.h"

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

/// Who has left his cell? Sends for what they will read.
void LEVEL(physics_ground_find)(const apex_world *world, const physics_ground_query *query,
                                physics_foothold *hold, physics_ground_arrival *out);
/// Takes over the cells of those who have.
void LEVEL(physics_ground_read)(const apex_world *world, const physics_ground_query *query,
                                const physics_ground_arrival *arrival, physics_foothold *hold);
void LEVEL(physics_ground_sample)(const apex_world *world, const physics_ground_query *query,
                                  const physics_foothold *hold, physics_ground_slope *out);

/// Tile and cell of the layer that somebody at `foot_m` stands on; NULL outside all tiles.
const apex_ground_tile *physics_ground_layer(const apex_ground_tile *tiles, uint32_t tile,
                                             const double cell[2], double foot_m);

/// Bumps are made of -1..1 at the corners of the cells, hashed from seed and place, so that the
/// same spot is the same bump for every car and every lap.
static inline uint32_t physics_bump_hash(uint32_t seed, uint32_t column, uint32_t row) {
    uint32_t z = seed + column * 0x9e3779b1u + row * 0x85ebca77u;
    z = (z ^ (z >> 16)) * 0x7feb352du;
    z = (z ^ (z >> 15)) * 0x846ca68bu;
    return z ^ (z >> 16);
}
