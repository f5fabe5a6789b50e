// A height map as a track: heights and surfaces at known points, places, boxes, walls, refusals.

#include "base/trig.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static apex_track_def def;
static apex_def_problem problem;

static void fresh(uint32_t columns, uint32_t rows, double cell_m) {
    def = track_scene_terrain(columns, rows, cell_m);
}

static apex_track *lay(void) {
    apex_track *track = NULL;
    apex_err err = apex_track_create(&def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    apex_track_def_free(&def);
    return track;
}

static double height_m(const apex_track *track, double x_m, double y_m) {
    return apex_ground_at(apex_track_ground(track), x_m, y_m, 0).height_m;
}

static const char *surface(const apex_track *track, double x_m, double y_m) {
    const apex_ground *ground = apex_track_ground(track);
    return ground->surfaces[apex_ground_at(ground, x_m, y_m, 0).surface].name;
}

static uint16_t *node(uint32_t column, uint32_t row) {
    return &def.terrain.heights[row * def.terrain.columns + column];
}

static void all_at(uint16_t value) {
    for (uint32_t i = 0; i < def.terrain.columns * def.terrain.rows; i++) {
        def.terrain.heights[i] = value;
    }
}

// At half a metre the map's nodes are the ground's own: nothing is rounded but to float.
TEST(half_metre_nodes_are_the_grounds_own) {
    fresh(41, 61, 0.5);
    def.terrain.x_m = -13.5;
    def.terrain.y_m = 7;
    def.terrain.boxes[0] = (apex_terrain_box){0, 20, 0};
    for (uint32_t row = 0; row < 61; row++) {
        for (uint32_t column = 0; column < 41; column++) {
            *node(column, row) = (uint16_t)(37 * column + 11 * row * row);
        }
    }
    apex_track *track = lay();
    for (uint32_t row = 0; row < 61; row++) {
        for (uint32_t column = 0; column < 41; column++) {
            double wanted_m = -1 + 0.01 * (37 * column + 11 * row * row);
            double got_m = height_m(track, -13.5 + 0.5 * column, 7 + 0.5 * row);
            ck_assert_double_eq(got_m, (double)(float)wanted_m);
        }
    }
    apex_track_destroy(track);
}

// z = 2 + 3 u + 5 v + 7 u v over one cell is what bilinear means, off the nodes too.
TEST(between_coarse_nodes_heights_are_bilinear) {
    fresh(11, 11, 4);
    all_at(100);
    *node(5, 5) = 300;
    *node(6, 5) = 600;
    *node(5, 6) = 800;
    *node(6, 6) = 1800;
    apex_track *track = lay();
    for (double u = 0; u <= 1; u += 0.125) {
        for (double v = 0; v <= 1; v += 0.125) {
            double wanted_m = 2 + 3 * u + 5 * v + 7 * u * v;
            ck_assert_double_eq_tol(height_m(track, 20 + 4 * u, 20 + 4 * v), wanted_m, 1e-5);
        }
    }
    apex_track_destroy(track);
}

// A cubic through the nodes gives a parabola back, where straight lines are off by up to
// c * cell^2 / 4; and it still goes through the nodes.
TEST(smooth_ground_follows_a_parabola) {
    for (int smooth = 0; smooth < 2; smooth++) {
        fresh(11, 11, 4);
        def.terrain.smooth = smooth == 1;
        for (uint32_t i = 0; i < 121; i++) {
            def.terrain.heights[i] = (uint16_t)(10 * (i % 11) * (i % 11));
        }
        apex_track *track = lay();
        double worst_m = 0;
        for (double x_m = 8; x_m <= 32; x_m += 0.5) {
            double wanted_m = -1 + 0.1 * x_m * x_m / 16;
            worst_m = fmax(worst_m, fabs(height_m(track, x_m, 18) - wanted_m));
        }
        ck_assert_double_eq_tol(height_m(track, 12, 18), -1 + 0.1 * 9, 1e-6);
        ck_assert_double_eq_tol(worst_m, smooth ? 0 : 0.1 / 4, 1e-6);
        apex_track_destroy(track);
    }
}

// Beyond the map a bank of 16 m leads to the mean height of its border, and there is no step
// anywhere on the way.
TEST(a_bank_leads_outside) {
    fresh(21, 21, 2);
    all_at(300);
    for (uint32_t row = 0; row < 21; row++) {
        *node(20, row) = 1100; // a quarter and a node of a border of 80
    }
    apex_track *track = lay();
    double outside_m = -1 + 0.01 * (300 + 800 * 21 / 80.0);
    ck_assert_double_eq_tol(apex_track_ground(track)->outside_height_m, outside_m, 1e-12);
    ck_assert_double_eq_tol(height_m(track, 40, 20), 10, 1e-6);
    ck_assert_double_eq_tol(height_m(track, 48, 20), (10 + outside_m) / 2, 1e-5);
    ck_assert_double_eq_tol(height_m(track, 56, 20), outside_m, 1e-5);
    ck_assert_double_eq_tol(height_m(track, -16, 20), outside_m, 1e-5);
    for (double x_m = -40; x_m < 80; x_m += 0.25) {
        double step_m = height_m(track, x_m + 0.25, 20) - height_m(track, x_m, 20);
        ck_assert_double_lt(fabs(step_m), 8 / 2.0 * 0.25 + 1e-6);
    }
    apex_track_destroy(track);
}

// Off the origin, each of the four sides has its bank: half way down it, half of the difference.
TEST(a_bank_begins_at_the_maps_own_edge) {
    fresh(21, 31, 2);
    def.terrain.x_m = -13;
    def.terrain.y_m = 57;
    def.terrain.boxes[0] = (apex_terrain_box){0, 80, 0};
    all_at(700);
    for (uint32_t column = 8; column < 13; column++) {
        *node(column, 15) = 100; // inside, where no bank begins
    }
    for (uint32_t row = 0; row < 31; row++) {
        *node(0, row) = 1100; // 31 of a border of 100
    }
    apex_track *track = lay();
    double outside_m = -1 + 0.01 * (700 + 400 * 31 / 100.0);
    static const double spots[][3] = {{-21, 87, 10}, {35, 87, 6}, {7, 49, 6}, {7, 125, 6}};
    for (size_t i = 0; i < 4; i++) {
        double wanted_m = (spots[i][2] + outside_m) / 2;
        ck_assert_double_eq_tol(height_m(track, spots[i][0], spots[i][1]), wanted_m, 1e-5);
    }
    apex_track_destroy(track);
}

// 35.7 m are 35 stretches, a little longer than a metre each.
TEST(places_are_metres_whatever_the_length) {
    fresh(22, 22, 1.7);
    apex_track *track = lay();
    ck_assert_double_eq_tol(apex_track_length_m(track), 35.7, 1e-9);
    for (double x_m = 0.5; x_m < 35.7; x_m += 2.2) {
        apex_track_place place = apex_track_find(track, x_m, 20, 0);
        ck_assert_double_eq_tol(place.s_m, x_m, 1e-6);
        ck_assert_double_eq_tol(place.offset_m, 20 - 35.7 / 2, 1e-6);
        ck_assert_double_eq_tol(apex_track_frame_at(track, x_m).x_m, x_m, 1e-6);
    }
    apex_track_destroy(track);
}

TEST(ground_is_like_its_nearest_node) {
    fresh(17, 17, 2);
    def.terrain.surface_map[8 * 17 + 8] = 1; // around (16, 16)
    apex_track *track = lay();
    ck_assert_str_eq(surface(track, 16.2, 16.2), "grass");
    ck_assert_str_eq(surface(track, 15.2, 16.7), "grass");
    ck_assert_str_eq(surface(track, 16.2, 17.2), "concrete");
    ck_assert_str_eq(surface(track, 14.7, 16.2), "concrete");
    ck_assert_str_eq(surface(track, 0.2, 0.2), "concrete");
    ck_assert_str_eq(surface(track, -0.2, 5), "sand");
    ck_assert_str_eq(surface(track, 500, 5), "sand");
    apex_track_destroy(track);
}

TEST(without_a_surface_map_it_is_all_road) {
    fresh(17, 17, 2);
    free(def.terrain.surface_map);
    def.terrain.surface_map = NULL;
    def.terrain.surface_count = 0;
    snprintf(def.road_surface, sizeof def.road_surface, "earth");
    apex_track *track = lay();
    ck_assert_str_eq(surface(track, 16, 16), "earth");
    ck_assert_str_eq(surface(track, 33, 16), "sand");
    apex_track_destroy(track);
}

TEST(places_are_metres_east_and_north) {
    fresh(51, 31, 2);
    def.terrain.x_m = -50;
    def.terrain.y_m = 10;
    apex_track *track = lay();
    ck_assert(!apex_track_has_lap(track));
    ck_assert(!apex_track_closed(track));
    ck_assert_double_eq(apex_track_length_m(track), 100);
    apex_track_place found = apex_track_find(track, -20, 65, 0);
    ck_assert_double_eq_tol(found.s_m, 30, 1e-9);
    ck_assert_double_eq_tol(found.offset_m, 25, 1e-9);
    ck_assert(found.on_road);
    ck_assert(!apex_track_find(track, -20, 71, 0).on_road);
    apex_track_place next = apex_track_project(track, -18.75, 12, found.s_m);
    ck_assert_double_eq_tol(next.s_m, 31.25, 1e-9);
    ck_assert_double_eq_tol(next.offset_m, -28, 1e-9);
    apex_track_destroy(track);
}

TEST(boxes_are_taken_in_turn) {
    fresh(51, 31, 2);
    def.terrain.box_count = 2;
    def.terrain.boxes[1] = (apex_terrain_box){7, 9, APEX_PI / 2};
    apex_track *track = lay();
    for (uint32_t i = 0; i < 6; i++) {
        apex_placement at = apex_track_grid_placement(track, i);
        ck_assert_double_eq(at.x_m, i % 2 ? 7 : 20);
        ck_assert_double_eq(at.y_m, i % 2 ? 9 : 20);
        ck_assert_double_eq(at.yaw_rad, i % 2 ? APEX_PI / 2 : 0);
    }
    apex_track_destroy(track);
}

static void give_course(void) {
    static const double x_m[4] = {30, 70, 70, 30};
    static const double y_m[4] = {15, 15, 45, 45};
    def.closed = true;
    def.terrain.box_count = 0;
    def.points = calloc(4, sizeof *def.points);
    ck_assert_ptr_nonnull(def.points);
    def.point_count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        def.points[i] = (apex_track_point){.x_m = x_m[i], .y_m = y_m[i], .left_m = 4, .right_m = 4};
    }
}

