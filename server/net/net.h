/// Links and sessions. A transport turns sockets into arrays of link events and back; sessions turn
/// link events into checked messages ("mail") and messages into packets. Sessions know no socket:
/// ENet, a WebSocket gateway and the tests' link simulator are three sources of the same arrays.
///
/// Hostile bytes end here: what leaves as mail is decoded, in range, in order for its session's
/// state and within its rate. Everything else is counted, answered with a reason, and after too
/// much of it the session is closed. One thread. Time is an argument, in microseconds.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "identity/identity.h"
#include "proto/proto.h"
#include "seal/seal.h"

enum {
    APEX_ADDRESS_BYTES = 48,
    APEX_SOCKETS_MAX = 16, ///< of a transport that are told of
};

/// One connection of a transport; zero is none.
typedef struct apex_link {
    uint16_t index1;
    uint16_t generation;
} apex_link;

typedef enum apex_link_event_kind {
    APEX_LINK_OPENED,
    APEX_LINK_BYTES,
    APEX_LINK_CLOSED
} apex_link_event_kind;

/// How hard it is to speak for somebody else over a link.
typedef enum apex_link_trust {
    APEX_LINK_PLAIN,  ///< datagrams, which anybody can forge who can forge an address
    APEX_LINK_STREAM, ///< a WebSocket: only who reads along can
    APEX_LINK_TLS,    ///< a WebSocket whose TLS the server itself ends: nobody can
    APEX_LINK_SEALED, ///< nobody can, and it has a binding
} apex_link_trust;

typedef struct apex_link_event {
    apex_link_event_kind kind;
    apex_link link;
    uint8_t channel;      ///< BYTES; APEX_CHANNEL_EITHER where the transport has none
    const uint8_t *bytes; ///< BYTES; on the frame arena
    size_t length;
    char address[APEX_ADDRESS_BYTES];         ///< OPENED: host without port, for limits and logs
    apex_link_trust trust;                    ///< OPENED
    uint8_t binding[APEX_SEAL_BINDING_BYTES]; ///< OPENED: of a sealed connection; else zeros
    bool by_client; ///< CLOSED: the client said so, and nobody else can have; else it is the link
                    ///< that broke
} apex_link_event;

typedef struct apex_link_packet {
    apex_link link;
    uint8_t channel; ///< APEX_CHANNEL_RELIABLE arrives or the link closes; STATE may be lost
    const uint8_t *bytes;
    size_t length;
} apex_link_packet;

typedef struct apex_transport apex_transport;

/// The clients that may come without a seal: stock ones of ENet, whose traffic anybody can read
/// and forge.
typedef enum apex_plain {
    APEX_PLAIN_NEAR, ///< loopback and private addresses, see apex_udp_is_near
    APEX_PLAIN_ALL,
    APEX_PLAIN_NONE,
} apex_plain;

typedef struct apex_transport_def {
    const char *address; ///< NULL or "": every address
    uint16_t port;       ///< 0: any free one
    uint32_t links_max;  ///< 1..65520; past links_per_host_max several sockets share the port
    uint32_t links_per_host_max; ///< 1..4095; 0: as many as ENet can. Tests have little ones
    uint32_t links_per_address_max;
    uint32_t half_open_max;       ///< plain CONNECTs of which ENet keeps a peer before their sender
                                  ///< has shown that it receives; past it nothing is kept
    uint32_t datagrams_per_s_max; ///< of a link, sustained; bursts of four seconds. 0: no limit
    uint32_t commands_per_s_max;  ///< of ENet, likewise, in datagrams that are not one packet alone
    uint64_t link_timeout_us;     ///< silence after which a link is closed
    apex_plain plain;
    bool filters;               ///< the system drops what cannot be ours, where it can
    const uint8_t *seal_secret; ///< APEX_SEAL_KEY_BYTES, by which clients know the server again;
                                ///< NULL: new ones. Copied
} apex_transport_def;

apex_transport_def apex_default_transport_def(void);

/// What a counter counts.
typedef enum apex_counter_kind {
    APEX_COUNTS_TRAFFIC,  ///< what came and went
    APEX_COUNTS_REFUSALS, ///< what was refused, or closed for cause
    APEX_COUNTS_CHECKS,   ///< what was asked for before more was let in
    APEX_COUNTS_TROUBLES, ///< what did not go as it should, and is nobody's refusal
} apex_counter_kind;

