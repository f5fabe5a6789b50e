// The height map resampled to tiles of half-metre cells. Round it a bank leads to the level of the
// outside, so that nobody drives off a cliff that no map has.
#include "track/terrain/terrain_ground.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"
#include "track/definition/refuse.h"
#include "track/definition/surfaces.h"

#define TILES_MAX 32768u // as for a road: 180 MB
#define BANK_M    16.0

typedef struct sheet {
    const apex_terrain *map;
    double east_m, north_m; // of the north-eastern node
    double outside_m;
    uint8_t surface[APEX_SURFACES_MAX]; // of the map's numbers
    uint8_t plain_surface, outside_surface;
} sheet;

static double node_m(const sheet *of, int32_t column, int32_t row) {
    const apex_terrain *map = of->map;
    int32_t x = column < 0                       ? 0
                : column < (int32_t)map->columns ? column
                                                 : (int32_t)map->columns - 1;
    int32_t y = row < 0 ? 0 : row < (int32_t)map->rows ? row : (int32_t)map->rows - 1;
    return map->low_m + map->step_m * map->heights[(size_t)y * map->columns + (size_t)x];
}

// Catmull and Rom's cubic: through the two inner values, with the slopes of their neighbours.
static double cubic(const double p[4], double t) {
    double a = 3.0 * (p[1] - p[2]) + p[3] - p[0];
    double b = 2.0 * p[0] - 5.0 * p[1] + 4.0 * p[2] - p[3];
    return p[1] + 0.5 * t * (p[2] - p[0] + t * (b + t * a));
}

static double smooth_m(const sheet *of, int32_t column, int32_t row, const double t[2]) {
    double across[4];
    for (int32_t k = 0; k < 4; k++) {
        double along[4];
        for (int32_t i = 0; i < 4; i++) {
            along[i] = node_m(of, column + i - 1, row + k - 1);
        }
        across[k] = cubic(along, t[0]);
    }
    return cubic(across, t[1]);
}

static double inside_m(const sheet *of, double x_m, double y_m) {
    double u = (x_m - of->map->x_m) / of->map->cell_m;
    double v = (y_m - of->map->y_m) / of->map->cell_m;
    int32_t column = track_floor(u);
    int32_t row = track_floor(v);
    const double t[2] = {u - column, v - row};
    if (of->map->smooth) {
        return smooth_m(of, column, row, t);
    }
    double south = track_lerp(node_m(of, column, row), node_m(of, column + 1, row), t[0]);
    double north = track_lerp(node_m(of, column, row + 1), node_m(of, column + 1, row + 1), t[0]);
    return track_lerp(south, north, t[1]);
}

static double height_m(const sheet *of, double x_m, double y_m) {
    double edge_x_m = track_clamp(x_m, of->map->x_m, of->east_m);
    double edge_y_m = track_clamp(y_m, of->map->y_m, of->north_m);
    double dx_m = x_m - edge_x_m;
    double dy_m = y_m - edge_y_m;
    double share = track_min(sqrt(dx_m * dx_m + dy_m * dy_m) / BANK_M, 1);
    return track_lerp(inside_m(of, edge_x_m, edge_y_m), of->outside_m, share);
}

// At the middle of a cell: the nearest node's, or the south-western of four that are as near.
static uint8_t surface_at(const sheet *of, double x_m, double y_m) {
    const apex_terrain *map = of->map;
    if (!(x_m > map->x_m && x_m < of->east_m && y_m > map->y_m && y_m < of->north_m)) {
        return of->outside_surface;
    }
    if (map->surface_count == 0) {
        return of->plain_surface;
    }
    double u = (x_m - map->x_m) / map->cell_m;
    double v = (y_m - map->y_m) / map->cell_m;
    size_t column = (size_t)track_floor(u) + (u - track_floor(u) > 0.5);
    size_t row = (size_t)track_floor(v) + (v - track_floor(v) > 0.5);
    return of->surface[map->surface_map[row * map->columns + column]];
}

static void lay_tile(const sheet *of, apex_ground_tile *tile) {
    for (int32_t y = 0; y < APEX_GROUND_NODES; y++) {
        double y_m = tile->tile_y * APEX_GROUND_TILE_M + y * APEX_GROUND_CELL_M;
        for (int32_t x = 0; x < APEX_GROUND_NODES; x++) {
            double x_m = tile->tile_x * APEX_GROUND_TILE_M + x * APEX_GROUND_CELL_M;
            tile->height_m[y][x] = (float)height_m(of, x_m, y_m);
        }
    }
    for (int32_t y = 0; y < APEX_GROUND_CELLS; y++) {
        double y_m = tile->tile_y * APEX_GROUND_TILE_M + (y + 0.5) * APEX_GROUND_CELL_M;
        for (int32_t x = 0; x < APEX_GROUND_CELLS; x++) {
            double x_m = tile->tile_x * APEX_GROUND_TILE_M + (x + 0.5) * APEX_GROUND_CELL_M;
            tile->surface[y][x] = surface_at(of, x_m, y_m);
        }
    }
}

