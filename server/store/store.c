// The store: records are queued by the race, and written to the disk by the worker.
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/json_writer.h"
#include "store/disk.h"
#include "store/ring.h"
#include "store/store_validator.h"
#include "store/who.h"

enum {
    BATCH_MAX = 512,
    NAMES_MAX = 1000, ///< that are tried for a file
};

// How put_event begins each line, by which a journal is known for one.
static const char EVENT_FORM[] = "{'unix_us':#,'race':#,'tick':#,'event':'";

static apex_err open_directory(apex_store *store, const char *directory) {
    int printed = snprintf(store->directory, sizeof store->directory, "%s", directory);
    if (printed < 0 || (size_t)printed >= sizeof store->directory) {
        return APEX_ERR_INVALID;
    }
    bool is_new = mkdir(directory, 0755) == 0;
    if (!is_new && errno != EEXIST) {
        return apex_err_from_errno(errno);
    }
    apex_err err = is_new ? store_sync_folder_of(directory) : APEX_OK;
    if (err != APEX_OK) {
        (void)rmdir(directory); // else the next start would take it for one that is on disk
        return err;
    }
    char path[STORE_FILE_PATH_BYTES];
    snprintf(path, sizeof path, "%s/events.jsonl", store->directory);
    store_journal_def def = {.path = path, .form = EVENT_FORM};
    return store_journal_open(&store->journal, &def);
}

apex_err apex_store_create(const char *directory, apex_store **out) {
    APEX_ASSERT(out != NULL);
    apex_store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    store->journal.file = -1;
    pthread_mutex_init(&store->lock, NULL);
    apex_err err =
        directory != NULL && directory[0] != '\0' ? open_directory(store, directory) : APEX_OK;
    if (err != APEX_OK) {
        apex_store_destroy(store);
        return err;
    }
    // Touched now, so that a server's memory does not grow while the ring is walked the first time.
    for (size_t i = 0; i < STORE_RECORDS_MAX; i++) {
        store->ring[i].player[0] = '?';
    }
    *out = store;
    return APEX_OK;
}

void apex_store_limit_journal(apex_store *store, uint64_t bytes_max, uint32_t files_max) {
    APEX_ASSERT(store != NULL && store->queued == 0);
    store->journal.def.bytes_max = bytes_max;
    store->journal.def.files_max = files_max;
}

void apex_store_destroy(apex_store *store) {
    if (store == NULL) {
        return;
    }
    if (store->journal.file >= 0) {
        (void)apex_store_work(store);
    }
    for (uint64_t number = store->committed + 1; number <= store->queued; number++) {
        free(store->ring[number % STORE_RECORDS_MAX].file_text);
    }
    store_journal_close(&store->journal);
    pthread_mutex_destroy(&store->lock);
    free(store);
}

static bool writes(const apex_store *store) {
    return store->directory[0] != '\0';
}

static uint64_t read_locked(apex_store *store, const uint64_t *number) {
    pthread_mutex_lock(&store->lock);
    uint64_t value = *number;
    pthread_mutex_unlock(&store->lock);
    return value;
}

// The slot of the next record, which the worker does not look at before publish().
static store_record *next_record(apex_store *store) {
    if (store->queued - read_locked(store, &store->committed) >= STORE_RECORDS_MAX - 1) {
        return NULL;
    }
    return &store->ring[(store->queued + 1) % STORE_RECORDS_MAX];
}

static uint64_t publish(apex_store *store) {
    uint64_t number = store->queued + 1;
    store->ring[number % STORE_RECORDS_MAX].number = number;
    pthread_mutex_lock(&store->lock);
    store->queued = number;
    if (!writes(store)) {
        store->committed = number;
    }
    pthread_mutex_unlock(&store->lock);
    return number;
}

uint64_t apex_store_event(apex_store *store, const apex_race_event *event,
                          const apex_store_player *player, uint64_t unix_us) {
    APEX_ASSERT(store != NULL && event != NULL && player != NULL && player->name != NULL);
    APEX_ASSERT((uint32_t)event->kind < APEX_EVENT_KINDS);
    store_record *slot = next_record(store);
    if (slot == NULL) {
        return 0;
    }
    slot->kind = STORE_EVENT;
    slot->event = *event;
    slot->penalty = player->penalty != NULL ? *player->penalty : (apex_penalty){.number = 0};
    slot->who = player->who;
    slot->unix_us = unix_us;
    slot->file_text = NULL;
    snprintf(slot->player, sizeof slot->player, "%s", player->name);
    return publish(store);
}

uint64_t apex_store_result(apex_store *store, const apex_race_result *result) {
    APEX_ASSERT(store != NULL && result != NULL);
    store_record *slot = next_record(store);
    if (slot == NULL) {
        return 0;
    }
    slot->kind = STORE_RESULT;
    slot->file_text = writes(store) ? apex_results_json(result) : NULL;
    if (writes(store) && slot->file_text == NULL) {
        return 0;
    }
    time_t whole = (time_t)(result->ended_unix_us / 1000000u);
    struct tm utc = {0};
    gmtime_r(&whole, &utc);
    char stamp[32];
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &utc);
    snprintf(slot->file_name, sizeof slot->file_name, "%s-race-%u", stamp, result->race_number);
    return publish(store);
}

// What it is about, as it was then: its number alone would tell nothing once the event is over.
static void put_penalty(apex_json_writer *json, const apex_penalty *penalty) {
    apex_json_open(json, "penalty", '{');
    apex_json_text(json, "kind", apex_penalty_kind_name(penalty->kind));
    apex_json_real(json, "amount", penalty->amount, 9);
    apex_json_text(json, "offence", apex_offence_name(penalty->offence));
    apex_json_text(json, "state", apex_penalty_state_name(penalty->state));
    apex_json_count(json, "lap", penalty->lap);
    apex_json_count(json, "added_us", penalty->added_us);
    apex_json_bool(json, "by_stewards", penalty->by_stewards);
    apex_json_close(json);
}

