// Tests of what a definition can have wrong, and of what is said about it.

#include "base/trig.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fault {
    void (*make)(apex_track_def *def); // of a flat oval of 400 m straights and 100 m bends
    const char *field, *reason;
} fault;

static void name_with_capital(apex_track_def *def) {
    memcpy(def->name, "Oval", 5);
}
static void name_without_end(apex_track_def *def) {
    memset(def->name, 'a', sizeof def->name);
}
static void title_without_end(apex_track_def *def) {
    memset(def->title, 'a', sizeof def->title);
}
static void two_points(apex_track_def *def) {
    def->point_count = 2;
}
static void far_too_many_points(apex_track_def *def) {
    def->point_count = UINT32_MAX;
}
static void no_points(apex_track_def *def) {
    free(def->points);
    def->points = NULL;
}
static void no_width(apex_track_def *def) {
    def->points[17].left_m = 0;
}
static void nan_point(apex_track_def *def) {
    def->points[3].y_m = (double)NAN;
}
static void infinite_point(apex_track_def *def) {
    def->points[99].z_m = HUGE_VAL;
}
static void steep_banking(apex_track_def *def) {
    def->points[4].banking_rad = -1.5;
}
static void point_twice(apex_track_def *def) {
    def->points[8] = def->points[7];
}
static void closed_twice(apex_track_def *def) {
    def->points[99] = def->points[0];
}
static void left_open(apex_track_def *def) {
    def->point_count = 21;
}
static void too_long(apex_track_def *def) {
    def->points[0].x_m = -50000;
}
static void too_tight(apex_track_def *def) {
    for (uint32_t i = 21; i < 50; i++) {
        def->points[i].left_m = 50;
        def->points[i].right_m = 20;
    }
    for (uint32_t i = 0; i < def->point_count; i++) {
        def->points[i].x_m *= 0.3;
        def->points[i].y_m *= 0.3;
    }
}
static void too_steep(apex_track_def *def) {
    def->points[10].z_m = 60;
}
static void start_off_the_lap(apex_track_def *def) {
    def->start_m = 1500;
}
static void negative_start(apex_track_def *def) {
    def->start_m = -1;
}
static void sectors_fall(apex_track_def *def) {
    def->sector_count = 2;
    def->sector_m[0] = 900;
    def->sector_m[1] = 800;
}
static void sector_past_the_lap(apex_track_def *def) {
    def->sector_count = 1;
    def->sector_m[0] = 2000;
}
static void too_many_sectors(apex_track_def *def) {
    def->sector_count = 8;
}
static void no_columns(apex_track_def *def) {
    def->grid.columns = 0;
}
static void pole_on_both(apex_track_def *def) {
    def->grid.pole_side = APEX_SIDE_BOTH;
}
static void verge_too_wide(apex_track_def *def) {
    def->verge_m = 101;
}
static void unknown_road(apex_track_def *def) {
    memcpy(def->road_surface, "tarmac", 7);
}

static apex_track_strip *add_strip(apex_track_def *def) {
    apex_track_strip *strip = &def->strips[def->strip_count++];
    *strip = (apex_track_strip){.surface = "kerb", .outer_m = 1, .from_edge = true};
    return strip;
}
static void unknown_strip(apex_track_def *def) {
    add_strip(def);
    memcpy(add_strip(def)->surface, "gras", 5);
}
static void strip_inside_out(apex_track_def *def) {
    add_strip(def)->inner_m = 2;
}
static void strip_off_the_lap(apex_track_def *def) {
    add_strip(def)->to_m = 1500;
}
static void strip_of_no_length(apex_track_def *def) {
    add_strip(def)->from_m = 20;
    def->strips[0].to_m = 20;
}
static void strip_on_no_side(apex_track_def *def) {
    add_strip(def)->side = (apex_track_side)7;
}
static void too_many_strips(apex_track_def *def) {
    def->strip_count = 129;
}

static void strips_upon_strips(apex_track_def *def) {
    for (int i = 0; i < 33; i++) {
        add_strip(def)->from_m = 700;
        def->strips[i].to_m = 702 + i;
    }
}
static void acres_of_verge(apex_track_def *def) {
    def->closed = false;
    def->finish_m = 29000;
    def->verge_m = 100;
    def->point_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        def->points[i] = (apex_track_point){.x_m = 29000.0 * i, .left_m = 50, .right_m = 50};
    }
}

