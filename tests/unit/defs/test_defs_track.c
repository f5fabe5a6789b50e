// A track definition comes back bit for bit, at its largest too, and nothing else does.

#include "support/base/check_main.h"

#include "defs/defs.h"
#include "proto/proto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static apex_track_def full;
static double next_value;

// Distinct numbers of both signs with bits in all of the mantissa, and -0.0 among them.
static double number(void) {
    next_value += 1.0;
    double sign = (int64_t)next_value % 2 ? -1.0 : 1.0;
    return (int64_t)next_value % 17 == 0 ? -0.0 : sign * next_value / 7.0;
}

static void fill_text(char *text, size_t bytes, char letter, uint32_t index) {
    memset(text, letter, bytes - 1);
    text[bytes - 1] = 0;
    int digits = snprintf(text, bytes, "%u", index);
    text[digits] = letter;
}

#define FILL_TEXT(text, letter, index) fill_text(text, sizeof(text), letter, index)

static void fill_lists(void) {
    full.sector_count = APEX_TRACK_SECTORS_MAX;
    for (uint32_t i = 0; i < full.sector_count; i++) {
        full.sector_m[i] = number();
    }
    full.surface_count = APEX_SURFACES_MAX;
    for (uint32_t i = 0; i < full.surface_count; i++) {
        apex_surface_def *surface = &full.surfaces[i];
        FILL_TEXT(surface->name, 's', i);
        surface->friction = number();
        surface->rolling_ratio = number();
        surface->plough_n_per_mps = number();
        surface->roughness_m = number();
        surface->is_road = i % 2;
    }
    full.material_count = APEX_WALL_MATERIALS_MAX;
    for (uint32_t i = 0; i < full.material_count; i++) {
        FILL_TEXT(full.materials[i].name, 'm', i);
        full.materials[i].restitution = number();
        full.materials[i].friction = number();
    }
    full.strip_count = APEX_TRACK_STRIPS_MAX;
    for (uint32_t i = 0; i < full.strip_count; i++) {
        apex_track_strip *strip = &full.strips[i];
        FILL_TEXT(strip->surface, 'f', i);
        strip->side = (apex_track_side)(i % 3);
        strip->from_m = number();
        strip->to_m = number();
        strip->from_edge = i % 2;
        strip->inner_m = number();
        strip->outer_m = number();
        strip->height_m = number();
    }
    full.wall_count = APEX_TRACK_WALLS_MAX;
    for (uint32_t i = 0; i < full.wall_count; i++) {
        apex_track_wall *wall = &full.walls[i];
        FILL_TEXT(wall->material, 'w', i);
        wall->side = (apex_track_side)(i % 3);
        wall->from_m = number();
        wall->to_m = number();
        wall->distance_m = number();
        wall->height_m = number();
    }
}

static void fill_owned(void) {
    full.point_count = APEX_TRACK_POINTS_MAX;
    full.points = calloc(full.point_count, sizeof full.points[0]);
    full.free_wall_count = APEX_TRACK_WALLS_MAX;
    full.free_walls = calloc(full.free_wall_count, sizeof full.free_walls[0]);
    full.post_count = APEX_TRACK_POSTS_MAX;
    full.posts = calloc(full.post_count, sizeof full.posts[0]);
    ck_assert(full.points != NULL && full.free_walls != NULL && full.posts != NULL);
    for (uint32_t i = 0; i < full.point_count; i++) {
        full.points[i] =
            (apex_track_point){number(), number(), number(), number(), number(), number()};
    }
    for (uint32_t i = 0; i < full.free_wall_count; i++) {
        apex_track_free_wall *wall = &full.free_walls[i];
        FILL_TEXT(wall->material, 'e', i);
        wall->point_count = i % (APEX_TRACK_WALL_POINTS_MAX + 1);
        for (uint32_t p = 0; p < wall->point_count; p++) {
            wall->x_m[p] = number();
            wall->y_m[p] = number();
        }
        wall->base_m = number();
        wall->height_m = number();
        wall->closed = i % 2;
    }
    for (uint32_t i = 0; i < full.post_count; i++) {
        apex_track_post *post = &full.posts[i];
        FILL_TEXT(post->material, 'p', i);
        post->x_m = number();
        post->y_m = number();
        post->radius_m = number();
        post->height_m = number();
    }
}

