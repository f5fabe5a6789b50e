// Controls in forms that no encoder of today writes: they mean what any reader of protobuf makes of
// them, whichever of the two readers gets them.

#include <string.h>

#include "proto/proto.h"
#include "support/base/check_main.h"

enum { CONTROLS = APEX_CLIENT_CONTROLS << 3 | 2, FIRST_TICK = 1 << 3, SAMPLE = 2 << 3 | 2 };
enum { ACK = 3 << 3 | 2, FIXED_BEFORE = 2 << 3 | 5, SECRET = 12 << 3 | 1 };

static _Alignas(64) uint8_t memory[APEX_DECODE_SCRATCH_BYTES];
static apex_client_message got;

// @param memory_bytes 0: only the reader without protobuf-c can.
// @return NULL, or why it is refused.
static const char *decode_message(const uint8_t *bytes, size_t length, size_t memory_bytes) {
    const char *why = "";
    return apex_decode_client(bytes, length, (apex_scratch){memory, memory_bytes}, &got, &why)
               ? NULL
               : why;
}

static const char *decode(const uint8_t *body, size_t length) {
    uint8_t bytes[128] = {CONTROLS, (uint8_t)length};
    ck_assert_uint_lt(length, 126);
    memcpy(bytes + 2, body, length);
    return decode_message(bytes, length + 2, sizeof memory);
}

// Which of the two readers gets them is decided by a field that nobody knows.
TEST(two_acknowledgements_are_the_same_to_both_readers) {
    static const uint8_t BODY[] = {FIRST_TICK, 9, SAMPLE, 0, ACK,    4, 1 << 3,  41,
                                   3 << 3,     7, ACK,    2, 3 << 3, 8, 14 << 3, 1};
    ck_assert_ptr_null(decode(BODY, sizeof BODY));
    apex_snapshot_ack slowly = got.controls.ack;
    ck_assert_ptr_null(decode(BODY, sizeof BODY - 2));
    ck_assert_uint_eq(got.controls.first_tick, 9);
    ck_assert_uint_eq(got.controls.sample_count, 1);
    ck_assert_uint_eq(got.controls.ack.repair, 8); // of the second
    ck_assert_mem_eq(&got.controls.ack, &slowly, sizeof slowly);
}

TEST(the_last_of_two_ticks_counts) {
    static const uint8_t BODY[] = {FIRST_TICK, 9, SAMPLE, 0, FIRST_TICK, 10};
    ck_assert_ptr_null(decode(BODY, sizeof BODY));
    ck_assert_uint_eq(got.controls.first_tick, 10);
}

TEST(of_a_long_number_the_upper_bits_are_dropped) {
    static const uint8_t FIVE[] = {FIRST_TICK, 0x8A, 0x80, 0x80, 0x80, 0x70, SAMPLE, 0};
    static const uint8_t TEN[] = {FIRST_TICK, 0x8B, 0x80, 0x80, 0x80,   0x80, 0x80,
                                  0x80,       0x80, 0x80, 0x01, SAMPLE, 0};
    ck_assert_ptr_null(decode(FIVE, sizeof FIVE));
    ck_assert_uint_eq(got.controls.first_tick, 10);
    ck_assert_ptr_null(decode(TEN, sizeof TEN));
    ck_assert_uint_eq(got.controls.first_tick, 11);
}

TEST(an_unknown_field_of_a_sample_is_passed_over) {
    static const uint8_t BODY[] = {SAMPLE, 4, 14 << 3, 5, 2 << 3, 77};
    ck_assert_ptr_null(decode(BODY, sizeof BODY));
    ck_assert_uint_eq(got.controls.samples[0].throttle, 77);
}

TEST(four_bytes_begin_with_the_lowest) {
    static const uint8_t BODY[] = {SAMPLE, 0, ACK, 5, FIXED_BEFORE, 0x04, 0x03, 0x02, 0x81};
    ck_assert_ptr_null(decode(BODY, sizeof BODY));
    ck_assert_uint_eq(got.controls.ack.before, 0x81020304);
}

TEST(the_last_tick_does_not_wrap) {
    static const uint8_t LAST[] = {FIRST_TICK, 0xEF, 0xFF, 0xFF, 0xFF, 0x0F, SAMPLE, 0};
    static const uint8_t BEYOND[] = {FIRST_TICK, 0xF0, 0xFF, 0xFF, 0xFF, 0x0F, SAMPLE, 0};
    ck_assert_ptr_null(decode(LAST, sizeof LAST));
    ck_assert_uint_eq(got.controls.first_tick, UINT32_MAX - 16);
    ck_assert_str_eq(decode(BEYOND, sizeof BEYOND),
                     "controls: first_tick is outside 0..4294967279");
}

// Wherever it stands, and of two the last, as protobuf has it.
TEST(the_secret_is_read_by_both_readers) {
    static const uint8_t BEHIND[] = {CONTROLS, 2, SAMPLE, 0, SECRET, 1, 2, 3, 4, 5, 6, 7, 0x88};
    static const uint8_t BEFORE[] = {SECRET, 1, 2, 3, 4, 5, 6, 7, 0x88, CONTROLS, 2, SAMPLE, 0};
    static const uint8_t TWO[] = {CONTROLS, 2, SAMPLE, 0, SECRET, 9, 9, 9, 9, 9, 9,
                                  9,        9, SECRET, 1, 2,      3, 4, 5, 6, 7, 0x88};
    ck_assert_ptr_null(decode_message(BEHIND, sizeof BEHIND, 0));
    ck_assert_uint_eq(got.secret, 0x8807060504030201u);
    ck_assert_ptr_null(decode_message(BEFORE, sizeof BEFORE, sizeof memory));
    ck_assert_uint_eq(got.secret, 0x8807060504030201u);
    ck_assert_ptr_null(decode_message(TWO, sizeof TWO, sizeof memory));
    ck_assert_uint_eq(got.secret, 0x8807060504030201u);
    ck_assert_ptr_null(decode_message(BEHIND, 4, 0));
    ck_assert_uint_eq(got.secret, 0);
}

TEST(a_secret_that_is_cut_spoils_its_message) {
    static const uint8_t CUT[] = {CONTROLS, 2, SAMPLE, 0, SECRET, 1, 2, 3, 4, 5, 6, 7};
    for (size_t length = 5; length <= sizeof CUT; length++) {
        ck_assert_ptr_nonnull(decode_message(CUT, length, sizeof memory));
    }
}
