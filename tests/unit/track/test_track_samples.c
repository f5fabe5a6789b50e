// Surveyed circuits, laid as they are: a centre line of points with widths.

#include "support/base/check_main.h"
#include "support/track/surveyed.h"
#include "support/track/track_scenes.h"
#include "track/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct circuit {
    const char *name;
    double length_m; // of the polyline through its points, to the metre
} circuit;

static const circuit circuits[] = {
    {"Monza", 5790},       {"Norisring", 2296}, {"Oschersleben", 3692},
    {"Silverstone", 5886}, {"Spa", 7000},       {"Suzuka", 5803},
};

enum { CIRCUITS = sizeof circuits / sizeof circuits[0], POINTS_MAX = 2000 };

// x_m, y_m, w_tr_right_m, w_tr_left_m
static apex_track_def read_circuit(const char *name) {
    apex_track_def def = apex_default_track_def();
    track_scene_resize(&def, POINTS_MAX);
    char path[SURVEYED_PATH_BYTES];
    surveyed_path(name, path);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s is missing", name);
    char line[256];
    uint32_t count = 0;
    while (fgets(line, sizeof line, file) != NULL && count < POINTS_MAX) {
        double number[4];
        char *at = line;
        for (int i = 0; i < 4; i++) {
            number[i] = strtod(at, &at);
            at += *at == ',';
        }
        if (line[0] != '#') {
            def.points[count++] = (apex_track_point){
                .x_m = number[0], .y_m = number[1], .right_m = number[2], .left_m = number[3]};
        }
    }
    fclose(file);
    def.point_count = count;
    return def;
}

// Suzuka's centre line crosses itself in the plan and the file has no heights: one of the two
// branches is lifted over the other by a smooth hump of 7 m, 300 m long.
static void lift_crossing(apex_track_def *def) {
    uint32_t count = def->point_count;
    uint32_t over = 0;
    double nearest_m = HUGE_VAL;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = i + 100; k < count && k < i + count - 100; k++) {
            double apart_m = hypot(def->points[k].x_m - def->points[i].x_m,
                                   def->points[k].y_m - def->points[i].y_m);
            if (apart_m < nearest_m) {
                nearest_m = apart_m;
                over = i;
            }
        }
    }
    for (int step = -30; step <= 30; step++) {
        double share = cos(step * 3.14159265 / 60);
        uint32_t index = (over + count + (uint32_t)(step + (int)count)) % count;
        def->points[index].z_m = 7 * share * share;
    }
}

static apex_def_problem try_to_lay(const apex_track_def *def, apex_track **track) {
    apex_def_problem problem = {{0}, {0}};
    *track = NULL;
    apex_track_create(def, track, &problem);
    return problem;
}

static void check_lap(const apex_track *track) {
    const apex_ground *ground = apex_track_ground(track);
    double length_m = apex_track_length_m(track);
    double near_s_m = 0;
    for (double s_m = 0; s_m < length_m; s_m += 1.5) {
        apex_track_frame frame = apex_track_frame_at(track, s_m);
        for (double share = -0.9; share < 1; share += 0.45) {
            double offset_m = share * ((share > 0 ? frame.left_m : frame.right_m) - 0.4);
            double x_m = frame.x_m - offset_m * sin(frame.heading_rad);
            double y_m = frame.y_m + offset_m * cos(frame.heading_rad);
            apex_ground_sample sample = apex_ground_at(ground, x_m, y_m, frame.z_m);
            ck_assert_double_eq_tol(sample.height_m, frame.z_m, 0.05);
            ck_assert(ground->surfaces[sample.surface].is_road);
        }
        apex_track_place place = apex_track_project(track, frame.x_m, frame.y_m, near_s_m);
        ck_assert_double_eq_tol(apex_track_gap_m(track, s_m, place.s_m), 0, 0.01);
        near_s_m = place.s_m;
    }
}

NEEDS(surveyed_are_here)

TEST_OVER(a_surveyed_circuit_is_laid_whole, 0, CIRCUITS) {
    const circuit *sample = &circuits[_i];
    apex_track_def def = read_circuit(sample->name);
    apex_track *track;
    bool crosses = strcmp(sample->name, "Suzuka") == 0;
    if (crosses) {
        apex_def_problem flat = try_to_lay(&def, &track);
        ck_assert_ptr_null(track);
        ck_assert_ptr_nonnull(strstr(flat.reason, "the road meets itself"));
        lift_crossing(&def);
    }
    def.wall_count = 1;
    def.walls[0] = (apex_track_wall){
        .material = "guard-rail", .side = APEX_SIDE_BOTH, .distance_m = 12, .height_m = 1};
    apex_def_problem problem = try_to_lay(&def, &track);
    ck_assert_msg(track != NULL, "%s: %s", problem.field, problem.reason);
    // A smooth curve is a little longer than the polyline.
    ck_assert_double_ge(apex_track_length_m(track), sample->length_m - 1);
    ck_assert_double_le(apex_track_length_m(track), sample->length_m + 4);
    ck_assert_uint_gt(apex_track_walls(track)->segment_count, 500);
    check_lap(track);
    uint32_t bridges = 0;
    for (uint32_t i = 0; i < apex_track_ground(track)->tile_count; i++) {
        bridges += apex_track_ground(track)->tiles[i].above != APEX_GROUND_NONE;
    }
    ck_assert(crosses == (bridges > 0));
    apex_track_destroy(track);
    apex_track_def_free(&def);
}
