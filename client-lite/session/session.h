/// One client's side of the protocol, from Hello to Goodbye. Fed with packets and the time, it
/// fills an outbox and what is known; it has no socket and no clock, so tests run it in virtual
/// time.
///
///   IDLE -begin-> CONNECTING -opened-> GREETED -Welcome-> LOADING -all Defs-> JOINING -Joined->
///   DRIVING or SPECTATING; from anywhere to CLOSED. A link that breaks after the Welcome:
///   RECONNECTING -opened-> GREETED and on, until the time is up.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "client-lite/client.h"
#include "client-lite/input/clock.h"
#include "client-lite/input/controls.h"
#include "client-lite/session/knowledge.h"
#include "client-lite/session/link_quality.h"
#include "client-lite/view/deltas.h"
#include "client-lite/view/interpolate.h"
#include "client-lite/view/predict.h"
#include "client-lite/view/road.h"
#include "client-lite/view/snapshots.h"

enum {
    CLIENT_OUTBOX_PACKETS = 64,
    CLIENT_OUTBOX_BYTES = 8192,
    CLIENT_TEXT_BYTES = 256,
    CLIENT_SERVER_NAME_BYTES = 128,
};

typedef struct client_packet {
    uint8_t channel;
    const uint8_t *bytes;
    size_t length;
} client_packet;

/// What goes out with the next drain. A client never has more to say between two drains than fits.
typedef struct client_outbox {
    size_t used, count;
    client_packet packets[CLIENT_OUTBOX_PACKETS];
    uint8_t bytes[CLIENT_OUTBOX_BYTES];
} client_outbox;

/// What a client counts for whoever measures the server.
typedef struct client_tally {
    uint64_t snapshot_ticks, ticks_spanned, own_cars, controls_on_tick, replies;
    uint64_t deltas, glanced;
    uint32_t heard[APEX_SERVER_MESSAGE_KINDS]; ///< messages of each kind that had their place
    uint32_t rtt_newest_us;
} client_tally;

/// What every packet touches comes first, in few lines of the cache: of a thousand clients none is
/// still there when its next turn comes.
typedef struct client_session {
    apex_client_state state;
    uint32_t player, car;
    bool leaving;
    bool has_token;
    bool coming_back; ///< the link broke, and nothing has been joined since
    bool wants_link;  ///< another link is to be opened, see client_session_take_wish
    bool resumed;     ///< the newest join
    bool demoted;     ///< has driven, and watches because nobody did
    bool is_stream;   ///< links are streams: WebSockets
    bool lays_apart;  ///< tracks are laid elsewhere: see client_session_take_ground
    bool jumped;      ///< the recording is elsewhere, and no snapshot of there has come yet
    uint32_t links_lost, links_back;
    uint32_t times_asked;   ///< how many TimeRequests went out
    uint64_t ask_time_us;   ///< when the next one is due
    uint64_t deaf_us;       ///< answers to those that went out before say nothing of the line
    uint64_t join_again_us; ///< a refused join is repeated then; 0: none is waiting
    uint64_t heard_us, updated_us;
    uint64_t undecodable;
    void *scratch; ///< APEX_DECODE_SCRATCH_BYTES; its untouched pages cost nothing
    client_tally tally;
    apex_client_def def;     ///< its strings point to the arrays below
    client_predict *predict; ///< if def.predict, once joined; NULL else
    client_snapshots snapshots;
    client_link_quality link_quality;
    client_clock clock;
    client_controls controls;
    client_deltas deltas;
    client_outbox outbox;
    client_knowledge knowledge;
    client_interpolation shown;       ///< if def.show
    apex_client_courses *own_courses; ///< if nobody lends any
    client_road *road;                ///< of a race of many cars, if def.show and the track is here
    apex_track *sketch;               ///< what it lies on
    bool is_road_sought;

    uint32_t focus_car, focus_told; ///< a spectator's; and the one that the server knows of
    uint64_t subscribed_us;
    apex_playback_wish play_wish; ///< to be said with the next update; zeros: none
    uint64_t begun_us, left_us;
    uint64_t lost_us; ///< when the link broke
    uint64_t try_us;  ///< RECONNECTING: when to try next
    apex_reason close_reason, reject_reason;
    uint8_t token[APEX_TOKEN_BYTES];    ///< of the newest Welcome, or given
    char car_def[APEX_WIRE_NAME_BYTES]; ///< of the own car, once joined
    char name[APEX_WIRE_NAME_BYTES], car_wanted[APEX_WIRE_NAME_BYTES];
    char password[APEX_WIRE_NAME_BYTES];
    char server[CLIENT_SERVER_NAME_BYTES]; ///< "host:port", for texts
    char close_text[CLIENT_TEXT_BYTES], reject_text[CLIENT_TEXT_BYTES];
    char lost_text[CLIENT_TEXT_BYTES]; ///< why the link broke last
} client_session;

/// @return APEX_ERR_INVALID (a name too long), APEX_ERR_NO_MEMORY.
apex_err client_session_create(const apex_client_def *def, client_session **out);
void client_session_destroy(client_session *session);

/// A link to `server` ("host:port", for texts) is being opened.
void client_session_begin(client_session *session, const char *server, uint64_t now_us);
void client_session_opened(client_session *session, uint64_t now_us);
/// Does not wait for the next try to come back, if there is one to wait for.
void client_session_try_now(client_session *session);
/// Whether a link is to be opened in place of the one there was; said once for each.
bool client_session_take_wish(client_session *session);
/// The link is gone, whoever closed it.
void client_session_link_closed(client_session *session);
/// The same with the reason that came with it, if any.
void client_session_link_refused(client_session *session, apex_reason reason);
void client_session_receive(client_session *session, uint8_t channel, const uint8_t *bytes,
                            size_t length, uint64_t now_us);
/// Time-outs, and what is due by the clock. Call after what has come was received.
void client_session_update(client_session *session, uint64_t now_us);
/// Until now nobody has listened, because something took long: how long answers took is no news.
void client_session_was_deaf(client_session *session, uint64_t now_us);
/// Whether the join waits for a track to be laid elsewhere (lays_apart), in LOADING.
bool client_session_awaits_ground(client_session *session);
/// What was awaited: goes on to the join. @param laid of client_laid_write, which is freed here;
/// NULL, or no such block: the track is laid now, by this call.
void client_session_take_ground(client_session *session, uint8_t *laid, size_t length);
/// When client_session_update is next wanted; UINT64_MAX: not by the clock.
uint64_t client_session_due_us(const client_session *session, uint64_t now_us);
/// As apex_client_focus.
void client_session_focus(client_session *session, uint32_t car);
/// As apex_client_play.
void client_session_play(client_session *session, const apex_playback_wish *wish);
void client_session_leave(client_session *session, uint64_t now_us);
/// The tick a sample taken now is stamped with, and its fraction; 0 before the clock is known.
double client_session_controls_tick(const client_session *session, uint64_t now_us);

/// Packets since the last clear, in order; they live until it.
size_t client_session_outbox(const client_session *session, const client_packet **packets);
void client_session_clear_outbox(client_session *session);

/// The session of a client that is fed by hand instead of being connected.
client_session *client_session_of(apex_client *client);
