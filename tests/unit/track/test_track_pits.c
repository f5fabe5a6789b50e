// The pit lane: ground, walls, and the questions that rules will ask of it.

#include "base/trig.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A flat oval of 400 m straights and 100 m bends, 10 m wide; the lane on its first straight.
static apex_track_def with_pits(apex_track_side side) {
    apex_track_def def = track_scene_oval(400, 100);
    def.verge_m = 8;
    def.start_m = 200;
    def.pit_lane = apex_default_track_pit_lane();
    def.pit_lane.side = side;
    def.pit_lane.entry_m = 50;
    def.pit_lane.exit_m = 350;
    snprintf(def.pit_lane.surface, sizeof def.pit_lane.surface, "concrete");
    snprintf(def.pit_lane.wall_material, sizeof def.pit_lane.wall_material, "tyre-wall");
    return def;
}

static apex_track *lay(apex_track_def *def) {
    apex_track *track = NULL;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    return track;
}

static const char *surface_at(const apex_track *track, double x_m, double y_m) {
    const apex_ground *ground = apex_track_ground(track);
    return ground->surfaces[apex_ground_at(ground, x_m, y_m, 0).surface].name;
}

// The first straight runs along y = -100 from x = -200, so that x = u - 200; left is +y.
TEST(ground_is_laid_where_the_lane_runs) {
    static const struct {
        double u_m, outside_m;
        const char *surface;
    } spots[] = {
        {200, -1, "asphalt"},   {200, 3, "grass"},       {200, 5.7, "grass"},
        {200, 6.3, "concrete"}, {200, 10.7, "concrete"}, {200, 13.6, "concrete"},
        {200, 14.4, "grass"},   {120, 10.6, "concrete"}, {120, 11.4, "grass"}, // no box here
        {52, 0.4, "grass"},     {75, 0.9, "concrete"},   {75, 4.7, "concrete"},
        {75, 6.2, "grass"},     {40, 1, "grass"},        {348, 1.2, "grass"},
        {325, 3, "concrete"},
    };
    for (int side = 0; side < 2; side++) {
        apex_track_def def = with_pits(side == 0 ? APEX_SIDE_LEFT : APEX_SIDE_RIGHT);
        apex_track *track = lay(&def);
        for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
            double beside_m = 5 + spots[i].outside_m;
            double y_m = -100 + (side == 0 ? beside_m : -beside_m);
            ck_assert_msg(strcmp(surface_at(track, spots[i].u_m - 200, y_m), spots[i].surface) == 0,
                          "side %d, %g m, %g m outside: %s", side, spots[i].u_m, spots[i].outside_m,
                          surface_at(track, spots[i].u_m - 200, y_m));
        }
        apex_track_destroy(track);
        apex_track_def_free(&def);
    }
}

// All that lies on the road keeps its bits: heights everywhere, surfaces between the edges.
TEST(the_road_is_as_it_was) {
    apex_track_def def = with_pits(APEX_SIDE_RIGHT);
    def.verge_m = 20; // wide enough for the pits without them
    apex_track *with = lay(&def);
    def.pit_lane.given = false;
    apex_track *without = lay(&def);
    const apex_ground *a = apex_track_ground(with), *b = apex_track_ground(without);
    ck_assert_uint_eq(a->tile_count, b->tile_count);
    uint32_t changed = 0;
    for (uint32_t i = 0; i < a->tile_count; i++) {
        ck_assert_mem_eq(a->tiles[i].height_m, b->tiles[i].height_m, sizeof a->tiles[i].height_m);
        for (int32_t y = 0; y < APEX_GROUND_CELLS; y++) {
            for (int32_t x = 0; x < APEX_GROUND_CELLS; x++) {
                double x_m = a->tiles[i].tile_x * APEX_GROUND_TILE_M + (x + 0.5) * 0.5;
                double y_m = a->tiles[i].tile_y * APEX_GROUND_TILE_M + (y + 0.5) * 0.5;
                bool differs = a->tiles[i].surface[y][x] != b->tiles[i].surface[y][x];
                changed += differs;
                ck_assert(!differs || !apex_track_find(with, x_m, y_m, 0).on_road);
            }
        }
    }
    // Parallel 200 m of 5 m, 120 m of boxes of 3 m; of each taper the part that is off the road.
    ck_assert_double_eq_tol(changed * 0.25, 200 * 5 + 120 * 3 + 2 * 50 * 3.6, 60);
    apex_track_destroy(with);
    apex_track_destroy(without);
    apex_track_def_free(&def);
}

