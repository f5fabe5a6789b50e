// The table of names that drivers hold, with few places: who gives way, what is stored and loaded.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "host/simulation/held_names.h"
#include "support/base/check_main.h"

enum { PLACES = 12 };

static apex_name_judge *judge;
static host_held_names held;
static char folder[CHECK_PATH_BYTES];

static void begin(void) {
    ck_assert_int_eq(apex_name_judge_create(&judge), APEX_OK);
    check_make_folder(folder, "held");
    ck_assert_int_eq(host_held_names_create(&held, PLACES), APEX_OK);
    ck_assert_int_eq(host_held_names_keep(&held, judge, folder), APEX_OK);
}

static void end(void) {
    host_held_names_destroy(&held);
    apex_name_judge_destroy(judge);
}

static void hold(const char *name, uint8_t driver, uint64_t unix_s) {
    apex_held_name line = {.unix_s = unix_s, .driver = {driver}};
    snprintf(line.name, sizeof line.name, "%s", name);
    apex_name_look look;
    ck_assert(apex_name_look_of(judge, name, &look));
    ck_assert(!host_held_by_another(&held, &look, line.driver));
    host_hold_name(&held, &look, &line);
}

// 0: nobody; 255: more than one of drivers 1 to 99, or none of them, so that nobody may.
static int holder_of(const char *name) {
    apex_name_look look;
    ck_assert(apex_name_look_of(judge, name, &look));
    if (!host_held_by_another(&held, &look, NULL)) {
        return 0;
    }
    for (uint8_t driver = 1; driver < 100; driver++) {
        const uint8_t fingerprint[APEX_FINGERPRINT_BYTES] = {driver};
        if (!host_held_by_another(&held, &look, fingerprint)) {
            return driver;
        }
    }
    return 255;
}

static size_t store_lines(void) {
    ck_assert_int_eq(apex_names_work(held.file), APEX_OK);
    apex_held_name *lines = NULL;
    size_t count = 0;
    ck_assert_int_eq(apex_names_read(held.file, &lines, &count), APEX_OK);
    free(lines);
    return count;
}

static void load(void) {
    host_held_names_destroy(&held);
    ck_assert_int_eq(host_held_names_create(&held, PLACES), APEX_OK);
    ck_assert_int_eq(host_held_names_keep(&held, judge, folder), APEX_OK);
}

FIXTURE(begin, end)

TEST(a_table_of_zeros_holds_nothing) {
    host_held_names none = {0};
    apex_name_look look;
    ck_assert(apex_name_look_of(judge, "Ada", &look));
    ck_assert(!host_held_by_another(&none, &look, NULL));
    host_store_names(&none);
    ck_assert_ptr_null(none.file);
    host_held_names_destroy(&none);
}

TEST(either_look_is_held) {
    hold("Iain", 1, 100); // "lain" by one of its keys, "iain" by the other
    ck_assert_int_eq(holder_of("iain"), 1);
    ck_assert_int_eq(holder_of("lain"), 1);
    ck_assert_int_eq(holder_of("Ian"), 0);
}

TEST(a_name_between_two_drivers_is_nobody_elses) {
    hold("iain", 1, 100);
    hold("lain", 2, 101);
    ck_assert_int_eq(holder_of("Iain"), 255); // not even theirs
}

TEST(who_was_not_there_for_longest_gives_way) {
    char name[8];
    for (uint8_t i = 0; i < PLACES; i++) {
        snprintf(name, sizeof name, "Nam%c", 'a' + i);
        hold(name, (uint8_t)(i + 1), 100u + i);
    }
    char line[256] = "";
    FILE *log = fmemopen(line, sizeof line - 1, "w");
    ck_assert_ptr_nonnull(log);
    apex_log_set_file(log);
    hold("Nama", 1, 200); // again
    hold("Newer", 50, 201);
    apex_log_set_file(NULL);
    fclose(log);
    ck_assert_ptr_nonnull(strstr(line, "1 names, the newest Namb, were forgotten for others"));
    ck_assert_int_eq(holder_of("Nama"), 1);
    ck_assert_int_eq(holder_of("Namb"), 0);
    ck_assert_int_eq(holder_of("Namc"), 3);
    ck_assert_int_eq(holder_of("Newer"), 50);
    ck_assert_uint_eq(held.gave_way, 1);
    hold("Namb", 51, 202);
    ck_assert_int_eq(holder_of("Namc"), 0);
    ck_assert_int_eq(holder_of("Namb"), 51);
    ck_assert_uint_eq(held.count, PLACES);
}

