// links: proto
// Tests of cars made into bits and back: what is decoded is what was encoded, and what was not is
// refused.

#include <stdlib.h>
#include <string.h>

#include "proto/delta/delta_car.h"
#include "proto/delta/delta_predict.h"
#include "proto/proto.h"
#include "support/base/check_main.h"
#include "support/proto/listed_car.h"

enum { TICK_HZ = 60, ROUNDS = 20000 };

static uint64_t random_state;

static uint32_t random_below(uint32_t count) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % count);
}

static int32_t random_value(apex_delta_class class, apex_delta_field field) {
    uint32_t bits = delta_bits(class, field);
    int32_t value = (int32_t)random_below(1u << bits);
    return apex_delta_fields[field].is_signed ? value - (1 << (bits - 1)) : value;
}

static apex_delta_car random_car(uint32_t id) {
    apex_delta_car car = {.id = id};
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        car.q[f] = random_value(APEX_DELTA_NEAR, f);
    }
    return car;
}

// A few steps from another, here and there far from it.
static apex_delta_car changed(const apex_delta_car *from) {
    apex_delta_car car = *from;
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        int32_t step = (int32_t)random_below(7) - 3;
        int32_t value =
            random_below(20) == 0 ? random_value(APEX_DELTA_NEAR, f) : from->q[f] + step;
        if (apex_delta_fields[f].is_circle) {
            value &= (1 << apex_delta_fields[f].bits) - 1;
        }
        car.q[f] = delta_is_within(APEX_DELTA_NEAR, f, value) ? value : from->q[f];
    }
    return car;
}

static void check_same(const apex_delta_car *car, const apex_delta_car *wanted) {
    ck_assert_uint_eq(car->id, wanted->id);
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        if (car->q[f] != wanted->q[f]) {
            ck_abort_msg("%s is %d, not %d", apex_delta_fields[f].name, car->q[f], wanted->q[f]);
        }
    }
}

static void check_change(const apex_delta_car *now, const apex_delta_car *before,
                         apex_delta_class class, apex_delta_span span) {
    apex_delta_code code;
    apex_delta_car out;
    delta_source source = {.bytes = (const uint8_t *)code.words, .length = sizeof code.words};
    apex_delta_code_change(now, before, class, span, &code);
    ck_assert_uint_le(code.bits, delta_full_bits(class));
    ck_assert_uint_eq(code.hash, apex_delta_hash(now));
    if (code.is_full) {
        delta_read_full(&source, class, apex_delta_slot(now->id), &out);
    } else {
        ck_assert(delta_read_change(&source, before, class, span, &out));
    }
    ck_assert_uint_eq(source.at, code.bits);
    check_same(&out, now);
}

TEST(a_car_comes_through_by_itself_and_as_any_change) {
    random_state = 1;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        apex_delta_car before = random_car(1 + random_below(UINT32_MAX - 1));
        apex_delta_car now = changed(&before), other = random_car(before.id);
        apex_delta_car far_before = apex_delta_far_car(&before), far_now = apex_delta_far_car(&now);
        apex_delta_span span = {.age_ticks = 1 + random_below(APEX_DELTA_AGE_MAX),
                                .tick_hz = 20 + random_below(221)};
        check_change(&now, &before, APEX_DELTA_NEAR, span);
        check_change(&other, &before, APEX_DELTA_NEAR, span);
        check_change(&far_now, &far_before, APEX_DELTA_FAR, span);
    }
}

// 30 m/s north-west, 0.4 rad/s, 2 m/s^2: where it is 0.1 s later, by the book.
TEST(a_turn_is_foretold) {
    delta_view view = {.span = {.age_ticks = 6, .tick_hz = 60}};
    view.before[APEX_DELTA_ALONG] = 600;
    view.before[APEX_DELTA_ACCELERATION] = view.now[APEX_DELTA_ACCELERATION] = 4;
    view.before[APEX_DELTA_YAW] = 3 * 1024; // 135 degrees
    view.before[APEX_DELTA_YAW_RATE] = view.now[APEX_DELTA_YAW_RATE] = 26;
    view.before[APEX_DELTA_X] = 100000;
    view.before[APEX_DELTA_Z] = 500;
    view.before[APEX_DELTA_CLIMB] = view.now[APEX_DELTA_CLIMB] = -20; // 1 m/s down
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_ALONG), 604);
    view.now[APEX_DELTA_ALONG] = 604;
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_YAW), 3 * 1024 + 53); // 0.0406 rad
    view.now[APEX_DELTA_YAW] = 3 * 1024 + 53;
    // 3.01 m with the mean of 135 and 137.3 degrees: x -2.17, y 2.08.
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_X), 100000 - 217);
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_Y), 208);
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_Z), 490);
}

