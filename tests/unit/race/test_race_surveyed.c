// links: content
// Bots on surveyed circuits.
#include "test_race_bots.h"
#include "support/base/check_main.h"
#include "support/track/surveyed.h"

// The shortest first: it is the one that the sanitizers run.
static const bots_outing surveyed[] = {
    {"Norisring", "boxster-s", 12, 2, 0.0, 1.0, 0.06, 76},
    {"Monza", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 162},
    {"Oschersleben", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 133},
    {"Silverstone", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 183},
    {"Spa", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 213},
    {"Suzuka", "boxster-s", 12, 2, 0.0, 1.0, 0.04, 184},
};

NEEDS(surveyed_are_here)

TEST_OVER(bots_keep_to_surveyed_roads, 0,
          check_cases((int)(sizeof surveyed / sizeof surveyed[0]))) {
    static apex_circuit imported;
    char path[SURVEYED_PATH_BYTES];
    apex_content_problem problem = {{0}};
    surveyed_path(surveyed[_i].track, path);
    apex_err err = apex_content_import_circuit(path, &imported, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    bots_race(&surveyed[_i], &imported.def);
    apex_track_def_free(&imported.def);
}
