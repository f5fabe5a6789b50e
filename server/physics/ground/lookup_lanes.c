// The ground under eight wheels: corners of the cells are fetched one by one, the rest is lanes.

#include "physics/ground/lookup.h"

#include <string.h>

// Most often all eight wheels are on the same stuff.
static void read_surfaces(const physics_ground *ground, physics_ground_cache *cache) {
    uint64_t all;
    _Static_assert(sizeof cache->surface == sizeof all, "eight wheels");
    memcpy(&all, cache->surface, sizeof all);
    const physics_surface *first = &ground->surfaces[cache->surface[0]];
    cache->is_rough = first->roughness_m > R(0.0);
    cache->friction = lanes_all(first->friction);
    cache->rolling_ratio = lanes_all(first->rolling_ratio);
    cache->plough_ns_per_m = lanes_all(first->plough_ns_per_m);
    cache->roughness_m = lanes_all(first->roughness_m);
    if (all == cache->surface[0] * 0x0101010101010101u) {
        return;
    }
    for (uint32_t lane = 1; lane < PHYSICS_LANES; lane++) {
        const physics_surface *from = &ground->surfaces[cache->surface[lane]];
        lanes_set(&cache->friction, lane, from->friction);
        lanes_set(&cache->rolling_ratio, lane, from->rolling_ratio);
        lanes_set(&cache->plough_ns_per_m, lane, from->plough_ns_per_m);
        lanes_set(&cache->roughness_m, lane, from->roughness_m);
        cache->is_rough = cache->is_rough || from->roughness_m > R(0.0);
    }
}

typedef union index_row {
    lanes_index lanes;
    int32_t number[PHYSICS_LANES];
} index_row;

// Each lane's place in the directory, or -1 outside.
static void find_places(const apex_ground *ground, const physics_ground_cache *cache,
                        index_row *out) {
    _Static_assert(APEX_GROUND_CELLS == 32, "tiles are cut by shifting");
    lanes_index x = (cache->column >> 5) - ground->first_x, y = (cache->row >> 5) - ground->first_y;
    lanes_index is_inside =
        (x >= 0) & (x < (int32_t)ground->width) & (y >= 0) & (y < (int32_t)ground->depth);
    lanes_bits place = (lanes_bits)y * ground->width + (lanes_bits)x;
    out->lanes = ((lanes_index)place & is_inside) | ~is_inside;
}

// Prefetches the nodes that a lane in a new cell will read, since a wheel waits for them otherwise.
static void fetch(const apex_ground *ground, const physics_ground_cache *cache, uint32_t lane,
                  uint32_t index) {
    const apex_ground_tile *tile = &ground->tiles[index];
    uint32_t c = (uint32_t)cache->column[lane] & 31u, r = (uint32_t)cache->row[lane] & 31u;
    __builtin_prefetch(&tile->height_m[r][c]);
    __builtin_prefetch(&tile->height_m[r + 1][c + 1]);
    __builtin_prefetch(&tile->surface[r][c]);
}

void FOR_ISA(physics_ground_find)(const physics_ground *ground, const physics_ground_query *query,
                                  physics_ground_cache *cache, physics_ground_arrival *out) {
    index_row place;
    out->lanes = index_which((query->column != cache->column) | (query->row != cache->row));
    if (out->lanes == 0) {
        return;
    }
    cache->column = query->column;
    cache->row = query->row;
    find_places(ground->map, cache, &place);
    for (uint32_t left_over = out->lanes; left_over != 0; left_over &= left_over - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left_over);
        uint32_t index =
            place.number[lane] < 0 ? APEX_GROUND_NONE : ground->map->directory[place.number[lane]];
        out->tile[lane] = index;
        if (index != APEX_GROUND_NONE) {
            fetch(ground->map, cache, lane, index);
        }
    }
}

static const apex_ground_tile *choose_layer(const apex_ground *ground, uint32_t index,
                                            const physics_ground_query *query, uint32_t lane,
                                            const double cell[2]) {
    double foot_m = (double)query->height_m[lane] + (double)query->foot_m[lane];
    return physics_ground_layer(ground->tiles, index, cell, foot_m);
}