TEST(the_engine_is_foretold_while_the_gear_stays) {
    delta_view view = {.span = {.age_ticks = 3, .tick_hz = 60}};
    view.before[APEX_DELTA_RPM] = 80;
    view.before[APEX_DELTA_ALONG] = 400;
    view.now[APEX_DELTA_ALONG] = 410;
    view.before[APEX_DELTA_GEAR] = view.now[APEX_DELTA_GEAR] = 3;
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_RPM), 82);
    view.now[APEX_DELTA_GEAR] = 4;
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_RPM), 80);
    view.now[APEX_DELTA_GEAR] = 3;
    view.before[APEX_DELTA_ALONG] = 3; // standing, nearly: wheels may spin as they like
    ck_assert_int_eq(delta_predict(&view, APEX_DELTA_RPM), 80);
}

TEST(a_car_that_does_what_was_foretold_costs_a_byte) {
    apex_delta_car car = {.id = 7};
    apex_delta_span span = {.age_ticks = 3, .tick_hz = 60};
    apex_delta_code code;
    apex_delta_code_change(&car, &car, APEX_DELTA_NEAR, span, &code);
    ck_assert_uint_le(code.bits, 8);
    ck_assert(!code.is_full);
}

TEST(values_are_rounded_stopped_and_turned_round) {
    ck_assert_int_eq(apex_delta_quantise(APEX_DELTA_X, -12.6), -13);
    ck_assert_int_eq(apex_delta_quantise(APEX_DELTA_X, 1e12), (1 << 22) - 1);
    ck_assert_int_eq(apex_delta_quantise(APEX_DELTA_X, -1e12), -(1 << 22));
    ck_assert_int_eq(apex_delta_quantise(APEX_DELTA_RPM, -3.0), 0);
    ck_assert_int_eq(apex_delta_quantise(APEX_DELTA_YAW, -1.0), 8191);
    ck_assert_int_eq(apex_delta_quantise(APEX_DELTA_YAW, 8191.6), 0);
}

TEST(a_car_is_shown_in_the_units_of_others) {
    apex_delta_car car = {.id = 65537};
    apex_wire_car wire;
    car.q[APEX_DELTA_X] = 1250;
    car.q[APEX_DELTA_Y] = -300;
    car.q[APEX_DELTA_Z] = 48;
    car.q[APEX_DELTA_YAW] = 2048; // north
    car.q[APEX_DELTA_ALONG] = 500;
    car.q[APEX_DELTA_ASIDE] = 20;
    car.q[APEX_DELTA_PITCH] = 2047; // nose up by a step
    car.q[APEX_DELTA_RPM] = 81;
    car.q[APEX_DELTA_GEAR] = -1;
    car.q[APEX_DELTA_STEER] = 64;
    car.q[APEX_DELTA_BRAKE] = 15;
    car.q[APEX_DELTA_DAMAGE] = 0x30100;
    apex_delta_to_wire(&car, APEX_DELTA_NEAR, &wire);
    ck_assert_int_eq(wire.x_mm, 12500);
    ck_assert_int_eq(wire.y_mm, -3000);
    ck_assert_int_eq(wire.z_mm, 480);
    ck_assert_int_eq(wire.yaw_q, 16384);
    ck_assert_int_eq(wire.pitch_q, -32);
    ck_assert_int_eq(wire.vx_cmps, -100);
    ck_assert_int_eq(wire.vy_cmps, 2500);
    ck_assert_int_eq(wire.rpm, 10368);
    ck_assert_int_eq(wire.gear, -1);
    ck_assert_int_eq(wire.steer_q, 10430);
    ck_assert_int_eq(wire.brake, 255);
    ck_assert_int_eq(wire.damage, 51);
    ck_assert_uint_eq(wire.damage_zones, 0x30100);
}

TEST(a_far_car_is_no_further_off_than_it_may_be) {
    random_state = 3;
    for (uint32_t round = 0; round < 1000; round++) {
        apex_delta_car car = random_car(9), far_car = apex_delta_far_car(&car);
        apex_wire_car near_wire, far_wire;
        apex_delta_to_wire(&car, APEX_DELTA_NEAR, &near_wire);
        apex_delta_to_wire(&far_car, APEX_DELTA_FAR, &far_wire);
        ck_assert_int_le(abs(near_wire.x_mm - far_wire.x_mm), 80);
        ck_assert_int_le(abs(near_wire.z_mm - far_wire.z_mm), 80);
        ck_assert_int_le(abs((int16_t)(near_wire.yaw_q - far_wire.yaw_q)), 64);
    }
}

