// The viewer's own car on the wire: every bit comes back, and nothing that is no car comes through.

#include "test_proto_samples.h"
#include "support/base/check_main.h"

#include <math.h>

enum { BYTES_MAX = 1024, OWN_NUMBER = 9 };

static _Alignas(16) uint8_t memory[1 << 16];

static size_t encode(const apex_own_car *own, uint8_t out[BYTES_MAX]) {
    apex_server_message message = {.kind = APEX_SERVER_SNAPSHOT};
    message.snapshot = (apex_snapshot_message){.parts = 1, .own = own};
    size_t length = apex_encode_server(&message, out, BYTES_MAX);
    ck_assert_uint_gt(length, 0);
    return length;
}

// @return the car, or NULL with *why the refusal.
static const apex_own_car *decode(const uint8_t *bytes, size_t length, const char **why) {
    static apex_server_message message;
    apex_scratch scratch = {memory, sizeof memory};
    *why = "";
    bool good = apex_decode_server(bytes, length, scratch, &message, why);
    ck_assert(!good || message.snapshot.own != NULL);
    return good ? message.snapshot.own : NULL;
}

TEST(every_bit_comes_back) {
    for (uint32_t wheels = 0; wheels <= APEX_WIRE_WHEELS_MAX; wheels++) {
        uint8_t bytes[BYTES_MAX];
        const char *why;
        apex_own_car sent = sample_own_car(wheels);
        sent.steer_rad = -0.0f; // which is not 0 and may not be left out
        const apex_own_car *got = decode(bytes, encode(&sent, bytes), &why);
        ck_assert_msg(got != NULL, "%s", why);
        ck_assert(memcmp(got, &sent, sizeof sent) == 0);
        ck_assert(signbit(got->steer_rad));
    }
}

// A car on four wheels costs so much in each snapshot; a field too many shows here.
TEST(a_whole_car_of_four_wheels_takes_260_bytes) {
    uint8_t with[BYTES_MAX], without[BYTES_MAX];
    apex_own_car own = sample_own_car(4);
    own.steer_rad = 0.125f;
    own.boost = own.slipstream = own.ballast_kg = own.shift_left_s = 0.0f;
    own.lean_rad = own.lean_radps = 0.0f;
    memset(own.damage, 0, sizeof own.damage);
    own.shift_up_seen = own.shift_down_seen = own.reset_seen = 0;
    size_t more = encode(&own, with) - encode(NULL, without);
    ck_assert_uint_le(more, 260);
    ck_assert_uint_eq(apex_own_car_bytes(&own), more - 1); // the message's length grows by a byte
    ck_assert_uint_ge(more, 200); // or something is missing: so much do the lists alone take
}

// Puts one pattern of bits in the place of another that stands in the bytes once.
static void patch(uint8_t *bytes, size_t length, const void *from, const void *to, size_t size) {
    size_t found = 0;
    for (size_t at = 0; at + size <= length; at++) {
        if (memcmp(bytes + at, from, size) == 0) {
            memcpy(bytes + at, to, size);
            at += size - 1;
            found++;
        }
    }
    ck_assert_uint_eq(found, 1);
}

static const char *refusal_of(const void *from, const void *to, size_t size) {
    uint8_t bytes[BYTES_MAX];
    const char *why;
    apex_own_car own = sample_own_car(4);
    size_t length = encode(&own, bytes);
    patch(bytes, length, from, to, size);
    ck_assert_ptr_null(decode(bytes, length, &why));
    return why;
}

static const char *refusal_of_float(float from, float to) {
    return refusal_of(&from, &to, sizeof from);
}

static const char *refusal_of_double(double from, double to) {
    return refusal_of(&from, &to, sizeof from);
}

TEST(wheels_that_physics_would_not_take_are_refused) {
    apex_own_car own = sample_own_car(4);
    const float hot[] = {10001.0f, -10001.0f, 1e6f};
    for (size_t i = 0; i < sizeof hot / sizeof hot[0]; i++) {
        ck_assert_str_eq(refusal_of_float(own.wheels[0].temperature_c, hot[i]),
                         "own car: a wheel's temperature is outside -1e4..1e4");
        ck_assert_str_eq(refusal_of_float(own.wheels[3].brake_temperature_c, hot[i]),
                         "own car: a wheel's temperature is outside -1e4..1e4");
    }
    ck_assert_str_eq(refusal_of_float(own.wheels[3].wear, 1.0001f),
                     "own car: a wheel's wear is outside 0..1");
    ck_assert_str_eq(refusal_of_float(own.wheels[0].wear, -0.0001f),
                     "own car: a wheel's wear is outside 0..1");
}

