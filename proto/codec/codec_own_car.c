// The viewer's own car, bit for bit (DECISIONS 28): floats and doubles, 255 bytes for four wheels.
// Anything less would be another car. A world that starts with loads and deflections from rest is
// off by centimetres within a tenth of a second, and is corrected twenty times a second for
// nothing; so the client's world of one car is exact while nobody touches the car, and a state that
// comes as it was foretold costs a comparison, not ten steps. `Welcome.world` tells how physics is
// set: without it no prediction is exact off the defaults.
//
// Written by hand, because protobuf-c leaves a -0.0 out of a proto3 message as if it were 0.0;
// other libraries write it, and all of them read it.
#include "wire.pb-c.h"

#include "proto/codec/codec_fields.h"
#include "proto/codec/codec_messages.h"

enum {
    OWN_NUMBER = 9, // in Snapshot
    WHEEL_REALS = 8,
    // Lists: 3 and 4 doubles, 3, 3, 8 * 8, 2 and 5 floats; 5 single floats with tags of a byte or
    // two each; 6 numbers of 8 bits.
    LISTS_BYTES_MAX = (2 + 24) + (2 + 32) + 2 * (2 + 12) + (3 + 256) + (2 + 8) + (2 + 20),
    HEAD_BYTES_MAX = 1 + 2, // tag and length
    OWN_BYTES_MAX = LISTS_BYTES_MAX + 9 * (2 + 4) + 6 * (2 + 2),
};

static_assert(sizeof(apex_own_wheel) == WHEEL_REALS * sizeof(float), "a wheel is eight floats");

// Ranges in which physics lets a car drive, and a little more.
static const double FAR_M = 1e7;
static const float FAST = 1e6f; // of everything else: speeds, spins, travel
static const float HOTTEST_C = APEX_WIRE_HOTTEST_C;

// Written so that not-a-number is refused as well.
static bool all_within(const float values[], size_t count, float low, float high) {
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] >= low && values[i] <= high)) {
            return false;
        }
    }
    return true;
}

static const char *fault_of_place(const apex_own_car *own) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        if (!(fabs(own->position_m[i]) <= FAR_M)) {
            return "own car: position_m is outside -1e7..1e7";
        }
    }
    for (int i = 0; i < 4; i++) {
        square += own->orientation[i] * own->orientation[i];
    }
    return fabs(square - 1.0) < 1e-6 ? NULL : "own car: orientation is not of unit length";
}

static const char *fault_of_wheels(const apex_own_car *own) {
    for (uint32_t i = 0; i < own->wheel_count; i++) {
        const apex_own_wheel *wheel = &own->wheels[i];
        const float temperatures_c[] = {wheel->temperature_c, wheel->brake_temperature_c};
        if (!all_within(temperatures_c, 2, -HOTTEST_C, HOTTEST_C)) {
            return "own car: a wheel's temperature is outside -1e4..1e4";
        }
        if (!all_within(&wheel->wear, 1, 0.0f, 1.0f)) {
            return "own car: a wheel's wear is outside 0..1";
        }
    }
    return NULL;
}

static const char *fault_of(const apex_own_car *own) {
    const float singles[] = {own->steer_rad,    own->engine_radps, own->fuel_kg,
                             own->ballast_kg,   own->boost,        own->slipstream,
                             own->shift_left_s, own->lean_rad,     own->lean_radps};
    if (own->wheel_count > APEX_WIRE_WHEELS_MAX) {
        return "own car: there are more than 8 wheels";
    }
    const char *fault = fault_of_place(own);
    if (fault != NULL) {
        return fault;
    }
    bool fine = all_within(own->velocity_mps, 3, -FAST, FAST) &&
                all_within(own->angular_radps, 3, -FAST, FAST) &&
                all_within(own->acceleration_mps2, 2, -FAST, FAST) &&
                all_within(singles, sizeof singles / sizeof singles[0], -FAST, FAST);
    const float *wheels = (const float *)(const void *)own->wheels;
    fine = fine && all_within(wheels, (size_t)WHEEL_REALS * own->wheel_count, -FAST, FAST);
    if (!fine) {
        return "own car: a number is outside -1e6..1e6";
    }
    fault = fault_of_wheels(own);
    if (fault != NULL) {
        return fault;
    }
    if (!all_within(own->damage, APEX_WIRE_ZONES, 0.0f, 1.0f)) {
        return "own car: damage is outside 0..1";
    }
    if (!codec_within(own->gear, -1, 10) || !codec_within(own->gear_before, -1, 10)) {
        return "own car: gear is outside -1..10";
    }
    return (own->flags & ~(unsigned)APEX_OWN_FLAGS) == 0 ? NULL : "own car: flags has unknown bits";
}

