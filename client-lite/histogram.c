#include "client-lite/histogram.h"

#include <math.h>

// Below STEPS each value has its bucket; from there on bucket k * STEPS + j holds the values from
// (STEPS + j) << (k - 1) up to the next.
static size_t bucket_of(uint64_t value) {
    uint32_t doubling = 0;
    while (value >= 2 * (uint64_t)CLIENT_HISTOGRAM_STEPS) {
        value >>= 1;
        doubling++;
    }
    if (doubling == 0 && value < (uint64_t)CLIENT_HISTOGRAM_STEPS) {
        return (size_t)value;
    }
    size_t bucket = (doubling + 1) * (size_t)CLIENT_HISTOGRAM_STEPS +
                    (size_t)(value - (uint64_t)CLIENT_HISTOGRAM_STEPS);
    return bucket < CLIENT_HISTOGRAM_BUCKETS ? bucket : CLIENT_HISTOGRAM_BUCKETS - 1;
}

// The largest value of a bucket.
static uint64_t bound_of(size_t bucket) {
    size_t doubling = bucket / CLIENT_HISTOGRAM_STEPS;
    uint64_t step = bucket % CLIENT_HISTOGRAM_STEPS;
    if (doubling == 0) {
        return step;
    }
    return (((uint64_t)CLIENT_HISTOGRAM_STEPS + step + 1) << (doubling - 1)) - 1;
}

void client_histogram_add(client_histogram *histogram, uint64_t value) {
    histogram->count++;
    histogram->sum += (double)value;
    histogram->max = value > histogram->max ? value : histogram->max;
    histogram->buckets[bucket_of(value)]++;
}

uint64_t client_histogram_quantile(const client_histogram *histogram, double share) {
    uint64_t wanted = (uint64_t)ceil(share * (double)histogram->count);
    uint64_t seen = 0;
    for (size_t bucket = 0; bucket < CLIENT_HISTOGRAM_BUCKETS - 1 && histogram->count > 0;
         bucket++) {
        seen += histogram->buckets[bucket];
        if (seen > 0 && seen >= wanted) {
            uint64_t bound = bound_of(bucket);
            return bound < histogram->max ? bound : histogram->max;
        }
    }
    return histogram->max;
}
