// Tables of points become tracks, or are told what is wrong with them; and a definition written as
// a file reads back to the same.

#include "content/content.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BYTES = 1 << 20 };

#define PI     3.14159265358979323846
#define HEADER "# x_m,y_m,w_tr_right_m,w_tr_left_m\n"

static char table[TABLE_BYTES];
static size_t used;

static void begin_table(const char *header) {
    used = (size_t)snprintf(table, sizeof table, "%s", header);
}

static void add_line(const char *line) {
    used += (size_t)snprintf(table + used, sizeof table - used, "%s\n", line);
}

static void add_point(double x_m, double y_m, double right_m, double left_m) {
    char line[128];
    snprintf(line, sizeof line, "%.6f,%.6f,%.3f,%.3f", x_m, y_m, right_m, left_m);
    add_line(line);
}

static void add_circle(double radius_m, uint32_t points, double half_width_m) {
    for (uint32_t i = 0; i < points; i++) {
        double angle_rad = 2 * PI * i / points;
        add_point(radius_m * cos(angle_rad), radius_m * sin(angle_rad), half_width_m, half_width_m);
    }
}

// A lying 8 through (0, 0); the first branch through it is crossed by the second half a lap later.
static void add_eight(double reach_m, double height_m, uint32_t points) {
    for (uint32_t i = 0; i < points; i++) {
        double angle_rad = 2 * PI * (i + 0.5) / points;
        add_point(reach_m * sin(angle_rad), height_m * sin(2 * angle_rad), 5, 6);
    }
}

static apex_circuit circuit;
static apex_content_problem problem;

static apex_err import_as(const char *label) {
    return apex_content_parse_circuit(table, used, label, &circuit, &problem);
}

static void expect_import(void) {
    memset(&circuit, 0, sizeof circuit);
    ck_assert_msg(import_as("t.csv") == APEX_OK, "%s", problem.text);
    ck_assert_str_eq(problem.text, "");
}

static void expect_refusal(const char *says) {
    memset(&circuit, 0, sizeof circuit);
    ck_assert_int_lt(import_as("t.csv"), 0);
    ck_assert_str_eq(problem.text, says);
}

TEST(a_circle_becomes_a_track) {
    begin_table(HEADER);
    add_circle(100, 120, 5);
    memset(&circuit, 0, sizeof circuit);
    ck_assert_int_eq(import_as("/some/where/Brands Hatch (GP).csv"), APEX_OK);
    ck_assert_str_eq(circuit.name, "brands-hatch-gp");
    ck_assert_str_eq(circuit.def.title, "Brands-hatch-gp");
    ck_assert_uint_eq(circuit.point_count, 120);
    ck_assert_double_eq_tol(circuit.length_m, 2 * PI * 100, 0.1);
    ck_assert_uint_eq(circuit.bridge_count + circuit.eased_count + circuit.narrowed_count, 0);
    ck_assert_double_eq_tol(circuit.def.points[30].x_m, 0, 0.0006);
    ck_assert_double_eq_tol(circuit.def.points[30].y_m, 100, 0.0006);
    ck_assert_uint_eq(circuit.def.sector_count, 2);
    ck_assert_double_eq_tol(circuit.def.sector_m[1], 419, 1);
    apex_track_def_free(&circuit.def);
}

TEST(right_comes_before_left) {
    begin_table("x_m,y_m,w_tr_right_m,w_tr_left_m\n");
    for (int i = 0; i < 40; i++) {
        add_point(100 * cos(PI * i / 20), 100 * sin(PI * i / 20), 3.5, 7.25);
    }
    expect_import();
    ck_assert_double_eq(circuit.def.points[7].right_m, 3.5);
    ck_assert_double_eq(circuit.def.points[7].left_m, 7.25);
    apex_track_def_free(&circuit.def);
}

