// Times as the table that the page's test reads too has them.

#include "base/time_text.h"
#include "support/base/check_main.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool text_of(const char *kind, int64_t us, char out[APEX_TIME_TEXT_BYTES]) {
    if (strcmp(kind, "time") == 0) {
        apex_time_text((uint64_t)us, out);
    } else if (strcmp(kind, "gap") == 0) {
        apex_gap_text(us, out);
    } else if (strcmp(kind, "tenths") == 0) {
        apex_clock_text(us, out);
    } else {
        return false;
    }
    return true;
}

TEST(times_are_as_the_table_has_them) {
    const char *root = getenv("APEX_SOURCE_DIR");
    ck_assert_msg(root != NULL, "APEX_SOURCE_DIR names the source tree");
    char path[512], line[160], got[APEX_TIME_TEXT_BYTES];
    snprintf(path, sizeof path, "%s/tests/time_text.cases", root);
    FILE *cases = fopen(path, "r");
    ck_assert_msg(cases != NULL, "%s", path);
    uint32_t checked = 0;
    while (fgets(line, sizeof line, cases) != NULL) {
        if (line[0] == '#') {
            continue;
        }
        char *rest = NULL;
        const char *kind = strtok_r(line, " \n", &rest);
        const char *number = strtok_r(NULL, " \n", &rest);
        const char *wanted = strtok_r(NULL, " \n", &rest);
        ck_assert_ptr_nonnull(wanted);
        int64_t us = strtoll(number, NULL, 10);
        if (text_of(kind, us, got)) {
            ck_assert_msg(strcmp(got[0] != '\0' ? got : "none", wanted) == 0, "%s %" PRId64 ": %s",
                          kind, us, got);
            checked++;
        }
    }
    fclose(cases);
    ck_assert_uint_gt(checked, 50);
}

TEST(the_longest_times_fit) {
    char text[APEX_TIME_TEXT_BYTES];
    apex_time_text(UINT64_MAX, text);
    ck_assert_str_eq(text, "5124095576:01:49.551");
    apex_gap_text(INT64_MIN, text);
    ck_assert_str_eq(text, "-2562047788:00:54.775");
    apex_gap_text(INT64_MAX, text);
    ck_assert_str_eq(text, "+2562047788:00:54.775");
    apex_clock_text(INT64_MIN, text);
    ck_assert_str_eq(text, "-2562047788:00:54.8");
}
