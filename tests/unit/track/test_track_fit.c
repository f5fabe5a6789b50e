// What only the laid track can tell: whether cars get over it, hold on its grid, and whether posts
// and walls leave them the road.

#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The first straight of the oval runs along y = -100 from x = -200, with a point every 20 m; here
// 7 m of its road are to the left of the centre line, and 5 m to the right.
enum { LEFT_M = 7, RIGHT_M = 5 };

static apex_track_def lopsided(void) {
    apex_track_def def = track_scene_oval(400, 100);
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].left_m = LEFT_M;
        def.points[i].right_m = RIGHT_M;
    }
    return def;
}

// Takes the definition. @return whether it is laid; if not, the problem says why.
static bool is_laid(apex_track_def *def, apex_def_problem *problem) {
    apex_track *track = NULL;
    memset(problem, 0, sizeof *problem);
    apex_err err = apex_track_create(def, &track, problem);
    apex_track_def_free(def);
    apex_track_destroy(track);
    ck_assert(err == APEX_OK || err == APEX_ERR_INVALID);
    return err == APEX_OK;
}

static void expect_refused(apex_track_def *def, const char *field, const char *reason) {
    apex_def_problem problem;
    ck_assert(!is_laid(def, &problem));
    ck_assert_str_eq(problem.field, field);
    ck_assert_msg(strstr(problem.reason, reason) != NULL, "%s", problem.reason);
}

static void expect_laid(apex_track_def *def) {
    apex_def_problem problem;
    ck_assert_msg(is_laid(def, &problem), "%s: %s", problem.field, problem.reason);
}

static void add_wall(apex_track_def *def, double from_x_m, double to_x_m, double y_m) {
    apex_track_free_wall *walls =
        realloc(def->free_walls, (def->free_wall_count + 1) * sizeof *walls);
    ck_assert_ptr_nonnull(walls);
    def->free_walls = walls;
    walls[def->free_wall_count++] = (apex_track_free_wall){.material = "concrete",
                                                           .point_count = 2,
                                                           .x_m = {from_x_m, to_x_m},
                                                           .y_m = {y_m, y_m},
                                                           .base_m = -0.5,
                                                           .height_m = 2};
}

// Cars stay on the left of a wall: one to the left of the road has to run against the lap.
TEST(a_wall_with_its_back_to_the_road_is_told_with_its_distance) {
    apex_track_def def = lopsided();
    add_wall(&def, -20, 20, -100 + LEFT_M + 4);
    expect_refused(&def, "free_walls[0].points[0]", "back to the road at points[9], 4.0 m away;");
    def = lopsided();
    add_wall(&def, 20, -20, -100 - RIGHT_M - 3);
    expect_refused(&def, "free_walls[0].points[0]", "back to the road at points[10], 3.0 m away;");
    def = lopsided();
    add_wall(&def, 20, -20, -100 + LEFT_M + 4);
    add_wall(&def, -20, 20, -100 - RIGHT_M - 3);
    expect_laid(&def);
}

TEST(a_wall_further_off_than_25_m_faces_what_it_likes) {
    for (int side = 0; side < 2; side++) {
        double edge_m = side == 0 ? -100 + LEFT_M : -100 - RIGHT_M;
        double out = side == 0 ? 1 : -1;
        apex_track_def def = lopsided();
        add_wall(&def, -20 * out, 20 * out, edge_m + out * 24.5);
        expect_refused(&def, "free_walls[0].points[0]", "24.5 m away;");
        def = lopsided();
        add_wall(&def, -20 * out, 20 * out, edge_m + out * 25.5);
        expect_laid(&def);
    }
}

// Between road and pits a wall is two, back to back: the nearer one faces the road.
TEST(a_wall_behind_another_may_have_its_back_to_the_road) {
    apex_track_def def = lopsided();
    add_wall(&def, 30, -30, -100 + LEFT_M + 3);
    add_wall(&def, -20, 20, -100 + LEFT_M + 4);
    expect_laid(&def);
    def = lopsided();
    add_wall(&def, 30, -30, -100 + LEFT_M + 5); // the one that faces it is behind
    add_wall(&def, -20, 20, -100 + LEFT_M + 4);
    expect_refused(&def, "free_walls[1].points[0]", "4.0 m away;");
}

// The first bend, about (200, 0): its middle is half an eighth of a turn before its apex, where the
// lap goes to the north-east. `ahead_m` along it, `out_m` from the bend's centre.
static double bend_x_m(double ahead_m, double out_m) {
    return 200 + (ahead_m + out_m) * sqrt(0.5);
}
static double bend_y_m(double ahead_m, double out_m) {
    return (ahead_m - out_m) * sqrt(0.5);
}

