// Tests of what bots and the load generator tell of rivals: of several drivers the median one.
#include "support/base/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/cli/rival_figures.h"
#include "client-lite/load/report/load_figures.h"

// All errors in proportion, each with a size of its own.
static apex_client_rival_errors errors_of(double scale) {
    return (apex_client_rival_errors){.compared = 100,
                                      .along_m_p50 = 0.001 * scale,
                                      .along_m_p95 = 0.002 * scale,
                                      .along_m_p99 = 0.003 * scale,
                                      .across_m_p50 = 0.004 * scale,
                                      .across_m_p95 = 0.005 * scale,
                                      .across_m_p99 = 0.006 * scale,
                                      .horizon_s_p50 = 0.007 * scale,
                                      .horizon_s_p99 = 0.008 * scale,
                                      .correction_mps_p99 = 0.009 * scale,
                                      .correction_mps_max = 0.010 * scale,
                                      .late = 3,
                                      .touches_came = 5,
                                      .touches_phantom = 2,
                                      .touches_unforeseen = 1};
}

static const struct {
    const char *name;
    double value;
} MEDIAN[] = {
    {"rivals_compared", 300.0},         {"rivals_late", 9.0},
    {"rival_along_p50_mm", 10.0},       {"rival_along_p95_mm", 20.0},
    {"rival_along_p99_mm", 30.0},       {"rival_across_p50_mm", 40.0},
    {"rival_across_p95_mm", 50.0},      {"rival_across_p99_mm", 60.0},
    {"rival_horizon_p50_ms", 70.0},     {"rival_horizon_p99_ms", 80.0},
    {"rival_correction_p99_mps", 0.09}, {"rival_correction_max_mps", 1.0},
    {"rival_touches_came", 15.0},       {"rival_touches_phantom", 6.0},
    {"rival_touches_unforeseen", 3.0},
};

static void hear_three(cli_rival_figures *figures) {
    static const double scales[] = {100.0, 1.0, 10.0};
    for (int i = 0; i < 3; i++) {
        apex_client_rival_errors errors = errors_of(scales[i]);
        cli_rival_figures_hear(figures, &errors);
    }
}

TEST(the_median_driver_counts_and_the_worst_correction) {
    static cli_load_tally tally;
    static const cli_load_counts counts;
    cli_load_figures figures;
    hear_three(&tally.rivals);
    ck_assert_uint_eq(tally.rivals.drivers, 3);
    cli_load_figures_of(&tally, &counts, &figures);
    for (size_t i = 0; i < sizeof MEDIAN / sizeof MEDIAN[0]; i++) {
        size_t at = 0;
        while (at < figures.count && strcmp(figures.at[at].name, MEDIAN[i].name) != 0) {
            at++;
        }
        ck_assert_msg(at < figures.count, "no %s", MEDIAN[i].name);
        // A histogram reads a thirty-second high at most.
        ck_assert_msg(figures.at[at].value >= 0.999 * MEDIAN[i].value &&
                          figures.at[at].value <= 1.033 * MEDIAN[i].value,
                      "%s: %g, not %g", MEDIAN[i].name, figures.at[at].value, MEDIAN[i].value);
    }
}

TEST(who_had_nobody_near_says_nothing) {
    static cli_rival_figures figures;
    apex_client_rival_errors nobody = {.late = 5, .correction_mps_max = 7.0};
    cli_rival_figures_hear(&figures, &nobody);
    ck_assert_uint_eq(figures.drivers, 0);
    apex_client_rival_errors of = cli_rival_figures_of(&figures);
    ck_assert_uint_eq(of.late, 0);
    ck_assert(isnan(of.along_m_p95) && isnan(of.horizon_s_p50) && isnan(of.correction_mps_max));
    apex_json_writer json = apex_json_begin(apex_text_growing(), APEX_JSON_COMPACT);
    apex_json_open(&json, NULL, '{');
    cli_rival_figures_put(&figures, &json, "rivals");
    apex_json_close(&json);
    char *text = apex_text_take(&json.text);
    ck_assert_str_eq(text, "{\"rivals\":null}");
    free(text);
}