TEST(boxes_stand_in_a_row_beside_the_lane) {
    for (int side = 0; side < 2; side++) {
        apex_track_def def = with_pits(side == 0 ? APEX_SIDE_LEFT : APEX_SIDE_RIGHT);
        apex_track *track = lay(&def);
        for (uint32_t box = 0; box < 12; box++) {
            apex_placement at = apex_track_pit_box_placement(track, box);
            ck_assert_double_eq_tol(at.x_m, -200 + 145 + 10.0 * box, 0.01);
            ck_assert_double_eq_tol(fabs(at.y_m + 100), 5 + 6 + 5 + 1.5, 0.01);
            ck_assert((at.y_m > -100) == (side == 0));
            ck_assert_double_eq_tol(cos(at.yaw_rad), 1, 1e-6);
            apex_track_place place = apex_track_find(track, at.x_m, at.y_m, at.z_m);
            apex_track_pit_place pit = apex_track_pit_place_of(track, &place);
            ck_assert(pit.in_boxes && !pit.in_lane);
            ck_assert_double_eq_tol(pit.since_m, 95 + 10.0 * box, 0.01);
        }
        apex_track_destroy(track);
        apex_track_def_free(&def);
    }
}

// A car that follows the lane's middle is off the road and in the lane but at its very ends, makes
// no sharp turn, and finds the surface of the pits under the wheels.
TEST(the_lane_can_be_followed) {
    for (int side = 0; side < 2; side++) {
        apex_track_def def = with_pits(side == 0 ? APEX_SIDE_LEFT : APEX_SIDE_RIGHT);
        apex_track *track = lay(&def);
        apex_track_pits pits = apex_track_pits_of(track);
        ck_assert(pits.exists);
        ck_assert_int_eq(pits.side, def.pit_lane.side);
        ck_assert_uint_eq(pits.box_count, 12);
        ck_assert_double_eq_tol(pits.speed_limit_mps, 22.222, 0.001);
        ck_assert_double_eq_tol(pits.length_m, 300, 1e-9);
        ck_assert_double_eq_tol(pits.exit_s_m, 150, 1e-6);
        ck_assert_double_eq_tol(pits.entry_s_m, apex_track_length_m(track) - 150, 1e-6);
        apex_placement before = apex_track_pit_lane_placement(track, 0);
        for (double since_m = 1; since_m < 300; since_m += 1) {
            apex_placement at = apex_track_pit_lane_placement(track, since_m);
            double course_rad = apex_atan2(at.y_m - before.y_m, at.x_m - before.x_m);
            ck_assert_double_eq_tol(at.yaw_rad, course_rad, 0.02);
            ck_assert_double_lt(fabs(at.yaw_rad - before.yaw_rad), 0.04);
            apex_track_place place = apex_track_find(track, at.x_m, at.y_m, at.z_m);
            apex_track_pit_place pit = apex_track_pit_place_of(track, &place);
            ck_assert(pit.in_lane != place.on_road);
            ck_assert_double_eq_tol(pit.offset_m, 0, 0.01);
            ck_assert(pit.in_lane || since_m < 16 || since_m > 284);
            if (pit.in_lane && since_m > 20 && since_m < 280) {
                ck_assert_str_eq(surface_at(track, at.x_m, at.y_m), "concrete");
            }
            before = at;
        }
        apex_track_destroy(track);
        apex_track_def_free(&def);
    }
}

// Of 11 m outwards over a taper of 50 m the lane's width is 5: 3 x^2 - 2 x^3 = 5 / 11 at x =
// 0.46963.
TEST(the_lines_stand_where_the_lane_parts_from_the_road) {
    for (int side = 0; side < 2; side++) {
        apex_track_def def = with_pits(side == 0 ? APEX_SIDE_LEFT : APEX_SIDE_RIGHT);
        apex_track *track = lay(&def);
        apex_track_pits pits = apex_track_pits_of(track);
        ck_assert_double_eq_tol(pits.line_in_m, 23.482, 0.002);
        ck_assert_double_eq_tol(pits.line_out_m, 300 - 23.482, 0.002);
        ck_assert_double_eq_tol(pits.width_m, 5, 1e-9);
        ck_assert_double_eq_tol(pits.box_length_m, 10, 1e-9);
        ck_assert_double_eq_tol(pits.box_depth_m, 3, 1e-9);
        ck_assert_double_eq_tol(apex_track_pit_box_since_m(track, 0), 95, 1e-9);
        ck_assert_double_eq_tol(apex_track_pit_box_since_m(track, 11), 205, 1e-9);
        double lines_m[2] = {pits.line_in_m, pits.line_out_m};
        for (int i = 0; i < 2; i++) { // a car beside the road's edge is in the lane, one inside not
            double s_m = pits.entry_s_m + lines_m[i];
            for (double outside_m = -0.01; outside_m < 0.03; outside_m += 0.03) {
                double offset_m = (side == 0 ? 1 : -1) * (5 + outside_m);
                apex_placement at = apex_track_placement(track, s_m, offset_m);
                apex_track_place place = apex_track_find(track, at.x_m, at.y_m, at.z_m);
                bool in_lane = apex_track_pit_place_of(track, &place).in_lane;
                ck_assert_int_eq(in_lane, outside_m > 0);
            }
        }
        apex_track_destroy(track);
        def.pit_lane.distance_m = 0; // never on the road, never away from it
        def.pit_lane.wall_material[0] = '\0';
        track = lay(&def);
        ck_assert_double_eq_tol(apex_track_pits_of(track).line_in_m, 50, 1e-6);
        apex_track_destroy(track);
        apex_track_def_free(&def);
    }
}

