// links: proto
// Tests of single bits of delta snapshots: what both ends would do wrong alike goes through any
// round trip, and other clients would not understand it.

#include <math.h>
#include <string.h>

#include "proto/delta/delta_car.h"
#include "proto/delta/delta_predict.h"
#include "proto/proto.h"
#include "support/base/check_main.h"

enum { TICK_HZ = 60 };

static const apex_delta_span SPAN = {.age_ticks = 3, .tick_hz = TICK_HZ};

/// A car's bits, made by hand.
typedef struct hand_made {
    uint8_t bytes[64];
    uint32_t count;
} hand_made;

static void put(hand_made *bits, uint32_t value, uint32_t count) {
    for (uint32_t i = 0; i < count; i++, bits->count++) {
        bits->bytes[bits->count / 8] |= (uint8_t)((value >> i & 1) << bits->count % 8);
    }
}

static void put_symbol(hand_made *bits, uint32_t group, const delta_difference *difference) {
    const delta_codes *codes = &delta_codes_of(delta_code_set(APEX_DELTA_NEAR, SPAN))[group];
    uint32_t symbol = delta_symbol(difference, group);
    put(bits, codes->code[symbol], codes->length[symbol]);
}

// A car whose acceleration differs by more than symbols tell, by a number of `length` bits.
// @return whether it is taken.
static bool read_beyond(uint32_t length, uint32_t low, apex_delta_car *out) {
    hand_made bits = {.count = 0};
    delta_difference difference = {.of = {[APEX_DELTA_ACCELERATION] = 100}};
    put_symbol(&bits, 0, &difference);
    put(&bits, 0, 1); // it is positive
    put(&bits, (uint32_t)bits_mask(length), length);
    put(&bits, 0, 1);
    put(&bits, low, length);
    for (uint32_t group = 1; group < DELTA_GROUPS; group++) {
        put_symbol(&bits, group, &difference);
    }
    delta_source source = {.bytes = bits.bytes, .length = sizeof bits.bytes};
    apex_delta_car baseline = {.id = 1u << 16 | 7};
    return delta_read_change(&source, &baseline, APEX_DELTA_NEAR, SPAN, out);
}

TEST(a_number_beyond_symbols_goes_on_after_the_largest) {
    apex_delta_car car;
    ck_assert(read_beyond(0, 0, &car));
    ck_assert_int_eq(car.q[APEX_DELTA_ACCELERATION], 4); // symbols tell up to 3
    ck_assert(read_beyond(2, 1, &car));
    ck_assert_int_eq(car.q[APEX_DELTA_ACCELERATION], 8); // 4 + 4, less one, and 1
    ck_assert(read_beyond(7, 124, &car));
    ck_assert_int_eq(car.q[APEX_DELTA_ACCELERATION], 255); // 4 + 252, less one
    ck_assert(!read_beyond(7, 125, &car));                 // it has 9 bits
}

// A row of ones that no writer makes: the number would wrap, and might come out small.
TEST(a_number_of_more_than_26_bits_is_refused) {
    apex_delta_car car;
    for (uint32_t length = 27; length <= 31; length++) {
        ck_assert(!read_beyond(length, UINT32_MAX, &car));
        ck_assert(!read_beyond(length, 0, &car));
    }
}

// Each set of codes was made for its ages: another one costs bits, and other clients know the rule.
TEST(codes_go_by_the_age_of_the_baseline) {
    static const struct {
        uint32_t age_ticks, tick_hz, set;
    } CASES[] = {{1, 60, 0},  {5, 60, 0},   {6, 60, 1},   {10, 60, 1},  {11, 60, 2},
                 {63, 60, 2}, {20, 240, 0}, {21, 240, 1}, {40, 240, 1}, {41, 240, 2},
                 {1, 12, 0},  {1, 11, 1},   {1, 6, 1},    {1, 5, 2}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        apex_delta_span span = {.age_ticks = CASES[i].age_ticks, .tick_hz = CASES[i].tick_hz};
        ck_assert_uint_eq(delta_code_set(APEX_DELTA_NEAR, span), CASES[i].set);
        ck_assert_uint_eq(delta_code_set(APEX_DELTA_FAR, span), 3);
    }
}

