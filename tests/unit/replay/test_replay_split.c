// A recording of several files: where they part, and that each is a recording of its own.
#include "test_replay_tape.h"

#include <sys/resource.h>

#include "base/hash.h"
#include "base/log.h"
#include "support/base/check_main.h"
#include "support/base/heap_count.h"

static void begin_split(uint64_t bytes_max) {
    store_folder_make();
    store_path(path, "race.apexr");
    tape_begin(&written, path);
    apex_replay_split_at(written.writer, bytes_max);
}

static apex_replay_reader *open_named(const char *name) {
    char at[STORE_PATH_BYTES];
    store_path(at, name);
    apex_replay_reader *reader = NULL;
    char why[160] = "";
    apex_err err = apex_replay_open(at, &reader, why);
    ck_assert_msg(err == APEX_OK, "%s: %s", name, why);
    return reader;
}

// Reads a file from its first step to its end, and compares. @return the tick behind it
static uint64_t assert_steps(const char *name, uint64_t first) {
    apex_replay_reader *reader = open_named(name);
    ck_assert_uint_eq(apex_replay_header_of(reader)->first_tick, first);
    apex_race *again = tape_race(written.track);
    char why[160] = "";
    apex_replay_step step;
    uint64_t tick = first;
    while (apex_replay_next(reader, &step, why) == APEX_OK) {
        ck_assert_uint_eq(step.tick, tick);
        ck_assert_msg(tape_step_equal(&written, &step), "step %u", (unsigned)tick);
        if (tick == first && first > 0) {
            ck_assert(step.has_keyframe);
            ck_assert_int_eq(apex_race_restore(again, step.keyframe.bytes, step.keyframe.length),
                             APEX_OK);
            ck_assert_uint_eq(apex_world_tick(apex_race_world(again)), first);
        }
        for (uint32_t i = 0; i < step.command_count; i++) {
            ck_assert_int_eq(apex_race_apply(again, &step.commands[i]), APEX_OK);
        }
        apex_race_tick(again, step.controls, NULL);
        ck_assert(!step.has_hash || step.hash == apex_race_hash(again));
        tick++;
    }
    ck_assert_str_eq(why, ""); // closed
    apex_replay_extent extent;
    ck_assert_int_eq(apex_replay_survey(reader, &extent), APEX_OK);
    ck_assert_uint_eq(extent.ticks, tick);
    ck_assert(extent.is_closed);
    apex_race_destroy(again);
    apex_replay_reader_close(reader);
    return tick;
}

static void close_recording(void) {
    ck_assert_int_eq(apex_replay_close(written.writer), APEX_OK);
    written.writer = NULL;
}

static uint64_t bytes_of(const char *name) {
    char at[STORE_PATH_BYTES];
    struct stat info;
    store_path(at, name);
    ck_assert_int_eq(stat(at, &info), 0);
    return (uint64_t)info.st_size;
}

TEST(a_full_recording_goes_on_in_another) {
    begin_split(1); // each chunk is too long
    tape_run(&written, STORE_CHUNK_TICKS_MAX - 1);
    ck_assert_str_eq(apex_replay_path_of(written.writer), path);
    ck_assert_uint_eq(store_files_in(store_folder), 1);
    tape_run(&written, STORE_CHUNK_TICKS_MAX + 102);
    char second[STORE_PATH_BYTES];
    store_path(second, "race-3.apexr");
    ck_assert_str_eq(apex_replay_path_of(written.writer), second);
    close_recording();
    ck_assert_uint_eq(store_files_in(store_folder), 3);
    ck_assert_uint_eq(assert_steps("race.apexr", 0), 600);
    ck_assert_uint_eq(assert_steps("race-2.apexr", 600), 1200);
    ck_assert_uint_eq(assert_steps("race-3.apexr", 1200), 1301);
    tape_end(&written);
    store_folder_drop();
}

// The oldest of a folder are removed while a long one is written: names tell which came first.
TEST(a_name_that_was_removed_is_not_used_again) {
    begin_split(1);
    tape_run(&written, STORE_CHUNK_TICKS_MAX);
    ck_assert_int_eq(unlink(path), 0);
    tape_run(&written, STORE_CHUNK_TICKS_MAX + 100);
    close_recording();
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_uint_eq(assert_steps("race-2.apexr", STORE_CHUNK_TICKS_MAX),
                      2 * STORE_CHUNK_TICKS_MAX);
    ck_assert_uint_gt(bytes_of("race-3.apexr"), 0);
    tape_end(&written);
    store_folder_drop();
}

// The header counts, and the chunk that passes the limit is the last.
TEST(a_recording_is_parted_at_its_limit) {
    begin_split(0);
    tape_run(&written, 2 * STORE_CHUNK_TICKS_MAX);
    uint64_t two_chunks = bytes_of("race.apexr");
    tape_end(&written);
    store_folder_drop();
    for (uint64_t more = 0; more <= 1; more++) {
        begin_split(two_chunks + more);
        tape_run(&written, 2 * STORE_CHUNK_TICKS_MAX);
        ck_assert_uint_eq(store_files_in(store_folder), 2 - more);
        tape_end(&written);
        store_folder_drop();
    }
}

