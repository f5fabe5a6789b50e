// The outbox of sessions: messages to them, as packets on the frame.
#pragma once

#include "net/sessions/session_table.h"

// What is counted and said when a message is refused. The text outlives the call.
typedef struct net_refusal {
    apex_session_counter counter;
    apex_reason reason;
    const char *text;
} net_refusal;

// False when the frame is full; counted.
bool net_session_queue(apex_sessions *sessions, apex_link link, const apex_server_message *message);
// A Reject that leaves the session as it is, and one that ends it. Without text: the reason's own.
void net_session_refuse(apex_sessions *sessions, net_session *session, apex_reason reason,
                        const char *text);
void net_session_expel(apex_sessions *sessions, net_session *session, apex_reason reason,
                       const char *text);

// A message to a session that has a link. If it is promised to arrive and finds no room, the
// session ends.
void net_session_send(apex_sessions *sessions, net_session *session,
                      const apex_server_message *message);
void net_session_send_bytes(apex_sessions *sessions, net_session *session, uint8_t channel,
                            const uint8_t *bytes, size_t length);
// A reason and its text, cut to what a message holds; without text the reason's own.
apex_refusal net_session_refusal(apex_reason reason, const char *text, bool closing);
