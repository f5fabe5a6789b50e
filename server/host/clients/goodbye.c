// The last thing that a server does: it closes every session, and says why.

#include "host/clients/goodbye.h"

#include "base/assert.h"
#include "base/log.h"

void host_say_goodbye(const host_frame *frame, host_ending *ending, const host_clients *clients,
                      apex_sessions *sessions, bool is_over) {
    APEX_ASSERT(clients->end <= clients->capacity);
    if (!ending->goodbyes_said && !is_over) {
        return;
    }
    if (!ending->goodbyes_said) {
        ending->goodbyes_said = true;
        ending->goodbye_us = frame->now_us;
    }
    // Again in each tick: a client that says Hello in the meantime hears it too.
    apex_reason reason = ending->stopping ? ending->stop_reason : APEX_REASON_EVENT_OVER;
    const char *text = ending->stopping ? ending->stop_text : apex_reason_text(reason);
    for (uint32_t i = 0; i < clients->end; i++) {
        if (clients->at[i].session.index1 != 0) {
            apex_sessions_close(sessions, clients->at[i].session, reason, text);
        }
    }
}

// Results that nobody can store are waited for, but not for ever: whoever began the event has to
// hear that it is over.
static bool has_waited(const host_frame *frame, host_ending *ending) {
    if (ending->over_us == 0) {
        ending->over_us = frame->now_us;
    }
    if (ending->stopping && frame->now_us - ending->stop_us > HOST_GOODBYE_US_MAX) {
        return true;
    }
    bool is_late = frame->now_us - ending->over_us > HOST_GOODBYE_US_MAX;
    if (is_late && !ending->said_late) {
        ending->said_late = true;
        apex_log(APEX_LOG_WARN, "host",
                 "the event is over, and its results are not on disk: giving up in %d s",
                 (HOST_STORE_US_MAX - HOST_GOODBYE_US_MAX) / 1000000);
    }
    return frame->now_us - ending->over_us > HOST_STORE_US_MAX;
}

bool host_is_farewell_due(const host_frame *frame, host_ending *ending, bool is_over,
                          bool all_is_told) {
    return is_over && (all_is_told || has_waited(frame, ending));
}

bool host_has_ended(const host_ending *ending, const apex_sessions *sessions, uint64_t now_us) {
    if (!ending->goodbyes_said) {
        return false;
    }
    // A session that is closing no longer counts as welcomed, but its last words may have been lost
    // on the way; it is closed when they have arrived or its time is up.
    const uint64_t *counters = apex_sessions_counters(sessions);
    bool everybody_knows = counters[APEX_SESSION_OPENED] == counters[APEX_SESSION_CLOSED];
    return everybody_knows || now_us - ending->goodbye_us > HOST_GOODBYE_US_MAX;
}
