/// How long ticks take and how late they begin.
#pragma once

#include <stdint.h>

#include "base/histogram.h"

/// Values since the start, and of the last whole second.
typedef struct host_metrics {
    apex_histogram work, late;
    apex_histogram work_second, late_second;       ///< complete
    apex_histogram work_gathering, late_gathering; ///< of the second under way
    uint32_t gathered;
    uint64_t ticks_dropped;
    uint64_t cpu_us; ///< processor time of the process
} host_metrics;

void host_metrics_tick(host_metrics *metrics, uint64_t work_us, uint64_t late_us, uint32_t tick_hz);
