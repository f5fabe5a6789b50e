// A journal of several files: whose they are, where lines go, and which of them stay.
#include "test_store_scene.h"

#include <errno.h>
#include <sys/wait.h>

#include "store/journal_files.h"
#include "support/base/check_main.h"
#include "support/store/disk_calls.h"

#define FORM "{'unix_us':#,'race':#,'tick':#,'event':'"

static char path[STORE_PATH_BYTES];
static store_journal journal;

static apex_err open_with(uint64_t bytes_max, uint32_t files_max, const char *form) {
    store_journal_def def = {
        .path = path, .form = form, .bytes_max = bytes_max, .files_max = files_max};
    return store_journal_open(&journal, &def);
}

static void begin(void) {
    store_folder_make();
    store_path(path, "events.jsonl");
    disk_calls_watch(store_folder);
}

static void put_file(const char *name, const char *text) {
    char at[STORE_PATH_BYTES];
    store_path(at, name);
    store_write(at, text, strlen(text));
}

static void assert_file(const char *name, const char *expected) {
    char at[STORE_PATH_BYTES];
    store_path(at, name);
    size_t length = 0;
    char *text = store_read(at, &length);
    ck_assert_msg((text == NULL) == (expected == NULL), "%s", name);
    if (text != NULL) {
        ck_assert_str_eq(text, expected);
    }
    free(text);
}

static void append(const char *line) {
    ck_assert_int_eq(store_journal_append(&journal, line, strlen(line)), APEX_OK);
}

TEST(a_line_has_a_form) {
    static const struct {
        const char *bytes;
        bool is_ours;
    } cases[] = {
        {"{\"unix_us\":12,\"race\":3,\"tick\":0,\"event\":\"lap\"}\n", true},
        {"{\"unix_us\":12,\"race\":3,\"tick\":0,\"event\":\"", true},
        {"{\"unix_us\":12,\"ra", true}, // cut by a crash
        {"{\"unix_us\":1", true},
        {"{", true},
        {"", true},
        {"\n", false},
        {"{\"unix_us\":\"12\"", false},
        {"{\"unix_us\":,\"race\":1", false}, // no digit
        {"{\"unix_us\":12,\"race\":3,\"tick\":0,\"event\":1}", false},
        {"{\"unix_us\":12,\"rice\":3}\n", false},
        {"root:x:0:0", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(store_has_form(cases[i].bytes, strlen(cases[i].bytes), FORM) ==
                          cases[i].is_ours,
                      "%s", cases[i].bytes);
    }
}

// Before, the end behind its last line feed was cut off and lines were written after it.
TEST(a_strangers_file_is_left_as_it_is) {
    static const char *const theirs[] = {"root:x:0:0:root\nhalf", "\n{\"unix_us\":1", "half"};
    begin();
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++) {
        put_file("events.jsonl", theirs[i]);
        apex_store *store = NULL;
        ck_assert_int_eq(apex_store_create(store_folder, &store), APEX_ERR_EXISTS);
        ck_assert_ptr_null(store);
        assert_file("events.jsonl", theirs[i]);
    }
    ck_assert_uint_eq(disk_calls_count(DISK_CUT), 0);
    store_folder_drop();
}

TEST(what_is_no_file_is_no_journal) {
    char theirs[STORE_PATH_BYTES];
    begin();
    store_path(theirs, "theirs");
    put_file("theirs", "");
    ck_assert_int_eq(symlink(theirs, path), 0);
    ck_assert_int_eq(open_with(0, 0, FORM), APEX_ERR_EXISTS);
    ck_assert_int_lt(journal.file, 0);
    ck_assert_int_eq(unlink(theirs), 0); // nor is a link that leads nowhere yet
    ck_assert_int_eq(open_with(0, 0, FORM), APEX_ERR_EXISTS);
    assert_file("theirs", NULL);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkfifo(path, 0600), 0); // and nobody waits for its other end
    ck_assert_int_eq(open_with(0, 0, ""), APEX_ERR_EXISTS);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    ck_assert_int_eq(open_with(0, 0, FORM), APEX_ERR_EXISTS);
    store_folder_drop();
}

TEST(a_journal_of_a_run_before_is_gone_on_with) {
    apex_race_event event = {.kind = APEX_EVENT_LAP, .race_number = 1};
    apex_store_player ada = {.name = "ada"};
    begin();
    for (int run = 0; run < 3; run++) {
        apex_store *store = NULL;
        ck_assert_int_eq(apex_store_create(store_folder, &store), APEX_OK);
        ck_assert_uint_eq(apex_store_event(store, &event, &ada, 7), 1);
        apex_store_destroy(store);
    }
    size_t length = 0, lines = 0;
    char *text = store_read(path, &length);
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n';
    }
    ck_assert_uint_eq(lines, 3);
    ck_assert(store_has_form(text, length, FORM));
    free(text);
    store_folder_drop();
}

// Full is a file that the next lines would make longer than the limit; lines stay together.
TEST(a_full_journal_begins_another) {
    begin();
    ck_assert_int_eq(open_with(8, 0, ""), APEX_OK);
    append("1234567\n"); // 8 of 8
    ck_assert_uint_eq(store_files_in(store_folder), 1);
    append("a\n");
    append("bcdef\n");
    append("g\n");
    append("too long for any\nof them\n");
    append("h\n");
    store_journal_close(&journal);
    assert_file("events-1.jsonl", "1234567\n");
    assert_file("events-2.jsonl", "a\nbcdef\n");
    assert_file("events-3.jsonl", "g\n");
    assert_file("events-4.jsonl", "too long for any\nof them\n");
    assert_file("events.jsonl", "h\n");
    // The next run counts on, and one without a limit goes on where that one was.
    ck_assert_int_eq(open_with(2, 0, ""), APEX_OK);
    append("i\n");
    store_journal_close(&journal);
    ck_assert_int_eq(open_with(0, 0, ""), APEX_OK);
    append("jk\n");
    store_journal_close(&journal);
    assert_file("events-5.jsonl", "h\n");
    assert_file("events.jsonl", "i\njk\n");
    store_folder_drop();
}