TEST(sine_and_cosine_are_right_all_round) {
    for (int32_t yaw = 0; yaw < 8192; yaw++) {
        double rad = yaw * (6.28318530717958648 / 8192.0);
        ck_assert_double_le(fabs(delta_sine(yaw) - 16384.0 * sin(rad)), 16384.0 / 4000.0);
        ck_assert_double_le(fabs(delta_cosine(yaw) - 16384.0 * cos(rad)), 16384.0 / 4000.0);
    }
    ck_assert_int_eq(delta_sine(0), 0);
    ck_assert_int_eq(delta_sine(4096), 0);
}

static int32_t foretold_rpm(int32_t rpm, int32_t along_before, int32_t along_now) {
    delta_view view = {.span = SPAN};
    view.before[APEX_DELTA_RPM] = rpm;
    view.before[APEX_DELTA_ALONG] = along_before;
    view.now[APEX_DELTA_ALONG] = along_now;
    return delta_predict(&view, APEX_DELTA_RPM);
}

TEST(the_engine_is_foretold_from_2_m_per_s_on_within_its_range) {
    ck_assert_int_eq(foretold_rpm(20, 40, 80), 40);
    ck_assert_int_eq(foretold_rpm(20, 39, 78), 20);   // too slow to tell
    ck_assert_int_eq(foretold_rpm(20, -40, -60), 30); // backwards
    ck_assert_int_eq(foretold_rpm(20, -39, -78), 20);
    ck_assert_int_eq(foretold_rpm(200, 40, 51), 255);
    ck_assert_int_eq(foretold_rpm(200, 40, 80), 255);
    ck_assert_int_eq(foretold_rpm(20, 40, -40), 0);
}

TEST(a_quotient_is_rounded_away_from_zero) {
    ck_assert_int_eq(delta_divide(7, 2), 4);
    ck_assert_int_eq(delta_divide(-7, 2), -4);
    ck_assert_int_eq(delta_divide(5, 4), 1);
    ck_assert_int_eq(delta_divide(-5, 4), -1);
    ck_assert_int_eq(delta_divide(1, 3), 0);
}

// Velocities turn with the car: sideways at its beginning, along at its end.
TEST(a_place_is_foretold_from_both_ends) {
    delta_view view = {.span = {.age_ticks = 12, .tick_hz = TICK_HZ}};
    view.before[APEX_DELTA_ASIDE] = 200; // 10 m/s northwards, as the nose points east
    view.now[APEX_DELTA_ALONG] = 400;    // 20 m/s westwards
    view.now[APEX_DELTA_YAW] = 4096;
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_X), -200); // 0.2 s with half of each
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_Y), 100);
}

TEST(all_fields_of_a_car_are_shown) {
    apex_delta_car car = {.id = 65537};
    apex_wire_car wire;
    car.q[APEX_DELTA_CLIMB] = -7;
    car.q[APEX_DELTA_YAW_RATE] = 32;
    car.q[APEX_DELTA_ROLL] = 1024;
    car.q[APEX_DELTA_THROTTLE] = 14;
    car.q[APEX_DELTA_FLAGS] = 9;
    apex_delta_to_wire(&car, APEX_DELTA_NEAR, &wire);
    ck_assert_uint_eq(wire.id, 65537);
    ck_assert_int_eq(wire.vz_cmps, -35);
    ck_assert_int_eq(wire.yaw_rate_q, 512); // 0.5 rad/s
    ck_assert_int_eq(wire.roll_q, INT16_MIN);
    ck_assert_int_eq(wire.throttle, 238);
    ck_assert_int_eq(wire.flags, 9);
    car.q[APEX_DELTA_YAW_RATE] = 4095; // 64 rad/s, of which the wire holds half
    apex_delta_to_wire(&car, APEX_DELTA_NEAR, &wire);
    ck_assert_int_eq(wire.yaw_rate_q, INT16_MAX);
    car.q[APEX_DELTA_YAW_RATE] = -4096;
    apex_delta_to_wire(&car, APEX_DELTA_NEAR, &wire);
    ck_assert_int_eq(wire.yaw_rate_q, INT16_MIN);
}

