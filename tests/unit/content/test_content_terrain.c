/// Terrains in files: rows and pictures arrive the right way up, and broken ones are refused.
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "content/content.h"
#include "content/track_file/picture.h"
#include "support/base/check_main.h"

#define HEAD "kind: track\nname: x\nterrain:\n"
#define ROWS "  cell_m: 16\n  heights: [[1, 2, 3], [4, 5, 6.0004], [-7, 8, 9.25]]\n"
#define BOX  "  boxes: [[8, 24, 90]]\n"

static apex_track_def track;
static apex_content_problem problem;

static apex_err parse(const char *text) {
    return apex_content_parse_track(text, strlen(text), "f.yaml", &track, &problem);
}

static void expect_parsed(const char *text) {
    apex_err err = parse(text);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
}

static double node_m(uint32_t column, uint32_t row) {
    const apex_terrain *map = &track.terrain;
    return map->low_m + map->step_m * map->heights[row * map->columns + column];
}

TEST(rows_begin_in_the_north) {
    expect_parsed(HEAD "  x_m: -5\n  y_m: 3\n" ROWS BOX
                       "  surfaces: [[7, 7, 7], [7, 7, 7], [9, 7, 7]]\n"
                       "  palette: [{value: 7, surface: asphalt}, {value: 9, surface: ice}]\n");
    const apex_terrain *map = &track.terrain;
    ck_assert_uint_eq(map->columns, 3);
    ck_assert_uint_eq(map->rows, 3);
    ck_assert_double_eq(map->x_m, -5);
    ck_assert_double_eq(map->y_m, 3);
    ck_assert_double_eq_tol(node_m(0, 0), -7, 1e-9);
    ck_assert_double_eq_tol(node_m(2, 0), 9.25, 1e-9);
    ck_assert_double_eq_tol(node_m(2, 1), 6, 1e-9); // to the millimetre
    ck_assert_double_eq_tol(node_m(0, 2), 1, 1e-9);
    ck_assert_uint_eq(map->surface_map[0], 1);
    ck_assert_uint_eq(map->surface_map[6], 0);
    ck_assert_str_eq(map->surfaces[1], "ice");
    ck_assert_uint_eq(map->box_count, 1);
    ck_assert_double_eq_tol(map->boxes[0].heading_rad, 1.5707963267948966, 1e-15);
    apex_track_def_free(&track);
}

typedef struct refusal {
    const char *text, *told;
} refusal;

static const refusal refusals[] = {
    {HEAD BOX, "4:3: terrain.heights: missing ("},
    {HEAD "  heights: [[1, 2], [3]]\n" BOX,
     "terrain.heights[1]: the list has 1 items instead of 2"},
    {HEAD "  heights: [[1, x], [3, 4]]\n" BOX, "terrain.heights[0]: expected a number, found 'x'"},
    {HEAD "  heights: [1, 2]\n" BOX, "terrain.heights[0]: expected a list"},
    {HEAD "  heights: [[0, 1], [2, 70]]\n" BOX, "more than rows hold, 65.535 m"},
    {HEAD ROWS "  surfaces: [[0, 0], [0, 0]]\n", "2 by 2 nodes, but the heights have 3 by 3"},
    {HEAD ROWS "  surfaces: [[0, 0, 0], [0, 0, 4], [0, 0, 0]]\n"
               "  palette: [{value: 0, surface: ice}]\n",
     "terrain.surfaces: column 2 of row 1 has 4, which the palette does not know"},
    {HEAD ROWS "  surfaces: [[0, 0, 0], [0, 0, 0], [0, 0, 0]]\n"
               "  palette: [{value: 5, surface: ice}, {value: 5, surface: mud}]\n",
     "palette[1] has the value 5, like palette[0]"},
    {HEAD ROWS "  boxes: [[1, 2, 3, 4]]\n",
     "terrain.boxes[0]: the list has 4 items, which is outside 2..3"},
    {HEAD "  heights: some.pgm\n  white_m: 1\n", "terrain.heights: there is no file 'some.pgm'"},
    {HEAD "  heights: some.pgm\n", "white_m must be above black_m"},
    {HEAD "  white_m: 1\n  heights: ../some.pgm\n", "the name of a file in the same folder"},
    {HEAD "  white_m: 1\n  heights: .hidden\n", "the name of a file in the same folder"},
};

TEST_OVER(refused_terrain_says_where, 0, (int)(sizeof refusals / sizeof refusals[0])) {
    const refusal *row = &refusals[_i];
    ck_assert_int_ne(parse(row->text), APEX_OK);
    ck_assert_msg(strstr(problem.text, row->told) != NULL, "'%s' is not in '%s'", row->told,
                  problem.text);
}

