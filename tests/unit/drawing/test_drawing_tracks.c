// A track's figures where geometry knows them, and pictures that show what is there.

#include "drawing/drawing.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

static apex_track_def def;
static apex_track *track;
static apex_track_figures figures;

static void begin(apex_track_def made) {
    def = made;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(&def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    ck_assert_int_eq(apex_track_measure(&def, track, &figures), APEX_OK);
}

static void end(void) {
    apex_track_destroy(track);
    apex_track_def_free(&def);
}

static double area_of(const char *surface) {
    const apex_ground *ground = apex_track_ground(track);
    for (uint32_t i = 0; i < ground->surface_count; i++) {
        if (strcmp(ground->surfaces[i].name, surface) == 0) {
            return figures.surface_m2[i];
        }
    }
    return -1;
}

TEST(a_circle_is_one_bend) {
    begin(track_scene_circle(80, 120, 0.1));
    ck_assert_double_eq_tol(figures.length_m, 2 * PI * 80, 0.01);
    ck_assert_double_eq_tol(figures.narrowest_m, 10, 1e-9);
    ck_assert_double_eq_tol(figures.widest_m, 10, 1e-9);
    ck_assert_double_eq_tol(figures.banking_rad_max, 0.1, 1e-9);
    ck_assert_uint_eq(figures.left_bends, 1);
    ck_assert_uint_eq(figures.right_bends, 0);
    ck_assert_double_eq_tol(figures.tightest_m, 80, 0.1);
    ck_assert_double_eq_tol(figures.climb_m, 0, 1e-6);
    ck_assert_uint_eq(figures.crossing_count, 0);
    // A ring of 10 m, in cells of half a metre.
    ck_assert_double_eq_tol(area_of("asphalt"), 2 * PI * 80 * 10, 60);
    end();
}

TEST(an_oval_has_two_bends_and_an_s_both_sides) {
    begin(track_scene_oval(200, 50));
    ck_assert_uint_eq(figures.left_bends, 2);
    ck_assert_uint_eq(figures.right_bends, 0);
    ck_assert_double_eq_tol(figures.tightest_m, 50, 3);
    end();
    begin(track_scene_eight(8));
    ck_assert_uint_eq(figures.left_bends, 1);
    ck_assert_uint_eq(figures.right_bends, 1);
    end();
}

TEST(a_crossing_is_told_with_the_upper_road) {
    begin(track_scene_eight(8));
    ck_assert_uint_eq(figures.crossing_count, 1);
    const apex_track_crossing *at = &figures.crossings[0];
    ck_assert_double_eq_tol(at->height_m, 8, 0.1);
    ck_assert_double_eq_tol(at->x_m, 0, 0.5);
    ck_assert_double_eq_tol(at->y_m, 0, 0.5);
    ck_assert_double_gt(apex_track_frame_at(track, at->upper_s_m).z_m, 7.9);
    ck_assert_double_lt(apex_track_frame_at(track, at->lower_s_m).z_m, 0.1);
    // Half a lap lies between, and the branch over the crossing begins the lap.
    ck_assert_double_eq_tol(fabs(at->upper_s_m - at->lower_s_m), figures.length_m / 2, 1);
    // dy/dx of (200 sin t, 80 sin 2t) at t = 0 and pi: 0.8 and -0.8.
    ck_assert_double_eq_tol(at->sin, sin(2 * atan(0.8)), 0.02);
    ck_assert_double_eq_tol(figures.highest_m - figures.lowest_m, 8, 0.2);
    ck_assert_double_eq_tol(figures.climb_m, 8, 0.3);
    end();
}

TEST(walls_boxes_and_memory_are_counted) {
    begin(track_scene_drag());
    ck_assert_double_eq_tol(figures.length_m, 402.336, 1e-6);
    ck_assert_uint_eq(figures.left_bends + figures.right_bends, 0);
    // 100 m of run-up hold two columns of boxes, 8 m apart, 3.6 m behind the line.
    ck_assert_uint_eq(figures.grid_boxes, 26);
    ck_assert_double_eq_tol(area_of("asphalt"), 800 * 16, 40);
    end();
    begin(track_scene_circuit(2000));
    const apex_walls *walls = apex_track_walls(track);
    double wall_m = 0;
    for (uint32_t i = 0; i < walls->material_count; i++) {
        wall_m += figures.wall_m[i];
    }
    // Both sides of the lap, a tenth of it again, and a triangle of 97 m.
    ck_assert_double_eq_tol(wall_m, 2.1 * figures.length_m + 97, 120);
    ck_assert_uint_gt(figures.memory_bytes, walls->segment_count * sizeof *walls->segments);
    end();
}

// 60 by 40 m with a hill of 1 m in the middle of the east, and grass in its southern half.
static apex_track_def hill(void) {
    apex_track_def made = track_scene_terrain(31, 21, 2);
    made.terrain.heights[10 * 31 + 20] = 200;
    for (uint32_t i = 0; i < 10 * 31; i++) {
        made.terrain.surface_map[i] = 1;
    }
    return made;
}

TEST(a_terrain_has_a_size_and_no_lap) {
    apex_track_def made = hill();
    made.terrain.box_count = 3;
    made.terrain.boxes[1] = made.terrain.boxes[2] = made.terrain.boxes[0];
    begin(made);
    ck_assert(figures.has_terrain && !figures.has_lap);
    ck_assert_double_eq_tol(figures.east_m, 60, 1e-9);
    ck_assert_double_eq_tol(figures.north_m, 40, 1e-9);
    ck_assert_double_eq_tol(figures.ground_low_m, 0, 1e-9);
    ck_assert_double_eq_tol(figures.ground_high_m, 1, 1e-9);
    ck_assert_uint_eq(figures.grid_boxes, 3);
    // The line that gives places on it is as long and as wide as the terrain, and is not told.
    ck_assert_double_eq(figures.length_m, 0);
    ck_assert_double_eq(figures.widest_m, 0);
    // Half a cell of the tenth row is concrete's: 60 by 21 m of it, in half metres.
    ck_assert_double_eq_tol(area_of("concrete"), 60 * 21, 61);
    end();
}

typedef enum report_kind { REPORT_TEXT, REPORT_JSON, REPORT_SVG } report_kind;

static char *report(report_kind kind) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
    const apex_track_sheet sheet = {&def, track, &figures};
    if (kind == REPORT_TEXT) {
        apex_track_report_text(&sheet, out);
    } else if (kind == REPORT_JSON) {
        apex_track_report_json(&sheet, out);
    } else {
        ck_assert_int_eq(apex_track_draw_svg(&sheet, out), APEX_OK);
    }
    fclose(out);
    return text;
}

