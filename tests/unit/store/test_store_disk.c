// What a machine that stops leaves behind: each call that brings bytes to the disk, in its order,
// and what is said when one of them fails or falls short.
#include "test_store_scene.h"

#include <errno.h>

#include "store/journal.h"
#include "support/base/check_main.h"
#include "support/store/disk_calls.h"

static char path[STORE_PATH_BYTES];
static store_journal journal;

static void begin(const char *name) {
    store_folder_make();
    store_path(path, name);
    disk_calls_watch(store_folder);
}

static void begin_journal(void) {
    begin("events.jsonl");
    ck_assert_int_eq(store_open_journal(&journal, path), APEX_OK);
    disk_calls_forget();
}

static void end_journal(void) {
    store_journal_close(&journal);
    store_folder_drop();
}

static void assert_calls(const char *expected) {
    ck_assert_str_eq(disk_calls_kept(), expected);
    disk_calls_forget();
}

static void assert_file(const char *expected) {
    size_t length = 0;
    char *text = store_read(path, &length);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, expected);
    free(text);
}

TEST(an_append_is_on_disk_before_it_is_ok) {
    begin_journal();
    ck_assert_int_eq(store_journal_append(&journal, "first\n", 6), APEX_OK);
    assert_calls("pwrite events.jsonl 6 at 0\nfdatasync events.jsonl\n");
    ck_assert_int_eq(store_journal_append(&journal, "one\ntwo\n", 8), APEX_OK);
    assert_calls("pwrite events.jsonl 8 at 6\nfdatasync events.jsonl\n");
    ck_assert_int_eq(store_journal_append(&journal, NULL, 0), APEX_OK);
    assert_calls("");
    end_journal();
}

TEST(a_short_write_goes_on_where_it_stopped) {
    begin_journal();
    ck_assert_int_eq(store_journal_append(&journal, "first\n", 6), APEX_OK);
    disk_calls_forget();
    disk_calls_shorten(DISK_WRITE, 4);
    ck_assert_int_eq(store_journal_append(&journal, "second\n", 7), APEX_OK);
    assert_calls("pwrite events.jsonl 7 at 6 takes 4\npwrite events.jsonl 3 at 10\n"
                 "fdatasync events.jsonl\n");
    ck_assert_int_eq(journal.length, 13);
    assert_file("first\nsecond\n");
    end_journal();
}

TEST(an_interrupted_write_is_made_again) {
    begin_journal();
    disk_calls_fail(DISK_WRITE, 0, EINTR);
    ck_assert_int_eq(store_journal_append(&journal, "first\n", 6), APEX_OK);
    assert_calls("pwrite events.jsonl 6 at 0 fails\npwrite events.jsonl 6 at 0\n"
                 "fdatasync events.jsonl\n");
    // Behind a short one, too.
    disk_calls_shorten(DISK_WRITE, 2);
    disk_calls_fail(DISK_WRITE, 1, EINTR);
    ck_assert_int_eq(store_journal_append(&journal, "second\n", 7), APEX_OK);
    assert_calls("pwrite events.jsonl 7 at 6 takes 2\npwrite events.jsonl 5 at 8 fails\n"
                 "pwrite events.jsonl 5 at 8\nfdatasync events.jsonl\n");
    assert_file("first\nsecond\n");
    end_journal();
}

// The kernel may have dropped what it could not bring to the disk: only a write makes it try again.
TEST(lines_that_failed_to_sync_are_written_again) {
    begin_journal();
    ck_assert_int_eq(store_journal_append(&journal, "first\n", 6), APEX_OK);
    disk_calls_forget();
    disk_calls_fail(DISK_SYNC_DATA, 0, EIO);
    ck_assert_int_eq(store_journal_append(&journal, "second\n", 7), APEX_ERR_IO);
    assert_calls("pwrite events.jsonl 7 at 6\nfdatasync events.jsonl fails\n");
    ck_assert_int_eq(journal.length, 6);
    disk_calls_fail(DISK_SYNC_DATA, 0, ENOSPC);
    ck_assert_int_eq(store_journal_append(&journal, "second\n", 7), APEX_ERR_FULL);
    disk_calls_forget();
    ck_assert_int_eq(store_journal_append(&journal, "second\n", 7), APEX_OK);
    assert_calls("pwrite events.jsonl 7 at 6\nfdatasync events.jsonl\n");
    assert_file("first\nsecond\n");
    end_journal();
}

TEST(a_write_that_fails_is_not_synced) {
    begin_journal();
    disk_calls_fail(DISK_WRITE, 0, ENOSPC);
    ck_assert_int_eq(store_journal_append(&journal, "first\n", 6), APEX_ERR_FULL);
    assert_calls("pwrite events.jsonl 6 at 0 fails\n");
    ck_assert_int_eq(journal.length, 0);
    end_journal();
}

TEST(a_new_journal_has_its_name_on_disk) {
    begin("events.jsonl");
    ck_assert_int_eq(store_open_journal(&journal, path), APEX_OK);
    assert_calls("fsync .\n");
    end_journal();
}

