// The centre line against curves that are known.

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

TEST(a_circle_has_its_length_and_curvature) {
    apex_track_def def = track_scene_circle(50, 36, 0);
    apex_track *track = lay(&def);
    double length_m = 2 * APEX_PI * 50;
    ck_assert_double_eq_tol(apex_track_length_m(track), length_m, 1e-4 * length_m);
    for (double s_m = 0; s_m < length_m; s_m += 0.37) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        ck_assert_double_eq_tol(frame.curvature_per_m, 0.02, 0.005 * 0.02);
        ck_assert_double_eq_tol(hypot(frame.x_m, frame.y_m), 50, 1e-3);
        double angle_rad = s_m / 50;
        ck_assert_double_eq_tol(frame.x_m, 50 * cos(angle_rad), 2e-3);
        ck_assert_double_eq_tol(apex_wrap_angle(frame.heading_rad - angle_rad - APEX_PI / 2), 0,
                                1e-3);
        ck_assert_double_eq(frame.left_m, 5);
    }
    apex_track_destroy(track);
}

TEST(driven_the_other_way_a_circle_bends_right) {
    apex_track_def def = track_scene_circle(80, 36, 0);
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].y_m = -def.points[i].y_m;
    }
    apex_track *track = lay(&def);
    ck_assert_double_eq_tol(apex_track_frame_at(track, 33).curvature_per_m, -1.0 / 80, 1e-4);
    apex_track_destroy(track);
}

TEST(an_oval_has_its_length) {
    apex_track_def def = track_scene_oval(400, 100);
    apex_track *track = lay(&def);
    double length_m = 800 + 2 * APEX_PI * 100;
    ck_assert_double_eq_tol(apex_track_length_m(track), length_m, 1e-4 * length_m);
    // In the middle of a straight and of a bend the joints between them are not felt.
    ck_assert_double_eq_tol(apex_track_frame_at(track, 200).curvature_per_m, 0, 1e-5);
    ck_assert_double_eq_tol(apex_track_frame_at(track, 400 + 50 * APEX_PI).curvature_per_m, 0.01,
                            1e-5);
    apex_track_destroy(track);
}

// A helix's piece: length in space, not in the plan.
TEST(a_slope_makes_the_way_longer) {
    apex_track_def def = track_scene_drag();
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].z_m = 0.1 * def.points[i].x_m;
    }
    def.start_m = 0;
    def.finish_m = 800 * sqrt(1.01);
    apex_track *track = lay(&def);
    ck_assert_double_eq_tol(apex_track_length_m(track), 800 * sqrt(1.01), 1e-6);
    apex_track_frame frame = apex_track_frame_at(track, 100);
    ck_assert_double_eq_tol(frame.slope_rad, atan(0.1), 1e-9);
    ck_assert_double_eq_tol(frame.x_m, 100 / sqrt(1.01), 1e-6);
    ck_assert_double_eq_tol(frame.z_m, 10 / sqrt(1.01), 1e-6);
    apex_track_destroy(track);
}

TEST(the_lap_is_continuous_over_the_start_line) {
    apex_track_def def = track_scene_circuit(3000);
    apex_track *track = lay(&def);
    double length_m = apex_track_length_m(track);
    // A thousandth of a metre to both sides: position, heading and curvature stay.
    apex_track_frame before = apex_track_frame_at(track, length_m - 0.001);
    apex_track_frame behind = apex_track_frame_at(track, 0.001);
    ck_assert_double_eq_tol(hypot(behind.x_m - before.x_m, behind.y_m - before.y_m), 0.002, 1e-4);
    ck_assert_double_eq_tol(behind.z_m, before.z_m, 1e-3);
    ck_assert_double_eq_tol(apex_wrap_angle(behind.heading_rad - before.heading_rad), 0, 1e-4);
    ck_assert_double_eq_tol(behind.curvature_per_m, before.curvature_per_m, 1e-5);
    // And it wraps: any number of laps on or back is the same place.
    apex_track_frame once = apex_track_frame_at(track, 123.25);
    apex_track_frame again = apex_track_frame_at(track, 123.25 + 3 * length_m);
    apex_track_frame back = apex_track_frame_at(track, 123.25 - 2 * length_m);
    ck_assert_double_eq_tol(once.x_m, again.x_m, 1e-9);
    ck_assert_double_eq_tol(once.y_m, back.y_m, 1e-9);
    apex_track_destroy(track);
}

