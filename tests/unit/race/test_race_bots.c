// links: content
// Bots on the circuits that ship, among themselves and alone at the limit.
#include "test_race_bots.h"
#include "support/base/check_main.h"

// The shortest first: it is the one that the sanitizers run.
static const bots_outing shipped[] = {
    {"oval", "boxster-s", 12, 3, 0.0, 0.5, 0.025, 43},
    {"ridgeway", "boxster-s", 12, 2, 0.0, 0.5, 0.016, 132},
    {"ridgeway", "boxster-s", 24, 2, 0.0, 0.5, 0.025, 132},
    {"highfell", "boxster-s", 12, 2, 0.0, 1.0, 0.025, 100},
    {"speedway", "boxster-s", 12, 3, 0.0, 1.0, 0.05, 43},
    {"ridgeway", "boxster-s", 1, 2, 1.0, 0.2, 0.0, 126},
    {"ridgeway", "formula", 1, 2, 1.0, 0.2, 0.0, 89},
    {"ridgeway", "truck-6x4", 1, 2, 1.0, 0.2, 0.0, 195},
    {"ridgeway", "cbr1000rr", 1, 2, 1.0, 0.5, 0.0, 125},
    {"ridgeway", "micra", 1, 2, 1.0, 0.2, 0.0, 145},
    {"ridgeway", "minibus", 1, 2, 1.0, 0.2, 0.0, 153},
    {"ridgeway", "corvette-c5", 1, 2, 1.0, 0.2, 0.0, 124},
    {"ridgeway", "mp4-12c", 1, 2, 1.0, 0.2, 0.0, 113},
    {"oval", "boxster-s", 1, 2, 1.0, 0.2, 0.0, 41},
    {"highfell", "boxster-s", 1, 2, 1.0, 0.2, 0.0, 96},
    {"highfell", "formula", 1, 2, 1.0, 0.2, 0.0, 63},
};

TEST_OVER(bots_keep_to_the_road, 0, check_cases((int)(sizeof shipped / sizeof shipped[0]))) {
    apex_track_def def;
    apex_content_problem problem = {{0}};
    apex_err err = apex_content_load_track(shipped[_i].track, NULL, &def, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    bots_race(&shipped[_i], &def);
    apex_track_def_free(&def);
}
