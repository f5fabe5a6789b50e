// A terrain comes back bit for bit, at its largest too, lays the same ground, and hostile ones are
// refused.

#include "support/base/check_main.h"
#include "support/track/track_scenes.h"

#include "defs/defs.h"
#include "proto/proto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static apex_track_def def, got;
static apex_def_problem problem;
static uint8_t *bytes;
static size_t length;

static void encode(void) {
    bytes = apex_track_def_encode(&def, &length);
    ck_assert_ptr_nonnull(bytes);
}

static void clear(void) {
    free(bytes);
    apex_track_def_free(&def);
    apex_track_def_free(&got);
}

static void fill(uint32_t columns, uint32_t rows) {
    def = track_scene_terrain(columns, rows, 1);
    apex_terrain *map = &def.terrain;
    map->x_m = -1.0 / 7.0;
    map->y_m = -0.0;
    map->low_m = -2.0 / 7.0;
    map->step_m = 1.0 / 700.0;
    map->smooth = true;
    for (uint32_t i = 0; i < columns * rows; i++) {
        map->heights[i] = (uint16_t)(65535 - 7 * i);
        map->surface_map[i] = (uint8_t)(i % 2);
    }
}

static void expect_same(void) {
    ck_assert_msg(apex_track_def_decode(bytes, length, &got, &problem), "%s: %s", problem.field,
                  problem.reason);
    size_t count = (size_t)def.terrain.columns * def.terrain.rows;
    ck_assert(memcmp(got.terrain.heights, def.terrain.heights, 2 * count) == 0);
    ck_assert(memcmp(got.terrain.surface_map, def.terrain.surface_map, count) == 0);
    apex_terrain a = got.terrain, b = def.terrain;
    a.heights = b.heights = NULL;
    a.surface_map = b.surface_map = NULL;
    ck_assert(a.smooth == b.smooth);
    ck_assert(memcmp(&a, &b, offsetof(apex_terrain, smooth)) == 0);
    ck_assert_uint_eq(a.surface_count, b.surface_count);
    ck_assert(memcmp(a.surfaces, b.surfaces, sizeof a.surfaces) == 0);
    ck_assert_uint_eq(a.box_count, b.box_count);
    ck_assert(memcmp(a.boxes, b.boxes, sizeof a.boxes) == 0);
}

TEST(a_terrain_comes_back) {
    fill(40, 30);
    def.terrain.boxes[0].heading_rad = -1.0 / 3.0;
    encode();
    expect_same();
    clear();
}

// With all that may stand on it.
TEST(the_largest_fits_into_one_message) {
    fill(512, 512);
    apex_terrain *map = &def.terrain;
    map->surface_count = APEX_SURFACES_MAX;
    for (uint32_t i = 0; i < APEX_SURFACES_MAX; i++) {
        memset(map->surfaces[i], 'a' + (int)i % 26, APEX_NAME_BYTES - 1);
    }
    map->box_count = APEX_TERRAIN_BOXES_MAX;
    for (uint32_t i = 0; i < map->box_count; i++) {
        map->boxes[i] = (apex_terrain_box){i / 3.0, i / 7.0, i / 70.0};
    }
    track_scene_resize(&def, APEX_TERRAIN_POINTS_MAX);
    def.free_wall_count = APEX_TRACK_WALLS_MAX;
    def.free_walls = calloc(def.free_wall_count, sizeof *def.free_walls);
    def.post_count = APEX_TRACK_POSTS_MAX;
    def.posts = calloc(def.post_count, sizeof *def.posts);
    ck_assert(def.free_walls != NULL && def.posts != NULL);
    for (uint32_t i = 0; i < def.free_wall_count; i++) {
        memset(def.free_walls[i].material, 'm', APEX_NAME_BYTES - 1);
        def.free_walls[i].point_count = APEX_TRACK_WALL_POINTS_MAX;
        def.free_walls[i].base_m = def.free_walls[i].height_m = 1;
    }
    for (uint32_t i = 0; i < def.post_count; i++) {
        memset(def.posts[i].material, 'm', APEX_NAME_BYTES - 1);
        def.posts[i].x_m = def.posts[i].y_m = def.posts[i].radius_m = def.posts[i].height_m = 1;
    }
    encode();
    ck_assert_uint_lt(length, APEX_MESSAGE_BYTES_MAX - 64);
    expect_same();
    clear();
}