static apex_track_wall *add_wall(apex_track_def *def) {
    apex_track_wall *wall = &def->walls[def->wall_count++];
    *wall = (apex_track_wall){.material = "concrete", .distance_m = 5, .height_m = 1};
    return wall;
}
static void unknown_material(apex_track_def *def) {
    memcpy(add_wall(def)->material, "hay", 4);
}
static void wall_on_the_road(apex_track_def *def) {
    add_wall(def)->distance_m = -3;
}
static void wall_off_the_lap(apex_track_def *def) {
    add_wall(def)->from_m = -0.1;
}
static void no_room_for_a_wall(apex_track_def *def) {
    apex_track_def_free(def);
    *def = track_scene_oval(400, 20);
    add_wall(def)->distance_m = 40;
}
static void miles_of_walls(apex_track_def *def) {
    for (int i = 0; i < 128; i++) {
        add_wall(def)->side = APEX_SIDE_BOTH;
    }
}

static apex_track_free_wall *add_free_wall(apex_track_def *def) {
    def->free_walls = calloc(1, sizeof *def->free_walls);
    ck_assert_ptr_nonnull(def->free_walls);
    def->free_wall_count = 1;
    def->free_walls[0] = (apex_track_free_wall){.material = "concrete",
                                                .point_count = 3,
                                                .x_m = {0, 10, 10},
                                                .y_m = {0, 0, -300},
                                                .height_m = 1};
    return def->free_walls;
}
static void wall_across_the_road(apex_track_def *def) {
    add_free_wall(def);
}
static void wall_of_one_point(apex_track_def *def) {
    add_free_wall(def)->point_count = 1;
}
static void wall_that_stands_still(apex_track_def *def) {
    add_free_wall(def)->x_m[1] = 0;
}
static void wall_of_nan(apex_track_def *def) {
    add_free_wall(def)->y_m[2] = (double)NAN;
}
static void free_walls_missing(apex_track_def *def) {
    def->free_wall_count = 1;
}
static void thick_post(apex_track_def *def) {
    def->posts = calloc(1, sizeof *def->posts);
    ck_assert_ptr_nonnull(def->posts);
    def->post_count = 1;
    def->posts[0] = (apex_track_post){.material = "plastic", .radius_m = 21, .height_m = 1};
}
static void post_of_butter(apex_track_def *def) {
    thick_post(def);
    def->posts[0].radius_m = 1;
    memcpy(def->posts[0].material, "butter", 7);
}

static void surface_twice(apex_track_def *def) {
    def->surface_count = 2;
    def->surfaces[0] = (apex_surface_def){.name = "cobbles", .friction = 1};
    def->surfaces[1] = def->surfaces[0];
}
static void slippery_surface(apex_track_def *def) {
    surface_twice(def);
    def->surfaces[1].friction = 0;
}
static void too_many_surfaces(apex_track_def *def) {
    def->surface_count = 22;
    for (uint32_t i = 0; i < 22; i++) {
        def->surfaces[i].friction = 1;
        snprintf(def->surfaces[i].name, sizeof def->surfaces[i].name, "own-%u", i);
    }
}
static void bouncy_material(apex_track_def *def) {
    def->material_count = 1;
    def->materials[0] = (apex_wall_material){.name = "rubber", .restitution = 1.1};
}
static void crossing_at_one_height(apex_track_def *def) {
    apex_track_def eight = track_scene_eight(2);
    track_scene_resize(def, eight.point_count);
    memcpy(def->points, eight.points, eight.point_count * sizeof *eight.points);
    apex_track_def_free(&eight);
}
static void low_bridge(apex_track_def *def) {
    crossing_at_one_height(def);
    for (uint32_t i = 0; i < def->point_count; i++) {
        def->points[i].z_m *= 1.6;
    }
}
static void open_and_backwards(apex_track_def *def) {
    def->closed = false;
    def->start_m = 300;
    def->finish_m = 200;
}
static void strip_backwards(apex_track_def *def) {
    def->closed = false;
    def->finish_m = 1000;
    add_strip(def)->from_m = 500;
    def->strips[0].to_m = 400;
}

