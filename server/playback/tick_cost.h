/// The cost of a tick of the recorded race, so that seeking and fast playing can be cut to what
/// there is time for.
#pragma once

#include <stdint.h>

/// As measured over whole ticks of the server.
typedef struct playback_cost {
    double tick_us;
    uint32_t made; ///< ticks of races, in this tick of the server
} playback_cost;

/// Ticks that there is time for; at least one.
uint32_t playback_ticks_in(const playback_cost *cost, double budget_us);
void playback_cost_learn(playback_cost *cost, uint64_t work_us);