static uint32_t count_of(const char *text, const char *word) {
    uint32_t count = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        count++;
    }
    return count;
}

TEST(a_report_tells_the_figures) {
    begin(track_scene_eight(8));
    char *text = report(REPORT_TEXT);
    ck_assert_ptr_nonnull(strstr(text, "bends         1 left, 1 right"));
    ck_assert_ptr_nonnull(strstr(text, "8.0 m above the road at"));
    ck_assert_ptr_nonnull(strstr(text, "height        0.0 to 8.0 m"));
    free(text);
    char *json = report(REPORT_JSON);
    ck_assert_ptr_nonnull(strstr(json, "\"left_bends\": 1,"));
    ck_assert_uint_eq(count_of(json, "\"upper_m\""), 1);
    free(json);
    end();
}

TEST(a_report_of_a_terrain_tells_of_no_lap) {
    begin(hill());
    char *text = report(REPORT_TEXT);
    ck_assert_ptr_nonnull(strstr(text, "terrain       60.0 by 40.0 m, a height every 2 m"));
    ck_assert_ptr_nonnull(strstr(text, "ground        0.0 to 1.0 m high"));
    ck_assert_ptr_nonnull(strstr(text, "lap           none: open sessions start from 1 boxes"));
    ck_assert_ptr_null(strstr(text, "length "));
    ck_assert_ptr_null(strstr(text, "road "));
    free(text);
    char *json = report(REPORT_JSON);
    ck_assert_ptr_nonnull(strstr(json, "\"has_lap\": false"));
    ck_assert_ptr_nonnull(strstr(json, "\"high_m\": 1}"));
    ck_assert_ptr_null(strstr(json, "length_m"));
    free(json);
    end();
}

static apex_track_def with_pits(void) {
    apex_track_def made = track_scene_circuit(2000);
    made.wall_count = 0;
    made.pit_lane = apex_default_track_pit_lane();
    made.pit_lane.entry_m = 1800;
    made.pit_lane.exit_m = 200;
    made.pit_lane.box_count = 9;
    return made;
}

