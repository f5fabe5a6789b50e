// Tests of what a bad network does to packets: shares, delays, runs and rates, by count.
#include "support/base/check_main.h"

#include <stdlib.h>
#include <string.h>

#include "client-lite/netsim/netsim_model.h"
#include "client-lite/netsim/netsim_queue.h"
#include "support/net/longest_trip.h"

enum { PACKETS = 100000, BYTES = 100 };

typedef struct passed {
    netsim_count count;
    uint64_t arrived;
    uint64_t delay_min_us, delay_max_us, delay_sum_us;
    uint64_t near;  // within half the jitter of the delay
    uint64_t runs;  // of lost packets
    uint64_t pairs; // lost packets after a lost one
} passed;

// A packet a millisecond.
static passed pass(const netsim_def *def, uint64_t seed) {
    ck_assert_ptr_null(netsim_problem(def));
    netsim_pipe pipe = netsim_pipe_begin(seed, 0, true);
    passed sum = {.delay_min_us = UINT64_MAX};
    bool was_lost = false;
    for (uint64_t i = 0; i < PACKETS; i++) {
        uint64_t now_us = i * 1000;
        uint64_t arrivals_us[NETSIM_COPIES_MAX];
        uint32_t copies = netsim_pass(def, &pipe, BYTES, now_us, arrivals_us);
        for (uint32_t c = 0; c < copies; c++) {
            uint64_t delay_us = arrivals_us[c] - now_us;
            sum.arrived++;
            sum.delay_sum_us += delay_us;
            sum.delay_min_us = delay_us < sum.delay_min_us ? delay_us : sum.delay_min_us;
            sum.delay_max_us = delay_us > sum.delay_max_us ? delay_us : sum.delay_max_us;
            sum.near += delay_us + def->jitter_us / 2 >= def->delay_us &&
                        delay_us <= def->delay_us + def->jitter_us / 2;
        }
        sum.runs += copies == 0 && !was_lost;
        sum.pairs += copies == 0 && was_lost;
        was_lost = copies == 0;
    }
    sum.count = pipe.count;
    return sum;
}

static void assert_about(uint64_t got, uint64_t wanted, uint64_t off) {
    ck_assert_msg(got + off >= wanted && got <= wanted + off, "%llu, not %llu +- %llu",
                  (unsigned long long)got, (unsigned long long)wanted, (unsigned long long)off);
}

TEST(a_perfect_line_does_nothing) {
    netsim_def def = netsim_default_def();
    passed sum = pass(&def, 1);
    ck_assert_uint_eq(sum.arrived, PACKETS);
    ck_assert_uint_eq(sum.delay_max_us, 0);
    ck_assert_uint_eq(sum.count.sent, PACKETS);
    ck_assert_uint_eq(sum.count.bytes, (uint64_t)PACKETS * BYTES);
    ck_assert_uint_eq(sum.count.lost + sum.count.dropped + sum.count.doubled, 0);
}

// Bounds of four to five standard deviations throughout.
TEST_OVER(losses_come_one_by_one, 0, 4) {
    netsim_def def = netsim_default_def();
    def.loss_ppm = 50000;
    passed sum = pass(&def, (uint64_t)_i);
    assert_about(sum.count.lost, 5000, 300);
    ck_assert_uint_eq(sum.arrived, PACKETS - sum.count.lost);
    assert_about(sum.pairs, 250, 75); // a twentieth of a twentieth
}

TEST_OVER(losses_come_in_runs, 0, 4) {
    netsim_def def = netsim_default_def();
    def.loss_ppm = 100000;
    def.burst_packets = 5;
    passed sum = pass(&def, (uint64_t)_i);
    assert_about(sum.count.lost, 10000, 1200);
    assert_about(sum.runs * 5, sum.count.lost, 600);
}