TEST(a_recording_that_goes_on_can_be_entered_anywhere) {
    begin_split(1);
    tape_run(&written, STORE_CHUNK_TICKS_MAX);
    tape_end(&written);
    apex_replay_reader *reader = open_named("race-2.apexr"); // with nothing in it yet
    apex_replay_extent extent;
    apex_replay_blob keyframe;
    ck_assert_int_eq(apex_replay_survey(reader, &extent), APEX_OK);
    ck_assert_uint_eq(extent.ticks, 600);
    ck_assert_uint_eq(apex_replay_chunk_of(reader, 600), 0);
    ck_assert_int_eq(apex_replay_seek(reader, 600, &keyframe, NULL), APEX_ERR_RANGE);
    apex_replay_reader_close(reader);
    store_folder_drop();
    begin_split(1);
    tape_run(&written, 2 * STORE_CHUNK_TICKS_MAX);
    tape_end(&written);
    reader = open_named("race-2.apexr");
    ck_assert_int_eq(apex_replay_survey(reader, &extent), APEX_OK);
    ck_assert_uint_eq(extent.ticks, 1200);
    ck_assert_uint_eq(apex_replay_chunk_of(reader, 1100), 600);
    ck_assert_int_eq(apex_replay_seek(reader, 0, &keyframe, NULL), APEX_ERR_RANGE);
    ck_assert_int_eq(apex_replay_seek(reader, 600, &keyframe, NULL), APEX_OK);
    ck_assert_uint_gt(keyframe.length, 0);
    apex_replay_step step;
    ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_OK);
    ck_assert_uint_eq(step.tick, 600);
    apex_replay_reader_close(reader);
    store_folder_drop();
}

// What is recorded is worth more than a limit.
TEST(where_no_other_file_can_be_begun_the_recording_grows) {
    begin_split(1);
    tape_run(&written, STORE_CHUNK_TICKS_MAX - 1);
    struct rlimit limit, none;
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    bool is_low = setrlimit(RLIMIT_NOFILE, &none) == 0;
    tape_run(&written, 1);
    bool is_high = setrlimit(RLIMIT_NOFILE, &limit) == 0;
    ck_assert(is_low && is_high);
    ck_assert_uint_eq(store_files_in(store_folder), 1);
    tape_run(&written, STORE_CHUNK_TICKS_MAX + 10);
    close_recording();
    ck_assert_uint_eq(assert_steps("race.apexr", 0), 1200);
    ck_assert_uint_eq(assert_steps("race-2.apexr", 1200), 1210);
    tape_end(&written);
    store_folder_drop();
}

// The first tick is under the header's checksum, and makes sense.
TEST(a_first_tick_that_makes_no_sense_is_refused) {
    begin_split(1);
    tape_run(&written, STORE_CHUNK_TICKS_MAX);
    tape_end(&written);
    store_path(path, "race-2.apexr");
    size_t length = 0;
    char *bytes = store_read(path, &length);
    uint32_t header_bytes = 0;
    memcpy(&header_bytes, bytes + 12, 4);
    size_t at = STORE_REPLAY_PREFIX_BYTES + header_bytes - 8;
    static const struct {
        uint64_t first;
        apex_err err;
    } cases[] = {{600, APEX_OK},
                 {0, APEX_ERR_CORRUPT},
                 {UINT64_MAX / 2, APEX_OK},
                 {UINT64_MAX / 2 + 1, APEX_ERR_CORRUPT},
                 {UINT64_MAX, APEX_ERR_CORRUPT}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(bytes + at, &cases[i].first, 8);
        store_write(path, bytes, length);
        apex_replay_reader *reader = NULL;
        ck_assert_int_eq(apex_replay_open(path, &reader, NULL),
                         i == 0 ? APEX_OK : APEX_ERR_CORRUPT); // the checksum
        apex_replay_reader_close(i == 0 ? reader : NULL);
        uint64_t hash = apex_hash_bytes(bytes + STORE_REPLAY_PREFIX_BYTES, header_bytes, 0);
        memcpy(bytes + 16, &hash, 8);
        store_write(path, bytes, length);
        apex_err err = apex_replay_open(path, &reader, NULL);
        ck_assert_int_eq(err, cases[i].err);
        if (err == APEX_OK) {
            apex_replay_reader_close(reader);
        }
        memcpy(bytes + at, &cases[0].first, 8);
        hash = apex_hash_bytes(bytes + STORE_REPLAY_PREFIX_BYTES, header_bytes, 0);
        memcpy(bytes + 16, &hash, 8);
    }
    // Nor is a header that has none of what its format says.
    bytes[8] = (char)STORE_REPLAY_FORMAT_LATER;
    header_bytes -= 8;
    memcpy(bytes + 12, &header_bytes, 4);
    uint64_t hash = apex_hash_bytes(bytes + STORE_REPLAY_PREFIX_BYTES, header_bytes, 0);
    memcpy(bytes + 16, &hash, 8);
    store_write(path, bytes, length);
    apex_replay_reader *reader = NULL;
    ck_assert_int_eq(apex_replay_open(path, &reader, NULL), APEX_ERR_CORRUPT);
    free(bytes);
    store_folder_drop();
}

TEST(going_on_in_another_file_allocates_nothing) {
    if (!heap_count_works()) {
        return; // a sanitizer owns the heap
    }
    begin_split(1);
    apex_log_set_level(APEX_LOG_ERROR); // the log has a heap of its own
    heap_count_start();
    for (uint32_t tick = 0; tick < 2 * STORE_CHUNK_TICKS_MAX + 10; tick++) {
        apex_race_tick(written.race, written.given, NULL);
        (void)apex_replay_tick(written.writer, written.race);
    }
    heap_count calls = heap_count_stop();
    ck_assert_uint_eq(calls.allocs, 0);
    ck_assert_uint_eq(calls.frees, 0);
    tape_end(&written);
    ck_assert_uint_eq(store_files_in(store_folder), 3);
    store_folder_drop();
}
