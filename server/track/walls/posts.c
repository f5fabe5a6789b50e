// Posts, which stand on the ground and close the list of walls.
#include "track/walls/posts.h"

#include <stdlib.h>

#include "base/assert.h"
#include "track/definition/refuse.h"
#include "track/definition/surfaces.h"

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
    if (track->wall_posts == NULL) {
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
    APEX_ASSERT(track->walls.post_count == 0 && track->free_segment <= track->walls.segment_count);
    apex_err err = lay_posts(def, track, problem);
    track->walls.segments = track->wall_segments;
    track->walls.posts = track->wall_posts;
    track->walls.materials = track->materials;
    track->walls.material_count = track->material_count;
    return err;
}
