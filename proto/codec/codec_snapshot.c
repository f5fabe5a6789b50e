// Snapshots. Cars are most of what a server sends, so they are written without a detour over
// protobuf-c's structures: into the buffer, field by field. The bytes are those protobuf-c would
// write (a test compares them); cutting a field of cars into datagrams needs their exact length,
// which the same writer gives.
//
// At 23 cars that is about 0.5 us instead of 5.6 (DECISIONS 11).
#include "wire.pb-c.h"

#include "proto/codec/codec_fields.h"
#include "proto/codec/codec_messages.h"

#define SNAPSHOT_FIELDS(D)                                  \
    D##_ANY(snapshot, tick);                                \
    D##_ENUM(snapshot, Apex__Phase, uint32_t, phase, 0, 6); \
    D##_ANY(snapshot, race_time_ms);                        \
    D##_INT(snapshot, uint32_t, part, 0, 8191);             \
    D##_INT(snapshot, uint32_t, parts, 1, 8192);            \
    D##_ANY(snapshot, controls_tick);                       \
    D##_ANY(snapshot, controls_depth);

// X(number, name in wire.proto, kind, type, field of apex_wire_car, low, high)
#define CAR_FIELDS(X)                                          \
    X(1, id, UINT, uint32_t, id, 1, 4294967295);               \
    X(2, x_mm, SINT, int32_t, x_mm, -2147483648, 2147483647);  \
    X(3, y_mm, SINT, int32_t, y_mm, -2147483648, 2147483647);  \
    X(4, z_mm, SINT, int32_t, z_mm, -2147483648, 2147483647);  \
    X(5, yaw, SINT, int16_t, yaw_q, -32768, 32767);            \
    X(6, pitch, SINT, int16_t, pitch_q, -32768, 32767);        \
    X(7, roll, SINT, int16_t, roll_q, -32768, 32767);          \
    X(8, vx_cmps, SINT, int16_t, vx_cmps, -32768, 32767);      \
    X(9, vy_cmps, SINT, int16_t, vy_cmps, -32768, 32767);      \
    X(10, vz_cmps, SINT, int16_t, vz_cmps, -32768, 32767);     \
    X(11, yaw_rate, SINT, int16_t, yaw_rate_q, -32768, 32767); \
    X(12, steer, SINT, int16_t, steer_q, -32768, 32767);       \
    X(13, rpm, UINT, uint16_t, rpm, 0, 65535);                 \
    X(14, gear, SINT, int8_t, gear, -1, 10);                   \
    X(15, throttle, UINT, uint8_t, throttle, 0, 255);          \
    X(16, brake, UINT, uint8_t, brake, 0, 255);                \
    X(17, flags, UINT, uint8_t, flags, 0, 255);                \
    X(18, damage, UINT, uint8_t, damage, 0, 255);              \
    X(19, damage_zones, UINT, uint32_t, damage_zones, 0, 1048575);

enum {
    // Tag and longest value of each field: 32 bits 5 bytes, 16 and 20 bits 3, 8 bits 2, the gear 1.
    CAR_FIELDS_BYTES_MAX = 4 * (1 + 5) + 9 * (1 + 3) + (1 + 1) + (1 + 2) + 3 * (2 + 2) + (2 + 3),
    CAR_BYTES_MAX = 2 + CAR_FIELDS_BYTES_MAX, // with its own tag and length
    CARS_NUMBER = 8,                          // in Snapshot
    // tick, phase, race_time_ms, part, parts, controls_tick, controls_depth
    HEAD_BYTES_MAX = 6 + 2 + 6 + 3 + 3 + 6 + 6,
};

static_assert(CAR_FIELDS_BYTES_MAX < 0x80, "the length of a car is one byte");

static inline uint32_t zigzag(int32_t value) {
    return (uint32_t)value << 1 ^ (value < 0 ? UINT32_MAX : 0);
}

