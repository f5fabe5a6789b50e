// Stored, then told: numbers come back only when the disk has said that it has them.
#include "test_store_scene.h"

#include <errno.h>

#include "support/base/check_main.h"
#include "support/store/disk_calls.h"

// 2026-03-01T12:00:00Z
#define NOON_US   (UINT64_C(1772366400) * 1000000u)
#define FILE_NAME "20260301-120000-race-1.json"

enum { ASKED_MAX = 8, BATCH = 512 };

static apex_store *store;

// What the store said of its records at the beginning of each sync.
static uint64_t told[ASKED_MAX];
static unsigned asked;

static void ask(void) {
    ck_assert_uint_lt(asked, ASKED_MAX);
    told[asked++] = apex_store_committed(store);
}

static void begin(void) {
    store_folder_make();
    disk_calls_watch(store_folder);
    ck_assert_int_eq(apex_store_create(store_folder, &store), APEX_OK);
    disk_calls_forget();
    asked = 0;
    disk_calls_at_sync(ask);
}

static void end(void) {
    disk_calls_at_sync(NULL);
    apex_store_destroy(store);
    store_folder_drop();
}

static void put_events(uint64_t count) {
    apex_race_event event = {.kind = APEX_EVENT_LAP};
    for (uint64_t i = 0; i < count; i++) {
        ck_assert_uint_gt(
            apex_store_event(store, &event, &(apex_store_player){.name = "ada"}, NOON_US), 0);
    }
}

static void put_result(void) {
    apex_race_result result = {.race_number = 1, .laps = 1, .ended_unix_us = NOON_US};
    ck_assert_uint_gt(apex_store_result(store, &result), 0);
}

static size_t lines_written(void) {
    char path[STORE_PATH_BYTES];
    store_path(path, "events.jsonl");
    size_t length = 0, lines = 0;
    char *text = store_read(path, &length);
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n';
    }
    free(text);
    return lines;
}

TEST(nothing_is_told_before_its_sync) {
    begin();
    put_events(2);
    put_result();
    put_events(1);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    // The events before the result; its file, then its folder; what came behind it.
    static const uint64_t expected[] = {0, 0, 0, 3};
    ck_assert_uint_eq(asked, 4);
    ck_assert_mem_eq(told, expected, sizeof expected);
    ck_assert_uint_eq(apex_store_committed(store), 4);
    end();
}

TEST(what_failed_to_sync_is_not_told) {
    begin();
    put_events(3);
    disk_calls_fail(DISK_SYNC_DATA, 0, EIO);
    ck_assert_int_eq(apex_store_work(store), APEX_ERR_IO);
    ck_assert_uint_eq(apex_store_committed(store), 0);
    ck_assert_uint_eq(apex_store_waiting(store), 3);
    ck_assert(apex_store_has_work(store));
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(apex_store_committed(store), 3);
    ck_assert_uint_eq(apex_store_waiting(store), 0);
    ck_assert_uint_eq(lines_written(), 3); // not once more for the try that failed
    end();
}

// Of its file, and of the folder that holds its name.
TEST_OVER(a_result_that_failed_to_sync_is_not_told, 0, 2) {
    begin();
    put_events(2);
    put_result();
    put_events(1);
    disk_calls_fail(DISK_SYNC, (unsigned)_i, ENOSPC);
    ck_assert_int_eq(apex_store_work(store), APEX_ERR_FULL);
    ck_assert_uint_eq(apex_store_committed(store), 2);
    ck_assert_uint_eq(apex_store_waiting(store), 2);
    ck_assert_str_eq(apex_store_newest_results(store), "");
    ck_assert_uint_eq(lines_written(), 2);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(apex_store_committed(store), 4);
    ck_assert_uint_eq(lines_written(), 3);
    char newest[STORE_PATH_BYTES];
    store_path(newest, FILE_NAME);
    ck_assert_str_eq(apex_store_newest_results(store), newest);
    end();
}

TEST(a_batch_has_one_write_and_one_sync) {
    begin();
    put_events(BATCH);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(disk_calls_count(DISK_WRITE), 1);
    ck_assert_uint_eq(disk_calls_count(DISK_SYNC_DATA), 1);
    put_events(BATCH + 1);
    disk_calls_forget();
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(disk_calls_count(DISK_WRITE), 2);
    ck_assert_uint_eq(disk_calls_count(DISK_SYNC_DATA), 2);
    // The first of them may be told while the second is on its way.
    static const uint64_t expected[] = {0, BATCH, 2 * BATCH};
    ck_assert_uint_eq(asked, 3);
    ck_assert_mem_eq(told, expected, sizeof expected);
    ck_assert_uint_eq(lines_written(), 2 * BATCH + 1);
    end();
}

// The name of the folder is on disk with the folder above it.
TEST(a_folder_that_is_made_is_on_disk) {
    store_folder_make();
    disk_calls_watch(store_folder);
    char folder[STORE_PATH_BYTES];
    store_path(folder, "results");
    ck_assert_int_eq(apex_store_create(folder, &store), APEX_OK);
    ck_assert_str_eq(disk_calls_kept(), "fsync .\nfsync results\n");
    apex_store_destroy(store);
    disk_calls_forget();
    ck_assert_int_eq(apex_store_create(folder, &store), APEX_OK); // it has been there
    ck_assert_str_eq(disk_calls_kept(), "fsync results\n");
    apex_store_destroy(store);
    store_folder_empty(folder);
    ck_assert_int_eq(rmdir(folder), 0);
    disk_calls_fail(DISK_SYNC, 0, EIO);
    ck_assert_int_eq(apex_store_create(folder, &store), APEX_ERR_IO);
    ck_assert_int_ne(access(folder, F_OK), 0); // the next start makes it, and syncs it, again
    store_folder_drop();
}
