// Projection onto the lap, the search for a place, and the start grid.

#include "base/trig.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/track.h"

#include <math.h>

static apex_track *lay(apex_track_def *def) {
    apex_track *track = NULL;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    apex_track_def_free(def);
    return track;
}

// On a circle the answer is known: s = radius * angle, offset = radius - distance from the middle.
TEST(a_point_beside_a_circle_is_placed_within_a_centimetre) {
    apex_track_def def = track_scene_circle(50, 72, 0);
    apex_track *track = lay(&def);
    double scale = apex_track_length_m(track) / (2 * APEX_PI);
    for (double angle_rad = 0.01; angle_rad < 6.28; angle_rad += 0.0317) {
        for (double out_m = -30; out_m <= 30; out_m += 7.5) {
            double x_m = (50 + out_m) * cos(angle_rad);
            double y_m = (50 + out_m) * sin(angle_rad);
            apex_track_place place =
                apex_track_project(track, x_m, y_m, scale * angle_rad + 17 * sin(40 * angle_rad));
            ck_assert_double_eq_tol(place.s_m, scale * angle_rad, 0.01);
            ck_assert_double_eq_tol(place.offset_m, -out_m, 0.01);
            ck_assert(place.on_road == (fabs(out_m) < 5));
        }
    }
    apex_track_destroy(track);
}

TEST(left_is_positive_and_edges_are_its_own) {
    apex_track_def def = track_scene_drag();
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].left_m = 3;
        def.points[i].right_m = 7;
    }
    apex_track *track = lay(&def);
    apex_track_place left = apex_track_project(track, 300, 3.5, 190);
    ck_assert_double_eq_tol(left.s_m, 200, 1e-6);
    ck_assert_double_eq_tol(left.offset_m, 3.5, 1e-9);
    ck_assert(!left.on_road);
    ck_assert_double_eq(left.left_m, 3);
    ck_assert_double_eq(left.right_m, 7);
    ck_assert(apex_track_project(track, 300, -6.9, 190).on_road);
    ck_assert(!apex_track_project(track, 300, -7.1, 190).on_road);
    apex_track_destroy(track);
}

TEST(an_open_track_counts_before_and_past_its_lines) {
    apex_track_def def = track_scene_drag();
    apex_track *track = lay(&def);
    ck_assert_double_eq_tol(apex_track_project(track, 70, 1, 0).s_m, -30, 1e-6);
    ck_assert_double_eq_tol(apex_track_project(track, 650, 1, 540).s_m, 550, 1e-6);
    ck_assert_double_eq_tol(apex_track_find(track, 3, 0, 0).s_m, -97, 1e-6);
    // Past its ends the place stays at the end, and is no road.
    apex_track_place past = apex_track_project(track, 830, 1, 690);
    ck_assert_double_eq_tol(past.s_m, 700, 1e-6);
    ck_assert(!past.on_road);
    ck_assert(apex_track_project(track, 799.9, 1, 690).on_road);
    apex_track_destroy(track);
}

// Every place of a lap with everything, from frame to point and back.
TEST(frames_and_projection_agree) {
    apex_track_def def = track_scene_circuit(4000);
    apex_track *track = lay(&def);
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 3.1) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        for (double offset_m = -9; offset_m <= 9; offset_m += 4.5) {
            double x_m = frame.x_m - offset_m * sin(frame.heading_rad);
            double y_m = frame.y_m + offset_m * cos(frame.heading_rad);
            for (double hint_m = -55; hint_m < 56; hint_m += 18.5) {
                apex_track_place place = apex_track_project(track, x_m, y_m, s_m + hint_m);
                ck_assert_double_eq_tol(apex_track_gap_m(track, s_m, place.s_m), 0, 1e-3);
                ck_assert_double_eq_tol(place.offset_m, offset_m, 1e-3);
            }
            apex_track_place found = apex_track_find(track, x_m, y_m, frame.z_m);
            ck_assert_double_eq_tol(apex_track_gap_m(track, s_m, found.s_m), 0, 1e-3);
        }
    }
    apex_track_destroy(track);
}