enum { CARS = 40, LISTED = 5, PACKET_BYTES = APEX_DATAGRAM_BYTES_MAX };

/// The knowledge of both ends of a packet.
typedef struct test_packet {
    apex_delta_head head;
    apex_delta_car before[CARS], now[CARS], listed[LISTED];
    uint32_t ages[CARS];
    bool is_full[CARS], is_far[CARS];
    uint8_t bytes[PACKET_BYTES];
    size_t length;
} test_packet;

static void write_test_packet(test_packet *packet) {
    uint16_t slots[CARS];
    apex_delta_writer writer;
    for (uint32_t i = 0; i < packet->head.car_count; i++) {
        slots[i] = (uint16_t)apex_delta_slot(packet->now[i].id);
    }
    packet->head.spread = apex_delta_spread(slots, packet->head.car_count);
    apex_delta_begin(&writer, &packet->head, packet->bytes, sizeof packet->bytes);
    for (uint32_t i = 0; i < packet->head.car_count; i++) {
        apex_delta_class class = packet->is_far[i] ? APEX_DELTA_FAR : APEX_DELTA_NEAR;
        apex_delta_span span = {.age_ticks = packet->ages[i], .tick_hz = TICK_HZ};
        apex_delta_code code;
        if (packet->is_full[i]) {
            apex_delta_code_full(&packet->now[i], class, &code);
        } else {
            apex_delta_code_change(&packet->now[i], &packet->before[i], class, span, &code);
        }
        apex_delta_add(&writer, slots[i], packet->ages[i], class, &code);
    }
    for (uint32_t i = 0; i < packet->head.listed_count; i++) {
        apex_delta_listed before = writer.listed;
        uint64_t bits = writer.bits;
        apex_delta_add_listed(&writer, &packet->listed[i]);
        ck_assert_uint_eq(writer.bits - bits, apex_delta_listed_bits(&before, &packet->listed[i]));
        ck_assert_uint_le(writer.bits - bits, APEX_DELTA_LISTED_BITS_MAX);
    }
    packet->length = apex_delta_end(&writer);
}

