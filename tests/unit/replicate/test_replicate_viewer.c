// A viewer's memory: what its acknowledgements make of its packets, what a car leans on, how much
// is lost, and which cars compete.

#include <string.h>

#include "replicate/viewer.h"
#include "support/base/check_main.h"

enum { SLOTS = 6, TICK_HZ = 60 };

static captured_cars cars;
static apex_car_pose poses[SLOTS];

static void set_up(void) {
    memset(poses, 0, sizeof poses);
    memset(&cars, 0, sizeof cars);
    ck_assert(captured_cars_create(&cars, SLOTS, TICK_HZ));
}

static void tear_down(void) {
    captured_cars_destroy(&cars);
}

static void seat(uint16_t slot, uint16_t generation) {
    poses[slot - 1].id = (apex_car_id){.index1 = slot, .generation = generation};
}

static void begin_packets(apex_viewer_memory *memory, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        viewer_begin_packet(memory, 100 + memory->next_sequence);
    }
}

// @param newest a sequence
static void hear(apex_viewer_memory *memory, uint32_t newest, uint32_t before) {
    apex_viewer_acknowledge(memory, &(apex_snapshot_ack){.newest = newest + 1, .before = before});
    apex_viewer_settle(memory);
}

static void hear_loss(apex_viewer_memory *memory, uint32_t newest, uint32_t lost) {
    apex_viewer_acknowledge(memory, &(apex_snapshot_ack){.newest = newest + 1, .repair = lost + 1});
    apex_viewer_settle(memory);
}

static uint64_t places(uint16_t first, uint16_t last) {
    uint64_t bits = 0;
    for (uint16_t sequence = first; sequence <= last; sequence++) {
        bits |= 1ull << viewer_packet_place(sequence);
    }
    return bits;
}

FIXTURE(set_up, tear_down)

TEST(an_acknowledgement_counts_for_64_packets) {
    for (uint32_t behind = 31; behind < 64; behind++) {
        apex_viewer_memory memory = {.car_count = 0};
        begin_packets(&memory, behind + 1);
        hear(&memory, 0, 0);
        ck_assert_uint_eq(memory.acknowledged, 1);
        ck_assert_uint_eq(memory.open, places(1, (uint16_t)behind));
    }
    apex_viewer_memory memory = {.car_count = 0};
    begin_packets(&memory, 65);
    hear(&memory, 0, 0); // its place is that of packet 64, which has not come
    ck_assert_uint_eq(memory.acknowledged, 0);
    ck_assert_uint_eq(memory.open, UINT64_MAX);
}

TEST(those_before_the_newest_count_as_far_as_places_go) {
    apex_viewer_memory memory = {.car_count = 0};
    begin_packets(&memory, 64);
    hear(&memory, 40, UINT32_MAX); // 32 before it
    ck_assert_uint_eq(memory.acknowledged, places(8, 40));
    apex_viewer_memory later = {.car_count = 0};
    begin_packets(&later, 70);
    hear(&later, 20, UINT32_MAX); // 0 to 5 have lost their places to 64 to 69
    ck_assert_uint_eq(later.acknowledged, places(6, 20));
}

TEST(a_place_that_is_used_again_is_not_acknowledged) {
    apex_viewer_memory memory = {.car_count = 0};
    begin_packets(&memory, 1);
    hear(&memory, 0, 0);
    begin_packets(&memory, 63);
    ck_assert_uint_eq(memory.acknowledged, 1);
    begin_packets(&memory, 1);
    ck_assert_uint_eq(memory.acknowledged, 0);
}

TEST(an_old_loss_that_repeats_is_mended_once) {
    apex_viewer_memory memory = {.car_count = 0};
    begin_packets(&memory, 10);
    hear_loss(&memory, 7, 9);
    ck_assert_uint_eq(memory.acknowledged | memory.open, 0); // also what was on its way
    begin_packets(&memory, 3);
    hear_loss(&memory, 11, 9);
    ck_assert_uint_eq(memory.acknowledged, places(11, 11));
    ck_assert_uint_eq(memory.open, places(10, 10) | places(12, 12));
    hear_loss(&memory, 12, 10); // the first of those after the repair
    ck_assert_uint_eq(memory.acknowledged | memory.open, 0);
    ck_assert_uint_eq(memory.repaired_sequence, 13);
}

