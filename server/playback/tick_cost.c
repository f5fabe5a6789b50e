// The number of ticks of a race that fit into a time, by what earlier ones took.
#include "playback/tick_cost.h"

uint32_t playback_ticks_in(const playback_cost *cost, double budget_us) {
    const double TICKS_MAX = 600.0;
    double ticks = budget_us / cost->tick_us;
    return ticks >= TICKS_MAX ? (uint32_t)TICKS_MAX : ticks > 1.0 ? (uint32_t)ticks : 1;
}

// A tick of the server that was held up for long says little about the race: it counts as twice of
// what was expected.
void playback_cost_learn(playback_cost *cost, uint64_t work_us) {
    const double SHARE = 0.125, LEAST_US = 1.0;
    if (cost->made == 0) {
        return;
    }
    double tick_us = (double)work_us / cost->made;
    double most_us = 2.0 * cost->tick_us;
    tick_us = tick_us < most_us ? tick_us : most_us;
    cost->tick_us += SHARE * (tick_us - cost->tick_us);
    cost->tick_us = cost->tick_us > LEAST_US ? cost->tick_us : LEAST_US;
}
