/// How long ticks take and how late they begin.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// A histogram with four buckets to each doubling, in fixed memory. Quantiles read a quarter high
/// at most.
enum { HOST_HISTOGRAM_BUCKETS = 96 };

typedef struct host_histogram {
    uint64_t count;
    uint64_t sum_us, max_us;
    uint64_t buckets[HOST_HISTOGRAM_BUCKETS];
} host_histogram;

void host_histogram_add(host_histogram *histogram, uint64_t value_us);
/// Smallest bucket bound that at least this share (0..1) of the values lies under; 0 when empty.
uint64_t host_histogram_quantile_us(const host_histogram *histogram, double share);
/// Upper bound of a bucket.
uint64_t host_histogram_bound_us(size_t bucket);

/// Values since the start, and of the last whole second.
typedef struct host_metrics {
    host_histogram work, late;
    host_histogram work_second, late_second;       ///< complete
    host_histogram work_gathering, late_gathering; ///< of the second under way
    uint32_t gathered;
    uint64_t ticks_dropped;
    uint64_t cpu_us; ///< processor time of the process
} host_metrics;

void host_metrics_tick(host_metrics *metrics, uint64_t work_us, uint64_t late_us, uint32_t tick_hz);
