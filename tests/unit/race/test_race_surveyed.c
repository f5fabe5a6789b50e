// links: content
// Bots on surveyed circuits.
#include "test_race_bots.h"
#include "support/base/check_main.h"
#include "support/track/surveyed.h"

static const bots_outing surveyed[] = {
    {"Monza", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 162},
    {"Norisring", "boxster-s", 12, 2, 0.0, 1.0, 0.06, 76},
    {"Oschersleben", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 133},
    {"Silverstone", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 183},
    {"Spa", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 213},
    {"Suzuka", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 184},
};

START_TEST(bots_keep_to_surveyed_roads) {
    static apex_circuit imported;
    char path[SURVEYED_PATH_BYTES];
    apex_content_problem problem = {{0}};
    surveyed_path(surveyed[_i].track, path);
    apex_err err = apex_content_import_circuit(path, &imported, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    bots_race(&surveyed[_i], &imported.def);
    apex_track_def_free(&imported.def);
}
END_TEST

Suite *apex_suite(void) {
    if (!surveyed_are_here()) {
        return NULL;
    }
    Suite *suite = suite_create("race surveyed");
    TCase *cases = tcase_create("bots");
    tcase_set_timeout(cases, 120);
    const int outings = check_cases((int)(sizeof surveyed / sizeof surveyed[0]));
    tcase_add_loop_test(cases, bots_keep_to_surveyed_roads, 0, outings);
    suite_add_tcase(suite, cases);
    return suite;
}
