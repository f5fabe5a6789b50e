// The first reason to end a session is the one that is kept.
#include "client-lite/session/state/session_state.h"

#include <stdarg.h>
#include <stdio.h>

void client_session_close(client_session *session, apex_reason reason, const char *fmt, ...) {
    if (session->state == APEX_CLIENT_CLOSED) {
        return;
    }
    session->state = APEX_CLIENT_CLOSED;
    session->close_reason = session->leaving ? APEX_REASON_NONE : reason;
    session->close_text[0] = '\0';
    if (session->leaving) {
        return;
    }
    va_list args;
    va_start(args, fmt);
    vsnprintf(session->close_text, sizeof session->close_text, fmt, args);
    va_end(args);
}

bool client_session_is_between(const client_session *session, const apex_snapshot_message *part) {
    return session->state == APEX_CLIENT_DRIVING && part->lacks_controls;
}

void client_session_begin_deltas(client_session *session) {
    client_deltas_begin(&session->deltas, session->knowledge.welcome.tick_hz);
    session->deltas.only_car = session->def.own_car_only ? session->car : 0;
    session->deltas.ack_every = session->def.ack_every;
}
