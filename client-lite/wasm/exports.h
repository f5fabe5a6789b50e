/// The client library for a page: a WebAssembly module, one client an instance. JavaScript is its
/// transport, its clock and its reader; server/web/page/src/race/ holds the other half.
/// DECISIONS 33 says why the page is this library.
///
/// It calls what is exported below with the time in microseconds of any clock that does not run
/// backwards, and offers the imports. What a function returns as an address is good until the next
/// call: memory may have grown or been written again. Texts are JSON in UTF-8, with the names of
/// race.ts.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define APEX_EXPORT(name) __attribute__((export_name(#name)))
#define APEX_IMPORT(name) __attribute__((import_module("apex"), import_name(#name)))

/// Another link is to be opened; the one there was is of no use any more.
APEX_IMPORT(link_open) void page_link_open(void);
/// One message. `reliable` 0: it may be dropped where the link is choked.
APEX_IMPORT(link_send)
void page_link_send(const uint8_t *bytes, uint32_t length, uint32_t reliable);
/// Closes when what was sent is delivered.
APEX_IMPORT(link_close) void page_link_close(void);
/// The driver's key is JavaScript's, and signs there: `signature`, 64 bytes, is what PROTOCOL.md
/// section 11 asks for over both, 32 bytes each, without a seal; `key` is the public half.
/// @return 0: he comes as a guest, and nothing was written.
APEX_IMPORT(prove)
uint32_t page_prove(const uint8_t *server_key, const uint8_t *challenge, uint8_t *key,
                    uint8_t *signature);
/// The token of a lobby, into room for APEX_WIRE_LOBBY_TOKEN_BYTES. @return its length; 0: none.
APEX_IMPORT(token) uint32_t page_token(uint8_t *bytes);

// server/web/page/numbers.js reads the enums of this file for TypeScript.

/// RESUMES: a client that finds the player of its token gone watches.
enum { PAGE_SPECTATES = 1, PAGE_RESUMES = 2 };

/// Memory for what the page hands over next. @return NULL when out of memory.
APEX_EXPORT(input) uint8_t *export_input(uint32_t bytes);
/// Begins. The input holds name, car, password, the server's host and the token of a Welcome (or
/// nothing) whose player is to be taken over, each ended by a zero; the page opens the first link
/// of its own accord. @param wishes PAGE_SPECTATES, PAGE_RESUMES, or 0.
/// @return an apex_err, 0 when all is well.
APEX_EXPORT(begin) int export_begin(uint32_t input_length, uint32_t port, uint32_t wishes);
APEX_EXPORT(link_opened) void export_link_opened(double now_us);
APEX_EXPORT(link_closed) void export_link_closed(double now_us);
/// A message, which lies in the input. Read events and notices before the next.
APEX_EXPORT(link_received) void export_link_received(uint32_t length, double now_us);
/// A call took long, or something else of the page did: how long answers took says nothing.
APEX_EXPORT(was_deaf) void export_was_deaf(double now_us);
/// Says what is due and minds the time-outs.
APEX_EXPORT(update) void export_update(double now_us);
APEX_EXPORT(leave) void export_leave(double now_us);
/// While RECONNECTING, when the next link is tried; 0 else.
APEX_EXPORT(next_try) double export_next_try(void);
/// Does not wait until then.
APEX_EXPORT(try_now) void export_try_now(double now_us);
/// An apex_client_state.
APEX_EXPORT(state) int export_state(void);

// A driver needs the track's ground, and laying it takes longer than a page's only thread has. A
// worker has an instance of its own that only lays; the block that comes of it is given to the
// instance that waits.

/// In the worker: lays the track whose definition is the input. @return the length of the block
/// that export_laid_bytes is; 0: it cannot be laid.
APEX_EXPORT(lay_ground) uint32_t export_lay_ground(uint32_t length);
APEX_EXPORT(laid_bytes) const uint8_t *export_laid_bytes(void);
/// The track's definition: {"hash": text, "bytes": [address, count]}. @return the text's length; 0:
/// it is not here yet.
APEX_EXPORT(track_def) uint32_t export_track_def(void);
/// @return whether the join waits for the ground.
APEX_EXPORT(awaits_ground) uint32_t export_awaits_ground(void);
/// Memory for a block. @return NULL when out of memory.
APEX_EXPORT(ground_room) uint8_t *export_ground_room(uint32_t bytes);
/// The block is there, and belongs to the client now; `length` 0: the client is to lay it itself.
APEX_EXPORT(take_ground) void export_take_ground(uint32_t length, double now_us);

typedef enum page_subject {
    PAGE_STATUS, ///< player, car, why it closed, what was refused
    PAGE_WELCOME,
    PAGE_ROSTER,
    PAGE_RACE_STATE,
    PAGE_STANDINGS,
    PAGE_RESULTS,
    PAGE_TELEMETRY,
    PAGE_PLAYBACK,
    PAGE_EVENTS,  ///< of the newest message, like the next
    PAGE_NOTICES, ///< the number of these two says how many there are
    PAGE_DEFS,    ///< has no text of its own
    PAGE_MARKS,   ///< of the recording that is played
    PAGE_PAST,    ///< events of before one came; as PAGE_EVENTS
    PAGE_SUBJECTS
} page_subject;

