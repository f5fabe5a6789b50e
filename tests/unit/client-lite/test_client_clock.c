// The estimate of the server's tick: convergence under jitter, stalls of the server, odd replies.
#include "support/base/check_main.h"

#include <math.h>
#include <string.h>

#include "client-lite/input/clock.h"

enum { TICK_HZ = 60, UPDATE_US = 8000 };

static const double TICKS_PER_US = TICK_HZ / 1e6;

// A server whose tick is a straight line, and a network between it and the client.
typedef struct scene {
    client_clock clock;
    uint64_t now_us;
    double tick_at_zero;
    uint64_t delay_us; // one way, without jitter
    uint64_t jitter_us;
    uint64_t crowding_us; // added to the way back of two replies in three
    uint32_t exchanges;
    uint64_t next_ask_us;
    uint64_t seed;
} scene;

static scene begin(uint64_t delay_us, uint64_t jitter_us) {
    scene self = {.now_us = 5000000,
                  .tick_at_zero = 1000.25,
                  .delay_us = delay_us,
                  .jitter_us = jitter_us,
                  .seed = 7};
    client_clock_begin(&self.clock, TICK_HZ, 1000);
    return self;
}

static double server_tick(const scene *self, uint64_t at_us) {
    return self->tick_at_zero + (double)at_us * TICKS_PER_US;
}

static uint64_t random_below(scene *self, uint64_t limit) {
    self->seed = self->seed * 6364136223846793005u + 1442695040888963407u;
    return limit == 0 ? 0 : (self->seed >> 33) % limit;
}

static double error_ticks(const scene *self) {
    return client_clock_tick(&self->clock, self->now_us) - server_tick(self, self->now_us);
}

// A request that left a round trip ago is answered now.
static void exchange(scene *self) {
    uint64_t up_us = self->delay_us + random_below(self, self->jitter_us);
    uint64_t down_us = self->delay_us + random_below(self, self->jitter_us);
    down_us += self->exchanges++ % 3 == 0 ? 0 : self->crowding_us;
    uint64_t asked_us = self->now_us - up_us - down_us;
    double tick = server_tick(self, asked_us + up_us);
    ck_assert(client_clock_reply(&self->clock, asked_us, tick, self->now_us));
}

static double worst_error(scene *self, uint64_t duration_us) {
    double worst = 0.0;
    uint64_t end_us = self->now_us + duration_us;
    while (self->now_us < end_us) {
        self->now_us += UPDATE_US;
        client_clock_update(&self->clock, self->now_us);
        if (self->now_us >= self->next_ask_us) {
            exchange(self);
            self->next_ask_us = self->now_us + 1000000;
        }
        double error = fabs(error_ticks(self));
        worst = error > worst ? error : worst;
    }
    return worst;
}

TEST(unknown_until_told) {
    client_clock clock;
    client_clock_begin(&clock, TICK_HZ, 1000);
    client_clock_update(&clock, 1000);
    ck_assert(client_clock_tick(&clock, 1000000) == 0.0);
    client_clock_guess(&clock, 600, 2000000);
    ck_assert(client_clock_tick(&clock, 2000000) == 600.0);
    ck_assert_double_eq_tol(client_clock_tick(&clock, 3000000), 660.0, 1e-9);
}

TEST(one_exchange_without_jitter_is_exact) {
    scene self = begin(40000, 0);
    // The welcome took 40 ms, 2.4 ticks: too little to be far off, and yet the first reply jumps.
    client_clock_guess(&self.clock, (uint32_t)server_tick(&self, self.now_us - 40000), self.now_us);
    exchange(&self);
    ck_assert_double_eq_tol(error_ticks(&self), 0.0, 1e-6);
    ck_assert_uint_eq(self.clock.rtt_us, 80000);
    ck_assert_double_eq_tol(client_clock_half_trip(&self.clock), 2.4, 1e-9);
}

TEST(converges_with_jitter_as_large_as_the_delay) {
    scene self = begin(30000, 30000);
    // The welcome was 30 ms under way.
    client_clock_guess(&self.clock, (uint32_t)server_tick(&self, self.now_us - 30000), self.now_us);
    worst_error(&self, 12000000);
    // 30 ms of jitter is 1.8 ticks, of which half can be asymmetry.
    ck_assert_double_lt(worst_error(&self, 60000000), 0.9);
}

TEST(a_crowded_way_back_does_not_bend_the_clock) {
    scene self = begin(20000, 2000);
    self.crowding_us = 120000; // 7.2 ticks, half of which a naive clock would be wrong by
    exchange(&self);
    worst_error(&self, 5000000);
    ck_assert_double_lt(worst_error(&self, 60000000), 0.2);
}

TEST(never_runs_backwards_nor_leaps_while_it_converges) {
    scene self = begin(50000, 60000);
    client_clock_guess(&self.clock, (uint32_t)server_tick(&self, self.now_us - 100000),
                       self.now_us);
    exchange(&self); // ends the guess, by as much as it was wrong
    double last = client_clock_tick(&self.clock, self.now_us);
    double step = UPDATE_US * TICKS_PER_US;
    for (int i = 0; i < 2000; i++) {
        worst_error(&self, UPDATE_US);
        double tick = client_clock_tick(&self.clock, self.now_us);
        ck_assert_double_ge(tick - last, 0.96 * step);
        ck_assert_double_le(tick - last, 1.04 * step);
        last = tick;
    }
}

