// Walls that stand anywhere, and posts.
#include "track/terrain/terrain_ground.h"

#include <math.h>
#include <stdlib.h>

// Step along a wall that is near the road, and how deep in the road it must stand to cross it.
#define STEP_M  0.5
#define CROSS_M 0.1
// A car on a road this far under a wall's foot still meets it.
#define CAR_M        1.5
#define LENGTH_M_MAX 100000.0

uint32_t track_piece_count(const apex_track_free_wall *wall) {
    return wall->closed ? wall->point_count : wall->point_count - 1;
}

double track_piece_m(const apex_track_free_wall *wall, uint32_t piece) {
    uint32_t to = (piece + 1) % wall->point_count;
    double dx_m = wall->x_m[to] - wall->x_m[piece];
    double dy_m = wall->y_m[to] - wall->y_m[piece];
    return sqrt(dx_m * dx_m + dy_m * dy_m);
}

// Walks along the piece, in strides where no road is near.
static bool crosses_road(const apex_track *track, const apex_track_free_wall *wall, uint32_t piece,
                         uint32_t *point) {
    uint32_t to = (piece + 1) % wall->point_count;
    double length_m = track_piece_m(wall, piece);
    double at_m = 0;
    while (at_m <= length_m) {
        double x_m = track_lerp(wall->x_m[piece], wall->x_m[to], at_m / length_m);
        double y_m = track_lerp(wall->y_m[piece], wall->y_m[to], at_m / length_m);
        double spare_m = track_distance_bound_m(track, x_m, y_m);
        if (spare_m > STEP_M) {
            at_m += spare_m;
            continue;
        }
        track_clearance_query query = {
            .x_m = x_m,
            .y_m = y_m,
            .z_m = wall->base_m + (wall->height_m - CAR_M) / 2,
            .reach_z_m = (wall->height_m + CAR_M) / 2,
            .limit_m = 0,
        };
        if (track_clearance(track, &query, point) < -CROSS_M) {
            return true;
        }
        at_m += STEP_M;
    }
    return false;
}

static apex_err lay_beside_road(const apex_track_free_wall *wall, uint32_t index, uint8_t material,
                                apex_track *track, apex_def_problem *problem) {
    for (uint32_t piece = 0; piece < track_piece_count(wall); piece++) {
        uint32_t point = 0;
        if (crosses_road(track, wall, piece, &point)) {
            return track_refuse(problem,
                                "free_walls[%u].points[%u]: the wall from here on stands across "
                                "the road at points[%u]",
                                index, piece, point);
        }
    }
    track_vertex vertices[APEX_TRACK_WALL_POINTS_MAX];
    for (uint32_t i = 0; i < wall->point_count; i++) {
        vertices[i] = (track_vertex){wall->x_m[i], wall->y_m[i], wall->base_m};
    }
    track_chain chain = {
        .vertices = vertices,
        .count = wall->point_count,
        .closed = wall->closed,
        .height_m = wall->height_m,
        .material = material,
    };
    return track_add_chain(track, &chain);
}

static apex_err check_amount(const apex_track_def *def, apex_def_problem *problem) {
    double total_m = 0;
    for (uint32_t i = 0; i < def->free_wall_count; i++) {
        for (uint32_t piece = 0; piece < track_piece_count(&def->free_walls[i]); piece++) {
            total_m += track_piece_m(&def->free_walls[i], piece);
        }
    }
    if (total_m > LENGTH_M_MAX) {
        return track_refuse(problem, "free_walls: together %.0f m long, at most %.0f m", total_m,
                            LENGTH_M_MAX);
    }
    return APEX_OK;
}

static apex_err lay_free_wall(const apex_track_def *def, uint32_t index, apex_track *track,
                              apex_def_problem *problem) {
    const apex_track_free_wall *wall = &def->free_walls[index];
    int material = track_find_material(track, wall->material);
    if (material < 0) {
        return track_refuse(problem, "free_walls[%u].material: no material is called '%s'", index,
                            wall->material);
    }
    return track_has_terrain(def)
               ? track_lay_terrain_wall(wall, index, (uint8_t)material, track, problem)
               : lay_beside_road(wall, index, (uint8_t)material, track, problem);
}

apex_err track_lay_free_walls(const apex_track_def *def, apex_track *track,
                              apex_def_problem *problem) {
    apex_err err = check_amount(def, problem);
    track->free_segment = track->walls.segment_count;
    for (uint32_t i = 0; err == APEX_OK && i < def->free_wall_count; i++) {
        err = lay_free_wall(def, i, track, problem);
    }
    return err;
}

// --- Posts ------------------------------------------------------------------------------------

// Of the lowest layer, to the nearest node: a post stands on the ground, not on a bridge.
static double ground_m(const apex_ground *ground, double x_m, double y_m) {
    int32_t tile_x = track_floor(x_m / APEX_GROUND_TILE_M);
    int32_t tile_y = track_floor(y_m / APEX_GROUND_TILE_M);
    int64_t column = (int64_t)tile_x - ground->first_x;
    int64_t row = (int64_t)tile_y - ground->first_y;
    if (column < 0 || row < 0 || column >= ground->width || row >= ground->depth) {
        return ground->outside_height_m;
    }
    uint32_t index = ground->directory[row * ground->width + column];
    if (index == APEX_GROUND_NONE) {
        return ground->outside_height_m;
    }
    int32_t x = track_floor((x_m - tile_x * APEX_GROUND_TILE_M) / APEX_GROUND_CELL_M + 0.5);
    int32_t y = track_floor((y_m - tile_y * APEX_GROUND_TILE_M) / APEX_GROUND_CELL_M + 0.5);
    return (double)ground->tiles[index].height_m[y][x];
}

static apex_err lay_posts(const apex_track_def *def, apex_track *track, apex_def_problem *problem) {
    if (def->post_count == 0) {
        return APEX_OK;
    }
    track->wall_posts = calloc(def->post_count, sizeof *track->wall_posts);
    if (!track->wall_posts) {
        return APEX_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < def->post_count; i++) {
        const apex_track_post *post = &def->posts[i];
        int material = track_find_material(track, post->material);
        if (material < 0) {
            return track_refuse(problem, "posts[%u].material: no material is called '%s'", i,
                                post->material);
        }
        double base_m = ground_m(&track->ground, post->x_m, post->y_m);
        track->wall_posts[i] = (apex_wall_post){
            .x_m = post->x_m,
            .y_m = post->y_m,
            .radius_m = post->radius_m,
            .base_m = base_m,
            .top_m = base_m + post->height_m,
            .material = (uint8_t)material,
        };
    }
    track->walls.post_count = def->post_count;
    return APEX_OK;
}

apex_err track_finish_walls(const apex_track_def *def, apex_track *track,
                            apex_def_problem *problem) {
    apex_err err = lay_posts(def, track, problem);
    track->walls.segments = track->wall_segments;
    track->walls.posts = track->wall_posts;
    track->walls.materials = track->materials;
    track->walls.material_count = track->material_count;
    return err;
}