static void fill_full(void) {
    memset(&full, 0, sizeof full);
    next_value = 0.0;
    FILL_TEXT(full.name, 'n', 1);
    FILL_TEXT(full.title, 't', 2);
    FILL_TEXT(full.author, 'a', 3);
    FILL_TEXT(full.road_surface, 'r', 4);
    FILL_TEXT(full.outside_surface, 'o', 5);
    FILL_TEXT(full.verge_surface, 'v', 6);
    full.closed = true;
    full.verge_m = number();
    full.start_m = number();
    full.finish_m = number();
    full.grid.first_m = number();
    full.grid.spacing_m = number();
    full.grid.columns = UINT32_MAX;
    full.grid.column_gap_m = number();
    full.grid.pole_side = APEX_SIDE_BOTH;
    full.pit_lane.given = true;
    full.pit_lane.side = APEX_SIDE_RIGHT;
    full.pit_lane.entry_m = number();
    full.pit_lane.exit_m = number();
    full.pit_lane.taper_m = number();
    full.pit_lane.distance_m = number();
    full.pit_lane.width_m = number();
    full.pit_lane.speed_limit_mps = number();
    full.pit_lane.box_count = UINT32_MAX - 2;
    full.pit_lane.box_spacing_m = number();
    full.pit_lane.box_depth_m = number();
    FILL_TEXT(full.pit_lane.surface, 'l', 7);
    FILL_TEXT(full.pit_lane.wall_material, 'k', 8);
    full.pit_lane.wall_height_m = number();
    full.roughness_seed = UINT64_MAX - 1;
    fill_lists();
    fill_owned();
}

static void free_full(void) {
    apex_track_def_free(&full);
}

static uint8_t *encode(const apex_track_def *def, size_t *length) {
    uint8_t *bytes = apex_track_def_encode(def, length);
    ck_assert_ptr_nonnull(bytes);
    return bytes;
}

static void check_owned(const apex_track_def *got) {
    ck_assert_uint_eq(got->point_count, full.point_count);
    ck_assert(memcmp(got->points, full.points, full.point_count * sizeof full.points[0]) == 0);
    ck_assert_uint_eq(got->free_wall_count, full.free_wall_count);
    ck_assert(memcmp(got->free_walls, full.free_walls,
                     full.free_wall_count * sizeof full.free_walls[0]) == 0);
    ck_assert_uint_eq(got->post_count, full.post_count);
    ck_assert(memcmp(got->posts, full.posts, full.post_count * sizeof full.posts[0]) == 0);
}

FIXTURE(fill_full, free_full)

TEST(the_largest_track_comes_back) {
    size_t length;
    uint8_t *bytes = encode(&full, &length);
    // It must go into one Def message.
    ck_assert_uint_lt(length, APEX_MESSAGE_BYTES_MAX - 64);
    apex_track_def got;
    apex_def_problem problem = {"", ""};
    ck_assert_msg(apex_track_def_decode(bytes, length, &got, &problem), "%s %s", problem.field,
                  problem.reason);
    check_owned(&got);
    apex_track_def same = got;
    same.points = full.points;
    same.free_walls = full.free_walls;
    same.posts = full.posts;
    // field by field where padding may differ, as bytes where there is none
    ck_assert_str_eq(same.name, full.name);
    ck_assert_str_eq(same.title, full.title);
    ck_assert_str_eq(same.author, full.author);
    ck_assert_int_eq(same.closed, full.closed);
    ck_assert_str_eq(same.road_surface, full.road_surface);
    ck_assert_str_eq(same.outside_surface, full.outside_surface);
    ck_assert_str_eq(same.verge_surface, full.verge_surface);
    ck_assert_mem_eq(&same.verge_m, &full.verge_m, sizeof same.verge_m);
    ck_assert_mem_eq(&same.start_m, &full.start_m, sizeof same.start_m);
    ck_assert_mem_eq(&same.finish_m, &full.finish_m, sizeof same.finish_m);
    ck_assert_uint_eq(same.sector_count, full.sector_count);
    ck_assert_mem_eq(same.sector_m, full.sector_m, sizeof same.sector_m);
    ck_assert_mem_eq(&same.grid, &full.grid, offsetof(apex_track_grid, columns));
    ck_assert_uint_eq(same.grid.columns, full.grid.columns);
    ck_assert_mem_eq(&same.grid.column_gap_m, &full.grid.column_gap_m, sizeof(double));
    ck_assert_int_eq(same.grid.pole_side, full.grid.pole_side);
    ck_assert(memcmp(&same.pit_lane, &full.pit_lane, sizeof same.pit_lane) == 0);
    ck_assert_uint_eq(same.surface_count, full.surface_count);
    ck_assert(memcmp(same.surfaces, full.surfaces, sizeof same.surfaces) == 0);
    ck_assert_uint_eq(same.material_count, full.material_count);
    ck_assert(memcmp(same.materials, full.materials, sizeof same.materials) == 0);
    ck_assert_uint_eq(same.strip_count, full.strip_count);
    ck_assert(memcmp(same.strips, full.strips, sizeof same.strips) == 0);
    ck_assert_uint_eq(same.wall_count, full.wall_count);
    ck_assert(memcmp(same.walls, full.walls, sizeof same.walls) == 0);
    ck_assert_uint_eq(same.roughness_seed, full.roughness_seed);
    apex_track_def_free(&got);
    free(bytes);
}