TEST_OVER(all_is_lost, 0, 3) {
    netsim_def def = netsim_default_def();
    def.loss_ppm = NETSIM_PPM;
    def.burst_packets = (uint32_t)_i;
    if (_i <= 1) {
        ck_assert_uint_eq(pass(&def, 1).count.lost, PACKETS);
    } else {
        ck_assert_ptr_nonnull(netsim_problem(&def));
    }
}

TEST(jitter_is_even_or_a_bell) {
    netsim_def def = netsim_default_def();
    def.delay_us = 80000;
    def.jitter_us = 20000;
    passed even = pass(&def, 3);
    ck_assert_uint_ge(even.delay_min_us, 60000);
    ck_assert_uint_le(even.delay_min_us, 60010);
    ck_assert_uint_ge(even.delay_max_us, 99990);
    ck_assert_uint_le(even.delay_max_us, 100000);
    assert_about(even.delay_sum_us / PACKETS, 80000, 160);
    assert_about(even.near, PACKETS / 2, 700);
    def.jitter = NETSIM_JITTER_BELL;
    passed bell = pass(&def, 3);
    ck_assert_uint_ge(bell.delay_min_us, 60000);
    ck_assert_uint_le(bell.delay_max_us, 100000);
    ck_assert_uint_le(bell.delay_min_us, 64000);
    assert_about(bell.delay_sum_us / PACKETS, 80000, 80);
    // The sum of four even ones lies within the middle half 11 times of 12: 22/24.
    assert_about(bell.near, PACKETS * 22 / 24, 400);
}

TEST(copies_have_delays_of_their_own) {
    netsim_def def = netsim_default_def();
    def.delay_us = 50000;
    def.jitter_us = 1000;
    def.duplicate_ppm = 20000;
    passed sum = pass(&def, 4);
    assert_about(sum.count.doubled, 2000, 200);
    ck_assert_uint_eq(sum.arrived, PACKETS + sum.count.doubled);
    netsim_pipe pipe = netsim_pipe_begin(4, 0, true);
    uint32_t alike = 0;
    uint64_t arrivals_us[NETSIM_COPIES_MAX];
    for (uint64_t i = 0; i < PACKETS; i++) {
        alike += netsim_pass(&def, &pipe, BYTES, 0, arrivals_us) == 2 &&
                 arrivals_us[0] == arrivals_us[1];
    }
    ck_assert_uint_le(alike, 10); // one in 2,001
}

TEST(what_is_held_back_is_overtaken) {
    netsim_def def = netsim_default_def();
    def.delay_us = 10000;
    def.reorder_ppm = 20000;
    passed sum = pass(&def, 5);
    assert_about(sum.count.held_back, 2000, 200);
    ck_assert_uint_eq(sum.delay_min_us, 10000);
    ck_assert_uint_eq(sum.delay_max_us, 70000);
    ck_assert_uint_eq(sum.delay_sum_us, UINT64_C(10000) * PACKETS + 60000 * sum.count.held_back);
}

TEST(a_line_takes_what_it_can) {
    netsim_def def = netsim_default_def();
    def.bytes_per_s = 50000; // half of what is sent
    netsim_pipe pipe = netsim_pipe_begin(1, 0, false);
    uint64_t arrived = 0;
    uint64_t last_us = 0;
    uint64_t longest_us = 0;
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t arrivals_us[NETSIM_COPIES_MAX];
        if (netsim_pass(&def, &pipe, BYTES, i * 1000, arrivals_us) == 1) {
            arrived += arrivals_us[0] <= 10000000;
            ck_assert(arrived == 1 || arrivals_us[0] >= last_us + 2000);
            last_us = arrivals_us[0];
            longest_us =
                arrivals_us[0] - i * 1000 > longest_us ? arrivals_us[0] - i * 1000 : longest_us;
        }
    }
    assert_about(arrived * BYTES, 500000, 100); // 10 s of 50,000 bytes
    ck_assert_uint_eq(longest_us, 202000);      // the queue and itself
    assert_about(pipe.count.dropped, 4900, 2);  // 200 ms of it still wait
}

