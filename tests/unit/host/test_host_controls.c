// Controls on their way to the tick they are for.
#include "support/base/check_main.h"

#include <string.h>

#include "host/clients/controls_buffer.h"

static host_controls_buffer buffer;
static apex_controls_counters counters;

static void buffer_begin(void) {
    host_controls_reset(&buffer);
    memset(&counters, 0, sizeof counters);
}

// A sample for each tick that tells which tick it is for.
static apex_control_sample sample_for(uint32_t tick) {
    return (apex_control_sample){.steer = (int16_t)(tick % 30000), .throttle = (uint8_t)tick};
}

static void add(uint32_t first_tick, uint32_t count, uint32_t now) {
    apex_controls_message message = {.first_tick = first_tick, .sample_count = count};
    for (uint32_t i = 0; i < count; i++) {
        message.samples[i] = sample_for(first_tick + i);
    }
    host_controls_add(&buffer, &message, now, &counters);
}

static void assert_taken(uint32_t tick, uint32_t wanted) {
    apex_controls got = host_controls_take(&buffer, tick, &counters);
    ck_assert_int_eq(got.steer, sample_for(wanted).steer);
    ck_assert_uint_eq(got.throttle, sample_for(wanted).throttle);
}

static void assert_counters(uint64_t used, uint64_t missed, uint64_t late, uint64_t early) {
    ck_assert_uint_eq(counters.used_on_tick, used);
    ck_assert_uint_eq(counters.missed, missed);
    ck_assert_uint_eq(counters.late, late);
    ck_assert_uint_eq(counters.early, early);
}

TEST(each_field_of_a_sample_reaches_the_car) {
    buffer_begin();
    apex_controls_message message = {.first_tick = 5, .sample_count = 1};
    message.samples[0] = (apex_control_sample){.steer = -32767,
                                               .throttle = 1,
                                               .brake = 2,
                                               .clutch = 3,
                                               .handbrake = 4,
                                               .gear = -1,
                                               .shift_up = 6,
                                               .shift_down = 7,
                                               .reset = 8,
                                               .aids_off = 9};
    host_controls_add(&buffer, &message, 4, &counters);
    apex_controls got = host_controls_take(&buffer, 5, &counters);
    ck_assert_int_eq(got.steer, -32767);
    ck_assert(got.throttle == 1 && got.brake == 2 && got.clutch == 3 && got.handbrake == 4);
    ck_assert_int_eq(got.gear, -1);
    ck_assert(got.shift_up_count == 6 && got.shift_down_count == 7 && got.reset_count == 8);
    ck_assert_uint_eq(got.aids_off, 9);
}

TEST(before_the_first_message_a_car_idles_in_automatic) {
    buffer_begin();
    for (uint32_t tick = 1; tick < 200; tick++) {
        apex_controls got = host_controls_take(&buffer, tick, &counters);
        ck_assert_int_eq(got.gear, APEX_GEAR_AUTOMATIC);
        ck_assert(got.throttle == 0 && got.steer == 0);
        ck_assert_int_eq(host_controls_depth(&buffer, tick), 0);
    }
    assert_counters(0, 0, 0, 0); // a client that has not spoken yet misses nothing
}

TEST(a_sample_is_used_on_its_tick_and_repeated_after_it) {
    buffer_begin();
    add(101, 3, 100);
    ck_assert_int_eq(host_controls_depth(&buffer, 101), 2);
    assert_taken(101, 101);
    assert_taken(102, 102);
    assert_taken(103, 103);
    assert_counters(3, 0, 0, 0);
    assert_taken(104, 103);
    assert_taken(105, 103);
    assert_counters(3, 2, 0, 0);
    ck_assert_uint_eq(buffer.used_tick, 103);
    ck_assert_int_eq(host_controls_depth(&buffer, 105), -2);
    add(106, 1, 105);
    assert_taken(106, 106);
    ck_assert_uint_eq(buffer.used_tick, 106);
}