// Two columns 5 m apart, as other tracks have them, are refused of a road of 4 m.
TEST(a_narrow_road_has_a_narrow_grid) {
    begin_table(HEADER);
    for (int i = 0; i < 240; i++) {
        double half_m = i == 229 ? 1.75 : 2; // 29 m before the line, which is as wide as the rest
        add_point(100 * cos(PI * i / 120), 100 * sin(PI * i / 120), half_m, half_m);
    }
    expect_import();
    ck_assert_double_eq(circuit.def.grid.column_gap_m, 1.7);
    apex_track_def_free(&circuit.def);
}

TEST(blanks_comments_and_line_ends_are_borne) {
    begin_table("\xef\xbb\xbf# surveyed, with care\r\n" HEADER "\r\n");
    for (int i = 0; i <= 40; i++) { // the last is the first again
        char line[128];
        snprintf(line, sizeof line, " %.3f ,\t%.3f, 4 ,5\r", 100 * cos(PI * i / 20),
                 100 * sin(PI * i / 20));
        add_line(line);
    }
    add_line("# the end");
    expect_import();
    ck_assert_uint_eq(circuit.point_count, 40);
    ck_assert(circuit.first_repeated);
    apex_track_def_free(&circuit.def);
}

typedef struct wrong_line {
    const char *line; // in place of the third point's, on line 4
    const char *says;
} wrong_line;

#define LONG "11111111111111111111111111111111111111111111111111"

static const wrong_line wrong_lines[] = {
    {"1,2,3", "4:1: expected 4 columns, x_m,y_m,w_tr_right_m,w_tr_left_m, found 3"},
    {"1,2,3,4,5", "4:1: expected 4 columns, x_m,y_m,w_tr_right_m,w_tr_left_m, found more than 4"},
    {"1;2;3;4", "4:1: expected 4 columns, x_m,y_m,w_tr_right_m,w_tr_left_m, found 1"},
    {"x,2,5,5", "4:1: x_m: expected a number, found 'x'"},
    {"81, two,5,5", "4:5: y_m: expected a number, found 'two'"},
    {"81,,5,5", "4:4: y_m: expected a number, found ''"},
    {"nan,58,5,5", "4:1: x_m: expected a number, found 'nan'"},
    {"81,-inf,5,5", "4:4: y_m: expected a number, found '-inf'"},
    {"0x51,58,5,5", "4:1: x_m: expected a number, found '0x51'"},
    {"81\x07,58,5,5", "4:1: x_m: expected a number, found '81?'"},
    {"81,1e999,5,5", "4:4: y_m: 1e999 is outside -100000..100000"},
    {"81,58,0,5", "4:7: w_tr_right_m: 0 is outside 1..50"},
    {"81,58,5,-3", "4:9: w_tr_left_m: -3 is outside 1..50"},
    {"81,58,5,51", "4:9: w_tr_left_m: 51 is outside 1..50"},
    {LONG LONG LONG LONG LONG LONG ",1,2,3", "4:257: the line is longer than 256 bytes"},
    {"100.010000,0.000000,5,5", "4:1: the same place as the point on line 3"},
    {"# x_m,y_m,w_tr_left_m,w_tr_right_m",
     "4:11: expected the column w_tr_right_m, found 'w_tr_left_m'"},
    {"x_m,y_m,w_tr_right_m,w_tr_left_m", "4:1: x_m: expected a number, found 'x_m'"},
};

TEST_OVER(a_wrong_line_is_told, 0, sizeof wrong_lines / sizeof wrong_lines[0]) {
    const wrong_line *wrong = &wrong_lines[_i];
    char says[256];
    begin_table(HEADER);
    add_point(95, -31, 5, 5);
    add_point(100, 0, 5, 5);
    add_line(wrong->line);
    add_circle(100, 30, 5);
    snprintf(says, sizeof says, "t.csv:%s", wrong->says);
    expect_refusal(says);
}

TEST(a_zero_byte_is_no_text) {
    begin_table(HEADER);
    add_circle(100, 30, 5);
    table[used - 5] = '\0';
    expect_refusal("t.csv:31:1: not a text");
}

TEST(a_circuit_has_neither_too_few_points_nor_too_many) {
    begin_table(HEADER);
    add_circle(100, 7, 5);
    expect_refusal("t.csv: 7 points; a circuit has at least 8");
    begin_table("");
    expect_refusal("t.csv: 0 points; a circuit has at least 8");
    begin_table(HEADER);
    add_circle(2000, APEX_TRACK_POINTS_MAX + 1, 5);
    expect_refusal("t.csv:8194:1: more than 8192 points");
}

