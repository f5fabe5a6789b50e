// The file of names that drivers hold: what is in it, what is read of it, torn and strange lines.
#include "test_store_scene.h"

#include <stdlib.h>
#include <string.h>

static apex_names *names;
static char path[STORE_PATH_BYTES];

static void open_names(void) {
    ck_assert_int_eq(apex_names_open(store_folder, &names), APEX_OK);
}

static void begin(void) {
    store_folder_make();
    store_path(path, "names.txt");
    open_names();
}

static void end(void) {
    apex_names_close(names);
    store_folder_drop();
}

static apex_held_name held(const char *name, uint8_t first, uint64_t unix_s) {
    apex_held_name out = {.unix_s = unix_s, .driver = {first, 0x0F}};
    snprintf(out.name, sizeof out.name, "%s", name);
    return out;
}

static void put(const char *name, uint8_t first, uint64_t unix_s) {
    apex_held_name line = held(name, first, unix_s);
    ck_assert(apex_names_put(names, &line));
}

static void expect_text(const char *expected) {
    size_t length = 0;
    char *text = store_read(path, &length);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, expected);
    free(text);
}

static void reopen(void) {
    apex_names_close(names);
    open_names();
}

static void expect_names(size_t expected, const char *const expected_names[]) {
    apex_held_name *read = NULL;
    size_t count = 0;
    ck_assert_int_eq(apex_names_read(names, &read, &count), APEX_OK);
    ck_assert_uint_eq(count, expected);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(read[i].name, expected_names[i]);
    }
    free(read);
}

FIXTURE(begin, end)

TEST(there_is_no_file_before_the_first_name) {
    expect_names(0, NULL);
    ck_assert_int_ne(access(path, F_OK), 0);
}

TEST(a_name_is_a_line_and_is_read_back) {
    put("Ada Lovelace", 0xAB, 1700000000);
    put("김민수", 0x01, 1700000001);
    ck_assert(apex_names_has_work(names));
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(apex_names_work(names), APEX_OK);
    ck_assert(!apex_names_has_work(names));
    expect_text("1700000000 ab0f0000000000000000000000000000 Ada Lovelace\n"
                "1700000001 010f0000000000000000000000000000 김민수\n");
    reopen();
    apex_held_name *read = NULL;
    size_t count = 0;
    ck_assert_int_eq(apex_names_read(names, &read, &count), APEX_OK);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(read[1].unix_s, 1700000001);
    ck_assert_uint_eq(read[1].driver[0], 1);
    ck_assert_uint_eq(read[1].driver[1], 0x0F);
    ck_assert_str_eq(read[1].name, "김민수");
    free(read);
}

TEST(names_and_events_go_each_into_their_file) {
    apex_store *store = NULL;
    ck_assert_int_eq(apex_store_create(store_folder, &store), APEX_OK);
    const apex_race_event event = {.kind = APEX_EVENT_LAP, .race_number = 1};
    const apex_store_player ada = {.name = "Ada"};
    for (int i = 0; i < 3; i++) {
        ck_assert_uint_gt(apex_store_event(store, &event, &ada, 1), 0);
        put("Bob", 2, 1700000000 + (uint64_t)i);
    }
    const apex_race_result result = {.race_number = 1, .track = "ring", .ended_unix_us = 1};
    ck_assert_uint_eq(apex_store_result(store, &result), 4);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(apex_store_committed(store), 4);
    ck_assert(apex_names_has_work(names));
    ck_assert_int_eq(apex_names_work(names), APEX_OK);
    expect_text("1700000000 020f0000000000000000000000000000 Bob\n"
                "1700000001 020f0000000000000000000000000000 Bob\n"
                "1700000002 020f0000000000000000000000000000 Bob\n");
    char events_path[STORE_PATH_BYTES];
    store_path(events_path, "events.jsonl");
    size_t length = 0, lines = 0;
    char *text = store_read(events_path, &length);
    for (size_t i = 0; i < length; i++) {
        lines += text[i] == '\n';
    }
    ck_assert_uint_eq(lines, 3);
    ck_assert_ptr_null(strstr(text, "Bob"));
    free(text);
    apex_store_destroy(store);
    ck_assert_uint_eq(store_files_in(store_folder), 3);
}

TEST(a_queue_that_nobody_writes_is_full_some_time) {
    apex_held_name line = held("Ada", 1, 1700000000);
    size_t queued = 0;
    while (queued < 100000 && apex_names_put(names, &line)) {
        queued++;
    }
    ck_assert_uint_eq(queued, 4095);
    ck_assert_int_eq(apex_names_work(names), APEX_OK);
    ck_assert(apex_names_put(names, &line));
}

