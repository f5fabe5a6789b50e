// Ground lookup. Everything is in doubles relative to a tile, so a far corner of a map is as exact
// as its origin.

#include "physics/ground/lookup.h"

#include "base/assert.h"

#include <math.h>
#include <stdint.h>

// A layer counts as the one a car is on when it lies no higher than this above the asker.
static const double STEP_M = 0.6;

// Rounds down without the library's call, for numbers within 32 bits; others give some cell far
// away.
static double floor_of(double x) {
    if (!(x > -2.0e9 && x < 2.0e9)) {
        return 2.0e9;
    }
    double cut = (double)(int32_t)x;
    return cut > x ? cut - 1.0 : cut;
}

typedef struct ground_cell {
    double height_m[4];      ///< south-west, south-east, north-west, north-east
    double along_x, along_y; ///< 0..1 in the cell
    uint8_t surface;
} ground_cell;

static uint32_t first_tile(const apex_ground *ground, double tile_x, double tile_y) {
    double column = tile_x - (double)ground->first_x, row = tile_y - (double)ground->first_y;
    // Written so that a position that is not a number fails the test.
    if (!(column >= 0.0 && column < (double)ground->width && row >= 0.0 &&
          row < (double)ground->depth)) {
        return APEX_GROUND_NONE;
    }
    return ground->directory[(size_t)row * ground->width + (size_t)column];
}

static ground_cell cell_of(const apex_ground_tile *tile, double x_cells, double y_cells) {
    uint32_t column = (uint32_t)x_cells, row = (uint32_t)y_cells;
    column = column < APEX_GROUND_CELLS ? column : APEX_GROUND_CELLS - 1;
    row = row < APEX_GROUND_CELLS ? row : APEX_GROUND_CELLS - 1;
    return (ground_cell){
        .height_m = {(double)tile->height_m[row][column], (double)tile->height_m[row][column + 1],
                     (double)tile->height_m[row + 1][column],
                     (double)tile->height_m[row + 1][column + 1]},
        .along_x = x_cells - (double)column,
        .along_y = y_cells - (double)row,
        .surface = tile->surface[row][column],
    };
}

static double cell_height(const ground_cell *cell) {
    const double *h = cell->height_m;
    double south = h[0] + (h[1] - h[0]) * cell->along_x;
    double north = h[2] + (h[3] - h[2]) * cell->along_x;
    return south + (north - south) * cell->along_y;
}

const apex_ground_tile *physics_ground_layer(const apex_ground_tile *tiles, uint32_t tile,
                                             const double cell[2], double foot_m) {
    const apex_ground_tile *on = &tiles[tile];
    for (const apex_ground_tile *next = on; next->above != APEX_GROUND_NONE;) {
        next = &tiles[next->above];
        ground_cell there = cell_of(next, cell[0], cell[1]);
        if (cell_height(&there) > foot_m + STEP_M) {
            break;
        }
        on = next;
    }
    return on;
}

// Finds the cell of the layer to stand on. @return false outside all tiles.
static bool find_cell(const apex_ground *ground, const double position_m[3], ground_cell *out) {
    double tile_x = floor_of(position_m[0] / APEX_GROUND_TILE_M);
    double tile_y = floor_of(position_m[1] / APEX_GROUND_TILE_M);
    uint32_t index = first_tile(ground, tile_x, tile_y);
    if (index == APEX_GROUND_NONE) {
        return false;
    }
    const double cell[2] = {(position_m[0] - tile_x * APEX_GROUND_TILE_M) / APEX_GROUND_CELL_M,
                            (position_m[1] - tile_y * APEX_GROUND_TILE_M) / APEX_GROUND_CELL_M};
    *out =
        cell_of(physics_ground_layer(ground->tiles, index, cell, position_m[2]), cell[0], cell[1]);
    return true;
}

