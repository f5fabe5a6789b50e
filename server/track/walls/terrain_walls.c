// Walls that stand on a terrain: their foot follows the ground.
#include "track/walls/terrain_walls.h"

#include <stdlib.h>

#include "base/assert.h"
#include "track/definition/refuse.h"
#include "track/lap/clearance.h"
#include "track/walls/wall_chain.h"

#define STEP_M       2.0
#define ANY_HEIGHT_M 1e6
#define CROSS_M      0.1

typedef struct wall_run {
    const apex_track *track;
    const apex_track_free_wall *wall;
    track_vertex *vertices;
    uint32_t count, capacity;
} wall_run;

static uint32_t steps_of(double length_m) {
    return (uint32_t)track_floor(length_m / STEP_M) + 1;
}

static void add_vertex(wall_run *run, double x_m, double y_m) {
    APEX_ASSERT(run->count < run->capacity);
    apex_ground_sample under = apex_ground_at(&run->track->ground, x_m, y_m, 0);
    run->vertices[run->count++] = (track_vertex){x_m, y_m, under.height_m + run->wall->base_m};
}

static void add_piece(wall_run *run, uint32_t piece) {
    const apex_track_free_wall *wall = run->wall;
    uint32_t to = (piece + 1) % wall->point_count;
    uint32_t steps = steps_of(track_piece_m(wall, piece));
    for (uint32_t i = 0; i < steps; i++) {
        double t = (double)i / steps;
        add_vertex(run, track_lerp(wall->x_m[piece], wall->x_m[to], t),
                   track_lerp(wall->y_m[piece], wall->y_m[to], t));
    }
}

// Only a course can be crossed; a terrain without one is free to be divided up.
static apex_err check_crossing(const apex_track *track, const wall_run *run, uint32_t index,
                               apex_def_problem *problem) {
    for (uint32_t i = 0; i < run->count && track->has_lap; i++) {
        uint32_t point = 0;
        track_clearance_query query = {
            .x_m = run->vertices[i].x_m, .y_m = run->vertices[i].y_m, .reach_z_m = ANY_HEIGHT_M};
        if (track_clearance(track, &query, &point) < -CROSS_M) {
            return track_refuse(problem,
                                "free_walls[%u]: the wall stands across the course at points[%u]",
                                index, point);
        }
    }
    return APEX_OK;
}

apex_err track_lay_terrain_wall(const apex_track_free_wall *wall, uint32_t index, uint8_t material,
                                apex_track *track, apex_def_problem *problem) {
    wall_run run = {.track = track, .wall = wall, .capacity = 1};
    for (uint32_t piece = 0; piece < track_piece_count(wall); piece++) {
        run.capacity += steps_of(track_piece_m(wall, piece));
    }
    run.vertices = calloc(run.capacity, sizeof *run.vertices);
    if (run.vertices == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    for (uint32_t piece = 0; piece < track_piece_count(wall); piece++) {
        add_piece(&run, piece);
    }
    if (!wall->closed) {
        add_vertex(&run, wall->x_m[wall->point_count - 1], wall->y_m[wall->point_count - 1]);
    }
    apex_err err = check_crossing(track, &run, index, problem);
    if (err == APEX_OK) {
        err = track_add_chain(track, &(track_chain){.vertices = run.vertices,
                                                    .count = run.count,
                                                    .closed = wall->closed,
                                                    .height_m = wall->height_m,
                                                    .material = material});
    }
    free(run.vertices);
    return err;
}