TEST(a_pit_lane_is_told_and_drawn) {
    begin(with_pits());
    char *text = report(REPORT_TEXT);
    ck_assert_ptr_nonnull(
        strstr(text, "pit lane      right, from 1700 to 100 m, 80 km/h, 9 boxes"));
    free(text);
    char *json = report(REPORT_JSON);
    ck_assert_ptr_nonnull(strstr(json, "\"pit_lane\": {\"side\": \"right\", \"entry_m\": 1700"));
    free(json);
    char *svg = report(REPORT_SVG);
    const char *pits = strstr(svg, "<g id=\"pits\">");
    ck_assert_ptr_nonnull(pits);
    ck_assert(pits < strstr(svg, "<g id=\"road\">")); // the road lies over its tapers
    const char *boxes = strstr(pits, "id=\"pit-boxes\"");
    ck_assert_ptr_nonnull(boxes);
    uint32_t corners = 0;
    for (const char *at = strchr(boxes, 'M'); *at != '"'; at++) {
        corners += *at == 'M' || *at == 'L';
    }
    ck_assert_uint_eq(corners, 4 * 9);
    // The first box's foremost corner at the road, where the track says the box is.
    apex_placement box = apex_track_pit_box_placement(track, 0);
    double low[2] = {0, 0};
    ck_assert_int_eq(sscanf(strchr(boxes, 'M'), "M%lf %lf", &low[0], &low[1]), 2);
    apex_placement second = apex_track_pit_box_placement(track, 1);
    double next[2] = {0, 0};
    ck_assert_int_eq(sscanf(strchr(strchr(boxes, 'M') + 1, 'M'), "M%lf %lf", &next[0], &next[1]),
                     2);
    ck_assert_double_eq_tol(next[0] - low[0], second.x_m - box.x_m, 1);
    ck_assert_double_eq_tol(next[1] - low[1], box.y_m - second.y_m, 1);
    free(svg);
    end();
    begin(track_scene_circuit(2000));
    svg = report(REPORT_SVG);
    ck_assert_ptr_null(strstr(svg, "id=\"pits\""));
    free(svg);
    end();
}

TEST(a_picture_of_a_terrain_shows_its_ground) {
    begin(hill());
    char *svg = report(REPORT_SVG);
    ck_assert_uint_eq(count_of(svg, "id=\"road\""), 0);
    ck_assert_uint_eq(count_of(svg, ">start"), 0);
    ck_assert_uint_eq(count_of(svg, "nan"), 0);
    ck_assert_ptr_nonnull(strstr(svg, "terrain of 60 by 40 m, 0.0 to 1.0 m high"));
    ck_assert_uint_eq(count_of(svg, ">concrete<"), 1);
    const char *ground = strstr(svg, "<g id=\"terrain\"");
    const char *relief = strstr(svg, "<g id=\"relief\"");
    ck_assert_ptr_nonnull(ground);
    ck_assert_ptr_nonnull(relief);
    // Concrete is eleven rows of one run each, the first half a cell below its nodes.
    double size[2] = {0, 0};
    double at[2] = {0, 0};
    const char *run = strchr(strstr(ground, "d=\""), 'M');
    ck_assert_int_eq(sscanf(run, "M%lf %lfh%lfv%lf", &at[0], &at[1], &size[0], &size[1]), 4);
    ck_assert_double_eq_tol(size[0], 60, 0.01);
    ck_assert_double_eq_tol(size[1], 2, 0.01);
    uint32_t runs = 0;
    for (const char *c = run; *c != '"'; c++) {
        runs += *c == 'M';
    }
    ck_assert_uint_eq(runs, 11);
    // The slopes west and north of the hill's top are light, those east and south of it dark.
    ck_assert_uint_eq(count_of(relief, "fill=\"#000000\" fill-opacity=\"0.35\""), 1);
    ck_assert_uint_eq(count_of(relief, "fill=\"#ffffff\" fill-opacity=\"0.35\""), 1);
    const char *dark = strstr(relief, "fill=\"#000000\"");
    const char *light = strstr(relief, "fill=\"#ffffff\" fill-opacity=\"0.35\"");
    double dark_m[2] = {0, 0};
    double light_m[2] = {0, 0};
    // Rows go up the sheet: the first dark square is the southern, the first light one the western.
    ck_assert_int_eq(sscanf(strstr(dark, "d=\""), "d=\"M%lf %lf", &dark_m[0], &dark_m[1]), 2);
    ck_assert_int_eq(sscanf(strstr(light, "d=\""), "d=\"M%lf %lf", &light_m[0], &light_m[1]), 2);
    ck_assert_double_eq_tol(dark_m[0] - light_m[0], 2, 0.01);
    ck_assert_double_eq_tol(dark_m[1] - light_m[1], 2, 0.01);
    free(svg);
    end();
}

