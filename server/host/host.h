/// The server: puts the simulation tower (physics, track, driver, race) and the network tower (net)
/// together and runs the tick. Owns everything a race needs; one thread calls, except where said.
///
/// Time is an argument in microseconds of a monotonic clock; only main reads it. A server without a
/// transport is fed link events by hand, so that tests run whole races in virtual time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "content/content.h"
#include "net/net.h"
#include "proto/proto.h"
#include "race/race.h"

enum { APEX_HOST_WHY_BYTES = 640, APEX_HOST_PATH_BYTES = 256 };

typedef struct apex_server apex_server;

/// Names that drivers hold (DECISIONS 60) at all servers that are made with it. They are kept in
/// `names.txt` of the first results directory that one of those has. On the thread that ticks.
typedef struct host_held_names apex_held_names;
apex_held_names *apex_held_names_create(void); ///< NULL: no memory
/// Once none of these servers is left. NULL is fine.
void apex_held_names_destroy(apex_held_names *held);

/// Everything a server is made of. Tracks and cars are loaded already.
typedef struct apex_server_def {
    apex_race_file file;
    apex_track_def track; ///< borrowed until apex_server_create returns
    uint32_t car_count;
    apex_car_def cars[APEX_RACE_CAR_DEFS_MAX]; ///< the first is the default
    char record_path[APEX_HOST_PATH_BYTES];    ///< empty: no replay is recorded
    uint64_t record_bytes_max; ///< of a file, after which it goes on in another; 0: no limit
    uint32_t workers;          ///< beside the calling thread, 0..63
    uint32_t speed_permille;   ///< told to clients; 0: as fast as possible
    bool idles; ///< an event without end makes no ticks while nobody is here, but for a race
                ///< under way
    const char *joins_refused_why; ///< why nobody may drive here but watch, as a sentence that
                                   ///< outlives the server; NULL: one may
    bool listen;                   ///< false: all links are fed by hand
    uint32_t fed_links_max;   ///< with listen: links fed besides those of the transport, 0..16384
    uint64_t now_us, unix_us; ///< the same moment on both clocks
    uint8_t token_key[16];    ///< secret
    apex_held_names *held_names;   ///< of all races of the process, borrowed; NULL: its own
    uint32_t race;                 ///< its number among those of the process, from 1; 0: 1
    apex_used_tokens *used_tokens; ///< of all races of the process, borrowed; NULL: its own
    bool has_seal_secret;          ///< false: clients see a new key in each run
    uint8_t seal_secret[APEX_SEAL_KEY_BYTES]; ///< by which clients know the server
    uint64_t (*clock_us)(void); ///< by which the stages of a tick are measured; NULL: they are not
} apex_server_def;

/// Loads what a race file names. @return what content says, with `why` filled.
/// On success apex_track_def_free(&out->track) is the caller's to do.
apex_err apex_server_def_load(const apex_race_file *file, const char *content_directory,
                              apex_server_def *out, char why[APEX_HOST_WHY_BYTES]);

/// The same on a track that the caller has, of that name. `track` passes to `out`, and is freed
/// where the rest cannot be loaded.
apex_err apex_server_def_of(const apex_race_file *file, apex_track_def *track,
                            const char *content_directory, apex_server_def *out,
                            char why[APEX_HOST_WHY_BYTES]);

/// @return APEX_ERR_BUSY_PORT, APEX_ERR_PERMISSION, APEX_ERR_INVALID, ... with a sentence in `why`.
apex_err apex_server_create(const apex_server_def *def, apex_server **out,
                            char why[APEX_HOST_WHY_BYTES]);
void apex_server_destroy(apex_server *server); ///< NULL is fine

/// From now on these rules are for those who come, of a race file its password, password_for,
/// guests, token_needed, any_audience and lobby_keys, and the list of drivers (apex_sessions_list).
/// Who drives goes on. Only of a server that listens.
/// @return APEX_ERR_NO_MEMORY.
apex_err apex_server_admit(apex_server *server, const apex_race_file *file,
                           const apex_listed_driver drivers[], uint32_t count);

/// From now on this is the time of day: of what is stored, and by which tokens are judged. Races do
/// not depend on it. @param now_us, unix_us the same moment on both clocks.
void apex_server_set_time_of_day(apex_server *server, uint64_t now_us, uint64_t unix_us);

/// One tick: receive, ingest, step, store, capture, encode, send, record.
void apex_server_tick(apex_server *server, uint64_t now_us);