bool apex_own_car_ok(const apex_own_car *own) {
    return fault_of(own) == NULL;
}

static uint8_t *put_little_endian(uint8_t *at, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++) {
        *at++ = (uint8_t)(bits >> 8 * i);
    }
    return at;
}

static uint8_t *put_tag(uint8_t *at, uint32_t number, unsigned wire_type) {
    return codec_put_varint(at, number << 3 | wire_type);
}

static uint8_t *put_doubles(uint8_t *at, uint32_t number, const double values[], size_t count) {
    at = put_tag(at, number, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED);
    at = codec_put_varint(at, 8 * count);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        at = put_little_endian(at, bits, 8);
    }
    return at;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint8_t *put_floats(uint8_t *at, uint32_t number, const float values[], size_t count) {
    at = put_tag(at, number, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED);
    at = codec_put_varint(at, 4 * count);
    for (size_t i = 0; i < count; i++) {
        at = put_little_endian(at, bits_of(values[i]), 4);
    }
    return at;
}

static uint8_t *put_float(uint8_t *at, uint32_t number, float value) {
    if (bits_of(value) == 0) {
        return at;
    }
    at = put_tag(at, number, PROTOBUF_C_WIRE_TYPE_32BIT);
    return put_little_endian(at, bits_of(value), 4);
}

static uint8_t *put_uint(uint8_t *at, uint32_t number, uint32_t value) {
    if (value == 0) {
        return at;
    }
    return codec_put_varint(put_tag(at, number, PROTOBUF_C_WIRE_TYPE_VARINT), value);
}

static uint8_t *put_sint(uint8_t *at, uint32_t number, int32_t value) {
    return put_uint(at, number, (uint32_t)value << 1 ^ (value < 0 ? UINT32_MAX : 0));
}

static bool is_damaged(const apex_own_car *own) {
    uint32_t bits = 0;
    for (int zone = 0; zone < APEX_WIRE_ZONES; zone++) {
        bits |= bits_of(own->damage[zone]);
    }
    return bits != 0;
}

static uint8_t *put_fields(uint8_t *at, const apex_own_car *own) {
    at = put_doubles(at, 1, own->position_m, 3);
    at = put_doubles(at, 2, own->orientation, 4);
    at = put_floats(at, 3, own->velocity_mps, 3);
    at = put_floats(at, 4, own->angular_radps, 3);
    at = put_floats(at, 5, (const float *)(const void *)own->wheels,
                    (size_t)WHEEL_REALS * own->wheel_count);
    at = put_float(at, 6, own->steer_rad);
    at = put_float(at, 7, own->engine_radps);
    at = put_float(at, 8, own->fuel_kg);
    at = put_floats(at, 9, own->acceleration_mps2, 2);
    if (is_damaged(own)) {
        at = put_floats(at, 10, own->damage, APEX_WIRE_ZONES);
    }
    at = put_uint(at, 11, own->flags);
    at = put_sint(at, 12, own->gear);
    at = put_sint(at, 13, own->gear_before);
    at = put_uint(at, 14, own->shift_up_seen);
    at = put_uint(at, 15, own->shift_down_seen);
    at = put_uint(at, 16, own->reset_seen);
    at = put_float(at, 17, own->shift_left_s);
    at = put_float(at, 18, own->boost);
    at = put_float(at, 19, own->slipstream);
    at = put_float(at, 20, own->ballast_kg);
    at = put_float(at, 21, own->lean_rad);
    return put_float(at, 22, own->lean_radps);
}