/// A counter for those who report all of them.
typedef struct apex_counter_row {
    const char *name; ///< "refused-cookie"
    apex_counter_kind kind;
} apex_counter_row;

typedef enum apex_transport_counter {
    APEX_TRANSPORT_PACKETS_IN,
    APEX_TRANSPORT_PACKETS_OUT,
    APEX_TRANSPORT_BYTES_IN,  ///< datagrams as received
    APEX_TRANSPORT_BYTES_OUT, ///< datagrams as sent
    APEX_TRANSPORT_LINKS_OPENED,
    APEX_TRANSPORT_LINKS_CLOSED,
    APEX_TRANSPORT_REFUSED_MALFORMED, ///< not an ENet datagram
    APEX_TRANSPORT_REFUSED_OVERSIZE,
    APEX_TRANSPORT_REFUSED_COMPRESSED,
    APEX_TRANSPORT_REFUSED_FRAGMENT,
    APEX_TRANSPORT_REFUSED_COMMANDS,    ///< too many commands in a datagram
    APEX_TRANSPORT_REFUSED_COOKIE,      ///< acknowledged a VERIFY_CONNECT that was not for it
    APEX_TRANSPORT_REFUSED_ADDRESS,     ///< address has its share of links
    APEX_TRANSPORT_REFUSED_FULL,        ///< CONNECT to a socket whose links are all taken
    APEX_TRANSPORT_REFUSED_SEQUENCE,    ///< so far ahead that ENet would have to hoard it
    APEX_TRANSPORT_REFUSED_PLAIN,       ///< CONNECT without a seal from where one is needed
    APEX_TRANSPORT_REFUSED_HANDSHAKE,   ///< HELLO or OPEN, malformed, without cookie or too many
    APEX_TRANSPORT_REFUSED_SEAL,        ///< forged, changed or repeated
    APEX_TRANSPORT_SEALED,              ///< handshakes that led to a sealed connection
    APEX_TRANSPORT_REFUSED_ANSWER_RATE, ///< plain CONNECTs past what is answered
    APEX_TRANSPORT_REFUSED_LINK_FLOOD,  ///< of a link, past its datagrams or ENet's commands
    APEX_TRANSPORT_REFUSED_LINK_RATE,   ///< too many got a link by a cookie just now; heard again
                                        ///< when the client repeats what it says
    APEX_TRANSPORT_REFUSED_BY_SYSTEM,   ///< could not be ours, or came faster than it was read
    APEX_TRANSPORT_REFUSED_STRANGER,    ///< for a link that is not open, or not from its address
    APEX_TRANSPORT_COOKIES_SENT,        ///< plain CONNECTs answered without keeping anything
    APEX_TRANSPORT_PROOFS_KEPT,         ///< good cookies that get a link when their client speaks
    APEX_TRANSPORT_HELLOS,              ///< answered, of clients who want a seal
    APEX_TRANSPORT_HALF_OPEN_RESET,
    APEX_TRANSPORT_SERVICE_ERRORS, ///< enet_host_service returned < 0
    APEX_TRANSPORT_SEND_ERRORS,
    APEX_TRANSPORT_ROUNDS_CUT, ///< rounds that left datagrams to the next one, having read as many
                               ///< for nothing as a round may
    APEX_TRANSPORT_FRAME_FULL, ///< rounds that left packets for the next one
    APEX_TRANSPORT_COUNTERS
} apex_transport_counter;

apex_counter_row apex_transport_counter_row(apex_transport_counter counter);

/// @return APEX_ERR_BUSY_PORT, APEX_ERR_PERMISSION, APEX_ERR_INVALID (address), APEX_ERR_NO_MEMORY.
apex_err apex_transport_create(const apex_transport_def *def, apex_transport **out);
void apex_transport_destroy(apex_transport *transport);
uint16_t apex_transport_port(const apex_transport *transport);
/// The public key by which clients know the server, APEX_SEAL_KEY_BYTES.
const uint8_t *apex_transport_seal_key(const apex_transport *transport);
/// The sockets that a loop may look at to know when something has come. @return how many.
size_t apex_transport_sockets(const apex_transport *transport, int sockets[APEX_SOCKETS_MAX]);