TEST(numbers_that_are_none_or_too_large_are_refused) {
    apex_own_car own = sample_own_car(4);
    const float places[] = {own.velocity_mps[2],      own.angular_radps[0],
                            own.wheels[0].spin_radps, own.wheels[3].travel_mps,
                            own.engine_radps,         own.fuel_kg,
                            own.ballast_kg,           own.boost,
                            own.shift_left_s,         own.lean_radps,
                            own.acceleration_mps2[1]};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const float bad[] = {NAN, INFINITY, -INFINITY, 1.5e6f, -1.5e6f};
        for (size_t j = 0; j < sizeof bad / sizeof bad[0]; j++) {
            ck_assert_str_eq(refusal_of_float(places[i], bad[j]),
                             "own car: a number is outside -1e6..1e6");
        }
    }
    const double far[] = {(double)NAN, (double)INFINITY, 1.1e7, -1.1e7, 1e300};
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        ck_assert_str_eq(refusal_of_double(own.position_m[1], far[i]),
                         "own car: position_m is outside -1e7..1e7");
    }
    const double turned[] = {(double)NAN, -0.50001, 0.0, 2.0};
    for (size_t i = 0; i < sizeof turned / sizeof turned[0]; i++) {
        ck_assert_str_eq(refusal_of_double(own.orientation[1], turned[i]),
                         "own car: orientation is not of unit length");
    }
    ck_assert_str_eq(refusal_of_float(own.damage[4], 1.0001f), "own car: damage is outside 0..1");
    ck_assert_str_eq(refusal_of_float(own.damage[4], -0.0001f), "own car: damage is outside 0..1");
}

// A field of the own car: its number, where it begins and where it ends.
typedef struct field {
    uint32_t number;
    const uint8_t *begin, *end;
} field;

static uint64_t varint(const uint8_t **at) {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7fu) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
}

static field next_field(const uint8_t *at) {
    field found = {.begin = at};
    uint64_t tag = varint(&at);
    found.number = (uint32_t)(tag >> 3);
    if ((tag & 7) == 2) {
        uint64_t length = varint(&at);
        at += length;
    } else if ((tag & 7) == 5) {
        at += 4;
    } else if ((tag & 7) == 1) {
        at += 8;
    } else {
        varint(&at);
    }
    found.end = at;
    return found;
}

// A snapshot whose own car has a field `times` times, or as many single bytes as `times` says if
// `number` is 0.
static size_t with_field_times(uint32_t number, int times, uint8_t out[BYTES_MAX]) {
    uint8_t bytes[BYTES_MAX], own_bytes[BYTES_MAX];
    apex_own_car own = sample_own_car(4);
    size_t length = encode(&own, bytes), own_length = 0;
    const uint8_t *at = bytes + 1;
    varint(&at);
    while (at < bytes + length) {
        field part = next_field(at);
        at = part.end;
        if (part.number != OWN_NUMBER) {
            continue;
        }
        const uint8_t *inner = part.begin + 1;
        varint(&inner);
        while (inner < part.end) {
            field wanted = next_field(inner);
            inner = wanted.end;
            for (int i = 0; i < (wanted.number == number ? times : 1); i++) {
                size_t size = (size_t)(wanted.end - wanted.begin);
                memcpy(own_bytes + own_length, wanted.begin, size);
                own_length += size;
            }
        }
    }
    const uint8_t head[] = {APEX_SERVER_SNAPSHOT << 3 | 2, 0, 0, 5 << 3, 1,
                            OWN_NUMBER << 3 | 2,           0, 0};
    memcpy(out, head, sizeof head);
    out[1] = (uint8_t)((own_length + 5) | 0x80), out[2] = (uint8_t)((own_length + 5) >> 7);
    out[6] = (uint8_t)(own_length | 0x80), out[7] = (uint8_t)(own_length >> 7);
    memcpy(out + sizeof head, own_bytes, own_length);
    return sizeof head + own_length;
}

TEST(lists_of_other_lengths_are_refused) {
    static const struct {
        uint32_t number;
        const char *why;
    } lists[] = {{1, "own car: position_m has not 3 numbers"},
                 {2, "own car: orientation has not 4 numbers"},
                 {3, "own car: velocity_mps has not 3 numbers"},
                 {4, "own car: angular_radps has not 3 numbers"},
                 {9, "own car: acceleration_mps2 has not 2 numbers"}};
    uint8_t bytes[BYTES_MAX];
    const char *why;
    ck_assert_ptr_nonnull(decode(bytes, with_field_times(1, 1, bytes), &why));
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        for (int times = 0; times <= 2; times += 2) {
            size_t length = with_field_times(lists[i].number, times, bytes);
            ck_assert_ptr_null(decode(bytes, length, &why));
            ck_assert_str_eq(why, lists[i].why);
        }
    }
    ck_assert_ptr_null(decode(bytes, with_field_times(10, 2, bytes), &why));
    ck_assert_str_eq(why, "own car: damage has not 5 numbers");
    // Twice four wheels are eight; three times are too many, and an odd number belongs to none.
    ck_assert_ptr_nonnull(decode(bytes, with_field_times(5, 2, bytes), &why));
    ck_assert_ptr_null(decode(bytes, with_field_times(5, 3, bytes), &why));
    ck_assert_str_eq(why, "own car: wheels has not 8 numbers for each of up to 8 wheels");
}

TEST(small_numbers_keep_their_ranges) {
    static const struct {
        uint8_t from[3], to[3];
        const char *why;
    } changes[] = {{{11 << 3, 47}, {11 << 3, 63}, "own car: flags has unknown bits"},
                   {{12 << 3, 1}, {12 << 3, 3}, "own_car: gear is outside -1..10"},
                   {{13 << 3, 20}, {13 << 3, 22}, "own_car: gear_before is outside -1..10"}};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        uint8_t bytes[BYTES_MAX];
        const char *why;
        apex_own_car own = sample_own_car(1);
        size_t length = encode(&own, bytes);
        patch(bytes, length, changes[i].from, changes[i].to, 2);
        ck_assert_ptr_null(decode(bytes, length, &why));
        ck_assert_str_eq(why, changes[i].why);
    }
}
