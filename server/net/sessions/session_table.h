// The table of sessions, with their states and their links.
#pragma once

#include "net/bucket.h"
#include "net/frame_list.h"
#include "net/guess_limit.h"
#include "net/house.h"
#include "net/house_rates.h"
#include "net/net.h"

enum {
    NET_LINK_INDEXES = UINT16_MAX + 1,
    NET_HOUSE_CELLS = 4096, // households by a hash; two in one cell count as one
};

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
    uint8_t trust;    // apex_link_trust of its link
    uint64_t secret;  // of its newest Welcome; 0: none is needed, or none has been told
    bool is_in_doubt; // what is being looked at lacks the secret, so it may be anybody's
    uint32_t strikes;
    uint64_t struck_us;
    uint64_t deadline_us;             // GREETING, LOBBY, CLOSING, HELD
    uint64_t left_us;                 // when it last left a race
    net_bucket messages[2], bytes[2]; // of those in doubt apart
    net_bucket defs, answers, plans;
    uint64_t address_hash; // of its household
    uint16_t house_cell;   // likewise
    char address[APEX_ADDRESS_BYTES];
    uint8_t binding[APEX_SEAL_BINDING_BYTES]; // of its link
    bool lost_place;                          // its Hello brought a token that is nobody's
    bool has_challenge;
    uint8_t challenge[APEX_WIRE_CHALLENGE_BYTES]; // of the newest Welcome
    apex_session_who who;
} net_session;

struct apex_sessions {
    apex_sessions_def def;
    bool is_locked; // nobody new gets in
    uint8_t token_key[16];
    uint64_t tokens_made;
    uint64_t now_us;
    uint64_t rate_us;            // the time by which messages and bytes are limited, see pass_time
    uint64_t went_on_us;         // of the race since the last round
    net_bucket joins;            // of all
    net_house_rates house_joins; // of each house
    net_bucket proofs;           // that are looked at, of all
    net_house_rates house_proofs;
    uint64_t challenges_made;
    apex_token_gate *gate; // NULL: no lobby is trusted
    bool has_list;
    uint32_t listed_count;
    apex_listed_driver *listed;             // in order
    apex_guess_limit guesses;               // at the password
    uint64_t guesses_told, guesses_told_us; // so many the log has been told of, and when
    char guesser[APEX_ADDRESS_BYTES];       // the newest
    uint64_t counters[APEX_SESSION_COUNTERS];

    net_session *table; // [sessions_max]
    uint16_t *free;     // a stack of free indices
    uint32_t free_count;
    uint32_t known_count;
    uint32_t scarce_count;             // sessions over links numbered up to def.scarce_links_max
    uint32_t timed_count;              // sessions with a deadline
    uint32_t due_count;                // CLOSED and LOST mails that are due
    uint16_t waiting[NET_HOUSE_CELLS]; // GREETING and LOBBY, of each household
    uint16_t *by_link;                 // [65536] link.index1 -> index + 1

    // This round's; the lists live on the frame.
    apex_arena *frame;
    net_frame_list mail;
    net_frame_list outbox;
    apex_link *closing; // [65535]
    uint32_t closing_count;

    uint8_t *encode_buffer; // APEX_MESSAGE_BYTES_MAX
    void *decode_buffer;    // APEX_DECODE_SCRATCH_BYTES
};

// @return whether the session's deadline_us counts.
static inline bool net_session_is_timed(uint8_t state) {
    return state == APEX_SESSION_GREETING || state == APEX_SESSION_LOBBY ||
           state == APEX_SESSION_CLOSING || state == APEX_SESSION_HELD;
}

// @return whether a session in this state has not joined.
static inline bool net_session_is_waiting(uint8_t state) {
    return state == APEX_SESSION_GREETING || state == APEX_SESSION_LOBBY;
}

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
// The session whose id it is, also one that has ended; NULL for a stale id.
const net_session *net_session_find_any(const apex_sessions *sessions, apex_session_id id);
// Asks for a link to be closed once what is queued for it has been sent.
void net_session_ask_to_close(apex_sessions *sessions, apex_link link);
// From here on nothing that the session does or did counts; what remains is to say so.
void net_session_end(apex_sessions *sessions, net_session *session);
// Nothing of the session is due any more: the slot is free.
void net_session_release_slot(apex_sessions *sessions, net_session *session);
// The link of one that is CLOSING is nobody's from now on; the slot is free when all is said.
void net_session_part_from_link(apex_sessions *sessions, net_session *session);
// The session that a link belongs to from now on, by its index + 1; 0: none.
void net_session_route(apex_sessions *sessions, uint16_t link_index1, uint32_t session_index1);
uint16_t net_session_house_cell(apex_house house);
void net_session_forget_lost(apex_sessions *sessions, net_session *session);
