// The cars of a snapshot are written by hand: the bytes must be protobuf-c's, and cutting them into
// datagrams must be exact.

#include "test_proto_samples.h"
#include "support/base/check_main.h"
#include "support/proto/wire_cars.h"

#include <protobuf-c/protobuf-c.h>

// Of wire.pb-c.c; its header belongs to the codec.
extern const ProtobufCMessageDescriptor apex__server_message__descriptor;

static _Alignas(16) uint8_t memory[APEX_DECODE_SCRATCH_BYTES];
static uint8_t bytes[SAMPLE_BYTES_MAX], again[SAMPLE_BYTES_MAX];
static apex_wire_car cars[256];

static uint64_t random_state;

static uint32_t random_bits(void) { // splitmix64
    random_state += 0x9E3779B97F4A7C15u;
    uint64_t z = random_state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(z >> 32);
}

// Bits of any magnitude, zero often: field lengths from nothing to the longest all come up.
static uint32_t any_magnitude(void) {
    uint32_t bits = random_bits();
    return bits % 5 == 0 ? 0 : random_bits() >> (bits >> 8) % 32;
}

static apex_wire_car random_car(uint32_t id) {
    return (apex_wire_car){
        .id = id,
        .x_mm = (int32_t)(any_magnitude() ^ -(random_bits() & 1)),
        .y_mm = (int32_t)(any_magnitude() ^ -(random_bits() & 1)),
        .z_mm = (int32_t)(any_magnitude() ^ -(random_bits() & 1)),
        .yaw_q = (int16_t)random_bits(),
        .pitch_q = (int16_t)any_magnitude(),
        .roll_q = (int16_t)any_magnitude(),
        .vx_cmps = (int16_t)random_bits(),
        .vy_cmps = (int16_t)any_magnitude(),
        .vz_cmps = (int16_t)any_magnitude(),
        .yaw_rate_q = (int16_t)any_magnitude(),
        .steer_q = (int16_t)any_magnitude(),
        .rpm = (uint16_t)any_magnitude(),
        .gear = (int8_t)((int)(random_bits() % 12) - 1),
        .throttle = (uint8_t)any_magnitude(),
        .brake = (uint8_t)any_magnitude(),
        .flags = (uint8_t)any_magnitude(),
        .damage = (uint8_t)any_magnitude(),
        .damage_zones = any_magnitude() & 0xFFFFF,
    };
}

// A car whose every field takes the most bytes.
static apex_wire_car longest_car(uint32_t id) {
    return (apex_wire_car){
        .id = id,
        .x_mm = INT32_MIN,
        .y_mm = INT32_MAX,
        .z_mm = INT32_MIN,
        .yaw_q = INT16_MIN,
        .pitch_q = INT16_MIN,
        .roll_q = INT16_MAX,
        .vx_cmps = INT16_MIN,
        .vy_cmps = INT16_MAX,
        .vz_cmps = INT16_MIN,
        .yaw_rate_q = INT16_MAX,
        .steer_q = INT16_MIN,
        .rpm = UINT16_MAX,
        .gear = 10,
        .throttle = 255,
        .brake = 255,
        .flags = 255,
        .damage = 255,
        .damage_zones = 0xFFFFF,
    };
}

// A snapshot whose fields besides the cars take the most bytes.
static apex_server_message snapshot_of(const apex_wire_car *first, uint32_t count) {
    apex_server_message message;
    memset(&message, 0, sizeof message);
    message.kind = APEX_SERVER_SNAPSHOT;
    message.snapshot =
        (apex_snapshot_message){UINT32_MAX, 6,     INT32_MIN, 8191, 8192, UINT32_MAX, INT32_MIN,
                                count,      first, NULL,      0,    NULL, false};
    return message;
}

static void check_bytes(const apex_server_message *message) {
    size_t length = apex_encode_server(message, bytes, sizeof bytes);
    ck_assert_uint_gt(length, 0);
    ProtobufCMessage *theirs =
        protobuf_c_message_unpack(&apex__server_message__descriptor, NULL, length, bytes);
    ck_assert_ptr_nonnull(theirs);
    ck_assert_uint_eq(protobuf_c_message_get_packed_size(theirs), length);
    protobuf_c_message_pack(theirs, again);
    protobuf_c_message_free_unpacked(theirs, NULL);
    ck_assert_mem_eq(bytes, again, length);
}

