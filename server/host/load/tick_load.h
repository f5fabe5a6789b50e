/// The load of ticks: metrics, overload and the causes of dropped ones.
#pragma once

#include "host/load/lateness.h"
#include "host/load/metrics.h"
#include "host/load/overload.h"

typedef struct host_load {
    host_metrics metrics;
    host_overload overload;
    host_lateness lateness;
} host_load;
