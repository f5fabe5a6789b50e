/// The moment that a server lives in, and how far it has come.
#pragma once

#include <stdint.h>

typedef struct host_clock {
    uint64_t start_us;
    uint64_t now_us;
    uint64_t unix_ahead_us;     ///< of this clock is that of 1970, as it was told last
    uint64_t ticked_us;         ///< when the last tick was made
    uint64_t awaits_since_us;   ///< the coming tick waits for controls; 0: it does not
    uint64_t rounds;            ///< ticks of the server, those in which it was idle included
    uint64_t (*clock_us)(void); ///< of what takes how long; NULL: nobody measures
} host_clock;

static inline void host_clock_tick(host_clock *clock, uint64_t now_us) {
    clock->now_us = now_us;
    clock->ticked_us = now_us;
    clock->rounds++;
}