TEST(both_ends_lay_the_same_ground) {
    fill(40, 30);
    encode();
    expect_same();
    apex_track *here = NULL, *there = NULL;
    ck_assert_int_eq(apex_track_create(&def, &here, &problem), APEX_OK);
    ck_assert_int_eq(apex_track_create(&got, &there, &problem), APEX_OK);
    const apex_ground *a = apex_track_ground(here), *b = apex_track_ground(there);
    ck_assert_uint_eq(a->tile_count, b->tile_count);
    ck_assert(memcmp(a->tiles, b->tiles, a->tile_count * sizeof *a->tiles) == 0);
    ck_assert_double_eq(a->outside_height_m, b->outside_height_m);
    apex_track_destroy(here);
    apex_track_destroy(there);
    clear();
}

TEST(cut_off_anywhere_nothing_is_kept) {
    fill(4, 3);
    encode();
    for (size_t cut = 0; cut < length; cut++) {
        uint8_t *copy = malloc(cut + 1); // so that asan sees a byte too many
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, bytes, cut);
        // The terrain is the last field: only a cut before its tag leaves a whole definition.
        if (apex_track_def_decode(copy, cut, &got, &problem)) {
            ck_assert_uint_eq(got.terrain.columns, 0);
            apex_track_def_free(&got);
        }
        ck_assert(got.terrain.heights == NULL && got.terrain.surface_map == NULL);
        free(copy);
    }
    clear();
}

// Points and a grid of nothing, then a terrain of these bytes.
static void expect_refused(const char *terrain, size_t terrain_length, const char *told) {
    uint8_t message[64] = {0x2a, 0x00, 0x6a, 0x00, 0xf2, 0x01};
    ck_assert_uint_lt(terrain_length, 50);
    message[6] = (uint8_t)terrain_length;
    memcpy(message + 7, terrain, terrain_length);
    ck_assert(!apex_track_def_decode(message, 7 + terrain_length, &got, &problem));
    char text[sizeof problem.field + sizeof problem.reason + 1];
    snprintf(text, sizeof text, "%s %s", problem.field, problem.reason);
    ck_assert_str_eq(text, told);
    ck_assert(got.terrain.heights == NULL && got.terrain.surface_map == NULL);
    ck_assert_uint_eq(got.terrain.columns, 0);
}

#define REFUSED(terrain, told) expect_refused(terrain, sizeof(terrain) - 1, told)

TEST(hostile_terrains_are_refused) {
    REFUSED("", "terrain.columns times rows is not 1..262144");
    REFUSED("\x08\x01", "terrain.columns times rows is not 1..262144");
    // 65536 by 65536 is 0 in 32 bits.
    REFUSED("\x08\x80\x80\x04\x10\x80\x80\x04", "terrain.columns times rows is not 1..262144");
    REFUSED("\x08\x02\x10\x02", "terrain.heights is not two bytes for each node");
    REFUSED("\x08\x02\x10\x01\x5a\x03"
            "abc",
            "terrain.heights is not two bytes for each node");
    REFUSED("\x08\x02\x10\x01\x5a\x04"
            "abcd\x62\x01x",
            "terrain.surface_map is not a byte for each node");
    REFUSED("\x08\x02\x10\x01\x29\0\0\0\0\0\0\xf8\x7f", "terrain.cell_m is not a number");
    REFUSED("\x08\x02\x10\x01\x4a\x20"
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "terrain.surfaces has a name that is too long or unprintable");
}
