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

/// Everything a server is made of. Tracks and cars are loaded already.
typedef struct apex_server_def {
    apex_race_file file;
    apex_track_def track; ///< borrowed until apex_server_create returns
    uint32_t car_count;
    apex_car_def cars[APEX_RACE_CAR_DEFS_MAX]; ///< the first is the default
    char record_path[APEX_HOST_PATH_BYTES];    ///< empty: no replay is recorded
    uint32_t workers;                          ///< beside the calling thread, 0..63
    uint32_t speed_permille;                   ///< told to clients; 0: as fast as possible
    bool idles;  ///< an event without end makes no ticks while nobody is here, but for a race
                 ///< under way
    bool listen; ///< false: all links are fed by hand
    uint32_t fed_links_max;     ///< with listen: links fed besides those of the transport, 0..16384
    uint64_t now_us, unix_us;   ///< the same moment on both clocks
    uint8_t token_key[16];      ///< secret
    uint64_t (*clock_us)(void); ///< by which the stages of a tick are measured; NULL: they are not
} apex_server_def;

/// Loads what a race file names. @return what content says, with `why` filled.
/// On success apex_track_def_free(&out->track) is the caller's to do.
apex_err apex_server_def_load(const apex_race_file *file, const char *content_directory,
                              apex_server_def *out, char why[APEX_HOST_WHY_BYTES]);

/// @return APEX_ERR_BUSY_PORT, APEX_ERR_PERMISSION, APEX_ERR_INVALID, ... with a sentence in `why`.
apex_err apex_server_create(const apex_server_def *def, apex_server **out,
                            char why[APEX_HOST_WHY_BYTES]);
void apex_server_destroy(apex_server *server); ///< NULL is fine

/// One tick: receive, ingest, step, store, capture, encode, send, record.
void apex_server_tick(apex_server *server, uint64_t now_us);

/// Of a race that runs as fast as it can (speed_permille 0): whether its next tick is to be made
/// now. Such a race waits for the controls of those who drive over the network, for at most the
/// race file's controls_wait_ms (who lets that pass is waited for again once more of them come),
/// and a lobby that waits for players keeps real time. Any other race is always due.
/// @param due_us when it will be if nothing comes that it waits for.
bool apex_server_is_due(apex_server *server, uint64_t now_us, uint64_t *due_us);
/// A round without a tick, of a server that is not due: takes in what has come and answers it.
void apex_server_hear(apex_server *server, uint64_t now_us);

/// Ends the race as it stands, stores results, tells every client why; go on ticking until
/// finished.
void apex_server_stop(apex_server *server, apex_reason reason, const char *text);
/// Nothing is left to do: stopped or the event is over, and clients have been told.
bool apex_server_finished(const apex_server *server);

/// Nobody is here, and the newest tick was none of the race's: it only looked for newcomers.
bool apex_server_is_idle(const apex_server *server);
/// How long it may be left alone after such a tick; 0: it is not idle, and ticks at its rate.
uint64_t apex_server_leisure_us(const apex_server *server);

uint32_t apex_server_tick_hz(const apex_server *server);
uint16_t apex_server_port(const apex_server *server); ///< 0 without a transport
/// The transport's sockets, to be woken by: readable when something has come. They live as long as
/// the server. @return how many, at most APEX_SOCKETS_MAX.
size_t apex_server_sockets(const apex_server *server, int sockets[APEX_SOCKETS_MAX]);
const apex_race *apex_server_race(const apex_server *server);

/// Files and the disk: may be called on another thread, one at a time, while ticks go on.
bool apex_server_has_blocking_work(apex_server *server);
/// @return false: the disk refused; what is left is for a later call.
bool apex_server_do_blocking_work(apex_server *server);

/// One line of an operator: status, say TEXT, kick NAME, start, restart, quit, help. Answers on
/// `out`.
void apex_server_console(apex_server *server, const char *line, FILE *out);

/// What the loop measured about the last tick.
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

/// What the process takes of the machine. 0 is what the system does not tell.
typedef struct apex_process_figures {
    uint64_t started_unix_us;
    apex_process_times times;
    uint64_t resident_bytes, virtual_bytes;
    uint64_t open_files, files_max, threads;
} apex_process_figures;

/// @return false if there are none.
typedef bool apex_process_look_fn(apex_process_figures *out);

// --- Recordings ----------------------------------------------------------------------------------

