// Walls: where they stand, which way they face, how they hang together.

#include "base/trig.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/track.h"

#include <math.h>
#include <stdlib.h>

static apex_track *lay(apex_track_def *def) {
    apex_track *track = NULL;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    apex_track_def_free(def);
    return track;
}

static void add_wall(apex_track_def *def, apex_track_side side, double distance_m) {
    def->walls[def->wall_count++] = (apex_track_wall){
        .material = "concrete", .side = side, .distance_m = distance_m, .height_m = 1};
}

static double length_m(const apex_wall_segment *wall) {
    return hypot(wall->to_x_m - wall->from_x_m, wall->to_y_m - wall->from_y_m);
}

// The distance of a point to the left of a segment's line.
static double left_of_m(const apex_wall_segment *wall, double x_m, double y_m) {
    double dx_m = wall->to_x_m - wall->from_x_m;
    double dy_m = wall->to_y_m - wall->from_y_m;
    return (dx_m * (y_m - wall->from_y_m) - dy_m * (x_m - wall->from_x_m)) / hypot(dx_m, dy_m);
}

// Every segment has the road on its left, and stands where it was asked to.
static void check_faces(const apex_track *track, double distance_m, double tolerance_m) {
    const apex_walls *walls = apex_track_walls(track);
    ck_assert_uint_gt(walls->segment_count, 0);
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        double x_m = (wall->from_x_m + wall->to_x_m) / 2;
        double y_m = (wall->from_y_m + wall->to_y_m) / 2;
        apex_track_place place = apex_track_find(track, x_m, y_m, wall->base_m + 0.5);
        apex_track_frame frame = apex_track_frame_at(track, place.s_m);
        ck_assert_double_gt(left_of_m(wall, frame.x_m, frame.y_m), 0);
        double beyond_m =
            place.offset_m > 0 ? place.offset_m - place.left_m : -place.offset_m - place.right_m;
        ck_assert_double_eq_tol(beyond_m, distance_m, tolerance_m);
    }
}

static void check_links(const apex_walls *walls) {
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        ck_assert_double_gt(length_m(wall), 0.01);
        if (wall->next != APEX_GROUND_NONE) {
            const apex_wall_segment *next = &walls->segments[wall->next];
            ck_assert_uint_eq(next->previous, i);
            ck_assert_double_eq(next->from_x_m, wall->to_x_m);
            ck_assert_double_eq(next->from_y_m, wall->to_y_m);
        }
        if (wall->previous != APEX_GROUND_NONE) {
            ck_assert_uint_eq(walls->segments[wall->previous].next, i);
        }
    }
}

static uint32_t open_ends(const apex_walls *walls) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        count += walls->segments[i].next == APEX_GROUND_NONE;
        count += walls->segments[i].previous == APEX_GROUND_NONE;
    }
    return count;
}

static bool cross(const apex_wall_segment *a, const apex_wall_segment *b) {
    double b_from = left_of_m(a, b->from_x_m, b->from_y_m);
    double b_to = left_of_m(a, b->to_x_m, b->to_y_m);
    double a_from = left_of_m(b, a->from_x_m, a->from_y_m);
    double a_to = left_of_m(b, a->to_x_m, a->to_y_m);
    return b_from * b_to < 0 && a_from * a_to < 0;
}

static uint32_t crossings(const apex_walls *walls) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        for (uint32_t k = i + 1; k < walls->segment_count; k++) {
            const apex_wall_segment *a = &walls->segments[i];
            const apex_wall_segment *b = &walls->segments[k];
            bool storeys = a->base_m > b->top_m || b->base_m > a->top_m;
            count += a->next != k && b->next != i && !storeys && cross(a, b);
        }
    }
    return count;
}

TEST(walls_all_round_face_the_road_and_close) {
    apex_track_def def = track_scene_oval(400, 100);
    add_wall(&def, APEX_SIDE_BOTH, 7);
    apex_track *track = lay(&def);
    const apex_walls *walls = apex_track_walls(track);
    check_faces(track, 7, 0.06);
    check_links(walls);
    ck_assert_uint_eq(open_ends(walls), 0);
    ck_assert_uint_eq(crossings(walls), 0);
    // 112 m and 88 m bends: 5 cm of bulge are chords of 6.7 m and 5.9 m; straights have 8 m.
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        ck_assert_double_le(length_m(&walls->segments[i]), 8 + 1e-9);
    }
    ck_assert_uint_le(walls->segment_count, 2 * (2 * 50 + 2 * 62));
    ck_assert_str_eq(walls->materials[walls->segments[0].material].name, "concrete");
    apex_track_destroy(track);
}