// A slope of 1 in 10 to the east: the course climbs and falls with it, and lies on the ground.
TEST(a_course_takes_the_grounds_heights) {
    fresh(51, 31, 2);
    for (uint32_t i = 0; i < 51 * 31; i++) {
        def.terrain.heights[i] = (uint16_t)(20 * (i % 51));
    }
    give_course();
    apex_track *track = lay();
    ck_assert(apex_track_has_lap(track));
    ck_assert(apex_track_closed(track));
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 3.7) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        ck_assert_double_eq_tol(frame.z_m, -1 + 0.1 * frame.x_m, 0.01);
        double climb = 0.1 * cos(frame.heading_rad);
        ck_assert_double_eq_tol(frame.slope_rad, climb, 5e-3);
    }
    apex_placement pole = apex_track_grid_placement(track, 0);
    ck_assert_double_gt(
        -apex_track_gap_m(track, 0, apex_track_find(track, pole.x_m, pole.y_m, 0).s_m), 1);
    apex_track_destroy(track);
}

static void give_wall(double from_x_m, double to_x_m, double y_m) {
    def.free_walls = calloc(1, sizeof *def.free_walls);
    ck_assert_ptr_nonnull(def.free_walls);
    def.free_wall_count = 1;
    apex_track_free_wall *wall = def.free_walls;
    *wall = (apex_track_free_wall){.point_count = 2, .height_m = 1.5};
    snprintf(wall->material, sizeof wall->material, "concrete");
    wall->x_m[0] = from_x_m;
    wall->x_m[1] = to_x_m;
    wall->y_m[0] = wall->y_m[1] = y_m;
}

