/// The wire as plain C values: limits, messages, encode and decode. Both ends use it; it knows no
/// server, no client and no transport. Thread-safe: nothing here has state.
///
/// Values that we write are asserted; bytes off the wire are checked, in every build: apex_decode_*
/// return false with a reason and never assert, log or allocate beyond the scratch they are given.
/// wire.proto says what each message means; PROTOCOL.md when it is sent.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/car_flags.h"
#include "proto/delta.h"
#include "proto/race_control.h"
#include "proto/race_numbers.h"
#include "proto/wire_limits.h"

#define APEX_PROTOCOL_VERSION 3u

enum {
    APEX_CHANNEL_RELIABLE = 0,
    APEX_CHANNEL_STATE = 1,
    APEX_CHANNEL_COUNT = 2,
    APEX_CHANNEL_EITHER = 255, ///< of a link that is one stream: what came over a WebSocket
};

typedef enum apex_def_kind { APEX_DEF_NONE, APEX_DEF_CAR, APEX_DEF_TRACK } apex_def_kind;

/// Numbers as in wire.proto's Reason.
typedef enum apex_reason {
    APEX_REASON_NONE,
    APEX_REASON_VERSION,
    APEX_REASON_SERVER_FULL,
    APEX_REASON_RACE_FULL,
    APEX_REASON_PASSWORD,
    APEX_REASON_UNKNOWN_CAR,
    APEX_REASON_ALREADY_JOINED,
    APEX_REASON_BAD_NAME,
    APEX_REASON_OUT_OF_ORDER,
    APEX_REASON_BAD_MESSAGE,
    APEX_REASON_RATE,
    APEX_REASON_KICKED,
    APEX_REASON_SHUTDOWN,
    APEX_REASON_TIMEOUT,
    APEX_REASON_RACE_CLOSED,
    APEX_REASON_ADDRESS_LIMIT,
    APEX_REASON_UNKNOWN_DEF,
    APEX_REASON_EVENT_OVER,
    APEX_REASON_RESUMED,
    APEX_REASON_IDLE,
    APEX_REASON_SEAL_NEEDED,
    APEX_REASON_SERVER_KEY,
    APEX_REASON_KEY,
    APEX_REASON_KEY_NEEDED,
    APEX_REASON_NAME_HELD,
    APEX_REASON_NOT_LISTED,
    APEX_REASON_TOKEN_NEEDED,
    APEX_REASON_TOKEN_INVALID,
    APEX_REASON_TOKEN_ISSUER,
    APEX_REASON_TOKEN_AUDIENCE,
    APEX_REASON_TOKEN_EARLY,
    APEX_REASON_TOKEN_EXPIRED,
    APEX_REASON_TOKEN_HOLDER,
    APEX_REASON_TOKEN_USED,
    APEX_REASON_LOCKDOWN,
    APEX_REASON_COUNT
} apex_reason;

const char *apex_reason_name(apex_reason reason); ///< "server-full"
const char *apex_reason_text(apex_reason reason); ///< a sentence for people

enum { APEX_LOBBY_TEXT_BYTES = 96 };
/// Writes what a lobby waits for and how long: "waiting for 2 more drivers; starts in 23 s with who
/// is here". @param start_players 0: the operator's word. @param left_us 0: for ever.
/// @return false, and "", if nothing is waited for any more.
bool apex_lobby_text(uint32_t start_players, uint32_t players, uint64_t left_us,
                     char out[APEX_LOBBY_TEXT_BYTES]);

/// @return whether a text may stand in a message: UTF-8 without control characters and without
/// those that break a line or turn its direction.
bool apex_wire_text_ok(const char *text, size_t length);
/// Copies a text so that it may stand in a message: what a decoder would refuse becomes '?', and
/// what does not fit is cut off at the end of a character. The rest of `out` is zeroed. For texts
/// that come from operators, files and other programs.
void apex_wire_text(char *out, size_t size, const char *text);

typedef struct apex_hello {
    uint32_t protocol_version;
    char client[APEX_WIRE_NAME_BYTES];
    bool has_token;
    uint8_t resume_token[APEX_TOKEN_BYTES];
} apex_hello;

/// Who somebody says to be; all zero: a guest.
typedef struct apex_identity {
    bool has_key;
    uint8_t key[APEX_WIRE_KEY_BYTES];
    uint8_t signature[APEX_WIRE_SIGNATURE_BYTES];
    uint32_t token_length; ///< 0: none
    uint8_t token[APEX_WIRE_LOBBY_TOKEN_BYTES];
} apex_identity;

