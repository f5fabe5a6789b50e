// Lost ticks of a second are put down to a cause, and the cause is put in words.

#include "host/load/lateness.h"

#include <stdio.h>

// A server that has nearly all it asks for is not starved, however many threads it has: some wait
// now and then for a fraction of a millisecond.
enum { STARVED_PERCENT = 80, BUSY_PERCENT = 85 };

uint32_t host_lateness_given_percent(const host_second *second) {
    uint64_t asked_us = second->ran_us + second->waited_us;
    return asked_us > 0 ? (uint32_t)(100 * second->ran_us / asked_us) : 100;
}

uint64_t host_lateness_a_second(const host_second *second, uint64_t us) {
    return second->wall_us > 0 ? us * 1000000u / second->wall_us : 0;
}

// Lost time is blamed on the cause that took at least half of it. A processor that is busy all the
// time is too slow as well, although each tick by itself is within its time: several races may
// share it.
host_lateness_cause host_lateness_cause_of(const host_second *second) {
    if (second->dropped == 0) {
        return HOST_LATE_NOT;
    }
    if (2 * second->waited_us >= second->lost_us &&
        host_lateness_given_percent(second) <= STARVED_PERCENT) {
        return HOST_LATE_STARVED;
    }
    if (2 * second->overrun_us >= second->lost_us ||
        100 * second->ran_us >= BUSY_PERCENT * second->wall_us) {
        return HOST_LATE_SLOW;
    }
    return second->tells_waits ? HOST_LATE_HELD_UP : HOST_LATE_UNTOLD;
}

void host_lateness_text(const host_second *second, uint64_t dropped_so_far,
                        char out[HOST_LATENESS_TEXT_BYTES]) {
    char why[200] = "";
    switch (host_lateness_cause_of(second)) {
    case HOST_LATE_STARVED:
        snprintf(why, sizeof why,
                 "the machine gave this program %u %% of the processor time it asked for (waiting "
                 "for a processor %llu ms of the last second)",
                 host_lateness_given_percent(second),
                 (unsigned long long)host_lateness_a_second(second, second->waited_us) / 1000u);
        break;
    case HOST_LATE_SLOW:
        snprintf(why, sizeof why,
                 "ticks take longer than their time (computing %llu ms of the last second)",
                 (unsigned long long)host_lateness_a_second(second, second->ran_us) / 1000u);
        break;
    case HOST_LATE_HELD_UP:
        snprintf(why, sizeof why,
                 "neither ticks nor waiting for a processor took that time: the program or its "
                 "machine was stopped, or waited for a disk");
        break;
    case HOST_LATE_NOT:
    case HOST_LATE_UNTOLD:
    case HOST_LATE_CAUSES:
        snprintf(why, sizeof why,
                 "ticks did not take that time, and this system does not tell who did");
        break;
    }
    snprintf(out, HOST_LATENESS_TEXT_BYTES, "behind: %llu ticks dropped, %llu so far: %s",
             (unsigned long long)second->dropped, (unsigned long long)dropped_so_far, why);
}

const char *host_lateness_advice(host_lateness_cause cause) {
    switch (cause) {
    case HOST_LATE_STARVED:
        return "what would help: priority over what else runs here (Nice=-5 and CPUWeight=1000 in "
               "its systemd unit, or renice -n -5 -p its process), a processor of its own "
               "(CPUAffinity=, taskset), or less to do: fewer cars, a lower tick rate (--tick-hz)";
    case HOST_LATE_SLOW:
        return "what would help: fewer cars, a lower tick rate (--tick-hz), more --workers if "
               "processors are idle, or a faster machine";
    case HOST_LATE_NOT:
    case HOST_LATE_HELD_UP:
    case HOST_LATE_UNTOLD:
    case HOST_LATE_CAUSES:
        break;
    }
    return "";
}

static uint64_t waited_us(const apex_process_times *times) {
    return times->loop_waited_us + times->others_waited_us;
}

bool host_lateness_note(host_lateness *lateness, const apex_process_times *times,
                        uint64_t period_us) {
    const apex_process_times *before = &lateness->newest;
    bool is_first = !lateness->has_newest;
    bool tells_waits = times->tells_waits && before->tells_waits;
    lateness->second = (host_second){
        .wall_us = is_first ? 0 : times->now_us - before->now_us,
        .ran_us = is_first ? 0 : times->ran_us - before->ran_us,
        .waited_us = tells_waits ? waited_us(times) - waited_us(before) : 0,
        .tells_waits = tells_waits,
        .dropped = lateness->gathering_dropped,
        .lost_us = lateness->gathering_dropped * period_us,
        .overrun_us = lateness->gathering_overrun_us,
    };
    lateness->newest = *times;
    lateness->has_newest = true;
    lateness->gathering_dropped = lateness->gathering_overrun_us = 0;
    return !is_first && lateness->second.dropped > 0;
}
