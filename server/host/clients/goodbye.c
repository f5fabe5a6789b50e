// The last thing that a server does: it closes every session, and says why.

#include "host/clients/goodbye.h"

#include "base/assert.h"

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

bool host_is_farewell_due(const host_frame *frame, const host_ending *ending, bool all_is_told) {
    bool waited = ending->stopping && frame->now_us - ending->stop_us > HOST_GOODBYE_US_MAX;
    return all_is_told || waited;
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
