#include "base/histogram.h"

// Bucket 4k + j holds values up to 2^k * (1 + (j + 1) / 4).
uint64_t apex_histogram_bound(size_t bucket) {
    uint64_t octave = (uint64_t)1 << (bucket / 4);
    return octave + octave * (bucket % 4 + 1) / 4;
}

static size_t bucket_of(uint64_t value) {
    size_t bucket = 0;
    while (bucket < APEX_HISTOGRAM_BUCKETS - 1 && apex_histogram_bound(bucket) < value) {
        bucket++;
    }
    return bucket;
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
    uint64_t wanted = (uint64_t)(share * (double)histogram->count + 0.999999);
    uint64_t seen = 0;
    for (size_t bucket = 0; bucket < APEX_HISTOGRAM_BUCKETS && histogram->count > 0; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen >= wanted) {
            uint64_t bound = apex_histogram_bound(bucket);
            return bound < histogram->max ? bound : histogram->max;
        }
    }
    return histogram->max;
}