TEST(one_side_of_a_stretch_is_one_open_chain) {
    apex_track_def def = track_scene_oval(400, 100);
    def.start_m = 150;
    add_wall(&def, APEX_SIDE_RIGHT, 3);
    def.walls[0].from_m = 50;
    def.walls[0].to_m = 150;
    apex_track *track = lay(&def);
    const apex_walls *walls = apex_track_walls(track);
    ck_assert_uint_eq(open_ends(walls), 2);
    // The first point is at x = -200: the straight to the right of the road, at y = -100 - 5 - 3.
    const apex_wall_segment *first = &walls->segments[0];
    const apex_wall_segment *last = &walls->segments[walls->segment_count - 1];
    ck_assert_double_eq_tol(first->from_x_m, -150, 0.01);
    ck_assert_double_eq_tol(last->to_x_m, -50, 0.01);
    ck_assert_double_eq_tol(first->from_y_m, -108, 0.01);
    apex_track_destroy(track);
}

TEST(a_stretch_may_lie_over_the_first_point) {
    apex_track_def def = track_scene_oval(400, 100);
    add_wall(&def, APEX_SIDE_LEFT, 3);
    def.walls[0].from_m = 1400;
    def.walls[0].to_m = 60;
    apex_track *track = lay(&def);
    double total_m = 0;
    for (uint32_t i = 0; i < apex_track_walls(track)->segment_count; i++) {
        total_m += length_m(&apex_track_walls(track)->segments[i]);
    }
    ck_assert_uint_eq(open_ends(apex_track_walls(track)), 2);
    // 800 + 200 pi m of lap; the bend's 28 m are shorter by 8 % on its inside.
    ck_assert_double_eq_tol(total_m, 800 + 200 * APEX_PI - 1400 + 60, 3);
    apex_track_destroy(track);
}

// A 15 m hairpin with walls 12 m off: inside they would cross each other.
TEST(walls_inside_tight_bends_are_cut) {
    apex_track_def def = track_scene_oval(120, 15);
    add_wall(&def, APEX_SIDE_BOTH, 12);
    apex_track *track = lay(&def);
    const apex_walls *walls = apex_track_walls(track);
    // Legs 30 m apart leave no room for a wall 12 m from both edges: only the outer one stands.
    check_faces(track, 12, 0.1);
    ck_assert_uint_eq(open_ends(walls), 0);
    ck_assert_uint_eq(crossings(walls), 0);
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        ck_assert(hypot(walls->segments[i].from_x_m, walls->segments[i].from_y_m) > 25);
    }
    apex_track_destroy(track);
}

TEST(a_corner_inside_a_bend_is_joined) {
    // A triangle with round corners of about 15 m; walls 25 m inside have a corner each.
    apex_track_def def = track_scene_circle(100, 90, 0);
    for (uint32_t i = 0; i < def.point_count; i++) {
        double angle_rad = 2 * APEX_PI * i / 90;
        double bump = cos(3 * angle_rad);
        def.points[i].x_m *= 1 + 0.28 * bump;
        def.points[i].y_m *= 1 + 0.28 * bump;
    }
    add_wall(&def, APEX_SIDE_LEFT, 25);
    apex_track *track = lay(&def);
    check_faces(track, 25, 0.5);
    check_links(apex_track_walls(track));
    ck_assert_uint_eq(open_ends(apex_track_walls(track)), 0);
    ck_assert_uint_eq(crossings(apex_track_walls(track)), 0);
    apex_track_destroy(track);
}

// The wall is 12 m from the lower straight, and stands where the upper one leaves it 12 m as well:
// where its inner edge is no further than 11.05 m from its centre line. `narrow_m` at (x, 20), 9 m
// at (80, 20) and (100, 20), 14 m elsewhere. Widths have no slope at their least, so about it they
// grow by 3 t^2 of the difference, t in pieces of 20 m.
static apex_track *lay_between(double x_m, double narrow_m) {
    apex_track_def def = track_scene_oval(400, 20);
    for (uint32_t i = 0; i < def.point_count; i++) {
        apex_track_point *point = &def.points[i];
        if (point->y_m < 19.9) {
            continue;
        }
        bool is_open = point->x_m > 79.0 && point->x_m < 101.0;
        bool is_narrow = fabs(point->x_m - x_m) < 1.0;
        point->left_m = is_open ? 9 : is_narrow ? narrow_m : 14;
    }
    add_wall(&def, APEX_SIDE_LEFT, 12);
    def.walls[0].from_m = 20;
    def.walls[0].to_m = 380;
    return lay(&def);
}

// @return metres of wall within 10 m of a place on the lower straight.
static double wall_near_m(const apex_track *track, double x_m) {
    double sum_m = 0;
    for (uint32_t i = 0; i < apex_track_walls(track)->segment_count; i++) {
        const apex_wall_segment *wall = &apex_track_walls(track)->segments[i];
        ck_assert_double_eq_tol(wall->from_y_m, -20 + 5 + 12, 0.01);
        sum_m += fabs((wall->from_x_m + wall->to_x_m) / 2 - x_m) < 10 ? length_m(wall) : 0;
    }
    return sum_m;
}

