// What goes into a viewer's packet: which cars, in which class, whose turn it is, and the head.

#include <string.h>

#include "replicate/codes.h"
#include "replicate/viewer.h"
#include "support/base/check_main.h"

enum { CAPACITY = 48, TICK_HZ = 60, FIRST_TICK = 2000 };

/// A field of cars and one viewer of it.
static struct {
    apex_replica *replica;
    apex_replica_codes *codes;
    apex_viewer_memory *memory;
    apex_viewer viewer;
    apex_view_limits limits;
    apex_car_pose poses[CAPACITY];
    uint32_t tick;
    size_t length;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
} scene;

static void set_up(void) {
    memset(&scene, 0, sizeof scene);
    scene.replica = apex_replica_create(CAPACITY, TICK_HZ);
    scene.codes = apex_replica_codes_create(CAPACITY);
    scene.memory = apex_viewer_memory_create();
    ck_assert(scene.replica != NULL && scene.codes != NULL && scene.memory != NULL);
    scene.limits = apex_view_limits_crowd();
    scene.tick = FIRST_TICK;
}

static void tear_down(void) {
    apex_viewer_memory_destroy(scene.memory);
    apex_replica_codes_destroy(scene.codes);
    apex_replica_destroy(scene.replica);
}

static void place(uint16_t slot, double x_m, double y_m) {
    apex_car_pose *pose = &scene.poses[slot - 1];
    pose->id = (apex_car_id){.index1 = slot, .generation = 1};
    pose->position_m[0] = x_m;
    pose->position_m[1] = y_m;
}

static void own(uint16_t slot) {
    scene.viewer.own_car = 1u << 16 | slot;
}

static void encode(void) {
    apex_delta_view view = {
        .viewer = &scene.viewer, .limits = &scene.limits, .phase = 3, .race_time_ms = -1234};
    apex_viewer_settle(scene.memory);
    scene.length =
        apex_replica_encode(scene.replica, &view, scene.codes, scene.memory, scene.bytes);
    ck_assert_uint_le(scene.length, scene.limits.bytes_max);
}

static void tick_and_encode(void) {
    scene.tick++;
    replica_capture(scene.replica, scene.tick, scene.poses, CAPACITY);
    encode();
}

static apex_delta_reader open_packet(void) {
    apex_delta_reader reader;
    apex_delta_known known = {scene.tick, scene.memory->next_sequence, TICK_HZ};
    ck_assert(apex_delta_open(&reader, scene.bytes, scene.length, &known));
    return reader;
}

static const viewer_car *car_of(uint32_t slot) {
    const apex_viewer_memory *memory = scene.memory;
    for (uint32_t i = 0; i < memory->car_count; i++) {
        if (memory->cars[i].slot == slot) {
            return &memory->cars[i];
        }
    }
    ck_abort_msg("slot %u does not compete", slot);
    return NULL;
}

static void check_priority(uint32_t slot, float wanted) {
    ck_assert_double_eq_tol((double)car_of(slot)->priority, (double)wanted, 1e-5);
}

static bool is_carried(uint32_t slot) {
    uint16_t newest = (uint16_t)(scene.memory->next_sequence - 1);
    return (car_of(slot)->carried >> viewer_packet_place(newest) & 1) != 0;
}

FIXTURE(set_up, tear_down)

// Near to 80 m, then to 100 m. What was sent in another class is no baseline.
TEST(a_car_at_the_border_of_near_and_far_stays_what_it_is) {
    static const struct {
        double at_m;
        apex_delta_class class;
        uint32_t packets; ///< that have carried it in this class
    } STEPS[] = {
        {81.0, APEX_DELTA_FAR, 1},  {79.0, APEX_DELTA_NEAR, 1}, {99.0, APEX_DELTA_NEAR, 2},
        {101.0, APEX_DELTA_FAR, 1}, {99.0, APEX_DELTA_FAR, 2},  {81.0, APEX_DELTA_FAR, 3},
        {79.0, APEX_DELTA_NEAR, 1},
    };
    own(1);
    place(1, 10.0, 0.0);
    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++) {
        place(2, 10.0, STEPS[i].at_m);
        tick_and_encode();
        ck_assert_uint_eq(car_of(2)->class, STEPS[i].class);
        ck_assert_int_eq(__builtin_popcountll(car_of(2)->carried), STEPS[i].packets);
        ck_assert_uint_eq(car_of(1)->class, APEX_DELTA_NEAR);
    }
}

// A packet of 64 bytes has room for one car by itself.
TEST(the_own_car_comes_first_and_the_others_wait) {
    enum { CARS = 40, PACKETS = 10 };
    scene.limits.bytes_max = APEX_DELTA_BYTES_MIN;
    own(CARS);
    for (uint16_t slot = 1; slot <= CARS; slot++) {
        place(slot, 5.0, 5.0);
    }
    for (uint32_t i = 1; i <= PACKETS; i++) {
        tick_and_encode();
        ck_assert(is_carried(CARS));
        ck_assert_uint_eq(open_packet().head.car_count, 1);
        ck_assert(car_of(CARS)->priority == 0.0f);
        check_priority(1, 1.01f * (float)i);
    }
}