// Eight ticks in each packet: seven of them are here already, some are past.
TEST(repeats_are_neither_late_nor_early) {
    buffer_begin();
    for (uint32_t tick = 100; tick < 300; tick++) {
        add(tick - 3, 8, tick);
        assert_taken(tick + 1, tick + 1);
    }
    assert_counters(200, 0, 4, 0); // the first packet's head was for ticks that were over
    buffer_begin();
    add(10, 8, 9);
    add(10, 8, 9);
    apex_controls_message other = {.first_tick = 10, .sample_count = 1};
    other.samples[0].throttle = 77;
    host_controls_add(&buffer, &other, 9, &counters); // a client that samples a tick again means it
    ck_assert_uint_eq(host_controls_take(&buffer, 10, &counters).throttle, 77);
    assert_taken(11, 11);
    assert_counters(2, 0, 0, 0);
}

// Every second packet lost, and the lost ones' ticks came with the next.
TEST(lost_packets_are_made_good_by_the_next) {
    buffer_begin();
    for (uint32_t tick = 100; tick < 200; tick++) {
        if (tick % 2 == 0) {
            add(tick - 1, 8, tick);
        }
        assert_taken(tick + 1, tick + 1);
    }
    ck_assert_uint_eq(counters.missed, 0);
}

TEST(late_samples_are_dropped_and_counted_once) {
    buffer_begin();
    add(101, 1, 100);
    assert_taken(101, 101);
    add(102, 2, 110); // ten ticks too late
    add(102, 2, 110);
    assert_counters(1, 0, 2, 0);
    assert_taken(111, 101);
    ck_assert_int_eq(host_controls_depth(&buffer, 111), -8);
    add(111, 1, 111); // the very tick that was just made
    ck_assert_uint_eq(counters.late, 3);
    add(112, 1, 111);
    assert_taken(112, 112);
    assert_counters(2, 1, 3, 0);
}

TEST(what_is_too_far_ahead_is_dropped) {
    buffer_begin();
    add(100 + HOST_CONTROLS_AHEAD_MAX - 1, 1, 100); // the last that has a place
    assert_counters(0, 0, 0, 0);
    ck_assert_int_eq(host_controls_depth(&buffer, 101), HOST_CONTROLS_AHEAD_MAX - 2);
    add(100 + HOST_CONTROLS_AHEAD_MAX, 2, 100);
    assert_counters(0, 0, 0, 2);
    ck_assert_int_eq(host_controls_depth(&buffer, 101), HOST_CONTROLS_AHEAD_MAX - 2);
    add(1000000, 4, 100); // a wild clock neither counts as newest nor hides what comes later
    add(101, 1, 100);
    assert_taken(101, 101);
    assert_counters(1, 0, 0, 6);
    for (uint32_t tick = 102; tick < 100 + HOST_CONTROLS_AHEAD_MAX - 1; tick++) {
        assert_taken(tick, 101);
    }
    assert_taken(163, 163);
}

// A place is used again every 64 ticks; what stood there must not pass for the new tick's.
TEST(the_ring_goes_round) {
    buffer_begin();
    add(1, 16, 0);
    for (uint32_t tick = 1; tick <= 16; tick++) {
        assert_taken(tick, tick);
    }
    for (uint32_t tick = 17; tick <= 16 + 2 * HOST_CONTROLS_AHEAD_MAX; tick++) {
        assert_taken(tick, 16);
    }
    assert_counters(16, 2 * HOST_CONTROLS_AHEAD_MAX, 0, 0);
    for (uint32_t tick = 200; tick < 1000; tick += 16) {
        add(tick + 1, 16, tick);
        for (uint32_t i = 1; i <= 16; i++) {
            assert_taken(tick + i, tick + i);
        }
    }
}

