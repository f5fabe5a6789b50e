/// Metrics of ticks: their length, the share of each stage, and how late they begin.
#pragma once

#include <stdint.h>

#include "base/histogram.h"

/// The parts of a tick, in order.
typedef enum host_stage {
    HOST_STAGE_RECEIVE,
    HOST_STAGE_INGEST,
    HOST_STAGE_STEP,
    HOST_STAGE_STORE,
    HOST_STAGE_CAPTURE,
    HOST_STAGE_ENCODE,
    HOST_STAGE_SEND,
    HOST_STAGE_RECORD,
    HOST_STAGES
} host_stage;

const char *host_stage_name(host_stage stage); ///< "receive"

enum { HOST_WORST_SECONDS = 60 };

/// Values since the start, and of the last whole second.
typedef struct host_metrics {
    apex_histogram work, late;
    apex_histogram work_second, late_second;       ///< complete
    apex_histogram work_gathering, late_gathering; ///< of the second under way
    uint32_t gathered;
    uint64_t work_worst_us[HOST_WORST_SECONDS], late_worst_us[HOST_WORST_SECONDS]; ///< by second
    uint32_t worst_at; ///< the oldest of those
    uint64_t ticks;    ///< made
    uint64_t ticks_dropped;
    uint64_t stage_us[HOST_STAGES]; ///< all 0 where nobody gave the server a clock
    uint64_t cpu_us;                ///< processor time of the process
    uint64_t newest_work_us;        ///< of the last tick
} host_metrics;

void host_metrics_tick(host_metrics *metrics, uint64_t work_us, uint64_t late_us, uint32_t tick_hz);
/// The worst tick of the last minute: one of an hour ago says nothing of how it goes now.
uint64_t host_metrics_work_worst_us(const host_metrics *metrics);
uint64_t host_metrics_late_worst_us(const host_metrics *metrics);
