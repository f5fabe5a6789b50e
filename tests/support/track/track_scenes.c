// Track definitions whose geometry is known, point by point.
#include "support/track/track_scenes.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/trig.h"

#define WIDTH_M 5.0

void track_scene_resize(apex_track_def *def, uint32_t count) {
    free(def->points);
    def->points = calloc(count, sizeof *def->points);
    if (def->points == NULL) {
        abort();
    }
    def->point_count = count;
}

static apex_track_def named(const char *name, uint32_t points) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "%s", name);
    track_scene_resize(&def, points);
    for (uint32_t i = 0; i < points; i++) {
        def.points[i].left_m = WIDTH_M;
        def.points[i].right_m = WIDTH_M;
    }
    return def;
}

apex_track_def track_scene_circle(double radius_m, uint32_t points, double banking_rad) {
    apex_track_def def = named("circle", points);
    for (uint32_t i = 0; i < points; i++) {
        double angle_rad = 2 * APEX_PI * i / points;
        def.points[i].x_m = radius_m * apex_cos(angle_rad);
        def.points[i].y_m = radius_m * apex_sin(angle_rad);
        def.points[i].banking_rad = banking_rad;
    }
    return def;
}

apex_track_def track_scene_oval(double straight_m, double radius_m) {
    enum { STRAIGHT = 20, BEND = 30, COUNT = 2 * (STRAIGHT + BEND) };
    apex_track_def def = named("oval", COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        // The second half is the first turned by half a turn; it starts where the first ends.
        uint32_t k = i % (COUNT / 2);
        double x_m = straight_m * k / STRAIGHT - straight_m / 2;
        double y_m = -radius_m;
        if (k > STRAIGHT) {
            double angle_rad = APEX_PI * (k - STRAIGHT) / BEND;
            x_m = straight_m / 2 + radius_m * apex_sin(angle_rad);
            y_m = -radius_m * apex_cos(angle_rad);
        }
        def.points[i].x_m = i < COUNT / 2 ? x_m : -x_m;
        def.points[i].y_m = i < COUNT / 2 ? y_m : -y_m;
    }
    return def;
}

apex_track_def track_scene_eight(double bridge_m) {
    enum { COUNT = 160 };
    apex_track_def def = named("eight", COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        double angle_rad = 2 * APEX_PI * i / COUNT;
        double sin;
        double cos;
        apex_sincos(angle_rad, &sin, &cos);
        def.points[i].x_m = 200 * sin;
        def.points[i].y_m = 160 * sin * cos;
        // Level but for the branch over the crossing at angle 0.
        double share = cos > 0 ? cos * cos : 0;
        def.points[i].z_m = bridge_m * share * share;
    }
    return def;
}

apex_track_def track_scene_drag(void) {
    apex_track_def def = named("drag", 41);
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].x_m = 20.0 * i;
        def.points[i].left_m = 8;
        def.points[i].right_m = 8;
    }
    def.closed = false;
    def.start_m = 100;
    def.finish_m = 502.336;
    def.grid.pole_side = APEX_SIDE_LEFT;
    def.grid.columns = 2;
    def.grid.column_gap_m = 8;
    return def;
}

static apex_track_strip strip(const char *surface, double inner_m, double outer_m) {
    apex_track_strip strip = {.side = APEX_SIDE_BOTH, .from_edge = true};
    snprintf(strip.surface, sizeof strip.surface, "%s", surface);
    strip.inner_m = inner_m;
    strip.outer_m = outer_m;
    return strip;
}

