/// Tracks that no car could drive, as files: each is refused with file, line, column and key, and
/// with what to do about it.
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/trig.h"
#include "content/content.h"
#include "support/base/check_main.h"

enum { STRAIGHT = 20, BEND = 30, COUNT = 2 * (STRAIGHT + BEND) };

typedef struct bad_file {
    const char *head;      ///< beside kind and name
    const char *columns;   ///< of every point behind x and y, "" or ", 0, 6, 6"
    uint32_t other;        ///< this point has others
    const char *others;    ///< its columns
    uint32_t first, count; ///< points left out
    const char *tail;
    const char *says; ///< after "f.yaml:"
} bad_file;

/// An oval of 400 m straights and bends of 100 m, 10 m wide; point k stands on line k + 4 of the
/// file when the head is one line.
static char *write_file(const bad_file *bad, size_t *length) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    ck_assert_ptr_nonnull(out);
    fprintf(out, "kind: track\nname: x\n%spoints:\n", bad->head);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i >= bad->first && i < bad->first + bad->count) {
            continue;
        }
        uint32_t k = i % (COUNT / 2);
        double x_m = 20.0 * k - 200, y_m = -100;
        if (k > STRAIGHT) {
            double angle_rad = APEX_PI * (k - STRAIGHT) / BEND;
            x_m = 200 + 100 * apex_sin(angle_rad);
            y_m = -100 * apex_cos(angle_rad);
        }
        double sign = i < COUNT / 2 ? 1 : -1;
        fprintf(out, "  - [%.3f, %.3f%s]\n", sign * x_m, sign * y_m,
                i == bad->other ? bad->others : bad->columns);
    }
    fputs(bad->tail, out);
    ck_assert_int_eq(fclose(out), 0);
    return text;
}

#define WIDTH "width_m: 10\n"
#define NONE  COUNT
#define PLAIN "", NONE, ""