TEST(what_the_disk_refuses_stays_queued) {
    put("Ada", 1, 1700000000);
    ck_assert_int_eq(mkdir(path, 0700), 0); // its place is taken
    ck_assert_int_ne(apex_names_work(names), APEX_OK);
    ck_assert(apex_names_has_work(names));
    ck_assert_int_eq(rmdir(path), 0);
    ck_assert_int_eq(apex_names_work(names), APEX_OK);
    expect_text("1700000000 010f0000000000000000000000000000 Ada\n");
}

TEST(a_torn_last_line_is_cut_off) {
    put("Ada", 1, 1700000000);
    put("Bob", 2, 1700000001);
    ck_assert_int_eq(apex_names_work(names), APEX_OK);
    apex_names_close(names);
    size_t length = 0;
    char *text = store_read(path, &length);
    store_write(path, text, length - 3);
    free(text);
    open_names();
    static const char *const first[] = {"Ada", "Cid"};
    expect_names(1, first);
    put("Cid", 3, 1700000002);
    ck_assert_int_eq(apex_names_work(names), APEX_OK);
    expect_text("1700000000 010f0000000000000000000000000000 Ada\n"
                "1700000002 030f0000000000000000000000000000 Cid\n");
    expect_names(2, first);
}

TEST(lines_that_are_none_are_left_out) {
    static const char text[] =
        "1700000000 010f0000000000000000000000000000 Ada\n"
        "\n"
        "1700000000 010f000000000000000000000000000 Short\n"
        "1700000000 010f00000000000000000000000000000 Long\n"
        "1700000000 010g0000000000000000000000000000 Digit\n"
        "-1 010f0000000000000000000000000000 Time\n"
        "99999999999999999999 010f0000000000000000000000000000 Time\n"
        "1700000000 010f0000000000000000000000000000 \n"
        "1700000000 010f0000000000000000000000000000\n"
        "1700000000 010f0000000000000000000000000000 12345678901234567890123456789012\n"
        "1700000000 010f0000000000000000000000000000 A\x1b[2Jb\n"
        "1700000000 010f0000000000000000000000000000 A\xe2\x80\x8b\n"
        "1700000000 010f0000000000000000000000000000 A\xff\n"
        "1700000000 010f0000000000000000000000000000 Nul\0x\n"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx 1700000000 "
        "010f0000000000000000000000000000 Ada\n"
        "1700000000 010f0000000000000000000000000000 1234567890123456789012345678901\n"
        "1700000009 020f0000000000000000000000000000 Bob\n";
    apex_names_close(names);
    store_write(path, text, sizeof text - 1);
    open_names();
    static const char *const read[] = {"Ada", "1234567890123456789012345678901", "Bob"};
    expect_names(3, read);
}

// Results may lie in a folder of somebody's own.
TEST(a_file_of_somebody_elses_is_left_alone) {
    static const char *const texts[] = {"Ada\nBob\nCid", "1st of all", " 1 Ada\n", "\n"};
    apex_names_close(names);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        store_write(path, texts[i], strlen(texts[i]));
        ck_assert_int_eq(apex_names_open(store_folder, &names), APEX_ERR_EXISTS);
        expect_text(texts[i]);
    }
    store_write(path, "17000", 5); // a crash may have cut even the first line
    open_names();
    expect_text("");
}

TEST(a_file_is_replaced_whole_and_goes_on) {
    for (uint64_t i = 0; i < 20; i++) {
        put("Ada", 1, 1700000000 + i);
    }
    ck_assert_int_eq(apex_names_work(names), APEX_OK);
    reopen();
    char part[STORE_PATH_BYTES], unfinished[STORE_PATH_BYTES];
    store_path(part, "names.txt.new");
    store_path(unfinished, "names.txt.new.part");
    store_write(part, "of a crash", 10);
    store_write(unfinished, "of another", 10);
    const apex_held_name list[] = {held("Ada", 1, 1700000019), held("Bob", 2, 1700000020)};
    ck_assert_int_eq(apex_names_replace(names, list, 2), APEX_OK);
    expect_text("1700000019 010f0000000000000000000000000000 Ada\n"
                "1700000020 020f0000000000000000000000000000 Bob\n");
    ck_assert_int_ne(access(part, F_OK), 0);
    ck_assert_int_ne(access(unfinished, F_OK), 0);
    put("Cid", 3, 1700000021);
    ck_assert_int_eq(apex_names_work(names), APEX_OK);
    expect_text("1700000019 010f0000000000000000000000000000 Ada\n"
                "1700000020 020f0000000000000000000000000000 Bob\n"
                "1700000021 030f0000000000000000000000000000 Cid\n");
}
