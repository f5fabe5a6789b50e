// Walls that stand anywhere, laid on a terrain or beside a road.
#include "track/walls/free_walls.h"

#include "track/definition/refuse.h"
#include "track/definition/surfaces.h"
#include "track/definition/terrain_check.h"
#include "track/lap/clearance.h"
#include "track/lap/projection.h"
#include "track/walls/terrain_walls.h"
#include "track/walls/wall_chain.h"

// Step along a wall that is near the road, and how deep in the road it must stand to cross it.
#define STEP_M  0.5
#define CROSS_M 0.1
// A car on a road this far under a wall's foot still meets it.
#define CAR_M        1.5
#define LENGTH_M_MAX 100000.0

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
