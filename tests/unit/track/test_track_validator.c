// The track's validator finds nothing wrong with laid tracks, and each planted fault.
#include <stdio.h>
#include <string.h>

#include "support/base/check_main.h"
#include "support/track/track_scenes.h"
#include "track/track_validator.h"

static apex_track *track;

static void lay(apex_track_def def) {
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(&def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    apex_track_def_free(&def);
}

static void expect_valid(apex_track_def def) {
    lay(def);
    const char *sentence = track_validate(track);
    ck_assert_msg(sentence == NULL, "%s: %s", def.name, sentence);
    apex_track_destroy(track);
}

TEST(laid_tracks_are_valid) {
    expect_valid(track_scene_circle(100, 64, 0.1));
    expect_valid(track_scene_eight(6));
    expect_valid(track_scene_drag());
    expect_valid(track_scene_circuit(1500));
    expect_valid(track_scene_terrain(81, 81, 0.5));
}

static void lose_a_segment(void) {
    track->segment_count--;
}

static void end_before_the_curve(void) {
    track->spacing_m *= 0.99;
}

static void begin_behind_the_line(void) {
    track->first_s_m = -1;
}

static void point_nowhere(void) {
    track->stations[7].along_x = track->stations[7].along_y = 0;
}

static void narrow_to_nothing(void) {
    track->stations[7].right_m = 0;
}

static void widen(void) {
    track->stations[7].left_m = track->half_width_m_max + 1;
}

static void step_back(void) {
    track->stations[7].x_m -= 2 * track->stations[7].along_x;
    track->stations[7].y_m -= 2 * track->stations[7].along_y;
}

// The last goes on ahead: nothing but the way back to the first tells of it.
static void leave_the_lap_open(void) {
    track_station *last = &track->stations[track->station_count - 1];
    last->x_m -= 0.2 * last->along_x;
    last->y_m -= 0.2 * last->along_y;
}

static void go_back_a_point(void) {
    track->stations[track->station_count / 2].point = 0;
}

static void have_no_sector(void) {
    track->sector_count = 0;
}

static void swap_two_sectors(void) {
    double end_m = track->sector_end_m[0];
    track->sector_end_m[0] = track->sector_end_m[1];
    track->sector_end_m[1] = end_m;
}

static void end_the_last_sector_early(void) {
    track->sector_end_m[track->sector_count - 1] -= 1;
}

static void have_no_boxes(void) {
    track->grid.columns = 0;
}

static void put_the_pits_elsewhere(void) {
    track->pit_lane.given = true;
    track->pit_length_m = 2 * track->curve_m;
}

static void lose_the_surface_outside(void) {
    track->ground.outside_surface = (uint8_t)track->ground.surface_count;
}

static void name_no_tile(void) {
    track->directory[0] = track->ground.tile_count;
}

static void lie_above_another_place(void) {
    track->tiles[0].above = track->ground.tile_count - 1;
}

static void break_a_wall(void) {
    for (uint32_t i = 0; i < track->walls.segment_count; i++) {
        if (track->wall_segments[i].next != APEX_GROUND_NONE) {
            track->wall_segments[i].next = i;
            return;
        }
    }
}

static void build_of_nothing(void) {
    track->wall_segments[0].material = (uint8_t)track->material_count;
}

static void thin_a_post(void) {
    track->wall_posts[0].radius_m = 0;
}

static const struct {
    void (*plant)(void);
    const char *sentence;
} FAULTS[] = {
    {lose_a_segment, "there are not as many segments as stations have between them"},
    {end_before_the_curve, "the stations do not stand along the whole curve"},
    {begin_behind_the_line, "a closed lap does not begin and end at its line"},
    {point_nowhere, "a station's direction is no unit vector"},
    {narrow_to_nothing, "the road has no width"},
    {widen, "the road is wider than its widest place"},
    {step_back, "the stations do not rise along the lap"},
    {leave_the_lap_open, "two neighbouring stations stand too far apart"},
    {go_back_a_point, "the stations do not go along the points in order"},
    {have_no_sector, "there are too few sectors, or too many"},
    {swap_two_sectors, "the ends of the sectors do not rise along the lap"},
    {end_the_last_sector_early, "the last sector does not end with the lap"},
    {have_no_boxes, "there are no boxes to start from"},
    {put_the_pits_elsewhere, "the pit lane is not on the lap"},
    {lose_the_surface_outside, "the ground outside has no surface"},
    {name_no_tile, "the directory of the ground names a tile that there is not"},
    {lie_above_another_place, "a tile does not lie above the one that names it"},
    {break_a_wall, "a wall's next segment has another one before it"},
    {build_of_nothing, "a wall has no material, or no height"},
    {thin_a_post, "a post has no material, or no width"},
};

TEST(each_fault_is_found) {
    for (size_t i = 0; i < sizeof FAULTS / sizeof FAULTS[0]; i++) {
        lay(track_scene_circuit(1000));
        FAULTS[i].plant();
        const char *sentence = track_validate(track);
        ck_assert_msg(sentence != NULL, "not found: %s", FAULTS[i].sentence);
        ck_assert_str_eq(sentence, FAULTS[i].sentence);
        apex_track_destroy(track);
    }
}

TEST(an_open_track_has_both_lines_on_it) {
    lay(track_scene_drag());
    track->length_m = track->curve_m + 1;
    track->sector_end_m[track->sector_count - 1] = track->length_m;
    ck_assert_str_eq(track_validate(track), "the lines of an open track are not both on it");
    apex_track_destroy(track);
}