TEST(a_far_value_stands_for_the_middle_of_what_it_may_be) {
    apex_delta_car car = {.id = 65537};
    apex_wire_car wire;
    car.q[APEX_DELTA_X] = 10;    // 160 to 175 cm
    car.q[APEX_DELTA_Z] = -1;    // -16 to -1
    car.q[APEX_DELTA_YAW] = 64;  // 1024 to 1039 of 8192
    car.q[APEX_DELTA_CLIMB] = 1; // 8 to 15 of 5 cm/s
    apex_delta_to_wire(&car, APEX_DELTA_FAR, &wire);
    ck_assert_int_eq(wire.x_mm, 1675);
    ck_assert_int_eq(wire.z_mm, -85);
    ck_assert_int_eq(wire.yaw_q, 8252);
    ck_assert_int_eq(wire.vz_cmps, 58); // 57.5
    apex_delta_to_wire(&car, APEX_DELTA_LISTED, &wire);
    ck_assert_int_eq(wire.x_mm, 1675);
}

enum { BYTES = 64 };

static apex_delta_head head_of(uint32_t cars, uint32_t listed) {
    return (apex_delta_head){.tick = 1000,
                             .sequence = 5,
                             .age_ticks = 3,
                             .car_count = cars,
                             .spread = 15, // in a row
                             .listed_count = listed};
}

static apex_delta_reader open_packet(const uint8_t *bytes, size_t length) {
    apex_delta_reader reader;
    apex_delta_known known = {.tick = 990, .sequence = 4, .tick_hz = TICK_HZ};
    ck_assert(apex_delta_open(&reader, bytes, length, &known));
    return reader;
}

// @return whether both cars, the second after the first, can be read.
static bool read_two(uint32_t slot) {
    uint8_t bytes[2 * BYTES] = {0};
    apex_delta_head head = head_of(2, 0);
    apex_delta_writer writer;
    apex_delta_begin(&writer, &head, bytes, sizeof bytes);
    for (uint32_t i = 0; i < 2; i++) {
        apex_delta_car car = {.id = slot + i};
        apex_delta_code code;
        apex_delta_code_full(&car, APEX_DELTA_FAR, &code);
        apex_delta_add(&writer, slot + i, 0, APEX_DELTA_FAR, &code);
    }
    apex_delta_reader reader = open_packet(bytes, apex_delta_end(&writer));
    for (uint32_t i = 0; i < 2; i++) {
        apex_delta_entry entry;
        apex_delta_car car;
        if (!apex_delta_next(&reader, &entry) ||
            !apex_delta_read_car(&reader, &entry, NULL, APEX_DELTA_FAR, &car)) {
            return false;
        }
        ck_assert_uint_eq(entry.slot, slot + i);
    }
    return true;
}

TEST(slots_end_at_65535) {
    ck_assert(read_two(1));
    ck_assert(read_two(65534));
    ck_assert(!read_two(65535));
    ck_assert(!read_two(65536));
}

TEST(a_change_of_no_age_is_refused) {
    for (uint32_t age = 0; age <= 1; age++) {
        uint8_t bytes[BYTES] = {0};
        apex_delta_head head = head_of(1, 0);
        apex_delta_car car = {.id = 7};
        apex_delta_writer writer;
        apex_delta_code code;
        apex_delta_entry entry;
        head.age_ticks = age;
        apex_delta_begin(&writer, &head, bytes, sizeof bytes);
        apex_delta_code_change(&car, &car, APEX_DELTA_NEAR, SPAN, &code);
        apex_delta_add(&writer, 7, age, APEX_DELTA_NEAR, &code);
        apex_delta_reader reader = open_packet(bytes, apex_delta_end(&writer));
        ck_assert_int_eq(apex_delta_next(&reader, &entry), age == 1);
    }
}

