#include "host/metrics.h"

#include <string.h>

void host_metrics_tick(host_metrics *metrics, uint64_t work_us, uint64_t late_us,
                       uint32_t tick_hz) {
    apex_histogram_add(&metrics->work, work_us);
    apex_histogram_add(&metrics->late, late_us);
    apex_histogram_add(&metrics->work_gathering, work_us);
    apex_histogram_add(&metrics->late_gathering, late_us);
    if (++metrics->gathered < tick_hz) {
        return;
    }
    metrics->work_second = metrics->work_gathering;
    metrics->late_second = metrics->late_gathering;
    memset(&metrics->work_gathering, 0, sizeof metrics->work_gathering);
    memset(&metrics->late_gathering, 0, sizeof metrics->late_gathering);
    metrics->gathered = 0;
}