apex_ground_sample apex_ground_at(const apex_ground *ground, double x_m, double y_m, double z_m) {
    apex_ground_sample sample = {.height_m = ground->outside_height_m,
                                 .normal = {0.0, 0.0, 1.0},
                                 .surface = ground->outside_surface};
    ground_cell cell;
    if (!find_cell(ground, (const double[3]){x_m, y_m, z_m}, &cell)) {
        return sample;
    }
    sample.height_m = cell_height(&cell);
    const double *h = cell.height_m;
    double fx = cell.along_x, fy = cell.along_y;
    // As steps, not as weighted means: where both sides have one slope, it is exactly that one.
    double south = h[1] - h[0], west = h[2] - h[0];
    double slope_x = (south + (h[3] - h[2] - south) * fy) / APEX_GROUND_CELL_M;
    double slope_y = (west + (h[3] - h[1] - west) * fx) / APEX_GROUND_CELL_M;
    double up = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    sample.normal[0] = -slope_x * up;
    sample.normal[1] = -slope_y * up;
    sample.normal[2] = up;
    sample.surface = cell.surface;
    return sample;
}

// Bumps are made of -1..1 at the corners of the cells, hashed from seed and place, so that the
// same spot is the same bump for every car and every lap.
static uint32_t bump_hash(uint32_t seed, uint32_t column, uint32_t row) {
    uint32_t z = seed + column * 0x9e3779b1u + row * 0x85ebca77u;
    z = (z ^ (z >> 16)) * 0x7feb352du;
    z = (z ^ (z >> 15)) * 0x846ca68bu;
    return z ^ (z >> 16);
}

static double bump_corner(uint32_t seed, int32_t column, int32_t row) {
    uint32_t hash = bump_hash(seed, (uint32_t)column, (uint32_t)row);
    return (double)(hash >> 8) / 8388608.0 - 1.0;
}

static double bump_at(uint32_t seed, double x_m, double y_m) {
    double x = x_m / APEX_GROUND_CELL_M, y = y_m / APEX_GROUND_CELL_M;
    double column = floor_of(x), row = floor_of(y);
    if (!(fabs(column) < 2.0e9 && fabs(row) < 2.0e9)) {
        return 0.0; // off the lattice's ends
    }
    int32_t c = (int32_t)column, r = (int32_t)row;
    double fx = x - column, fy = y - row;
    double south = bump_corner(seed, c, r) * (1.0 - fx) + bump_corner(seed, c + 1, r) * fx;
    double north = bump_corner(seed, c, r + 1) * (1.0 - fx) + bump_corner(seed, c + 1, r + 1) * fx;
    return south * (1.0 - fy) + north * fy;
}

real physics_ground_under(const apex_ground *ground, const double position_m[3], uint8_t *surface) {
    double height = ground->outside_height_m;
    ground_cell cell;
    *surface = ground->outside_surface;
    if (find_cell(ground, position_m, &cell)) {
        *surface = cell.surface;
        height = cell_height(&cell);
    }
    double roughness = ground->surfaces[*surface].roughness_m;
    if (roughness > 0.0) {
        uint32_t seed = (uint32_t)ground->roughness_seed;
        height += roughness * bump_at(seed, position_m[0], position_m[1]);
    }
    return (real)(height - position_m[2]);
}

static bool has_layers(const apex_ground *map) {
    for (uint32_t tile = 0; tile < map->tile_count; tile++) {
        if (map->tiles[tile].above != APEX_GROUND_NONE) {
            return true;
        }
    }
    return false;
}

void physics_ground_prepare(physics_ground *ground, const apex_ground *map) {
    APEX_ASSERT(map != NULL);
    ground->map = map;
    ground->has_layers = has_layers(map);
    for (uint32_t i = 0; i < map->surface_count; i++) {
        const apex_surface_def *from = &map->surfaces[i];
        ground->surfaces[i] = (physics_surface){
            .friction = (real)from->friction,
            .rolling_ratio = (real)from->rolling_ratio,
            .plough_ns_per_m = (real)from->plough_n_per_mps,
            .roughness_m = (real)from->roughness_m,
        };
    }
}