/// Reads what has come, answers ENet's own needs. Events and their bytes live on `frame` and take
/// at most a quarter of what is free there; what has no room waits for the next round.
size_t apex_transport_receive(apex_transport *transport, uint64_t now_us, apex_arena *frame,
                              apex_link_event **events);
/// Queues packets; bytes are copied. A packet to a closed link is dropped.
void apex_transport_send(apex_transport *transport, const apex_link_packet packets[], size_t count);
void apex_transport_flush(apex_transport *transport);
/// Closes after what is queued reliably has been delivered; a CLOSED event follows.
void apex_transport_close_link(apex_transport *transport, apex_link link);
const uint64_t *apex_transport_counters(const apex_transport *transport);

/// The quality of a link, as its reliable packets show it.
typedef struct apex_link_quality {
    uint32_t round_trip_ms, jitter_ms;
} apex_link_quality;

/// @return false for a link that is not open here.
bool apex_transport_quality(const apex_transport *transport, apex_link link,
                            apex_link_quality *out);

typedef struct apex_sessions apex_sessions;

typedef struct apex_session_id {
    uint16_t index1;
    uint16_t generation;
} apex_session_id;

typedef enum apex_session_state {
    APEX_SESSION_FREE,
    APEX_SESSION_GREETING, ///< link is open, no Hello yet
    APEX_SESSION_LOBBY,    ///< welcomed
    APEX_SESSION_JOINING,  ///< Join has gone to the race, no answer yet
    APEX_SESSION_PLAYER,
    APEX_SESSION_SPECTATOR,
    APEX_SESSION_CLOSING, ///< last words are on their way
    APEX_SESSION_HELD,    ///< a player whose link broke; its place is kept for a while
} apex_session_state;

enum { APEX_LOBBIES_MAX = 16 };

/// A driver by the fingerprint of its key.
typedef struct apex_listed_driver {
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
} apex_listed_driver;

enum { APEX_TOKENS_USED_MAX = 65536 }; ///< that are kept at a time

/// Who may drive, and by what they show who they are (DECISIONS 60). A list of drivers comes beside
/// it, by apex_sessions_list.

typedef struct apex_entry_def {
    bool has_server_key; ///< false: nothing can be proved, so all are guests; only without the rest
    uint8_t server_key[APEX_SEAL_KEY_BYTES]; ///< what proofs and tokens are for
    bool key_needed;                         ///< no guests: a Join needs a proved key or a token
    bool token_needed;                       ///< a Join needs one of a lobby's
    bool any_audience;                       ///< tokens for any server are good here, too
    uint32_t lobby_count;                    ///< 0: tokens are refused
    uint8_t lobbies[APEX_LOBBIES_MAX][APEX_DRIVER_KEY_BYTES]; ///< whose tokens are believed
    uint32_t race;          ///< the number of this race among those of the server, from 1
    uint64_t unix_ahead_us; ///< of the sessions' clock is that of 1970
    uint64_t began_us;      ///< when the server did: tokens from before are refused
    apex_used_tokens *used; ///< of all races of the program, borrowed; NULL: of this one alone
} apex_entry_def;

typedef struct apex_sessions_def {
    uint32_t sessions_max;     ///< links that may be open
    uint32_t scarce_links_max; ///< links 1 to this one are one transport's, which has no others;
                               ///< 0: sessions are what is scarce
    uint32_t clients_max;      ///< welcomed at a time; more are refused as full
    uint32_t clients_per_address_max;
    /// Joins, and beginnings of watching: sustained, of all and of a house, after as many at once
    /// as clients may be there. 0: without limit. Who leaves has come before, so leaves are as few.
    uint32_t joins_per_s, joins_per_address_per_s;
    char password[APEX_WIRE_NAME_BYTES]; ///< empty: none
    bool watching_open;                  ///< the password is for driving alone
    apex_entry_def entry;
    uint32_t messages_per_s_max; ///< sustained, each session; burst of two seconds
    uint32_t bytes_per_s_max;
    uint32_t speed_permille;  ///< of the race, whose seconds these two count where it runs faster
                              ///< than real time; 0: as apex_sessions_went_on says
    uint32_t strikes_max;     ///< bad messages before a session is closed
    uint64_t greeting_us_max; ///< time to say Hello
    uint64_t lobby_us_max;    ///< time to join or to spectate; a client that stays longer takes a
                              ///< place in vain
    uint64_t closing_us_max;  ///< time for last words to be delivered
    uint64_t resume_us_max;   ///< time for which a player whose link broke is held; 0: not at all
} apex_sessions_def;

