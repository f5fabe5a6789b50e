// A driver who had many rivals counts no more than one who had few: drivers differ, not frames.
#include "client-lite/cli/rival_figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { MEMBER_DIGITS = 9 };

static void add(apex_histogram *histogram, double value, double units) {
    apex_histogram_add(histogram, (uint64_t)(value * units + 0.5));
}

void cli_rival_figures_hear(cli_rival_figures *self, const apex_client_rival_errors *errors) {
    if (errors->compared == 0) {
        return;
    }
    const double along_m[3] = {errors->along_m_p50, errors->along_m_p95, errors->along_m_p99};
    const double across_m[3] = {errors->across_m_p50, errors->across_m_p95, errors->across_m_p99};
    for (int i = 0; i < 3; i++) {
        add(&self->along_um[i], along_m[i], 1e6);
        add(&self->across_um[i], across_m[i], 1e6);
    }
    add(&self->horizon_us[0], errors->horizon_s_p50, 1e6);
    add(&self->horizon_us[1], errors->horizon_s_p99, 1e6);
    add(&self->correction_mmps, errors->correction_mps_p99, 1e3);
    self->correction_mps_max = fmax(self->correction_mps_max, errors->correction_mps_max);
    self->drivers++;
    self->compared += errors->compared;
    self->late += errors->late;
    self->touches_came += errors->touches_came;
    self->touches_phantom += errors->touches_phantom;
    self->touches_unforeseen += errors->touches_unforeseen;
}

static double median(const apex_histogram *histogram, double units) {
    return histogram->count > 0 ? (double)apex_histogram_quantile(histogram, 0.5) / units
                                : (double)NAN;
}

apex_client_rival_errors cli_rival_figures_of(const cli_rival_figures *self) {
    return (apex_client_rival_errors){
        .compared = self->compared,
        .along_m_p50 = median(&self->along_um[0], 1e6),
        .along_m_p95 = median(&self->along_um[1], 1e6),
        .along_m_p99 = median(&self->along_um[2], 1e6),
        .across_m_p50 = median(&self->across_um[0], 1e6),
        .across_m_p95 = median(&self->across_um[1], 1e6),
        .across_m_p99 = median(&self->across_um[2], 1e6),
        .horizon_s_p50 = median(&self->horizon_us[0], 1e6),
        .horizon_s_p99 = median(&self->horizon_us[1], 1e6),
        .correction_mps_p99 = median(&self->correction_mmps, 1e3),
        .correction_mps_max = self->drivers > 0 ? self->correction_mps_max : (double)NAN,
        .late = self->late,
        .touches_came = self->touches_came,
        .touches_phantom = self->touches_phantom,
        .touches_unforeseen = self->touches_unforeseen,
    };
}

void cli_rival_figures_put(const cli_rival_figures *self, apex_json_writer *json, const char *key) {
    if (self->drivers == 0) {
        apex_json_null(json, key);
        return;
    }
    apex_client_rival_errors errors = cli_rival_figures_of(self);
    apex_json_open(json, key, '{');
    apex_json_count(json, "drivers", self->drivers);
    apex_json_count(json, "compared", errors.compared);
    apex_json_count(json, "late", errors.late);
    apex_json_count(json, "touches_came", errors.touches_came);
    apex_json_count(json, "touches_phantom", errors.touches_phantom);
    apex_json_count(json, "touches_unforeseen", errors.touches_unforeseen);
    const struct {
        const char *name;
        double value;
    } members[] = {
        {"along_p50_mm", 1e3 * errors.along_m_p50},
        {"along_p95_mm", 1e3 * errors.along_m_p95},
        {"along_p99_mm", 1e3 * errors.along_m_p99},
        {"across_p50_mm", 1e3 * errors.across_m_p50},
        {"across_p95_mm", 1e3 * errors.across_m_p95},
        {"across_p99_mm", 1e3 * errors.across_m_p99},
        {"horizon_p50_ms", 1e3 * errors.horizon_s_p50},
        {"horizon_p99_ms", 1e3 * errors.horizon_s_p99},
        {"correction_p99_mps", errors.correction_mps_p99},
        {"correction_max_mps", errors.correction_mps_max},
    };
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        apex_json_real(json, members[i].name, members[i].value, MEMBER_DIGITS);
    }
    apex_json_close(json);
}

void cli_rival_figures_print(const cli_rival_figures *self) {
    if (self->drivers == 0) {
        return;
    }
    apex_client_rival_errors errors = cli_rival_figures_of(self);
    printf("%-24s%10s%10s%10s\n", "rivals within 15 m", "p50", "p95", "p99");
    printf("%-24s%10.1f%10.1f%10.1f  cm\n", "  off along", 100.0 * errors.along_m_p50,
           100.0 * errors.along_m_p95, 100.0 * errors.along_m_p99);
    printf("%-24s%10.1f%10.1f%10.1f  cm\n", "  off across", 100.0 * errors.across_m_p50,
           100.0 * errors.across_m_p95, 100.0 * errors.across_m_p99);
    printf("%-24s%10.1f%10s%10.1f  ms\n", "  foretold by", 1e3 * errors.horizon_s_p50, "",
           1e3 * errors.horizon_s_p99);
    printf("%-24s%10s%10s%10.2f  m/s, %.2f at most\n", "  corrected at", "", "",
           errors.correction_mps_p99, errors.correction_mps_max);
    printf("%-24s%10" PRIu64 "  told of, as %" PRIu64 " drivers saw them\n", "  compared",
           errors.compared, self->drivers);
    printf("%-24s%10" PRIu64 "  frames too far ahead of what was told\n", "  late", errors.late);
    printf("%-24s%10" PRIu64 "  felt as they came, %" PRIu64 " that did not, %" PRIu64
           " not felt\n",
           "  touches", errors.touches_came, errors.touches_phantom, errors.touches_unforeseen);
}