// 3 cm below 11.05 m leave 1.2 m to each side at most: less than 2 m of wall between samples a
// metre apart. 0.3 m leave 3.7 m.
TEST(islands_of_a_wall_are_left_out) {
    for (double x_m = -60; x_m < 1; x_m += 20) {
        apex_track *track = lay_between(x_m, 11.02);
        ck_assert_double_eq(wall_near_m(track, x_m), 0);
        ck_assert_double_gt(wall_near_m(track, 90), 19);
        ck_assert_uint_eq(open_ends(apex_track_walls(track)), 2);
        apex_track_destroy(track);
        track = lay_between(x_m, 10.75);
        ck_assert_double_gt(wall_near_m(track, x_m), 5.3);
        ck_assert_double_lt(wall_near_m(track, x_m), 7.6);
        ck_assert_uint_eq(open_ends(apex_track_walls(track)), 4);
        apex_track_destroy(track);
    }
}

TEST(walls_stand_on_the_ground) {
    apex_track_def def = track_scene_circuit(3000);
    def.wall_count = 1;
    def.walls[0].distance_m = 6;
    def.walls[0].height_m = 1.5;
    def.strip_count = 0;
    apex_track *track = lay(&def);
    const apex_walls *walls = apex_track_walls(track);
    for (uint32_t i = 0; i < walls->segment_count - 3; i++) { // the last three are the free wall
        const apex_wall_segment *wall = &walls->segments[i];
        double ground_m =
            apex_ground_at(apex_track_ground(track), wall->from_x_m, wall->from_y_m, 100).height_m;
        ck_assert_double_le(wall->base_m, ground_m - 0.4);
        ck_assert_double_ge(wall->base_m, ground_m - 1.5);
        ck_assert_double_ge(wall->top_m, ground_m + 1.4);
        ck_assert_double_le(wall->top_m, ground_m + 2.5);
    }
    apex_track_destroy(track);
}

// The wall of the bridge passes over the road below, and the lower road's wall under the bridge.
TEST(walls_at_a_bridge_keep_to_their_storey) {
    apex_track_def def = track_scene_eight(6);
    add_wall(&def, APEX_SIDE_BOTH, 2);
    apex_track *track = lay(&def);
    const apex_walls *walls = apex_track_walls(track);
    ck_assert_uint_eq(open_ends(walls), 0);
    ck_assert_uint_eq(crossings(walls), 0);
    uint32_t over = 0;
    uint32_t under = 0;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        if (hypot(wall->from_x_m, wall->from_y_m) < 20) {
            over += wall->base_m > 3;
            under += wall->top_m < 3;
        }
    }
    ck_assert_uint_ge(over, 4);
    ck_assert_uint_ge(under, 4);
    apex_track_destroy(track);
}

TEST(free_walls_and_posts_stand_as_written) {
    apex_track_def def = track_scene_circuit(3000);
    def.wall_count = 0;
    def.posts[0].x_m = 3;
    def.free_walls[0].base_m = 0.5;
    apex_track *track = lay(&def);
    const apex_walls *walls = apex_track_walls(track);
    ck_assert_uint_eq(walls->segment_count, 3);
    check_links(walls);
    ck_assert_uint_eq(open_ends(walls), 0);
    ck_assert_double_gt(left_of_m(&walls->segments[0], 0, 1), 0);
    ck_assert_double_eq(walls->segments[1].from_x_m, 20);
    ck_assert_double_eq(walls->segments[1].to_y_m, 20);
    ck_assert_double_eq(walls->segments[0].top_m, 2.5);
    ck_assert_uint_eq(walls->post_count, 1);
    double ground_m = apex_track_ground(track)->outside_height_m;
    ck_assert_double_eq(walls->posts[0].x_m, 3);
    ck_assert_double_eq(walls->posts[0].base_m, ground_m);
    ck_assert_double_eq(walls->posts[0].top_m, ground_m + 0.7);
    ck_assert_str_eq(walls->materials[walls->posts[0].material].name, "plastic");
    apex_track_destroy(track);
}

TEST(an_open_track_has_walls_from_end_to_end) {
    apex_track_def def = track_scene_drag();
    add_wall(&def, APEX_SIDE_BOTH, 1);
    apex_track *track = lay(&def);
    const apex_walls *walls = apex_track_walls(track);
    ck_assert_uint_eq(open_ends(walls), 4);
    double total_m = 0;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        total_m += length_m(&walls->segments[i]);
        ck_assert_double_eq_tol(fabs(walls->segments[i].from_y_m), 9, 1e-6);
    }
    ck_assert_double_eq_tol(total_m, 1600, 1e-6);
    check_faces(track, 1, 1e-6);
    apex_track_destroy(track);
}
