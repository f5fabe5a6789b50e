// The longest that a packet may be under way over a simulated line.

#ifndef APEX_TESTS_LONGEST_TRIP_H
#define APEX_TESTS_LONGEST_TRIP_H

#include "client-lite/netsim/netsim_model.h"

static inline uint64_t longest_trip_us(const netsim_def *def) {
    uint64_t held_us = def->reorder_ppm > 0 ? def->reorder_us : 0;
    uint64_t queue_us = def->bytes_per_s > 0 ? def->queue_us : 0;
    return def->delay_us + def->jitter_us + held_us + queue_us;
}

#endif