/// Of a race that runs as fast as it can (speed_permille 0): whom it waits for. Such a race waits
/// for the controls of players who drive over the network, for at most the race file's
/// controls_wait_ms; a client that lets that pass is waited for again once more of them come.
void apex_server_await(apex_server *server, uint64_t now_us);
/// Whether its next tick is to be made now, as it awaits drivers since apex_server_await. A lobby
/// that waits for players keeps real time. A race with a pace is always due.
/// @param due_us when it will be if nothing comes that it waits for.
bool apex_server_is_due(const apex_server *server, uint64_t now_us, uint64_t *due_us);
/// A round without a tick, of a server that is not due: takes in what has come and answers it.
void apex_server_hear(apex_server *server, uint64_t now_us);

/// Ends the race as it stands, stores results, tells every client why; go on ticking until
/// finished.
void apex_server_stop(apex_server *server, apex_reason reason, const char *text);
/// Nothing is left to do: stopped or the event is over, and clients have been told.
bool apex_server_finished(const apex_server *server);

/// No tick follows: what was recorded of the race is written to its end.
void apex_server_end_record(apex_server *server);

/// Nobody is here, and the newest tick was none of the race's: it only looked for newcomers.
bool apex_server_is_idle(const apex_server *server);
/// @return the time it may be left alone after such a tick; 0: it is not idle, and ticks at its
/// rate.
uint64_t apex_server_leisure_us(const apex_server *server);

uint32_t apex_server_tick_hz(const apex_server *server);
uint16_t apex_server_port(const apex_server *server); ///< 0 without a transport
/// The public key by which clients know the server, APEX_SEAL_KEY_BYTES; NULL without a transport.
const uint8_t *apex_server_seal_key(const apex_server *server);
/// The transport's sockets, to be woken by: readable when something has come. They live as long as
/// the server. @return how many, at most APEX_SOCKETS_MAX.
size_t apex_server_sockets(const apex_server *server, int sockets[APEX_SOCKETS_MAX]);
const apex_race *apex_server_race(const apex_server *server);

/// Files and the disk: may be called on another thread, one at a time, while ticks go on.
bool apex_server_has_blocking_work(apex_server *server);
/// @return false: the disk refused; what is left is for a later call.
bool apex_server_do_blocking_work(apex_server *server);

/// The loop's measure of the last tick.
void apex_server_account(apex_server *server, uint64_t work_us, uint64_t late_us);
void apex_server_account_dropped(apex_server *server, uint64_t ticks);
/// @param cpu_us processor time of the whole process, since its start
void apex_server_account_cpu(apex_server *server, uint64_t cpu_us);

/// Times of all threads of the process, since its start.
typedef struct apex_process_times {
    uint64_t now_us;
    uint64_t ran_us;
    bool tells_waits;                          ///< whether the system tells the next two
    uint64_t loop_waited_us, others_waited_us; ///< ready to run, for a processor
} apex_process_times;

/// Once a second or so: if ticks were dropped meanwhile it says why.
void apex_server_account_process(apex_server *server, const apex_process_times *times);

/// Those of tests, and those of browsers, which come by another door than the transport. With a
/// transport fed links are numbered from this on, base + 1 to base + fed_links_max; without,
/// from 1.
uint16_t apex_server_fed_links_base(const apex_server *server);
/// The function that knows the quality of a fed link; NULL: nobody knows.
void apex_server_set_fed_quality(apex_server *server,
                                 bool (*fed_quality)(const void *context, apex_link link,
                                                     apex_link_quality *out),
                                 const void *context);
/// Link events for the next tick; they must stay valid until it returns.
void apex_server_feed(apex_server *server, const apex_link_event events[], size_t count);
/// The packets that the last tick sent, and the links it closes, those of the transport included;
/// valid until the next tick.
size_t apex_server_outbox(const apex_server *server, const apex_link_packet **packets);
size_t apex_server_closing(const apex_server *server, const apex_link **links);

/// Counters of the arrival of players' controls, since the start.
typedef struct apex_controls_counters {
    uint64_t used_on_tick; ///< a sample for the tick was there
    uint64_t missed;       ///< the last one was repeated
    uint64_t late;         ///< came after their tick and were dropped
    uint64_t early;        ///< too far ahead and dropped
    /// Ticks used, by how many ticks beyond them were in hand: 0, 1, ... and all that is more.
    uint64_t depths[APEX_CONTROLS_DEPTHS];
    /// Misses in a row, counted when a sample ends them: 1, 2, 3 to 4, 5 to 8, 9 to 16, 17 to 32,
    /// 33 to 64, more.
    uint64_t gaps[APEX_CONTROLS_GAPS];
} apex_controls_counters;

apex_controls_counters apex_server_controls_counters(const apex_server *server);
const uint64_t *apex_server_session_counters(const apex_server *server);
const uint64_t *apex_server_transport_counters(const apex_server *server); ///< NULL without one
const char *apex_server_newest_results(apex_server *server); ///< path, "" before there is one
