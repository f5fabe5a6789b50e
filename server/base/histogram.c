// A histogram of buckets that double, and the quantiles that it tells.
#include "base/histogram.h"

#include <math.h>

enum { STEP_BITS = 5 };
_Static_assert(APEX_HISTOGRAM_STEPS == 1 << STEP_BITS, "a value's highest bits say its step");

// Below STEPS each value has its bucket; from there on bucket k * STEPS + j holds the values from
// (STEPS + j) << (k - 1) up to the next.
static size_t bucket_of(uint64_t value) {
    if (value < (uint64_t)APEX_HISTOGRAM_STEPS) {
        return (size_t)value;
    }
    uint32_t doubling = 63 - (uint32_t)__builtin_clzll(value) - STEP_BITS;
    uint64_t step = (value >> doubling) - APEX_HISTOGRAM_STEPS;
    size_t bucket = (doubling + 1) * (size_t)APEX_HISTOGRAM_STEPS + (size_t)step;
    return bucket < APEX_HISTOGRAM_BUCKETS ? bucket : APEX_HISTOGRAM_BUCKETS - 1;
}

// The largest value of a bucket.
static uint64_t bound_of(size_t bucket) {
    size_t doubling = bucket / APEX_HISTOGRAM_STEPS;
    uint64_t step = bucket % APEX_HISTOGRAM_STEPS;
    if (doubling == 0) {
        return step;
    }
    return (((uint64_t)APEX_HISTOGRAM_STEPS + step + 1) << (doubling - 1)) - 1;
}

void apex_histogram_add(apex_histogram *histogram, uint64_t value) {
    histogram->count++;
    histogram->sum += value;
    histogram->max = value > histogram->max ? value : histogram->max;
    histogram->buckets[bucket_of(value)]++;
}

void apex_histogram_merge(apex_histogram *histogram, const apex_histogram *other) {
    histogram->count += other->count;
    histogram->sum += other->sum;
    histogram->max = other->max > histogram->max ? other->max : histogram->max;
    for (size_t bucket = 0; bucket < APEX_HISTOGRAM_BUCKETS; bucket++) {
        histogram->buckets[bucket] += other->buckets[bucket];
    }
}

uint64_t apex_histogram_quantile(const apex_histogram *histogram, double share) {
    uint64_t wanted = (uint64_t)ceil(share * (double)histogram->count);
    uint64_t seen = 0;
    for (size_t bucket = 0; bucket < APEX_HISTOGRAM_BUCKETS - 1 && histogram->count > 0; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen > 0 && seen >= wanted) {
            uint64_t bound = bound_of(bucket);
            return bound < histogram->max ? bound : histogram->max;
        }
    }
    return histogram->max;
}

uint64_t apex_histogram_count_below(const apex_histogram *histogram, uint64_t value) {
    size_t end = bucket_of(value);
    uint64_t count = 0;
    for (size_t bucket = 0; bucket < end; bucket++) {
        count += histogram->buckets[bucket];
    }
    return count;
}

uint32_t apex_counts_quantile(const uint64_t counts[], uint32_t value_count, double share) {
    uint64_t all = 0;
    for (uint32_t value = 0; value < value_count; value++) {
        all += counts[value];
    }
    double wanted = share * (double)all;
    uint64_t seen = 0;
    uint32_t value = 0;
    for (; value + 1 < value_count; value++) {
        seen += counts[value];
        if ((double)seen >= wanted) {
            break;
        }
    }
    return value;
}