static const fault faults[] = {
    {name_with_capital, "name", "a name is 1 to 31 of a-z, 0-9 and '-'"},
    {name_without_end, "name", "a name is 1 to 31 of a-z, 0-9 and '-'"},
    {title_without_end, "title", "longer than 63"},
    {two_points, "points", "2 is outside 3..8192"},
    {far_too_many_points, "points", "4.29497e+09 is outside 3..8192"},
    {no_points, "points", "there are none"},
    {no_width, "points[17].left_m", "0 is outside 1..50"},
    {nan_point, "points[3].y_m", "nan is outside -100000..100000"},
    {infinite_point, "points[99].z_m", "inf is outside -5000..5000"},
    {steep_banking, "points[4].banking_rad", "-1.5 is outside -1..1"},
    {point_twice, "points[8]", "the same place as points[7]"},
    {closed_twice, "points[99]", "the same place as points[0]; a lap closes by itself"},
    {left_open, "points[20]", "a gap of 400.0 m to points[0]; the lap is open"},
    {too_long, "points", "101007 m long, at most 30000 m"},
    {too_tight, "points[20]",
     "the road turns tighter than its own width (radius 27.2 m, left width 48.9 m)"},
    {too_steep, "points[9].z_m", "the road climbs 102 %, at most 98 %"},
    {start_off_the_lap, "start_m", "1500 is not on the lap of 0..1428.3 m"},
    {negative_start, "start_m", "-1 is not on the lap of 0..1428.3 m"},
    {sectors_fall, "sector_m[1]", "800 is not between 900 and 1428.3 m"},
    {sector_past_the_lap, "sector_m[0]", "2000 is not between 0 and 1428.3 m"},
    {too_many_sectors, "sector_m", "8 is outside 0..7"},
    {no_columns, "grid.columns", "0 is outside 1..8"},
    {pole_on_both, "grid.pole_side", "pole is on the left or on the right"},
    {verge_too_wide, "verge_m", "101 is outside 0..100"},
    {unknown_road, "road_surface", "no surface is called 'tarmac'"},
    {unknown_strip, "strips[1].surface", "no surface is called 'gras'"},
    {strip_inside_out, "strips[0].outer_m", "1 is not outside inner_m 2"},
    {strip_off_the_lap, "strips[0].to_m", "1500 is not on the lap of 0..1428.3 m"},
    {strip_of_no_length, "strips[0].to_m", "the stretch has no length"},
    {strip_on_no_side, "strips[0].side", "7 is outside 0..2"},
    {too_many_strips, "strips", "129 is outside 0..128"},
    {strips_upon_strips, "strips", "more than 32 lie side by side at 700 m"},
    {acres_of_verge, "verge_m", "the ground would need 36540 tiles, at most 32768"},
    {unknown_material, "walls[0].material", "no material is called 'hay'"},
    {wall_on_the_road, "walls[0].distance_m", "-3 is outside 0..100"},
    {wall_off_the_lap, "walls[0].from_m", "-0.1 is not on the lap of 0..1428.3 m"},
    {no_room_for_a_wall, "walls[0].distance_m",
     "40 m off the road there is always another stretch nearer: it would stand across the road"},
    {miles_of_walls, "walls", "together 365649 m long, at most 262144 m"},
    {wall_across_the_road, "free_walls[0].points[1]",
     "the wall from here on stands across the road at points[10]"},
    {wall_of_one_point, "free_walls[0].points", "1 is outside 2..64"},
    {wall_that_stands_still, "free_walls[0].points[1]", "the same place as points[0]"},
    {wall_of_nan, "free_walls[0].points[2]", "(10, nan) is outside +-100000"},
    {free_walls_missing, "free_walls", "there are none"},
    {thick_post, "posts[0].radius_m", "21 is outside 0.01..20"},
    {post_of_butter, "posts[0].material", "no material is called 'butter'"},
    {surface_twice, "surfaces[1].name", "there are two called 'cobbles'"},
    {slippery_surface, "surfaces[1].friction", "0 is outside 0.01..3"},
    {too_many_surfaces, "surfaces[21]", "more than the 21 that fit beside the built-in"},
    {bouncy_material, "materials[0].restitution", "1.1 is outside 0..1"},
    {crossing_at_one_height, "points[159]",
     "the road meets itself at points[79], with 2.0 m of height between; a bridge needs 3.5 m"},
    {low_bridge, "points[159]",
     "the road meets itself at points[79], with 3.2 m of height between; a bridge needs 3.5 m"},
    {open_and_backwards, "finish_m",
     "200 is not at least 10 m behind the start at 300, on a stretch of 1417.8 m"},
    {strip_backwards, "strips[0].to_m", "400 lies before from_m 500"},
};