static size_t put_whole(uint8_t out[OWN_BYTES_MAX + HEAD_BYTES_MAX], const apex_own_car *own) {
    uint8_t fields[OWN_BYTES_MAX];
    size_t length = (size_t)(put_fields(fields, own) - fields);
    uint8_t *at = put_tag(out, OWN_NUMBER, PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED);
    at = codec_put_varint(at, length);
    memcpy(at, fields, length);
    return (size_t)(at - out) + length;
}

void codec_put_own(codec_writer *writer, const apex_own_car *own) {
    assert(apex_own_car_ok(own));
    uint8_t bytes[OWN_BYTES_MAX + HEAD_BYTES_MAX];
    size_t length = put_whole(bytes, own);
    codec_write_bytes(writer, bytes, length);
}

size_t apex_own_car_bytes(const apex_own_car *own) {
    uint8_t bytes[OWN_BYTES_MAX + HEAD_BYTES_MAX];
    return put_whole(bytes, own);
}

#define GET_LIST(name, count)                                                         \
    if (pb->n_##name != (count)) {                                                    \
        return codec_refuse(reader, "own car: " #name " has not " #count " numbers"); \
    }                                                                                 \
    memcpy(own->name, pb->name, (count) * sizeof own->name[0])

static bool get_lists(codec_reader *reader, const Apex__OwnCar *pb, apex_own_car *own) {
    GET_LIST(position_m, 3);
    GET_LIST(orientation, 4);
    GET_LIST(velocity_mps, 3);
    GET_LIST(angular_radps, 3);
    GET_LIST(acceleration_mps2, 2);
    if (pb->n_damage != 0) {
        GET_LIST(damage, 5);
    }
    if (pb->n_wheels % WHEEL_REALS != 0 || pb->n_wheels > WHEEL_REALS * APEX_WIRE_WHEELS_MAX) {
        return codec_refuse(reader, "own car: wheels has not 8 numbers for each of up to 8 wheels");
    }
    own->wheel_count = (uint32_t)(pb->n_wheels / WHEEL_REALS);
    for (uint32_t wheel = 0; wheel < own->wheel_count; wheel++) {
        memcpy(&own->wheels[wheel], pb->wheels + (size_t)WHEEL_REALS * wheel,
               sizeof own->wheels[wheel]);
    }
    return true;
}

#define OWN_FIELDS(D)                                   \
    D##_ANY(own_car, steer_rad);                        \
    D##_ANY(own_car, engine_radps);                     \
    D##_ANY(own_car, fuel_kg);                          \
    D##_ANY(own_car, ballast_kg);                       \
    D##_ANY(own_car, boost);                            \
    D##_ANY(own_car, slipstream);                       \
    D##_ANY(own_car, shift_left_s);                     \
    D##_ANY(own_car, lean_rad);                         \
    D##_ANY(own_car, lean_radps);                       \
    D##_INT(own_car, uint8_t, flags, 0, 255);           \
    D##_INT(own_car, int8_t, gear, -1, 10);             \
    D##_INT(own_car, int8_t, gear_before, -1, 10);      \
    D##_INT(own_car, uint8_t, shift_up_seen, 0, 255);   \
    D##_INT(own_car, uint8_t, shift_down_seen, 0, 255); \
    D##_INT(own_car, uint8_t, reset_seen, 0, 255);

bool codec_get_own(codec_reader *reader, const Apex__OwnCar *pb, const apex_own_car **out) {
    apex_own_car *plain = codec_take(reader, 1, sizeof *plain);
    if (plain == NULL) {
        return false;
    }
    OWN_FIELDS(GET);
    if (!get_lists(reader, pb, plain)) {
        return false;
    }
    const char *fault = fault_of(plain);
    *out = plain;
    return fault == NULL || codec_refuse(reader, fault);
}
