// All that is wrong with a file is told at once, from top to bottom.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "content/content.h"
#include "support/base/check_main.h"

static apex_content_problems problems;
static char folder[CHECK_PATH_BYTES];

static void make_folder(void) {
    check_make_folder(folder, "all");
    ck_assert_int_eq(chdir(folder), 0);
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

// Each begins with its file, line and column.
static void expect_problems(const char *const expected[], size_t count) {
    for (size_t i = 0; i < count && i < problems.count; i++) {
        ck_assert_msg(strncmp(problems.at[i].text, expected[i], strlen(expected[i])) == 0,
                      "problem %zu: %s", i, problems.at[i].text);
    }
    ck_assert_uint_eq(problems.count, count);
    ck_assert(!problems.has_more);
}

#define EXPECT(...)                                     \
    expect_problems((const char *const[]){__VA_ARGS__}, \
                    sizeof(const char *[]){__VA_ARGS__} / sizeof(char *))

FIXTURE(make_folder, NULL)

TEST(every_key_of_a_race) {
    write_file("x.yaml", "kind: race\n"
                         "laps: 0.5\n"
                         "cars: [boxster-s, [], boxster-s]\n"
                         "lap: 3\n"
                         "bots: -1\n"
                         "track: oval\n"
                         "world: {gravity_mps2: 900, tick_hz: many}\n"
                         "bots: 2\n");
    ck_assert_int_ne(apex_content_check("x.yaml", NULL, &problems), APEX_OK);
    EXPECT("x.yaml:2:7: laps: ", "x.yaml:3:19: cars[1]: ", "x.yaml:3:23: cars[2]: 'boxster-s' is",
           "x.yaml:4:1: unknown key 'lap'; did you mean 'laps'?",
           "x.yaml:5:7: bots: ", "x.yaml:7:23: world.gravity_mps2: ",
           "x.yaml:7:37: world.tick_hz: ", "x.yaml:8:1: bots: given twice; first on line 5");
}

TEST(every_rule_of_a_race_whose_keys_are_right) {
    write_file("x.yaml", "kind: race\n"
                         "player_capacity: 4\n"
                         "bots: 9\n"
                         "start_players: 5\n"
                         "web: {listen: nowhere, token: short}\n");
    ck_assert_int_eq(apex_content_check("x.yaml", NULL, &problems), APEX_ERR_RANGE);
    EXPECT("x.yaml:3:7: bots: more than", "x.yaml:4:16: start_players: more than",
           "x.yaml:5:15: web.listen: expected", "x.yaml:5:31: web.token: too short");
}

TEST(every_name_of_a_race) {
    write_file("x.yaml", "kind: race\ntrack: moon\ncars: [boxster-s, tank, cart]\n");
    ck_assert_int_eq(apex_content_check("x.yaml", NULL, &problems), APEX_ERR_NOT_FOUND);
    EXPECT("x.yaml:2:8: track: no track called 'moon'",
           "x.yaml:3:19: cars[1]: no car called 'tank'",
           "x.yaml:3:25: cars[2]: no car called 'cart'");
}

// Files that a race names are looked at as well, after the race itself.
TEST(every_file_that_a_race_names) {
    write_file("car.yaml", "kind: car\nname: My Car\nmass_kg: 1\n");
    write_file("x.yaml", "kind: race\nlaps: 0\ncars: [car.yaml]\n");
    ck_assert_int_ne(apex_content_check("x.yaml", NULL, &problems), APEX_OK);
    EXPECT("x.yaml:2:7: laps: 0 is for a track without a lap", "car.yaml:1:1: axles: missing",
           "car.yaml:2:7: name: 'My Car' is no name", "car.yaml:3:10: mass_kg: 1 is outside");
}

TEST(every_axle_of_a_car) {
    write_file("x.yaml", "kind: car\n"
                         "name: mine\n"
                         "mass_kg: heavy\n"
                         "engine: {torque: [[1000, 100], [900], [2000, x]]}\n"
                         "axles:\n"
                         "  - {x_m: 1, tyre: {radius_m: 9}}\n"
                         "  - {x_m: far, track_m: 1.5}\n");
    ck_assert_int_ne(apex_content_check("x.yaml", NULL, &problems), APEX_OK);
    ck_assert_uint_ge(problems.count, 4);
    const char *const wanted[] = {":3:10: mass_kg: ", "engine.torque[1]", ":6:", ":7:"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        bool is_told = false;
        for (uint32_t k = 0; k < problems.count; k++) {
            is_told = is_told || strstr(problems.at[k].text, wanted[i]) != NULL;
        }
        ck_assert_msg(is_told, "nothing of '%s'", wanted[i]);
    }
}

// Sections that cannot be read are not laid: one would be told of what follows from them.
TEST(every_section_of_a_track) {
    write_file("x.yaml", "kind: track\n"
                         "name: loop\n"
                         "width_m: 900\n"
                         "sections:\n"
                         "  - {straight_m: 300}\n"
                         "  - {left_deg: 180}\n"
                         "  - {straight_m: long}\n"
                         "  - {left_deg: 180, radius_m: 80, wide: 3}\n"
                         "walls: [{side: above}]\n");
    ck_assert_int_ne(apex_content_check("x.yaml", NULL, &problems), APEX_OK);
    EXPECT("x.yaml:3:10: width_m: ", "x.yaml:6:5: sections[1]", "x.yaml:7:18: sections[2]",
           "x.yaml:8:35: sections[3]: unknown key 'wide'", "x.yaml:9:16: walls[0].side: ");
}

TEST(there_is_an_end_to_it) {
    char text[4096] = "kind: race\n";
    for (int i = 0; i < 80; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "nonsense_%d: 1\n", i);
    }
    write_file("x.yaml", text);
    ck_assert_int_ne(apex_content_check("x.yaml", NULL, &problems), APEX_OK);
    ck_assert_uint_eq(problems.count, APEX_CONTENT_PROBLEMS_MAX);
    ck_assert(problems.has_more);
    ck_assert_int_eq(strncmp(problems.at[49].text, "x.yaml:51:1: ", 13), 0);
}

TEST(what_is_no_yaml_has_one) {
    write_file("x.yaml", "kind: race\nworld: [\n");
    ck_assert_int_eq(apex_content_check("x.yaml", NULL, &problems), APEX_ERR_PARSE);
    ck_assert_uint_eq(problems.count, 1);
    write_file("x.yaml", "kind: race\nlaps: 3\n");
    ck_assert_int_eq(apex_content_check("x.yaml", NULL, &problems), APEX_OK);
    ck_assert_uint_eq(problems.count, 0);
}