static const bad_file bad_files[] = {
    // The lap and its line.
    {WIDTH, PLAIN, 22, 26, "",
     "26:5: points[21]: a gap of 197.5 m to points[22], off the road's direction by 84 degrees; "
     "points are missing"},
    {WIDTH, PLAIN, 30, 70, "", "34:5: points[29]: a gap of 482.7 m to points[0]; the lap is open"},
    {"closed: false\n", PLAIN, 0, 0, "",
     "1:1: finish_m: missing (an open track needs a finish line)"},
    {"closed: false\nstart_m: 300\nfinish_m: 200\n", PLAIN, 0, 0, "",
     "5:11: finish_m: 200 is not at least 10 m behind the start at 300, on a stretch of 1417.8 m"},
    {"start_m: 1500\n", PLAIN, 0, 0, "", "3:10: start_m: 1500 is not on the lap of 0..1428.3 m"},
    // Widths.
    {WIDTH, ", 0, 5, 5", 17, ", 0, 0, 5", 0, 0, "", "22:28: points[17][3]: 0 is outside 1..50"},
    {WIDTH, ", 0, 5, 5", 17, ", 0, .nan, 5", 0, 0, "",
     "22:28: points[17][3]: expected a number, found '.nan'"},
    {"width_m: 0\n", PLAIN, 0, 0, "", "3:10: width_m: 0 is outside 2..100"},
    // Up and down.
    {WIDTH, ", 0, 5, 5, 0", 17, ", 0, 5, 5, 90", 0, 0, "",
     "22:34: points[17][5]: 90 is outside -57.2958..57.2958"},
    {WIDTH, ", 0, 5, 5, 0", 17, ", 0, 5, 5, 56", 0, 0, "",
     "21:5: points[16].banking_rad: the road's left edge has a crest of 5.8 m radius, where a car "
     "needs 8 m; spread the height over a longer way"},
    {WIDTH, ", 0", 17, ", 14", 0, 0, "",
     "21:5: points[16].z_m: the road has a crest of 6.6 m radius, where a car needs 8 m; spread "
     "the height over a longer way"},
    {WIDTH, ", 0", 17, ", 40", 0, 0, "",
     "21:5: points[16].z_m: the road climbs 105 %, at most 98 %"},
    {"width_m: 10\nroad_surface: ice\n", ", 0", 17, ", 2", 0, 0, "",
     "22:5: points[16].z_m: the road climbs 12.1 % on ice, which tyres can do up to 12.0 %; make "
     "it less steep, or choose another surface"},
    {"width_m: 10\nroad_surface: ice\nstart_m: 20\n", ", 0, 5, 5, 8", NONE, "", 0, 0, "",
     "5:10: start_m: box 0 of the grid lies on a slope of 14 % on ice, where a car slides before "
     "the start; start where it is more level"},
    // Obstacles that stand in the way.
    {WIDTH, PLAIN, 0, 0, "free_walls: [{points: [[0, 0], [0, -150]]}]\n",
     "105:24: free_walls[0].points[0]: the wall from here on stands across the road at points[9]"},
    {WIDTH, PLAIN, 0, 0, "free_walls:\n  - {points: [[50, -110], [-50, -110]]}\n",
     "106:15: free_walls[0].points[0]: the wall from here on has its back to the road at "
     "points[12], 5.0 m away; cars stay on its left, so list its points the other way round"},
    {WIDTH, PLAIN, 0, 0, "walls: [{distance_m: -2}]\n",
     "105:22: walls[0].distance_m: -2 is outside 0..100"},
    {WIDTH, PLAIN, 0, 0, "posts:\n  - {x_m: 9, y_m: 90}\n  - {x_m: 0, y_m: -104, radius_m: 0.5}\n",
     "107:11: posts[1].x_m: stands on the road at points[9], 1.5 m inside its edge; move it off "
     "the road"},
    {WIDTH, PLAIN, 0, 0, "posts: [{x_m: 170, y_m: -103}]\n",
     "105:15: posts[0].x_m: stands on the road at points[18], 2.1 m inside its edge; move it off "
     "the road"},
    {WIDTH, PLAIN, 0, 0, "strips: [{from_m: 1390, to_m: 1600}]\n",
     "105:31: strips[0].to_m: 1600 is not on the lap of 0..1428.3 m"},
    {WIDTH, PLAIN, 0, 0, "strips: [{inner_m: 1, outer_m: 1.5, height_m: 0.8}]\n",
     "105:47: strips[0].height_m: 0.8 m over a width of 0.5 m is steeper than 45 degrees; make it "
     "lower or wider"},
    {WIDTH, PLAIN, 0, 0, "strips: [{inner_m: -1, outer_m: 0, height_m: 0.3}]\n",
     "105:46: strips[0].height_m: a step of 0.3 m on the road, at most 0.2 m; put it beside the "
     "road or make it lower"},
    {WIDTH, PLAIN, 0, 0, "grid: {columns: 4, column_gap_m: 3.5}\n",
     "105:34: grid.column_gap_m: 4 columns 3.5 m apart reach over 10.5 m, and the road is 10.0 m "
     "wide at box 0: fewer columns, or nearer"},
};

static void refuse(const char *text, size_t length, const char *says) {
    char path[CHECK_PATH_BYTES], expected[APEX_CONTENT_TEXT_BYTES];
    check_make_file(path, "track");
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
    static apex_content_problems problems;
    apex_err err = apex_content_check(path, NULL, &problems);
    ck_assert_int_eq(unlink(path), 0);
    snprintf(expected, sizeof expected, "%s:%s", path, says);
    ck_assert_uint_ge(problems.count, 1);
    ck_assert_str_eq(problems.at[0].text, expected);
    ck_assert_int_ne(err, APEX_OK);
}

TEST_OVER(track_is_refused_with_its_line, 0, (int)(sizeof bad_files / sizeof bad_files[0])) {
    size_t length = 0;
    char *text = write_file(&bad_files[_i], &length);
    refuse(text, length, bad_files[_i].says);
    free(text);
}

