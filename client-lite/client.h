/// The client library joins an Apex server, sends controls and tells of cars, events and results.
///
/// A client is driven, not threaded: call apex_client_update often (every few milliseconds, or when
/// its socket is readable) with the time; everything it learnt can be read until the next update.
/// Many clients share one thread and one loop; each has its own socket. Units are SI, angles
/// radians, world axes x east, y north, z up; yaw counts anticlockwise from x.
///
///     apex_client_def def = apex_default_client_def();
///     apex_client *client;
///     if (apex_client_create(&def, &client) == APEX_OK &&
///         apex_client_connect(client, "127.0.0.1", 26000) == APEX_OK) ...
///     each round: apex_client_update(client, now_us);
///                 if (apex_client_state_of(client) == APEX_CLIENT_DRIVING)
///                     apex_client_set_controls(client, &controls);
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/histogram.h"
#include "proto/proto.h"

typedef struct apex_client apex_client;

/// Laid tracks for the predictors of many clients of one thread; each is laid once.
typedef struct apex_client_tracks apex_client_tracks;

apex_client_tracks *apex_client_tracks_create(void); ///< NULL when out of memory
/// After the last client that uses them. NULL is fine.
void apex_client_tracks_destroy(apex_client_tracks *tracks);

enum { APEX_CLIENT_KEY_BYTES = 32 };

/// What a proof of the driver's key is for: apex_proof_for of identity/identity.h, each 32 bytes.
typedef struct apex_client_sign_for {
    const uint8_t
        *server_key; ///< that the seal was agreed on with; without a seal, as Welcome says
    const uint8_t *challenge;
    const uint8_t *binding; ///< of the sealed connection; NULL: the link has no seal
} apex_client_sign_for;

/// Says who the driver is: fills in his key with its signature, the lobby's token, or both. Called
/// for each request to drive or to watch, within an update.
/// @param out zeros, a guest without a token.
/// @return false: it cannot, and the driver comes as a guest.
typedef bool apex_client_sign(void *context, const apex_client_sign_for *what, apex_identity *out);

typedef struct apex_client_def {
    const char *name;     ///< shown to others
    const char *car;      ///< NULL or "": the server's default
    const char *password; ///< NULL: none
    bool spectate;
    bool want_defs;        ///< fetch the track's and the cars' definitions before joining
    uint32_t snapshot_hz;  ///< 0: the server's rate
    uint32_t telemetry_hz; ///< own car's, or a spectator's focus's; 0: none
    bool server_stats, standings;
    bool sectors;            ///< their times in the standings
    bool full_snapshots;     ///< every car whole in every snapshot; more bytes, simpler
    uint32_t snapshot_bytes; ///< of a delta snapshot at most, 64..1184; 0: what the server gives
    bool own_car_only;       ///< of what comes, keep only what is about the own car: for crowds of
                             ///< clients, which together would keep the race a thousand times
    uint32_t decode_every;   ///< 0 or 1: each delta snapshot; n: one of so many. Of the others only
                             ///< the head is read, and they are not acknowledged, as if lost.
    uint32_t ack_every;      ///< 0 or 1: a spectator acknowledges each delta snapshot; n: one of so
                             ///< many, and all before it. Each costs the server a message. If a
                             ///< snapshot takes an interval to be acknowledged, cars take 29 bits
                             ///< at 1, 36 at 4 and 44 at 8.
    double controls_shift_ticks; ///< 0 to below 1, added to the lead: clients of one process that
                                 ///< follow one server's clock would all send at its tick otherwise
    bool predict;                ///< the own car, with the server's physics; wants definitions
    bool show;                   ///< keep what apex_client_shown needs of every car
    bool ahead;                  ///< what apex_client_ahead needs; implies the two above, but in a
                                 ///< race at more than twice real time nothing is predicted
    apex_client_tracks *tracks;  ///< borrowed; NULL: a client that predicts lays its own track
    uint32_t controls_lead_ticks; ///< by which controls are stamped ahead of the server's clock at
                                  ///< first, besides half the round trip; then as far as it takes
    uint64_t connect_timeout_us;
    uint64_t silence_timeout_us; ///< nothing heard for so long: the server is gone
    bool reconnect; ///< when the link breaks, try to come back for as long as the server keeps the
                    ///< player's place (see RECONNECTING); without, the client is CLOSED
    const uint8_t *resume_token; ///< APEX_TOKEN_BYTES of another client's Welcome, whose player to
                                 ///< take over; NULL: none
    bool plain; ///< without a seal, which a server takes from its own network only, unless it is
                ///< told otherwise: anybody on the way can read along and interfere
    const uint8_t *server_key; ///< APEX_CLIENT_KEY_BYTES, by which the server is known: another
                               ///< one is not talked to. NULL: the one that answers first
    bool resume_only;          ///< if that player is gone it watches: no other driver is made
    apex_client_sign *sign;    ///< NULL: a guest
    void *sign_context;        ///< borrowed, for as long as the client lives
} apex_client_def;