TEST(a_rival_weighs_as_much_as_one_at_25_m) {
    running_order *order = &scene.replica->order;
    scene.limits.bytes_max = APEX_DELTA_BYTES_MIN;
    own(1);
    place(1, 0.0, 0.0);
    place(2, 1000.0, 0.0);
    place(3, 15.0, 20.0);
    place(4, 600.0, 800.0);
    order->count = 2;
    order->slots[0] = 1;
    order->slots[1] = 2;
    order->ranks[1] = 1;
    order->ranks[2] = 2;
    tick_and_encode();
    ck_assert(is_carried(1) && !is_carried(2) && !is_carried(3) && !is_carried(4));
    const float FAR_WEIGHT = 625.0f / (625.0f + 1e6f) + 0.01f;
    check_priority(2, 0.5f + FAR_WEIGHT);
    check_priority(3, 0.5f + 0.01f);
    check_priority(4, FAR_WEIGHT);
}

TEST(who_has_waited_longest_goes_and_waits_anew) {
    scene.limits.bytes_max = APEX_DELTA_BYTES_MIN;
    place(1, 0.0, 0.0);
    place(2, 25.0, 0.0);  // half of the first one's weight
    place(3, 0.0, 300.0); // far, and short enough to go beside nobody
    uint32_t carried[4] = {0};
    for (uint32_t i = 0; i < 240; i++) {
        tick_and_encode();
        for (uint32_t slot = 1; slot <= 3; slot++) {
            carried[slot] += is_carried(slot);
            ck_assert(!is_carried(slot) || car_of(slot)->priority == 0.0f);
        }
    }
    ck_assert_uint_eq(carried[1] + carried[2] + carried[3], 240);
    ck_assert_uint_gt(carried[1], carried[2]);
    ck_assert_uint_gt(carried[2], carried[3]);
    ck_assert_uint_gt(carried[3], 0);
}

// A list takes up to half of a packet, and in one of 64 bytes a near car by itself takes more than
// the other half.
TEST(a_list_keeps_no_car_out_of_a_short_packet) {
    scene.limits = (apex_view_limits){.bytes_max = APEX_DELTA_BYTES_MIN,
                                      .neighbours_max = APEX_VIEWER_NEIGHBOURS_MIN,
                                      .near_m = 80.0f,
                                      .listed_cars = 3};
    own(1);
    for (uint16_t slot = 1; slot <= CAPACITY; slot++) {
        place(slot, 2.0 * slot, 0.0);
    }
    uint32_t own_count = 0, listed_count = 0;
    for (uint32_t i = 0; i < 20; i++) {
        tick_and_encode();
        own_count += is_carried(1);
        listed_count += open_packet().head.listed_count;
    }
    ck_assert_uint_ge(own_count, 10);
    ck_assert_uint_ge(listed_count, 10);
}

// @return how many it has; each car comes by itself while nothing is acknowledged.
static uint32_t read_list(uint16_t slots[APEX_DELTA_LISTED_MAX]) {
    apex_delta_reader reader = open_packet();
    for (uint32_t i = 0; i < reader.head.car_count; i++) {
        apex_delta_entry entry;
        apex_delta_car car;
        ck_assert(apex_delta_next(&reader, &entry) && entry.is_full);
        ck_assert(apex_delta_read_car(&reader, &entry, NULL, entry.class, &car));
    }
    for (uint32_t i = 0; i < reader.head.listed_count; i++) {
        apex_delta_car car;
        ck_assert(apex_delta_read_listed(&reader, &car));
        slots[i] = (uint16_t)apex_delta_slot(car.id);
    }
    ck_assert(apex_delta_close(&reader));
    return reader.head.listed_count;
}

TEST(those_who_do_not_compete_are_listed_in_turn) {
    static const uint16_t TURNS[][3] = {
        {9, 10, 11}, {12, 13, 14}, {15, 16, 17}, {18, 19, 20}, {9, 10, 11}};
    scene.limits = (apex_view_limits){.bytes_max = 1000,
                                      .neighbours_max = APEX_VIEWER_NEIGHBOURS_MIN,
                                      .near_m = 80.0f,
                                      .listed_cars = 3};
    own(1);
    for (uint16_t slot = 1; slot <= 20; slot++) {
        place(slot, 10.0 * slot, 0.0);
    }
    for (uint32_t i = 0; i < 5; i++) {
        uint16_t slots[APEX_DELTA_LISTED_MAX];
        tick_and_encode();
        ck_assert_uint_eq(read_list(slots), 3);
        ck_assert_mem_eq(slots, TURNS[i], sizeof TURNS[i]);
    }
}