// Brute force over the window in steps of a decimetre is the oracle; off the road too, where the
// short cut must give way to the search.
TEST(the_nearest_place_in_the_window_is_found) {
    apex_track_def def = track_scene_eight(6);
    apex_track *track = lay(&def);
    double length_m = apex_track_length_m(track);
    uint32_t seed = 1;
    for (int i = 0; i < 400; i++) {
        seed = seed * 1664525u + 1013904223u;
        double x_m = (seed >> 16) / 65536.0 * 460 - 230;
        seed = seed * 1664525u + 1013904223u;
        double y_m = (seed >> 16) / 65536.0 * 240 - 120;
        double near_s_m = i * length_m / 400;
        double best_m = HUGE_VAL;
        for (double s_m = near_s_m - 60; s_m <= near_s_m + 60; s_m += 0.1) {
            apex_track_frame frame = apex_track_frame_at(track, s_m);
            best_m = fmin(best_m, hypot(frame.x_m - x_m, frame.y_m - y_m));
        }
        apex_track_place place = apex_track_project(track, x_m, y_m, near_s_m);
        apex_track_frame frame = apex_track_frame_at(track, place.s_m);
        double distance_m = hypot(frame.x_m - x_m, frame.y_m - y_m);
        ck_assert_double_le(fabs(apex_track_gap_m(track, near_s_m, place.s_m)), 61.5);
        // The window's own ends are not exact to the metre: nearer than the oracle is fine.
        ck_assert_double_le(distance_m, best_m + 0.02);
    }
    apex_track_destroy(track);
}

// Once round in steps of a tick, always from the last place: over the crossing as well.
TEST(a_followed_car_does_not_jump_at_the_crossing) {
    apex_track_def def = track_scene_eight(6);
    apex_track *track = lay(&def);
    double length_m = apex_track_length_m(track);
    double near_s_m = 0;
    for (double s_m = 0; s_m < 2 * length_m; s_m += 1.6) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        apex_track_place place = apex_track_project(track, frame.x_m, frame.y_m, near_s_m);
        double s_wrapped_m = fmod(s_m, length_m);
        ck_assert_double_eq_tol(apex_track_gap_m(track, s_wrapped_m, place.s_m), 0, 0.01);
        near_s_m = place.s_m;
    }
    apex_track_destroy(track);
}

TEST(height_tells_bridge_from_underpass) {
    apex_track_def def = track_scene_eight(6);
    apex_track *track = lay(&def);
    double half_m = apex_track_length_m(track) / 2;
    apex_track_place over = apex_track_find(track, 0.1, 0.1, 6);
    apex_track_place under = apex_track_find(track, 0.1, 0.1, 0);
    ck_assert_double_le(fabs(apex_track_gap_m(track, 0, over.s_m)), 1);
    ck_assert_double_le(fabs(apex_track_gap_m(track, half_m, under.s_m)), 10);
    apex_track_destroy(track);
}

TEST(gaps_go_the_short_way_round) {
    apex_track_def def = track_scene_circle(50, 36, 0);
    apex_track *track = lay(&def);
    double length_m = apex_track_length_m(track);
    ck_assert_double_eq_tol(apex_track_gap_m(track, 10, 30), 20, 1e-9);
    ck_assert_double_eq_tol(apex_track_gap_m(track, 30, 10), -20, 1e-9);
    ck_assert_double_eq_tol(apex_track_gap_m(track, length_m - 5, 5), 10, 1e-9);
    ck_assert_double_eq_tol(apex_track_gap_m(track, 5, length_m - 5), -10, 1e-9);
    apex_track_destroy(track);

    def = track_scene_drag();
    track = lay(&def);
    ck_assert_double_eq_tol(apex_track_gap_m(track, 390, -20), -410, 1e-9);
    apex_track_destroy(track);
}