static void furnish(apex_track_def *def, double length_m) {
    def->strip_count = 4;
    def->strips[0] = strip("kerb", 0, 1.2);
    def->strips[0].height_m = 0.06;
    def->strips[1] = strip("gravel", 2, 25);
    def->strips[1].side = APEX_SIDE_RIGHT;
    def->strips[1].from_m = 0.2 * length_m;
    def->strips[1].to_m = 0.3 * length_m;
    def->strips[2] = strip("wet-asphalt", -2, 3);
    def->strips[2].from_edge = false;
    def->strips[2].from_m = 0.9 * length_m;
    def->strips[2].to_m = 0.05 * length_m;
    def->strips[3] = strip("concrete", 0, 3);
    def->strips[3].side = APEX_SIDE_LEFT;
    def->strips[3].from_m = 0.5 * length_m;
    def->strips[3].to_m = 0.55 * length_m;
    def->wall_count = 2;
    def->walls[0] = (apex_track_wall){
        .material = "guard-rail", .side = APEX_SIDE_BOTH, .distance_m = 14, .height_m = 1};
    def->walls[1] = (apex_track_wall){.material = "tyre-wall",
                                      .side = APEX_SIDE_RIGHT,
                                      .from_m = 0.2 * length_m,
                                      .to_m = 0.3 * length_m,
                                      .distance_m = 12,
                                      .height_m = 1.2};
    def->post_count = 1;
    def->posts = calloc(1, sizeof *def->posts);
    def->free_wall_count = 1;
    def->free_walls = calloc(1, sizeof *def->free_walls);
    if (def->posts == NULL || def->free_walls == NULL) {
        abort();
    }
    def->posts[0] = (apex_track_post){.material = "plastic", .radius_m = 0.2, .height_m = 0.7};
    def->free_walls[0] = (apex_track_free_wall){.material = "concrete",
                                                .point_count = 3,
                                                .x_m = {-20, 20, 0},
                                                .y_m = {0, 0, 20},
                                                .height_m = 2,
                                                .closed = true};
}

apex_track_def track_scene_circuit(double length_m) {
    uint32_t points = (uint32_t)(length_m / 12);
    apex_track_def def = named("circuit", points);
    // A star of five soft points: mean radius from its length, 1.2 times a circle's.
    double radius_m = length_m / (2 * APEX_PI * 1.2);
    for (uint32_t i = 0; i < points; i++) {
        double angle_rad = 2 * APEX_PI * i / points;
        double reach_m = radius_m * (1 + 0.14 * apex_cos(5 * angle_rad));
        apex_track_point *point = &def.points[i];
        point->x_m = reach_m * apex_cos(angle_rad);
        point->y_m = reach_m * apex_sin(angle_rad);
        point->z_m = 15 + 12 * apex_sin(2 * angle_rad) + 3 * apex_cos(7 * angle_rad);
        point->banking_rad = 0.06 * apex_cos(5 * angle_rad);
        point->left_m = 6 + 1.5 * apex_sin(3 * angle_rad);
        point->right_m = 6;
    }
    def.start_m = 100;
    def.sector_count = 2;
    def.sector_m[0] = length_m * 0.3;
    def.sector_m[1] = length_m * 0.6;
    furnish(&def, length_m);
    return def;
}

apex_track_def track_scene_terrain(uint32_t columns, uint32_t rows, double cell_m) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "terrain");
    snprintf(def.outside_surface, sizeof def.outside_surface, "sand");
    apex_terrain *map = &def.terrain;
    map->columns = columns;
    map->rows = rows;
    map->cell_m = cell_m;
    map->low_m = -1;
    map->step_m = 0.01;
    map->surface_count = 2;
    snprintf(map->surfaces[0], APEX_NAME_BYTES, "concrete");
    snprintf(map->surfaces[1], APEX_NAME_BYTES, "grass");
    map->box_count = 1;
    map->boxes[0] = (apex_terrain_box){20, 20, 0};
    size_t count = (size_t)columns * rows;
    map->heights = calloc(count, sizeof *map->heights);
    map->surface_map = calloc(count, 1);
    if (map->heights == NULL || map->surface_map == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_FAILURE);
    }
    for (size_t i = 0; i < count; i++) {
        map->heights[i] = 100;
    }
    return def;
}
