// links: base physics track
// Whole tracks as hashes: ground, walls, frames, projection.

#include "base/hash.h"
#include "support/track/track_scenes.h"
#include "track/track.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_double(apex_hash_stream *stream, double value) {
    apex_hash_add(stream, &value, sizeof value);
}

static void add_ground(apex_hash_stream *stream, const apex_ground *ground) {
    _Static_assert(sizeof(apex_ground_tile) == 12 + 4 * APEX_GROUND_NODES * APEX_GROUND_NODES +
                                                   APEX_GROUND_CELLS * APEX_GROUND_CELLS,
                   "a tile has no padding, so it can be hashed as bytes");
    apex_hash_add(stream, ground->tiles, ground->tile_count * sizeof *ground->tiles);
    apex_hash_add(stream, ground->directory,
                  (size_t)ground->width * ground->depth * sizeof *ground->directory);
    apex_hash_add(stream, &ground->first_x, sizeof ground->first_x);
    apex_hash_add(stream, &ground->first_y, sizeof ground->first_y);
    add_double(stream, ground->outside_height_m);
}

static void add_walls(apex_hash_stream *stream, const apex_walls *walls) {
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        add_double(stream, wall->from_x_m);
        add_double(stream, wall->from_y_m);
        add_double(stream, wall->to_x_m);
        add_double(stream, wall->to_y_m);
        add_double(stream, wall->base_m);
        add_double(stream, wall->top_m);
        apex_hash_add(stream, &wall->previous, sizeof wall->previous);
        apex_hash_add(stream, &wall->next, sizeof wall->next);
        apex_hash_add(stream, &wall->material, sizeof wall->material);
    }
    for (uint32_t i = 0; i < walls->post_count; i++) {
        add_double(stream, walls->posts[i].base_m);
        add_double(stream, walls->posts[i].top_m);
    }
}

static void add_lap(apex_hash_stream *stream, const apex_track *track) {
    double near_s_m = 0;
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 2.3) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        apex_track_place place = apex_track_project(track, frame.x_m + 3, frame.y_m - 2, near_s_m);
        near_s_m = place.s_m;
        const double values[] = {frame.x_m,         frame.y_m,       frame.z_m,
                                 frame.heading_rad, frame.slope_rad, frame.curvature_per_m,
                                 frame.banking_rad, frame.left_m,    frame.right_m,
                                 place.s_m,         place.offset_m,  place.left_m};
        apex_hash_add(stream, values, sizeof values);
    }
    for (uint32_t i = 0; i < 40; i++) {
        apex_placement box = apex_track_grid_placement(track, i);
        const double values[] = {box.x_m, box.y_m, box.z_m, box.yaw_rad};
        apex_hash_add(stream, values, sizeof values);
    }
}

static void add_pits(apex_hash_stream *stream, const apex_track *track) {
    apex_track_pits pits = apex_track_pits_of(track);
    for (uint32_t i = 0; i < pits.box_count; i++) {
        apex_placement at[2] = {apex_track_pit_box_placement(track, i),
                                apex_track_pit_lane_placement(track, i * pits.length_m / 12)};
        for (int k = 0; k < 2; k++) {
            const double values[] = {at[k].x_m, at[k].y_m, at[k].z_m, at[k].yaw_rad};
            apex_hash_add(stream, values, sizeof values);
        }
    }
}

static void print(const char *figure, apex_track_def def) {
    apex_track *track;
    apex_def_problem problem = {{0}, {0}};
    if (apex_track_create(&def, &track, &problem) != APEX_OK) {
        fprintf(stderr, "%s: %s: %s\n", figure, problem.field, problem.reason);
        exit(EXIT_FAILURE);
    }
    apex_hash_stream stream;
    apex_hash_begin(&stream, 0);
    add_ground(&stream, apex_track_ground(track));
    printf("%s.ground %016" PRIx64 "\n", figure, apex_hash_end(&stream));
    apex_hash_begin(&stream, 0);
    add_walls(&stream, apex_track_walls(track));
    printf("%s.walls %016" PRIx64 "\n", figure, apex_hash_end(&stream));
    apex_hash_begin(&stream, 0);
    add_lap(&stream, track);
    add_pits(&stream, track);
    printf("%s.lap %016" PRIx64 "\n", figure, apex_hash_end(&stream));
    apex_track_destroy(track);
    apex_track_def_free(&def);
}

// Hills from whole numbers, a cell that is no multiple of the ground's, a wall over all of them.
static apex_track_def hills(void) {
    apex_track_def def = track_scene_terrain(60, 45, 1.7);
    apex_terrain *map = &def.terrain;
    map->smooth = true;
    for (uint32_t i = 0; i < map->columns * map->rows; i++) {
        uint32_t column = i % map->columns, row = i / map->columns;
        map->heights[i] = (uint16_t)(500 + (column * column + 7 * row) % 97 + 3 * row);
        map->surface_map[i] = (column / 5 + row / 3) % 2;
    }
    def.free_wall_count = 1;
    def.free_walls = calloc(1, sizeof *def.free_walls);
    def.post_count = 1;
    def.posts = calloc(1, sizeof *def.posts);
    if (def.free_walls == NULL || def.posts == NULL) {
        exit(EXIT_FAILURE);
    }
    def.free_walls[0] = (apex_track_free_wall){.material = "concrete",
                                               .point_count = 3,
                                               .x_m = {3, 90, 40},
                                               .y_m = {2, 11, 70},
                                               .height_m = 1,
                                               .closed = true};
    def.posts[0] = (apex_track_post){
        .material = "plastic", .x_m = 33.3, .y_m = 44.4, .radius_m = 0.2, .height_m = 4};
    return def;
}

static apex_track_def with_pits(void) {
    apex_track_def def = track_scene_circuit(1500);
    def.wall_count = 0;
    def.pit_lane = apex_default_track_pit_lane();
    def.pit_lane.side = APEX_SIDE_RIGHT;
    def.pit_lane.entry_m = 1280;
    def.pit_lane.exit_m = 120;
    memcpy(def.pit_lane.wall_material, "concrete", sizeof "concrete");
    return def;
}

int main(void) {
    print("circuit", track_scene_circuit(3000));
    print("eight", track_scene_eight(6));
    print("oval", track_scene_oval(400, 100));
    print("drag", track_scene_drag());
    print("terrain", hills());
    print("pits", with_pits());
    return EXIT_SUCCESS;
}