static void add_bend_wall(apex_track_def *def, const double ahead_m[2], double out_m) {
    add_wall(def, 0, 1, 0);
    apex_track_free_wall *wall = &def->free_walls[def->free_wall_count - 1];
    for (int i = 0; i < 2; i++) {
        wall->x_m[i] = bend_x_m(ahead_m[i], out_m);
        wall->y_m[i] = bend_y_m(ahead_m[i], out_m);
    }
}

// 8 m of wall in three parts: the middle of the first is 2.67 m from the wall's own, and so 3 cm
// further out than its 109 m.
TEST(a_slanting_wall_is_looked_at_where_it_stands) {
    apex_track_def def = lopsided();
    add_bend_wall(&def, (double[]){4, -4}, 100 + RIGHT_M + 4);
    expect_refused(&def, "free_walls[0].points[0]", " 4.0 m away;");
    def = lopsided();
    add_bend_wall(&def, (double[]){-4, 4}, 100 + RIGHT_M + 4);
    expect_laid(&def);
    def = lopsided();
    add_bend_wall(&def, (double[]){-4, 4}, 100 - LEFT_M - 6);
    expect_refused(&def, "free_walls[0].points[0]", " 6.0 m away;");
}

// The wall between the two is the longer one; one of 12 m behind the shorter's end leaves it bare.
TEST(a_slanting_wall_covers_what_is_behind_it) {
    const double shorter[2] = {10, -10};
    apex_track_def def = lopsided();
    add_bend_wall(&def, (double[]){-14, 14}, 100 + RIGHT_M + 2);
    add_bend_wall(&def, shorter, 100 + RIGHT_M + 4);
    expect_laid(&def);
    def = lopsided();
    add_bend_wall(&def, (double[]){-14, 14}, 100 + RIGHT_M + 6);
    add_bend_wall(&def, shorter, 100 + RIGHT_M + 4);
    expect_refused(&def, "free_walls[1].points[0]",
                   "the wall from here on has its back to the road");
    def = lopsided();
    add_bend_wall(&def, (double[]){12, 24}, 100 + RIGHT_M + 2);
    add_bend_wall(&def, shorter, 100 + RIGHT_M + 4);
    expect_refused(&def, "free_walls[1].points[0]",
                   "the wall from here on has its back to the road");
}

static void add_post(apex_track_def *def, double y_m) {
    def->posts = calloc(1, sizeof *def->posts);
    ck_assert_ptr_nonnull(def->posts);
    def->post_count = 1;
    def->posts[0] = (apex_track_post){
        .material = "plastic", .x_m = 10, .y_m = y_m, .radius_m = 0.3, .height_m = 1};
}

// A post of 0.3 m may touch the edge line by 5 cm.
TEST(a_post_stands_beside_the_road) {
    for (int side = 0; side < 2; side++) {
        double edge_m = side == 0 ? -100 + LEFT_M : -100 - RIGHT_M;
        double out = side == 0 ? 1 : -1;
        apex_track_def def = lopsided();
        add_post(&def, edge_m + out * 0.2);
        expect_refused(&def, "posts[0].x_m",
                       "stands on the road at points[10], 0.1 m inside its edge;");
        def = lopsided();
        add_post(&def, edge_m + out * 0.26);
        expect_laid(&def);
    }
}

TEST(a_grid_is_as_wide_as_its_road) {
    apex_track_def def = lopsided();
    def.grid.columns = 4;
    def.grid.column_gap_m = 4.1;
    expect_refused(&def, "grid.column_gap_m",
                   "4 columns 4.1 m apart reach over 12.3 m, and the road is 12.0 m wide at box 0");
    def = lopsided();
    def.grid.columns = 4;
    def.grid.column_gap_m = 3.9;
    expect_laid(&def);
}

// A slope of 6 % along the straights, on a surface of its own.
static apex_track_def sloping(double friction) {
    apex_track_def def = lopsided();
    def.start_m = 200;
    def.surface_count = 1;
    def.surfaces[0] = (apex_surface_def){.name = "ice", .friction = friction};
    snprintf(def.road_surface, sizeof def.road_surface, "ice");
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].z_m = 0.06 * def.points[i].x_m;
    }
    return def;
}

TEST(tyres_hold_on_the_steepest_climb_and_on_the_grid) {
    apex_track_def def = sloping(0.05);
    apex_def_problem problem;
    ck_assert(!is_laid(&def, &problem));
    ck_assert_ptr_nonnull(strstr(problem.field, ".z_m"));
    ck_assert_ptr_nonnull(strstr(problem.reason, "% on ice, which tyres can do up to 5.0 %;"));
    def = sloping(0.065); // nine tenths of it are less than the slope
    expect_refused(&def, "start_m", "box 0 of the grid lies on a slope of 6 % on ice");
    def = sloping(0.068);
    expect_laid(&def);
}