TEST(follows_a_server_that_dropped_time) {
    scene self = begin(20000, 2000);
    exchange(&self);
    worst_error(&self, 10000000);
    self.tick_at_zero -= 30.0; // half a second is gone for good
    self.delay_us = 60000;     // and the old samples look better than anything that comes now
    worst_error(&self, 1100000);
    // Jumped at the next reply, although the older samples had shorter trips.
    ck_assert_double_lt(worst_error(&self, 5000000), 0.3);
}

TEST(a_snapshot_from_the_future_pulls_the_clock_forward) {
    scene self = begin(20000, 0);
    exchange(&self);
    uint32_t ahead = (uint32_t)server_tick(&self, self.now_us) + 40;
    client_clock_snapshot(&self.clock, ahead, self.now_us);
    // At least there, and half the shortest trip (20 ms, 1.2 ticks) on by now.
    ck_assert_double_eq_tol(client_clock_tick(&self.clock, self.now_us), ahead + 1.2, 1e-6);
}

TEST(a_snapshot_from_the_past_changes_nothing) {
    scene self = begin(20000, 0);
    exchange(&self);
    double before = client_clock_tick(&self.clock, self.now_us);
    client_clock_snapshot(&self.clock, (uint32_t)before - 20, self.now_us);
    ck_assert(client_clock_tick(&self.clock, self.now_us) == before);
    worst_error(&self, 1000000);
    ck_assert_double_lt(fabs(error_ticks(&self)), 0.01);
}

TEST(replies_to_nothing_are_refused) {
    scene self = begin(20000, 0);
    exchange(&self);
    client_clock before = self.clock;
    ck_assert(!client_clock_reply(&self.clock, self.now_us + 1, 5.0, self.now_us));
    ck_assert(!client_clock_reply(&self.clock, UINT64_MAX, 5.0, self.now_us));
    self.now_us += 20000000;
    ck_assert(!client_clock_reply(&self.clock, self.now_us - 5000001, 5.0, self.now_us));
    ck_assert_mem_eq(&self.clock, &before, sizeof before);
}

TEST(a_race_at_double_speed_runs_double) {
    client_clock clock;
    client_clock_begin(&clock, TICK_HZ, 2000);
    client_clock_guess(&clock, 100, 1000000);
    ck_assert_double_eq_tol(client_clock_tick(&clock, 2000000), 220.0, 1e-9);
}

TEST(an_unpaced_server_is_followed_at_the_rate_it_shows) {
    client_clock clock;
    client_clock_begin(&clock, TICK_HZ, 0);
    uint64_t now_us = 1000000;
    uint32_t tick = 100;
    // 3,000 ticks a second, told 20 times a second.
    for (int i = 0; i < 60; i++) {
        client_clock_snapshot(&clock, tick, now_us);
        client_clock_update(&clock, now_us);
        now_us += 50000;
        tick += 150;
    }
    ck_assert_double_eq_tol(client_clock_tick(&clock, now_us), tick, 1.0);
}

TEST(the_line_is_moved_by_nothing) {
    scene self = begin(50000, 60000);
    double begun = client_clock_own_tick(&self.clock, self.now_us);
    uint64_t begun_us = self.now_us;
    worst_error(&self, 20000000);
    self.tick_at_zero -= 200.0;
    worst_error(&self, 20000000);
    double passed = client_clock_own_tick(&self.clock, self.now_us) - begun;
    ck_assert_double_eq_tol(passed, (double)(self.now_us - begun_us) * TICKS_PER_US, 1e-6);
}

// An answer grows worse by a two-hundredth of its age: one of 20 ms is worth one of 30 ms after two
// seconds. The two differ by 0.3 ticks.
TEST_OVER(a_lucky_answer_does_not_rule_forever, 0, 2) {
    client_clock clock;
    client_clock_begin(&clock, TICK_HZ, 1000);
    ck_assert(client_clock_reply(&clock, 1000000, 1000.0, 1020000)); // 1000.6 by now
    uint64_t now_us = _i == 0 ? 2920000 : 3120000;                   // 1.9 s, and 2.1 s later
    double said = 1000.6 + (double)(now_us - 1020000) * TICKS_PER_US;
    ck_assert(client_clock_reply(&clock, now_us - 30000, said + 0.3 - 0.9, now_us));
    client_clock_update(&clock, now_us + 1000000);
    ck_assert_double_eq_tol(client_clock_tick(&clock, now_us + 1000000),
                            said + 60.0 + (_i == 0 ? 0.0 : 0.3), 1e-6);
}

// A ninth answer takes the place of the first, which had the shortest trip of all.
TEST(trips_are_of_the_last_eight_answers) {
    client_clock clock;
    client_clock_begin(&clock, TICK_HZ, 1000);
    for (uint32_t i = 0; i < 9; i++) {
        uint64_t trip_us = i == 0 ? 8000 : 16000, now_us = 1000000 + 1000 * i;
        double tick = 60.0 * 1e-6 * (double)(now_us - trip_us / 2);
        ck_assert(client_clock_reply(&clock, now_us - trip_us, tick, now_us));
        ck_assert_uint_eq(clock.rtt_us_min, i < 8 ? 8000 : 16000);
        ck_assert(i != 1 || clock.rtt_us == 9000); // an eighth of the way
    }
}

// The whole tick that a reply adds to the last tick there is has no number.
TEST(a_clock_without_a_pace_ends_with_its_type) {
    client_clock clock;
    client_clock_begin(&clock, TICK_HZ, 0);
    ck_assert(client_clock_reply(&clock, 1000000, (double)UINT32_MAX + 1.0, 1010000));
    ck_assert_uint_eq(clock.heard_tick, UINT32_MAX);
}
