// What a disk may do to a recording: take a part of what it is given, be interrupted, fail when the
// file is closed; and which files are made of a name.
#define _GNU_SOURCE // syscall
#include "test_replay_tape.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/base/check_main.h"

enum { SHORT_BYTES = 7, FILE_BYTES = 3000 };

// In front of the C library's. Of each write while `is_short` the first bytes are taken, and each
// other write is interrupted; the close to come fails once the file is closed.
static bool is_short, close_fails;
static unsigned writes;

ssize_t write(int file, const void *bytes, size_t length) {
    if (is_short && ++writes % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    size_t taken = is_short && length > SHORT_BYTES ? SHORT_BYTES : length;
    return syscall(SYS_write, file, bytes, taken);
}

int close(int file) {
    int result = (int)syscall(SYS_close, file);
    if (close_fails) {
        close_fails = false;
        errno = EIO;
        return -1;
    }
    return result;
}

TEST(a_disk_that_takes_a_little_at_a_time_gets_all) {
    is_short = true;
    begin();
    tape_run(&written, 50);
    tape_end(&written);
    is_short = false;
    ck_assert_uint_gt(writes, 50);
    apex_replay_reader *reader = opened();
    char why[160] = "";
    apex_replay_step step;
    uint32_t steps = 0;
    for (; apex_replay_next(reader, &step, why) == APEX_OK; steps++) {
        ck_assert(tape_step_equal(&written, &step));
    }
    ck_assert_uint_eq(steps, 50);
    ck_assert_str_eq(why, ""); // it was closed
    apex_replay_reader_close(reader);
    store_folder_drop();
}

TEST(a_close_that_fails_is_told) {
    begin();
    tape_run(&written, 5);
    close_fails = true;
    ck_assert_int_eq(apex_replay_close(written.writer), APEX_ERR_IO);
    written.writer = NULL;
    tape_end(&written);
    store_folder_drop();
}

static void begin_named(const char *name) {
    store_path(path, name);
    tape_begin(&written, path);
}

TEST(a_folders_dot_is_no_files) {
    store_folder_make();
    char folder[STORE_PATH_BYTES], second[STORE_PATH_BYTES];
    store_path(folder, "2026.05");
    ck_assert_int_eq(mkdir(folder, 0700), 0);
    begin_named("2026.05/race");
    tape_end(&written);
    begin_named("2026.05/race");
    store_path(second, "2026.05/race-2");
    ck_assert_str_eq(apex_replay_path_of(written.writer), second);
    tape_end(&written);
    ck_assert_uint_eq(store_files_in(folder), 2);
    check_remove_folder(folder);
    store_folder_drop();
}

// The first chunk is too long, the second is not: its file is not full by what the first one holds.
TEST(each_file_is_full_by_its_own_bytes) {
    store_folder_make();
    begin_named("race.apexr");
    apex_replay_split_at(written.writer, FILE_BYTES);
    for (uint32_t tick = 0; tick < STORE_CHUNK_TICKS_MAX; tick++) {
        for (uint32_t slot = 0; slot < TAPE_SLOTS; slot++) {
            written.given[slot].steer = (int16_t)tape_random(&written);
            written.given[slot].throttle = (uint8_t)tape_random(&written);
        }
        tape_script(&written);
        tape_feed(&written);
    }
    ck_assert_uint_eq(store_files_in(store_folder), 2);
    for (uint32_t tick = 0; tick < STORE_CHUNK_TICKS_MAX; tick++) {
        tape_feed(&written);
    }
    ck_assert_uint_eq(store_files_in(store_folder), 2);
    tape_end(&written);
    store_folder_drop();
}