TEST(nonsense_has_a_place_too) {
    const double nan = (double)NAN;
    apex_track_def def = track_scene_circle(50, 36, 0);
    apex_track *track = lay(&def);
    ck_assert_double_eq_tol(apex_track_project(track, nan, 0, 40).s_m, 40, 1e-9);
    ck_assert(!apex_track_project(track, 0, HUGE_VAL, 40).on_road);
    ck_assert(isfinite(apex_track_project(track, 1e300, -1e300, 40).s_m));
    ck_assert(isfinite(apex_track_project(track, 40, 0, nan).s_m));
    ck_assert(isfinite(apex_track_find(track, 0, 0, nan).offset_m));
    ck_assert(isfinite(apex_track_frame_at(track, nan).x_m));
    ck_assert(isfinite(apex_track_frame_at(track, 1e300).x_m));
    apex_track_destroy(track);
}

// Just behind the line, laps on and laps back.
TEST(laps_on_and_back_are_the_same_place) {
    apex_track_def def = track_scene_circle(50, 36, 0);
    apex_track *track = lay(&def);
    double length_m = apex_track_length_m(track);
    apex_track_frame once = apex_track_frame_at(track, 0.4);
    for (int laps = -3; laps <= 3; laps++) {
        apex_track_frame again = apex_track_frame_at(track, 0.4 + laps * length_m);
        ck_assert_double_eq_tol(again.x_m, once.x_m, 1e-9);
        ck_assert_double_eq_tol(again.y_m, once.y_m, 1e-9);
    }
    apex_track_destroy(track);
}

// A distance that no lap can be counted from is the start line's.
TEST(nonsense_along_the_lap_is_its_beginning) {
    apex_track_def def = track_scene_circle(50, 36, 0);
    apex_track *track = lay(&def);
    static const double distances[] = {1e300, -1e300, HUGE_VAL, -HUGE_VAL, (double)NAN};
    apex_track_frame line = apex_track_frame_at(track, 0);
    for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
        apex_track_frame frame = apex_track_frame_at(track, distances[i]);
        ck_assert_double_eq(frame.x_m, line.x_m);
        ck_assert_double_eq(frame.y_m, line.y_m);
    }
    apex_track_destroy(track);
}

TEST(boxes_are_staggered_behind_the_line) {
    apex_track_def def = track_scene_oval(400, 100);
    def.start_m = 300;
    def.grid = (apex_track_grid){.first_m = 2,
                                 .spacing_m = 7,
                                 .columns = 2,
                                 .column_gap_m = 4,
                                 .pole_side = APEX_SIDE_RIGHT};
    apex_track *track = lay(&def);
    apex_placement pole = apex_track_grid_placement(track, 0);
    apex_placement second = apex_track_grid_placement(track, 1);
    apex_placement third = apex_track_grid_placement(track, 2);
    // The straight runs along +x at y = -100; its line is 100 m right of the middle.
    ck_assert_double_le(pole.x_m, 100 - 2 - 2);
    ck_assert_double_ge(pole.x_m, 100 - 2 - 3);
    ck_assert_double_eq_tol(pole.y_m, -102, 1e-3);
    ck_assert_double_eq_tol(second.x_m, pole.x_m - 7, 1e-3);
    ck_assert_double_eq_tol(second.y_m, -98, 1e-3);
    ck_assert_double_eq_tol(third.x_m, pole.x_m - 14, 1e-3);
    ck_assert_double_eq_tol(third.y_m, -102, 1e-3);
    ck_assert_double_eq_tol(pole.yaw_rad, 0, 1e-3);
    ck_assert_double_eq(pole.speed_mps, 0);
    apex_track_destroy(track);
}