// proto3 leaves out what is zero.
static inline uint8_t *put_field(uint8_t *at, uint32_t number, uint32_t value) {
    if (value == 0) {
        return at;
    }
    if (number < 16) {
        *at++ = (uint8_t)(number << 3);
    } else {
        *at++ = (uint8_t)(number << 3 | 0x80);
        *at++ = (uint8_t)(number >> 4);
    }
    while (value >= 0x80) {
        *at++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *at++ = (uint8_t)value;
    return at;
}

#define UINT_BITS(value) (value)
#define SINT_BITS(value) zigzag(value)
#define PUT_CAR_FIELD(number, name, kind, type, field, low, high) \
    assert(codec_within(car->field, low, high));                  \
    at = put_field(at, number, kind##_BITS(car->field))

static size_t put_car(uint8_t out[CAR_BYTES_MAX], const apex_wire_car *car) {
    uint8_t *at = out + 2;
    CAR_FIELDS(PUT_CAR_FIELD);
    out[0] = CARS_NUMBER << 3 | PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED;
    out[1] = (uint8_t)(at - out - 2);
    return (size_t)(at - out);
}

void codec_put_snapshot(codec_writer *writer, const apex_snapshot_message *plain) {
    Apex__Snapshot message = APEX__SNAPSHOT__INIT, *pb = &message;
    if (plain->delta != NULL) {
        assert(plain->delta_length > 0 && plain->delta_length <= APEX_DELTA_BYTES_MAX);
        message.delta = (ProtobufCBinaryData){plain->delta_length, (void *)plain->delta};
        if (plain->own != NULL) { // before it, by its number
            codec_put_own(writer, plain->own);
        }
        codec_write(writer, &message.base);
        return;
    }
    assert(plain->part < plain->parts);
    assert(plain->car_count <= APEX_SNAPSHOT_CARS_MAX);
    SNAPSHOT_FIELDS(PUT);
    codec_write(writer, &message.base);
    for (uint32_t i = 0; i < plain->car_count; i++) {
        assert(i == 0 || plain->cars[i - 1].id < plain->cars[i].id);
        uint8_t bytes[CAR_BYTES_MAX];
        size_t length = put_car(bytes, &plain->cars[i]);
        codec_write_bytes(writer, bytes, length);
    }
    if (plain->own != NULL) {
        codec_put_own(writer, plain->own);
    }
}

uint32_t apex_snapshot_fit(const apex_wire_car cars[], uint32_t count, size_t capacity) {
    size_t room = codec_body_bytes_max(capacity, APEX_SERVER_SNAPSHOT);
    size_t used = HEAD_BYTES_MAX;
    uint32_t fit = 0;
    while (fit < count && fit < APEX_SNAPSHOT_CARS_MAX) {
        uint8_t bytes[CAR_BYTES_MAX];
        used += put_car(bytes, &cars[fit]);
        if (used > room) {
            break;
        }
        fit++;
    }
    return fit;
}

#define GET_CAR_FIELD(number, name, kind, type, field, low, high)                  \
    if (!codec_within(pb->name, low, high)) {                                      \
        return codec_refuse(reader, "car: " #name " is outside " #low ".." #high); \
    }                                                                              \
    plain->field = (type)pb->name

static bool get_car(codec_reader *reader, const Apex__Car *pb, apex_wire_car *plain) {
    CAR_FIELDS(GET_CAR_FIELD);
    return true;
}

static bool get_delta(codec_reader *reader, const Apex__Snapshot *pb,
                      apex_snapshot_message *plain) {
    if (pb->delta.len > APEX_DELTA_BYTES_MAX) {
        return codec_refuse(reader, "snapshot: delta is longer than 1184 bytes");
    }
    if (pb->tick != 0 || pb->parts != 0 || pb->n_cars != 0) {
        return codec_refuse(reader, "snapshot: has cars beside a delta");
    }
    plain->delta = pb->delta.data;
    plain->delta_length = pb->delta.len;
    return pb->own == NULL || codec_get_own(reader, pb->own, &plain->own);
}

bool codec_get_snapshot(codec_reader *reader, const Apex__Snapshot *pb,
                        apex_snapshot_message *plain) {
    if (pb->delta.len > 0) {
        return get_delta(reader, pb, plain);
    }
    SNAPSHOT_FIELDS(GET);
    if (plain->part >= plain->parts) {
        return codec_refuse(reader, "snapshot: part is not below parts");
    }
    if (pb->n_cars > APEX_SNAPSHOT_CARS_MAX) {
        return codec_refuse(reader, "snapshot: there are more than 64 cars");
    }
    apex_wire_car *cars = codec_take(reader, pb->n_cars, sizeof cars[0]);
    if (cars == NULL) {
        return false;
    }
    for (size_t i = 0; i < pb->n_cars; i++) {
        if (!get_car(reader, pb->cars[i], &cars[i])) {
            return false;
        }
        if (i > 0 && cars[i - 1].id >= cars[i].id) {
            return codec_refuse(reader, "snapshot: cars are not sorted by id");
        }
    }
    plain->car_count = (uint32_t)pb->n_cars;
    plain->cars = cars;
    return pb->own == NULL || codec_get_own(reader, pb->own, &plain->own);
}