/// Sections are told by their own numbers, not by the points that they became.
static const struct {
    const char *text, *says;
} sections[] = {
    {"width_m: 24\nsections:\n  - {straight_m: 100}\n  - {left_deg: 180, radius_m: 9}\n"
     "  - {straight_m: 100}\n  - {left_deg: 180, radius_m: 9}\n",
     "6:5: sections[1]: the road turns tighter than its own width (radius 8.2 m, left width 12.0 "
     "m)"},
    {"sections:\n  - {straight_m: 100}\n  - {left_deg: 180, radius_m: 40}\n"
     "  - {straight_m: 50, rise_m: 45}\n  - {straight_m: 50, rise_m: -45}\n"
     "  - {left_deg: 180, radius_m: 40}\n",
     "6:30: sections[2].rise_m: the road climbs 99 %, at most 98 %"},
    {"sections:\n  - {straight_m: 100}\n  - {left_deg: 180, radius_m: 40}\n"
     "  - {straight_m: 50, banking_deg: 3}\n  - {straight_m: 5, banking_deg: 50}\n"
     "  - {straight_m: 45, banking_deg: 0}\n  - {left_deg: 180, radius_m: 40}\n",
     "6:35: sections[2].banking_deg: the road's left edge has a dip of 2.4 m radius, where a car "
     "needs 8 m; spread the height over a longer way"},
    {"sections: [{straight_m: 120}, {left_deg: 270, radius_m: 60},\n"
     "  {straight_m: 120}, {right_deg: 270, radius_m: 60}]\n",
     "4:3: sections[2]: the road meets itself at sections[0], with 0.0 m of height between; a "
     "bridge needs 3.5 m"},
};

TEST_OVER(section_is_refused_with_its_line, 0, (int)(sizeof sections / sizeof sections[0])) {
    char text[1024];
    int length = snprintf(text, sizeof text, "kind: track\nname: x\n%s", sections[_i].text);
    refuse(text, (size_t)length, sections[_i].says);
}

/// A wall between road and pits is two, back to back: the one that faces the pits is no mistake.
TEST(walls_back_to_back_are_fine) {
    static const bad_file good = {WIDTH,
                                  PLAIN,
                                  0,
                                  0,
                                  "free_walls:\n  - {points: [[-50, -110], [50, -110]]}\n"
                                  "  - {points: [[50, -110.5], [-50, -110.5]]}\n",
                                  ""};
    size_t length = 0;
    char *text = write_file(&good, &length);
    apex_content_problem problem;
    apex_track_def def;
    ck_assert_int_eq(apex_content_parse_track(text, length, "f", &def, &problem), APEX_OK);
    apex_track *track = NULL;
    apex_def_problem reason = {{0}, {0}};
    apex_err err = apex_track_create(&def, &track, &reason);
    ck_assert_msg(err == APEX_OK, "%s: %s", reason.field, reason.reason);
    apex_track_destroy(track);
    apex_track_def_free(&def);
    free(text);
}

static size_t write_millions(char **text, size_t points) {
    static const char head[] = "kind: track\nname: x\npoints: [";
    size_t length = sizeof head - 1 + 6 * points + 2;
    *text = malloc(length + 1);
    ck_assert_ptr_nonnull(*text);
    memcpy(*text, head, sizeof head - 1);
    for (size_t i = 0; i < points; i++) {
        memcpy(*text + sizeof head - 1 + 6 * i, "[0,0],", 6);
    }
    memcpy(*text + length - 2, "]\n", 3);
    return length;
}

/// Ten million points are not even read; as many as fit into a file are refused at the first one
/// too many, without a tree of a million nodes (which took five seconds and 700 MB).
TEST(ten_million_points_cost_nothing) {
    char *text = NULL;
    size_t length = write_millions(&text, 10000000);
    refuse(text, length, " the file has 60000031 bytes; at most 8388608 are read");
    free(text);
    length = write_millions(&text, 1390000);
    struct rusage before, after;
    getrusage(RUSAGE_SELF, &before);
    refuse(text, length, "3:49162: points: a list goes on past its item 8192");
    getrusage(RUSAGE_SELF, &after);
    ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 64 * 1024);
    ck_assert_int_le(after.ru_utime.tv_sec - before.ru_utime.tv_sec, 2);
    free(text);
}

/// The same amount, spread over lists that are short enough each.
TEST(millions_of_values_cost_nothing) {
    static const char row[] = "- [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]\n";
    size_t room = 8 << 20, length = 0;
    char *text = malloc(room);
    ck_assert_ptr_nonnull(text);
    length = (size_t)snprintf(text, room, "kind: track\nname: x\nwalls:\n");
    while (length + 64 < room) {
        memcpy(text + length, row, sizeof row - 1);
        length += sizeof row - 1;
    }
    refuse(text, length, "4684:52: walls: here are more than 131072 values in one file");
    free(text);
}