TEST(places_on_the_road_are_not_in_the_pits) {
    apex_track_def def = with_pits(APEX_SIDE_RIGHT);
    apex_track *track = lay(&def);
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 3.1) {
        for (double offset_m = -4.9; offset_m <= 30; offset_m += 2.5) {
            apex_placement at = apex_track_placement(track, s_m, offset_m);
            apex_track_place place = apex_track_project(track, at.x_m, at.y_m, s_m);
            apex_track_pit_place pit = apex_track_pit_place_of(track, &place);
            ck_assert(!pit.in_lane && !pit.in_boxes);
        }
    }
    def.pit_lane.given = false;
    apex_track *without = lay(&def);
    ck_assert(!apex_track_pits_of(without).exists);
    apex_track_place place = apex_track_find(without, 0, -113.5, 0);
    ck_assert(!apex_track_pit_place_of(without, &place).in_lane);
    ck_assert(apex_track_pit_place_of(without, &place).since_m < 0);
    apex_track_destroy(without);
    apex_track_destroy(track);
    apex_track_def_free(&def);
}

// Across the pits at the middle box and, past the last one, where there is only the lane.
TEST(lane_and_boxes_end_where_they_are_told_to) {
    static const struct {
        double x_m, outside_m;
        bool in_lane, in_boxes;
    } spots[] = {
        {0, 5.9, false, false},  {0, 6.1, true, false},     {0, 10.9, true, false},
        {0, 11.1, false, true},  {0, 13.9, false, true},    {0, 14.1, false, false},
        {59, 13.9, false, true}, {-59, 13.9, false, true},  {61, 11.1, false, false},
        {61, 10.9, true, false}, {-61, 11.1, false, false},
    };
    for (int side = 0; side < 2; side++) {
        apex_track_def def = with_pits(side == 0 ? APEX_SIDE_LEFT : APEX_SIDE_RIGHT);
        apex_track *track = lay(&def);
        for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
            double beside_m = 5 + spots[i].outside_m;
            apex_track_place place =
                apex_track_find(track, spots[i].x_m, -100 + (side == 0 ? beside_m : -beside_m), 0);
            apex_track_pit_place pit = apex_track_pit_place_of(track, &place);
            ck_assert_msg(pit.in_lane == spots[i].in_lane && pit.in_boxes == spots[i].in_boxes,
                          "side %d, spot %zu", side, i);
        }
        apex_track_destroy(track);
        apex_track_def_free(&def);
    }
}

// The other straight is 24 m to the left, and no matter for a lane on the right.
TEST(the_lane_needs_room_on_its_own_side) {
    apex_track_def def = track_scene_oval(400, 12);
    apex_track_def other = with_pits(APEX_SIDE_RIGHT);
    def.pit_lane = other.pit_lane;
    apex_track_def_free(&other);
    apex_track_destroy(lay(&def));
    apex_track_def_free(&def);
}

