// Each try is a link of its own, and the time that the server grants runs from the first loss.
#include "client-lite/session/handshake/session_resume.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ENet repeats a connect after 0.5 s, then 1.5 s, and ever more slowly; a new one begins anew.
static const uint64_t TRY_US = 2000000;
static const uint64_t PAUSE_US = 1000000;

static uint64_t grace_us(const client_session *session) {
    return (uint64_t)session->knowledge.welcome.resume_grace_s * 1000000;
}

static bool may_come_back(const client_session *session) {
    return session->def.reconnect && !session->leaving && session->knowledge.welcomed &&
           grace_us(session) > 0;
}

void client_session_lose(client_session *session, const char *fmt, ...) {
    if (session->state == APEX_CLIENT_CLOSED) {
        return;
    }
    session->try_us = session->updated_us + (session->coming_back ? PAUSE_US : 0);
    if (!session->coming_back) {
        va_list args;
        va_start(args, fmt);
        vsnprintf(session->lost_text, sizeof session->lost_text, fmt, args);
        va_end(args);
        session->lost_us = session->updated_us;
    }
    if (!may_come_back(session)) {
        client_session_close(session, APEX_REASON_TIMEOUT, "%s", session->lost_text);
        return;
    }
    session->links_lost += !session->coming_back;
    session->coming_back = true;
    session->state = APEX_CLIENT_RECONNECTING;
    session->join_again_us = 0;
    client_outbox_clear(&session->outbox);
}

bool client_session_try_failed(client_session *session, apex_reason reason) {
    bool may_pass = reason == APEX_REASON_SERVER_FULL || reason == APEX_REASON_ADDRESS_LIMIT ||
                    reason == APEX_REASON_TIMEOUT;
    if (!session->coming_back || !may_pass) {
        return false;
    }
    session->state = APEX_CLIENT_RECONNECTING;
    session->try_us = session->updated_us + PAUSE_US;
    return true;
}

void client_session_retry(client_session *session, uint64_t now_us) {
    uint64_t grace = grace_us(session);
    if (now_us - session->lost_us >= grace) {
        client_session_close(session, APEX_REASON_TIMEOUT, "%.200s; no way back within %.3g s",
                             session->lost_text, (double)grace / 1e6);
        return;
    }
    if (now_us >= session->try_us) {
        session->try_us = now_us + TRY_US;
        session->wants_link = true;
    }
}

void client_session_try_now(client_session *session) {
    if (session->state == APEX_CLIENT_RECONNECTING) {
        session->try_us = session->updated_us;
    }
}

bool client_session_take_wish(client_session *session) {
    bool wished = session->wants_link && session->state == APEX_CLIENT_RECONNECTING;
    session->wants_link = false;
    return wished;
}

// Definitions are fetched once and plans made from them: they must still be what is driven on.
bool client_session_is_same(const client_session *session, const apex_welcome *welcome) {
    const apex_welcome *before = &session->knowledge.welcome;
    bool is_same = before->def_count == welcome->def_count && before->tick_hz == welcome->tick_hz;
    for (uint32_t i = 0; is_same && i < welcome->def_count; i++) {
        is_same = before->defs[i].kind == welcome->defs[i].kind &&
                  before->defs[i].hash == welcome->defs[i].hash &&
                  strcmp(before->defs[i].name, welcome->defs[i].name) == 0;
    }
    return is_same;
}