typedef struct apex_join {
    char name[APEX_WIRE_NAME_BYTES];
    char car[APEX_WIRE_NAME_BYTES];
    char password[APEX_WIRE_NAME_BYTES];
    apex_identity identity;
} apex_join;

typedef struct apex_spectate {
    char password[APEX_WIRE_NAME_BYTES];
    apex_identity identity;
} apex_spectate;

/// Twin of physics' apex_controls; host and the predictor convert.
typedef struct apex_control_sample {
    int16_t steer;
    uint8_t throttle, brake, clutch, handbrake;
    int8_t gear;
    uint8_t shift_up, shift_down, reset, aids_off;
} apex_control_sample;

/// The delta snapshots that have come.
typedef struct apex_snapshot_ack {
    uint32_t newest; ///< 1 + the sequence of the newest, 1..65536; 0: none yet
    uint32_t before; ///< bit i: the one with the sequence newest - 2 - i, too
    uint32_t repair; ///< 1 + the sequence of the newest not decoded; 0: none since
} apex_snapshot_ack;

typedef struct apex_controls_message {
    uint32_t first_tick;
    uint32_t sample_count;
    apex_control_sample samples[APEX_CONTROLS_SAMPLES_MAX];
    apex_snapshot_ack ack;
} apex_controls_message;

typedef enum apex_snapshot_encoding {
    APEX_ENCODING_FULL,
    APEX_ENCODING_DELTA
} apex_snapshot_encoding;

typedef struct apex_subscribe {
    uint32_t snapshot_hz, telemetry_hz;
    bool server_stats, standings;
    apex_snapshot_encoding encoding;
    uint32_t snapshot_bytes; ///< longest delta, APEX_DELTA_BYTES_MIN..MAX; 0: the server's choice
    uint32_t focus_car;      ///< a spectator's; 0: the server's choice, and no telemetry
    bool own_car;
    bool sectors;        ///< with standings
    uint32_t nearest_hz; ///< 0..240: cars side by side, between snapshots; 0: not told so
} apex_subscribe;

typedef enum apex_play_wish { APEX_PLAY_KEEP, APEX_PLAY_ON, APEX_PLAY_PAUSE } apex_play_wish;

/// A wish for a recording; fields that are 0 change nothing.
typedef struct apex_playback_wish {
    apex_play_wish play;
    uint32_t speed_permille; ///< APEX_PLAYBACK_SPEED_PERMILLE_MIN..MAX
    uint32_t seek;           ///< 1 + the tick to go to
} apex_playback_wish;

/// Numbers of the envelope's fields; 10 and 12 are no message's.
typedef enum apex_client_message_kind {
    APEX_CLIENT_HELLO = 1,
    APEX_CLIENT_JOIN,
    APEX_CLIENT_SPECTATE,
    APEX_CLIENT_LEAVE,
    APEX_CLIENT_DEF_REQUEST,
    APEX_CLIENT_TIME_REQUEST,
    APEX_CLIENT_SUBSCRIBE,
    APEX_CLIENT_CONTROLS,
    APEX_CLIENT_SNAPSHOT_ACK,
    APEX_CLIENT_PLAYBACK = 11,
    APEX_CLIENT_PIT_PLAN = 13,
    APEX_CLIENT_MESSAGE_KINDS
} apex_client_message_kind;

typedef struct apex_client_message {
    apex_client_message_kind kind;
    union {
        apex_hello hello;
        apex_join join;
        apex_spectate spectate;
        uint64_t def_hash;
        uint64_t client_us;
        apex_subscribe subscribe;
        apex_controls_message controls;
        apex_snapshot_ack snapshot_ack;
        apex_playback_wish playback;
        apex_wire_pit_plan pit_plan;
    };
    uint64_t secret; ///< that of the newest Welcome; 0: none
} apex_client_message;

typedef struct apex_def_name {
    apex_def_kind kind;
    char name[APEX_WIRE_NAME_BYTES];
    uint64_t hash;
    uint32_t length;
} apex_def_name;

/// Twin of the parts of physics' apex_world_def that decide how a car drives.
typedef struct apex_world_rules {
    uint32_t physics_version;
    uint32_t substep_hz; ///< 0: not told
    double gravity_mps2, air_density_kg_per_m3;
    uint32_t damage; ///< as physics' apex_damage_mode
    bool fuel_burns, tyres_wear, temperatures;
} apex_world_rules;

