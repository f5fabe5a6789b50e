// JSON by its bytes: what must be escaped is, commas and lines come where they belong, and what
// does not fit is noted.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "support/base/check_main.h"

static apex_json_writer json;

static void begin(uint32_t lines_depth) {
    free(json.text.bytes);
    json = apex_json_begin(apex_text_growing(), lines_depth);
}

static void setup(void) {
    json.text.bytes = NULL;
    begin(APEX_JSON_COMPACT);
}

static void teardown(void) {
    free(json.text.bytes);
}

static void check_written(const char *expected) {
    ck_assert(!json.text.is_cut);
    ck_assert_uint_eq(json.depth, 0);
    ck_assert_uint_eq(json.text.length, strlen(expected));
    ck_assert_mem_eq(json.text.bytes, expected, json.text.length);
}

static void check_text(const char *text, const char *expected) {
    begin(APEX_JSON_COMPACT);
    apex_json_text(&json, NULL, text);
    check_written(expected);
}

FIXTURE(setup, teardown)

TEST(plain_text_stands_in_quotes) {
    check_text("", "\"\"");
    check_text("Corvette C5", "\"Corvette C5\"");
    // JSON allows an escaped slash but asks for none, and %s is no format.
    check_text("1/4 mile, 100 %s", "\"1/4 mile, 100 %s\"");
}

TEST(quotes_and_backslashes_are_escaped) {
    check_text("the \"Eight\"", "\"the \\\"Eight\\\"\"");
    check_text("a\\b", "\"a\\\\b\"");
    // Escaped twice over or not at all, this would end the string early.
    check_text("\\\"", "\"\\\\\\\"\"");
}

TEST(what_nobody_sees_is_escaped_as_utf_16) {
    apex_json_writer own = apex_json_begin(apex_text_growing(), APEX_JSON_COMPACT);
    apex_json_text(&own, NULL, "a\xe2\x80\xae\xf3\xa0\x80\x81\xc2\x9b");
    char *text = apex_text_take(&own.text);
    ck_assert_str_eq(text, "\"a\\u202e\\udb40\\udc01\\u009b\"");
    free(text);
}

TEST(every_control_character_is_escaped) {
    for (unsigned code = 1; code < 0x20; code++) {
        char text[] = {'a', (char)code, 'b', 0};
        char expected[16];
        snprintf(expected, sizeof expected, "\"a\\u00%02xb\"", code);
        check_text(text, expected);
    }
    // The digits are hexadecimal and four of them, whatever follows.
    check_text("\n\t\x1f"
               "0",
               "\"\\u000a\\u0009\\u001f0\"");
    // A terminal acts on these too: DEL, and U+0080..009F.
    check_text(" ~\x7f\xc2\x9b", "\" ~\\u007f\\u009b\"");
    check_text("\xc2\xa0", "\"\xc2\xa0\"");
}

TEST(utf8_passes_through) {
    // Two, three and four bytes a character. As signed char all of them are below a space.
    check_text("N\xc3\xbcrburgring", "\"N\xc3\xbcrburgring\"");
    check_text("\xe2\x82\xac", "\"\xe2\x82\xac\"");
    check_text("\xf0\x9f\x8f\x81", "\"\xf0\x9f\x8f\x81\"");
}

