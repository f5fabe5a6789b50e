// Strings of JSON by their bytes: what must be escaped is, and nothing else.

#include "base/json_text.h"
#include "support/base/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *written;
static size_t written_bytes;
static FILE *file;

static void setup(void) {
    file = open_memstream(&written, &written_bytes);
    ck_assert_ptr_nonnull(file);
    fflush(file); // only this tells written_bytes that the stream is empty
}

static void teardown(void) {
    fclose(file);
    free(written);
}

static void check_json(const char *text, const char *json) {
    size_t before = written_bytes;
    apex_json_text(file, text);
    fflush(file);
    ck_assert_uint_eq(written_bytes - before, strlen(json));
    ck_assert_str_eq(written + before, json);
}

START_TEST(plain_text_stands_in_quotes) {
    check_json("", "\"\"");
    check_json("Corvette C5", "\"Corvette C5\"");
    // JSON allows an escaped slash but asks for none, and %s is no format.
    check_json("1/4 mile, 100 %s", "\"1/4 mile, 100 %s\"");
}
END_TEST

START_TEST(quotes_and_backslashes_are_escaped) {
    check_json("the \"Eight\"", "\"the \\\"Eight\\\"\"");
    check_json("a\\b", "\"a\\\\b\"");
    // Escaped twice over or not at all, this would end the string early.
    check_json("\\\"", "\"\\\\\\\"\"");
}
END_TEST

START_TEST(every_control_character_is_escaped) {
    for (unsigned code = 1; code < 0x20; code++) {
        char text[] = {'a', (char)code, 'b', 0};
        char json[16];
        snprintf(json, sizeof json, "\"a\\u00%02xb\"", code);
        check_json(text, json);
    }
    // The digits are hexadecimal and four of them, whatever follows.
    check_json("\n\t\x1f"
               "0",
               "\"\\u000a\\u0009\\u001f0\"");
}
END_TEST

START_TEST(what_follows_the_controls_is_not) {
    check_json(" ~\x7f", "\" ~\x7f\"");
}
END_TEST

START_TEST(utf8_passes_through) {
    // Two, three and four bytes a character. As signed char all of them are below a space.
    check_json("N\xc3\xbcrburgring", "\"N\xc3\xbcrburgring\"");
    check_json("\xe2\x82\xac", "\"\xe2\x82\xac\"");
    check_json("\xf0\x9f\x8f\x81", "\"\xf0\x9f\x8f\x81\"");
}
END_TEST

START_TEST(it_writes_where_the_stream_stands) {
    fputs("{\"title\": ", file);
    apex_json_text(file, "x");
    fputc('}', file);
    fflush(file);
    ck_assert_str_eq(written, "{\"title\": \"x\"}");
}
END_TEST

Suite *apex_suite(void) {
    Suite *suite = suite_create("base/json_text");
    TCase *tests = tcase_create("json_text");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, plain_text_stands_in_quotes);
    tcase_add_test(tests, quotes_and_backslashes_are_escaped);
    tcase_add_test(tests, every_control_character_is_escaped);
    tcase_add_test(tests, what_follows_the_controls_is_not);
    tcase_add_test(tests, utf8_passes_through);
    tcase_add_test(tests, it_writes_where_the_stream_stands);
    suite_add_tcase(suite, tests);
    return suite;
}