TEST(bytes_are_those_of_protobuf_c) {
    for (uint32_t round = 0; round < 2000; round++) {
        random_state = round;
        uint32_t count = random_bits() % (APEX_SNAPSHOT_CARS_MAX + 1);
        for (uint32_t i = 0; i < count; i++) {
            cars[i] = random_car(i * 100000 + 1);
        }
        apex_server_message message = snapshot_of(cars, count);
        check_bytes(&message);
        message.snapshot = (apex_snapshot_message){.parts = 1, .car_count = count, .cars = cars};
        check_bytes(&message);
    }
}

// All other messages as well: they are written in pieces.
TEST(other_messages_are_those_of_protobuf_c) {
    static sample_lists lists;
    static apex_server_message servers[SERVER_SAMPLES];
    sample_fill_lists(&lists);
    sample_servers(servers, &lists);
    for (int i = 0; i < SERVER_SAMPLES; i++) {
        check_bytes(&servers[i]);
    }
}

TEST(what_fits_is_exact) {
    for (uint32_t round = 0; round < 3000; round++) {
        random_state = round + 77;
        uint32_t count = random_bits() % 70;
        size_t capacity = round % 3 == 0 ? APEX_DATAGRAM_BYTES_MAX : random_bits() % 3000;
        for (uint32_t i = 0; i < count; i++) {
            cars[i] = random_car(random_bits() % 1000 + i * 1000 + 1);
        }
        uint32_t fit = apex_snapshot_fit(cars, count, capacity);
        ck_assert_uint_le(fit, count);
        ck_assert_uint_le(fit, APEX_SNAPSHOT_CARS_MAX);
        apex_server_message message = snapshot_of(cars, fit);
        size_t written = apex_encode_server(&message, bytes, capacity);
        ck_assert_msg(fit == 0 || written > 0, "%u cars were to fit into %zu bytes", fit, capacity);
        if (fit < count && fit < APEX_SNAPSHOT_CARS_MAX) {
            message = snapshot_of(cars, fit + 1);
            ck_assert_uint_eq(apex_encode_server(&message, bytes, capacity), 0);
        }
    }
}

TEST(as_many_of_the_longest_cars_fit_as_there_is_room_for) {
    for (uint32_t i = 0; i < APEX_SNAPSHOT_CARS_MAX; i++) {
        cars[i] = longest_car(UINT32_MAX - APEX_SNAPSHOT_CARS_MAX + i);
    }
    for (uint32_t count = 1; count <= APEX_SNAPSHOT_CARS_MAX; count++) {
        apex_server_message message = snapshot_of(cars, count);
        size_t length = apex_encode_server(&message, bytes, sizeof bytes);
        ck_assert_uint_eq(apex_snapshot_fit(cars, count, length), count);
        ck_assert_uint_eq(apex_snapshot_fit(cars, count, length - 1), count - 1);
    }
}

// A whole field is cut into parts that together hold each car once.
TEST(a_field_of_cars_is_cut_and_put_together) {
    random_state = 5;
    for (uint32_t i = 0; i < 256; i++) {
        cars[i] = random_car(i * 3 + 1);
    }
    uint32_t done = 0, parts = 0;
    while (done < 256) {
        uint32_t fit = apex_snapshot_fit(cars + done, 256 - done, APEX_DATAGRAM_BYTES_MAX);
        ck_assert(fit >= 13 || fit == 256 - done); // 84 bytes at most for a car
        apex_server_message message = snapshot_of(cars + done, fit);
        message.snapshot.part = parts++;
        size_t length = apex_encode_server(&message, bytes, APEX_DATAGRAM_BYTES_MAX);
        apex_server_message got;
        const char *why = "";
        apex_scratch scratch = {memory, sizeof memory};
        ck_assert_msg(apex_decode_server(bytes, length, scratch, &got, &why), "%s", why);
        ck_assert_uint_eq(got.snapshot.car_count, fit);
        for (uint32_t i = 0; i < fit; i++) {
            ck_assert(wire_cars_equal(&got.snapshot.cars[i], &cars[done + i]));
        }
        done += fit;
    }
    ck_assert_uint_eq(done, 256);
}
