// A folder of recordings that is held to a size.
#include "test_replay_tape.h"

#include <sys/stat.h>

#include "support/base/check_main.h"

static void put(const char *name, const char *head, size_t bytes, time_t age_s) {
    static char text[4096];
    memset(text, 0, sizeof text);
    memcpy(text, head, strlen(head));
    char at[STORE_PATH_BYTES];
    store_path(at, name);
    store_write(at, text, bytes);
    const struct timespec times[2] = {{.tv_sec = 1700000000 - age_s},
                                      {.tv_sec = 1700000000 - age_s}};
    ck_assert_int_eq(utimensat(AT_FDCWD, at, times, 0), 0);
}

static bool is_there(const char *name) {
    char at[STORE_PATH_BYTES];
    store_path(at, name);
    struct stat info;
    return lstat(at, &info) == 0;
}

static void begin_folder(void) {
    store_folder_make();
    put("b-oldest.apexr", STORE_REPLAY_MAGIC, 1000, 400);
    put("c-older.apexr", STORE_REPLAY_MAGIC, 1000, 300);
    put("a-newer.apexr", STORE_REPLAY_MAGIC, 1000, 200);
    put("d-newest.apexr", STORE_REPLAY_MAGIC, 1000, 100);
}

TEST(the_oldest_go_until_the_rest_fits) {
    begin_folder();
    ck_assert_uint_eq(apex_replay_rotate(store_folder, 4000), 0);
    ck_assert_uint_eq(apex_replay_rotate(store_folder, 3999), 1);
    ck_assert(!is_there("b-oldest.apexr"));
    ck_assert_uint_eq(apex_replay_rotate(store_folder, 1000), 2);
    ck_assert(is_there("d-newest.apexr"));
    ck_assert_uint_eq(store_files_in(store_folder), 1);
    store_folder_drop();
    ck_assert_uint_eq(apex_replay_rotate(store_folder, 0), 0); // a folder that is not there
}

static void set_ns(const char *name, long ns) {
    char at[STORE_PATH_BYTES];
    store_path(at, name);
    const struct timespec times[2] = {{.tv_sec = 1700000000, .tv_nsec = ns},
                                      {.tv_sec = 1700000000, .tv_nsec = ns}};
    ck_assert_int_eq(utimensat(AT_FDCWD, at, times, 0), 0);
}

TEST(of_one_second_the_older_goes_and_of_one_age_the_first_by_name) {
    store_folder_make();
    for (int is_tie = 0; is_tie <= 1; is_tie++) {
        put("a.apexr", STORE_REPLAY_MAGIC, 1000, 0);
        put("b.apexr", STORE_REPLAY_MAGIC, 1000, 0);
        set_ns("a.apexr", 2);
        set_ns("b.apexr", is_tie ? 2 : 1);
        ck_assert_uint_eq(apex_replay_rotate(store_folder, 1000), 1);
        ck_assert_int_eq(is_there("a.apexr"), !is_tie);
        ck_assert_int_eq(is_there("b.apexr"), is_tie);
    }
    store_folder_drop();
}

TEST(a_folder_may_hold_many) {
    enum { MANY = 150 };
    store_folder_make();
    for (int i = 0; i < MANY; i++) {
        char name[32];
        snprintf(name, sizeof name, "%03d.apexr", i);
        put(name, STORE_REPLAY_MAGIC, 100, MANY - i);
    }
    ck_assert_uint_eq(apex_replay_rotate(store_folder, 100), MANY - 1);
    ck_assert(is_there("149.apexr"));
    store_folder_drop();
}

TEST(what_is_no_recording_stays) {
    begin_folder();
    put("notes.apexr", "my notes", 100, 900);
    put(".apexr", STORE_REPLAY_MAGIC, 100, 900); // hidden, and nobody's recording
    put("race.json", STORE_REPLAY_MAGIC, 100, 900);
    char link[STORE_PATH_BYTES];
    store_path(link, "link.apexr");
    ck_assert_int_eq(symlink("race.json", link), 0);
    ck_assert_uint_eq(apex_replay_rotate(store_folder, 0), 4);
    ck_assert(is_there("notes.apexr") && is_there("race.json") && is_there("link.apexr"));
    ck_assert(is_there(".apexr"));
    store_folder_drop();
}

TEST(what_is_written_or_watched_stays) {
    store_folder_make();
    store_path(path, "old.apexr");
    tape_begin(&written, path);
    tape_run(&written, 5);
    put("new.apexr", STORE_REPLAY_MAGIC, 1000, 0);
    ck_assert_uint_eq(apex_replay_rotate(store_folder, 0), 1);
    ck_assert(is_there("old.apexr"));
    tape_end(&written);
    apex_replay_reader *reader = opened();
    ck_assert_uint_eq(apex_replay_rotate(store_folder, 0), 0);
    ck_assert(is_there("old.apexr"));
    apex_replay_reader_close(reader);
    ck_assert_uint_eq(apex_replay_rotate(store_folder, 0), 1);
    ck_assert_uint_eq(store_files_in(store_folder), 0);
    store_folder_drop();
}
