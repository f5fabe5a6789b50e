// What a client keeps of packets for changes to lean on, and what it says has come.
#include "support/base/check_main.h"

#include <string.h>

#include "client-lite/view/deltas.h"

enum { TICK_HZ = 60, PACKET_BYTES = 4096, CARS_MAX = 64 };

static client_deltas deltas;
static apex_snapshot_message whole;

static void start(void) {
    client_deltas_begin(&deltas, TICK_HZ);
    deltas.ack_every = 1000;
}

static void stop(void) {
    client_deltas_free(&deltas);
}

FIXTURE(start, stop)

typedef struct told_car {
    uint32_t slot;
    uint32_t age_ticks; ///< of the baseline; 0: the car comes by itself
} told_car;

static apex_delta_car car_of(uint32_t slot) {
    return (apex_delta_car){.id = slot};
}

// @return whether the client took the packet.
static bool take(uint32_t tick, uint16_t sequence, const told_car cars[], uint32_t count) {
    uint8_t bytes[PACKET_BYTES];
    uint16_t slots[CARS_MAX];
    ck_assert_uint_le(count, CARS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        slots[i] = (uint16_t)cars[i].slot;
    }
    apex_delta_head head = {.tick = tick,
                            .sequence = sequence,
                            .age_ticks = 1,
                            .car_count = count,
                            .spread = apex_delta_spread(slots, count)};
    apex_delta_writer writer;
    apex_delta_begin(&writer, &head, bytes, sizeof bytes);
    for (uint32_t i = 0; i < count; i++) {
        apex_delta_car car = car_of(cars[i].slot);
        apex_delta_code code;
        if (cars[i].age_ticks > 0) {
            apex_delta_span span = {.age_ticks = cars[i].age_ticks, .tick_hz = TICK_HZ};
            apex_delta_code_change(&car, &car, APEX_DELTA_NEAR, span, &code);
        } else {
            apex_delta_code_full(&car, APEX_DELTA_NEAR, &code);
        }
        ck_assert(code.is_full == (cars[i].age_ticks == 0));
        apex_delta_add(&writer, cars[i].slot, cars[i].age_ticks, APEX_DELTA_NEAR, &code);
    }
    apex_snapshot_message message = {.delta = bytes, .delta_length = apex_delta_end(&writer)};
    return client_deltas_take(&deltas, &message, tick, &whole);
}

static bool take_one(uint32_t tick, uint16_t sequence, uint32_t age_ticks) {
    return take(tick, sequence, &(told_car){.slot = 1, .age_ticks = age_ticks}, 1);
}

// Bit i is for the sequence of the newest less one and i.
TEST(each_packet_that_came_has_its_bit) {
    ck_assert(take_one(100, 7, 0));
    ck_assert_uint_eq(deltas.ack.newest, 8);
    ck_assert_uint_eq(deltas.ack.before, 0);
    ck_assert(take_one(103, 8, 0));
    ck_assert_uint_eq(deltas.ack.before, 1);
    ck_assert(take_one(109, 10, 0)); // 9 is late
    ck_assert_uint_eq(deltas.ack.newest, 11);
    ck_assert_uint_eq(deltas.ack.before, 6);
    ck_assert(take_one(106, 9, 0));
    ck_assert_uint_eq(deltas.ack.newest, 11);
    ck_assert_uint_eq(deltas.ack.before, 7);
    ck_assert(take_one(112, 42, 0)); // 32 later: the one before is the last of those told
    ck_assert_uint_eq(deltas.ack.before, UINT32_C(1) << 31);
    ck_assert(take_one(115, 75, 0));
    ck_assert_uint_eq(deltas.ack.before, 0);
}

TEST(a_change_may_lean_on_what_is_63_ticks_old) {
    ck_assert(take_one(100, 0, 0));
    ck_assert(take_one(163, 1, 63));
    ck_assert_uint_eq(whole.tick, 163);
    ck_assert_uint_eq(whole.car_count, 1);
    ck_assert(!take_one(164, 2, 63)); // there is nothing of tick 101
}