apex_client_def apex_default_client_def(void);

typedef enum apex_client_state {
    APEX_CLIENT_IDLE,
    APEX_CLIENT_CONNECTING,   ///< no answer yet
    APEX_CLIENT_RECONNECTING, ///< the link broke; trying to come back
    APEX_CLIENT_GREETED,      ///< Hello sent
    APEX_CLIENT_LOADING,      ///< welcomed; definitions are coming
    APEX_CLIENT_JOINING,
    APEX_CLIENT_DRIVING,
    APEX_CLIENT_SPECTATING,
    APEX_CLIENT_CLOSED, ///< see apex_client_close_reason
} apex_client_state;

const char *apex_client_state_name(apex_client_state state);

/// @return APEX_ERR_NO_MEMORY, APEX_ERR_INVALID (a name too long). Strings are copied.
apex_err apex_client_create(const apex_client_def *def, apex_client **out);
void apex_client_destroy(apex_client *client); ///< closes rudely if still open; NULL is fine

/// Begins to connect over UDP. @return APEX_ERR_NOT_FOUND (host name), APEX_ERR_IO.
apex_err apex_client_connect(apex_client *client, const char *host, uint16_t port);
/// The key of the server that it is connected to, to be pinned from now on; NULL as long as it is
/// not known, and of a plain one.
const uint8_t *apex_client_server_key(const apex_client *client);
/// To poll for reading; -1 before connect. Open until the client is destroyed.
int apex_client_socket(const apex_client *client);

/// Reads, answers, sends what is due. now_us: any monotonic clock, never backwards.
void apex_client_update(apex_client *client, uint64_t now_us);
/// The two halves of an update, for a program of thousands of clients that looks at each only when
/// there is something to do: hear when the socket is readable, speak when it is due. Time-outs and
/// what is sent again need an update now and then, ten times a second say. Events and notices are
/// those of the last hear or update.
void apex_client_hear(apex_client *client, uint64_t now_us);
void apex_client_speak(apex_client *client, uint64_t now_us);
/// @return the time at which the client next has something to say by the clock; set the controls
/// just before. UINT64_MAX: only when something has come.
uint64_t apex_client_due_us(const apex_client *client, uint64_t now_us);
/// Says Leave and closes once that is delivered (keep updating until CLOSED).
void apex_client_leave(apex_client *client);

apex_client_state apex_client_state_of(const apex_client *client);
/// The reason why the client is CLOSED: the server's, or TIMEOUT; with a text for people. NONE
/// after a leave.
apex_reason apex_client_close_reason(const apex_client *client, const char **text);
/// The last refusal that did not close (a wrong value, a join too early); NONE if there was none.
apex_reason apex_client_last_reject(const apex_client *client, const char **text);

/// @return whether the newest join gave this client a player that was in the race already.
bool apex_client_resumed(const apex_client *client);
/// @return whether this client has driven, and watches now because nobody drove its car. Its player
/// and car are 0 from then on, and it is SPECTATING; to drive again takes another client.
bool apex_client_demoted(const apex_client *client);
/// The reason why the link broke, for people; "" if it never did.
const char *apex_client_lost_text(const apex_client *client);

/// A spectator looks at this car: of its neighbours more is told, and telemetry is the car's.
/// 0: the server's choice, and no telemetry. Told at most ten times a second.
void apex_client_focus(apex_client *client, uint32_t car);

/// Wishes for a recording that is watched: play, pause, change the pace, go elsewhere. Fields that
/// are 0 change nothing; wishes between two updates become one. Only while SPECTATING; else it is
/// passed over.
void apex_client_play(apex_client *client, const apex_playback_wish *wish);

/// What a driver wants done at his next stop. It stands until it is changed, and is shown back,
/// with the seconds that it takes, by apex_client_conduct. Said at most twice a second, the newest
/// plan then. Only while DRIVING at a server that has told of the own conduct; else it is passed
/// over.
/// @param plan fuel_g up to APEX_WIRE_FUEL_G_MAX, compound of apex_client_session's
void apex_client_pit_plan(apex_client *client, const apex_wire_pit_plan *plan);