static char why[CONTENT_PICTURE_WHY_BYTES];
static content_picture picture;

#define READ(text) content_picture_read(text, sizeof(text) - 1, 12, &picture, why)

TEST(pictures_of_both_depths_are_read) {
    ck_assert(READ("P5\n3 2\n255\n\x01\x02\x03\xff\x00\x80"));
    ck_assert_uint_eq(picture.columns, 3);
    ck_assert_uint_eq(picture.rows, 2);
    ck_assert_uint_eq(picture.white, 255);
    ck_assert_uint_eq(picture.values[2], 3);
    ck_assert_uint_eq(picture.values[3], 255);
    free(picture.values);
    // As paint programs write it: a comment, and the high byte first.
    ck_assert(READ("P5 # by hand 9 9\n#\n2\t1 # wide\n65535 \x01\x02\xff\xfe"));
    ck_assert_uint_eq(picture.columns, 2);
    ck_assert_uint_eq(picture.rows, 1);
    ck_assert_uint_eq(picture.values[0], 0x102);
    ck_assert_uint_eq(picture.values[1], 0xfffe);
    free(picture.values);
    // The blank after white's value is one: the pixel after it may look like another.
    ck_assert(READ("P5 1 1 255\n\n"));
    ck_assert_uint_eq(picture.values[0], '\n');
    free(picture.values);
}

static void expect_refused(bool read, const char *told) {
    ck_assert(!read);
    ck_assert_ptr_null(picture.values);
    ck_assert_msg(strcmp(why, told) == 0, "'%s', not '%s'", why, told);
}

TEST(broken_pictures_say_at_which_byte) {
    expect_refused(READ(""), "byte 0: no binary grey map; its first two letters are P5");
    expect_refused(READ("P2 1 1 255 7"),
                   "byte 0: no binary grey map; its first two letters are P5");
    expect_refused(READ("P52 1 255\n77"), "byte 2: expected a blank after P5");
    expect_refused(READ("P5 0 1 255\n"), "byte 4: expected the width, a number above 0");
    expect_refused(READ("P5 -1 1 255\n7"), "byte 3: expected the width, a number above 0");
    expect_refused(READ("P5 99999999999999999999 1 255\n7"), "byte 3: the width is more than 12");
    expect_refused(READ("P5 4 4 255\n0123456789abcdef"), "byte 10: 4 by 4 pixels are more than 12");
    expect_refused(READ("P5 2 2 65536\n01234567"), "byte 7: the value of white is more than 65535");
    expect_refused(READ("P5 2 2 255"), "byte 10: expected one blank before the pixels");
    expect_refused(READ("P5 2 2 255\n012"), "byte 11: 3 bytes of pixels follow, not 4");
    expect_refused(READ("P5 2 2 255\n01234"), "byte 11: 5 bytes of pixels follow, not 4");
    expect_refused(READ("P5 2 2 256\n0123"), "byte 11: 4 bytes of pixels follow, not 8");
    expect_refused(READ("P5 2 1 60\n<="), "byte 11: 61 is more than white, 60");
    expect_refused(READ("P5 # 2 2 255\n"), "byte 13: expected the width, a number above 0");
}