typedef struct apex_welcome {
    uint32_t protocol_version;
    char server[APEX_WIRE_NAME_BYTES];
    uint8_t resume_token[APEX_TOKEN_BYTES];
    uint32_t tick_hz, snapshot_hz, tick, speed_permille;
    char race[APEX_WIRE_NAME_BYTES * 2];
    uint32_t laps, player_capacity;
    bool password_needed;
    uint32_t resume_grace_s;
    bool watching_open; ///< the password is for driving
    uint64_t secret;    ///< which some messages must carry from now on; 0: none is needed
    bool has_challenge; ///< then there is a key of the server, too
    uint8_t server_key[APEX_WIRE_KEY_BYTES];
    uint8_t challenge[APEX_WIRE_CHALLENGE_BYTES];
    bool key_needed, token_needed;
    uint32_t def_count;
    apex_def_name defs[APEX_WIRE_DEFS_MAX];
    apex_world_rules world;
} apex_welcome;

/// Reject, Goodbye.
typedef struct apex_refusal {
    apex_reason reason;
    char text[APEX_WIRE_TEXT_BYTES];
    bool closing; ///< Reject only
} apex_refusal;

typedef struct apex_joined {
    uint32_t player, car;
    char car_def[APEX_WIRE_NAME_BYTES];
    bool resumed;
} apex_joined;

typedef struct apex_def_content {
    apex_def_kind kind;
    char name[APEX_WIRE_NAME_BYTES];
    uint64_t hash;
    const uint8_t *bytes; ///< decode: into the scratch
    size_t length;
} apex_def_content;

typedef struct apex_time_reply {
    uint64_t client_us;
    uint32_t tick, into_tick_us;
} apex_time_reply;

#define APEX_ANGLE_UNITS_PER_RAD      (32768.0 / 3.14159265358979323846)
#define APEX_YAW_RATE_UNITS_PER_RADPS 1024.0

/// A car as integers: what is captured once a tick and sent. Units as in wire.proto's Car.
typedef struct apex_wire_car {
    uint32_t id;
    int32_t x_mm, y_mm, z_mm;
    int16_t yaw_q, pitch_q, roll_q;
    int16_t vx_cmps, vy_cmps, vz_cmps;
    int16_t yaw_rate_q;
    int16_t steer_q;
    uint16_t rpm;
    int8_t gear;
    uint8_t throttle, brake, flags, damage;
    uint32_t damage_zones;
} apex_wire_car;

typedef struct apex_own_wheel {
    float spin_radps;
    float deflection_long_m, deflection_lat_m;
    float travel_m, travel_mps;
    float temperature_c, brake_temperature_c;
    float wear;
} apex_own_wheel;

/// Twin of physics' apex_car_state: everything that decides a car's future, bit for bit.
typedef struct apex_own_car {
    double position_m[3];
    double orientation[4];
    float velocity_mps[3], angular_radps[3];
    apex_own_wheel wheels[APEX_WIRE_WHEELS_MAX];
    uint32_t wheel_count;
    float steer_rad, engine_radps, fuel_kg, ballast_kg;
    float boost, slipstream, shift_left_s;
    float lean_rad, lean_radps;
    float acceleration_mps2[2];
    float damage[APEX_WIRE_ZONES];
    int8_t gear, gear_before;
    uint8_t shift_up_seen, shift_down_seen, reset_seen;
    uint8_t flags; ///< APEX_CAR_FLAG_*, but OFF_ROAD, and APEX_OWN_FLAG_COUNTERS_KNOWN
} apex_own_car;

/// @return whether it may stand in a snapshot: all numbers finite and within the range in which a
/// car drives, the orientation a unit.
bool apex_own_car_ok(const apex_own_car *own);
/// Bytes it takes in a snapshot.
size_t apex_own_car_bytes(const apex_own_car *own);

typedef struct apex_snapshot_message {
    uint32_t tick;
    uint32_t phase; ///< apex_wire_phase
    int32_t race_time_ms;
    uint32_t part, parts;
    uint32_t controls_tick;
    int32_t controls_depth; ///< ticks in hand, least since the snapshot before
    uint32_t car_count;
    const apex_wire_car *cars; ///< decode: into the scratch
    const uint8_t *delta; ///< NULL: cars; else bytes of delta.h, and all before is 0. Decode: into
                          ///< the scratch
    size_t delta_length;  ///< at most APEX_DELTA_BYTES_MAX
    const apex_own_car *own; ///< NULL: not in this part; decode: into the scratch
    bool lacks_controls;     ///< of what a viewer made of a delta: it tells nothing of them
} apex_snapshot_message;

typedef struct apex_wheel_telemetry {
    float load_n, slip_ratio, slip_angle_rad, force_long_n, force_lat_n, friction, spin_radps;
    float temperature_c;
    uint32_t surface;
    bool sliding;
} apex_wheel_telemetry;

