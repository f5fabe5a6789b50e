// links: content
// Bots on surveyed circuits, where they are at hand (see test_content_circuits.c).
#include "test_race_bots.h"
#include "support/check_main.h"

#include <stdlib.h>

static const bots_outing surveyed[] = {
    {"Monza", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 162},
    {"Norisring", "boxster-s", 12, 2, 0.0, 1.0, 0.06, 76},
    {"Oschersleben", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 133},
    {"Silverstone", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 183},
    {"Spa", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 213},
    {"Suzuka", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 184},
};

static void path_of(const char *name, char *path, size_t bytes) {
    const char *shared = getenv("APEX_SHARED");
    const char *source = getenv("APEX_SOURCE_DIR");
    snprintf(path, bytes, "%s%s/tracks/%s.csv",
             shared   ? shared
             : source ? source
                      : ".",
             shared ? "" : "/../shared", name);
}

START_TEST(bots_keep_to_surveyed_roads) {
    static apex_circuit imported;
    char path[1024];
    apex_content_problem problem = {{0}};
    path_of(surveyed[_i].track, path, sizeof path);
    apex_err err = apex_content_import_circuit(path, &imported, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    bots_race(&surveyed[_i], &imported.def);
    apex_track_def_free(&imported.def);
}
END_TEST

Suite *apex_suite(void) {
    char path[1024];
    path_of(surveyed[0].track, path, sizeof path);
    FILE *file = fopen(path, "r");
    if (!file) {
        puts("the surveyed circuits are not here (APEX_SHARED/tracks/*.csv)");
        return NULL;
    }
    fclose(file);
    Suite *suite = suite_create("race surveyed");
    TCase *cases = tcase_create("bots");
    tcase_set_timeout(cases, 120);
    tcase_add_loop_test(cases, bots_keep_to_surveyed_roads, 0,
                        sizeof surveyed / sizeof surveyed[0]);
    suite_add_tcase(suite, cases);
    return suite;
}