// @return whether all of it was taken.
static bool read_test_packet(const test_packet *packet, const uint8_t *bytes, size_t length,
                             apex_delta_car out[CARS], apex_delta_car listed[LISTED]) {
    apex_delta_reader reader;
    apex_delta_known known = {packet->head.tick - 1000, (uint16_t)(packet->head.sequence + 100),
                              TICK_HZ};
    if (!apex_delta_open(&reader, bytes, length, &known)) {
        return false;
    }
    for (uint32_t i = 0; i < reader.head.car_count; i++) {
        apex_delta_entry entry;
        uint32_t at = i < CARS ? i : CARS - 1;
        apex_delta_class class = packet->is_far[at] ? APEX_DELTA_FAR : APEX_DELTA_NEAR;
        if (!apex_delta_next(&reader, &entry) ||
            !apex_delta_read_car(&reader, &entry, &packet->before[at], class, &out[at])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < reader.head.listed_count; i++) {
        if (!apex_delta_read_listed(&reader, &listed[i < LISTED ? i : LISTED - 1])) {
            return false;
        }
    }
    return apex_delta_close(&reader);
}

static void make_test_packet(test_packet *packet, uint32_t count) {
    uint32_t slot = 0;
    *packet = (test_packet){.head = {.tick = 70000 + random_below(1000000),
                                     .sequence = (uint16_t)random_below(65536),
                                     .age_ticks = 1 + random_below(APEX_DELTA_AGE_MAX),
                                     .has_race = random_below(2) != 0,
                                     .phase = 3,
                                     .race_time_ms = -5000,
                                     .has_controls = random_below(2) != 0,
                                     .controls_age_ticks = 17,
                                     .controls_depth = -4,
                                     .car_count = count,
                                     .listed_count = random_below(LISTED + 1)}};
    bool is_row = random_below(3) == 0;
    for (uint32_t i = 0; i < count; i++) {
        slot += is_row ? 1 : 1 + random_below(random_below(4) == 0 ? 1000 : 20);
        packet->before[i] = random_car(random_below(65536) << 16 | slot);
        packet->now[i] = changed(&packet->before[i]);
        packet->is_full[i] = random_below(8) == 0;
        packet->is_far[i] = random_below(2) == 0;
        packet->ages[i] =
            random_below(4) == 0 ? 1 + random_below(APEX_DELTA_AGE_MAX) : packet->head.age_ticks;
        if (packet->is_far[i]) {
            packet->before[i] = apex_delta_far_car(&packet->before[i]);
            packet->now[i] = apex_delta_far_car(&packet->now[i]);
        }
    }
    for (uint32_t i = 0; i < packet->head.listed_count; i++) {
        apex_delta_car car = random_car(1 + random_below(1u << 30));
        car.id |= 1;
        if (i > 0 && random_below(2) == 0) { // the next one of a row
            car.id = packet->listed[i - 1].id + 1;
            car.q[APEX_DELTA_FLAGS] = packet->listed[i - 1].q[APEX_DELTA_FLAGS];
        }
        car = apex_delta_far_car(&car);
        packet->listed[i] = listed_car(&car);
    }
    write_test_packet(packet);
}

TEST(a_packet_comes_through) {
    static test_packet packet;
    random_state = 5;
    for (uint32_t round = 0; round < 2000; round++) {
        apex_delta_car cars[CARS], listed[LISTED];
        make_test_packet(&packet, random_below(CARS / 2 + 1));
        ck_assert(read_test_packet(&packet, packet.bytes, packet.length, cars, listed));
        for (uint32_t i = 0; i < packet.head.car_count; i++) {
            check_same(&cars[i], &packet.now[i]);
        }
        for (uint32_t i = 0; i < packet.head.listed_count; i++) {
            check_same(&listed[i], &packet.listed[i]);
        }
    }
}

TEST(a_head_comes_through) {
    static test_packet packet;
    apex_delta_reader reader;
    random_state = 6;
    for (uint32_t round = 0; round < 200; round++) {
        make_test_packet(&packet, 1);
        const apex_delta_head *wanted = &packet.head, *head = &reader.head;
        apex_delta_known known = {wanted->tick + 30000, (uint16_t)(wanted->sequence - 120), 60};
        ck_assert(apex_delta_open(&reader, packet.bytes, packet.length, &known));
        ck_assert_uint_eq(head->tick, wanted->tick);
        ck_assert_uint_eq(head->sequence, wanted->sequence);
        ck_assert_uint_eq(head->has_race, wanted->has_race);
        ck_assert_int_eq(head->race_time_ms, wanted->has_race ? -5000 : 0);
        ck_assert_uint_eq(head->phase, wanted->has_race ? 3 : 0);
        ck_assert_int_eq(head->controls_depth, wanted->has_controls ? -4 : 0);
        ck_assert_uint_eq(head->controls_age_ticks, wanted->has_controls ? 17 : 0);
    }
}

// No flipped bit goes unnoticed more often than a checksum of 16 bits lets through.
TEST(what_is_damaged_is_refused) {
    static test_packet packet;
    uint32_t taken = 0, tried = 0;
    random_state = 7;
    for (uint32_t round = 0; round < 60; round++) {
        make_test_packet(&packet, 12);
        for (size_t bit = 0; bit < 8 * packet.length; bit++) {
            apex_delta_car cars[CARS], listed[LISTED];
            // Sequence, race time, controls and padding change nobody's car.
            bool is_told = bit >= 16 && bit < 24;
            packet.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            bool is_taken = read_test_packet(&packet, packet.bytes, packet.length, cars, listed);
            packet.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
            tried += !is_told;
            taken += !is_told && is_taken && memcmp(cars, packet.now, 12 * sizeof cars[0]) != 0;
        }
    }
    ck_assert_uint_gt(tried, 50000);
    ck_assert_msg(taken <= 4, "%u of %u damaged packets were taken", taken, tried);
}

TEST(what_is_cut_off_or_made_up_is_refused) {
    static test_packet packet;
    static uint8_t noise[PACKET_BYTES];
    apex_delta_car cars[CARS], listed[LISTED];
    uint32_t taken = 0;
    random_state = 8;
    for (uint32_t round = 0; round < 300; round++) {
        make_test_packet(&packet, 12);
        for (size_t length = 0; length < packet.length; length++) {
            ck_assert(!read_test_packet(&packet, packet.bytes, length, cars, listed));
        }
        size_t length = random_below(PACKET_BYTES);
        for (size_t i = 0; i < length; i++) {
            noise[i] = (uint8_t)random_below(256);
        }
        taken += read_test_packet(&packet, noise, length, cars, listed);
    }
    ck_assert_uint_eq(taken, 0);
}
