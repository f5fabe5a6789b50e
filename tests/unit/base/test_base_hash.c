// The hash: its published values, in one piece and in many.
#include "base/hash.h"
#include "support/base/check_main.h"

#include <string.h>

#define INPUT_BYTES 2367
#define PRIME32     UINT64_C(2654435761)
#define PRIME64     UINT64_C(11400714785074694797)

// The input and the values are those of xxHash's own self-test (xxhsum, sanity check of XXH3 64).
static unsigned char input[INPUT_BYTES];

static void setup(void) {
    uint64_t generator = PRIME32;
    for (size_t i = 0; i < INPUT_BYTES; i++) {
        input[i] = (unsigned char)(generator >> 56);
        generator *= PRIME64;
    }
}

static const struct {
    size_t length;
    uint64_t seed;
    uint64_t hash;
} known[] = {
    {0, 0, 0x2D06800538D394C2},    {0, PRIME64, 0xA8A6B918B2F0364A},
    {1, 0, 0xC44BDFF4074EECDB},    {1, PRIME64, 0x032BE332DD766EF8},
    {6, 0, 0x27B56A84CD2D7325},    {6, PRIME64, 0x84589C116AB59AB9},
    {12, 0, 0xA713DAF0DFBB77E7},   {12, PRIME64, 0xE7303E1B2336DE0E},
    {24, 0, 0xA3FE70BF9D3510EB},   {48, 0, 0x397DA259ECBA1F11},
    {80, 0, 0xBCDEFBBB2C47C90A},   {195, 0, 0xCD94217EE362EC3A},
    {403, 0, 0xCDEB804D65C6DEA4},  {512, 0, 0x617E49599013CB6B},
    {2048, 0, 0xDD59E2C3A5F038E0}, {2240, 0, 0x6E73A90539CF2948},
    {2367, 0, 0xCB37AEB9E5D361ED},
};

#define KNOWN_COUNT (sizeof known / sizeof known[0])

FIXTURE(setup, NULL)

TEST(bytes_hash_to_the_published_values) {
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        ck_assert_uint_eq(apex_hash_bytes(input, known[i].length, known[i].seed), known[i].hash);
    }
}

TEST(a_stream_hashes_like_the_whole_however_it_is_cut) {
    static const size_t cuts[] = {1, 7, 64, 255, 256, 257, 1000};
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        for (size_t c = 0; c < sizeof cuts / sizeof cuts[0]; c++) {
            apex_hash_stream stream;
            memset(&stream, 0x5a, sizeof stream);
            apex_hash_begin(&stream, known[i].seed);
            for (size_t at = 0; at < known[i].length; at += cuts[c]) {
                size_t left = known[i].length - at;
                apex_hash_add(&stream, input + at, left < cuts[c] ? left : cuts[c]);
            }
            ck_assert_uint_eq(apex_hash_end(&stream), known[i].hash);
        }
    }
}

TEST(a_stream_may_be_read_and_go_on) {
    apex_hash_stream stream;
    apex_hash_begin(&stream, 0);
    ck_assert_uint_eq(apex_hash_end(&stream), 0x2D06800538D394C2);
    apex_hash_add(&stream, NULL, 0);
    apex_hash_add(&stream, input, 195);
    ck_assert_uint_eq(apex_hash_end(&stream), 0xCD94217EE362EC3A);
    apex_hash_add(&stream, input + 195, 403 - 195);
    ck_assert_uint_eq(apex_hash_end(&stream), 0xCDEB804D65C6DEA4);
}

TEST(a_hash_becomes_hex_text) {
    char text[APEX_HASH_HEX_BYTES];
    apex_hash_to_hex(0x00D5f0123456789aU, text);
    ck_assert_str_eq(text, "00d5f0123456789a");
}