TEST_OVER(every_fault_is_named, 0, (int)(sizeof faults / sizeof faults[0])) {
    const fault *wrong = &faults[_i];
    apex_track_def def = track_scene_oval(400, 100);
    wrong->make(&def);
    apex_def_problem problem = {{0}, {0}};
    apex_track *track = NULL;
    ck_assert_int_eq(apex_track_create(&def, &track, &problem), APEX_ERR_INVALID);
    ck_assert_ptr_null(track);
    ck_assert_str_eq(problem.field, wrong->field);
    ck_assert_str_eq(problem.reason, wrong->reason);
    ck_assert_int_eq(apex_track_create(&def, &track, NULL), APEX_ERR_INVALID);
    apex_track_def_free(&def);
}

// A definition comes off the wire: whatever stands in it, laying ends with a track or a reason.
TEST_OVER(no_definition_breaks_it, 0, 8) {
    const double nasty[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, 1e308, -1e-308, 0, -1, 1e5, 49.9, 12};
    uint64_t seed = 20240517u + (uint64_t)_i;
    uint32_t laid = 0;
    const uint32_t rounds = (uint32_t)(20 * check_cases(3));
    for (uint32_t round = 0; round < rounds; round++) {
        apex_track_def def = track_scene_circuit(600);
        for (int change = 0; change <= _i % 4; change++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            uint32_t dice = (uint32_t)(seed >> 33);
            double value = nasty[dice % 10];
            apex_track_point *point = &def.points[dice / 16 % def.point_count];
            double *const fields[] = {
                &point->x_m,
                &point->y_m,
                &point->z_m,
                &point->left_m,
                &point->banking_rad,
                &def.start_m,
                &def.verge_m,
                &def.strips[0].outer_m,
                &def.strips[1].to_m,
                &def.strips[2].inner_m,
                &def.walls[0].distance_m,
                &def.walls[1].from_m,
                &def.grid.spacing_m,
                &def.free_walls[0].x_m[1],
                &def.posts[0].y_m,
                &def.sector_m[1],
            };
            *fields[dice / 256 % 16] = value;
            def.closed = dice % 7 != 0;
        }
        apex_def_problem problem = {{0}, {0}};
        apex_track *track = NULL;
        apex_err err = apex_track_create(&def, &track, &problem);
        if (err == APEX_OK) {
            laid++;
            apex_placement box = apex_track_grid_placement(track, 11);
            ck_assert(isfinite(box.x_m) && isfinite(box.z_m));
            apex_track_destroy(track);
        } else {
            ck_assert_int_eq(err, APEX_ERR_INVALID);
            ck_assert_str_ne(problem.reason, "");
        }
        apex_track_def_free(&def);
    }
    ck_assert_uint_lt(laid, rounds);
    ck_assert(laid > 0 || _i % 4 > 0);
}

TEST(the_default_definition_lacks_nothing_but_points) {
    apex_track_def def = apex_default_track_def();
    apex_def_problem problem = {{0}, {0}};
    apex_track *track = NULL;
    ck_assert_int_eq(apex_track_create(&def, &track, &problem), APEX_ERR_INVALID);
    ck_assert_str_eq(problem.field, "points");
    apex_track_def circle = track_scene_circle(60, 24, 0);
    def.points = circle.points;
    def.point_count = circle.point_count;
    ck_assert_int_eq(apex_track_create(&def, &track, &problem), APEX_OK);
    apex_track_destroy(track);
    apex_track_def_free(&def);
    ck_assert_ptr_null(def.points);
    ck_assert_uint_eq(def.point_count, 0);
}