// A slope of a centimetre for each half metre north, and none east.
TEST(posts_stand_on_the_ground_under_them) {
    def = track_scene_terrain(101, 101, 0.5);
    for (uint32_t i = 0; i < 101 * 101; i++) {
        def.terrain.heights[i] = (uint16_t)(100 + i / 101);
    }
    def.post_count = 2;
    def.posts = calloc(2, sizeof *def.posts);
    ck_assert_ptr_nonnull(def.posts);
    for (int i = 0; i < 2; i++) {
        def.posts[i] = (apex_track_post){.material = "plastic", .radius_m = 0.2, .height_m = 1};
        def.posts[i].x_m = i == 0 ? 10 : 42;
        def.posts[i].y_m = i == 0 ? 30 : 5;
    }
    apex_track *track = lay();
    const apex_walls *walls = apex_track_walls(track);
    ck_assert_double_eq_tol(walls->posts[0].base_m, 0.6, 1e-6);
    ck_assert_double_eq_tol(walls->posts[1].base_m, 0.1, 1e-6);
    ck_assert_double_eq_tol(walls->posts[1].top_m, 1.1, 1e-6);
    apex_track_destroy(track);
}

TEST(walls_follow_the_ground) {
    fresh(51, 31, 2);
    for (uint32_t i = 0; i < 51 * 31; i++) {
        def.terrain.heights[i] = (uint16_t)(20 * (i % 51));
    }
    give_wall(10, 50, 30);
    apex_track *track = lay();
    const apex_walls *walls = apex_track_walls(track);
    ck_assert_uint_ge(walls->segment_count, 20);
    ck_assert_double_eq(walls->segments[0].from_x_m, 10);
    ck_assert_double_eq(walls->segments[walls->segment_count - 1].to_x_m, 50);
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        ck_assert_double_le(wall->base_m, -1 + 0.1 * wall->from_x_m);
        ck_assert_double_eq_tol(wall->top_m, -1 + 0.1 * wall->to_x_m + 1.5, 1e-5);
    }
    apex_track_destroy(track);
}

