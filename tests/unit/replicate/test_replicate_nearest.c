// What a driver is told of cars side by side between two snapshots: whom, in how many bytes, and
// how it stands with baselines and acknowledgements.

#include <string.h>

#include "replicate/viewer.h"
#include "support/base/check_main.h"

enum { CAPACITY = 24, TICK_HZ = 60, FIRST_TICK = 2000, OWN = 12 };

/// A field of cars and one viewer of it.
static struct {
    apex_replica *replica;
    apex_replica_codes *codes;
    apex_viewer_memory *memory;
    apex_viewer viewer;
    apex_view_limits limits;
    bool wants_nearest;
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
    scene.limits = apex_view_limits_internet();
    scene.viewer.own_car = 1u << 16 | OWN;
    scene.tick = FIRST_TICK;
    scene.wants_nearest = true;
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

static void encode(bool only_nearest) {
    apex_view_limits limits = scene.limits;
    if (only_nearest) {
        limits.bytes_max = apex_viewer_nearest_bytes(scene.memory);
        ck_assert_uint_gt(limits.bytes_max, 0);
    }
    apex_delta_view view = {.viewer = &scene.viewer,
                            .limits = &limits,
                            .phase = 3,
                            .race_time_ms = -1234,
                            .wants_nearest = scene.wants_nearest,
                            .only_nearest = only_nearest};
    scene.tick++;
    replica_capture(scene.replica, scene.tick, scene.poses, CAPACITY);
    apex_viewer_settle(scene.memory);
    scene.length =
        apex_replica_encode(scene.replica, &view, scene.codes, scene.memory, scene.bytes);
    ck_assert_uint_le(scene.length, limits.bytes_max);
}

static apex_delta_reader open_packet(void) {
    apex_delta_reader reader;
    apex_delta_known known = {scene.tick, scene.memory->next_sequence, TICK_HZ};
    ck_assert(apex_delta_open(&reader, scene.bytes, scene.length, &known));
    return reader;
}

static bool is_carried(uint32_t slot) {
    const apex_viewer_memory *memory = scene.memory;
    uint32_t newest = viewer_packet_place((uint16_t)(memory->next_sequence - 1));
    for (uint32_t i = 0; i < memory->car_count; i++) {
        if (memory->cars[i].slot == slot) {
            return (memory->cars[i].carried >> newest & 1) != 0;
        }
    }
    return false;
}

// Slots of cars at these distances, all round the own one; the packet carries these.
static void place_field(void) {
    place(OWN, 100.0, 100.0);
    place(2, 100.0, 114.9);  // the fifth
    place(3, 100.0, 103.0);  // nearest
    place(5, 86.0, 100.0);   // the fourth
    place(9, 105.0, 100.0);  // second
    place(14, 100.0, 88.0);  // third
    place(20, 100.0, 115.1); // too far
    place(21, 900.0, 900.0);
}

FIXTURE(set_up, tear_down)

TEST(the_four_nearest_are_told_and_nobody_else) {
    place_field();
    encode(false);
    encode(true);
    apex_delta_head head = open_packet().head;
    ck_assert_uint_eq(head.car_count, 4);
    for (uint32_t slot = 1; slot <= CAPACITY; slot++) {
        bool is_told = slot == 3 || slot == 5 || slot == 9 || slot == 14;
        ck_assert_msg(is_carried(slot) == is_told, "slot %u", slot);
    }
}

TEST(a_car_is_side_by_side_up_to_fifteen_metres) {
    place(OWN, 0.0, 0.0);
    place(1, 15.02, 0.0);
    encode(false);
    ck_assert_uint_eq(apex_viewer_nearest_bytes(scene.memory), 0);
    place(1, 14.98, 0.0);
    ck_assert_uint_eq(apex_viewer_nearest_bytes(scene.memory), 0); // until a snapshot has seen it
    encode(false);
    ck_assert_uint_gt(apex_viewer_nearest_bytes(scene.memory), 0);
    encode(true);
    ck_assert(is_carried(1) && !is_carried(OWN));
}

// The race's head comes with each fifth snapshot, whatever comes between.
TEST(race_controls_and_list_are_for_snapshots) {
    place_field();
    scene.limits.neighbours_max = APEX_VIEWER_NEIGHBOURS_MIN;
    for (uint16_t slot = 15; slot <= 19; slot++) {
        place(slot, 5000.0, 5000.0); // more than compete: they are listed
    }
    for (uint32_t i = 0; i < 10; i++) {
        encode(false);
        apex_delta_head head = open_packet().head;
        ck_assert_uint_eq(head.has_race, i % 5 == 0);
        ck_assert(head.has_controls);
        ck_assert_uint_gt(head.listed_count, 0);
        for (int between = 0; between < 2; between++) {
            encode(true);
            head = open_packet().head;
            ck_assert(!head.has_race && !head.has_controls);
            ck_assert_uint_eq(head.listed_count, 0);
        }
    }
}

TEST(who_does_not_want_them_or_only_watches_has_nobody_at_his_side) {
    place_field();
    scene.wants_nearest = false;
    encode(false);
    ck_assert_uint_eq(apex_viewer_nearest_bytes(scene.memory), 0);
    scene.wants_nearest = true;
    scene.viewer.own_car = 0;
    encode(false);
    ck_assert_uint_eq(apex_viewer_nearest_bytes(scene.memory), 0);
}

// What a snapshot leaves is spent with headers and all, and comes back with the next one.
TEST(they_have_what_the_snapshot_left) {
    place_field();
    scene.limits.bytes_max = 700;
    encode(false);
    size_t spent = scene.length;
    uint32_t packets = 0;
    for (; apex_viewer_nearest_bytes(scene.memory) > 0; packets++) {
        ck_assert_uint_eq(apex_viewer_nearest_bytes(scene.memory),
                          700 - spent - APEX_SNAPSHOT_HEADERS_BYTES);
        encode(true);
        spent += scene.length + APEX_SNAPSHOT_HEADERS_BYTES;
        ck_assert_uint_le(spent, 700);
    }
    ck_assert_uint_ge(packets, 2);
    ck_assert_uint_gt(spent + APEX_SNAPSHOT_HEADERS_BYTES + APEX_DELTA_BYTES_MIN, 700);
    encode(false);
    ck_assert_uint_gt(apex_viewer_nearest_bytes(scene.memory), 0);
}

TEST(a_snapshot_that_is_full_leaves_nothing) {
    place_field();
    scene.limits.bytes_max = APEX_DELTA_BYTES_MIN + APEX_SNAPSHOT_HEADERS_BYTES;
    encode(false);
    ck_assert_uint_eq(apex_viewer_nearest_bytes(scene.memory), 0);
}

static void acknowledge_newest(void) {
    apex_snapshot_ack ack = {.newest = (uint16_t)(scene.memory->next_sequence - 1) + 1u};
    apex_viewer_acknowledge(scene.memory, &ack);
}

static uint32_t base_age(uint32_t slot) {
    const apex_viewer_memory *memory = scene.memory;
    for (uint32_t i = 0; i < memory->car_count; i++) {
        if (memory->cars[i].slot == slot) {
            return viewer_base_age(memory, &memory->cars[i], &scene.replica->cars);
        }
    }
    return 0;
}

// Such a packet is a baseline of those it carried, and leaves the others theirs. 64 packets later
// its place is another's.
TEST(what_came_between_is_leant_on_by_those_it_told_of) {
    place_field();
    encode(false);
    acknowledge_newest();
    encode(true);
    acknowledge_newest();
    encode(true);
    ck_assert_uint_eq(base_age(3), 1);
    ck_assert_uint_eq(base_age(OWN), 2);
    ck_assert_uint_eq(base_age(2), 2);
    for (uint32_t i = 0; i < VIEWER_PACKETS; i++) {
        scene.memory->bytes_left = 400;
        encode(true);
        acknowledge_newest();
    }
    apex_viewer_settle(scene.memory);
    ck_assert_uint_eq(base_age(OWN), 0); // never of a packet that did not carry it
    encode(true);
    ck_assert_uint_eq(base_age(3), 1);
}

TEST(who_left_is_told_of_no_more) {
    place_field();
    encode(false);
    scene.poses[3 - 1].id.index1 = 0;
    encode(true);
    ck_assert_uint_eq(open_packet().head.car_count, 3);
    apex_viewer_memory_forget(scene.memory);
    ck_assert_uint_eq(apex_viewer_nearest_bytes(scene.memory), 0);
}
