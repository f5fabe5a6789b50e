/// The ring of records, which the race fills and the blocking worker empties. Both sides own their
/// end; the lock only covers the two numbers between them, so neither waits for the other's work.
#pragma once

#include <pthread.h>

#include "store/journal.h"
#include "store/store.h"

enum {
    STORE_RECORDS_MAX = 8192,
    STORE_FILE_STEM_BYTES = 48,
    STORE_FILE_NAME_BYTES = 64,
    STORE_FILE_PATH_BYTES = 512
};

typedef enum store_record_kind { STORE_EVENT, STORE_RESULT } store_record_kind;

typedef struct store_record {
    uint64_t number; ///< counts from 1
    store_record_kind kind;
    apex_race_event event;
    apex_penalty penalty;         // number 0: none
    char player[APEX_NAME_BYTES]; ///< of an event
    apex_store_who who;
    uint64_t unix_us;
    char *file_text;                       ///< of a result; NULL once it is written
    char file_name[STORE_FILE_STEM_BYTES]; ///< without ".json"
} store_record;

struct apex_store {
    char directory[STORE_FILE_PATH_BYTES - STORE_FILE_NAME_BYTES]; ///< empty: nothing is written
    store_journal journal;
    pthread_mutex_t lock;
    uint64_t queued;                            ///< number of the newest record
    uint64_t committed;                         ///< number of the newest record on disk
    char newest_results[STORE_FILE_PATH_BYTES]; ///< the worker's
    char newest_shown[STORE_FILE_PATH_BYTES];   ///< the caller's copy
    store_record ring[STORE_RECORDS_MAX];       ///< record n stands at n % STORE_RECORDS_MAX
};
