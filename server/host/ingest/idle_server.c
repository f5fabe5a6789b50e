// An event without end that nobody drives in or looks at makes no ticks: race after race is the
// default, so somebody's server would race its bots all night. A tick then receives and answers,
// and makes none of the race's. A race under way is finished first, so that it has results; one
// that nothing ends (no laps, no hard end) stands where it is. Ticks that are not made are in no
// recording, so it runs on from the same state.
//
// Newcomers are looked for twenty times a second, and at the rate of ticks for a second after
// anything was heard, so a greeting takes no longer than 100 ms; it costs 0.2 % of a core
// (DECISIONS 44).

#include "host/ingest/idle_server.h"

#include "base/assert.h"
#include "base/log.h"

enum {
    LOOK_US = 50000,    ///< between two looks for newcomers
    ALERT_US = 1000000, ///< after any sound; a newcomer's greeting goes to and fro a few times
};

// An open session without a hard end has nothing that could be waited for.
static bool never_ends(const apex_race_def *race) {
    return race->laps == 0 && race->race_s_max <= 0.0;
}

static bool may_rest(const host_setup *setup, const apex_race *race, const host_ending *ending) {
    return setup->idles && setup->file.race.races == 0 && !ending->stopping &&
           (apex_race_phase_of(race) == APEX_PHASE_LOBBY || never_ends(&setup->file.race));
}

static void hear(const host_frame *frame, host_idle *idle, const host_network *network) {
    const uint64_t *transport = host_transport_counters(network);
    uint64_t heard = transport != NULL ? transport[APEX_TRANSPORT_BYTES_IN] : 0;
    if (frame->link_count > 0 || heard != idle->heard) {
        idle->heard = heard;
        idle->heard_us = frame->now_us;
    }
}

static void tell(const host_idle *idle) {
    if (!idle->on) {
        apex_log_limited(APEX_LOG_INFO, "host", "somebody is here: the race goes on");
        return;
    }
    apex_log_limited(APEX_LOG_INFO, "host",
                     "nobody is here: waiting; the race goes on when somebody comes%s",
                     !idle->was_told ? " (--races N runs N races without anybody)" : "");
}

void host_idle_note(const host_frame *frame, host_idle *idle, const host_network *network,
                    const apex_race *race, const host_ending *ending) {
    APEX_ASSERT(frame->link_count == 0 || frame->links != NULL);
    APEX_ASSERT(idle->heard_us <= frame->now_us); // time does not go back
    bool is_alone =
        may_rest(frame->setup, race, ending) && apex_sessions_welcomed(network->sessions) == 0;
    hear(frame, idle, network);
    if (is_alone == idle->on) {
        return;
    }
    idle->on = is_alone;
    if (!ending->stopping) {
        tell(idle);
    }
    idle->was_told = true;
}

uint64_t host_idle_leisure_us(const host_idle *idle, uint64_t now_us, uint32_t tick_hz) {
    APEX_ASSERT(tick_hz > 0);
    if (!idle->on) {
        return 0;
    }
    bool is_alert = idle->heard_us != 0 && now_us - idle->heard_us < ALERT_US;
    return is_alert ? 1000000u / tick_hz : LOOK_US;
}
