// Tests of what is on disk, byte by byte: after crashes, failed writes and repairs.
#include "test_store_scene.h"

#include <signal.h>
#include <sys/resource.h>

#include "store/journal.h"
#include "support/base/check_main.h"

static char path[STORE_PATH_BYTES];

static void begin(void) {
    store_folder_make();
    store_path(path, "events.jsonl");
}

static void assert_file(const char *expected) {
    size_t length = 0;
    char *text = store_read(path, &length);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, expected);
    ck_assert_uint_eq(length, strlen(expected));
    free(text);
}

TEST(a_crash_leaves_whole_lines) {
    static const struct {
        const char *before, *after;
    } cases[] = {
        {"", ""},          {"{\"half", ""}, {"one\n", "one\n"}, {"one\ntwo\n{\"half", "one\ntwo\n"},
        {"\n\nx", "\n\n"},
    };
    begin();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        store_write(path, cases[i].before, strlen(cases[i].before));
        store_journal journal;
        ck_assert_int_eq(store_open_journal(&journal, path), APEX_OK);
        ck_assert_int_eq(journal.length, (int64_t)strlen(cases[i].after));
        assert_file(cases[i].after);
        ck_assert_int_eq(store_journal_append(&journal, "new\n", 4), APEX_OK);
        store_journal_close(&journal);
        char expected[64];
        snprintf(expected, sizeof expected, "%snew\n", cases[i].after);
        assert_file(expected);
    }
    store_folder_drop();
}

// The line feed is looked for in blocks of 4096 bytes: before, at and behind their borders.
TEST(a_long_unfinished_line_is_cut_at_the_right_place) {
    begin();
    static char bytes[20000];
    static const size_t ends[] = {1, 4095, 4096, 4097, 8191, 8192, 8193, 11807, 11808, 19999};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        memset(bytes, 'x', sizeof bytes);
        bytes[ends[i] - 1] = '\n';
        store_write(path, bytes, sizeof bytes);
        store_journal journal;
        ck_assert_int_eq(store_open_journal(&journal, path), APEX_OK);
        store_journal_close(&journal);
        ck_assert_int_eq(journal.length, (int64_t)ends[i]);
        struct stat info;
        ck_assert_int_eq(stat(path, &info), 0);
        ck_assert_int_eq(info.st_size, (int64_t)ends[i]);
    }
    store_folder_drop();
}

// No assertion while it is low: check itself writes a file.
static void limit_files(rlim_t bytes) {
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) {
        abort();
    }
    limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : bytes;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
        abort();
    }
}

TEST(a_failed_write_is_made_again_at_its_place) {
    begin();
    store_journal journal;
    ck_assert_int_eq(store_open_journal(&journal, path), APEX_OK);
    ck_assert_int_eq(store_journal_append(&journal, "first\n", 6), APEX_OK);
    limit_files(10); // the kernel takes four bytes, then refuses
    apex_err err = store_journal_append(&journal, "second\nthird\n", 13);
    limit_files(RLIM_INFINITY);
    ck_assert_int_eq(err, APEX_ERR_IO);
    ck_assert_int_eq(journal.length, 6);
    assert_file("first\nseco");
    ck_assert_int_eq(store_journal_append(&journal, "second\nthird\nfourth\n", 20), APEX_OK);
    store_journal_close(&journal);
    assert_file("first\nsecond\nthird\nfourth\n");
    store_folder_drop();
}

TEST(a_journal_that_cannot_be_is_said) {
    begin();
    store_journal journal;
    char other[STORE_PATH_BYTES];
    store_path(other, "missing/events.jsonl");
    ck_assert_int_eq(store_open_journal(&journal, other), APEX_ERR_NOT_FOUND);
    ck_assert_int_lt(journal.file, 0);
    store_journal_close(&journal);
    ck_assert_int_ne(store_open_journal(&journal, store_folder), APEX_OK); // a folder
    store_folder_drop();
}

TEST(a_journal_has_one_writer) {
    begin();
    store_journal ours, theirs;
    ck_assert_int_eq(store_open_journal(&ours, path), APEX_OK);
    ck_assert_int_eq(store_open_journal(&theirs, path), APEX_ERR_IN_USE);
    ck_assert_int_eq(store_journal_append(&ours, "one\n", 4), APEX_OK);
    store_journal_close(&ours);
    ck_assert_int_eq(store_open_journal(&theirs, path), APEX_OK);
    store_journal_close(&theirs);
    assert_file("one\n");
    store_folder_drop();
}

TEST(a_file_is_never_replaced) {
    begin();
    char part[STORE_PATH_BYTES];
    store_path(part, "events.jsonl.part");
    ck_assert_int_eq(store_write_new_file(path, "old", 3), APEX_OK);
    ck_assert_int_eq(store_write_new_file(path, "newer", 5), APEX_ERR_EXISTS);
    assert_file("old");
    ck_assert_uint_eq(store_files_in(store_folder), 1);
    // Nor is what a crash, or a stranger, has left under the name of the unfinished file.
    ck_assert_int_eq(rename(path, part), 0);
    ck_assert_int_eq(store_write_new_file(path, "newer", 5), APEX_ERR_EXISTS);
    ck_assert_uint_eq(store_files_in(store_folder), 1);
    ck_assert_int_eq(rename(part, path), 0);
    assert_file("old");
    // Nor where a link leads that leads nowhere yet.
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(symlink(part, path), 0);
    ck_assert_int_eq(store_write_new_file(path, "newer", 5), APEX_ERR_EXISTS);
    ck_assert_int_ne(access(part, F_OK), 0);
    store_folder_drop();
}

TEST(a_file_that_does_not_fit_is_not_there) {
    begin();
    limit_files(3);
    apex_err err = store_write_new_file(path, "never", 5);
    limit_files(RLIM_INFINITY);
    ck_assert_int_eq(err, APEX_ERR_IO);
    ck_assert_uint_eq(store_files_in(store_folder), 0);
    store_folder_drop();
}

TEST(a_file_without_a_folder_is_said) {
    begin();
    char other[STORE_PATH_BYTES];
    store_path(other, "missing/race.json");
    ck_assert_int_eq(store_write_new_file(other, "x", 1), APEX_ERR_NOT_FOUND);
    char *endless = malloc(5000);
    ck_assert_ptr_nonnull(endless);
    memset(endless, 'x', 4999);
    endless[4999] = '\0';
    ck_assert_int_eq(store_write_new_file(endless, "x", 1), APEX_ERR_INVALID);
    free(endless);
    store_folder_drop();
}
