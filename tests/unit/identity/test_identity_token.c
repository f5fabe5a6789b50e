// A token's bytes and its text, and what is no token.
#include "support/base/check_main.h"

#include <stdlib.h>

#include "test_identity_lobby.h"

enum { SUBJECT_AT = 109, ROLE_AT = 102, RESTRICTOR_AT = 108 };

static apex_driver_key lobby;
static uint8_t bytes[APEX_JOIN_TOKEN_BYTES_MAX];
static size_t length;

static void start(void) {
    ck_assert(apex_identity_begin());
    lobby_key_from(32, &lobby);
    length = apex_join_token_read(lobby_token_text, bytes);
}

FIXTURE(start, NULL)

// Copied to a block of its own, so that a sanitizer sees each byte read beyond it.
static bool is_token(const uint8_t *from, size_t count) {
    uint8_t *block = malloc(count > 0 ? count : 1);
    apex_join_token token;
    memcpy(block, from, count);
    bool is = apex_join_token_parse(block, count, &token);
    free(block);
    return is;
}

TEST(a_token_is_the_bytes_that_are_described) {
    apex_join_token token = lobby_token();
    uint8_t signed_bytes[APEX_JOIN_TOKEN_BYTES_MAX];
    char text[APEX_JOIN_TOKEN_TEXT_BYTES];
    memset(token.issuer, 0, sizeof token.issuer); // is filled in
    size_t count = apex_join_token_sign(&token, &lobby, signed_bytes);
    ck_assert_uint_eq(count, LOBBY_TOKEN_BYTES);
    apex_join_token_text(signed_bytes, count, text);
    ck_assert_str_eq(text, lobby_token_text);
}

TEST(every_field_is_read) {
    apex_join_token token;
    apex_join_token expected = lobby_token();
    ck_assert_uint_eq(length, LOBBY_TOKEN_BYTES);
    ck_assert(apex_join_token_parse(bytes, length, &token));
    lobby_assert_same(&token, &expected);
}

TEST(the_largest_values_come_back) {
    apex_join_token token;
    apex_join_token most = {.issuer = {0x25, 0x84, 0x3b, 0x3a},
                            .issued_s = UINT64_MAX,
                            .not_before_s = UINT64_MAX - 1,
                            .expires_s = UINT64_C(0x8123456789abcdef),
                            .race = UINT32_MAX,
                            .role = APEX_TOKEN_FREE_BYTE,
                            .car = APEX_TOKEN_FREE_BYTE,
                            .start_number = APEX_TOKEN_FREE,
                            .ballast_kg = 0xfedc,
                            .restrictor_percent = APEX_TOKEN_FREE_BYTE};
    memset(most.holder, 0xee, sizeof most.holder);
    memset(most.subject, 's', APEX_TOKEN_SUBJECT_BYTES - 1);
    memset(most.name, 'n', APEX_TOKEN_NAME_BYTES - 1);
    size_t count = apex_join_token_sign(&most, &lobby, bytes);
    ck_assert_uint_eq(count, 270);
    ck_assert(apex_join_token_parse(bytes, count, &token));
    lobby_assert_same(&token, &most);
}

TEST(texts_may_be_empty) {
    apex_join_token token = lobby_token();
    apex_join_token read;
    token.subject[0] = '\0';
    token.name[0] = '\0';
    size_t count = apex_join_token_sign(&token, &lobby, bytes);
    ck_assert_uint_eq(count, 175);
    ck_assert(apex_join_token_parse(bytes, count, &read));
    lobby_assert_same(&read, &token);
}

TEST(a_token_has_one_length) {
    for (size_t count = 0; count < length; count++) {
        ck_assert_msg(!is_token(bytes, count), "%zu bytes", count);
    }
    ck_assert(is_token(bytes, length));
    ck_assert(!is_token(bytes, length + 1));
    ck_assert(!is_token(bytes, APEX_JOIN_TOKEN_BYTES_MAX));
}

TEST(another_version_and_a_flag_are_refused) {
    for (size_t at = 0; at < 6; at++) {
        bytes[at] ^= 2;
        ck_assert_msg(!is_token(bytes, length), "byte %zu", at);
        bytes[at] ^= 2;
    }
}

TEST(roles_and_restrictors_are_ones_that_there_are) {
    for (unsigned value = 0; value < 256; value++) {
        bytes[ROLE_AT] = (uint8_t)value;
        ck_assert_int_eq(is_token(bytes, length), value <= 1 || value == 255);
    }
    bytes[ROLE_AT] = 0;
    for (unsigned value = 0; value < 256; value++) {
        bytes[RESTRICTOR_AT] = (uint8_t)value;
        ck_assert_int_eq(is_token(bytes, length), value <= 100 || value == 255);
    }
}