TEST(the_newest_full_files_are_kept) {
    begin();
    put_file("events-9.jsonl", "a stranger's\n");

    put_file("events-010.jsonl", "no number of ours\n");
    put_file("events-11.jsonl.gz", "packed\n");
    put_file("others-3.jsonl", "others\n");
    put_file("events-10.jsonl", "{\"unix_us\":1,\"race\":1,\"tick\":1,\"event\":\"lap\"}\n");
    ck_assert_int_eq(open_with(50, 3, FORM), APEX_OK);
    for (uint32_t i = 0; i < 4; i++) {
        append("{\"unix_us\":2,\"race\":1,\"tick\":1,\"event\":\"lap\"}\n");
    }
    store_journal_close(&journal);
    assert_file("events-9.jsonl", "a stranger's\n"); // stays, and counts
    assert_file("events-10.jsonl", NULL);
    assert_file("events-11.jsonl", NULL);
    assert_file("events-12.jsonl", "{\"unix_us\":2,\"race\":1,\"tick\":1,\"event\":\"lap\"}\n");
    assert_file("events-13.jsonl", "{\"unix_us\":2,\"race\":1,\"tick\":1,\"event\":\"lap\"}\n");
    assert_file("events-010.jsonl", "no number of ours\n");
    assert_file("events-11.jsonl.gz", "packed\n");
    assert_file("others-3.jsonl", "others\n");
    store_folder_drop();
}

// No line is told that stands in a file whose name a crash may take.
TEST(another_file_has_its_name_on_disk_before_its_lines) {
    begin();
    ck_assert_int_eq(open_with(4, 0, ""), APEX_OK);
    append("abc\n");
    disk_calls_forget();
    append("def\n");
    ck_assert_str_eq(disk_calls_kept(), "rename events.jsonl events-1.jsonl\nfsync .\n"
                                        "pwrite events.jsonl 4 at 0\nfdatasync events.jsonl\n");
    store_journal_close(&journal);
    store_folder_drop();
}

// Lines are worth more than a limit. With each further one it is tried again.
TEST(where_no_other_can_be_begun_the_full_one_grows) {
    static const disk_call calls[] = {DISK_RENAME, DISK_SYNC};
    begin();
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        ck_assert_int_eq(open_with(4, 0, ""), APEX_OK);
        append("abc\n");
        disk_calls_fail(calls[i], 0, EIO);
        append("def\n");
        append("ghi\n");
        store_journal_close(&journal);
        assert_file("events-1.jsonl", "abc\ndef\n");
        assert_file("events.jsonl", "ghi\n");
        store_folder_empty(store_folder);
    }
    ck_assert_int_eq(rmdir(store_folder), 0);
}

// A folder stands where the next file is to be: the full one has its other name, and goes on.
TEST(a_file_that_was_put_aside_takes_lines_until_there_is_another) {
    begin();
    ck_assert_int_eq(open_with(4, 0, ""), APEX_OK);
    append("abc\n");
    char aside[STORE_PATH_BYTES];
    store_path(aside, "events-1.jsonl");
    ck_assert_int_eq(rename(path, aside), 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    journal.is_aside = true; // as after a crash of the disk between the two steps
    append("def\n");
    append("ghi\n");
    assert_file("events-1.jsonl", "abc\ndef\nghi\n");
    ck_assert_int_eq(rmdir(path), 0);
    append("jkl\n");
    assert_file("events-1.jsonl", "abc\ndef\nghi\n");
    assert_file("events.jsonl", "jkl\n");
    store_journal_close(&journal);
    store_folder_drop();
}

// All lines of all runs, in order and once, are in the files by their numbers, whatever the moment
// of a crash.
TEST(a_killed_journal_has_each_line_once) {
    begin();
    uint32_t told = 0, *shared = check_shared(sizeof *shared);
    for (unsigned run = 0; run < 8; run++) {
        pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            for (uint32_t line = *shared; open_with(64, 0, "#") == APEX_OK; line++) {
                char text[16];
                snprintf(text, sizeof text, "%u\n", line);
                append(text);
                *shared = line + 1;
                store_journal_close(&journal);
            }
            _exit(1);
        }
        while (*(volatile uint32_t *)shared < told + 40 + run) {
            usleep(100);
        }
        kill(child, SIGKILL);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        told = *shared;
    }
    uint32_t next = 0;
    for (unsigned number = 1; next < told; number++) {
        char name[32], at[STORE_PATH_BYTES];
        snprintf(name, sizeof name, "events-%u.jsonl", number);
        store_path(at, name);
        size_t length = 0;
        char *text = store_read(access(at, F_OK) == 0 ? at : path, &length);
        ck_assert_ptr_nonnull(text);
        ck_assert_uint_gt(length, 0);
        for (char *line = text; *line != '\0'; next++) {
            uint32_t value = (uint32_t)strtoul(line, &line, 10);
            // A line that was written and not told yet is written again by the next run.
            next = value + 1 == next ? value : next;
            ck_assert_uint_eq(value, next);
            ck_assert_int_eq(*line++, '\n');
        }
        free(text);
    }
    store_folder_drop();
}
