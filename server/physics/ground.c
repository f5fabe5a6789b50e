// Ground lookup. Everything is in doubles relative to a tile, so a far corner of a map is as exact
// as its origin.

#include "physics/car_private.h"

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

// Finds the cell of the layer to stand on. @return false outside all tiles.
static bool find_cell(const apex_ground *ground, const double position_m[3], ground_cell *out,
                      double *height_m) {
    double tile_x = floor_of(position_m[0] / APEX_GROUND_TILE_M);
    double tile_y = floor_of(position_m[1] / APEX_GROUND_TILE_M);
    uint32_t index = first_tile(ground, tile_x, tile_y);
    if (index == APEX_GROUND_NONE) {
        return false;
    }
    double x_cells = (position_m[0] - tile_x * APEX_GROUND_TILE_M) / APEX_GROUND_CELL_M;
    double y_cells = (position_m[1] - tile_y * APEX_GROUND_TILE_M) / APEX_GROUND_CELL_M;
    const apex_ground_tile *tile = &ground->tiles[index];
    *out = cell_of(tile, x_cells, y_cells);
    *height_m = cell_height(out);
    while (tile->above != APEX_GROUND_NONE) {
        tile = &ground->tiles[tile->above];
        ground_cell higher = cell_of(tile, x_cells, y_cells);
        double higher_m = cell_height(&higher);
        if (higher_m > position_m[2] + STEP_M) {
            break;
        }
        *out = higher;
        *height_m = higher_m;
    }
    return true;
}

apex_ground_sample apex_ground_at(const apex_ground *ground, double x_m, double y_m, double z_m) {
    apex_ground_sample sample = {.height_m = ground->outside_height_m,
                                 .normal = {0.0, 0.0, 1.0},
                                 .surface = ground->outside_surface};
    ground_cell cell;
    if (!find_cell(ground, (const double[3]){x_m, y_m, z_m}, &cell, &sample.height_m)) {
        return sample;
    }
    const double *h = cell.height_m;
    double fx = cell.along_x, fy = cell.along_y;
    double slope_x = ((h[1] - h[0]) * (1.0 - fy) + (h[3] - h[2]) * fy) / APEX_GROUND_CELL_M;
    double slope_y = ((h[2] - h[0]) * (1.0 - fx) + (h[3] - h[1]) * fx) / APEX_GROUND_CELL_M;
    double up = 1.0 / sqrt(1.0 + slope_x * slope_x + slope_y * slope_y);
    sample.normal[0] = -slope_x * up;
    sample.normal[1] = -slope_y * up;
    sample.normal[2] = up;
    sample.surface = cell.surface;
    return sample;
}

// Bumps: -1..1 at the corners of a 0.5 m lattice, hashed from place and seed, so that the same
// spot is the same bump for every car and every lap.
static double lattice_bump(uint64_t seed, int64_t column, int64_t row) {
    uint64_t z =
        seed + (uint64_t)column * 0x9e3779b97f4a7c15u + (uint64_t)row * 0xc2b2ae3d27d4eb4fu;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) / 4503599627370496.0 - 1.0;
}

static double bump_at(uint64_t seed, double x_m, double y_m) {
    double x = x_m / APEX_GROUND_CELL_M, y = y_m / APEX_GROUND_CELL_M;
    double column = floor_of(x), row = floor_of(y);
    int64_t c = (int64_t)column, r = (int64_t)row;
    double fx = x - column, fy = y - row;
    double south = lattice_bump(seed, c, r) * (1.0 - fx) + lattice_bump(seed, c + 1, r) * fx;
    double north =
        lattice_bump(seed, c, r + 1) * (1.0 - fx) + lattice_bump(seed, c + 1, r + 1) * fx;
    double bump = south * (1.0 - fy) + north * fy;
    return fabs(bump) <= 1.0 ? bump : 0.0; // off the lattice's ends
}

real physics_ground_under(const apex_ground *ground, const double position_m[3], uint8_t *surface) {
    double height = ground->outside_height_m;
    ground_cell cell;
    *surface = ground->outside_surface;
    if (find_cell(ground, position_m, &cell, &height)) {
        *surface = cell.surface;
    }
    double roughness = ground->surfaces[*surface].roughness_m;
    if (roughness > 0.0) {
        height += roughness * bump_at(ground->roughness_seed, position_m[0], position_m[1]);
    }
    return (real)(height - position_m[2]);
}
