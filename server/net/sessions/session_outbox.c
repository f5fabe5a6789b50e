// The outbox of sessions: messages to them, encoded at once, onto the frame, in the order in which
// it was said.
#include "net/sessions/session_outbox.h"

#include <string.h>

#include "base/assert.h"

static bool queue_bytes(apex_sessions *sessions, apex_link link, uint8_t channel,
                        const uint8_t *bytes, size_t length) {
    APEX_ASSERT(channel < APEX_CHANNEL_COUNT);
    APEX_ASSERT(channel == APEX_CHANNEL_RELIABLE || length <= APEX_DATAGRAM_BYTES_MAX);
    apex_link_packet *packet =
        bytes != NULL ? net_frame_list_add(&sessions->outbox, sessions->frame) : NULL;
    if (packet == NULL) {
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
    APEX_ASSERT(sessions->frame != NULL);
    size_t length = apex_encode_server(message, sessions->encode_buffer, APEX_MESSAGE_BYTES_MAX);
    APEX_ASSERT(length > 0);
    uint8_t *bytes = apex_arena_alloc(sessions->frame, length);
    if (bytes != NULL) {
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

void net_session_send(apex_sessions *sessions, net_session *session,
                      const apex_server_message *message) {
    bool was_queued = net_session_queue(sessions, session->link, message);
    settle(sessions, session, was_queued, apex_server_message_channel(message->kind));
}

void net_session_send_bytes(apex_sessions *sessions, net_session *session, uint8_t channel,
                            const uint8_t *bytes, size_t length) {
    bool was_queued = queue_bytes(sessions, session->link, channel, bytes, length);
    settle(sessions, session, was_queued, channel);
}

apex_refusal net_session_refusal(apex_reason reason, const char *text, bool closing) {
    apex_refusal refusal = {.reason = reason, .closing = closing};
    apex_wire_text(refusal.text, sizeof refusal.text,
                   text != NULL && text[0] != 0 ? text : apex_reason_text(reason));
    return refusal;
}

void net_session_refuse(apex_sessions *sessions, net_session *session, apex_reason reason,
                        const char *text) {
    apex_server_message message = {.kind = APEX_SERVER_REJECT};
    message.reject = net_session_refusal(reason, text, false);
    net_session_send(sessions, session, &message);
}

void net_session_expel(apex_sessions *sessions, net_session *session, apex_reason reason,
                       const char *text) {
    apex_server_message message = {.kind = APEX_SERVER_REJECT};
    message.reject = net_session_refusal(reason, text, true);
    net_session_queue(sessions, session->link, &message);
    net_session_begin_closing(sessions, session);
}
