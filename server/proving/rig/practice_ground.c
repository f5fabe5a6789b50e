// The grounds that a car is measured on. Each is one surface without bumps.
#include "proving/rig/practice_ground.h"

#include <stdlib.h>
#include <string.h>

// Of a slope: tiles to each side of the origin. A parked car needs no more.
enum { SLOPE_TILES = 3, RAMP_ROWS = 2 };

// The first half of a ramp bends upwards, so that a car does not hit a corner at speed.
static const double BEND_M = 8.0;

struct proving_ground {
    apex_surface_def surface;
    apex_ground ground;
    apex_ground_tile *tiles;
    uint32_t *directory;
};

static double ramp_height_m(double grade, double x_m) {
    if (x_m < BEND_M) {
        return 0.5 * grade * x_m * x_m / BEND_M;
    }
    return grade * (x_m - 0.5 * BEND_M);
}

double proving_ramp_height_m(double grade) {
    return ramp_height_m(grade, PROVING_RAMP_M);
}

static double height_m(const proving_site *site, double x_m, double y_m) {
    switch (site->kind) {
    case PROVING_GROUND_UPHILL:
        return site->grade * x_m;
    case PROVING_GROUND_ACROSS:
        return site->grade * y_m;
    case PROVING_GROUND_RAMP:
        return ramp_height_m(site->grade, x_m);
    case PROVING_GROUND_FLAT:
        break;
    }
    return 0.0;
}

static void fill_tile(apex_ground_tile *tile, const proving_site *site) {
    tile->above = APEX_GROUND_NONE;
    for (int32_t row = 0; row < APEX_GROUND_NODES; row++) {
        double y = tile->tile_y * APEX_GROUND_TILE_M + row * APEX_GROUND_CELL_M;
        for (int32_t column = 0; column < APEX_GROUND_NODES; column++) {
            double x = tile->tile_x * APEX_GROUND_TILE_M + column * APEX_GROUND_CELL_M;
            tile->height_m[row][column] = (float)height_m(site, x, y);
        }
    }
}

static bool lay_tiles(proving_ground *made, const proving_site *site) {
    apex_ground *ground = &made->ground;
    bool is_ramp = site->kind == PROVING_GROUND_RAMP;
    ground->first_x = is_ramp ? 0 : -SLOPE_TILES;
    ground->first_y = is_ramp ? -RAMP_ROWS / 2 : -SLOPE_TILES;
    ground->width = is_ramp ? 1 : 2 * SLOPE_TILES;
    ground->depth = is_ramp ? RAMP_ROWS : 2 * SLOPE_TILES;
    uint32_t count = ground->width * ground->depth;
    made->tiles = calloc(count, sizeof *made->tiles);
    made->directory = calloc(count, sizeof *made->directory);
    if (made->tiles == NULL || made->directory == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        made->tiles[i].tile_x = ground->first_x + (int32_t)(i % ground->width);
        made->tiles[i].tile_y = ground->first_y + (int32_t)(i / ground->width);
        fill_tile(&made->tiles[i], site);
        made->directory[i] = i;
    }
    ground->tiles = made->tiles;
    ground->tile_count = count;
    ground->directory = made->directory;
    return true;
}

proving_ground *proving_ground_create(const proving_site *site) {
    proving_ground *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->surface =
        (apex_surface_def){.friction = site->friction, .rolling_ratio = 1.0, .is_road = true};
    memcpy(made->surface.name, "proving", sizeof "proving");
    made->ground = (apex_ground){.surfaces = &made->surface, .surface_count = 1};
    if (site->kind != PROVING_GROUND_FLAT && !lay_tiles(made, site)) {
        proving_ground_destroy(made);
        return NULL;
    }
    return made;
}

const apex_ground *proving_ground_of(const proving_ground *ground) {
    return &ground->ground;
}

void proving_ground_destroy(proving_ground *ground) {
    if (ground != NULL) {
        free(ground->tiles);
        free(ground->directory);
        free(ground);
    }
}
