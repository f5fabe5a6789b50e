// The log: its lines in both forms, and what it leaves out.
#include "base/log.h"
#include "support/base/check_main.h"

#include <stdlib.h>
#include <string.h>

// 2026-03-01T12:00:00.123456Z
#define SOME_TIME_US UINT64_C(1772366400123456)

static char *written;
static size_t written_bytes;
static FILE *file;

static void setup(void) {
    file = open_memstream(&written, &written_bytes);
    ck_assert_ptr_nonnull(file);
    // Only a flush tells written_bytes that this stream is empty.
    fflush(file);
    apex_log_set_file(file);
    apex_log_set_level(APEX_LOG_INFO);
    apex_log_set_format(APEX_LOG_TEXT);
    apex_log_set_time(SOME_TIME_US);
}

static void teardown(void) {
    apex_log_set_file(NULL);
    fclose(file);
    free(written);
}

FIXTURE(setup, teardown)

TEST(a_text_line_has_time_level_module_and_text) {
    apex_log(APEX_LOG_WARN, "net", "%d of %s", 3, "peers");
    ck_assert_str_eq(written, "2026-03-01T12:00:00.123Z warn  net: 3 of peers\n");
}

TEST(a_json_line_has_the_same) {
    apex_log_set_format(APEX_LOG_JSON);
    apex_log(APEX_LOG_ERROR, "race", "lap %.1f", 1.5);
    ck_assert_str_eq(written, "{\"time\":\"2026-03-01T12:00:00.123Z\",\"level\":\"error\","
                              "\"module\":\"race\",\"text\":\"lap 1.5\"}\n");
}

TEST(a_line_says_of_which_race_it_is) {
    apex_log_set_race(1);
    apex_log(APEX_LOG_INFO, "race", "lap");
    apex_log_set_race(2);
    apex_log(APEX_LOG_INFO, "race", "grid");
    apex_log_set_format(APEX_LOG_JSON);
    apex_log_set_race(1);
    apex_log(APEX_LOG_INFO, "race", "grid");
    apex_log_set_race(0);
    apex_log_set_format(APEX_LOG_TEXT);
    apex_log(APEX_LOG_INFO, "race", "grid");
    ck_assert_str_eq(written, "2026-03-01T12:00:00.123Z info  race/1: lap\n"
                              "2026-03-01T12:00:00.123Z info  race/2: grid\n"
                              "{\"time\":\"2026-03-01T12:00:00.123Z\",\"level\":\"info\","
                              "\"module\":\"race\",\"race\":1,\"text\":\"grid\"}\n"
                              "2026-03-01T12:00:00.123Z info  race: grid\n");
}

TEST(time_is_utc_with_leap_days) {
    apex_log_set_time(0);
    apex_log(APEX_LOG_INFO, "a", "b");
    ck_assert_str_eq(written, "1970-01-01T00:00:00.000Z info  a: b\n");
    size_t before = written_bytes;
    apex_log_set_time(UINT64_C(1709164799999999));
    apex_log(APEX_LOG_INFO, "a", "b");
    ck_assert_str_eq(written + before, "2024-02-28T23:59:59.999Z info  a: b\n");
    before = written_bytes;
    apex_log_set_time(UINT64_C(1709164800000000));
    apex_log(APEX_LOG_INFO, "a", "b");
    ck_assert_str_eq(written + before, "2024-02-29T00:00:00.000Z info  a: b\n");
}

TEST(lines_below_the_level_are_not_written) {
    apex_log(APEX_LOG_DEBUG, "a", "b");
    ck_assert_uint_eq(written_bytes, 0);
    ck_assert(!apex_log_enabled(APEX_LOG_DEBUG));
    apex_log_set_level(APEX_LOG_ERROR);
    apex_log(APEX_LOG_WARN, "a", "b");
    ck_assert_uint_eq(written_bytes, 0);
    apex_log(APEX_LOG_ERROR, "a", "b");
    ck_assert_uint_gt(written_bytes, 0);
}

// One name, as a hostile player would choose it.
#define HOSTILE "x\"\\\n\t\x01\x1b[2J\x7f\xc2\x9b/\xc3\xa9"