TEST(one_thing_does_not_move_another) {
    netsim_def plain = netsim_default_def();
    plain.loss_ppm = 250000;
    netsim_def other = plain;
    other.delay_us = 200000;
    other.jitter_us = 50000;
    other.duplicate_ppm = 100000;
    other.reorder_ppm = 100000;
    netsim_pipe lines[3] = {netsim_pipe_begin(9, 7, true), netsim_pipe_begin(9, 7, true),
                            netsim_pipe_begin(9, 7, false)};
    uint32_t both = 0;
    uint32_t ways = 0;
    for (uint64_t i = 0; i < PACKETS; i++) {
        uint64_t arrivals_us[NETSIM_COPIES_MAX];
        bool is_lost = netsim_pass(&plain, &lines[0], BYTES, i, arrivals_us) == 0;
        both += is_lost == (netsim_pass(&other, &lines[1], BYTES, i, arrivals_us) == 0);
        ways += is_lost && netsim_pass(&plain, &lines[2], BYTES, i, arrivals_us) == 0;
    }
    ck_assert_uint_eq(both, PACKETS);
    assert_about(ways, PACKETS / 16, 500); // the way back has a fate of its own
    ck_assert_uint_ne(netsim_pipe_begin(9, 7, true).key, netsim_pipe_begin(9, 8, true).key);
    ck_assert_uint_ne(netsim_pipe_begin(9, 7, true).key, netsim_pipe_begin(8, 7, true).key);
}

TEST(what_cannot_be_is_refused) {
    netsim_def def = netsim_default_def();
    def.delay_us = 20000;
    def.jitter_us = 20001;
    ck_assert_ptr_nonnull(netsim_problem(&def));
    def.jitter_us = 20000;
    ck_assert_ptr_null(netsim_problem(&def));
    ck_assert_uint_eq(longest_trip_us(&def), 40000);
    def.reorder_ppm = 1;
    def.bytes_per_s = 1;
    ck_assert_uint_eq(longest_trip_us(&def), 300000);
    def.loss_ppm = 666666;
    def.burst_packets = 2;
    ck_assert_ptr_null(netsim_problem(&def));
    def.loss_ppm = 666667; // two of three is all that runs of two can take
    ck_assert_ptr_nonnull(netsim_problem(&def));
    def = netsim_default_def();
    def.duplicate_ppm = NETSIM_PPM + 1;
    ck_assert_ptr_nonnull(netsim_problem(&def));
}

TEST(what_is_due_comes_in_order) {
    netsim_queue queue = {0};
    uint64_t random = 1;
    for (uint32_t i = 0; i < 1000; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        ck_assert(netsim_queue_push(&queue, (random >> 33) % 50, i));
    }
    netsim_due last = {0};
    netsim_due due;
    uint32_t taken = 0;
    for (uint64_t now_us = 0; now_us < 50; now_us++) {
        while (netsim_queue_pop(&queue, now_us, &due)) {
            ck_assert_uint_eq(due.due_us, now_us);
            ck_assert(due.due_us > last.due_us || taken == 0 || due.slot > last.slot);
            last = due;
            taken++;
        }
    }
    ck_assert_uint_eq(taken, 1000);
    netsim_queue_free(&queue);
}

// Where half is lost, runs begin after one in four of the packets that arrived: 0.5 / (4 * 0.5).
// Neighbours are alike in a half of the ways, which makes the deviation sqrt(3) times as large.
TEST_OVER(runs_lose_as_much_as_they_are_to, 0, 4) {
    netsim_def def = netsim_default_def();
    def.loss_ppm = 500000;
    def.burst_packets = 4;
    passed sum = pass(&def, (uint64_t)_i);
    assert_about(sum.count.lost, 50000, 1400);
    assert_about(sum.runs * 4, sum.count.lost, 1600);
}
