// The race's answers to sessions, and what it says to them of its own accord.
#include <string.h>

#include "net/sessions/session_identity.h"
#include "net/sessions/session_outbox.h"
#include "net/sessions/session_token.h"

#include "base/assert.h"

// NULL also for a session that is held: nobody is there to be told.
static net_session *find_linked(apex_sessions *sessions, apex_session_id id) {
    net_session *session = net_session_find(sessions, id);
    return session != NULL && session->link.index1 != 0 ? session : NULL;
}

void apex_sessions_welcome(apex_sessions *sessions, apex_session_id id,
                           const apex_welcome *welcome) {
    net_session *session = find_linked(sessions, id);
    if (session == NULL) {
        return;
    }
    apex_server_message message = {.kind = APEX_SERVER_WELCOME};
    message.welcome = *welcome;
    message.welcome.protocol_version = APEX_PROTOCOL_VERSION;
    message.welcome.password_needed = sessions->def.password[0] != '\0';
    message.welcome.watching_open = message.welcome.password_needed && sessions->def.watching_open;
    net_identity_greet(sessions, session, &message.welcome);
    net_session_make_token(sessions, session);
    memcpy(message.welcome.resume_token, session->token, APEX_TOKEN_BYTES);
    net_session_make_secret(sessions, session);
    message.welcome.secret = session->secret;
    message.welcome.resume_grace_s = (uint32_t)((sessions->def.resume_us_max + 999999) / 1000000);
    net_session_send(sessions, session, &message);
}

void apex_sessions_accept(apex_sessions *sessions, apex_session_id id, const apex_joined *joined) {
    net_session *session = net_session_find(sessions, id);
    bool watches_now =
        session != NULL && session->state == APEX_SESSION_PLAYER && joined->player == 0;
    if (session == NULL || (session->state != APEX_SESSION_JOINING && !watches_now)) {
        return;
    }
    if (watches_now) { // its controls may be under way
        session->left_us = sessions->now_us;
        session->passes_join = false;
    }
    net_session_set_state(sessions, session,
                          joined->player != 0 ? APEX_SESSION_PLAYER : APEX_SESSION_SPECTATOR);
    session->has_place = joined->player != 0;
    apex_server_message message = {.kind = APEX_SERVER_JOINED};
    message.joined = *joined;
    net_session_send(sessions, session, &message);
}

void apex_sessions_reject(apex_sessions *sessions, apex_session_id id, apex_reason reason,
                          const char *text) {
    net_session *session = find_linked(sessions, id);
    if (session == NULL) {
        return;
    }
    // The one reject that does not answer a Join or a Spectate, and may come while one waits.
    if (session->state == APEX_SESSION_JOINING && reason != APEX_REASON_UNKNOWN_DEF) {
        net_session_set_state(sessions, session, APEX_SESSION_LOBBY);
        session->has_place = false;
        session->passes_join = false;
    }
    net_session_refuse(sessions, session, reason, text);
}

void apex_sessions_send(apex_sessions *sessions, apex_session_id id,
                        const apex_server_message *message) {
    net_session *session = find_linked(sessions, id);
    if (session != NULL) {
        net_session_send(sessions, session, message);
    }
}

void apex_sessions_send_bytes(apex_sessions *sessions, apex_session_id id, uint8_t channel,
                              const uint8_t *bytes, size_t length) {
    APEX_ASSERT(bytes != NULL && length > 0);
    net_session *session = find_linked(sessions, id);
    if (session != NULL) {
        net_session_send_bytes(sessions, session, channel, bytes, length);
    }
}

void apex_sessions_close(apex_sessions *sessions, apex_session_id id, apex_reason reason,
                         const char *text) {
    net_session *session = net_session_find(sessions, id);
    if (session == NULL) {
        return;
    }
    apex_server_message message = {.kind = APEX_SERVER_GOODBYE};
    message.goodbye = net_session_refusal(reason, text, false);
    if (session->link.index1 != 0) {
        net_session_queue(sessions, session->link, &message);
    }
    net_session_begin_closing(sessions, session);
}

size_t apex_sessions_outbox(const apex_sessions *sessions, const apex_link_packet **packets) {
    *packets = sessions->outbox.items;
    return sessions->outbox.count;
}

size_t apex_sessions_closing(const apex_sessions *sessions, const apex_link **links) {
    *links = sessions->closing;
    return sessions->closing_count;
}