apex_sessions_def apex_default_sessions_def(void);

/// With the doors locked nobody who has no place gets one: Join and Spectate are refused, and
/// players and spectators go on, as do those who come back to their place.
void apex_sessions_lock(apex_sessions *sessions, bool is_locked);
bool apex_sessions_are_locked(const apex_sessions *sessions);

/// A checked message, or the end of a session.
typedef enum apex_mail_kind {
    APEX_MAIL_WELCOMED, ///< Hello was accepted; answer with apex_sessions_welcome
    APEX_MAIL_MESSAGE,  ///< Join (password and identity were right), Spectate, Leave, DefRequest,
                        ///< TimeRequest, Subscribe, Controls
    APEX_MAIL_LOST,     ///< a player's link broke; the session is held, and sending is in vain
    APEX_MAIL_RESUMED,  ///< a link came with a player's token; answer with apex_sessions_welcome
                        ///< and _accept. No LOST goes before it if the old link was still open
    APEX_MAIL_CLOSED,   ///< the session is gone
} apex_mail_kind;

typedef struct apex_mail {
    apex_mail_kind kind;
    apex_session_id session;
    apex_session_state was;             ///< CLOSED: what it was
    const apex_client_message *message; ///< on the frame arena
} apex_mail;

typedef enum apex_session_counter {
    APEX_SESSION_OPENED,
    APEX_SESSION_WELCOMED,
    APEX_SESSION_CLOSED,
    APEX_SESSION_LOST, ///< held
    APEX_SESSION_RESUMED,
    APEX_SESSION_KEYS_PROVED,
    APEX_SESSION_TOKENS_TAKEN, ///< of a lobby
    APEX_SESSION_MESSAGES_IN,
    APEX_SESSION_MESSAGES_OUT,
    APEX_SESSION_REFUSED_VERSION,
    APEX_SESSION_REFUSED_FULL,
    APEX_SESSION_REFUSED_ADDRESS,
    APEX_SESSION_REFUSED_PASSWORD,
    APEX_SESSION_REFUSED_GUESS,      ///< too many wrong passwords had come from its address
    APEX_SESSION_REFUSED_JOIN_RATE,  ///< too many came, of all or from its address
    APEX_SESSION_REFUSED_LOCKDOWN,   ///< the operator lets nobody in
    APEX_SESSION_REFUSED_KEY,        ///< a signature that proves nothing
    APEX_SESSION_REFUSED_PROOF_RATE, ///< too many signatures came, of all or from its address
    APEX_SESSION_REFUSED_KEY_NEEDED, ///< a guest, where none may drive
    APEX_SESSION_REFUSED_NOT_LISTED,
    APEX_SESSION_REFUSED_TOKEN_NEEDED,
    APEX_SESSION_REFUSED_TOKEN_INVALID, ///< of a lobby, as the next ones; or for another role
    APEX_SESSION_REFUSED_TOKEN_ISSUER,
    APEX_SESSION_REFUSED_TOKEN_AUDIENCE,
    APEX_SESSION_REFUSED_TOKEN_EARLY,
    APEX_SESSION_REFUSED_TOKEN_EXPIRED,
    APEX_SESSION_REFUSED_TOKEN_HOLDER,
    APEX_SESSION_REFUSED_TOKEN_USED,
    APEX_SESSION_REFUSED_NAME,
    APEX_SESSION_REFUSED_ORDER,
    APEX_SESSION_REFUSED_MALFORMED,
    APEX_SESSION_REFUSED_CHANNEL,
    APEX_SESSION_REFUSED_RATE,
    APEX_SESSION_REFUSED_TOKEN,  ///< to resume: nobody's, or no longer; its Hello was taken as any
                                 ///< other
    APEX_SESSION_REFUSED_SECRET, ///< over a plain link, without the secret of its Welcome
    APEX_SESSION_CLOSED_STRIKES,
    APEX_SESSION_CLOSED_SILENT,   ///< no Hello, or neither Join nor Spectate, in time
    APEX_SESSION_CLOSED_GAVE_WAY, ///< had not joined, when others needed the place
    APEX_SESSION_OUTBOX_FULL,     ///< a message dropped because the frame was full
    APEX_SESSION_COUNTERS
} apex_session_counter;