/// Controls from now on: sampled for every server tick until changed.
void apex_client_set_controls(apex_client *client, const apex_control_sample *controls);

const apex_welcome *apex_client_welcome(const apex_client *client); ///< NULL before
uint32_t apex_client_player(const apex_client *client); ///< 0 before the join, and for spectators
uint32_t apex_client_car(const apex_client *client);

/// Definition by kind and name, as bytes for apex_car_def_decode or apex_track_def_decode; NULL if
/// not (yet) here. For cars, name NULL means the own car's. Lives as long as the client.
const uint8_t *apex_client_def_bytes(const apex_client *client, apex_def_kind kind,
                                     const char *name, size_t *length, uint64_t *hash);

typedef struct apex_client_view {
    uint32_t tick; ///< of the newest whole or partial snapshot
    uint32_t phase;
    int32_t race_time_ms;
    uint64_t received_us;
    size_t car_count;
    const apex_wire_car *cars; ///< newest known of every car, sorted by id
    const apex_wire_car *own;  ///< or NULL
} apex_client_view;

/// Valid until the next update.
apex_client_view apex_client_newest(const apex_client *client);
/// The tick the server is in now by the client's clock, with its fraction; 0 before it is known.
double apex_client_server_tick(const apex_client *client, uint64_t now_us);
/// The tick on which controls set now will act.
double apex_client_controls_tick(const apex_client *client, uint64_t now_us);

/// A car at a moment between snapshots.
typedef struct apex_client_pose {
    uint32_t car;
    double tick; ///< the moment, by the server's count
    double position_m[3];
    double yaw_rad, pitch_rad, roll_rad;
    double velocity_mps[3];
    double yaw_rate_radps, steer_rad, rpm;
    int8_t gear;
    uint8_t throttle, brake, flags, damage; ///< as in apex_wire_car, like the next
    uint32_t damage_zones;
    bool extrapolated; ///< after the last that was heard of it, as told then and along the road
    bool stale;        ///< nothing was heard for longer than that goes on: it stands where it was
} apex_client_pose;

/// All cars as they were a moment ago, that is when what has come reaches past it: an interval
/// between snapshots and as much more as their unevenness asks for, half a second at most. The own
/// car is among them. Needs def.show. @return cars written, sorted by id.
size_t apex_client_shown(apex_client *client, uint64_t now_us, apex_client_pose out[],
                         size_t capacity);

typedef struct apex_client_showing {
    double delay_s; ///< of the moment shown, behind what arrives
    uint64_t cars;  ///< shown, each in each frame; like the next
    uint64_t extrapolated, stale;
    double age_s_p50, age_s_p99; ///< of what was shown, by the server's clock
} apex_client_showing;

apex_client_showing apex_client_showing_of(const apex_client *client);

/// The own car where it will be when controls set now act (def.predict): the server's last exact
/// state of it, driven on by the controls under way, in a world that knows the track and no other
/// car. What the server then says otherwise is blended in over a tenth of a second.
/// Shown are moments between two steps, so pose->tick is one tick before the newest step.
/// @return false while there is no state to go by.
bool apex_client_predicted(apex_client *client, uint64_t now_us, apex_client_pose *pose);

/// How well rivals within 15 m were foretold. Errors are of what was shown, at the tick at which
/// the own car was shown with it, against what the server then said.
typedef struct apex_client_rival_errors {
    uint64_t compared;
    double along_m_p50, along_m_p95, along_m_p99; ///< where the rival's nose points
    double across_m_p50, across_m_p95, across_m_p99;
    double horizon_s_p50, horizon_s_p99;           ///< from what was told to what was shown
    double correction_mps_p99, correction_mps_max; ///< speed at which errors were taken back
    uint64_t late; ///< rivals in frames, shown at an earlier moment: nothing was heard for long
    uint64_t touches_came, touches_phantom; ///< felt, and the server told of it, or did not
    uint64_t touches_unforeseen;            ///< told of by the server, and not felt
} apex_client_rival_errors;

typedef struct apex_client_prediction {
    uint32_t tick;     ///< to which the own car is foretold; 0: there is no state to go by
    uint64_t states;   ///< exact states of the own car that came in order
    uint64_t compared; ///< of them, those whose tick had been predicted
    uint64_t exact;    ///< of them, those that were as predicted, bit for bit
    uint64_t snaps;    ///< corrections too large to blend in
    uint64_t steps;    ///< of the predictor's world, repeated ones included
    /// By how much each that was compared moved the car where it is predicted now.
    double error_m_p50, error_m_p99, error_m_max;
    double error_rad_p50, error_rad_p99, error_rad_max;
    apex_client_rival_errors rivals;
} apex_client_prediction;