// The mean height of the map's border, in whole numbers: the same sum in any order.
static double border_m(const apex_terrain *map) {
    uint64_t sum = 0;
    uint64_t count = 0;
    for (uint32_t row = 0; row < map->rows; row++) {
        bool whole = row == 0 || row + 1 == map->rows;
        for (uint32_t column = 0; column < map->columns; column += whole ? 1 : map->columns - 1) {
            sum += map->heights[(size_t)row * map->columns + column];
            count++;
        }
    }
    return map->low_m + map->step_m * ((double)sum / (double)count);
}

static apex_err find_surfaces(const apex_track_def *def, const apex_track *track, sheet *of,
                              apex_def_problem *problem) {
    int plain = track_find_surface(track, def->road_surface);
    int outside = track_find_surface(track, def->outside_surface);
    if (plain < 0 || outside < 0) {
        return track_refuse(problem, "%s: no surface is called '%s'",
                            plain < 0 ? "road_surface" : "outside_surface",
                            plain < 0 ? def->road_surface : def->outside_surface);
    }
    of->plain_surface = (uint8_t)plain;
    of->outside_surface = (uint8_t)outside;
    for (uint32_t i = 0; i < def->terrain.surface_count; i++) {
        int known = track_find_surface(track, def->terrain.surfaces[i]);
        if (known < 0) {
            return track_refuse(problem, "terrain.palette[%u].surface: no surface is called '%s'",
                                i, def->terrain.surfaces[i]);
        }
        of->surface[i] = (uint8_t)known;
    }
    return APEX_OK;
}

static apex_err take_tiles(const sheet *of, apex_track *track, apex_def_problem *problem) {
    apex_ground *ground = &track->ground;
    ground->first_x = track_floor((of->map->x_m - BANK_M) / APEX_GROUND_TILE_M);
    ground->first_y = track_floor((of->map->y_m - BANK_M) / APEX_GROUND_TILE_M);
    int32_t last_x = track_floor((of->east_m + BANK_M) / APEX_GROUND_TILE_M);
    int32_t last_y = track_floor((of->north_m + BANK_M) / APEX_GROUND_TILE_M);
    ground->width = (uint32_t)(last_x - ground->first_x) + 1;
    ground->depth = (uint32_t)(last_y - ground->first_y) + 1;
    uint64_t tiles = (uint64_t)ground->width * ground->depth;
    if (tiles > TILES_MAX) {
        return track_refuse(problem, "terrain.cell_m: the ground would need %llu tiles, at most %u",
                            (unsigned long long)tiles, TILES_MAX);
    }
    ground->tile_count = (uint32_t)tiles;
    track->tiles = calloc(ground->tile_count, sizeof *track->tiles);
    track->directory = calloc(ground->tile_count, sizeof *track->directory);
    return track->tiles != NULL && track->directory != NULL ? APEX_OK : APEX_ERR_NO_MEMORY;
}

apex_err track_lay_terrain_ground(const apex_track_def *def, apex_track *track,
                                  apex_def_problem *problem) {
    APEX_ASSERT(track->tiles == NULL);
    const apex_terrain *map = &def->terrain;
    sheet of = {
        .map = map,
        .east_m = map->x_m + (map->columns - 1) * map->cell_m,
        .north_m = map->y_m + (map->rows - 1) * map->cell_m,
        .outside_m = border_m(map),
    };
    apex_err err = find_surfaces(def, track, &of, problem);
    if (err == APEX_OK) {
        err = take_tiles(&of, track, problem);
    }
    if (err != APEX_OK) {
        return err;
    }
    apex_ground *ground = &track->ground;
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        track->directory[i] = i;
        track->tiles[i].tile_x = ground->first_x + (int32_t)(i % ground->width);
        track->tiles[i].tile_y = ground->first_y + (int32_t)(i / ground->width);
        track->tiles[i].above = APEX_GROUND_NONE;
        lay_tile(&of, &track->tiles[i]);
    }
    ground->directory = track->directory;
    ground->tiles = track->tiles;
    ground->surfaces = track->surfaces;
    ground->surface_count = track->surface_count;
    ground->outside_surface = of.outside_surface;
    ground->outside_height_m = of.outside_m;
    ground->roughness_seed = def->roughness_seed;
    return APEX_OK;
}
