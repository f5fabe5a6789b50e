// Times of ticks, gathered second by second.

#include "host/load/metrics.h"

#include <string.h>

const char *host_stage_name(host_stage stage) {
    static const char *const names[] = {
        [HOST_STAGE_RECEIVE] = "receive", [HOST_STAGE_INGEST] = "ingest",
        [HOST_STAGE_STEP] = "step",       [HOST_STAGE_STORE] = "store",
        [HOST_STAGE_CAPTURE] = "capture", [HOST_STAGE_ENCODE] = "encode",
        [HOST_STAGE_SEND] = "send",       [HOST_STAGE_RECORD] = "record",
    };
    _Static_assert(sizeof names / sizeof names[0] == HOST_STAGES, "name each stage");
    uint32_t index = (uint32_t)stage;
    return index < HOST_STAGES ? names[index] : "unknown";
}

void host_metrics_tick(host_metrics *metrics, uint64_t work_us, uint64_t late_us,
                       uint32_t tick_hz) {
    metrics->newest_work_us = work_us;
    apex_histogram_add(&metrics->work, work_us);
    apex_histogram_add(&metrics->late, late_us);
    apex_histogram_add(&metrics->work_gathering, work_us);
    apex_histogram_add(&metrics->late_gathering, late_us);
    if (++metrics->gathered < tick_hz) {
        return;
    }
    metrics->work_worst_us[metrics->worst_at] = metrics->work_gathering.max;
    metrics->late_worst_us[metrics->worst_at] = metrics->late_gathering.max;
    metrics->worst_at = (metrics->worst_at + 1) % HOST_WORST_SECONDS;
    metrics->work_second = metrics->work_gathering;
    metrics->late_second = metrics->late_gathering;
    memset(&metrics->work_gathering, 0, sizeof metrics->work_gathering);
    memset(&metrics->late_gathering, 0, sizeof metrics->late_gathering);
    metrics->gathered = 0;
}

static uint64_t worst_of(const uint64_t seconds[HOST_WORST_SECONDS], uint64_t gathering) {
    uint64_t worst = gathering;
    for (uint32_t i = 0; i < HOST_WORST_SECONDS; i++) {
        worst = seconds[i] > worst ? seconds[i] : worst;
    }
    return worst;
}

uint64_t host_metrics_work_worst_us(const host_metrics *metrics) {
    return worst_of(metrics->work_worst_us, metrics->work_gathering.max);
}

uint64_t host_metrics_late_worst_us(const host_metrics *metrics) {
    return worst_of(metrics->late_worst_us, metrics->late_gathering.max);
}