TEST(a_driver_has_eight) {
    char name[8];
    for (int i = 0; i < HOST_NAMES_OF_DRIVER_MAX; i++) {
        snprintf(name, sizeof name, "Nam%c", 'a' + i);
        hold(name, 1, 100u + (uint64_t)i);
    }
    hold("Other", 2, 99);
    hold("NAMA", 1, 150); // is a
    hold("Namz", 1, 151);
    ck_assert_int_eq(holder_of("Nama"), 1);
    ck_assert_int_eq(holder_of("Namb"), 0); // his that he had not used for longest
    ck_assert_int_eq(holder_of("Other"), 2);
    ck_assert_uint_eq(held.count, HOST_NAMES_OF_DRIVER_MAX + 1);
    ck_assert_uint_eq(held.gave_way, 0);
}

TEST(a_name_is_stored_at_first_and_once_a_day) {
    enum { DAY_S = 24 * 3600 };
    hold("Ada", 1, 1000);
    hold("Bob", 2, 1001);
    hold("Ada", 1, 1002); // it waits already
    host_store_names(&held);
    ck_assert_uint_eq(store_lines(), 2);
    hold("Ada", 1, 1002 + DAY_S - 1);
    host_store_names(&held);
    ck_assert_uint_eq(store_lines(), 2);
    hold("Ada", 1, 1002 + DAY_S);
    host_store_names(&held);
    host_store_names(&held);
    ck_assert_uint_eq(store_lines(), 3);
}

TEST(what_was_stored_is_held_again) {
    hold("Ada", 1, 1000);
    hold("Bob", 2, 1001);
    host_store_names(&held);
    load();
    ck_assert_int_eq(holder_of("ADA"), 1);
    ck_assert_int_eq(holder_of("Bob"), 2);
    hold("Ada", 1, 1002); // of today: there is a line already
    host_store_names(&held);
    ck_assert_uint_eq(store_lines(), 2);
}

TEST(the_last_line_about_a_name_counts) {
    const apex_held_name lines[] = {
        {1000, {1}, "Ada"}, {1001, {2}, "Bob"}, {1002, {3}, "ada"}, {1003, {2}, "Bot 1"}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ck_assert(apex_names_put(held.file, &lines[i]));
    }
    load();
    ck_assert_int_eq(holder_of("Ada"), 3);
    ck_assert_int_eq(holder_of("Bob"), 2);
    ck_assert_int_eq(holder_of("Bot 1"), 0); // is the server's own
    hold("Cid", 4, 1004);                    // has the place that Ada's first holder had
    ck_assert_uint_eq(held.count, 3);
}

TEST(a_file_of_old_lines_is_written_anew) {
    for (uint64_t i = 0; i < 1500; i++) {
        apex_held_name line = {1000 + i, {(uint8_t)(1 + i % 2)}, "Ada"};
        memcpy(line.name, i % 2 == 0 ? "Ada" : "Bob", 4);
        ck_assert(apex_names_put(held.file, &line));
    }
    ck_assert_uint_eq(store_lines(), 1500);
    load();
    ck_assert_uint_eq(store_lines(), 2);
    load();
    ck_assert_uint_eq(store_lines(), 2);
    ck_assert_int_eq(holder_of("Ada"), 1);
    ck_assert_int_eq(holder_of("Bob"), 2);
}

TEST(names_are_kept_where_they_were_first) {
    char other[CHECK_PATH_BYTES];
    check_make_folder(other, "held-elsewhere");
    hold("Ada", 1, 1000);
    ck_assert_int_eq(host_held_names_keep(&held, judge, other), APEX_OK);
    host_store_names(&held);
    ck_assert_uint_eq(store_lines(), 1);
    load();
    ck_assert_int_eq(holder_of("Ada"), 1);
    char path[CHECK_PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/names.txt", other);
    ck_assert_int_ne(access(path, F_OK), 0);
}

TEST(names_that_are_kept_nowhere_are_held_all_the_same) {
    host_held_names_destroy(&held);
    ck_assert_int_eq(host_held_names_create(&held, PLACES), APEX_OK);
    ck_assert_int_eq(host_held_names_keep(&held, judge, ""), APEX_OK);
    hold("Ada", 1, 1000);
    host_store_names(&held);
    ck_assert_int_eq(holder_of("Ada"), 1);
}