TEST(another_moment_withdraws_everything_but_numbers) {
    apex_viewer_memory memory = {.car_count = 3, .snapshots = 7};
    begin_packets(&memory, 5);
    hear(&memory, 3, 1);
    apex_viewer_memory_forget(&memory);
    ck_assert_uint_eq(memory.acknowledged | memory.open, 0);
    ck_assert_uint_eq(memory.repaired_sequence, 5);
    ck_assert_uint_eq(memory.next_sequence, 5);
    ck_assert_uint_eq(memory.snapshots, 0);
    ck_assert_uint_eq(memory.car_count, 0);
}

TEST(a_baseline_is_of_the_car_that_is_there_now) {
    apex_viewer_memory memory = {.car_count = 0};
    viewer_car car = {.slot = 2};
    seat(2, 1);
    captured_cars_take(&cars, 10, poses, SLOTS);
    viewer_begin_packet(&memory, 10);
    viewer_note_car(&memory, &car, true);
    captured_cars_take(&cars, 11, poses, SLOTS);
    ck_assert_uint_eq(viewer_base_age(&memory, &car, &cars), 0); // unheard
    hear(&memory, 0, 0);
    ck_assert_uint_eq(viewer_base_age(&memory, &car, &cars), 1);
    seat(2, 2); // another one has the slot
    captured_cars_take(&cars, 12, poses, SLOTS);
    ck_assert_uint_eq(viewer_base_age(&memory, &car, &cars), 0);
    viewer_begin_packet(&memory, 12);
    viewer_note_car(&memory, &car, true);
    hear(&memory, 1, 0);
    captured_cars_take(&cars, 13, poses, SLOTS);
    ck_assert_uint_eq(viewer_base_age(&memory, &car, &cars), 1); // of its own first tick
}

TEST(a_baseline_is_at_most_63_ticks_old) {
    apex_viewer_memory memory = {.car_count = 0};
    viewer_car car = {.slot = 2};
    seat(2, 1);
    for (uint32_t tick = 10; tick <= 74; tick++) {
        captured_cars_take(&cars, tick, poses, SLOTS);
        if (tick == 10) {
            viewer_begin_packet(&memory, tick);
            viewer_note_car(&memory, &car, true);
            hear(&memory, 0, 0);
        }
        ck_assert_uint_eq(viewer_base_age(&memory, &car, &cars), tick <= 73 ? tick - 10 : 0);
    }
}

// Over the end of the sequence, and of the places.
TEST_OVER(the_newest_that_came_and_carried_the_car_is_its_baseline, 0, 3) {
    static const uint16_t FIRST[] = {0, 62, 65533};
    static const bool CARRIED[] = {true, false, true, true, false};
    apex_viewer_memory memory = {.next_sequence = FIRST[_i]};
    viewer_car car = {.slot = 2};
    seat(2, 1);
    for (uint32_t tick = 10; tick <= 22; tick++) {
        captured_cars_take(&cars, tick, poses, SLOTS);
        if ((tick - 10) % 3 == 0) {
            viewer_begin_packet(&memory, tick);
            viewer_note_car(&memory, &car, CARRIED[(tick - 10) / 3]);
        }
    }
    hear(&memory, (uint16_t)(FIRST[_i] + 1), 1); // the first two, of which one had it
    ck_assert_uint_eq(viewer_base_age(&memory, &car, &cars), 12);
    hear(&memory, (uint16_t)(FIRST[_i] + 4), 2); // that of tick 16, and the last without it
    ck_assert_uint_eq(viewer_base_age(&memory, &car, &cars), 6);
}

TEST(loss_is_told_when_32_packets_are_judged) {
    apex_viewer_memory memory = {.car_count = 0};
    uint32_t ppm = 7;
    begin_packets(&memory, 64 + 31);
    ck_assert(!apex_viewer_lost_ppm(&memory, &ppm));
    begin_packets(&memory, 1);
    ck_assert(apex_viewer_lost_ppm(&memory, &ppm));
    ck_assert_uint_eq(ppm, 1000000);
}

TEST(loss_is_the_share_of_those_that_did_not_come) {
    apex_viewer_memory memory = {.car_count = 0};
    uint32_t ppm = 7;
    for (uint32_t sequence = 0; sequence < 64 + 40; sequence++) {
        begin_packets(&memory, 1);
        if (sequence % 4 == 0) {
            hear(&memory, sequence, 0);
        }
    }
    ck_assert(apex_viewer_lost_ppm(&memory, &ppm));
    ck_assert_uint_eq(ppm, 750000);
}