// A face to the road and one to the lane, 0.3 m apart, from taper to taper.
TEST(the_wall_has_two_faces) {
    for (int side = 0; side < 2; side++) {
        apex_track_def def = with_pits(side == 0 ? APEX_SIDE_LEFT : APEX_SIDE_RIGHT);
        apex_track *track = lay(&def);
        const apex_walls *walls = apex_track_walls(track);
        double length_m[2] = {0, 0};
        for (uint32_t i = 0; i < walls->segment_count; i++) {
            const apex_wall_segment *wall = &walls->segments[i];
            double dx_m = wall->to_x_m - wall->from_x_m;
            double outside_m = fabs(wall->from_y_m + 100) - 5;
            // Cars stay on the left: where it runs along +x that is +y.
            bool faces_road = (dx_m > 0) == (side == 1);
            ck_assert_double_eq_tol(outside_m, faces_road ? 2.85 : 3.15, 0.01);
            ck_assert_str_eq(walls->materials[wall->material].name, "tyre-wall");
            length_m[faces_road] += fabs(dx_m);
            ck_assert_double_ge(wall->from_x_m, -100.5);
            ck_assert_double_le(wall->from_x_m, 100.5);
        }
        ck_assert_double_eq_tol(length_m[0], 200, 1);
        ck_assert_double_eq_tol(length_m[1], 200, 1);
        apex_track_destroy(track);
        apex_track_def_free(&def);
    }
}

// The lane leaves the road 8 m before the first point, and its taper of 50 m ends 42 m behind it:
// there the wall begins, and it ends where the other taper does.
TEST(a_wall_begins_behind_a_taper_over_the_first_point) {
    apex_track_def def = with_pits(APEX_SIDE_RIGHT);
    double round_m = 800 + 200 * APEX_PI;
    def.pit_lane.entry_m = round_m - 8;
    def.pit_lane.exit_m = 300;
    def.pit_lane.taper_m = 50;
    apex_track *track = lay(&def);
    const apex_walls *walls = apex_track_walls(track);
    double least_m = 1000, most_m = -1000;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        least_m = fmin(least_m, fmin(wall->from_x_m, wall->to_x_m));
        most_m = fmax(most_m, fmax(wall->from_x_m, wall->to_x_m));
    }
    ck_assert_double_eq_tol(least_m, -200 + 42, 0.1);
    ck_assert_double_eq_tol(most_m, -200 + 250, 0.1);
    apex_track_destroy(track);
    apex_track_def_free(&def);
}

TEST(pits_run_over_the_line) {
    apex_track_def def = with_pits(APEX_SIDE_LEFT);
    def.start_m = 0;
    def.pit_lane.entry_m = 1350;
    def.pit_lane.exit_m = 200;
    def.pit_lane.side = APEX_SIDE_RIGHT;
    apex_track *track = lay(&def);
    apex_track_pits pits = apex_track_pits_of(track);
    ck_assert_double_eq_tol(pits.length_m, apex_track_length_m(track) - 1150, 1e-6);
    apex_placement at = apex_track_pit_lane_placement(track, pits.length_m - 100);
    ck_assert_double_eq_tol(at.x_m, -100, 0.01);
    ck_assert_double_eq_tol(at.y_m, -100 - 5 - 6 - 2.5, 0.01);
    apex_track_destroy(track);
    apex_track_def_free(&def);
}

static void on_both_sides(apex_track_def *def) {
    def->pit_lane.side = APEX_SIDE_BOTH;
}
static void nan_width(apex_track_def *def) {
    def->pit_lane.width_m = (double)NAN;
}
static void no_speed(apex_track_def *def) {
    def->pit_lane.speed_limit_mps = 0;
}
static void too_many_boxes(apex_track_def *def) {
    def->pit_lane.box_count = 65;
}
static void boxes_without_depth(apex_track_def *def) {
    def->pit_lane.box_depth_m = 0;
}
static void boxes_too_deep(apex_track_def *def) {
    def->pit_lane.box_depth_m = 20.1;
}
static void boxes_too_close(apex_track_def *def) {
    def->pit_lane.box_spacing_m = 2.9;
}
static void no_boxes(apex_track_def *def) {
    def->pit_lane.box_count = 0;
}
static void boxes_too_far(apex_track_def *def) {
    def->pit_lane.box_spacing_m = 30;
}
static void entry_off_the_lap(apex_track_def *def) {
    def->pit_lane.entry_m = 1500;
}
static void of_cheese(apex_track_def *def) {
    snprintf(def->pit_lane.surface, sizeof def->pit_lane.surface, "cheese");
}
static void wall_of_hay(apex_track_def *def) {
    snprintf(def->pit_lane.wall_material, sizeof def->pit_lane.wall_material, "hay");
}
static void wall_without_room(apex_track_def *def) {
    def->pit_lane.distance_m = 0.5;
}
static void open_and_backwards(apex_track_def *def) {
    def->closed = false;
    def->finish_m = 900;
    def->pit_lane.entry_m = 600;
}
static void take_pits(apex_track_def *def) {
    apex_track_def other = with_pits(APEX_SIDE_LEFT);
    def->pit_lane = other.pit_lane;
    apex_track_def_free(&other);
}
static void round_a_bend(apex_track_def *def) {
    apex_track_def_free(def);
    *def = track_scene_oval(400, 20);
    take_pits(def);
    def->pit_lane.entry_m = 250;
    def->pit_lane.exit_m = 600;
    def->pit_lane.wall_material[0] = '\0';
}
static void on_another_road(apex_track_def *def) {
    apex_track_def_free(def);
    *def = track_scene_oval(400, 12);
    take_pits(def);
}
static void wall_across(apex_track_def *def) {
    def->wall_count = 1;
    def->walls[0] = (apex_track_wall){
        .material = "concrete", .side = APEX_SIDE_BOTH, .distance_m = 8, .height_m = 1};
}
static void free_wall_across(apex_track_def *def) {
    def->free_walls = calloc(1, sizeof *def->free_walls);
    ck_assert_ptr_nonnull(def->free_walls);
    def->free_wall_count = 1;
    def->free_walls[0] = (apex_track_free_wall){.material = "concrete",
                                                .point_count = 3,
                                                .x_m = {60, 0, 0},
                                                .y_m = {-130, -130, -112},
                                                .base_m = -1,
                                                .height_m = 3};
}
static void post_in_a_box(apex_track_def *def) {
    def->posts = calloc(2, sizeof *def->posts);
    ck_assert_ptr_nonnull(def->posts);
    def->post_count = 2;
    def->posts[0] =
        (apex_track_post){.material = "plastic", .y_m = -125, .radius_m = 0.2, .height_m = 1};
    def->posts[1] =
        (apex_track_post){.material = "plastic", .y_m = -119.5, .radius_m = 0.8, .height_m = 1};
}

