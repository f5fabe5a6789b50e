// Tests of a viewer's acknowledgements since its last snapshot, made into one.

#include "replicate/viewer.h"
#include "support/base/check_main.h"

TEST(the_newest_counts_in_whatever_order_they_come) {
    apex_viewer_memory memory = {.car_count = 0};
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 41, .before = 7});
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 40, .before = 3});
    ck_assert_uint_eq(memory.heard.newest, 41);
    ck_assert_uint_eq(memory.heard.before, 7);
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 42, .before = 15});
    ck_assert_uint_eq(memory.heard.newest, 42);
    ck_assert_uint_eq(memory.heard.before, 15);
    // As old as the newest, it may tell of more that has come since.
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 42, .before = 31});
    ck_assert_uint_eq(memory.heard.before, 31);
}

TEST(sequences_go_round) {
    apex_viewer_memory memory = {.car_count = 0};
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 256});
    apex_viewer_acknowledge(&memory,
                            &(apex_snapshot_ack){.newest = 2}); // of 257, 258: 8 bits travel
    ck_assert_uint_eq(memory.heard.newest, 2);
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 255});
    ck_assert_uint_eq(memory.heard.newest, 2);
}

TEST(a_loss_is_not_forgotten) {
    apex_viewer_memory memory = {.car_count = 0};
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 9, .repair = 10});
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 11});
    ck_assert_uint_eq(memory.heard.newest, 11);
    ck_assert_uint_eq(memory.heard.repair, 10);
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 12, .repair = 13});
    ck_assert_uint_eq(memory.heard.repair, 13);
    // An older one that comes late knows of older losses only.
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 10, .repair = 11});
    ck_assert_uint_eq(memory.heard.repair, 13);
    // A viewer that has nothing yet may have lost something all the same.
    apex_viewer_memory other = {.car_count = 0};
    apex_viewer_acknowledge(&other, &(apex_snapshot_ack){.repair = 4});
    ck_assert_uint_eq(other.heard.newest, 0);
    ck_assert_uint_eq(other.heard.repair, 4);
}

TEST(another_moment_forgets_what_was_heard) {
    apex_viewer_memory memory = {.car_count = 0};
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = 9, .repair = 10});
    apex_viewer_memory_forget(&memory);
    ck_assert_uint_eq(memory.heard.newest, 0);
    ck_assert_uint_eq(memory.heard.repair, 0);
}

TEST(nothing_counts_before_the_next_packet) {
    apex_viewer_memory memory = {.car_count = 0};
    uint16_t sequence = viewer_begin_packet(&memory, 100);
    apex_viewer_acknowledge(&memory, &(apex_snapshot_ack){.newest = sequence + 1u});
    ck_assert_uint_eq(memory.acknowledged, 0);
    apex_viewer_settle(&memory);
    ck_assert_uint_eq(memory.acknowledged, 1ull << viewer_packet_place(sequence));
    ck_assert_uint_eq(memory.heard.newest, 0);
}
