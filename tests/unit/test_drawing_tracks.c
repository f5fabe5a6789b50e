// A track's figures where geometry knows them, and pictures that show what is there.

#include "drawing/drawing.h"
#include "support/check_main.h"
#include "support/track_scenes.h"

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

// --- Figures ------------------------------------------------------------------------------------

START_TEST(a_circle_is_one_bend) {
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
END_TEST

START_TEST(an_oval_has_two_bends_and_an_s_both_sides) {
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
END_TEST

START_TEST(a_crossing_is_told_with_the_upper_road) {
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
END_TEST

START_TEST(walls_boxes_and_memory_are_counted) {
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
END_TEST

// --- Reports and pictures -----------------------------------------------------------------------

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

START_TEST(a_report_tells_the_figures) {
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
END_TEST

START_TEST(a_picture_has_the_upper_road_last) {
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
END_TEST

START_TEST(a_picture_shows_what_is_there) {
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
END_TEST

START_TEST(an_open_track_is_drawn_from_end_to_end) {
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
END_TEST

Suite *apex_suite(void) {
    Suite *suite = suite_create("drawing_tracks");
    TCase *cases = tcase_create("tracks");
    tcase_set_timeout(cases, 60);
    tcase_add_test(cases, a_circle_is_one_bend);
    tcase_add_test(cases, an_oval_has_two_bends_and_an_s_both_sides);
    tcase_add_test(cases, a_crossing_is_told_with_the_upper_road);
    tcase_add_test(cases, walls_boxes_and_memory_are_counted);
    tcase_add_test(cases, a_report_tells_the_figures);
    tcase_add_test(cases, a_picture_has_the_upper_road_last);
    tcase_add_test(cases, a_picture_shows_what_is_there);
    tcase_add_test(cases, an_open_track_is_drawn_from_end_to_end);
    suite_add_tcase(suite, cases);
    return suite;
}