TEST(an_empty_track_comes_back) {
    apex_track_def def = apex_default_track_def();
    size_t length;
    uint8_t *bytes = encode(&def, &length);
    apex_track_def got;
    ck_assert(apex_track_def_decode(bytes, length, &got, NULL));
    ck_assert_uint_eq(got.point_count, 0);
    ck_assert_uint_eq(got.post_count, 0);
    ck_assert(!got.pit_lane.given);
    ck_assert_str_eq(got.road_surface, def.road_surface);
    ck_assert_uint_eq(got.grid.columns, def.grid.columns);
    apex_track_def_free(&got);
    free(bytes);
}

// Bytes that are cut off are refused, or are a definition that lacks its end; it owns nothing when
// refused.
TEST(cut_off_anywhere) {
    apex_track_def small = full;
    small.point_count = 20;
    small.free_wall_count = 3;
    small.post_count = 5;
    small.strip_count = 2;
    size_t length;
    uint8_t *bytes = encode(&small, &length);
    uint32_t accepted = 0;
    for (size_t cut = 0; cut < length; cut++) {
        uint8_t *copy = malloc(cut + 1); // so that asan sees a byte too many
        ck_assert_ptr_nonnull(copy);
        memcpy(copy + 1, bytes, cut);
        apex_track_def got;
        apex_def_problem problem = {"", ""};
        if (apex_track_def_decode(copy + 1, cut, &got, &problem)) {
            accepted++;
            apex_track_def_free(&got);
        } else {
            ck_assert_uint_gt(strlen(problem.reason), 0);
            ck_assert(got.points == NULL && got.free_walls == NULL && got.posts == NULL);
        }
        free(copy);
    }
    // Once the grid is there nothing more is needed: one cut before each later element.
    ck_assert_uint_eq(accepted, 32 + 8 + 2 + 128 + 3 + 5 + 1 + 1); // the last is the pit lane
    free(bytes);
}

static void replace(uint8_t *bytes, size_t length, double from, double to) {
    for (size_t i = 0; i + sizeof from <= length; i++) {
        if (memcmp(bytes + i, &from, sizeof from) == 0) {
            memcpy(bytes + i, &to, sizeof to);
            return;
        }
    }
    ck_abort_msg("the value is not in the bytes");
}