static void read_corners(physics_ground_cache *cache, uint32_t lane, const real height_m[4]) {
    for (uint32_t corner = 0; corner < 4; corner++) {
        lanes_set(&cache->corner_m[corner], lane, height_m[corner]);
    }
}

static void read_cell(const physics_ground *ground, const physics_ground_query *query,
                      uint32_t lane, uint32_t index, physics_ground_cache *cache) {
    const apex_ground *map = ground->map;
    if (index == APEX_GROUND_NONE) {
        real level = (real)map->outside_height_m;
        const real height_m[4] = {level, level, level, level};
        read_corners(cache, lane, height_m);
        cache->surface[lane] = map->outside_surface;
        return;
    }
    const apex_ground_tile *tile = &map->tiles[index];
    uint32_t c = (uint32_t)cache->column[lane] & 31u, r = (uint32_t)cache->row[lane] & 31u;
    if (ground->has_layers && tile->above != APEX_GROUND_NONE) {
        const double in_tile[2] = {(double)query->along_x[lane] + c,
                                   (double)query->along_y[lane] + r};
        tile = choose_layer(map, index, query, lane, in_tile);
        cache->column[lane] = PHYSICS_NO_CELL; // another layer may be the one next time
    }
    const float *south = &tile->height_m[r][c], *north = south + APEX_GROUND_NODES;
    const real height_m[4] = {(real)south[0], (real)south[1], (real)north[0], (real)north[1]};
    read_corners(cache, lane, height_m);
    cache->surface[lane] = tile->surface[r][c];
}

void FOR_ISA(physics_ground_read)(const physics_ground *ground, const physics_ground_query *query,
                                  const physics_ground_arrival *arrival,
                                  physics_ground_cache *cache) {
    for (uint32_t left = arrival->lanes; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        read_cell(ground, query, lane, arrival->tile[lane], cache);
    }
    if (arrival->lanes != 0) {
        read_surfaces(ground, cache);
    }
}

static lanes bump_corner(uint32_t seed, lanes_bits column, lanes_bits row) {
    lanes_bits z = seed + column * 0x9e3779b1u + row * 0x85ebca77u;
    z = (z ^ (z >> 16)) * 0x7feb352du;
    z = (z ^ (z >> 15)) * 0x846ca68bu;
    z = z ^ (z >> 16);
    // 24 bits are exact in a float.
    return __builtin_convertvector((lanes_index)(z >> 8), lanes) * R(1.1920928955078125e-7) -
           R(1.0);
}

static lanes bump(const physics_ground *ground, const physics_ground_query *query) {
    lanes_bits column = (lanes_bits)query->column, row = (lanes_bits)query->row;
    uint32_t seed = (uint32_t)ground->map->roughness_seed;
    lanes south_west = bump_corner(seed, column, row);
    lanes south_east = bump_corner(seed, column + 1u, row);
    lanes north_west = bump_corner(seed, column, row + 1u);
    lanes north_east = bump_corner(seed, column + 1u, row + 1u);
    lanes south = south_west + (south_east - south_west) * query->along_x;
    lanes north = north_west + (north_east - north_west) * query->along_x;
    return south + (north - south) * query->along_y;
}

void FOR_ISA(physics_ground_sample)(const physics_ground *ground, const physics_ground_query *query,
                                    const physics_ground_cache *cache, physics_ground_slope *out) {
    const real CELLS_PER_M = (real)(1.0 / APEX_GROUND_CELL_M);
    lanes south_west = cache->corner_m[0] - query->height_m;
    lanes north_west = cache->corner_m[2] - query->height_m;
    lanes south_step = (cache->corner_m[1] - query->height_m) - south_west;
    lanes north_step = (cache->corner_m[3] - query->height_m) - north_west;
    lanes south = south_west + south_step * query->along_x;
    lanes north = north_west + north_step * query->along_x;
    out->rise_m = south + (north - south) * query->along_y;
    out->slope_x = (south_step + (north_step - south_step) * query->along_y) * CELLS_PER_M;
    out->slope_y = (north - south) * CELLS_PER_M;
    if (cache->is_rough) {
        out->rise_m += cache->roughness_m * bump(ground, query);
    }
}
