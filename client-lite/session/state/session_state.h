/// The state of one client's session with a server, and how it ends.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "client-lite/input/clock.h"
#include "client-lite/input/controls.h"
#include "client-lite/prediction/predict.h"
#include "client-lite/session/state/garage.h"
#include "client-lite/session/state/knowledge.h"
#include "client-lite/session/state/link_quality.h"
#include "client-lite/session/state/outbox.h"
#include "client-lite/view/deltas.h"
#include "client-lite/view/interpolate.h"
#include "client-lite/view/road.h"
#include "client-lite/view/snapshots.h"

enum {
    CLIENT_TEXT_BYTES = 256,
    CLIENT_SERVER_NAME_BYTES = 128,
};

/// The counts that a client keeps for programs that measure the server.
typedef struct client_tally {
    uint64_t snapshot_ticks, ticks_spanned, own_cars, controls_on_tick, replies;
    uint64_t deltas, glanced;
    uint32_t heard[APEX_SERVER_MESSAGE_KINDS]; ///< messages of each kind that had their place
    uint32_t rtt_newest_us;
} client_tally;

/// The fields that every packet touches come first, in few lines of the cache: of a thousand
/// clients none is still there when its next turn comes.
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
    uint32_t times_asked;   ///< TimeRequests that went out
    uint64_t asked_us;      ///< when the newest of them did
    uint64_t ask_time_us;   ///< when the next one is due
    uint64_t deaf_us;       ///< answers to those that went out before say nothing of the link
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
    client_interpolation shown; ///< if def.show
    client_garage garage;
    uint32_t go_tick; ///< of the start that snapshots count down to, or that was; 0: none
    apex_client_tracks *own_tracks; ///< if nobody lends any
    client_road *road;              ///< of a race of many cars, if def.show and the track is here
    apex_track *sketch;             ///< on which the road lies
    bool is_road_sought;

    uint32_t focus_car, focus_told; ///< a spectator's; and the one that the server knows of
    uint64_t subscribed_us;
    apex_playback_wish play_wish; ///< to be said with the next update; zeros: none
    bool wishes_pits;             ///< the next is to be said
    apex_wire_pit_plan pit_wish;
    uint64_t plan_again_us; ///< not before
    uint64_t begun_us, left_us;
    uint64_t lost_us; ///< when the link broke
    uint64_t try_us;  ///< RECONNECTING: when to try next
    apex_reason close_reason, reject_reason;
    uint8_t token[APEX_TOKEN_BYTES]; ///< of the newest Welcome, or given
    bool is_sealed;                  ///< the link; by these two then
    uint8_t server_key[APEX_CLIENT_KEY_BYTES], binding[APEX_CLIENT_KEY_BYTES];
    char car_def[APEX_WIRE_NAME_BYTES]; ///< of the own car, once joined
    char name[APEX_WIRE_NAME_BYTES], car_wanted[APEX_WIRE_NAME_BYTES];
    char password[APEX_WIRE_NAME_BYTES];
    char server[CLIENT_SERVER_NAME_BYTES]; ///< "host:port", for texts
    char close_text[CLIENT_TEXT_BYTES], reject_text[CLIENT_TEXT_BYTES];
    char lost_text[CLIENT_TEXT_BYTES]; ///< the reason why the link broke last
} client_session;

/// Ends the session; the first reason counts.
__attribute__((format(printf, 3, 4))) void
client_session_close(client_session *session, apex_reason reason, const char *fmt, ...);
/// @return whether it tells of cars side by side alone, between two snapshots, and nothing of this
/// driver's controls.
bool client_session_is_between(const client_session *session, const apex_snapshot_message *part);
/// Delta snapshots begin anew.
void client_session_begin_deltas(client_session *session);