apex_counter_row apex_session_counter_row(apex_session_counter counter);

/// @param token_key 16 secret bytes from which resume tokens are made (a test gives fixed ones).
apex_err apex_sessions_create(const apex_sessions_def *def, const uint8_t token_key[16],
                              apex_sessions **out);
void apex_sessions_destroy(apex_sessions *sessions);
/// From now on only these drivers may drive, by their fingerprints; copied. NULL: anybody may. Who
/// drives already goes on. @return APEX_ERR_NO_MEMORY, and then the list is the one before.
apex_err apex_sessions_list(apex_sessions *sessions, const apex_listed_driver drivers[],
                            uint32_t count);
/// From now on this is asked of those who come: who is in is not asked again. Of `entry` what is
/// needed, the lobbies and any_audience count; all else stays as it was.
/// @return APEX_ERR_NO_MEMORY: nothing has changed.
apex_err apex_sessions_ask(apex_sessions *sessions, const apex_entry_def *entry,
                           const char password[APEX_WIRE_NAME_BYTES], bool watching_open);

/// From now on tokens are judged by this time: the system's clock may be put right while a server
/// runs. @param unix_ahead_us as in apex_entry_def.
void apex_sessions_set_unix_ahead(apex_sessions *sessions, uint64_t unix_ahead_us);

/// Begins a round: forgets the last round's outbox, which lived on `frame`. All that this round
/// hands out and is told to send lives on `frame` until it is reset.
void apex_sessions_begin(apex_sessions *sessions, uint64_t now_us, apex_arena *frame);
/// A race that runs as fast as it can has gone on by so much of its own time: so much more may be
/// said in the next round, if that is more than what real time allows. Only with speed_permille 0.
void apex_sessions_went_on(apex_sessions *sessions, uint64_t race_us);
/// Turns the round's link events into mail, and checks time-outs. Once a round.
size_t apex_sessions_take(apex_sessions *sessions, const apex_link_event events[], size_t count,
                          apex_mail **mail);

/// Answers WELCOMED. Fills protocol version, token, secret, password_needed and
/// watching_open itself.
void apex_sessions_welcome(apex_sessions *sessions, apex_session_id id,
                           const apex_welcome *welcome);
/// Answers a Join, a Spectate or RESUMED; or makes a spectator of a player (`joined->player` 0).
void apex_sessions_accept(apex_sessions *sessions, apex_session_id id, const apex_joined *joined);
void apex_sessions_reject(apex_sessions *sessions, apex_session_id id, apex_reason reason,
                          const char *text);
/// Queues a message for one session in this round; encoded at once. Stale ids are ignored, and so
/// are sessions that are held.
void apex_sessions_send(apex_sessions *sessions, apex_session_id id,
                        const apex_server_message *message);
/// Queues bytes that are encoded already (shared by many sessions); they must live on `frame`.
void apex_sessions_send_bytes(apex_sessions *sessions, apex_session_id id, uint8_t channel,
                              const uint8_t *bytes, size_t length);
/// Says Goodbye and closes once it is delivered.
void apex_sessions_close(apex_sessions *sessions, apex_session_id id, apex_reason reason,
                         const char *text);

/// The packets that this round has to send, in order, and the links to close after it.
size_t apex_sessions_outbox(const apex_sessions *sessions, const apex_link_packet **packets);
size_t apex_sessions_closing(const apex_sessions *sessions, const apex_link **links);

/// Who a session has shown to be with its newest Join or Spectate.
typedef struct apex_session_who {
    bool lost_place; ///< came with a token to resume that is nobody's any more
    bool has_driver; ///< has proved a key; else a guest
    uint8_t driver[APEX_FINGERPRINT_BYTES];
    bool has_token;
    apex_join_token token; ///< of a lobby, checked; its name stands in the Join already
} apex_session_who;

/// NULL for a stale id. Valid until the next round.
const apex_session_who *apex_session_who_is(const apex_sessions *sessions, apex_session_id id);
const char *apex_session_address(const apex_sessions *sessions, apex_session_id id);
/// Null for one that is held, and for a stale id.
apex_link apex_session_link(const apex_sessions *sessions, apex_session_id id);
uint32_t apex_sessions_welcomed(const apex_sessions *sessions); ///< the number of clients
const uint64_t *apex_sessions_counters(const apex_sessions *sessions);
