// The moment that is shown where the pace changes, pauses or is held, against closed forms. A clean
// link of 20 snapshots a second needs their interval and 4 ms: 3.24 ticks of 60.
#include "support/base/check_main.h"

#include "client-lite/view/presentation_clock.h"

enum { TICK_HZ = 60, LAST = 600 };

static const uint64_t BEGIN_US = 1000000;
static const double DELAY = 3.24;

static client_presentation_clock presentation;

// @return when the last one came.
static uint64_t settle(void) {
    presentation = (client_presentation_clock){0};
    for (uint32_t tick = 0; tick <= LAST; tick += 3) {
        uint64_t now_us = BEGIN_US + (uint64_t)tick * 1000000 / TICK_HZ;
        client_presentation_arrival(&presentation, tick, TICK_HZ, now_us);
    }
    return BEGIN_US + LAST * UINT64_C(1000000) / TICK_HZ;
}

static void assert_shown(uint64_t now_us, double tick) {
    ck_assert_double_eq_tol(client_presentation_tick(&presentation, now_us), tick, 1e-6);
}

TEST(a_clean_link_needs_an_interval_and_a_margin) {
    ck_assert_double_eq(client_presentation_tick(&presentation, BEGIN_US), 0.0);
    ck_assert_double_eq(client_presentation_delay_s(&presentation), 0.0);
    uint64_t now_us = settle();
    assert_shown(now_us, LAST - DELAY);
    assert_shown(now_us + 25000, LAST - DELAY + 1.5);
    ck_assert_double_eq_tol(client_presentation_delay_s(&presentation), DELAY / TICK_HZ, 1e-9);
    ck_assert_double_eq_tol(presentation.interval_ticks, 3.0, 1e-9);
}

// At half the pace the same link needs half as many ticks. What lies before the change goes on at
// the old pace until it meets the new line: in 54 ms.
TEST(a_slower_pace_is_met_from_below) {
    uint64_t now_us = settle();
    client_presentation_pace(&presentation, LAST, 0.5 * TICK_HZ, now_us);
    ck_assert_double_eq_tol(presentation.interval_ticks, 1.5, 1e-9);
    assert_shown(now_us + 27000, LAST - DELAY + 1.62);
    assert_shown(now_us + 53000, LAST - DELAY + 3.18);
    assert_shown(now_us + 100000, LAST - 0.5 * DELAY + 3.0);
    assert_shown(now_us + 200000, LAST - 0.5 * DELAY + 6.0);
}

TEST(a_faster_pace_is_met_from_above) {
    uint64_t now_us = settle();
    client_presentation_pace(&presentation, LAST, 2.0 * TICK_HZ, now_us);
    ck_assert_double_eq_tol(presentation.interval_ticks, 6.0, 1e-9);
    assert_shown(now_us + 27000, LAST - DELAY + 1.62);
    assert_shown(now_us + 53000, LAST - DELAY + 3.18);
    assert_shown(now_us + 100000, LAST - 2.0 * DELAY + 12.0);
}

// A pause runs out to its very tick, and what was under way moves it no farther than it was told.
TEST(a_pause_ends_at_its_tick_and_goes_on_from_there) {
    uint64_t now_us = settle();
    client_presentation_pace(&presentation, LAST, 0.0, now_us);
    assert_shown(now_us + 27000, LAST - DELAY + 1.62);
    assert_shown(now_us + 60000, LAST);
    client_presentation_arrival(&presentation, LAST - 3, TICK_HZ, now_us + 70000);
    assert_shown(now_us + 5000000, LAST);
    client_presentation_pace(&presentation, LAST, TICK_HZ, now_us + 5000000);
    assert_shown(now_us + 5040000, LAST); // it waits until it is as far behind as it was
    assert_shown(now_us + 5154000, LAST - DELAY + 9.24);
}

TEST(what_is_held_stays) {
    uint64_t now_us = settle();
    client_presentation_hold(&presentation, now_us + 25000);
    assert_shown(now_us + 25000, LAST - DELAY + 1.5);
    assert_shown(now_us + 9000000, LAST - DELAY + 1.5);
    client_presentation_forget(&presentation);
    ck_assert_double_eq(client_presentation_tick(&presentation, now_us + 9000000), 0.0);
}

// A second off is caught up with by a tenth; more is a jump.
TEST(a_moment_slews_for_a_second_and_jumps_beyond) {
    client_moment moment = {0};
    ck_assert_double_eq(client_moment_follow(&moment, 100.0, TICK_HZ, BEGIN_US), 100.0);
    double slewed = client_moment_follow(&moment, 106.0 + 59.0, TICK_HZ, BEGIN_US + 100000);
    ck_assert_double_eq_tol(slewed, 106.6, 1e-9);
    slewed = client_moment_follow(&moment, 112.6 - 59.0, TICK_HZ, BEGIN_US + 200000);
    ck_assert_double_eq_tol(slewed, 106.6 + 5.4, 1e-9);
    // Of a time that has been: where it was then.
    ck_assert_double_eq_tol(client_moment_follow(&moment, 0.0, TICK_HZ, BEGIN_US + 150000),
                            112.0 - 3.0, 1e-9);
    ck_assert_double_eq(client_moment_follow(&moment, 118.0 + 61.0, TICK_HZ, BEGIN_US + 300000),
                        179.0);
    ck_assert_double_eq(client_moment_follow(&moment, 185.0 - 61.0, TICK_HZ, BEGIN_US + 400000),
                        124.0);
}