TEST(a_course_over_a_terrain_is_told_with_both) {
    apex_track_def made = track_scene_terrain(101, 101, 2);
    made.terrain.box_count = 0;
    made.point_count = 24;
    made.points = calloc(made.point_count, sizeof *made.points);
    ck_assert_ptr_nonnull(made.points);
    for (uint32_t i = 0; i < made.point_count; i++) {
        double angle_rad = 2 * PI * i / made.point_count;
        made.points[i] = (apex_track_point){.x_m = 100 + 60 * cos(angle_rad),
                                            .y_m = 100 + 60 * sin(angle_rad),
                                            .left_m = 4,
                                            .right_m = 4};
    }
    begin(made);
    ck_assert(figures.has_terrain && figures.has_lap);
    ck_assert_double_eq_tol(figures.length_m, 2 * PI * 60, 0.1);
    ck_assert_double_eq_tol(figures.east_m, 200, 1e-9);
    char *text = report(REPORT_TEXT);
    ck_assert_ptr_nonnull(strstr(text, "a lap"));
    ck_assert_ptr_nonnull(strstr(text, "road          8.0 to 8.0 m wide, over the terrain"));
    ck_assert_ptr_nonnull(strstr(text, "terrain       200.0 by 200.0 m"));
    free(text);
    char *svg = report(REPORT_SVG);
    const char *ground = strstr(svg, "<g id=\"terrain\"");
    const char *road = strstr(svg, "<g id=\"road\"");
    ck_assert_ptr_nonnull(ground);
    ck_assert_ptr_nonnull(road);
    ck_assert(ground < road);
    ck_assert_uint_eq(count_of(svg, ">start and finish<"), 1);
    free(svg);
    end();
}

TEST(a_picture_has_the_upper_road_last) {
    begin(track_scene_eight(8));
    char *svg = report(REPORT_SVG);
    const char *road = strstr(svg, "<g id=\"road\">");
    const char *bridge = strstr(svg, "<g class=\"bridge\">");
    const char *marks = strstr(svg, "<g id=\"marks\">");
    ck_assert_ptr_nonnull(road);
    ck_assert_ptr_nonnull(marks);
    ck_assert(road < bridge && bridge < marks);
    ck_assert_uint_eq(count_of(svg, "class=\"bridge\""), 1);
    ck_assert_ptr_nonnull(strstr(svg, "<g id=\"heights\">"));
    char *again = report(REPORT_SVG);
    ck_assert_str_eq(svg, again);
    free(again);
    free(svg);
    end();
}

TEST(a_picture_shows_what_is_there) {
    begin(track_scene_circuit(3300));
    snprintf(def.title, sizeof def.title, "<Jack's> & \"Jill's\"");
    char *svg = report(REPORT_SVG);
    ck_assert_uint_eq(count_of(svg, "class=\"bridge\""), 0);
    ck_assert_ptr_null(strstr(svg, "<Jack"));
    ck_assert_uint_eq(count_of(svg, "&lt;Jack's&gt; &amp; \"Jill's\""), 2); // title and heading
    ck_assert_uint_eq(count_of(svg, "nan"), 0);
    ck_assert_uint_eq(count_of(svg, "inf"), 0);
    ck_assert_uint_eq(count_of(svg, ">1 km<"), 2); // on the map and on the profile
    ck_assert_uint_eq(count_of(svg, ">3 km<"), 2);
    ck_assert_uint_eq(count_of(svg, ">4 km<"), 0);
    ck_assert_uint_eq(count_of(svg, ">S2<"), 1);
    ck_assert_uint_eq(count_of(svg, ">S3<"), 0);
    static const char *const names[] = {"gravel", "kerb", "wet-asphalt", "tyre-wall", "guard-rail"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char word[32];
        snprintf(word, sizeof word, ">%s<", names[i]);
        ck_assert_msg(count_of(svg, word) == 1, "%s", word);
    }
    free(svg);
    end();
}

TEST(an_open_track_is_drawn_from_end_to_end) {
    begin(track_scene_drag());
    char *svg = report(REPORT_SVG);
    ck_assert_uint_eq(count_of(svg, ">start<"), 1);
    ck_assert_uint_eq(count_of(svg, ">finish<"), 1);
    ck_assert_uint_eq(count_of(svg, "id=\"heights\""), 0); // level
    // 800 m, a verge of 10 m and a road of 16 m beyond both ends, and margins of 7/110.
    double wide_m = 0;
    ck_assert_int_eq(sscanf(strstr(svg, "viewBox"), "viewBox=\"0 0 %lf", &wide_m), 1);
    ck_assert_double_eq_tol(wide_m, (800 + 2 * 26) * (1 + 14.0 / 110), 3);
    free(svg);
    end();
}