TEST(tick_numbers_may_wrap) {
    buffer_begin();
    uint32_t now = UINT32_MAX - 4;
    add(now + 1, 10, now); // ..., 2^32 - 1, 0, 1, ...
    for (uint32_t i = 1; i <= 4; i++) {
        assert_taken(now + i, now + i);
    }
    assert_taken(1, 1);
    assert_taken(5, 5);
    ck_assert_int_eq(host_controls_depth(&buffer, 5), 0);
    ck_assert_int_eq(host_controls_depth(&buffer, UINT32_MAX), 6);
    buffer_begin();
    add(1, 1, UINT32_MAX / 2 + 100); // half a round behind: old, and not to come
    ck_assert_uint_eq(counters.late + counters.early, 1);
}

TEST(a_report_tells_of_the_worst_tick_since_the_last) {
    buffer_begin();
    ck_assert_int_eq(host_controls_least(&buffer), 0);
    host_controls_take(&buffer, 100, &counters);
    ck_assert_int_eq(host_controls_least(&buffer), 0); // nothing has come: nothing is late
    add(101, 8, 100);
    assert_taken(101, 101);
    ck_assert_int_eq(host_controls_least(&buffer), 7);
    assert_taken(102, 102);
    assert_taken(103, 103);
    ck_assert_int_eq(host_controls_least(&buffer), 5);
    add(104, 8, 103);
    assert_taken(104, 104);
    ck_assert_int_eq(host_controls_depth(&buffer, 104), 7);
    ck_assert_int_eq(host_controls_least(&buffer), 5); // the newest is not the worst
    host_controls_told(&buffer);
    assert_taken(105, 105);
    ck_assert_int_eq(host_controls_least(&buffer), 6);
    host_controls_told(&buffer);
    for (uint32_t tick = 106; tick <= 115; tick++) {
        host_controls_take(&buffer, tick, &counters);
    }
    ck_assert_int_eq(host_controls_least(&buffer), -4);
}

TEST(ticks_in_hand_and_misses_in_a_row_are_counted) {
    buffer_begin();
    add(101, 4, 100);
    for (uint32_t tick = 101; tick <= 104; tick++) {
        assert_taken(tick, tick); // 3, 2, 1, 0 in hand
    }
    for (uint32_t depth = 0; depth < 4; depth++) {
        ck_assert_uint_eq(counters.depths[depth], 1);
    }
    // Misses in a row of 1, 2, 3, 4, 5, 64 and 65.
    static const uint32_t misses[] = {1, 2, 3, 4, 5, 64, 65};
    uint32_t tick = 105;
    for (size_t i = 0; i < sizeof misses / sizeof misses[0]; i++) {
        for (uint32_t end = tick + misses[i]; tick < end; tick++) {
            host_controls_take(&buffer, tick, &counters);
        }
        add(tick, 1, tick - 1);
        assert_taken(tick, tick);
        tick++;
    }
    static const uint64_t wanted[APEX_CONTROLS_GAPS] = {1, 1, 2, 1, 0, 0, 1, 1};
    ck_assert_mem_eq(counters.gaps, wanted, sizeof wanted);
    host_controls_take(&buffer, tick, &counters); // a row that has no end yet
    ck_assert_mem_eq(counters.gaps, wanted, sizeof wanted);
    add(tick + 1, 1, tick);
    add(tick + 40, 1, tick);
    assert_taken(tick + 1, tick + 1);
    ck_assert_uint_eq(counters.depths[APEX_CONTROLS_DEPTHS - 1], 1); // 39 in hand: many
}

TEST(a_wrong_clock_is_not_measured) {
    buffer_begin();
    add(100000 - HOST_CONTROLS_BEHIND_MAX - 1, 1, 100000);
    ck_assert_uint_eq(buffer.newest, 0);
    assert_counters(0, 0, 1, 0);
    add(100000 - HOST_CONTROLS_BEHIND_MAX, 1, 100000);
    ck_assert_uint_eq(buffer.newest, 100000 - HOST_CONTROLS_BEHIND_MAX);
    ck_assert_int_eq(host_controls_depth(&buffer, 100000), -HOST_CONTROLS_BEHIND_MAX);
    // A client that has been silent for half a round of tick numbers is late, not early.
    uint32_t later = 100000;
    for (int i = 0; i < 3; i++) {
        later += UINT32_C(0x2ABCDEF0);
        host_controls_take(&buffer, later, &counters);
    }
    ck_assert_int_le(host_controls_least(&buffer), -HOST_CONTROLS_BEHIND_MAX);
    add(later + 1, 1, later);
    assert_taken(later + 1, later + 1);
    ck_assert_int_eq(host_controls_depth(&buffer, later + 1), 0);
}