static const struct {
    void (*make)(apex_track_def *def);
    const char *field, *reason;
} faults[] = {
    {on_both_sides, "pit_lane.side", "pits are on the left or on the right"},
    {nan_width, "pit_lane.width_m", "nan is outside 3..30"},
    {no_speed, "pit_lane.speed_limit_mps", "0 is outside 1..100"},
    {too_many_boxes, "pit_lane.box_count", "65 is outside 1..64"},
    {boxes_without_depth, "pit_lane.box_depth_m", "0 is outside 2..20"},
    {boxes_too_deep, "pit_lane.box_depth_m", "20.1 is outside 2..20"},
    {boxes_too_close, "pit_lane.box_spacing_m", "2.9 is outside 3..100"},
    {no_boxes, "pit_lane.box_count", "0 is outside 1..64"},
    {boxes_too_far, "pit_lane.exit_m",
     "300.0 m behind the entry, but 12 boxes and two tapers of 50 m need 460.0 m; move it, or take "
     "fewer boxes"},
    {entry_off_the_lap, "pit_lane.entry_m", "not on the lap of 0..1428.3 m"},
    {of_cheese, "pit_lane.surface", "no surface is called 'cheese'"},
    {wall_of_hay, "pit_lane.wall_material", "no material is called 'hay'"},
    {wall_without_room, "pit_lane.wall_material",
     "a wall needs 1 m between road and lane, there is 0.5 m; set distance_m"},
    {open_and_backwards, "pit_lane.exit_m", "350 lies before entry_m 600"},
    {round_a_bend, "pit_lane.side",
     "at 401 m the road bends round the lane by a radius of 31.2 m; put it on the other "
     "side, or elsewhere"},
    {on_another_road, "pit_lane.side",
     "at 140 m the lane would lie on the road at points[62]; put it on the other "
     "side, or elsewhere"},
    {wall_across, "walls[0].distance_m",
     "stands across the pit lane 150 m behind its entry; end the wall there (from_m, to_m), or "
     "move it further out"},
    {free_wall_across, "free_walls[0].points[1]",
     "the wall from here on stands in the pit lane; move it"},
    {post_in_a_box, "posts[1].x_m", "stands in the pit lane; move it"},
};

TEST_OVER(every_fault_is_named, 0, (int)(sizeof faults / sizeof faults[0])) {
    apex_track_def def = with_pits(APEX_SIDE_RIGHT);
    faults[_i].make(&def);
    apex_def_problem problem = {{0}, {0}};
    apex_track *track = NULL;
    ck_assert_int_eq(apex_track_create(&def, &track, &problem), APEX_ERR_INVALID);
    ck_assert_str_eq(problem.field, faults[_i].field);
    ck_assert_str_eq(problem.reason, faults[_i].reason);
    apex_track_def_free(&def);
}
