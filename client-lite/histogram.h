/// Many values in fixed memory, for percentiles: 32 buckets to each doubling, so that a quantile
/// reads at most a thirty-second high. Values below 32 are exact.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    CLIENT_HISTOGRAM_STEPS = 32, ///< to a doubling
    CLIENT_HISTOGRAM_DOUBLINGS = 32,
    CLIENT_HISTOGRAM_BUCKETS = CLIENT_HISTOGRAM_STEPS * (CLIENT_HISTOGRAM_DOUBLINGS + 1),
};

typedef struct client_histogram {
    uint64_t count, max;
    double sum;
    uint32_t buckets[CLIENT_HISTOGRAM_BUCKETS];
} client_histogram;

/// Values past the last bucket, of 2^37, count there.
void client_histogram_add(client_histogram *histogram, uint64_t value);
/// The smallest bucket bound under which at least this share (0..1) of the values lies, and never
/// more than the largest value; 0 when empty.
uint64_t client_histogram_quantile(const client_histogram *histogram, double share);
