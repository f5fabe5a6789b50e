// The tracks, the car and the race that are shown as examples are ones that work.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "content/content.h"
#include "support/base/check_main.h"

enum { README_BYTES_MAX = 64 * 1024 };

static char readme[README_BYTES_MAX];

static void read_readme(const char *name) {
    const char *folder = getenv("APEX_SOURCE_DIR");
    ck_assert_msg(folder != NULL, "APEX_SOURCE_DIR names the source tree");
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s is missing", path);
    readme[fread(readme, 1, sizeof readme - 1, file)] = '\0';
    fclose(file);
}

// The fenced block that begins with the lines. @return where it begins, and its length
static const char *block_of(const char *lines, size_t *length) {
    char head[64];
    snprintf(head, sizeof head, "```yaml\n%s", lines);
    const char *begin = strstr(readme, head);
    ck_assert_msg(begin != NULL, "README has no block '%s'", lines);
    begin += strlen("```yaml\n");
    const char *end = strstr(begin, "```");
    ck_assert_msg(end != NULL, "the block '%s' has no end", lines);
    *length = (size_t)(end - begin);
    return begin;
}

TEST(the_track_of_the_readme_lays) {
    read_readme("server/content/tracks/README.md");
    size_t length = 0;
    const char *text = block_of("kind: track\nname: triangle", &length);
    ck_assert_uint_gt(length, 200);
    apex_track_def def;
    apex_content_problem problem = {{0}};
    apex_err err = apex_content_parse_track(text, length, "README.md", &def, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    apex_track *track = NULL;
    apex_def_problem why = {{0}, {0}};
    ck_assert_msg(apex_track_create(&def, &track, &why) == APEX_OK, "%s: %s", why.field,
                  why.reason);
    // Three straights of 300 m and three thirds of a circle of 60 m.
    ck_assert_double_eq_tol(apex_track_length_m(track), 900.0 + 2.0 * 3.14159265 * 60.0, 0.1);
    apex_track_destroy(track);
    apex_track_def_free(&def);
}

TEST(the_car_of_its_readme_is_fine) {
    read_readme("server/content/cars/README.md");
    size_t length = 0;
    const char *text = block_of("kind: car", &length);
    apex_car_def def;
    apex_content_problem problem = {{0}};
    apex_err err = apex_content_parse_car(text, length, "README.md", &def, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_str_eq(def.name, "my-car");
    ck_assert_double_eq(def.mass_kg, 1200.0);
    ck_assert_double_eq(def.axles[1].tyre.width_m, 0.24);
}

// The tracks' own README has a fenced example, and names every key there is.
TEST(the_example_of_the_tracks_lays) {
    read_readme("server/content/tracks/README.md");
    size_t length = 0;
    const char *text = block_of("kind: track\nname: my-track", &length);
    apex_track_def def;
    apex_content_problem problem = {{0}};
    apex_err err = apex_content_parse_track(text, length, "README.md", &def, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    apex_track *track = NULL;
    apex_def_problem why = {{0}, {0}};
    ck_assert_msg(apex_track_create(&def, &track, &why) == APEX_OK, "%s: %s", why.field,
                  why.reason);
    ck_assert_uint_eq(apex_track_pits_of(track).box_count, 10);
    apex_track_destroy(track);
    apex_track_def_free(&def);
}

TEST(the_race_of_its_readme_is_fine) {
    read_readme("server/content/races/README.md");
    size_t length = 0;
    const char *text = block_of("kind: race", &length);
    apex_race_file file;
    apex_content_problem problem = {{0}};
    apex_err err = apex_content_parse_race(text, length, "README.md", &file, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_str_eq(file.track, "ridgeway");
    ck_assert_uint_eq(file.car_count, 2);
    ck_assert_uint_eq(file.race.start_players, 4);
    ck_assert_uint_eq(file.port, 26000);
}

TEST(every_key_of_a_track_is_told) {
    char *text = NULL;
    size_t length = 0;
    uint32_t keys = 0;
    FILE *out = open_memstream(&text, &length);
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(apex_content_write_default(APEX_CONTENT_TRACK, out), APEX_OK);
    ck_assert_int_eq(fclose(out), 0);
    read_readme("server/content/tracks/README.md");
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *key = line + strspn(line, " #-");
        size_t bytes = strspn(key, "abcdefghijklmnopqrstuvwxyz_");
        if (bytes == 0 || (key[bytes] != ':' && strncmp(line, "  # ", 4) != 0)) {
            continue;
        }
        bool is_prose = key[bytes] != ':' && key[bytes + 1] != ' ';
        key[bytes] = '\0';
        ck_assert_msg(is_prose || strstr(readme, key) != NULL, "README does not tell of %s", key);
        keys++;
    }
    ck_assert_uint_gt(keys, 60);
    free(text);
}
