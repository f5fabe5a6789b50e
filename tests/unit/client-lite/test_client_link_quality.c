// Tests of loss and jitter as a client counts them, over links of known quality.
#include "support/base/check_main.h"

#include "client-lite/session/state/link_quality.h"

enum { TICK_HZ = 60 };

static client_link_quality quality_at(uint32_t snapshot_hz) {
    client_link_quality quality;
    client_link_quality_begin(&quality, TICK_HZ, snapshot_hz);
    return quality;
}

static void arrive(client_link_quality *quality, uint32_t tick, double late_s) {
    double at_s = (double)tick / TICK_HZ + 1.0 + late_s;
    client_link_quality_note(quality, tick, TICK_HZ, (uint64_t)(at_s * 1e6));
}

TEST(losses_are_counted_once_and_late_ones_are_none) {
    client_link_quality quality = quality_at(20);
    ck_assert_double_eq(client_link_quality_loss(&quality), 0.0);
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t tick = 601 + 3 * i; // not a multiple of the period: its turn is another
        if (i % 10 == 3) {
            continue; // lost
        }
        if (i % 10 == 5) {
            continue; // comes after the next
        }
        arrive(&quality, tick, 0.0);
        if (i % 10 == 6) {
            arrive(&quality, tick - 3, 0.05);
            arrive(&quality, tick - 3, 0.05); // and once more
            arrive(&quality, tick, 0.0);      // another part of it
        }
    }
    ck_assert_double_eq_tol(client_link_quality_loss(&quality), 0.1, 0.001);
    arrive(&quality, 3, 0.0); // from before the first
    ck_assert_double_eq_tol(client_link_quality_loss(&quality), 0.1, 0.001);
}

TEST(a_long_gap_is_many_losses) {
    client_link_quality quality = quality_at(20);
    arrive(&quality, 300, 0.0);
    arrive(&quality, 300 + 3 * 199, 0.0);
    ck_assert_double_eq_tol(client_link_quality_loss(&quality), 198.0 / 200.0, 1e-9);
    arrive(&quality, 300 + 3 * 199, 0.0);
    ck_assert_uint_eq(quality.arrived, 2);
}

TEST(jitter_is_that_of_the_arrivals) {
    client_link_quality even = quality_at(20), uneven = quality_at(20);
    for (uint32_t i = 0; i < 400; i++) {
        arrive(&even, 600 + 3 * i, 0.03);
        arrive(&uneven, 600 + 3 * i, i % 2 == 0 ? 0.0 : 0.02);
    }
    ck_assert_double_lt(even.jitter_s, 1e-5);
    ck_assert_double_eq_tol(uneven.jitter_s, 0.02, 1e-4);
}

TEST(rates_are_rounded_as_the_server_rounds_them) {
    ck_assert_uint_eq(quality_at(20).period_ticks, 3);
    ck_assert_uint_eq(quality_at(25).period_ticks, 2);
    ck_assert_uint_eq(quality_at(240).period_ticks, 1);
    client_link_quality none = quality_at(0);
    arrive(&none, 600, 0.0);
    arrive(&none, 900, 0.0);
    ck_assert_double_eq(client_link_quality_loss(&none), 0.0);
}

// What was sent before the first that came was not expected; nor is anybody told of one that is 64
// slots old.
TEST(late_ones_count_where_they_were_expected) {
    client_link_quality quality = quality_at(20);
    arrive(&quality, 300, 0.0);
    arrive(&quality, 297, 0.0);
    ck_assert_uint_eq(quality.arrived, 1);
    arrive(&quality, 306, 0.0);
    arrive(&quality, 297, 0.0);
    ck_assert_uint_eq(quality.arrived, 2);
    arrive(&quality, 303, 0.0);
    ck_assert_uint_eq(quality.arrived, 3);
    ck_assert_double_eq(client_link_quality_loss(&quality), 0.0);
    arrive(&quality, 306 + 3 * 65, 0.0);
    ck_assert_uint_eq(quality.expected, 68);
    arrive(&quality, 309, 0.0); // 64 slots before
    ck_assert_uint_eq(quality.arrived, 4);
    arrive(&quality, 312, 0.0);
    ck_assert_uint_eq(quality.arrived, 5);
}

// The last tick after the first, at the slowest pace that a server may name.
TEST(jitter_beyond_its_type_ends_there) {
    client_link_quality quality = quality_at(20);
    client_link_quality_note(&quality, 0, 0.02, 1000000);
    client_link_quality_note(&quality, UINT32_MAX, 0.02, 2000000);
    ck_assert_double_gt(quality.jitter_s, 1e9);
    ck_assert_uint_eq(client_link_quality_jitter_us(&quality), UINT32_MAX);
}

// So many snapshots in a row, of which each n-th is lost; 0: none.
static void arrive_but(client_link_quality *quality, uint32_t *tick, uint32_t count, uint32_t nth) {
    for (uint32_t i = 0; i < count; i++, *tick += 3) {
        if (nth == 0 || i % nth != nth - 1) {
            arrive(quality, *tick, 0.0);
        }
    }
}

TEST(a_line_is_good_once_sixty_four_came_and_until_it_is_clearly_worse) {
    client_link_quality quality = quality_at(20);
    uint32_t tick = 600;
    arrive_but(&quality, &tick, 63, 0);
    ck_assert(!client_link_quality_is_good(&quality));
    arrive_but(&quality, &tick, 1, 0);
    ck_assert(client_link_quality_is_good(&quality));
    arrive_but(&quality, &tick, 61, 15); // four lost
    ck_assert(client_link_quality_is_good(&quality));
    arrive_but(&quality, &tick, 2, 2); // a fifth, of 64
    arrive_but(&quality, &tick, 1, 0);
    ck_assert(!client_link_quality_is_good(&quality));
    arrive_but(&quality, &tick, 45, 0); // two are left, and it was not good
    ck_assert(!client_link_quality_is_good(&quality));
    arrive_but(&quality, &tick, 18, 0);
    ck_assert(client_link_quality_is_good(&quality));
}

TEST(a_line_that_is_uneven_is_not_good) {
    static const struct {
        double late_s;
        bool is_good, stays_good;
    } lines[] = {{0.007, true, true}, {0.010, false, true}, {0.014, false, false}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        client_link_quality fresh = quality_at(20), good = quality_at(20);
        uint32_t tick = 600;
        arrive_but(&good, &tick, 64, 0);
        ck_assert(client_link_quality_is_good(&good));
        for (uint32_t n = 0; n < 400; n++, tick += 3) { // the jitter is as late as that
            arrive(&fresh, tick, n % 2 == 0 ? 0.0 : lines[i].late_s);
            arrive(&good, tick, n % 2 == 0 ? 0.0 : lines[i].late_s);
        }
        ck_assert_uint_eq(client_link_quality_is_good(&fresh), lines[i].is_good);
        ck_assert_uint_eq(client_link_quality_is_good(&good), lines[i].stays_good);
    }
}