TEST(a_text_that_is_not_seen_is_refused) {
    static const char *const texts[] = {
        "\x1b[2J",      // a terminal's order
        "ab\x7f",       // DEL
        "\xc2\x9b",     // CSI of eight bits
        "\xe2\x80\xae", // right to left from here
        "\xe2\x80\x8b", // a space of no width
        "\xff",         // no UTF-8
        "\xc3",         // half of a character
        "\xc0\xaf",     // overlong
        "\xed\xa0\x80", // a surrogate
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        apex_join_token token = lobby_token();
        strcpy(token.name, texts[i]);
        size_t count = apex_join_token_sign(&token, &lobby, bytes);
        ck_assert_msg(!is_token(bytes, count), "name %zu", i);
        token = lobby_token();
        strcpy(token.subject, texts[i]);
        count = apex_join_token_sign(&token, &lobby, bytes);
        ck_assert_msg(!is_token(bytes, count), "subject %zu", i);
    }
}

TEST(a_zero_ends_no_text_early) {
    bytes[SUBJECT_AT + 4] = 0;
    ck_assert(!is_token(bytes, length));
}

TEST(a_text_longer_than_its_room_is_refused) {
    uint8_t long_token[APEX_JOIN_TOKEN_BYTES_MAX] = {0};
    memset(long_token, 'a', sizeof long_token);
    memcpy(long_token, bytes, SUBJECT_AT);
    long_token[SUBJECT_AT] = 64;
    long_token[SUBJECT_AT + 65] = 31;
    ck_assert(is_token(long_token, 109 + 65 + 32 + 64));
    long_token[SUBJECT_AT + 65] = 32;
    ck_assert(!is_token(long_token, 109 + 65 + 33 + 64));
    long_token[SUBJECT_AT + 65] = 'a';
    long_token[SUBJECT_AT] = 65;
    long_token[SUBJECT_AT + 66] = 4;
    ck_assert(!is_token(long_token, 109 + 66 + 5 + 64));
}

TEST(only_its_lobby_has_signed_it) {
    apex_driver_key other;
    lobby_key_from(33, &other);
    ck_assert(apex_join_token_is_signed(bytes, length, lobby.key));
    ck_assert(!apex_join_token_is_signed(bytes, length, other.key));
    ck_assert(!apex_join_token_is_signed(bytes, 63, lobby.key));
    ck_assert(!apex_join_token_is_signed(bytes, 0, lobby.key));
}

TEST(a_changed_bit_anywhere_breaks_the_signature) {
    for (size_t bit = 0; bit < 8 * length; bit++) {
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ck_assert_msg(!apex_join_token_is_signed(bytes, length, lobby.key), "bit %zu", bit);
        bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

TEST(numbers_are_random) {
    apex_join_token one = {0};
    apex_join_token other = {0};
    apex_join_token_new_number(&one);
    apex_join_token_new_number(&other);
    ck_assert_mem_ne(one.number, other.number, sizeof one.number);
}

TEST(a_text_is_read_back) {
    uint8_t raw[APEX_JOIN_TOKEN_BYTES_MAX];
    uint8_t back[APEX_JOIN_TOKEN_BYTES_MAX];
    char text[APEX_JOIN_TOKEN_TEXT_BYTES];
    for (size_t i = 0; i < sizeof raw; i++) {
        raw[i] = (uint8_t)(37 * i);
    }
    for (size_t count = 1; count <= sizeof raw; count++) {
        apex_join_token_text(raw, count, text);
        ck_assert_uint_eq(apex_join_token_read(text, back), count);
        ck_assert_mem_eq(back, raw, count);
    }
    ck_assert_uint_eq(strlen(text), APEX_JOIN_TOKEN_TEXT_BYTES - 1);
}

TEST(a_text_that_is_no_base64url_is_refused) {
    char too_long[APEX_JOIN_TOKEN_TEXT_BYTES + 1];
    uint8_t out[APEX_JOIN_TOKEN_BYTES_MAX];
    memset(too_long, 'A', sizeof too_long - 1);
    too_long[sizeof too_long - 1] = '\0';
    ck_assert_uint_eq(apex_join_token_read(too_long, out), 0);
    for (unsigned byte = 128; byte < 256; byte++) {
        ck_assert_uint_eq(apex_join_token_read((char[]){'Q', 'U', 'E', (char)byte, '\0'}, out), 0);
    }
    static const char *const none[] = {"", "A", "QUE=", "QU+x", "QU/x", "QU x", "QUEx\n", "QUF"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        ck_assert_msg(apex_join_token_read(none[i], out) == 0, "%s", none[i]);
    }
    ck_assert_uint_eq(apex_join_token_read("QUE", out), 2); // as "QUF" is not: its last bits are 0
}