typedef struct apex_telemetry {
    uint32_t tick, car;
    float speed_mps, rpm;
    int32_t gear;
    float throttle, brake, steer_rad;
    float acceleration_x_mps2, acceleration_y_mps2;
    float lap_m, offset_m, fuel_kg;
    uint32_t wheel_count;
    apex_wheel_telemetry wheels[APEX_WIRE_WHEELS_MAX];
} apex_telemetry;

typedef struct apex_count {
    char name[APEX_WIRE_NAME_BYTES];
    uint64_t count;
} apex_count;

typedef struct apex_server_stats {
    uint32_t tick, uptime_s, clients, players;
    uint32_t tick_us_p50, tick_us_p99, tick_us_max, late_us_p99, ticks_dropped;
    uint64_t bytes_in, bytes_out, packets_in, packets_out;
    uint64_t controls_used, controls_missed;
    uint64_t controls_depths[APEX_CONTROLS_DEPTHS]; ///< ticks used, by ticks in hand beyond them
    uint64_t controls_gaps[APEX_CONTROLS_GAPS];     ///< misses in a row
    uint64_t cpu_us;                                ///< processor time of the server, all threads
    uint32_t refused_count;
    const apex_count *refused; ///< decode: into the scratch
} apex_server_stats;

typedef struct apex_race_event_message {
    uint32_t kind; ///< apex_wire_event
    uint32_t tick, race_number, player, other;
    int64_t value;
    uint64_t time_us;
    char name[APEX_WIRE_NAME_BYTES];       ///< of player
    char other_name[APEX_WIRE_NAME_BYTES]; ///< of other
} apex_race_event_message;

/// The events from before the viewer came, oldest first.
typedef struct apex_past_events {
    uint32_t event_count;
    const apex_race_event_message *events; ///< decode: into the scratch
} apex_past_events;

typedef struct apex_race_state {
    uint32_t phase, race_number;
    int64_t race_time_us;
    uint32_t laps, players, running;
    uint32_t start_players; ///< lobby: so many form the grid at once; 0: an operator does
    uint64_t lobby_left_us; ///< lobby: until the grid forms with fewer; 0: not by itself
    uint64_t seed;          ///< of this race
} apex_race_state;

typedef struct apex_roster_entry {
    uint32_t player, car;
    char name[APEX_WIRE_NAME_BYTES];
    char car_def[APEX_WIRE_NAME_BYTES];
    bool driven_by_server;
    bool has_driver; ///< else a guest
    uint8_t driver[APEX_WIRE_DRIVER_BYTES];
} apex_roster_entry;

typedef struct apex_roster {
    bool complete;
    uint32_t entry_count;
    const apex_roster_entry *entries; ///< decode: into the scratch
} apex_roster;

typedef struct apex_wire_standing {
    uint32_t position, player;
    char name[APEX_WIRE_NAME_BYTES];
    char car_def[APEX_WIRE_NAME_BYTES];
    uint32_t state; ///< apex_wire_standing_state
    uint32_t laps;
    float lap_m;
    uint64_t last_lap_us, best_lap_us, total_us, gap_us;
    uint32_t grid;
    uint32_t sector_count;                     ///< 0: nothing is told of sectors
    uint32_t sector;                           ///< the one under way
    uint64_t sector_us[APEX_WIRE_SECTORS_MAX]; ///< those from `sector` on are of the lap before
    uint64_t best_sector_us[APEX_WIRE_SECTORS_MAX];
    bool kicked, not_started;
    // Of events with sessions or rules; 0 in others.
    uint32_t class1; ///< of apex_race_session.classes, from 1; 0: none
    uint32_t class_position;
    uint32_t number;           ///< start number; 0: none
    uint64_t best_counting_us; ///< of the laps that count, in this session
    uint64_t penalty_us;       ///< added to his time so far
    uint32_t pit;              ///< apex_wire_pit
    uint32_t stops;            ///< with work done, in this session
    uint32_t lap_voids;        ///< bits, of the lap under way
    uint32_t incident_points;
    uint32_t points;    ///< in this event so far
    uint32_t status;    ///< apex_wire_result
    uint64_t ideal_us;  ///< with sectors, like the next: the sum of the best ones
    uint32_t trap_cmps; ///< the most at the speed trap
} apex_wire_standing;

typedef struct apex_standings {
    uint32_t tick, total;
    uint32_t line_count;
    const apex_wire_standing *lines;                ///< decode: into the scratch
    uint32_t sector_count;                          ///< 0: nothing is told of sectors
    uint64_t best_sector_us[APEX_WIRE_SECTORS_MAX]; ///< anybody's
} apex_standings;

