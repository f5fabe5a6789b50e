// Names and texts: what may stand in a message, and what is made of the rest.

#include "support/base/check_main.h"

#include "proto/proto.h"

#include <string.h>

static const struct {
    const char *text;
    bool good;
    const char *cleaned;
} texts[] = {
    {"", true, ""},
    {"Ann", true, "Ann"},
    {"~", true, "~"},
    {"a b", true, "a b"},
    {"\x7f", false, "?"},
    {"a\tb", false, "a?b"},
    {"a\r\nb", false, "a??b"},
    {"\x1b[31mred", false, "?[31mred"},
    {"\xc3\xa9", true, "\xc3\xa9"},                 // e with acute
    {"\xe6\x97\xa5", true, "\xe6\x97\xa5"},         // a kanji
    {"\xf0\x9f\x8f\x8e", true, "\xf0\x9f\x8f\x8e"}, // a racing car
    {"\xf4\x8f\xbf\xbf", true, "\xf4\x8f\xbf\xbf"}, // the last code point
    {"\xf4\x90\x80\x80", false, "????"},            // one past it
    {"\xf5\x80\x80\x80", false, "????"},
    {"\xc0\x80", false, "??"}, // overlong zero
    {"\xc1\xbf", false, "??"},
    {"\xe0\x9f\xbf", false, "???"}, // overlong in three
    {"\xe0\xa0\x80", true, "\xe0\xa0\x80"},
    {"\xf0\x8f\xbf\xbf", false, "????"}, // overlong in four
    {"\xed\x9f\xbf", true, "\xed\x9f\xbf"},
    {"\xed\xa0\x80", false, "???"}, // a surrogate
    {"\x80", false, "?"},
    {"\xc3", false, "?"}, // cut off
    {"\xe6\x97", false, "??"},
    {"\xc3"
     "a",
     false, "?a"},
    {"\xc2\x85", false, "??"}, // next line, a C1 control
    {"\xc2\xa0", true, "\xc2\xa0"},
    {"\xe2\x80\xa8", false, "???"}, // line separator
    {"\xe2\x80\xae"
     "abc",
     false, "???abc"}, // right-to-left override
    {"\xe2\x80\xa7", true, "\xe2\x80\xa7"},
    {"\xe2\x80\xaf", true, "\xe2\x80\xaf"},
    {"\xe2\x81\xa6", false, "???"}, // isolate
    {"\xe2\x81\xaa", true, "\xe2\x81\xaa"},
};

TEST_OVER(texts_are_judged, 0, sizeof texts / sizeof texts[0]) {
    ck_assert_int_eq(apex_wire_text_ok(texts[_i].text, strlen(texts[_i].text)), texts[_i].good);
}

TEST_OVER(texts_are_cleaned, 0, sizeof texts / sizeof texts[0]) {
    char out[32];
    apex_wire_text(out, sizeof out, texts[_i].text);
    ck_assert_str_eq(out, texts[_i].cleaned);
    ck_assert(apex_wire_text_ok(out, strlen(out)));
}

TEST(a_zero_inside_a_length_is_refused) {
    ck_assert(!apex_wire_text_ok("a\0b", 3));
}

TEST(long_texts_are_cut_between_characters) {
    char out[8];
    memset(out, 'x', sizeof out);
    apex_wire_text(out, sizeof out, "123456789");
    ck_assert_str_eq(out, "1234567");
    apex_wire_text(out, sizeof out, "12345\xe2\x82\xac");
    ck_assert_str_eq(out, "12345");
    apex_wire_text(out, sizeof out, "1234\xe2\x82\xac");
    ck_assert_str_eq(out, "1234\xe2\x82\xac");
    apex_wire_text(out, sizeof out, "ab");
    ck_assert_mem_eq(out, "ab\0\0\0\0\0\0", 8);
    apex_wire_text(out, 1, "ab");
    ck_assert_str_eq(out, "");
}