TEST(frames_do_not_jump_anywhere) {
    apex_track_def def = track_scene_circuit(3000);
    apex_track *track = lay(&def);
    apex_track_frame before = apex_track_frame_at(track, 0);
    for (double s_m = 0.1; s_m < apex_track_length_m(track) + 1; s_m += 0.1) {
        apex_track_frame here = apex_track_frame_at(track, s_m);
        double dx_m = here.x_m - before.x_m;
        double dy_m = here.y_m - before.y_m;
        double dz_m = here.z_m - before.z_m;
        ck_assert_double_eq_tol(sqrt(dx_m * dx_m + dy_m * dy_m + dz_m * dz_m), 0.1, 1e-4);
        // The heading is where the way goes, the slope how it climbs.
        double middle_rad =
            before.heading_rad + apex_wrap_angle(here.heading_rad - before.heading_rad) / 2;
        ck_assert_double_eq_tol(apex_wrap_angle(atan2(dy_m, dx_m) - middle_rad), 0, 1e-4);
        ck_assert_double_eq_tol(asin(dz_m / 0.1), here.slope_rad, 2e-3);
        before = here;
    }
    apex_track_destroy(track);
}

TEST(the_start_line_is_where_start_m_says) {
    apex_track_def def = track_scene_circle(50, 36, 0);
    def.start_m = 25 * APEX_PI; // a quarter of the lap
    apex_track *track = lay(&def);
    apex_track_frame line = apex_track_frame_at(track, 0);
    ck_assert_double_eq_tol(line.x_m, 0, 2e-3);
    ck_assert_double_eq_tol(line.y_m, 50, 1e-3);
    apex_track_destroy(track);
}

TEST(an_open_track_reaches_past_its_lines) {
    apex_track_def def = track_scene_drag();
    apex_track *track = lay(&def);
    ck_assert(!apex_track_closed(track));
    ck_assert_double_eq_tol(apex_track_length_m(track), 402.336, 1e-9);
    ck_assert_double_eq_tol(apex_track_frame_at(track, 0).x_m, 100, 1e-9);
    ck_assert_double_eq_tol(apex_track_frame_at(track, -60).x_m, 40, 1e-9);
    ck_assert_double_eq_tol(apex_track_frame_at(track, 600).x_m, 700, 1e-9);
    ck_assert_double_eq_tol(apex_track_frame_at(track, -1000).x_m, 0, 1e-9);
    ck_assert_double_eq_tol(apex_track_frame_at(track, 9000).x_m, 800, 1e-9);
    apex_track_destroy(track);
}

// 6 m, then 9 m wide: a plain cubic would swing below 6 and above 9 on its way.
TEST(widths_do_not_swing) {
    apex_track_def def = track_scene_circle(100, 40, 0);
    for (uint32_t i = 10; i < 30; i++) {
        def.points[i].left_m = 9;
    }
    apex_track *track = lay(&def);
    double widest_m = 0;
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 0.5) {
        double left_m = apex_track_frame_at(track, s_m).left_m;
        ck_assert_double_ge(left_m, 5 - 1e-9);
        ck_assert_double_le(left_m, 9 + 1e-9);
        widest_m = fmax(widest_m, left_m);
    }
    ck_assert_double_eq_tol(widest_m, 9, 1e-9);
    apex_track_destroy(track);
}

TEST(sectors_end_at_their_marks_and_at_the_line) {
    apex_track_def def = track_scene_circle(50, 36, 0);
    def.sector_count = 2;
    def.sector_m[0] = 100;
    def.sector_m[1] = 200.5;
    apex_track *track = lay(&def);
    ck_assert_uint_eq(apex_track_sector_count(track), 3);
    ck_assert_double_eq(apex_track_sector_end_m(track, 0), 100);
    ck_assert_double_eq(apex_track_sector_end_m(track, 1), 200.5);
    ck_assert_double_eq(apex_track_sector_end_m(track, 2), apex_track_length_m(track));
    apex_track_destroy(track);
}

TEST(two_points_are_a_straight) {
    apex_track_def def = track_scene_drag();
    def.points[1] = def.points[def.point_count - 1];
    def.point_count = 2;
    apex_track *track = lay(&def);
    ck_assert_double_eq_tol(apex_track_frame_at(track, 200).x_m, 300, 1e-9);
    ck_assert_double_eq(apex_track_frame_at(track, 200).curvature_per_m, 0);
    apex_track_destroy(track);
}