static void put_event(apex_text_writer *lines, const store_record *entry) {
    apex_json_writer json = apex_json_begin(*lines, APEX_JSON_COMPACT);
    apex_json_open(&json, NULL, '{');
    apex_json_count(&json, "unix_us", entry->unix_us);
    apex_json_count(&json, "race", entry->event.race_number);
    apex_json_count(&json, "tick", entry->event.tick);
    apex_json_text(&json, "event", apex_race_event_name(entry->event.kind));
    apex_json_text(&json, "player", entry->player);
    store_put_driver(&json, &entry->who);
    apex_json_integer(&json, "value", entry->event.value);
    apex_json_count(&json, "time_us", entry->event.time_us);
    if (entry->penalty.number != 0) {
        put_penalty(&json, &entry->penalty);
    }
    apex_json_close(&json);
    apex_text_put(&json.text, "\n", 1);
    *lines = json.text;
}

// All of them together, so that a write that is made again makes nothing twice.
static apex_err append(apex_store *store, uint64_t first, uint64_t last) {
    apex_text_writer lines = apex_text_growing();
    for (uint64_t number = first; number <= last; number++) {
        put_event(&lines, &store->ring[number % STORE_RECORDS_MAX]);
    }
    apex_err err = lines.is_cut ? (apex_err)APEX_ERR_NO_MEMORY
                                : store_journal_append(&store->journal, lines.bytes, lines.length);
    free(lines.bytes);
    return err;
}

// A name that is taken, by a race of the same second before a restart or by a stranger, gets a
// number behind it: <time>-race-1-2.json.
static void name_result(const apex_store *store, const store_record *entry, unsigned number,
                        char path[STORE_FILE_PATH_BYTES]) {
    if (number == 1) {
        snprintf(path, STORE_FILE_PATH_BYTES, "%s/%s.json", store->directory, entry->file_name);
    } else {
        snprintf(path, STORE_FILE_PATH_BYTES, "%s/%s-%u.json", store->directory, entry->file_name,
                 number);
    }
}

static apex_err write_result(apex_store *store, store_record *entry) {
    char path[STORE_FILE_PATH_BYTES];
    apex_err err = APEX_ERR_EXISTS;
    for (unsigned number = 1; err == APEX_ERR_EXISTS && number <= NAMES_MAX; number++) {
        name_result(store, entry, number, path);
        err = store_write_new_file(path, entry->file_text, strlen(entry->file_text));
    }
    if (err != APEX_OK) {
        return err;
    }
    free(entry->file_text);
    entry->file_text = NULL;
    pthread_mutex_lock(&store->lock);
    memcpy(store->newest_results, path, sizeof path);
    pthread_mutex_unlock(&store->lock);
    return APEX_OK;
}

// @return the last of the events that begin with the first.
static uint64_t end_of_events(const apex_store *store, uint64_t first, uint64_t queued) {
    uint64_t last = first;
    while (last < queued && last - first + 1 < BATCH_MAX &&
           store->ring[(last + 1) % STORE_RECORDS_MAX].kind == STORE_EVENT) {
        last++;
    }
    return last;
}

// Events go into one write; then the result that follows.
static apex_err work_batch(apex_store *store, uint64_t first, uint64_t queued, uint64_t *done) {
    APEX_ASSERT(first <= queued && queued - first < STORE_RECORDS_MAX);
    uint64_t next = first;
    if (store->ring[first % STORE_RECORDS_MAX].kind == STORE_EVENT) {
        uint64_t last = end_of_events(store, first, queued);
        apex_err err = append(store, first, last);
        if (err != APEX_OK) {
            return err;
        }
        *done = last;
        next = last + 1;
    }
    store_record *entry = &store->ring[next % STORE_RECORDS_MAX];
    if (next > queued || entry->kind != STORE_RESULT) {
        return APEX_OK;
    }
    apex_err err = write_result(store, entry);
    *done = err == APEX_OK ? next : next - 1;
    return err;
}

apex_err apex_store_work(apex_store *store) {
    APEX_ASSERT(store != NULL);
    uint64_t queued = read_locked(store, &store->queued);
    uint64_t done = read_locked(store, &store->committed);
    apex_err err = APEX_OK;
    APEX_VALIDATE(store_validate(store));
    while (writes(store) && err == APEX_OK && done < queued) {
        err = work_batch(store, done + 1, queued, &done);
        pthread_mutex_lock(&store->lock);
        APEX_ASSERT(done >= store->committed && done <= store->queued);
        store->committed = done;
        pthread_mutex_unlock(&store->lock);
    }
    return err;
}

bool apex_store_has_work(apex_store *store) {
    APEX_ASSERT(store != NULL);
    return read_locked(store, &store->queued) != read_locked(store, &store->committed);
}

uint64_t apex_store_committed(apex_store *store) {
    APEX_ASSERT(store != NULL);
    return read_locked(store, &store->committed);
}

uint64_t apex_store_waiting(apex_store *store) {
    APEX_ASSERT(store != NULL);
    pthread_mutex_lock(&store->lock);
    uint64_t waiting = store->queued - store->committed;
    pthread_mutex_unlock(&store->lock);
    return waiting;
}

const char *apex_store_newest_results(apex_store *store) {
    APEX_ASSERT(store != NULL);
    pthread_mutex_lock(&store->lock);
    memcpy(store->newest_shown, store->newest_results, sizeof store->newest_shown);
    pthread_mutex_unlock(&store->lock);
    return store->newest_shown;
}