TEST(a_stretch_is_no_circuit) {
    begin_table(HEADER);
    for (int i = 0; i < 50; i++) {
        add_point(8 * i, 0.01 * i * i, 5, 5);
    }
    expect_refusal("t.csv:51:1: not closed: 392.7 m from this last point to the first, on line 2");
}

TEST(a_name_is_plain) {
    begin_table(HEADER);
    add_circle(100, 30, 5);
    memset(&circuit, 0, sizeof circuit);
    ck_assert_int_lt(import_as("/tmp/###.csv"), 0);
    ck_assert_str_eq(problem.text,
                     "/tmp/###.csv: no name can be made of the file's; give one (--name)");
    snprintf(circuit.name, sizeof circuit.name, "../up");
    ck_assert_int_lt(import_as("t.csv"), 0);
    ck_assert_str_eq(problem.text, "t.csv: the name '../up': expected letters a-z, digits and '-'");
    memset(&circuit, 0, sizeof circuit);
    snprintf(circuit.title, sizeof circuit.title, "two\nlines");
    ck_assert_int_lt(import_as("t.csv"), 0);
    ck_assert_str_eq(problem.text, "t.csv: the title has control characters in it");
}

TEST(a_file_that_is_none_is_told) {
    memset(&circuit, 0, sizeof circuit);
    ck_assert_int_eq(apex_content_import_circuit("/nowhere/t.csv", &circuit, &problem),
                     APEX_ERR_NOT_FOUND);
    ck_assert_str_eq(problem.text, "/nowhere/t.csv: No such file or directory");
}

TEST(a_bend_tighter_than_its_road_is_narrowed) {
    begin_table(HEADER);
    for (int i = 0; i < 200; i++) { // two half circles of 8 m, and 160 m between them
        int k = i % 100;
        double side = i < 100 ? 1 : -1;
        double angle_rad = PI * (k - 80) / 20;
        double x_m = k < 80 ? 2 * k - 80 : 80 + 8 * sin(angle_rad);
        double y_m = k < 80 ? -8 : -8 * cos(angle_rad);
        add_point(side * x_m, side * y_m, 10, k < 80 ? 5 : 10);
    }
    expect_import();
    ck_assert_uint_ge(circuit.narrowed_count, 30);
    // 2 m, and more where the bend sets in all at once and the curve overshoots.
    ck_assert_double_ge(circuit.narrowed_m_max, 2);
    ck_assert_double_le(circuit.narrowed_m_max, 4);
    ck_assert_double_eq_tol(circuit.def.points[90].left_m, 8, 0.2);
    ck_assert_double_eq(circuit.def.points[90].right_m, 10); // outside of the bend
    ck_assert_double_eq(circuit.def.points[40].left_m, 5);
    apex_track_def_free(&circuit.def);
}

TEST(a_kink_that_no_road_has_is_eased) {
    begin_table(HEADER);
    for (int i = 0; i < 120; i++) {
        double radius_m = i == 40 ? 104 : 100;
        add_point(radius_m * cos(PI * i / 60), radius_m * sin(PI * i / 60), 5, 5);
    }
    expect_import();
    ck_assert_uint_ge(circuit.eased_count, 1);
    ck_assert_uint_le(circuit.eased_count, 5);
    ck_assert_double_lt(hypot(circuit.def.points[40].x_m, circuit.def.points[40].y_m), 103);
    ck_assert_double_eq_tol(circuit.def.points[80].x_m, 100 * cos(PI * 80 / 60), 0.001);
    apex_track_def_free(&circuit.def);
}