static void refused(const char *field, const char *part) {
    apex_track *track = NULL;
    memset(&problem, 0, sizeof problem);
    ck_assert_int_eq(apex_track_create(&def, &track, &problem), APEX_ERR_INVALID);
    ck_assert_str_eq(problem.field, field);
    ck_assert_msg(strstr(problem.reason, part) != NULL, "%s", problem.reason);
    apex_track_def_free(&def);
}

TEST(maps_that_are_none_are_refused) {
    fresh(21, 21, 2);
    def.terrain.rows = 1;
    refused("terrain.rows", "1 is outside 2");
    fresh(21, 21, 2);
    def.terrain.columns = 70000; // times 21 rows; the product must not wrap either
    refused("terrain.heights", "more than 262144");
    fresh(21, 21, 2);
    def.terrain.columns = def.terrain.rows = UINT32_MAX;
    refused("terrain.rows", "outside");
    fresh(21, 21, 2);
    def.terrain.cell_m = 0.25;
    refused("terrain.cell_m", "0.25 is outside 0.5..16");
    fresh(21, 21, 2);
    def.terrain.cell_m = (double)NAN;
    refused("terrain.cell_m", "outside");
    fresh(21, 21, 0.5);
    refused("terrain.heights", "10 m from west to east");
    fresh(21, 21, 2);
    def.terrain.step_m = -1;
    refused("terrain.step_m", "outside");
    fresh(501, 501, 15);
    refused("terrain.cell_m", "tiles, at most 32768");
}

TEST(surfaces_outside_the_palette_are_refused) {
    fresh(21, 21, 2);
    def.terrain.surface_map[40] = 2;
    refused("terrain.surfaces", "node 40 has 2, the palette ends at 1");
    fresh(21, 21, 2);
    snprintf(def.terrain.surfaces[1], APEX_NAME_BYTES, "lava");
    refused("terrain.palette[1].surface", "no surface is called 'lava'");
    fresh(21, 21, 2);
    memset(def.terrain.surfaces[1], 'x', APEX_NAME_BYTES);
    refused("terrain.palette[1].surface", "too long");
    fresh(21, 21, 2);
    def.terrain.surface_count = 0;
    refused("terrain.surfaces", "goes with");
}

TEST(boxes_must_be_on_the_terrain) {
    fresh(21, 21, 2);
    def.terrain.box_count = 0;
    refused("terrain.boxes", "none to start from");
    fresh(21, 21, 2);
    def.terrain.boxes[0].x_m = 40.1;
    refused("terrain.boxes[0]", "(40.1, 20) is not on the terrain");
    fresh(21, 21, 2);
    def.terrain.boxes[0].heading_rad = (double)NAN;
    refused("terrain.boxes[0]", "heading");
    fresh(51, 31, 2);
    give_course();
    def.terrain.box_count = 1;
    refused("terrain.boxes", "behind its line");
}

TEST(what_needs_a_road_is_refused) {
    fresh(21, 21, 2);
    def.strip_count = 1;
    snprintf(def.strips[0].surface, APEX_NAME_BYTES, "kerb");
    def.strips[0].outer_m = 1;
    refused("strips[0]", "those of its map");
    fresh(21, 21, 2);
    def.wall_count = 1;
    snprintf(def.walls[0].material, APEX_NAME_BYTES, "concrete");
    def.walls[0].height_m = 1;
    refused("walls[0]", "use free_walls");
    fresh(51, 31, 2);
    give_course();
    def.pit_lane = apex_default_track_pit_lane();
    def.pit_lane.exit_m = 100;
    refused("pit_lane", "no road");
    fresh(21, 21, 2);
    def.sector_count = 1;
    refused("sector_m", "no lap");
    fresh(51, 31, 2);
    give_course();
    def.points[2].z_m = 1;
    refused("points[2].z_m", "leave 0");
    fresh(51, 31, 2);
    give_course();
    give_wall(2, 98, 30);
    refused("free_walls[0]", "across the course");
}
