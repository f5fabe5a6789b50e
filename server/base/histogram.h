/// Many values in fixed memory, for quantiles: 32 buckets to each doubling, so that a quantile
/// reads at most a thirty-second high. Values below 64 are exact. Times in microseconds, or
/// anything else that counts from 0.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    APEX_HISTOGRAM_STEPS = 32, ///< to a doubling
    APEX_HISTOGRAM_DOUBLINGS = 32,
    APEX_HISTOGRAM_BUCKETS = APEX_HISTOGRAM_STEPS * (APEX_HISTOGRAM_DOUBLINGS + 1),
};

typedef struct apex_histogram {
    uint64_t count, sum, max;
    uint32_t buckets[APEX_HISTOGRAM_BUCKETS];
} apex_histogram;

/// Values past the last bucket, of 2^37, count there.
void apex_histogram_add(apex_histogram *histogram, uint64_t value);
/// Adds all values of another one, as if each had been added by itself.
void apex_histogram_merge(apex_histogram *histogram, const apex_histogram *other);
/// The smallest bucket bound under which at least this share (0..1) of the values lies, and never
/// more than the largest value; 0 when empty.
uint64_t apex_histogram_quantile(const apex_histogram *histogram, double share);
/// The number of values that are smaller than this one. Exact where the value begins a bucket:
/// below 64, and for 32 to 63 times a power of two. Else those too that share its bucket are left
/// out.
uint64_t apex_histogram_count_below(const apex_histogram *histogram, uint64_t value);

/// Of few values, each counted by itself: the smallest that at least this share of all are no
/// larger than. @param counts by value, of which the last stands for all that are larger.
uint32_t apex_counts_quantile(const uint64_t counts[], uint32_t value_count, double share);
