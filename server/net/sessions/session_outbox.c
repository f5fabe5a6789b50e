// What sessions are told: encoded at once, onto the frame, in the order in which it was said.
#include <string.h>

#include "net/sessions/session_private.h"

#include "base/assert.h"

static bool queue_bytes(apex_sessions *sessions, apex_link link, uint8_t channel,
                        const uint8_t *bytes, size_t length) {
    APEX_ASSERT(channel < APEX_CHANNEL_COUNT);
    APEX_ASSERT(channel == APEX_CHANNEL_RELIABLE || length <= APEX_DATAGRAM_BYTES_MAX);
    apex_link_packet *packet =
        bytes ? net_frame_list_add(&sessions->outbox, sessions->frame) : NULL;
    if (!packet) {
        sessions->counters[APEX_SESSION_OUTBOX_FULL]++;
        return false;
    }
    *packet =
        (apex_link_packet){.link = link, .channel = channel, .bytes = bytes, .length = length};
    sessions->counters[APEX_SESSION_MESSAGES_OUT]++;
    return true;
}

bool net_session_queue(apex_sessions *sessions, apex_link link,
                       const apex_server_message *message) {
    APEX_ASSERT(sessions->frame);
    size_t length = apex_encode_server(message, sessions->encode_buffer, APEX_MESSAGE_BYTES_MAX);
    APEX_ASSERT(length > 0);
    uint8_t *bytes = apex_arena_alloc(sessions->frame, length);
    if (bytes) {
        memcpy(bytes, sessions->encode_buffer, length);
    }
    uint8_t channel = (uint8_t)apex_server_message_channel(message->kind);
    return queue_bytes(sessions, link, channel, bytes, length);
}

// A message that is promised to arrive and cannot be sent leaves a client that waits for ever.
static void settle(apex_sessions *sessions, net_session *session, bool was_queued, int channel) {
    if (!was_queued && channel == APEX_CHANNEL_RELIABLE) {
        net_session_begin_closing(sessions, session);
    }
}

static void send_to(apex_sessions *sessions, net_session *session,
                    const apex_server_message *message) {
    bool was_queued = net_session_queue(sessions, session->link, message);
    settle(sessions, session, was_queued, apex_server_message_channel(message->kind));
}

static apex_refusal refusal(apex_reason reason, const char *text, bool closing) {
    apex_refusal refusal = {.reason = reason, .closing = closing};
    apex_wire_text(refusal.text, sizeof refusal.text,
                   text && text[0] ? text : apex_reason_text(reason));
    return refusal;
}

void net_session_refuse(apex_sessions *sessions, net_session *session, apex_reason reason,
                        const char *text) {
    apex_server_message message = {.kind = APEX_SERVER_REJECT};
    message.reject = refusal(reason, text, false);
    send_to(sessions, session, &message);
}

void net_session_expel(apex_sessions *sessions, net_session *session, apex_reason reason,
                       const char *text) {
    apex_server_message message = {.kind = APEX_SERVER_REJECT};
    message.reject = refusal(reason, text, true);
    net_session_queue(sessions, session->link, &message);
    net_session_begin_closing(sessions, session);
}

// --- Answers ------------------------------------------------------------------------------------

// NULL also for a session that is held: nobody is there to be told.
static net_session *find_linked(apex_sessions *sessions, apex_session_id id) {
    net_session *session = net_session_find(sessions, id);
    return session && session->link.index1 != 0 ? session : NULL;
}

void apex_sessions_welcome(apex_sessions *sessions, apex_session_id id,
                           const apex_welcome *welcome) {
    net_session *session = find_linked(sessions, id);
    if (!session) {
        return;
    }
    apex_server_message message = {.kind = APEX_SERVER_WELCOME};
    message.welcome = *welcome;
    message.welcome.protocol_version = APEX_PROTOCOL_VERSION;
    message.welcome.password_needed = sessions->def.password[0] != '\0';
    message.welcome.watching_open = message.welcome.password_needed && sessions->def.watching_open;
    net_session_make_token(sessions, session);
    memcpy(message.welcome.resume_token, session->token, APEX_TOKEN_BYTES);
    message.welcome.resume_grace_s = (uint32_t)((sessions->def.resume_us_max + 999999) / 1000000);
    send_to(sessions, session, &message);
}

void apex_sessions_accept(apex_sessions *sessions, apex_session_id id, const apex_joined *joined) {
    net_session *session = net_session_find(sessions, id);
    bool watches_now = session && session->state == APEX_SESSION_PLAYER && joined->player == 0;
    if (!session || (session->state != APEX_SESSION_JOINING && !watches_now)) {
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
    send_to(sessions, session, &message);
}

void apex_sessions_reject(apex_sessions *sessions, apex_session_id id, apex_reason reason,
                          const char *text) {
    net_session *session = find_linked(sessions, id);
    if (!session) {
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
    if (session) {
        send_to(sessions, session, message);
    }
}

void apex_sessions_send_bytes(apex_sessions *sessions, apex_session_id id, uint8_t channel,
                              const uint8_t *bytes, size_t length) {
    APEX_ASSERT(bytes && length > 0);
    net_session *session = find_linked(sessions, id);
    if (session) {
        bool was_queued = queue_bytes(sessions, session->link, channel, bytes, length);
        settle(sessions, session, was_queued, channel);
    }
}

void apex_sessions_close(apex_sessions *sessions, apex_session_id id, apex_reason reason,
                         const char *text) {
    net_session *session = net_session_find(sessions, id);
    if (!session) {
        return;
    }
    apex_server_message message = {.kind = APEX_SERVER_GOODBYE};
    message.goodbye = refusal(reason, text, false);
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