TEST(a_lap_that_crosses_itself_gets_a_bridge) {
    begin_table(HEADER);
    add_eight(400, 160, 300);
    expect_import();
    ck_assert_uint_eq(circuit.bridge_count, 1);
    ck_assert_double_lt(circuit.bridge_under_m[0], circuit.bridge_m[0]);
    ck_assert_double_le(circuit.bridge_grade, 0.05);
    apex_track *track = NULL;
    ck_assert_int_eq(apex_track_create(&circuit.def, &track, NULL), APEX_OK);
    apex_track_place upper = apex_track_find(track, 0, 0, 10);
    apex_track_place lower = apex_track_find(track, 0, 0, -10);
    double upper_m = apex_track_frame_at(track, upper.s_m).z_m;
    double lower_m = apex_track_frame_at(track, lower.s_m).z_m;
    ck_assert_double_ge(upper_m - lower_m, 5);
    ck_assert_double_eq_tol(lower_m, 0, 0.01);
    // The later branch is the upper one, where the report says.
    ck_assert_double_eq_tol(upper.s_m, circuit.bridge_m[0], 2);
    ck_assert_double_eq_tol(lower.s_m, circuit.bridge_under_m[0], 2);
    for (double s_m = 0; s_m < apex_track_length_m(track); s_m += 3) {
        ck_assert_double_le(fabs(tan(apex_track_frame_at(track, s_m).slope_rad)), 0.05);
    }
    apex_track_destroy(track);
    apex_track_def_free(&circuit.def);
}

TEST(a_bridge_needs_room) {
    begin_table(HEADER);
    add_eight(40, 22, 100);
    memset(&circuit, 0, sizeof circuit);
    ck_assert_int_lt(import_as("t.csv"), 0);
    ck_assert_str_eq(problem.text, "t.csv:101:1: the lap crosses itself here and on line 51, and "
                                   "there is no room for the ramps of a bridge");
    begin_table(HEADER);
    add_eight(900, 40, 300);
    memset(&circuit, 0, sizeof circuit);
    ck_assert_int_lt(import_as("t.csv"), 0);
    ck_assert_str_eq(problem.text, "t.csv:301:1: the lap crosses itself here and on line 151, and "
                                   "at too small an angle for a bridge");
}

TEST(a_road_that_touches_another_is_told_by_line) {
    begin_table(HEADER);
    for (int i = 0; i < 100; i++) { // a lap drawn in at its waist, 6 m from leg to leg
        double angle_rad = PI * i / 50;
        add_point(300 * cos(angle_rad), (3 + 90 * fabs(cos(angle_rad))) * sin(angle_rad), 5, 5);
    }
    memset(&circuit, 0, sizeof circuit);
    ck_assert_int_lt(import_as("t.csv"), 0);
    unsigned line = 0;
    ck_assert_int_eq(sscanf(problem.text, "t.csv:%u:1: points[", &line), 1);
    ck_assert_uint_ge(line, 2);
    ck_assert_uint_le(line, 101);
    ck_assert_ptr_nonnull(strstr(problem.text, "the road meets itself"));
}

static apex_track_def write_and_read(const apex_track_def *def, const char *comment) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(apex_content_write_track(def, comment, out), APEX_OK);
    fclose(out);
    apex_track_def read;
    apex_err err = apex_content_parse_track(text, length, "written", &read, &problem);
    ck_assert_msg(err == APEX_OK, "%s in\n%.3000s", problem.text, text);
    free(text);
    return read;
}

