// The table of sessions, shared by session.c (who is there), session_message.c (what they say),
// session_resume.c (who comes back) and session_outbox.c (what they are told).
#pragma once

#include "net/bucket.h"
#include "net/frame_list.h"
#include "net/net.h"

typedef struct net_session {
    apex_link link; // null when it has closed, and while the session is held
    uint16_t generation;
    uint8_t state;
    uint8_t was;        // when it ended
    bool is_known;      // WELCOMED mail was given, so CLOSED mail will be due
    bool is_closed_due; // it has ended; CLOSED mail has not been given yet
    bool is_lost_due;   // it is held; LOST mail has not been given yet
    bool has_place;     // in the race, so it may be resumed
    bool has_token;
    bool has_token_before; // until its client shows that it got the new one
    bool passes_join;      // a client that has resumed may say Join as after any other Welcome
    uint8_t token[APEX_TOKEN_BYTES], token_before[APEX_TOKEN_BYTES];
    uint32_t strikes;
    uint64_t struck_us;
    uint64_t deadline_us; // GREETING, LOBBY, CLOSING, HELD
    uint64_t left_us;     // when it last left a race
    net_bucket messages, bytes, defs, answers;
    uint64_t address_hash;
    char address[APEX_ADDRESS_BYTES];
} net_session;

struct apex_sessions {
    apex_sessions_def def;
    uint8_t token_key[16];
    uint64_t tokens_made;
    uint64_t now_us;
    uint64_t rate_us;    // the time by which messages and bytes are limited, see pass_time
    uint64_t went_on_us; // of the race since the last round
    uint64_t counters[APEX_SESSION_COUNTERS];

    net_session *table; // [sessions_max]
    uint16_t *free;     // a stack of free indices
    uint32_t free_count;
    uint32_t known_count;
    uint32_t timed_count; // sessions with a deadline
    uint32_t due_count;   // CLOSED and LOST mails that are due
    uint16_t *by_link;    // [65536] link.index1 -> index + 1

    // This round's; the lists live on the frame.
    apex_arena *frame;
    net_frame_list mail;
    net_frame_list outbox;
    apex_link *closing; // [65535]
    uint32_t closing_count;

    uint8_t *encode_buffer; // APEX_MESSAGE_BYTES_MAX
    void *decode_buffer;    // APEX_DECODE_SCRATCH_BYTES
};

// session.c
apex_session_id net_session_id(const apex_sessions *sessions, const net_session *session);
// NULL for a stale id and for a session that has ended.
net_session *net_session_find(apex_sessions *sessions, apex_session_id id);
void net_session_set_state(apex_sessions *sessions, net_session *session, apex_session_state state);
// Ends a session: its link is closed after what is queued for it.
void net_session_begin_closing(apex_sessions *sessions, net_session *session);
// False when the frame is full. A message is copied onto it.
bool net_session_add_mail(apex_sessions *sessions, const net_session *session, apex_mail_kind kind,
                          const apex_client_message *message);
uint32_t net_session_known_at(const apex_sessions *sessions, uint64_t address_hash);
// The two change links and all that belongs to a link. The link of `fresh` is null if that of
// `session` was, and then `fresh` is free.
void net_session_swap_links(apex_sessions *sessions, net_session *session, net_session *fresh);

// session_message.c
void net_session_take_bytes(apex_sessions *sessions, net_session *session,
                            const apex_link_event *event);

// session_resume.c
void net_session_make_token(apex_sessions *sessions, net_session *session);
// The link of a session is gone, but not its place. False where none is kept.
bool net_session_hold(apex_sessions *sessions, net_session *session);
void net_session_forget_lost(apex_sessions *sessions, net_session *session);
// Whether `fresh` has given its link to the session whose token this is, or has been expelled;
// false for a token that is nobody's.
bool net_session_resume(apex_sessions *sessions, net_session *fresh,
                        const uint8_t token[APEX_TOKEN_BYTES]);

// session_outbox.c
// False when the frame is full; counted.
bool net_session_queue(apex_sessions *sessions, apex_link link, const apex_server_message *message);
// A Reject that leaves the session as it is, and one that ends it. Without text: the reason's own.
void net_session_refuse(apex_sessions *sessions, net_session *session, apex_reason reason,
                        const char *text);
void net_session_expel(apex_sessions *sessions, net_session *session, apex_reason reason,
                       const char *text);