// 64 cars fill the ring. It grows as long as the oldest of them may be leant on.
TEST(what_may_be_leant_on_is_not_written_over) {
    told_car crowd[63];
    for (uint32_t i = 0; i < 63; i++) {
        crowd[i] = (told_car){.slot = 10 + i};
    }
    ck_assert(take(100, 0, &(told_car){.slot = 2}, 1));
    ck_assert(take(130, 1, crowd, 63));
    ck_assert_uint_eq(deltas.capacity, 64);
    static const told_car mixed[] = {{.slot = 1}, {.slot = 2, .age_ticks = 63}};
    ck_assert(take(163, 2, mixed, 2));
    ck_assert_uint_eq(deltas.capacity, 128);
    ck_assert_uint_eq(whole.cars[1].id, 2);
    ck_assert_uint_eq(deltas.undecodable, 0);
}

TEST(what_cannot_be_read_is_asked_for_until_something_newer_is) {
    ck_assert(take_one(100, 0, 0));
    (void)client_deltas_ack(&deltas);
    ck_assert(!deltas.is_ack_due);
    ck_assert(!take_one(106, 2, 3)); // leans on one that was lost
    ck_assert_uint_eq(deltas.undecodable, 1);
    ck_assert_uint_eq(deltas.ack.repair, 3);
    ck_assert_uint_eq(deltas.ack.newest, 1);
    ck_assert(deltas.is_ack_due);
    ck_assert(take_one(109, 3, 9));
    ck_assert_uint_eq(deltas.ack.repair, 0);
}

// The first at once, then after a quarter of the time that one may be leant on, or by number.
TEST(acknowledgements_are_due_in_time) {
    ck_assert(take_one(100, 0, 0));
    ck_assert(deltas.is_ack_due);
    ck_assert_uint_eq(client_deltas_ack(&deltas).newest, 1);
    ck_assert(take_one(114, 1, 0));
    ck_assert(!deltas.is_ack_due);
    ck_assert(take_one(115, 2, 0));
    ck_assert(deltas.is_ack_due);
    (void)client_deltas_ack(&deltas);
    deltas.ack_every = 2;
    ck_assert(take_one(116, 3, 0));
    ck_assert(!deltas.is_ack_due);
    ck_assert(take_one(117, 4, 0));
    ck_assert(deltas.is_ack_due);
}

// A packet whose place among the last 64 ticks is taken says nothing more.
TEST(what_is_too_late_is_passed_over) {
    ck_assert(take_one(200, 10, 0));
    ck_assert(take_one(137, 9, 0));
    ck_assert(!take_one(136, 8, 0));
    ck_assert_uint_eq(deltas.undecodable, 0);
    ck_assert_uint_eq(deltas.newest_tick, 200);
}

// A server may say any time of any tick; the race's clock stops at the end of what it can say.
TEST_OVER(a_race_time_beyond_its_type_ends_there, 0, 2) {
    int32_t end_ms = _i == 0 ? INT32_MAX : INT32_MIN;
    apex_delta_head head = {.tick = 1000, .spread = 15, .has_race = true, .race_time_ms = end_ms};
    for (uint32_t sequence = 0; sequence < 2; sequence++) {
        uint8_t bytes[64];
        apex_delta_writer writer;
        apex_delta_begin(&writer, &head, bytes, sizeof bytes);
        apex_snapshot_message message = {.delta = bytes, .delta_length = apex_delta_end(&writer)};
        ck_assert(client_deltas_take(&deltas, &message, head.tick, &whole));
        ck_assert_int_eq(whole.race_time_ms, end_ms);
        // Half a second on, or back to one that was late.
        head.tick += _i == 0 ? 30u : 0u - 30u;
        head.sequence = 1;
        head.has_race = false;
    }
}