/// A number for each subject that changes when there is something new to read.
APEX_EXPORT(news) const uint32_t *export_news(void);
/// Writes what is known of a subject. @return its length; 0: nothing is.
APEX_EXPORT(text) uint32_t export_text(uint32_t subject);
APEX_EXPORT(text_bytes) const char *export_text_bytes(void);

typedef enum page_stat {
    PAGE_RTT_MS,
    PAGE_BYTES_IN,
    PAGE_BYTES_OUT,
    PAGE_SNAPSHOTS,
    PAGE_DELAY_MS,
    PAGE_PREDICTED_TICK, ///< to which the own car is foretold; 0: it is not
    PAGE_PREDICTION_ERROR_M,
    // apex_client_rival_errors
    PAGE_RIVALS_COMPARED,
    PAGE_RIVALS_LATE,
    PAGE_RIVAL_ALONG_P50_M,
    PAGE_RIVAL_ALONG_P95_M,
    PAGE_RIVAL_ACROSS_P50_M,
    PAGE_RIVAL_ACROSS_P95_M,
    PAGE_RIVAL_HORIZON_P50_MS,
    PAGE_RIVAL_HORIZON_P99_MS,
    PAGE_RIVAL_CORRECTION_P99_MPS,
    PAGE_RIVAL_CORRECTION_MAX_MPS,
    PAGE_TOUCHES_CAME,
    PAGE_TOUCHES_PHANTOM,
    PAGE_TOUCHES_UNFORESEEN,
    PAGE_STATS
} page_stat;

APEX_EXPORT(stats) const double *export_stats(void);

/// Numbers of a car at a moment: columns of a row.
typedef enum page_pose_field {
    PAGE_POSE_CAR,
    PAGE_POSE_X,
    PAGE_POSE_Y,
    PAGE_POSE_Z,
    PAGE_POSE_YAW,
    PAGE_POSE_PITCH,
    PAGE_POSE_ROLL,
    PAGE_POSE_VX,
    PAGE_POSE_VY,
    PAGE_POSE_VZ,
    PAGE_POSE_YAW_RATE,
    PAGE_POSE_STEER, ///< of the wheels
    PAGE_POSE_RPM,
    PAGE_POSE_GEAR,
    PAGE_POSE_THROTTLE, ///< 0 to 1, like brake and damage
    PAGE_POSE_BRAKE,
    PAGE_POSE_FLAGS, ///< APEX_CAR_FLAG_*
    PAGE_POSE_DAMAGE,
    PAGE_POSE_TICK,  ///< the moment, by the server's count
    PAGE_POSE_STALE, ///< 1: nothing was heard of it for a while; it stands where it was last
    PAGE_POSE_FIELDS
} page_pose_field;

/// Every car as it is to be seen (apex_client_ahead): a driver's own first, where controls set now
/// will act, the others sorted by id, those near it at the same moment. @return the number of rows
/// at export_pose_rows.
APEX_EXPORT(poses) uint32_t export_poses(double now_us);
/// Every car as the server told of it a moment ago (apex_client_shown), sorted by id; in the same
/// rows.
APEX_EXPORT(told_poses) uint32_t export_told_poses(double now_us);
APEX_EXPORT(pose_rows) const double *export_pose_rows(void);

/// Numbers of a touch of the own car with another: columns of a row.
typedef enum page_touch_field {
    PAGE_TOUCH_CAR,  ///< the other
    PAGE_TOUCH_TICK, ///< in the step to which it began
    PAGE_TOUCH_IMPULSE_NS,
    PAGE_TOUCH_X,
    PAGE_TOUCH_Y,
    PAGE_TOUCH_FIELDS
} page_touch_field;

/// Touches that began in the newest frame of `poses` (apex_client_touches), PAGE_TOUCHES_MAX at
/// most. @return the number of rows at export_touch_rows.
APEX_EXPORT(touches) uint32_t export_touches(void);
APEX_EXPORT(touch_rows) const double *export_touch_rows(void);

/// Its name is the input. @return length of the text, 0: not known.
APEX_EXPORT(car_shape) uint32_t export_car_shape(uint32_t name_length);
/// The track as lines: a text in which [address, count] stand for numbers in memory, doubles all
/// but the terrain's: heights are floats, surfaces bytes. @return its length; 0: not known.
APEX_EXPORT(outline) uint32_t export_outline(void);
/// They have been read; they are freed.
APEX_EXPORT(outline_done) void export_outline_done(void);

typedef enum page_control {
    PAGE_STEER,
    PAGE_THROTTLE,
    PAGE_BRAKE,
    PAGE_CLUTCH,
    PAGE_HANDBRAKE,
    PAGE_GEAR,
    PAGE_SHIFT_UP,
    PAGE_SHIFT_DOWN,
    PAGE_RESET,
    PAGE_AIDS_OFF,
    PAGE_CONTROLS
} page_control;

/// The memory into which controls are to be written, by page_control; then they are set.
APEX_EXPORT(controls) double *export_controls(void);
APEX_EXPORT(set_controls) void export_set_controls(void);

/// 0: the server's choice.
APEX_EXPORT(focus) void export_focus(uint32_t car);
/// Of a recording. @param play an apex_play_wish. @param seek 1 + the tick; 0 like the pace: as it
/// is.
APEX_EXPORT(play) void export_play(uint32_t play, uint32_t speed_permille, uint32_t seek);