apex_client_prediction apex_client_prediction_of(const apex_client *client);

/// All cars as a driver should see them (def.ahead): his own first, where it will be when controls
/// set now act, and those near it at the same moment, driven on by the server's physics with the
/// controls that were last told of them, contacts and slipstream included. Cars far off are as in
/// apex_client_shown, and those in between on the way from one moment to the other; pose.tick says
/// which is whose. For a spectator the same as apex_client_shown.
/// @return cars written, those after the first sorted by id.
size_t apex_client_ahead(apex_client *client, uint64_t now_us, apex_client_pose out[],
                         size_t capacity);

/// A touch of the own car with another.
typedef struct apex_client_touch {
    uint32_t car;  ///< the other
    uint32_t tick; ///< in the step to which it began
    double impulse_ns;
    double closing_mps;
    double point_m[3];
} apex_client_touch;

/// Touches that began in the newest frame of apex_client_ahead: to be felt and heard with it. They
/// are foretold; the server's word, an event, comes when they are seen already.
/// Valid until the next frame.
const apex_client_touch *apex_client_touches(const apex_client *client, size_t *count);

/// Events that came in the last update, in order; a race event each.
const apex_race_event_message *apex_client_events(const apex_client *client, size_t *count);
/// The events from before this client came, oldest first, if they came in the last update: to be
/// listed, not to be acted on. After a broken link, only those that were not heard before. Clients
/// that keep the own car only get none.
const apex_race_event_message *apex_client_past_events(const apex_client *client, size_t *count);
const char *const *apex_client_notices(const apex_client *client, size_t *count);
const apex_telemetry *apex_client_telemetry(const apex_client *client);       ///< newest or NULL
const apex_server_stats *apex_client_server_stats(const apex_client *client); ///< newest or NULL
const apex_standings *apex_client_standings(const apex_client *client);       ///< newest or NULL
const apex_race_state *apex_client_race_state(const apex_client *client);     ///< newest or NULL
const apex_results *apex_client_results(const apex_client *client); ///< of the last race, or NULL
/// The session that is on, with all of the event's; NULL of an event without sessions and rules, or
/// before it was told.
const apex_race_session *apex_client_session(const apex_client *client);
/// Penalties of the session, by number, the newest last. An event APEX_WIRE_EVENT_PENALTY is about
/// the one with its number. Valid until the next update.
const apex_penalty_message *apex_client_penalties(const apex_client *client, size_t *count);
/// The own pits and what is wrong with the lap under way; NULL for who does not drive, and
/// likewise.
const apex_conduct *apex_client_conduct(const apex_client *client);
const apex_roster_entry *apex_client_roster(const apex_client *client, size_t *count);
/// The position of the recording that is watched, as last told: `tick` goes on from there, and is
/// now apex_client_server_tick. NULL of a race that is being driven.
const apex_playback_state *apex_client_playback(const apex_client *client);

typedef struct apex_client_stats {
    uint32_t rtt_us;
    uint64_t bytes_in, bytes_out, packets_in, packets_out;
    uint64_t snapshots, snapshots_late; ///< parts; late: older than one already here
    uint64_t undecodable;
    uint32_t links_lost, links_back; ///< broken links, and joins after one
    double snapshot_loss;            ///< share of snapshots of which nothing came
    uint32_t snapshot_jitter_us;     ///< mean unevenness of their arrivals, smoothed
    int32_t controls_depth;          ///< ticks the server had in hand at worst, as it last said
    uint64_t input_effects;          ///< see apex_client_input_effects
    uint64_t snapshot_ticks;         ///< different ticks of which a snapshot came in order
    uint64_t snapshot_ticks_spanned; ///< from the first of them to the newest
    uint64_t snapshots_glanced;      ///< parts of which only the head was read
    uint64_t own_cars;               ///< times that the own car came
    uint64_t controls_on_tick;       ///< of these snapshots: own controls were there on their tick
    uint64_t replies;                ///< to what was asked for the time
    uint32_t rtt_newest_us;          ///< of the last reply
} apex_client_stats;

apex_client_stats apex_client_stats_of(const apex_client *client);
/// From sampling controls to the first snapshot that says they were used, in microseconds.
const apex_histogram *apex_client_input_effects(const apex_client *client);