TEST(what_is_no_utf8_becomes_a_replacement_each) {
    check_text("J\xf6rg \xc3", "\"J\xef\xbf\xbdrg \xef\xbf\xbd\"");
    check_text("\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""); // a surrogate
    check_text("\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\"");                 // an overlong slash
    check_text("\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"");                 // a cut euro
}

static void put_sample(void) {
    apex_json_open(&json, NULL, '{');
    apex_json_open(&json, "list", '[');
    apex_json_open(&json, NULL, '{');
    apex_json_count(&json, "a", 1);
    apex_json_bool(&json, "b", true);
    apex_json_close(&json);
    apex_json_open(&json, NULL, '[');
    apex_json_close(&json);
    apex_json_null(&json, NULL);
    apex_json_close(&json);
    apex_json_open(&json, "none", '{');
    apex_json_close(&json);
    apex_json_key(&json, "a \"name\"");
    apex_json_bool(&json, NULL, false);
    apex_json_key(&json, "more");
    apex_json_open(&json, NULL, '[');
    apex_json_integer(&json, NULL, -2);
    apex_json_integer(&json, NULL, 3);
    apex_json_close(&json);
    apex_json_close(&json);
}

TEST(compact_has_neither_blanks_nor_lines) {
    put_sample();
    check_written("{\"list\":[{\"a\":1,\"b\":true},[],null],\"none\":{},\"a \\\"name\\\"\":false,"
                  "\"more\":[-2,3]}");
}

TEST(lines_go_as_deep_as_was_asked_for) {
    begin(1);
    put_sample();
    check_written("{\n  \"list\": [{\"a\": 1, \"b\": true}, [], null],\n  \"none\": {},\n"
                  "  \"a \\\"name\\\"\": false,\n  \"more\": [-2, 3]\n}");
    begin(2);
    put_sample();
    check_written("{\n  \"list\": [\n    {\"a\": 1, \"b\": true},\n    [],\n    null\n  ],\n"
                  "  \"none\": {},\n  \"a \\\"name\\\"\": false,\n"
                  "  \"more\": [\n    -2,\n    3\n  ]\n}");
    begin(APEX_JSON_LINES_ALL);
    put_sample();
    check_written("{\n  \"list\": [\n    {\n      \"a\": 1,\n      \"b\": true\n    },\n    [],\n"
                  "    null\n  ],\n  \"none\": {},\n  \"a \\\"name\\\"\": false,\n"
                  "  \"more\": [\n    -2,\n    3\n  ]\n}");
}

TEST(numbers_keep_what_they_are) {
    apex_json_open(&json, NULL, '[');
    apex_json_count(&json, NULL, UINT64_MAX);
    apex_json_integer(&json, NULL, INT64_MIN);
    apex_json_seconds(&json, NULL, INT64_MIN);
    apex_json_seconds(&json, NULL, -1);
    apex_json_seconds(&json, NULL, 83000010);
    apex_json_time(&json, NULL, 0);
    apex_json_time(&json, NULL, 60000000);
    apex_json_hash(&json, NULL, 0xab00000000cd01);
    apex_json_close(&json);
    check_written("[18446744073709551615,-9223372036854775808,-9223372036854.775808,-0.000001,"
                  "83.00001,null,60,\"00ab00000000cd01\"]");
}

TEST(reals_have_as_many_digits_as_were_asked_for) {
    apex_json_open(&json, NULL, '[');
    apex_json_number(&json, NULL, 1.0 / 3.0, 9);
    apex_json_number(&json, NULL, 1.0 / 3.0, 17);
    apex_json_number(&json, NULL, 2.0, 10);
    apex_json_real(&json, NULL, 2.0, 10);
    apex_json_real(&json, NULL, -2.5, 10);
    apex_json_real(&json, NULL, 1e9, 9); // in e-notation it is a real already
    apex_json_number(&json, NULL, (double)NAN, 9);
    apex_json_real(&json, NULL, -HUGE_VAL, 9);
    apex_json_close(&json);
    check_written("[0.333333333,0.33333333333333331,2,2.0,-2.5,1e+09,null,null]");
}

TEST(what_does_not_fit_is_noted) {
    char room[8];
    apex_json_writer small = apex_json_begin(apex_text_in(room, sizeof room), APEX_JSON_COMPACT);
    apex_json_text(&small, NULL, "sixsix");
    ck_assert(!small.text.is_cut);
    ck_assert_mem_eq(room, "\"sixsix\"", 8);
    small = apex_json_begin(apex_text_in(room, sizeof room), APEX_JSON_COMPACT);
    apex_json_text(&small, NULL, "sevense");
    ck_assert(small.text.is_cut);
    small = apex_json_begin(apex_text_in(NULL, 100), APEX_JSON_COMPACT);
    apex_json_null(&small, NULL);
    ck_assert(small.text.is_cut);
}

TEST(a_text_that_grows_holds_all) {
    apex_text_writer text = apex_text_growing();
    for (uint64_t i = 0; i < 10000; i++) {
        apex_text_count(&text, i % 10);
    }
    ck_assert_uint_eq(text.length, 10000);
    ck_assert(!text.is_cut);
    char *whole = apex_text_take(&text);
    ck_assert_uint_eq(strlen(whole), 10000);
    ck_assert_int_eq(whole[4097], '7');
    ck_assert_ptr_null(text.bytes); // the next text begins in memory of its own
    free(whole);
}

TEST(a_document_is_printed_as_a_line) {
    char *written = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&written, &length);
    fputs("before ", out);
    apex_json_open(&json, NULL, '{');
    apex_json_text(&json, "title", "x");
    apex_json_close(&json);
    apex_json_print(&json, out);
    fclose(out);
    ck_assert_str_eq(written, "before {\"title\":\"x\"}\n");
    free(written);
}

// Half-way in an object, with a key that waits for its value, and after a cut.
TEST(what_is_begun_anew_knows_nothing_of_before) {
    begin(1);
    apex_json_open(&json, NULL, '{');
    apex_json_count(&json, "a", 1);
    apex_json_key(&json, "b");
    apex_json_restart(&json);
    apex_json_open(&json, NULL, '[');
    apex_json_count(&json, NULL, 2);
    apex_json_close(&json);
    check_written("[\n  2\n]");
    char room[4];
    apex_json_writer small = apex_json_begin(apex_text_in(room, sizeof room), APEX_JSON_COMPACT);
    apex_json_bool(&small, NULL, false);
    ck_assert(small.text.is_cut);
    apex_json_restart(&small);
    apex_json_bool(&small, NULL, true);
    ck_assert(!small.text.is_cut);
    ck_assert_uint_eq(small.text.length, 4);
    ck_assert_mem_eq(room, "true", 4);
}

TEST(a_format_gives_up_to_63_bytes) {
    char room[100];
    static const int widths[][2] = {{1, 1}, {62, 62}, {63, 63}, {64, 63}, {99, 63}};
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        apex_text_writer text = apex_text_in(room, sizeof room);
        apex_text_format(&text, "%*d", widths[i][0], 7);
        ck_assert_uint_eq(text.length, (size_t)widths[i][1]);
        ck_assert_int_eq(room[text.length - 1], widths[i][0] > 63 ? ' ' : '7');
    }
}

// One text of exactly what there is room for in the first 4096 bytes, and one of more than twice.
TEST(a_text_grows_by_as_much_as_it_must) {
    static char many[10000];
    memset(many, 'x', sizeof many);
    apex_text_writer text = apex_text_growing();
    apex_text_put(&text, many, 4096);
    ck_assert_uint_eq(text.capacity, 4096);
    apex_text_put(&text, many, sizeof many);
    ck_assert_uint_eq(text.length, 14096);
    ck_assert_uint_eq(text.capacity, 16384);
    ck_assert(!text.is_cut);
    free(text.bytes);
}
