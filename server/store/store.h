/// The store keeps what must survive: race events and results. Nothing here knows a client or a
/// loop.
///
/// "Stored, then told": a caller hands in records and gets their numbers back once they are on
/// disk.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "identity/identity.h"
#include "race/race.h"

/// Who a player is. Zeros: a guest.
typedef struct apex_store_who {
    bool is_server;  ///< a bot
    bool has_driver; ///< has proved a key; the next is its fingerprint
    uint8_t driver[APEX_FINGERPRINT_BYTES];
} apex_store_who;

/// A finished race as it goes into a file.
typedef struct apex_race_result {
    uint32_t race_number;
    char race[APEX_TITLE_BYTES];
    char track[APEX_NAME_BYTES];
    uint32_t laps;
    bool complete; ///< false: ended early by an operator or a signal
    uint64_t started_unix_us, ended_unix_us;
    uint64_t ticks;
    uint64_t state_hash;
    uint64_t event_seed,
        seed; ///< the seed that gives the whole event again; of this race, made of it
    uint32_t line_count;
    const apex_standing *lines; ///< the classification, in order
    uint32_t apart_count;
    const apex_standing *apart;   ///< players who never took the start
    const apex_store_who *who;    ///< of lines, and after them of apart; NULL: nobody knows
    const char *const *car_names; ///< by apex_standing.car
} apex_race_result;

/// The text of a results file, JSON, ended by a newline. The caller frees it. NULL: no memory.
char *apex_results_json(const apex_race_result *result);
/// The same as a table for people. The caller frees it. NULL: no memory.
char *apex_results_table(const apex_race_result *result);

typedef struct apex_store apex_store;

/// @param directory where results and `events.jsonl` go; made if it is missing. NULL: nowhere, and
/// every record counts as stored at once.
/// @return APEX_ERR_EXISTS: `events.jsonl` there is no journal of ours, and is left alone;
/// APEX_ERR_IN_USE; what the disk says.
apex_err apex_store_create(const char *directory, apex_store **out);
/// Before the first record. A full journal becomes `events-<n>.jsonl`, n one above the highest
/// that is there, and a new one begins: whoever reads all of them takes them by n, `events.jsonl`
/// last. A line is never parted. @param bytes_max of a file; 0: no limit, as without this call
/// @param files_max full ones that are kept, the newest; 0: all
void apex_store_limit_journal(apex_store *store, uint64_t bytes_max, uint32_t files_max);
void apex_store_destroy(apex_store *store); ///< does what is still to do first

/// The player that an event is about.
typedef struct apex_store_player {
    const char *name;
    apex_store_who who;
    const apex_penalty *penalty; ///< that the event is about, copied; NULL: about none
} apex_store_player;

/// Queue a record. @return its number, counting from 1; 0 if the queue is full (counted).
uint64_t apex_store_event(apex_store *store, const apex_race_event *event,
                          const apex_store_player *player, uint64_t unix_us);
/// Goes to `<time>-race-<number>.json`; where that name is taken, to the first free one of
/// `<time>-race-<number>-2.json` and so on. Copies what it needs.
uint64_t apex_store_result(apex_store *store, const apex_race_result *result);

/// Blocking work on queued records: one thread at a time, any thread, beside the others above and
/// below. A record that failed stays queued and is tried again by the next call.
/// @return APEX_OK, or what the disk said: APEX_ERR_IO, APEX_ERR_FULL, APEX_ERR_PERMISSION,
/// APEX_ERR_NOT_FOUND (directory), APEX_ERR_NO_MEMORY.
apex_err apex_store_work(apex_store *store);
bool apex_store_has_work(apex_store *store);
/// Every record up to this number is on disk.
uint64_t apex_store_committed(apex_store *store);
/// The number of records that are not on disk yet.
uint64_t apex_store_waiting(apex_store *store);
/// Name of the newest results file, "" before there is one. Valid until the next call.
const char *apex_store_newest_results(apex_store *store);

enum { APEX_STORE_NAMES_MAX = 65536 };

/// A name and the driver who holds it, a line of `names.txt`:
///
///     seconds of 1970 when he last came by it, his fingerprint, and the name
///
/// with a space between. Of several lines about a name the last one counts. What is no such line is
/// left out, and said in the log.
typedef struct apex_held_name {
    uint64_t unix_s;
    uint8_t driver[APEX_FINGERPRINT_BYTES];
    char name[APEX_NAME_BYTES];
} apex_held_name;

/// `names.txt`, which all races of a process share.
typedef struct apex_names apex_names;

/// @param directory which is there. The file is made with the first name.
/// @return APEX_ERR_EXISTS: the file there is none of ours, and is left alone; APEX_ERR_IN_USE,
/// APEX_ERR_INVALID (the path is too long), or what the disk says.
apex_err apex_names_open(const char *directory, apex_names **out);
void apex_names_close(apex_names *names); ///< does what is still to do first; NULL is fine
const char *apex_names_path(const apex_names *names);
/// Lines of the file as it was when it was opened, in their order. The caller frees them.
/// @return APEX_ERR_NO_MEMORY, or what the disk said.
apex_err apex_names_read(const apex_names *names, apex_held_name **out, size_t *count);
/// Puts a file of these in the place of the one that was read, whole or not at all. Before any
/// line is queued.
apex_err apex_names_replace(apex_names *names, const apex_held_name list[], size_t count);
/// Queues a line, on one thread. @return false: no room until apex_names_work has made some.
bool apex_names_put(apex_names *names, const apex_held_name *name);
bool apex_names_has_work(apex_names *names);
/// Blocking work on queued lines: on any thread, and several take turns. What failed stays queued.
/// @return what the disk said.
apex_err apex_names_work(apex_names *names);