TEST(a_head_stops_at_what_its_bits_hold) {
    static const struct {
        int32_t depth, told;
    } DEPTHS[] = {{-1000, -128}, {-129, -128}, {-128, -128}, {-127, -127}, {0, 0},
                  {126, 126},    {127, 127},   {128, 127},   {1000, 127}};
    static const struct {
        uint32_t ticks, told;
    } AGES[] = {{0, 0}, {254, 254}, {255, 255}, {256, 255}, {1000, 255}};
    own(1);
    place(1, 0.0, 0.0);
    for (size_t i = 0; i < sizeof DEPTHS / sizeof DEPTHS[0]; i++) {
        scene.viewer.controls_depth = DEPTHS[i].depth;
        tick_and_encode();
        ck_assert_int_eq(open_packet().head.controls_depth, DEPTHS[i].told);
    }
    for (size_t i = 0; i < sizeof AGES / sizeof AGES[0]; i++) {
        scene.viewer.controls_tick = scene.tick + 1 - AGES[i].ticks;
        tick_and_encode();
        ck_assert_uint_eq(open_packet().head.controls_age_ticks, AGES[i].told);
    }
}

TEST(the_race_is_told_in_each_fifth_snapshot_and_controls_to_drivers) {
    place(1, 0.0, 0.0);
    for (uint32_t i = 0; i < 11; i++) {
        scene.viewer.own_car = i >= 6 ? 1u << 16 | 1 : 0;
        tick_and_encode();
        apex_delta_head head = open_packet().head;
        ck_assert_uint_eq(head.has_race, i % 5 == 0);
        ck_assert_uint_eq(head.phase, i % 5 == 0 ? 3 : 0);
        ck_assert_int_eq(head.race_time_ms, i % 5 == 0 ? -1234 : 0);
        ck_assert_uint_eq(head.has_controls, i >= 6);
        ck_assert_uint_eq(head.tick, scene.tick);
        ck_assert_uint_eq(head.sequence, i);
    }
}

static int32_t told_x(void) {
    apex_delta_reader reader = open_packet();
    apex_delta_entry entry;
    apex_delta_car car;
    ck_assert(apex_delta_next(&reader, &entry) && entry.is_full);
    ck_assert(apex_delta_read_car(&reader, &entry, NULL, entry.class, &car));
    return car.q[APEX_DELTA_X];
}

// A recording is sought back: the tick comes again, and another past with it.
TEST(codes_of_another_past_are_forgotten) {
    own(1);
    place(1, 10.0, 0.0);
    tick_and_encode();
    ck_assert_int_eq(told_x(), 1000);
    place(1, 30.0, 0.0);
    apex_replica_forget(scene.replica);
    apex_replica_codes_forget(scene.codes);
    apex_viewer_memory_forget(scene.memory);
    replica_capture(scene.replica, scene.tick, scene.poses, CAPACITY);
    encode();
    ck_assert_int_eq(told_x(), 3000);
}

// What one viewer had coded near, another has far, and a third as a change.
TEST(codes_of_a_car_are_told_apart) {
    apex_delta_code spare;
    const captured_cars *cars = &scene.replica->cars;
    place(1, 10.0, 0.0);
    scene.poses[0].velocity_mps[0] = 20.0;
    for (uint32_t i = 0; i < 3; i++) {
        scene.tick++;
        replica_capture(scene.replica, scene.tick, scene.poses, CAPACITY);
    }
    for (uint32_t class = APEX_DELTA_NEAR; class <= APEX_DELTA_FAR; class ++) {
        for (uint32_t age = 0; age <= 2; age++) {
            apex_delta_code wanted;
            apex_delta_car now = *captured_newest(cars, 1), before = now;
            if (age > 0) {
                before = captured_row(cars, scene.tick - age)[1];
            }
            if (class == APEX_DELTA_FAR) {
                now = apex_delta_far_car(&now);
                before = apex_delta_far_car(&before);
            }
            if (age == 0) {
                apex_delta_code_full(&now, (apex_delta_class) class, &wanted);
            } else {
                apex_delta_span span = {.age_ticks = age, .tick_hz = TICK_HZ};
                apex_delta_code_change(&now, &before, (apex_delta_class) class, span, &wanted);
            }
            code_wish wish = {1, (apex_delta_class) class, age};
            const apex_delta_code *code = codes_get(scene.codes, cars, wish, &spare);
            ck_assert_ptr_ne(code, &spare);
            ck_assert_uint_eq(code->bits, wanted.bits);
            ck_assert_uint_eq(code->hash, wanted.hash);
            ck_assert_mem_eq(code->words, wanted.words, sizeof wanted.words);
            ck_assert_ptr_eq(codes_get(scene.codes, cars, wish, &spare), code);
        }
    }
}