TEST(a_listed_car_has_a_slot) {
    for (uint32_t slot = 0; slot <= 2; slot++) {
        uint8_t bytes[BYTES] = {0};
        apex_delta_head head = head_of(0, 1);
        apex_delta_car car = {.id = 1u << 16 | slot}, out;
        apex_delta_writer writer;
        apex_delta_begin(&writer, &head, bytes, sizeof bytes);
        apex_delta_add_listed(&writer, &car);
        apex_delta_reader reader = open_packet(bytes, apex_delta_end(&writer));
        ck_assert_int_eq(apex_delta_read_listed(&reader, &out), slot != 0);
    }
}

TEST(a_packet_ends_with_its_checksum) {
    uint8_t bytes[BYTES] = {0};
    apex_delta_head head = head_of(0, 0);
    apex_delta_writer writer;
    apex_delta_begin(&writer, &head, bytes, sizeof bytes);
    size_t length = apex_delta_end(&writer);
    apex_delta_reader reader = open_packet(bytes, length);
    ck_assert(apex_delta_close(&reader));
    reader = open_packet(bytes, length + 1);
    ck_assert(!apex_delta_close(&reader));
    bytes[length - 1] ^= 0x10;
    reader = open_packet(bytes, length);
    ck_assert(!apex_delta_close(&reader));
}

// 16 bits of a tick and 8 of a sequence travel: the nearest to what is known is meant.
TEST(ticks_and_sequences_are_the_nearest_to_what_is_known) {
    uint8_t bytes[BYTES] = {0};
    apex_delta_head head = head_of(0, 0);
    apex_delta_writer writer;
    apex_delta_reader reader;
    head.tick = 65536 + 10;
    head.sequence = 256 + 3;
    apex_delta_begin(&writer, &head, bytes, sizeof bytes);
    size_t length = apex_delta_end(&writer);
    static const int32_t OFF[] = {-32768, -32767, -1, 0, 1, 32767};
    for (size_t i = 0; i < sizeof OFF / sizeof OFF[0]; i++) {
        apex_delta_known known = {(uint32_t)((int32_t)head.tick + OFF[i] + 1),
                                  (uint16_t)(head.sequence + (OFF[i] + 1) / 256), TICK_HZ};
        ck_assert(apex_delta_open(&reader, bytes, length, &known));
        ck_assert_uint_eq(reader.head.tick, head.tick);
        ck_assert_uint_eq(reader.head.sequence, head.sequence);
    }
}

TEST(the_spread_is_that_of_the_gaps) {
    ck_assert_uint_eq(apex_delta_spread(NULL, 0), 15);
    ck_assert_uint_eq(apex_delta_spread((const uint16_t[]){9}, 1), 15);
    ck_assert_uint_eq(apex_delta_spread((const uint16_t[]){4, 5, 6}, 3), 15);
    // Gaps of 1 and 0: two cars and a bit in 4 bits, where a spread of 1 takes 6.
    ck_assert_uint_eq(apex_delta_spread((const uint16_t[]){4, 6, 7}, 3), 0);
    // Gaps of 8 each: 3 * 4 + 2 bits by 3, 3 * 5 by 4, 3 * 3 + 4 by 2.
    ck_assert_uint_eq(apex_delta_spread((const uint16_t[]){1, 10, 19}, 3), 2);
    // Gaps of 3, 3, 3, 1 and 1: 6 * 2 + 3 bits by 1, 6 + 11 by 0.
    ck_assert_uint_eq(apex_delta_spread((const uint16_t[]){1, 5, 9, 13, 15, 17}, 6), 1);
}
