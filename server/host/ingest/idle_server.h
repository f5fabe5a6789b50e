/// The idle server: an event without end makes no ticks for nobody.
#pragma once

#include "host/clients/goodbye.h"
#include "host/network.h"
#include "host/tick_frame.h"

typedef struct host_idle {
    bool on;           ///< nobody is: the race makes no ticks
    bool was_told;     ///< in the log, once at least
    uint64_t heard;    ///< bytes off the wire
    uint64_t heard_us; ///< when there was anything; 0: never
} host_idle;

/// After ingest, which knows who is here.
void host_idle_note(const host_frame *frame, host_idle *idle, const host_network *network,
                    const apex_race *race, const host_ending *ending);
/// @return the time in which nobody need look for newcomers; 0: it is not idle.
uint64_t host_idle_leisure_us(const host_idle *idle, uint64_t now_us, uint32_t tick_hz);
