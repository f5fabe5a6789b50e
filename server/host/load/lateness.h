/// The causes of dropped ticks: because the machine gives the program too little (starved), because
/// the program asks for too much (slow), or because neither ran (stopped, or waiting for a disk).
///
/// Once a second the loop looks at what the kernel counts of each thread
/// (`/proc/self/task/*/schedstat`): how long it ran, and how long it was ready to run and did not.
/// What was dropped meanwhile is laid at the door of what took half of it at least. A tick that
/// waits is as long as one that computes, so the time of ticks alone cannot tell. A look costs a
/// tenth of a millisecond for eight threads, between ticks (DECISIONS 42).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "host/host.h"

typedef enum host_lateness_cause {
    HOST_LATE_NOT,
    HOST_LATE_STARVED, ///< its threads were ready to run and waited for a processor
    HOST_LATE_SLOW,    ///< ticks computed for longer than they may
    HOST_LATE_HELD_UP, ///< neither: stopped, suspended, or waiting for a disk
    HOST_LATE_UNTOLD,  ///< it was not slow, and the system does not tell of waits
    HOST_LATE_CAUSES
} host_lateness_cause;

/// Between two looks at the process, a second or so.
typedef struct host_second {
    uint64_t wall_us, ran_us, waited_us; ///< the last two of all threads
    bool tells_waits;
    uint64_t dropped;    ///< ticks
    uint64_t lost_us;    ///< that they would have taken
    uint64_t overrun_us; ///< by which ticks computed for longer than a tick's time
} host_second;

typedef struct host_lateness {
    apex_process_times newest;
    bool has_newest;
    uint64_t gathering_dropped, gathering_overrun_us;
    host_second second; ///< the last whole one
    bool said[HOST_LATE_CAUSES];
} host_lateness;

host_lateness_cause host_lateness_cause_of(const host_second *second);
/// Of the processor time that it asked for the share that it got, 0..100; 100 if it asked for none.
uint32_t host_lateness_given_percent(const host_second *second);
/// @return a time of the measured second, which may be longer, scaled to one second.
uint64_t host_lateness_a_second(const host_second *second, uint64_t us);

enum { HOST_LATENESS_TEXT_BYTES = 320 };
void host_lateness_text(const host_second *second, uint64_t dropped_so_far,
                        char out[HOST_LATENESS_TEXT_BYTES]);
/// @return advice against the cause; "" if there is no setting that helps.
const char *host_lateness_advice(host_lateness_cause cause);

/// Ends a second. @return whether something is to be said, for the first time or again.
bool host_lateness_note(host_lateness *lateness, const apex_process_times *times,
                        uint64_t period_us);