/// A recording, to be watched like a race by as many as wish.
typedef struct apex_playback_def {
    const char *path;
    uint32_t clients_max;
    uint32_t snapshot_hz;
    apex_snapshot_preset snapshots;
    uint64_t now_us, unix_us;   ///< the same moment on both clocks
    uint64_t (*clock_us)(void); ///< what tells how much can be made in a tick; NULL: only
                                ///< apex_server_account does
    uint8_t token_key[16];      ///< secret
} apex_playback_def;

apex_playback_def apex_default_playback_def(void); ///< without path, time and key

/// A server that plays a recording: fed by hand, its ticks are apex_server_tick at the rate of
/// apex_server_tick_hz like any other's. Spectators may play, pause, change its speed and seek; it
/// begins to play when the first comes, and while nobody watches it stands still. Takes twice the
/// memory of the race until it has been looked through for marks. May be called on any thread.
/// @return APEX_ERR_NOT_FOUND, APEX_ERR_IO, APEX_ERR_CORRUPT, APEX_ERR_VERSION, APEX_ERR_STATE
/// (nothing in it yet), ... with a sentence in `why`.
apex_err apex_server_open_playback(const apex_playback_def *def, apex_server **out,
                                   char why[APEX_HOST_WHY_BYTES]);
/// Where it stands; marks live until the next tick. @return false: the race is a live one.
bool apex_server_playback(const apex_server *server, apex_playback_state *out);

// --- Links that are fed by hand -----------------------------------------------------------------

/// Those of tests, and those of browsers, which come by another door than the transport. With a
/// transport fed links are numbered from this on, base + 1 to base + fed_links_max; without,
/// from 1.
uint16_t apex_server_fed_links_base(const apex_server *server);
/// Link events for the next tick; they must stay valid until it returns.
void apex_server_feed(apex_server *server, const apex_link_event events[], size_t count);
/// What the last tick sent, and the links it closes, those of the transport included; valid until
/// the next tick.
size_t apex_server_outbox(const apex_server *server, const apex_link_packet **packets);
size_t apex_server_closing(const apex_server *server, const apex_link **links);

// --- The races of a process, and their page -----------------------------------------------------

enum { APEX_SITE_RACES_MAX = 16 };

struct uv_loop_s;

/// Some servers behind one door for browsers: race N of /api/races and /race/N, from 1, is
/// servers[N - 1].
typedef struct apex_site apex_site;

typedef struct apex_site_def {
    struct uv_loop_s *loop; ///< borrowed
    apex_listen listen;     ///< off: the servers are ticked, and that is all
    const char *origins, *hosts, *proxies, *token, *replays_dir; ///< as in apex_web_file; copied
    uint64_t now_us;
    uint64_t (*clock_us)(void); ///< as in apex_playback_def
    apex_process_look_fn *look; ///< at the process; NULL: its figures are left out
    uint8_t token_key[16];      ///< secret; for those who watch recordings
} apex_site_def;

/// Servers stay the caller's, and must outlive the site. @return as apex_web_create.
apex_err apex_site_create(const apex_site_def *def, apex_server *const servers[],
                          uint32_t server_count, apex_site **out, char why[APEX_HOST_WHY_BYTES]);
/// The loop has to run once more before it is closed. NULL is fine.
void apex_site_destroy(apex_site *site);
uint16_t apex_site_port(const apex_site *site); ///< 0 where it is off
/// Links that each server must have room for (fed_links_max).
uint32_t apex_site_links_max(const apex_listen *listen, uint32_t clients_max);
/// apex_server_is_due of servers[race]; of one that is not, what has come over the web and else is
/// heard first.
bool apex_site_is_due(apex_site *site, uint32_t race, uint64_t now_us, uint64_t *due_us);
/// One tick of servers[race], with what came for it over the web. Of one that has finished its
/// recording is ended, and nothing is ticked any more.
void apex_site_tick(apex_site *site, uint32_t race, uint64_t now_us);
/// Answers requests that wait. After each turn of the loop.
void apex_site_serve(apex_site *site, uint64_t now_us);

// --- Figures ------------------------------------------------------------------------------------

/// How the players' controls arrived, since the start.
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

// --- Programs -----------------------------------------------------------------------------------

/// Re-simulates a replay and compares every recorded hash and keyframe. Says what it found on
/// `out`.
/// @return APEX_OK, APEX_ERR_MISMATCH, or what was wrong with the file.
apex_err apex_replay_verify(const char *path, uint32_t workers, FILE *out);
