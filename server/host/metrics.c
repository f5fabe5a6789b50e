#include "host/metrics.h"

#include <string.h>

// Bucket 4k + j holds values up to 2^k * (1 + (j + 1) / 4).
uint64_t host_histogram_bound_us(size_t bucket) {
    uint64_t octave = (uint64_t)1 << (bucket / 4);
    return octave + octave * (bucket % 4 + 1) / 4;
}

static size_t bucket_of(uint64_t value_us) {
    size_t bucket = 0;
    while (bucket < HOST_HISTOGRAM_BUCKETS - 1 && host_histogram_bound_us(bucket) < value_us) {
        bucket++;
    }
    return bucket;
}

void host_histogram_add(host_histogram *histogram, uint64_t value_us) {
    histogram->count++;
    histogram->sum_us += value_us;
    histogram->max_us = value_us > histogram->max_us ? value_us : histogram->max_us;
    histogram->buckets[bucket_of(value_us)]++;
}

uint64_t host_histogram_quantile_us(const host_histogram *histogram, double share) {
    uint64_t wanted = (uint64_t)(share * (double)histogram->count + 0.999999);
    uint64_t seen = 0;
    for (size_t bucket = 0; bucket < HOST_HISTOGRAM_BUCKETS && histogram->count > 0; bucket++) {
        seen += histogram->buckets[bucket];
        if (seen >= wanted) {
            uint64_t bound = host_histogram_bound_us(bucket);
            return bound < histogram->max_us ? bound : histogram->max_us;
        }
    }
    return histogram->max_us;
}

void host_metrics_tick(host_metrics *metrics, uint64_t work_us, uint64_t late_us,
                       uint32_t tick_hz) {
    host_histogram_add(&metrics->work, work_us);
    host_histogram_add(&metrics->late, late_us);
    host_histogram_add(&metrics->work_gathering, work_us);
    host_histogram_add(&metrics->late_gathering, late_us);
    if (++metrics->gathered < tick_hz) {
        return;
    }
    metrics->work_second = metrics->work_gathering;
    metrics->late_second = metrics->late_gathering;
    memset(&metrics->work_gathering, 0, sizeof metrics->work_gathering);
    memset(&metrics->late_gathering, 0, sizeof metrics->late_gathering);
    metrics->gathered = 0;
}