TEST(json_escapes_what_must_be) {
    apex_log_set_format(APEX_LOG_JSON);
    apex_log(APEX_LOG_INFO, "m\"", "%s", HOSTILE);
    ck_assert_ptr_nonnull(strstr(written, "\"module\":\"m\\\"\",\"text\":\""
                                          "x\\\"\\\\\\u000a\\u0009\\u0001\\u001b[2J\\u007f"
                                          "\\u009b/\xc3\xa9\"}\n"));
}

TEST(text_cannot_forge_lines_or_drive_the_terminal) {
    apex_log(APEX_LOG_INFO, "chat", "%s", HOSTILE);
    ck_assert_ptr_nonnull(
        strstr(written, " chat: x\"\\\\x0a\\x09\\x01\\x1b[2J\\x7f\\xc2\\x9b/\xc3\xa9\n"));
}

static const struct {
    const char *bytes;
    const char *json;
} utf8_cases[] = {
    {"\xff", "\xef\xbf\xbd"},                                                 // never in UTF-8
    {"a\x80z", "a\xef\xbf\xbdz"},                                             // continuation alone
    {"\xc3", "\xef\xbf\xbd"},                                                 // cut
    {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},                                 // overlong '/'
    {"\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},                 // overlong again
    {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},                 // a surrogate
    {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, // past U+10FFFF
    {"\xe2\x82\xac\xf0\x9f\x8f\x81", "\xe2\x82\xac\xf0\x9f\x8f\x81"},         // fine as it is
    {"\xe2\x82\"", "\xef\xbf\xbd\xef\xbf\xbd\\\""}, // must not swallow the quote
};

TEST(json_is_well_formed_utf8_whatever_came_in) {
    apex_log_set_format(APEX_LOG_JSON);
    for (size_t i = 0; i < sizeof utf8_cases / sizeof utf8_cases[0]; i++) {
        size_t before = written_bytes;
        apex_log(APEX_LOG_INFO, "m", "%s", utf8_cases[i].bytes);
        char expected[64];
        snprintf(expected, sizeof expected, "\"text\":\"%s\"}\n", utf8_cases[i].json);
        ck_assert_msg(strstr(written + before, expected) != NULL, "case %zu: %s", i,
                      written + before);
    }
}

TEST(a_long_text_is_cut_before_a_whole_character) {
    static char text[2 * APEX_LOG_TEXT_BYTES_MAX];
    memset(text, 'x', sizeof text - 1);
    // The cut at APEX_LOG_TEXT_BYTES_MAX - 3 falls into this one.
    memcpy(text + APEX_LOG_TEXT_BYTES_MAX - 4, "\xe2\x82\xac", 3);
    apex_log(APEX_LOG_INFO, "m", "%s", text);
    const char *start = strstr(written, "m: ") + 3;
    ck_assert_uint_eq(strspn(start, "x"), APEX_LOG_TEXT_BYTES_MAX - 4);
    ck_assert_str_eq(start + APEX_LOG_TEXT_BYTES_MAX - 4, "...\n");
}

TEST(a_text_that_just_fits_is_whole) {
    static char text[APEX_LOG_TEXT_BYTES_MAX + 1];
    memset(text, 'x', sizeof text - 1);
    apex_log(APEX_LOG_INFO, "m", "%s", text);
    const char *start = strstr(written, "m: ") + 3;
    ck_assert_uint_eq(strspn(start, "x"), APEX_LOG_TEXT_BYTES_MAX);
    ck_assert_str_eq(start + APEX_LOG_TEXT_BYTES_MAX, "\n");
}

TEST(a_text_one_byte_too_long_shows_that_it_was_cut) {
    static char text[APEX_LOG_TEXT_BYTES_MAX + 2];
    memset(text, 'x', sizeof text - 1);
    apex_log(APEX_LOG_INFO, "m", "%s", text);
    const char *start = strstr(written, "m: ") + 3;
    ck_assert_str_eq(start + APEX_LOG_TEXT_BYTES_MAX - 3, "...\n");
}

TEST(a_text_of_escapes_only_still_fits_the_line) {
    apex_log_set_format(APEX_LOG_JSON);
    static char text[APEX_LOG_TEXT_BYTES_MAX + 1];
    memset(text, 1, sizeof text - 1);
    apex_log(APEX_LOG_INFO, "m", "%s", text);
    const char *start = strstr(written, "\"text\":\"") + 8;
    ck_assert_uint_eq(strlen(start), 6 * APEX_LOG_TEXT_BYTES_MAX + 3);
    ck_assert_str_eq(start + strlen(start) - 9, "\\u0001\"}\n");
}

TEST(names_go_both_ways) {
    apex_log_level level = APEX_LOG_INFO;
    ck_assert(apex_log_level_from_name("debug", &level));
    ck_assert_int_eq(level, APEX_LOG_DEBUG);
    ck_assert(apex_log_level_from_name("error", &level));
    ck_assert_int_eq(level, APEX_LOG_ERROR);
    ck_assert(!apex_log_level_from_name("Error", &level));
    ck_assert(!apex_log_level_from_name("", &level));
    ck_assert_str_eq(apex_log_level_name(APEX_LOG_WARN), "warn");
    apex_log_format format = APEX_LOG_TEXT;
    ck_assert(apex_log_format_from_name("json", &format));
    ck_assert_int_eq(format, APEX_LOG_JSON);
    ck_assert(apex_log_format_from_name("text", &format));
    ck_assert_int_eq(format, APEX_LOG_TEXT);
    ck_assert(!apex_log_format_from_name("xml", &format));
}

// Lines of a kind that strangers cause; the clock stands still but where a test moves it.
static void say_left(int number) {
    apex_log_limited(APEX_LOG_INFO, "race", "guest %d left", number);
}

static size_t count_lines(void) {
    size_t lines = 0;
    for (const char *at = written; (at = strchr(at, '\n')) != NULL; at++) {
        lines++;
    }
    return lines;
}

TEST(lines_of_a_kind_that_strangers_cause_are_limited) {
    for (int i = 1; i <= 1800; i++) {
        say_left(i);
    }
    ck_assert_uint_eq(count_lines(), 10);
    ck_assert_ptr_nonnull(strstr(written, "guest 10 left"));
    ck_assert_ptr_null(strstr(written, "guest 11 left"));
    apex_log_set_time(SOME_TIME_US + 999999);
    ck_assert_uint_eq(count_lines(), 10);
    apex_log_set_time(SOME_TIME_US + 1000000);
    ck_assert_uint_eq(count_lines(), 11);
    ck_assert_ptr_nonnull(strstr(written, " race: and 1790 more like this: guest 1800 left\n"));
    // One a second, and nothing is said twice.
    say_left(1801);
    apex_log_set_time(SOME_TIME_US + 1999999);
    ck_assert_uint_eq(count_lines(), 11);
    apex_log_set_time(SOME_TIME_US + 2000000);
    ck_assert_ptr_nonnull(strstr(written, " race: and 1 more like this: guest 1801 left\n"));
    apex_log_set_time(SOME_TIME_US + 9000000);
    ck_assert_uint_eq(count_lines(), 12);
}

// A kind is what a format says, and remembers: each test below has one of its own.
TEST(a_kind_that_is_silenced_silences_no_other) {
    for (int i = 0; i < 100; i++) {
        apex_log_limited(APEX_LOG_INFO, "race", "driver %d left", i);
    }
    apex_log_limited(APEX_LOG_WARN, "web", "another %s", "kind");
    apex_log(APEX_LOG_INFO, "race", "lap");
    ck_assert_uint_eq(count_lines(), 12);
    apex_log_set_time(SOME_TIME_US + 1000000);
    ck_assert_uint_eq(count_lines(), 13); // and 90 more
}

TEST(a_clock_that_is_set_back_silences_nothing) {
    for (int i = 0; i < 100; i++) {
        apex_log_limited(APEX_LOG_INFO, "race", "visitor %d left", i);
    }
    apex_log_set_time(SOME_TIME_US - UINT64_C(86400000000));
    apex_log_set_time(SOME_TIME_US - UINT64_C(86400000000) + 1000000);
    ck_assert_uint_eq(count_lines(), 11);
}
