// The race fills the queue on one thread while another writes it out, and several races write
// names. labels: tsan
#include "test_store_scene.h"

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>

#include "support/base/check_main.h"

// The ring is nearly full when the worker begins, and goes round while it works.
enum { EVENTS = 10000, ALONE = 8000, RESULT_EVERY = 1000 };

typedef struct worker {
    apex_store *store;
    _Atomic bool stop;
    uint32_t failures;
} worker;

static void *work(void *context) {
    worker *own = context;
    while (!atomic_load(&own->stop)) {
        own->failures += apex_store_work(own->store) != APEX_OK;
    }
    return NULL;
}

static size_t line_feeds(const char *path) {
    size_t length = 0;
    size_t count = 0;
    char *text = store_read(path, &length);
    for (size_t i = 0; text != NULL && i < length; i++) {
        count += text[i] == '\n';
    }
    free(text);
    return count;
}

static uint64_t put(apex_store *store, int64_t value, uint64_t *results) {
    if (value % RESULT_EVERY == 0) {
        apex_race_result result = {.race_number = (uint32_t)(value / RESULT_EVERY), .laps = 1};
        uint64_t number = apex_store_result(store, &result);
        *results += number != 0;
        return number;
    }
    apex_race_event event = {.kind = APEX_EVENT_SECTOR, .value = value};
    return apex_store_event(store, &event, &(apex_store_player){.name = "driver"}, 1);
}

static void assert_all_in_order(const char *path) {
    size_t length = 0;
    char *text = store_read(path, &length);
    int64_t value = 0;
    for (char *line = text, *end; line < text + length; line = end + 1) {
        value += (value + 1) % RESULT_EVERY == 0 ? 2 : 1;
        end = memchr(line, '\n', (size_t)(text + length - line));
        ck_assert_ptr_nonnull(end);
        *end = '\0'; // what looks for text in a line looks no further
        const char *found = strstr(line, "\"value\":");
        ck_assert_ptr_nonnull(found);
        ck_assert_int_eq(strtoll(found + 8, NULL, 10), value);
    }
    ck_assert_int_eq(value, EVENTS - 1);
    free(text);
}

TEST(a_worker_beside_the_race_loses_and_doubles_nothing) {
    store_folder_make();
    char path[STORE_PATH_BYTES];
    store_path(path, "events.jsonl");
    worker beside = {0};
    ck_assert_int_eq(apex_store_create(store_folder, &beside.store), APEX_OK);
    pthread_t thread;
    uint64_t results = 0;
    uint64_t committed = 0;
    for (int64_t value = 1; value <= EVENTS; value++) {
        if (value == ALONE) {
            ck_assert_int_eq(pthread_create(&thread, NULL, work, &beside), 0);
        }
        uint64_t number = put(beside.store, value, &results);
        while (number == 0) { // full: the disk is behind
            sched_yield();
            number = put(beside.store, value, &results);
        }
        ck_assert_uint_eq(number, (uint64_t)value);
        uint64_t now = apex_store_committed(beside.store);
        ck_assert_uint_ge(now, committed);
        ck_assert_uint_le(now, number);
        committed = now;
        if (value % 1000 == 0) { // read after the number, so the file may only be ahead of it
            ck_assert_uint_ge(line_feeds(path), now - now / RESULT_EVERY);
            (void)apex_store_newest_results(beside.store);
        }
    }
    while (apex_store_has_work(beside.store)) {
        sched_yield();
    }
    atomic_store(&beside.stop, true);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert_uint_eq(beside.failures, 0);
    ck_assert_uint_eq(apex_store_committed(beside.store), EVENTS);
    apex_store_destroy(beside.store);
    assert_all_in_order(path);
    ck_assert_uint_eq(results, EVENTS / RESULT_EVERY);
    ck_assert_uint_eq(store_files_in(store_folder), 1 + EVENTS / RESULT_EVERY);
    store_folder_drop();
}

typedef struct names_worker {
    apex_names *names;
    _Atomic bool *stop;
    uint32_t failures;
} names_worker;

static void *write_names(void *context) {
    names_worker *own = context;
    while (!atomic_load(own->stop)) {
        own->failures += apex_names_work(own->names) != APEX_OK;
    }
    return NULL;
}

TEST(several_races_write_each_name_once_and_in_order) {
    enum { WRITERS = 3, NAMES = 200, AT_A_TIME = 10 };
    store_folder_make();
    apex_names *names = NULL;
    ck_assert_int_eq(apex_names_open(store_folder, &names), APEX_OK);
    _Atomic bool stop = false;
    pthread_t threads[WRITERS];
    names_worker workers[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        workers[i] = (names_worker){.names = names, .stop = &stop};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, write_names, &workers[i]), 0);
    }
    for (uint64_t i = 0; i < NAMES; i++) {
        const apex_held_name line = {.unix_s = 1700000000 + i, .driver = {1}, .name = "Ada"};
        ck_assert(apex_names_put(names, &line));
        while (i % AT_A_TIME == 0 && apex_names_has_work(names)) { // all of them are after it
        }
    }
    atomic_store(&stop, true);
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        ck_assert_uint_eq(workers[i].failures, 0);
    }
    apex_names_close(names);
    ck_assert_int_eq(apex_names_open(store_folder, &names), APEX_OK);
    apex_held_name *read = NULL;
    size_t count = 0;
    ck_assert_int_eq(apex_names_read(names, &read, &count), APEX_OK);
    ck_assert_uint_eq(count, NAMES);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(read[i].unix_s, 1700000000 + i);
    }
    free(read);
    apex_names_close(names);
    store_folder_drop();
}