// Across the road the slope counts as well.
TEST(tyres_hold_on_a_banked_grid) {
    for (int bank = -1; bank <= 1; bank += 2) {
        apex_track_def def = sloping(0.068);
        for (uint32_t i = 0; i < def.point_count; i++) {
            def.points[i].banking_rad = 0.04 * bank; // with 6 % along it 7.2 %
        }
        expect_refused(&def, "start_m", "lies on a slope of 7 % on ice");
    }
}

// A plane that rises by 1 in 2 to the east: sine and tangent of a climb part here.
TEST(a_climb_is_told_as_its_tangent) {
    apex_track_def def = sloping(0.45);
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].z_m = 0.5 * def.points[i].x_m;
    }
    apex_def_problem problem;
    ck_assert(!is_laid(&def, &problem));
    ck_assert_ptr_nonnull(strstr(problem.field, ".z_m"));
    ck_assert_msg(strstr(problem.reason, "the road climbs 50.0 % on ice, which tyres can do up to "
                                         "45.0 %;") != NULL,
                  "%s", problem.reason);
}

// Ice on 40 m before the start line, where the last boxes of 24 do not stand: 12 rows of 16 m.
TEST(a_box_is_asked_for_the_ground_that_it_stands_on) {
    for (int boxes = 0; boxes < 2; boxes++) {
        apex_track_def def = sloping(0.065);
        snprintf(def.road_surface, sizeof def.road_surface, "asphalt");
        def.strip_count = 1;
        def.strips[0] = (apex_track_strip){.surface = "ice", .inner_m = -5, .outer_m = 7};
        def.strips[0].from_m = boxes == 1 ? 160 : 205;
        def.strips[0].to_m = boxes == 1 ? 200 : 240;
        if (boxes == 1) {
            expect_refused(&def, "start_m", "box 0 of the grid lies on a slope of 6 % on ice");
        } else {
            expect_laid(&def);
        }
    }
}

// A straight with a point every 40 m. Its left edge, 22 m out, falls by 22 tan 0.9 = 27.7 m from
// the fifth to the sixth: 1.5 times the mean slope of 0.69 is more than 1, and the bends on the way
// there are wide. It comes back over eight points.
TEST(an_edge_that_falls_is_too_steep_as_well) {
    apex_track_def def = track_scene_oval(800, 100);
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].left_m = 22;
        def.points[i].right_m = 1;
        def.points[i].banking_rad = i >= 6 && i <= 14 ? -0.9 * (14 - i) / 8 : 0.0;
    }
    apex_def_problem problem;
    ck_assert(!is_laid(&def, &problem));
    ck_assert_str_eq(problem.field, "points[5].banking_rad");
    ck_assert_msg(strstr(problem.reason, "the road's left edge climbs 10") != NULL, "%s",
                  problem.reason);
}

// Points of the bends are h = 10.5 m apart. A cubic spline through one that is z higher than all
// others bends there by 6 (sqrt 3 - 1) z / h^2: 3.4 m are a crest of 7.4 m radius, 3 m one of 8.4
// m.
TEST(a_car_clears_crests_and_dips) {
    for (int sign = -1; sign <= 1; sign += 2) {
        apex_track_def def = lopsided();
        def.points[35].z_m = sign * 3.4;
        apex_def_problem problem;
        ck_assert(!is_laid(&def, &problem));
        ck_assert_ptr_nonnull(strstr(problem.field, ".z_m"));
        ck_assert_ptr_nonnull(
            strstr(problem.reason, sign > 0 ? "the road has a crest of" : "the road has a dip of"));
        def = lopsided();
        def.points[35].z_m = sign * 3;
        expect_laid(&def);
    }
}

// Banking that comes in 20 m: the edge 10 m out goes up, or down, by 15 m. The other is 1 m out.
TEST(both_edges_of_the_road_are_looked_at) {
    for (int side = 0; side < 2; side++) {
        apex_track_def def = track_scene_oval(400, 100);
        for (uint32_t i = 0; i < def.point_count; i++) {
            def.points[i].left_m = side == 0 ? 10 : 1;
            def.points[i].right_m = side == 0 ? 1 : 10;
            def.points[i].banking_rad = i >= 8 && i <= 12 ? 1.0 : 0.0;
        }
        apex_def_problem problem;
        ck_assert(!is_laid(&def, &problem));
        ck_assert_ptr_nonnull(strstr(problem.field, ".banking_rad"));
        ck_assert_ptr_nonnull(strstr(problem.reason, side == 0
                                                         ? "the road's left edge has a dip"
                                                         : "the road's right edge has a crest"));
    }
}
