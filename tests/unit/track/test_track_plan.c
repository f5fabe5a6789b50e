// The track from above: what drawings are made of lies where the definition says, all of it once.

#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPOTS_MAX = 1000 };

static apex_track_def def;
static apex_track *track;
static apex_track_spot spots[SPOTS_MAX];
static size_t spot_count;

static void begin(apex_track_def made, double step_m) {
    def = made;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(&def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    apex_track_stretch all = apex_track_extent(track);
    spot_count = (size_t)((all.to_m - all.from_m) / step_m) + 1;
    ck_assert_uint_le(spot_count, SPOTS_MAX);
    for (size_t i = 0; i < spot_count; i++) {
        spots[i] = apex_track_spot_at(track, all.from_m + (double)i * step_m);
    }
}

static void end(void) {
    apex_track_destroy(track);
    apex_track_def_free(&def);
}

static apex_track_cut cut_of(apex_track_band band) {
    return (apex_track_cut){.track = track, .spots = spots, .spot_count = spot_count, .band = band};
}

static double way_m(const double from[2], const double to[2]) {
    return hypot(to[0] - from[0], to[1] - from[1]);
}

static double area_m2(const apex_track_piece *piece) {
    double twice = 0;
    for (size_t i = 0; i < piece->count; i++) {
        const double *at = piece->at_m[i], *next = piece->at_m[(i + 1) % piece->count];
        twice += at[0] * next[1] - next[0] * at[1];
    }
    return fabs(twice) / 2;
}

TEST(an_extent_is_all_of_the_definition) {
    begin(track_scene_oval(400, 100), 10);
    ck_assert_double_eq(apex_track_extent(track).from_m, 0);
    ck_assert_double_eq(apex_track_extent(track).to_m, apex_track_length_m(track));
    end();
    begin(track_scene_drag(), 10); // 800 m, with its line at 100
    ck_assert_double_eq_tol(apex_track_extent(track).from_m, -100, 1e-9);
    ck_assert_double_eq_tol(apex_track_extent(track).to_m, 700, 1e-6);
    end();
}

TEST(a_stretch_counts_from_the_line) {
    apex_track_def made = track_scene_oval(400, 100);
    made.start_m = 200;
    begin(made, 10);
    double lap_m = apex_track_length_m(track);
    apex_track_strip strip = {.from_m = 300, .to_m = 350};
    apex_track_stretch at = apex_track_strip_stretch(track, &def, &strip);
    ck_assert_double_eq(at.from_m, 100);
    ck_assert_double_eq(at.to_m, 150);
    strip = (apex_track_strip){.from_m = lap_m - 50, .to_m = 30}; // over the first point
    at = apex_track_strip_stretch(track, &def, &strip);
    ck_assert_double_eq_tol(at.to_m - at.from_m, 80, 1e-9);
    ck_assert_double_eq_tol(at.from_m, lap_m - 250, 1e-9);
    strip = (apex_track_strip){.from_m = 0, .to_m = 0}; // all of it
    at = apex_track_strip_stretch(track, &def, &strip);
    ck_assert_double_eq(at.from_m, 0);
    ck_assert_double_eq(at.to_m, lap_m);
    end();
}

TEST(a_strip_is_a_band_on_each_of_its_sides) {
    apex_track_stretch along = {10, 20};
    apex_track_band bands[2];
    apex_track_strip strip = {
        .from_edge = true, .side = APEX_SIDE_BOTH, .inner_m = 1, .outer_m = 3};
    ck_assert_uint_eq(apex_track_strip_bands(&strip, along, bands), 2);
    ck_assert_int_eq(bands[0].left.line, APEX_LINE_LEFT_EDGE);
    ck_assert_double_eq(bands[0].left.offset_m, 3);
    ck_assert_double_eq(bands[0].right.offset_m, 1);
    ck_assert_int_eq(bands[1].left.line, APEX_LINE_RIGHT_EDGE);
    ck_assert_double_eq(bands[1].left.offset_m, 1);
    ck_assert_double_eq(bands[1].right.offset_m, 3);
    strip.side = APEX_SIDE_RIGHT;
    ck_assert_uint_eq(apex_track_strip_bands(&strip, along, bands), 1);
    ck_assert_int_eq(bands[0].left.line, APEX_LINE_RIGHT_EDGE);
    strip.from_edge = false; // then the side means nothing
    ck_assert_uint_eq(apex_track_strip_bands(&strip, along, bands), 1);
    ck_assert_int_eq(bands[0].left.line, APEX_LINE_CENTRE);
    ck_assert_double_eq(bands[0].left.offset_m, 3);
}

// A circle of 100 m radius: a ring of 4 m on its outside, from 50 m before the line to 250 behind.
TEST(pieces_cover_a_band_from_end_to_end_over_the_line) {
    begin(track_scene_circle(100, 120, 0), 1.5);
    apex_track_frame at = apex_track_frame_at(track, 0);
    apex_track_band band = {
        .left = {APEX_LINE_RIGHT_EDGE, 0},
        .right = {APEX_LINE_RIGHT_EDGE, 4},
        .along = {-50, 250},
    };
    apex_track_cut cut = cut_of(band);
    apex_track_piece piece;
    double area = 0, last_m[2] = {0, 0}, first_m[2], wanted_m[2];
    apex_track_frame ends[2] = {apex_track_frame_at(track, -50), apex_track_frame_at(track, 250)};
    size_t pieces = 0;
    while (apex_track_next_piece(&cut, &piece)) {
        ck_assert_uint_le(piece.count, 2 * APEX_TRACK_PIECE_SPOTS);
        ck_assert_uint_eq(piece.count % 2, 0);
        size_t side = piece.count / 2;
        if (pieces++ == 0) {
            apex_track_border_at(&band.left, &ends[0], wanted_m);
            ck_assert_double_lt(way_m(piece.at_m[0], wanted_m), 1e-9);
        } else { // it begins a step before the last one ended
            double back_m = way_m(piece.at_m[0], last_m);
            ck_assert_double_gt(back_m, 1);
            ck_assert_double_lt(back_m, 2);
            area -= 4 * 1.5 * (100 + at.right_m + 2) / 100;
        }
        last_m[0] = piece.at_m[side - 1][0];
        last_m[1] = piece.at_m[side - 1][1];
        first_m[0] = piece.at_m[side][0];
        first_m[1] = piece.at_m[side][1];
        ck_assert_double_eq_tol(way_m(last_m, first_m), 4, 1e-9);
        area += area_m2(&piece);
    }
    ck_assert_uint_eq(pieces, 4); // 200 spots, 60 in the first and 58 more in each that follows
    apex_track_border_at(&band.left, &ends[1], wanted_m);
    ck_assert_double_lt(way_m(last_m, wanted_m), 1e-9);
    ck_assert_double_eq_tol(area, 4 * 300 * (100 + at.right_m + 2) / 100, 2);
    ck_assert(!apex_track_next_piece(&cut, &piece));
    end();
}

TEST(nothing_lies_beyond_the_middle_of_a_bend) {
    begin(track_scene_circle(20, 60, 0), 1);
    apex_track_frame at = apex_track_frame_at(track, 5);
    const apex_track_border far = {APEX_LINE_LEFT_EDGE, 30};
    const apex_track_border near = {APEX_LINE_LEFT_EDGE, 3};
    double at_m[2], middle_m[2] = {0, 0};
    apex_track_border_at(&far, &at, at_m);
    ck_assert_double_eq_tol(way_m(at_m, middle_m), 1, 0.1);
    apex_track_border_at(&near, &at, at_m);
    ck_assert_double_eq_tol(way_m(at_m, middle_m), 20 - at.left_m - 3, 0.01);
    end();
}

TEST(pits_are_as_wide_and_deep_as_asked_for) {
    apex_track_def made = track_scene_oval(400, 100);
    made.pit_lane = apex_default_track_pit_lane();
    made.pit_lane.side = APEX_SIDE_RIGHT;
    made.pit_lane.entry_m = 50;
    made.pit_lane.exit_m = 350;
    snprintf(made.pit_lane.surface, sizeof made.pit_lane.surface, "asphalt");
    begin(made, 10);
    uint32_t count = apex_track_pit_rim_count(track);
    double at_m[2], beside_m[2];
    for (uint32_t i = 0; i < count / 2; i++) {
        apex_track_pit_rim_point(track, i, at_m);
        apex_track_pit_rim_point(track, count - 1 - i, beside_m);
        ck_assert_double_eq_tol(way_m(at_m, beside_m), def.pit_lane.width_m, 1e-9);
    }
    double corners_m[APEX_CORNER_COUNT][2];
    for (int i = 0; i < APEX_CORNER_COUNT; i++) {
        apex_track_pit_box_corner(track, 3, (apex_track_corner)i, corners_m[i]);
    }
    // The straight leads east, its boxes lie south of it.
    ck_assert_double_gt(corners_m[APEX_CORNER_LEFT_AHEAD][0],
                        corners_m[APEX_CORNER_LEFT_BEHIND][0]);
    ck_assert_double_gt(corners_m[APEX_CORNER_LEFT_AHEAD][1],
                        corners_m[APEX_CORNER_RIGHT_AHEAD][1]);
    for (int i = 0; i < APEX_CORNER_COUNT; i++) { // round it, along and across in turn
        double side_m = way_m(corners_m[i], corners_m[(i + 1) % APEX_CORNER_COUNT]);
        double asked_m = i % 2 == 0 ? def.pit_lane.box_spacing_m : def.pit_lane.box_depth_m;
        ck_assert_double_eq_tol(side_m, asked_m, 1e-9);
    }
    end();
}
