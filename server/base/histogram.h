/// A histogram with four buckets to each doubling, in fixed memory: times in microseconds, or
/// anything else that counts from 0. Quantiles read a quarter high at most.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { APEX_HISTOGRAM_BUCKETS = 96 }; ///< up to 2^24: 16 s in microseconds

typedef struct apex_histogram {
    uint64_t count;
    uint64_t sum, max;
    uint64_t buckets[APEX_HISTOGRAM_BUCKETS];
} apex_histogram;

void apex_histogram_add(apex_histogram *histogram, uint64_t value);
/// Adds all values of another one, as if each had been added by itself.
void apex_histogram_merge(apex_histogram *histogram, const apex_histogram *other);
/// Smallest bucket bound that at least this share (0..1) of the values lies under; 0 when empty.
uint64_t apex_histogram_quantile(const apex_histogram *histogram, double share);
/// Upper bound of a bucket.
uint64_t apex_histogram_bound(size_t bucket);