// Over the line, round the bend, at most half a lap back; then boxes come again, column for column.
TEST(boxes_go_round_the_lap_and_repeat) {
    apex_track_def def = track_scene_circle(50, 72, 0);
    def.grid = (apex_track_grid){
        .first_m = 0, .spacing_m = 8, .columns = 2, .column_gap_m = 5, .pole_side = APEX_SIDE_LEFT};
    apex_track *track = lay(&def);
    double length_m = apex_track_length_m(track);
    uint32_t repeat = 0;
    for (uint32_t i = 1; i < 60 && repeat == 0; i++) {
        apex_placement box = apex_track_grid_placement(track, i);
        apex_track_place place = apex_track_find(track, box.x_m, box.y_m, 0);
        ck_assert(place.on_road);
        double behind_m = -apex_track_gap_m(track, 0, place.s_m);
        if (behind_m < 8 * i) {
            repeat = i;
        }
        ck_assert_double_le(behind_m, length_m / 2);
    }
    ck_assert_uint_ge(repeat, 16); // 157 m / 8 m, less one for the pair
    ck_assert_uint_eq(repeat % 2, 0);
    apex_placement first = apex_track_grid_placement(track, 0);
    apex_placement again = apex_track_grid_placement(track, repeat);
    ck_assert_double_eq(first.x_m, again.x_m);
    ck_assert_double_eq(first.y_m, again.y_m);
    apex_track_destroy(track);
}

TEST(a_drag_strip_starts_side_by_side) {
    apex_track_def def = track_scene_drag();
    apex_track *track = lay(&def);
    apex_placement left = apex_track_grid_placement(track, 0);
    apex_placement right = apex_track_grid_placement(track, 1);
    apex_placement row = apex_track_grid_placement(track, 2);
    ck_assert_double_eq(left.x_m, right.x_m);
    ck_assert_double_eq_tol(left.y_m, 4, 1e-9);
    ck_assert_double_eq_tol(right.y_m, -4, 1e-9);
    ck_assert_double_eq_tol(row.x_m, left.x_m - 8, 1e-9);
    ck_assert_double_lt(left.x_m, 100);
    for (uint32_t i = 0; i < 100; i++) {
        ck_assert_double_ge(apex_track_grid_placement(track, i).x_m, 0);
    }
    apex_track_destroy(track);
}

// The middle of a road that is wider on one side is not its centre line; nor are its edges as far.
TEST(boxes_stand_about_the_middle_of_the_road) {
    const struct {
        double left_m, right_m, gap_m, pole_y_m, second_y_m;
    } roads[] = {{3, 7, 4, 0, -4}, {7, 3, 4, 4, 0}, {7, 3, 10, 6, -2}, {3, 7, 10, 2, -6}};
    for (int i = 0; i < 4; i++) {
        apex_track_def def = track_scene_drag();
        for (uint32_t k = 0; k < def.point_count; k++) {
            def.points[k].left_m = roads[i].left_m;
            def.points[k].right_m = roads[i].right_m;
        }
        def.grid.column_gap_m = roads[i].gap_m;
        apex_track *track = lay(&def);
        ck_assert_double_eq_tol(apex_track_grid_placement(track, 0).y_m, roads[i].pole_y_m, 1e-9);
        ck_assert_double_eq_tol(apex_track_grid_placement(track, 1).y_m, roads[i].second_y_m, 1e-9);
        apex_track_destroy(track);
    }
}

TEST(boxes_stay_on_a_narrow_road) {
    apex_track_def def = track_scene_drag();
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].left_m = 2;
        def.points[i].right_m = 4;
    }
    def.grid.column_gap_m = 6;
    apex_track *track = lay(&def);
    ck_assert_double_le(apex_track_grid_placement(track, 0).y_m, 1);
    ck_assert_double_ge(apex_track_grid_placement(track, 1).y_m, -3);
    apex_track_destroy(track);
}

TEST(a_placement_lies_on_the_banked_road) {
    apex_track_def def = track_scene_circle(100, 72, -0.3);
    apex_track *track = lay(&def);
    apex_placement outside = apex_track_placement(track, 0, -4);
    ck_assert_double_eq_tol(outside.x_m, 104, 1e-3);
    ck_assert_double_eq_tol(outside.z_m, 4 * tan(0.3), 1e-9);
    ck_assert_double_eq_tol(outside.yaw_rad, APEX_PI / 2, 1e-4);
    apex_track_destroy(track);
}