static void write_file(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

/// Beside the track's own file, wherever that is asked for from.
TEST(pictures_are_read_from_the_tracks_folder) {
    static const char text[] =
        HEAD "  cell_m: 16\n  black_m: 10\n  white_m: 61\n"
             "  heights: h.pgm\n  surfaces: s.pgm\n" BOX "  palette: [{value: 1, surface: mud}]\n";
    char folder[CHECK_PATH_BYTES], path[CHECK_PATH_BYTES + 16];
    check_make_folder(folder, "terrain");
    snprintf(path, sizeof path, "%s/t.yaml", folder);
    write_file(path, text, sizeof text - 1);
    snprintf(path, sizeof path, "%s/h.pgm", folder);
    write_file(path, "P5 2 3 255\n\x00\x05\x0a\x0f\x14\xff", 17);
    snprintf(path, sizeof path, "%s/s.pgm", folder);
    write_file(path, "P5 2 3 255\n\1\1\1\1\1\1", 17);
    snprintf(path, sizeof path, "%s/t.yaml", folder);
    apex_err err = apex_content_load_track(path, NULL, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_double_eq_tol(node_m(0, 2), 10, 1e-9);
    ck_assert_double_eq_tol(node_m(1, 2), 11, 1e-9);
    ck_assert_double_eq_tol(node_m(0, 0), 14, 1e-9);
    ck_assert_double_eq_tol(node_m(1, 0), 61, 1e-9);
    apex_track_def_free(&track);
    snprintf(path, sizeof path, "%s/s.pgm", folder);
    ck_assert_int_eq(truncate(path, 14), 0);
    snprintf(path, sizeof path, "%s/t.yaml", folder);
    ck_assert_int_ne(apex_content_load_track(path, NULL, &track, &problem), APEX_OK);
    ck_assert_ptr_nonnull(
        strstr(problem.text, "t.yaml:8:13: terrain.surfaces: s.pgm: byte 11: 3 bytes of pixels"));
    static const char *const files[] = {"t.yaml", "h.pgm", "s.pgm"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        ck_assert_int_eq(unlink(path), 0);
    }
    ck_assert_int_eq(rmdir(folder), 0);
}

static void expect_checked(const char *text, const char *told) {
    char path[CHECK_PATH_BYTES];
    check_make_file(path, "race");
    write_file(path, text, strlen(text));
    static apex_content_problems problems;
    apex_err err = apex_content_check(path, NULL, &problems);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(err, told[0] == '\0' ? APEX_OK : APEX_ERR_RANGE);
    ck_assert_uint_eq(problems.count, told[0] == '\0' ? 0 : 1);
    ck_assert_msg(strstr(problems.at[0].text, told) != NULL, "%s", problems.at[0].text);
}

TEST(a_race_of_laps_needs_a_lap) {
    expect_checked("kind: race\ntrack: car-park\n", "");
    expect_checked("kind: race\ntrack: car-park\nlaps: 0\n", "");
    expect_checked("kind: race\ntrack: car-park\nlaps: 3\n",
                   ":3:7: laps: car-park is a terrain without a course");
    expect_checked("kind: race\ntrack: oval\nlaps: 0\n",
                   ":3:7: laps: 0 is for a track without a lap");
}

TEST(laps_that_nobody_asked_for_go) {
    apex_race_file file = apex_default_race_file();
    apex_track_def road = apex_default_track_def(), ground = apex_default_track_def();
    road.point_count = 3;
    ck_assert_int_eq(apex_race_file_fit(&file, &road, &problem), APEX_OK);
    ck_assert_uint_eq(file.race.laps, 3);
    ck_assert_int_eq(apex_race_file_fit(&file, &ground, &problem), APEX_OK);
    ck_assert_uint_eq(file.race.laps, 0);
    file = apex_default_race_file();
    file.laps_given = true;
    ck_assert_int_eq(apex_race_file_fit(&file, &ground, &problem), APEX_ERR_RANGE);
}

typedef struct spot {
    double x_m, y_m, height_m;
    const char *surface;
} spot;

// Of its plan: asphalt, the verge, an island's grass and kerb, concrete, ramp and deck, the hump.
static const spot spots[] = {
    {-90.2, -50.2, 0, "asphalt"},  {98.8, 0.2, 0.15, "grass"},    {-50.2, 13.2, 0.15, "grass"},
    {-50, 40, 0.12, "kerb"},       {-40.2, -30.2, 0, "concrete"}, {20.3, 35.2, 0.824, "concrete"},
    {42.2, 35.2, 1.6, "concrete"}, {17, -40.3, 0.10, "paint"},    {60.2, -35.2, 0.15, "grass"},
};

TEST(car_park_is_as_planned) {
    apex_err err = apex_content_load_track("car-park", NULL, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    apex_track *laid = NULL;
    ck_assert_int_eq(apex_track_create(&track, &laid, NULL), APEX_OK);
    const apex_ground *ground = apex_track_ground(laid);
    for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
        apex_ground_sample at = apex_ground_at(ground, spots[i].x_m, spots[i].y_m, 0);
        ck_assert_msg(strcmp(ground->surfaces[at.surface].name, spots[i].surface) == 0,
                      "%s at (%g, %g)", ground->surfaces[at.surface].name, spots[i].x_m,
                      spots[i].y_m);
        ck_assert_double_eq_tol(at.height_m, spots[i].height_m, 0.015);
    }
    ck_assert(!apex_track_has_lap(laid));
    for (uint32_t i = 0; i < track.terrain.box_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const apex_terrain_box *a = &track.terrain.boxes[i], *b = &track.terrain.boxes[k];
            ck_assert_double_gt(hypot(a->x_m - b->x_m, a->y_m - b->y_m), 6);
        }
        const apex_walls *walls = apex_track_walls(laid);
        for (uint32_t k = 0; k < walls->post_count; k++) {
            ck_assert_double_gt(hypot(track.terrain.boxes[i].x_m - walls->posts[k].x_m,
                                      track.terrain.boxes[i].y_m - walls->posts[k].y_m),
                                6);
        }
    }
    apex_track_destroy(laid);
    apex_track_def_free(&track);
}