// Stamps from anywhere, forwards and backwards, some of them good ones: a tick gets its own sample
// or the last one again, never another tick's.
TEST(any_stamp_is_used_on_its_tick_or_not_at_all) {
    uint64_t random = 11;
    for (uint32_t round = 0; round < 20; round++) {
        buffer_begin();
        uint32_t now = round < 10 ? 1000 : UINT32_MAX - 500; // the second half goes round
        uint32_t last = 0;
        uint64_t spoke = 0;
        for (uint32_t i = 0; i < 2000; i++, now++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint32_t bits = (uint32_t)(random >> 32);
            uint32_t spread = bits % 4 == 0 ? UINT32_MAX : bits % 4 == 1 ? 300 : 20;
            uint32_t first = now + (uint32_t)(random >> 20) % spread - (bits % 8 < 4 ? 12 : 0);
            add(first, 1 + bits % APEX_CONTROLS_SAMPLES_MAX, now);
            spoke += buffer.newest != 0;
            apex_controls got = host_controls_take(&buffer, now + 1, &counters);
            if (buffer.used_tick == now + 1) {
                last = now + 1;
            }
            if (last != 0) {
                ck_assert_int_eq(got.steer, sample_for(last).steer);
            }
            int32_t depth = host_controls_depth(&buffer, now + 1);
            ck_assert_int_lt(depth, HOST_CONTROLS_AHEAD_MAX);
            ck_assert_int_ge(depth, -HOST_CONTROLS_BEHIND_MAX - 2);
        }
        ck_assert_uint_gt(counters.used_on_tick, 500);
        ck_assert_uint_eq(counters.used_on_tick + counters.missed, spoke);
    }
}

// 200 packets in a tick, each with other samples for the same ticks: the last one counts, and
// nothing else of the flood is left.
TEST(a_flood_leaves_nothing_but_its_end) {
    buffer_begin();
    for (uint32_t i = 0; i < 200; i++) {
        apex_controls_message message = {.first_tick = 101, .sample_count = 16};
        for (uint32_t at = 0; at < 16; at++) {
            message.samples[at].throttle = (uint8_t)i;
        }
        host_controls_add(&buffer, &message, 100, &counters);
    }
    for (uint32_t tick = 101; tick < 117; tick++) {
        ck_assert_uint_eq(host_controls_take(&buffer, tick, &counters).throttle, 199);
    }
    assert_counters(16, 0, 0, 0);
}

// Two shifts up and one reset in packets of which most are lost: whenever a sample comes, its
// counters say how many there have been.
TEST(counters_survive_losses) {
    buffer_begin();
    uint8_t shifts = 254; // it wraps on the way
    uint8_t seen = 254;
    uint32_t changes = 0;
    for (uint32_t tick = 100; tick < 400; tick++) {
        if (tick % 50 == 0) {
            shifts++;
        }
        apex_controls_message message = {.first_tick = tick + 1, .sample_count = 1};
        message.samples[0] = (apex_control_sample){.gear = 127, .shift_up = shifts};
        if (tick % 7 == 0) { // six of seven are lost, and the next packets do not repeat them
            host_controls_add(&buffer, &message, tick, &counters);
        }
        apex_controls got = host_controls_take(&buffer, tick + 1, &counters);
        if (counters.used_on_tick > 0 && got.shift_up_count != seen) {
            changes += (uint8_t)(got.shift_up_count - seen);
            seen = got.shift_up_count;
        }
    }
    ck_assert_uint_eq(seen, shifts);
    ck_assert_uint_eq(changes, 6);
}
