/// The text format of Prometheus, 0.0.4: families of samples with labels.
#pragma once

#include "api/answer/answer_text.h"
#include "api/api.h"
#include "base/histogram.h"

/// One family after the other; each sample of it: begin, labels, value.
typedef struct exposition {
    apex_text_writer text;
    const char *family;
    uint32_t labels; ///< of the sample under way
} exposition;

typedef enum exposition_kind {
    EXPOSITION_COUNTER,
    EXPOSITION_GAUGE,
    EXPOSITION_HISTOGRAM
} exposition_kind;

void exposition_family(exposition *out, const char *name, exposition_kind kind, const char *help);
/// @param suffix "" or, of a histogram, "_bucket", ...
void exposition_begin(exposition *out, const char *suffix);
void exposition_label(exposition *out, const char *name, const char *value);
/// race="1"
void exposition_race(exposition *out, uint32_t race);
void exposition_count(exposition *out, uint64_t value);
void exposition_seconds(exposition *out, uint64_t us);
void exposition_share(exposition *out, uint32_t ppm); ///< 0 to 1

/// A histogram of microseconds, in seconds.
void exposition_times(exposition *out, uint32_t race, const apex_histogram *times);

/// Of a histogram whose values are counted by bucket: the bounds of all but the last, which has
/// none.
typedef struct exposition_buckets {
    const uint32_t *bounds;
    const uint64_t *counts;
    size_t count; ///< of counts
    uint64_t sum;
} exposition_buckets;

void exposition_counts(exposition *out, uint32_t race, const exposition_buckets *buckets);

/// A family with one number of each race.
typedef struct exposition_figure {
    const char *name;
    exposition_kind kind;
    const char *help;
    uint64_t (*of)(apex_server *server);
} exposition_figure;

void exposition_figures(exposition *out, const apex_api *api, const exposition_figure figures[],
                        size_t count);
