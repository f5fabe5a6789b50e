// UTF-8: each character that there is, and as many beginnings as there are characters.
#include "base/utf8.h"
#include "support/base/check_main.h"

#include <stdint.h>

// RFC 3629, section 3: bits of the code point from the last byte up, six at a time.
static size_t encode(uint32_t code, char text[4]) {
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const uint32_t marks[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = length; i > 1; i--) {
        text[i - 1] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    text[0] = (char)(marks[length] | code);
    return length;
}

TEST(each_character_is_well_formed_and_nothing_shorter_is) {
    uint32_t wrong = 0;
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        char text[4];
        size_t length = encode(code, text);
        bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
        wrong += apex_utf8_length(text, length) != (is_surrogate ? 0 : length);
        wrong += length > 1 && apex_utf8_length(text, length - 1) != 0;
        wrong += !is_surrogate && apex_utf8_code(text, length) != code;
    }
    ck_assert_uint_eq(wrong, 0);
}

// 30 * 64 of two bytes; of three, 16 * 64 but for 32 that are overlong and 32 of surrogates; of
// four, 5 * 64 but for 16 that are overlong and 48 past U+10FFFF.
TEST(no_other_two_bytes_begin_a_character) {
    uint32_t counts[5] = {0};
    for (uint32_t pair = 0; pair < 0x10000; pair++) {
        char text[] = {(char)(pair >> 8), (char)pair, (char)0x80, (char)0xbf};
        counts[apex_utf8_length(text, 4)]++;
    }
    ck_assert_uint_eq(counts[1], 128 * 256);
    ck_assert_uint_eq(counts[2], 30 * 64);
    ck_assert_uint_eq(counts[3], 16 * 64 - 32 - 32);
    ck_assert_uint_eq(counts[4], 5 * 64 - 16 - 48);
}

TEST(each_byte_behind_the_first_goes_on) {
    for (unsigned byte = 0; byte < 256; byte++) {
        size_t expected = byte >= 0x80 && byte < 0xc0 ? 1 : 0;
        char three[] = {(char)0xe2, (char)0x82, (char)byte};
        ck_assert_uint_eq(apex_utf8_length(three, 3), 3 * expected);
        char third[] = {(char)0xf0, (char)0x9f, (char)byte, (char)0x81};
        ck_assert_uint_eq(apex_utf8_length(third, 4), 4 * expected);
        char fourth[] = {(char)0xf0, (char)0x9f, (char)0x8f, (char)byte};
        ck_assert_uint_eq(apex_utf8_length(fourth, 4), 4 * expected);
    }
}

static bool is_hidden(uint32_t code) {
    char text[4];
    size_t length = encode(code, text);
    return apex_utf8_is_hidden(text, length);
}

// 65 controls, the 4,174 of Unicode 15 that may be ignored, and the two that end lines.
TEST(what_nobody_sees_is_hidden_and_nothing_else) {
    static const uint32_t hidden[] = {0x0,    0x1b,   0x7f,   0x9b,   0xad,    0x61c,
                                      0x200b, 0x200e, 0x200f, 0x2028, 0x202a,  0x202e,
                                      0x2066, 0x2069, 0xfe0f, 0xfeff, 0x1d173, 0xe0001};
    static const uint32_t seen[] = {' ', '~', 0xa0, 0xe9, 0x200a, 0x2010, 0x202f, 0x4e2d, 0x1f3c1};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        ck_assert_msg(is_hidden(hidden[i]), "U+%04X", hidden[i]);
    }
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
        ck_assert_msg(!is_hidden(seen[i]), "U+%04X", seen[i]);
    }
    uint32_t count = 0;
    for (uint32_t code = 0; code <= 0x10ffff; code++) {
        count += is_hidden(code);
    }
    ck_assert_uint_eq(count, 65 + 4174 + 2);
}