static void expect_same(const apex_track_def *a, const apex_track_def *b) {
    ck_assert_str_eq(a->name, b->name);
    ck_assert_str_eq(a->title, b->title);
    ck_assert_int_eq(a->closed, b->closed);
    ck_assert_str_eq(a->road_surface, b->road_surface);
    ck_assert_double_eq(a->verge_m, b->verge_m);
    ck_assert_double_eq(a->start_m, b->start_m);
    ck_assert_uint_eq(a->sector_count, b->sector_count);
    ck_assert_mem_eq(a->sector_m, b->sector_m, a->sector_count * sizeof a->sector_m[0]);
    ck_assert_double_eq(a->grid.spacing_m, b->grid.spacing_m);
    ck_assert_int_eq(a->grid.pole_side, b->grid.pole_side);
    ck_assert_mem_eq(&a->pit_lane, &b->pit_lane, sizeof a->pit_lane);
    ck_assert_uint_eq(a->strip_count, b->strip_count);
    ck_assert_mem_eq(a->strips, b->strips, sizeof a->strips);
    ck_assert_uint_eq(a->wall_count, b->wall_count);
    ck_assert_mem_eq(a->walls, b->walls, sizeof a->walls);
    ck_assert_uint_eq(a->free_wall_count, b->free_wall_count);
    for (uint32_t i = 0; i < a->free_wall_count; i++) {
        ck_assert_mem_eq(&a->free_walls[i], &b->free_walls[i], sizeof *a->free_walls);
    }
    ck_assert_uint_eq(a->post_count, b->post_count);
    for (uint32_t i = 0; i < a->post_count; i++) {
        ck_assert_mem_eq(&a->posts[i], &b->posts[i], sizeof *a->posts);
    }
    ck_assert_uint_eq(a->surface_count, b->surface_count);
    ck_assert_mem_eq(a->surfaces, b->surfaces, sizeof a->surfaces);
    ck_assert_uint_eq(a->point_count, b->point_count);
    for (uint32_t i = 0; i < a->point_count; i++) {
        ck_assert_mem_eq(&a->points[i], &b->points[i], offsetof(apex_track_point, banking_rad));
        ck_assert_double_eq_tol(a->points[i].banking_rad, b->points[i].banking_rad, 1e-16);
    }
}

TEST(a_definition_survives_its_file) {
    apex_track_def def = track_scene_circuit(2000);
    snprintf(def.title, sizeof def.title, "Jack's \"Ring\": # & <b>");
    def.surface_count = 1;
    snprintf(def.surfaces[0].name, sizeof def.surfaces[0].name, "cobbles");
    def.surfaces[0].friction = 0.83;
    def.surfaces[0].rolling_ratio = 1.5;
    def.surfaces[0].is_road = true;
    snprintf(def.road_surface, sizeof def.road_surface, "cobbles");
    apex_track_def read = write_and_read(&def, "two\nlines: [of comment");
    expect_same(&def, &read);
    apex_track_def_free(&read);
    apex_track_def_free(&def);
}

// Limits are km/h in a file: neither those, nor what is no whole number of them, may be rounded.
TEST(a_pit_lane_survives_its_file) {
    static const double limits_mps[] = {80 / 3.6, 60 / 3.6, 22.2, 17.123456789012345};
    apex_track_def def = track_scene_circuit(2000);
    def.pit_lane = apex_default_track_pit_lane();
    snprintf(def.title, sizeof def.title, "Pits");
    def.pit_lane.side = APEX_SIDE_LEFT;
    def.pit_lane.entry_m = 1700.5;
    def.pit_lane.exit_m = 120;
    def.pit_lane.box_count = 7;
    def.pit_lane.box_depth_m = 3.5;
    snprintf(def.pit_lane.surface, sizeof def.pit_lane.surface, "concrete");
    snprintf(def.pit_lane.wall_material, sizeof def.pit_lane.wall_material, "guard-rail");
    for (size_t i = 0; i < sizeof limits_mps / sizeof limits_mps[0]; i++) {
        def.pit_lane.speed_limit_mps = limits_mps[i];
        apex_track_def read = write_and_read(&def, "");
        ck_assert_double_eq(read.pit_lane.entry_m, 1700.5);
        ck_assert_uint_eq(read.pit_lane.box_count, 7);
        expect_same(&def, &read);
        apex_track_def_free(&read);
    }
    apex_track_def_free(&def);
}

TEST_OVER(a_track_that_ships_survives_its_file, 0, 7) {
    static const char *const names[] = {"drag-strip", "highfell", "oval",     "ridgeway",
                                        "skidpad",    "speedway", "wide-oval"};
    apex_track_def def;
    ck_assert_int_eq(apex_content_load_track(names[_i], NULL, &def, &problem), APEX_OK);
    apex_track_def read = write_and_read(&def, "");
    expect_same(&def, &read);
    ck_assert_double_eq(def.finish_m, read.finish_m);
    apex_track_def_free(&read);
    apex_track_def_free(&def);
}