TEST(packets_of_long_ago_count_by_halves) {
    apex_viewer_memory memory = {.car_count = 0};
    uint32_t ppm = 7;
    begin_packets(&memory, 64 + 255);
    ck_assert_uint_eq(memory.judged, 255);
    begin_packets(&memory, 1); // 256 lost of 256 are 128 of 128 now
    ck_assert_uint_eq(memory.judged, 128);
    hear(&memory, 319, UINT32_MAX); // 33 come of the 64 that are judged next
    begin_packets(&memory, 64);
    ck_assert(apex_viewer_lost_ppm(&memory, &ppm));
    ck_assert_uint_eq(ppm, 828125); // 128 + 31 of 128 + 64
}

TEST(what_a_repair_withdrew_is_not_judged) {
    apex_viewer_memory memory = {.car_count = 0};
    uint32_t ppm = 7;
    begin_packets(&memory, 40);
    hear_loss(&memory, 38, 39);
    begin_packets(&memory, 64 + 31);
    ck_assert(!apex_viewer_lost_ppm(&memory, &ppm));
    ck_assert_uint_eq(memory.judged, 31);
}

TEST(the_focus_is_the_own_car_or_the_wanted_one_or_the_first) {
    apex_viewer viewer = {.own_car = 1u << 16 | 4};
    apex_delta_view view = {.viewer = &viewer, .focus_slot = SLOTS};
    ck_assert_uint_eq(viewer_focus(&cars, &view), 0); // nobody is there
    seat(2, 1);
    seat(4, 1);
    seat(SLOTS, 1);
    captured_cars_take(&cars, 10, poses, SLOTS);
    ck_assert_uint_eq(viewer_focus(&cars, &view), 4);
    viewer.own_car = 0;
    ck_assert_uint_eq(viewer_focus(&cars, &view), SLOTS);
    view.focus_slot = 3; // nobody
    ck_assert_uint_eq(viewer_focus(&cars, &view), 2);
    view.focus_slot = SLOTS + 1;
    ck_assert_uint_eq(viewer_focus(&cars, &view), 2);
    view.focus_slot = 0;
    ck_assert_uint_eq(viewer_focus(&cars, &view), 2);
}

static void check_slots(const apex_viewer_memory *memory, uint32_t count, const uint16_t slots[]) {
    ck_assert_uint_eq(memory->car_count, count);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(memory->cars[i].slot, slots[i]);
    }
}

TEST(who_goes_on_competing_keeps_what_was_acknowledged) {
    apex_replica *replica = apex_replica_create(SLOTS, TICK_HZ);
    apex_viewer viewer = {.own_car = 0};
    apex_view_limits limits = apex_view_limits_internet();
    apex_delta_view view = {.viewer = &viewer, .limits = &limits};
    static apex_viewer_memory memory;
    ck_assert_ptr_nonnull(replica);
    seat(1, 1);
    seat(3, 1);
    seat(5, 1);
    replica_capture(replica, 100, poses, SLOTS);
    viewer_choose(&memory, replica, &view);
    check_slots(&memory, 3, (const uint16_t[]){1, 3, 5});
    memory.snapshots = 1;
    memory.cars[1].carried = 0x10;
    memory.cars[1].class = APEX_DELTA_NEAR;
    memory.cars[1].priority = 2.0f;
    seat(2, 1);
    replica_capture(replica, 101, poses, SLOTS);
    viewer_choose(&memory, replica, &view); // somebody more is there
    check_slots(&memory, 4, (const uint16_t[]){1, 2, 3, 5});
    ck_assert_uint_eq(memory.cars[2].carried, 0x10);
    ck_assert_uint_eq(memory.cars[2].class, APEX_DELTA_NEAR);
    ck_assert(memory.cars[2].priority == 2.0f);
    ck_assert_uint_eq(memory.cars[1].carried, 0);
    ck_assert_uint_eq(memory.cars[1].class, APEX_DELTA_FAR);
    poses[0].id.index1 = 0;
    seat(4, 1); // as many as before: seen half a second after the last look
    replica_capture(replica, 130, poses, SLOTS);
    viewer_choose(&memory, replica, &view);
    check_slots(&memory, 4, (const uint16_t[]){1, 2, 3, 5});
    replica_capture(replica, 131, poses, SLOTS);
    viewer_choose(&memory, replica, &view);
    check_slots(&memory, 4, (const uint16_t[]){2, 3, 4, 5});
    ck_assert_uint_eq(memory.cars[1].carried, 0x10);
    apex_replica_destroy(replica);
}
