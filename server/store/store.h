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
#include "race/race.h"

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
    const char *const *car_names; ///< by apex_standing.car
} apex_race_result;

/// The text of a results file, JSON, ended by a newline. The caller frees it. NULL: no memory.
char *apex_results_json(const apex_race_result *result);
/// The same as a table for people. The caller frees it. NULL: no memory.
char *apex_results_table(const apex_race_result *result);

typedef struct apex_store apex_store;

/// @param directory where results and `events.jsonl` go; made if it is missing. NULL: nowhere, and
/// every record counts as stored at once.
apex_err apex_store_create(const char *directory, apex_store **out);
void apex_store_destroy(apex_store *store); ///< does what is still to do first

/// Queue a record. @return its number, counting from 1; 0 if the queue is full (counted).
uint64_t apex_store_event(apex_store *store, const apex_race_event *event, const char *player,
                          uint64_t unix_us);
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