TEST(a_journal_that_is_opened_is_cut_before_it_is_used) {
    begin("events.jsonl");
    store_write(path, "one\n{\"half", 10);
    ck_assert_int_eq(store_open_journal(&journal, path), APEX_OK);
    assert_calls("pread events.jsonl 10 at 0\nftruncate events.jsonl to 4\nfsync .\n");
    store_journal_close(&journal);
    ck_assert_int_eq(store_open_journal(&journal, path), APEX_OK); // whole, it is left alone
    assert_calls("pread events.jsonl 4 at 0\nfsync .\n");
    end_journal();
}

// A journal that is not open holds no lock: the next try finds it free.
TEST(what_fails_while_a_journal_is_opened_is_said) {
    static const struct {
        disk_call call;
        int error;
        apex_err err;
    } cases[] = {{DISK_READ, EIO, APEX_ERR_IO},
                 {DISK_CUT, EROFS, APEX_ERR_PERMISSION},
                 {DISK_SYNC, EIO, APEX_ERR_IO}};
    begin("events.jsonl");
    store_write(path, "one\nhalf", 8);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        disk_calls_fail(cases[i].call, 0, cases[i].error);
        ck_assert_int_eq(store_open_journal(&journal, path), cases[i].err);
        ck_assert_int_lt(journal.file, 0);
    }
    ck_assert_int_eq(store_open_journal(&journal, path), APEX_OK);
    assert_file("one\n");
    end_journal();
}

// Bytes that are read in pieces lie where they belong: the last line feed is the one at 4.
TEST(a_short_or_interrupted_read_goes_on_where_it_stopped) {
    begin("events.jsonl");
    store_write(path, "one\n{\"half", 10);
    disk_calls_shorten(DISK_READ, 3);
    disk_calls_fail(DISK_READ, 1, EINTR);
    ck_assert_int_eq(store_open_journal(&journal, path), APEX_OK);
    assert_calls("pread events.jsonl 10 at 0 takes 3\npread events.jsonl 7 at 3 fails\n"
                 "pread events.jsonl 7 at 3\nftruncate events.jsonl to 4\nfsync .\n");
    assert_file("one\n");
    end_journal();
}

TEST(a_new_file_is_whole_on_disk_before_it_has_its_name) {
    begin("race.json");
    disk_calls_shorten(DISK_WRITE, 2);
    ck_assert_int_eq(store_write_new_file(path, "whole", 5), APEX_OK);
    assert_calls("pwrite race.json.part 5 at 0 takes 2\npwrite race.json.part 3 at 2\n"
                 "fsync race.json.part\nrename race.json.part race.json\nfsync .\n");
    assert_file("whole");
    store_folder_drop();
}

// What fails leaves nothing behind, and the next try finds its names free.
TEST(a_file_that_fails_leaves_nothing) {
    static const struct {
        disk_call call;
        const char *calls;
    } cases[] = {
        {DISK_WRITE, "pwrite race.json.part 5 at 0 fails\n"},
        {DISK_SYNC, "pwrite race.json.part 5 at 0\nfsync race.json.part fails\n"},
        {DISK_RENAME, "pwrite race.json.part 5 at 0\nfsync race.json.part\n"
                      "rename race.json.part race.json fails\n"},
    };
    begin("race.json");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        disk_calls_forget();
        disk_calls_fail(cases[i].call, 0, ENOSPC);
        ck_assert_int_eq(store_write_new_file(path, "newer", 5), APEX_ERR_FULL);
        assert_calls(cases[i].calls);
        ck_assert_uint_eq(store_files_in(store_folder), 0);
    }
    ck_assert_int_eq(store_write_new_file(path, "newer", 5), APEX_OK);
    assert_file("newer");
    store_folder_drop();
}

// File systems without such a rename, NFS among them, have links.
TEST(a_file_gets_its_name_by_a_link_where_there_is_no_such_rename) {
    static const int errors[] = {EINVAL, ENOSYS};
    begin("race.json");
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        disk_calls_fail(DISK_RENAME, 0, errors[i]);
        ck_assert_int_eq(store_write_new_file(path, "whole", 5), APEX_OK);
        assert_file("whole");
        ck_assert_uint_eq(store_files_in(store_folder), 1);
        ck_assert_int_eq(unlink(path), 0);
    }
    store_folder_drop();
}

// A stranger takes the name between our look at it and the rename.
static void take_the_name(void) {
    disk_calls_at_sync(NULL);
    store_write(path, "theirs", 6);
}

TEST_OVER(a_name_that_is_taken_meanwhile_is_left_alone, 0, 2) {
    begin("race.json");
    disk_calls_at_sync(take_the_name);
    if (_i == 1) {
        disk_calls_fail(DISK_RENAME, 0, EINVAL); // by a link
    }
    ck_assert_int_eq(store_write_new_file(path, "ours", 4), APEX_ERR_EXISTS);
    assert_file("theirs");
    ck_assert_uint_eq(store_files_in(store_folder), 1);
    store_folder_drop();
}

TEST(a_file_whose_name_is_not_on_disk_is_not_there) {
    begin("race.json");
    disk_calls_fail(DISK_SYNC, 1, EIO);
    ck_assert_int_eq(store_write_new_file(path, "text", 4), APEX_ERR_IO);
    ck_assert_int_eq(store_write_new_file(path, "text", 4), APEX_OK);
    ck_assert_uint_eq(disk_calls_count(DISK_SYNC), 4);
    ck_assert_uint_eq(disk_calls_count(DISK_RENAME), 2);
    store_folder_drop();
}