TEST(a_refusal_names_the_field) {
    const struct {
        double from;
        const char *field, *reason;
    } cases[] = {
        {full.verge_m, "verge_m", "is not a number"},
        {full.grid.spacing_m, "grid.spacing_m", "is not a number"},
        {full.pit_lane.width_m, "pit_lane.width_m", "is not a number"},
        {full.sector_m[3], "sector_m", "has a value that is no number"},
        {full.surfaces[31].friction, "surfaces[31].friction", "is not a number"},
        {full.strips[100].outer_m, "strips[100].outer_m", "is not a number"},
        {full.points[8191].right_m, "points.right_m", "has a value that is no number"},
        {full.free_walls[64].y_m[2], "free_walls[64].y_m", "has a value that is no number"},
        {full.posts[511].radius_m, "posts[511].radius_m", "is not a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert(cases[i].from != 0.0);
        size_t length;
        uint8_t *bytes = encode(&full, &length);
        replace(bytes, length, cases[i].from, (double)NAN);
        apex_track_def got;
        apex_def_problem problem;
        ck_assert(!apex_track_def_decode(bytes, length, &got, &problem));
        ck_assert_str_eq(problem.field, cases[i].field);
        ck_assert_str_eq(problem.reason, cases[i].reason);
        ck_assert(got.points == NULL && got.free_walls == NULL && got.posts == NULL);
        free(bytes);
    }
}

// `count` copies of an element with this number and these bytes, behind points and a grid.
static bool decode_many(uint32_t number_on_wire, const char *element, size_t element_bytes,
                        size_t count, apex_def_problem *problem) {
    size_t capacity = 16 + count * (element_bytes + 4);
    uint8_t *bytes = malloc(capacity), *at = bytes;
    ck_assert_ptr_nonnull(bytes);
    memcpy(at, "\x2a\x00\x6a\x00", 4);
    at += 4;
    for (size_t i = 0; i < count; i++) {
        uint32_t tag = number_on_wire << 3 | 2;
        *at++ = (uint8_t)(tag | 0x80);
        *at++ = (uint8_t)(tag >> 7);
        *at++ = (uint8_t)element_bytes;
        memcpy(at, element, element_bytes);
        at += element_bytes;
    }
    apex_track_def got;
    bool good = apex_track_def_decode(bytes, (size_t)(at - bytes), &got, problem);
    if (good) {
        apex_track_def_free(&got);
    }
    free(bytes);
    return good;
}

TEST(lists_that_are_too_long) {
    static const struct {
        uint32_t number, most;
        const char *field, *reason;
    } lists[] = {
        {16, APEX_TRACK_STRIPS_MAX, "strips", "has more than 128 elements"},
        {17, APEX_TRACK_WALLS_MAX, "walls", "has more than 128 elements"},
        {18, APEX_TRACK_WALLS_MAX, "free_walls", "has more than 128 elements"},
        {19, APEX_TRACK_POSTS_MAX, "posts", "has more than 512 elements"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        apex_def_problem problem;
        // a name of one letter: real elements are longer and need less memory for each byte
        ck_assert(decode_many(lists[i].number, "\x0a\x01s", 3, lists[i].most, &problem));
        ck_assert(!decode_many(lists[i].number, "\x0a\x01s", 3, lists[i].most + 1, &problem));
        ck_assert_str_eq(problem.field, lists[i].field);
        ck_assert_str_eq(problem.reason, lists[i].reason);
    }
}

// Two bytes an element are the dearest there is; past the stated memory they are refused.
TEST(memory_is_bounded) {
    apex_def_problem problem;
    ck_assert(!decode_many(18, "", 0, 300000, &problem));
    ck_assert_str_eq(problem.reason, "is made of bytes that are no definition");
}

static const struct {
    const char *bytes;
    size_t length;
    const char *field, *reason;
} hostile[] = {
    {"", 0, "", "is not 1..1048576 bytes long"},
    {"\x2a\x05", 2, "", "is made of bytes that are no definition"},
    {"\x0a\x01n", 3, "points", "is missing"},
    {"\x2a\x00", 2, "grid", "is missing"},
    {"\x2a\x0a\x0a\x08\0\0\0\0\0\0\0\0", 12, "points.y_m", "has not as many values as x_m"},
    {"\x2a\x0a\x12\x08\0\0\0\0\0\0\0\0", 12, "points.y_m", "has not as many values as x_m"},
    {"\x2a\x00\x6a\x02\x28\x03", 6, "grid.pole_side", "is outside 0..2"},
    {"\x2a\x00\x6a\x00\xaa\x01\x02\x08\x03", 9, "pit_lane.side", "is outside 0..2"},
    {"\x2a\x00\x6a\x00\x82\x01\x02\x10\x03", 9, "strips[0].side", "is outside 0..2"},
    {"\x2a\x00\x6a\x00\x82\x01\x00\x8a\x01\x02\x10\x03", 12, "walls[0].side", "is outside 0..2"},
};

TEST_OVER(hostile_bytes_are_refused, 0, sizeof hostile / sizeof hostile[0]) {
    apex_track_def got;
    apex_def_problem problem;
    ck_assert(!apex_track_def_decode((const uint8_t *)hostile[_i].bytes, hostile[_i].length, &got,
                                     &problem));
    ck_assert_str_eq(problem.field, hostile[_i].field);
    ck_assert_str_eq(problem.reason, hostile[_i].reason);
}