typedef struct apex_results {
    uint32_t race_number;
    char track[APEX_WIRE_NAME_BYTES];
    uint32_t laps;
    uint64_t state_hash;
    uint32_t line_count, apart_count;
    const apex_wire_standing *lines; ///< the classification. decode: into the scratch
    const apex_wire_standing *apart; ///< those who never took the start; likewise
    uint64_t seed;                   ///< of the race
} apex_results;

typedef struct apex_notice {
    char text[APEX_WIRE_TEXT_BYTES];
} apex_notice;

typedef struct apex_playback_mark {
    uint32_t tick;
    uint32_t kind; ///< apex_wire_event
    uint32_t player;
} apex_playback_mark;

/// The position of a recording and how it plays.
typedef struct apex_playback_state {
    uint32_t tick, last_tick;
    bool playing, seeking;
    uint32_t speed_permille;         ///< APEX_PLAYBACK_SPEED_PERMILLE_MIN..MAX
    uint32_t epoch;                  ///< counts jumps
    uint32_t mark_count;             ///< 0: those told before stand
    const apex_playback_mark *marks; ///< decode: into the scratch
} apex_playback_state;

typedef enum apex_server_message_kind {
    APEX_SERVER_WELCOME = 1,
    APEX_SERVER_REJECT,
    APEX_SERVER_JOINED,
    APEX_SERVER_DEF,
    APEX_SERVER_TIME_REPLY,
    APEX_SERVER_SNAPSHOT,
    APEX_SERVER_TELEMETRY,
    APEX_SERVER_STATS,
    APEX_SERVER_RACE_EVENT,
    APEX_SERVER_RACE_STATE,
    APEX_SERVER_ROSTER,
    APEX_SERVER_STANDINGS,
    APEX_SERVER_RESULTS,
    APEX_SERVER_NOTICE,
    APEX_SERVER_GOODBYE,
    APEX_SERVER_PLAYBACK_STATE,
    APEX_SERVER_PAST_EVENTS,
    APEX_SERVER_SESSION_STATE,
    APEX_SERVER_PENALTIES,
    APEX_SERVER_CONDUCT,
    APEX_SERVER_MESSAGE_KINDS
} apex_server_message_kind;

typedef struct apex_server_message {
    apex_server_message_kind kind;
    union {
        apex_welcome welcome;
        apex_refusal reject;
        apex_joined joined;
        apex_def_content def;
        apex_time_reply time_reply;
        apex_snapshot_message snapshot;
        apex_telemetry telemetry;
        apex_server_stats stats;
        apex_race_event_message event;
        apex_past_events past_events;
        apex_race_state race_state;
        apex_roster roster;
        apex_standings standings;
        apex_results results;
        apex_notice notice;
        apex_refusal goodbye;
        apex_playback_state playback_state;
        apex_race_session session;
        apex_penalties penalties;
        apex_conduct conduct;
    };
} apex_server_message;

/// @return whether `kind` is one of a client's messages; between the first and the last there are
/// numbers without a message.
bool apex_is_client_message_kind(int kind);
/// The channel a message of this kind travels on, either way.
int apex_client_message_channel(apex_client_message_kind kind);
int apex_server_message_channel(apex_server_message_kind kind);

/// @return bytes written, or 0 if they do not fit into `capacity`. Values outside their range are
/// the caller's fault and asserted.
size_t apex_encode_client(const apex_client_message *message, uint8_t *out, size_t capacity);
size_t apex_encode_server(const apex_server_message *message, uint8_t *out, size_t capacity);

/// Memory a decode may use; what it hands out points into it.
typedef struct apex_scratch {
    void *memory; ///< aligned for any type
    size_t bytes;
} apex_scratch;

/// @param why set to a static sentence when false is returned ("controls: steer is outside
/// -32767..32767"); may be NULL. Names and texts are UTF-8 without control characters, or refused.
bool apex_decode_client(const uint8_t *bytes, size_t length, apex_scratch scratch,
                        apex_client_message *out, const char **why);
bool apex_decode_server(const uint8_t *bytes, size_t length, apex_scratch scratch,
                        apex_server_message *out, const char **why);

/// Cuts sorted cars into parts: how many of the first `count` fit into one message of `capacity`
/// bytes by the exact length of each, whatever the message's other fields hold. At most
/// APEX_SNAPSHOT_CARS_MAX.
uint32_t apex_snapshot_fit(const apex_wire_car cars[], uint32_t count, size_t capacity);
