// The offset between a client's time and the stamps of its controls: when it moves, how fast, when
// it jumps, and where it ends whatever a server says.
#include "support/base/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/input/controls.h"

enum { TICK_HZ = 60, LEAD_TICKS = 3, TRIP_TICKS = 6, STEPS_PER_TICK = 4 };

// The server's tick is the own tick and 1000 more; a report comes every third tick.
typedef struct scene {
    client_trim trim;
    double own_tick;
    double need;
    bool is_starved, is_silent;
    uint32_t jumps; // that it said
} scene;

static client_trim_now now_of(const scene *self) {
    return (client_trim_now){.own_tick = self->own_tick,
                             .arrival = self->own_tick + 1000.0 + 0.5 * TRIP_TICKS,
                             .trip = TRIP_TICKS};
}

static scene begin(void) {
    scene self = {.own_tick = 5e8, .need = 1004.0}; // a machine that has been up for a hundred days
    client_trim_begin(&self.trim, TICK_HZ, LEAD_TICKS);
    client_trim_now now = now_of(&self);
    ck_assert(client_trim_advance(&self.trim, &now));
    return self;
}

static void step(scene *self) {
    self->own_tick += 1.0 / STEPS_PER_TICK;
    client_trim_now now = now_of(self);
    double before = self->trim.offset;
    bool hurries = self->trim.hurries;
    bool jumped = client_trim_advance(&self->trim, &now);
    self->jumps += jumped;
    double moved = self->trim.offset - before;
    if (!jumped) {
        ck_assert_double_le(moved, (hurries ? 0.0500001 : 0.0200001) / STEPS_PER_TICK);
        ck_assert_double_ge(moved, (hurries ? -0.0300001 : -0.0100001) / STEPS_PER_TICK);
    }
}

static void run(scene *self, uint32_t reports) {
    for (uint32_t i = 0; i < reports; i++) {
        for (int at = 0; at < 3 * STEPS_PER_TICK; at++) {
            step(self);
        }
        uint32_t tick = (uint32_t)(self->own_tick + 1000.0 - 0.5 * TRIP_TICKS);
        if (!self->is_silent) {
            client_trim_heard(&self->trim, tick, self->own_tick);
            client_trim_need(&self->trim, self->need, self->is_starved);
        }
    }
}

TEST(begins_by_the_clock_and_goes_by_reports) {
    scene self = begin();
    ck_assert_double_eq_tol(client_trim_stamp(&self.trim, self.own_tick) - self.own_tick,
                            1000.0 + 0.5 * TRIP_TICKS + LEAD_TICKS, 1e-6);
    run(&self, 300);
    // Half a tick below what was needed is in hand on average; a quarter more is left alone.
    ck_assert_double_ge(self.trim.offset, 1003.499);
    ck_assert_double_le(self.trim.offset, 1003.751);
}

TEST(one_late_report_in_a_hundred_is_no_reason) {
    scene self = begin();
    run(&self, 300);
    double before = self.trim.offset;
    uint32_t jumps = self.jumps;
    for (int round = 0; round < 5; round++) {
        self.need = 1009.0;
        run(&self, 1);
        self.need = 1004.0;
        run(&self, 99);
    }
    ck_assert_double_eq_tol(self.trim.offset, before, 1e-6);
    self.need = 1006.0;
    run(&self, 3); // three of the last 128 are: all but two must be in time
    self.need = 1004.0;
    run(&self, 50);
    ck_assert_double_eq_tol(self.trim.offset, 1005.5, 0.01);
    run(&self, 128); // forgotten, and then some
    run(&self, 100);
    ck_assert_double_le(self.trim.offset, 1003.751);
    ck_assert_uint_eq(self.jumps, jumps);
}

TEST(a_step_of_all_reports_is_jumped) {
    scene self = begin();
    self.need = 1002.0;
    run(&self, 300);
    uint32_t jumps = self.jumps;
    self.need = 1008.0;
    run(&self, 9);
    ck_assert_uint_eq(self.jumps, jumps + 1);
    ck_assert_double_ge(self.trim.offset, 1008.0);
    ck_assert_double_le(self.trim.offset, 1009.0);
    run(&self, 100);
    self.need = 1002.0;
    run(&self, 9);
    ck_assert_uint_eq(self.jumps, jumps + 2);
    ck_assert_double_le(self.trim.offset, 1003.0);
    run(&self, 100);
    self.need = 1003.3; // too little for a jump
    run(&self, 60);
    ck_assert_uint_eq(self.jumps, jumps + 2);
    ck_assert_double_ge(self.trim.offset, 1002.8);
}

TEST(who_starves_jumps_without_waiting) {
    scene self = begin();
    run(&self, 300);
    uint32_t jumps = self.jumps;
    self.need = 1007.0;
    run(&self, 1);
    ck_assert_uint_eq(self.jumps, jumps);
    self.is_starved = true;
    run(&self, 1);
    step(&self);
    ck_assert_uint_eq(self.jumps, jumps + 1);
    ck_assert_double_ge(self.trim.offset, 1007.0);
    run(&self, 3); // reports of what was sent before: no second jump
    ck_assert_uint_eq(self.jumps, jumps + 1);
}

TEST(a_jump_that_went_too_far_is_put_right_by_eight_reports) {
    scene self = begin();
    run(&self, 300);
    // A server that lost two seconds, and a client that used to send far ahead.
    self.trim.span = 30.0;
    self.trim.need_count = 0;
    self.trim.offset += 120.0;
    step(&self);
    ck_assert_double_eq_tol(self.trim.offset, 1000.0 - 0.5 * TRIP_TICKS + 30.0, 1.0);
    run(&self, 8);
    ck_assert_double_ge(self.trim.offset, 1025.0);
    run(&self, 1);
    ck_assert_double_eq_tol(self.trim.offset, 1004.5, 0.01);
}

static int by_size(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left < right) - (left > right); // the greatest first
}

// Most reports leave the ranks alone; they must be as if all had been ranked anew.
TEST(ranks_are_those_of_all_needs_remembered) {
    scene self = begin();
    uint32_t state = 1, full = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        state = state * 1664525u + 1013904223u;
        self.need = 1004.0 + 0.25 * (state >> 28) + (state >> 20 & 15) / (i / 500 % 2 ? 64.0 : 1e9);
        run(&self, 1);
        step(&self);
        if (self.trim.need_count < CLIENT_TRIM_NEEDS) {
            continue;
        }
        full++;
        double needs[CLIENT_TRIM_NEEDS];
        memcpy(needs, self.trim.needs, sizeof needs);
        qsort(needs, CLIENT_TRIM_NEEDS, sizeof needs[0], by_size);
        ck_assert(self.trim.reckoned);
        ck_assert_double_eq(self.trim.greatest, needs[0]);
        ck_assert_double_eq(self.trim.usual, needs[2]); // two of 128 may be late
    }
    ck_assert_uint_ge(full, 1800);
}

TEST(silence_changes_nothing) {
    scene self = begin();
    run(&self, 300);
    double before = self.trim.offset;
    uint32_t jumps = self.jumps;
    self.is_silent = true;
    run(&self, 400); // twenty seconds; the clock still agrees by a quarter of a second
    ck_assert_double_eq_tol(self.trim.offset, before, 1e-6);
    ck_assert_uint_eq(self.jumps, jumps);
}

TEST(without_reports_the_clock_leads) {
    scene self = begin();
    self.is_silent = true;
    run(&self, 100);
    ck_assert_double_eq_tol(self.trim.offset, 1000.0 + 0.5 * TRIP_TICKS + LEAD_TICKS, 1e-6);
    self.trim.offset -= 30.0; // the clock was that wrong until now
    run(&self, 1);
    ck_assert_double_eq_tol(self.trim.offset, 1000.0 + 0.5 * TRIP_TICKS + LEAD_TICKS, 1e-6);
}

// A server may claim that everything comes too late, or too early, or anything at all.
TEST(stamps_have_an_end_whatever_a_server_says) {
    scene self = begin();
    uint64_t random = 3;
    for (int round = 0; round < 4000; round++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double noise = (double)(random >> 33) / 2147483648.0;
        int kind = round / 800;
        self.need = kind == 0   ? self.trim.offset + 1.0
                    : kind == 1 ? self.trim.offset + 1e9
                    : kind == 2 ? self.trim.offset - 60.0
                    : kind == 3 ? self.trim.offset + 4e9 * (noise - 0.5)
                                : 1000.0 + 200.0 * noise;
        self.is_starved = round % 3 == 0;
        run(&self, 1);
        step(&self);
        double server = self.own_tick + 1000.0;
        double ahead = client_trim_stamp(&self.trim, self.own_tick) - server;
        ck_assert_msg(ahead > -2.0 * TRIP_TICKS && ahead < 64.0 + 2.0 * TRIP_TICKS,
                      "%.1f ticks ahead in round %d", ahead, round);
    }
}

static client_controls controls;

static void sample_until(uint32_t last_tick) {
    client_controls_begin(&controls, TICK_HZ, TICK_HZ, LEAD_TICKS, 0);
    apex_controls_message message;
    for (uint32_t tick = 1000; tick <= last_tick; tick++) {
        controls.trim.offset = 500.0 + tick / 1000.0; // each sample under another one
        client_controls_sample_to(&controls, tick, 1000000 + tick * 16000, &message);
    }
}

static void hear(uint32_t tick, uint32_t used_tick, int32_t depth, uint64_t now_us) {
    client_controls_report report = {.tick = tick, .used_tick = used_tick, .depth = depth};
    client_controls_hear(&controls, &report, 0.0, now_us);
}

TEST(a_report_is_of_the_offset_in_use_when_it_was_sampled) {
    sample_until(1300);
    hear(1200, 1200, 3, 9000000);
    ck_assert_uint_eq(controls.trim.need_count, 1);
    ck_assert_double_eq_tol(controls.trim.needs[0], 500.0 + 1.203 - 3.0, 1e-9);
    ck_assert(!controls.trim.starved);
    hear(1203, 1188, -2, 9000000);
    ck_assert_double_eq_tol(controls.trim.needs[1], 500.0 + 1.201 + 2.0, 1e-9);
    ck_assert(controls.trim.starved); // for more than twelve ticks
    hear(1203, 1203, 5, 9000000);
    hear(1100, 1100, 5, 9000000); // overtaken on its way
    ck_assert_uint_eq(controls.trim.need_count, 2);
}

TEST(a_report_on_what_was_never_sampled_is_passed_over) {
    sample_until(1300);
    static const struct {
        uint32_t tick;
        int32_t depth;
    } odd[] = {{1290, 11}, {1291, INT32_MAX}, {1292, INT32_MIN}, {1293, -294},      {1294, -1294},
               {1295, 6},  {2000, 0},         {3000000000u, 5},  {UINT32_MAX, 1301}};
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        hear(odd[i].tick, 1, odd[i].depth, 9000000);
        ck_assert_uint_eq(controls.trim.need_count, 0);
    }
    sample_until(1300);
    hear(1250, 0, 0, 9000000); // before the first sample came, both are 0
    ck_assert_uint_eq(controls.trim.need_count, 0);
    hear(1253, 0, -1, 9000000);
    ck_assert_uint_eq(controls.trim.need_count, 1);
}

// Ticks go on as a server's do, all else is anything: what is sent is still of about now.
TEST(any_report_leaves_samples_near_the_server) {
    client_controls_begin(&controls, TICK_HZ, TICK_HZ, LEAD_TICKS, 0);
    apex_controls_message message;
    uint64_t random = 17;
    for (uint32_t i = 0; i < 12000; i++) {
        client_trim_now now = {.own_tick = i, .arrival = 1000.0 + i, .trip = TRIP_TICKS};
        bool sent = client_controls_advance(&controls, &now, i * 16000u, &message);
        if (sent && i > 0) {
            double newest = (double)message.first_tick + message.sample_count - 1.0;
            ck_assert_double_ge(newest, 1000.0 + i - 3.0 * TRIP_TICKS);
            ck_assert_double_le(newest, 1000.0 + i + 64.0 + 3.0 * TRIP_TICKS);
            ck_assert_uint_le(message.sample_count, APEX_CONTROLS_SAMPLES_MAX);
        }
        if (i % 3 != 0) {
            continue;
        }
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint32_t bits = (uint32_t)(random >> 32);
        int32_t depth = bits % 3 == 0 ? (int32_t)(random >> 16) : (int32_t)(bits >> 8) % 140 - 70;
        uint32_t used = bits % 5 == 0 ? (uint32_t)(random >> 8) : 997 + i - (bits >> 9) % 100;
        client_controls_report report = {.tick = 997 + i, .used_tick = used, .depth = depth};
        client_controls_hear(&controls, &report, now.own_tick, i * 16000u);
    }
    ck_assert_uint_gt(controls.trim.jumps, 100); // they were believed where they could be
}

TEST(effects_are_timed_once_each) {
    sample_until(1300);
    hear(1200, 1200, 0, 1000000 + 1200 * 16000 + 50000);
    // The last 256 are kept, from 1045 on: 156 of them, the newest 50 ms ago.
    ck_assert_uint_eq(controls.effect_us.count, 156);
    ck_assert_uint_eq(controls.effect_us.max, 50000 + 155 * 16000);
    hear(1203, 1203, 0, 1000000 + 1203 * 16000 + 50000);
    hear(1206, 1203, -3, 1000000 + 1206 * 16000 + 50000);
    ck_assert_uint_eq(controls.effect_us.count, 159);
    hear(1209, 1301, 0, 1000000 + 1209 * 16000); // was never sampled
    hear(1212, 7, 0, 1000000 + 1212 * 16000);
    ck_assert_uint_eq(controls.effect_us.count, 159);
    hear(1215, 1206, 0, 0); // a clock that ran backwards
    ck_assert_uint_eq(controls.effect_us.count, 159);
}

TEST(what_was_read_after_a_nap_is_not_measured) {
    sample_until(1300);
    client_controls_report report = {.tick = 1200, .used_tick = 1200, .depth = 3};
    client_controls_hear(&controls, &report, 16.0, 30000000);
    ck_assert_uint_eq(controls.trim.need_count, 0);
    ck_assert_uint_eq(controls.trim.heard_tick, 1200);
    ck_assert_uint_gt(controls.effect_us.count, 0);
    report.tick = 1203;
    client_controls_hear(&controls, &report, 14.0, 30000000);
    ck_assert_uint_eq(controls.trim.need_count, 1);
}

TEST(a_stamp_that_jumps_back_is_sampled_again) {
    client_controls_begin(&controls, TICK_HZ, TICK_HZ, LEAD_TICKS, 0);
    apex_controls_message message;
    client_trim_now now = {.own_tick = 5000.0, .arrival = 900.0, .trip = TRIP_TICKS};
    for (; now.own_tick < 5100.0; now.own_tick += 1.0, now.arrival += 1.0) {
        client_controls_advance(&controls, &now, 1000000, &message);
    }
    uint32_t before = controls.next_tick;
    ck_assert_uint_eq(before, 900 + 99 + LEAD_TICKS + 1);
    controls.now.throttle = 99;
    now.arrival -= 30.0; // the clock has learnt that the server lost half a second
    bool sent = false;
    for (int i = 0; i < 2; i++, now.own_tick += 1.0, now.arrival += 1.0) {
        sent = client_controls_advance(&controls, &now, 2000000, &message) || sent;
    }
    ck_assert(sent);
    ck_assert_uint_eq(message.first_tick, 970 + LEAD_TICKS);
    ck_assert_uint_eq(message.sample_count, 2); // earlier samples are not repeated
    ck_assert_uint_eq(message.samples[0].throttle, 99);
}

TEST(what_is_sampled_again_is_not_measured) {
    sample_until(1300);
    apex_controls_message message;
    client_controls_sample_to(&controls, 1200.0, 9000000, &message); // falls back by a hundred
    for (uint32_t tick = 1201; tick < 1290; tick++) {
        client_controls_sample_to(&controls, tick, 9000000, &message);
    }
    hear(1250, 1250, 13, 9000000); // of 1263: which of the two?
    ck_assert_uint_eq(controls.trim.need_count, 0);
    ck_assert_uint_eq(controls.effect_us.count, 0);
    hear(1256, 1256, 8, 9000000); // of 1264: the server had no room for the first
    ck_assert_uint_eq(controls.trim.need_count, 1);
}

// Fewer than forty reports hardly know the worst: half a tick more than they say, and nothing is
// made later. Then it is half a tick less, where the quarter that is left alone is reached.
TEST(few_reports_get_a_tick_more_and_make_nothing_later) {
    scene self = begin(); // at 1006
    self.need = 1006.5;
    run(&self, 30); // 1.8 ticks of slewing at most
    ck_assert_double_eq_tol(self.trim.offset, 1007.0, 1e-6);
    self.need = 1006.0;
    run(&self, 9);
    ck_assert_double_eq_tol(self.trim.offset, 1007.0, 1e-6);
    run(&self, 1);
    step(&self);
    ck_assert_double_lt(self.trim.offset, 1006.9999);
    run(&self, 200);
    ck_assert_double_eq_tol(self.trim.offset, 1005.75, 1e-6);
    ck_assert_uint_eq(self.jumps, 0);
}

// One of thirty may be late, of fewer none.
TEST(a_loss_is_not_all_from_thirty_reports_on) {
    scene self = begin();
    run(&self, 10);
    self.need = 1006.5;
    run(&self, 1);
    self.need = 1004.0;
    run(&self, 18);
    step(&self);
    ck_assert_double_eq(self.trim.usual, 1006.5);
    run(&self, 1);
    step(&self);
    ck_assert_double_eq(self.trim.usual, 1004.0);
    ck_assert_double_eq(self.trim.greatest, 1006.5);
}

// The first snapshots that are read after a nap have waited as long: by them every stamp would be
// beyond what a server keeps.
TEST(snapshots_that_waited_through_a_nap_move_no_stamp) {
    scene self = begin();
    run(&self, 300);
    double before = self.trim.offset;
    uint32_t jumps = self.jumps, heard = self.trim.heard_tick;
    self.own_tick += 180.0; // three seconds
    client_trim_heard(&self.trim, heard + 3, self.own_tick);
    client_trim_now now = now_of(&self);
    ck_assert(!client_trim_advance(&self.trim, &now));
    ck_assert(self.trim.has_span);
    run(&self, 3);
    ck_assert_double_eq_tol(self.trim.offset, before, 1e-6);
    ck_assert_uint_eq(self.jumps, jumps);
}

// Nothing is made later on the word of fewer than forty.
TEST(few_reports_of_samples_in_hand_move_nothing) {
    scene self = begin(); // at 1006; a tick is more than forty reports would leave
    self.need = 1005.0;
    run(&self, 39);
    step(&self);
    ck_assert_double_eq_tol(self.trim.offset, 1006.0, 1e-6);
    run(&self, 2);
    ck_assert_double_lt(self.trim.offset, 1005.99);
}

// Once eight have told, a jump on the clock's word is settled: later needs that fall are slewed.
TEST(needs_that_are_forgotten_one_by_one_are_no_reason_to_jump) {
    scene self = begin();
    run(&self, 100); // the first forty make it 2.5 ticks too early
    ck_assert_uint_eq(self.jumps, 0);
    self.need = 1009.0;
    run(&self, 3); // as many of 128 as cannot all be late
    self.need = 1004.0;
    run(&self, 120);
    ck_assert_double_eq_tol(self.trim.offset, 1008.5, 0.01);
    uint32_t jumps = self.jumps;
    run(&self, 60);
    ck_assert_double_gt(self.trim.offset, 1006.0); // 60 reports of 3 ticks, a hundredth of each
    ck_assert_double_lt(self.trim.offset, 1008.0);
    ck_assert_uint_eq(self.jumps, jumps);
}

// A client's ticks may be ahead of the server's, so that all needs are below zero.
TEST(needs_below_zero_are_ranked_as_others_are) {
    client_trim trim;
    client_trim_begin(&trim, TICK_HZ, LEAD_TICKS);
    client_trim_now now = {.own_tick = 5000.0, .arrival = 4003.0, .trip = TRIP_TICKS};
    ck_assert(client_trim_advance(&trim, &now));
    ck_assert_double_eq(trim.offset, 4003.0 + LEAD_TICKS - 5000.0);
    for (int i = 0; i < 60; i++) {
        now.own_tick += 3.0;
        now.arrival += 3.0;
        client_trim_heard(&trim, (uint32_t)now.arrival - TRIP_TICKS, now.own_tick);
        client_trim_need(&trim, i == 20 ? -995.0 : i == 40 ? -995.5 : -996.0, false);
        client_trim_advance(&trim, &now);
    }
    ck_assert_double_eq(trim.greatest, -995.0);
    ck_assert_double_eq(trim.usual, -995.5); // one of 60 may be late
}

// What is read before the first update has waited for as long as it took to come to that.
TEST(snapshots_that_waited_for_the_first_update_move_no_stamp) {
    scene self = {.own_tick = 5e8};
    client_trim_begin(&self.trim, TICK_HZ, LEAD_TICKS);
    client_trim_heard(&self.trim, (uint32_t)(self.own_tick + 1000.0) - 120, self.own_tick);
    client_trim_need(&self.trim, 1004.0, false);
    client_trim_now now = now_of(&self);
    ck_assert(client_trim_advance(&self.trim, &now));
    double before = self.trim.offset;
    ck_assert(!client_trim_advance(&self.trim, &now));
    ck_assert_double_eq(self.trim.offset, before);
}

// Needs as of a line with jitter: even, from the least to a number of ticks more.
static void run_jitter(scene *self, uint32_t reports, double least, double spread) {
    static const double places[] = {0.1, 0.9, 0.5, 0.3, 1.0, 0.7, 0.0, 0.6};
    for (uint32_t i = 0; i < reports; i++) {
        self->need = least + spread * places[i % 8];
        run(self, 1);
    }
}

// It was nine seconds before it was done; the offset glides, by 3 % instead of 1.
TEST(a_line_that_gets_even_is_believed_within_two_seconds) {
    scene self = begin();
    run_jitter(&self, 200, 1004.0, 2.4);
    double before = self.trim.offset;
    ck_assert_double_ge(before, 1005.5);
    uint32_t jumps = self.jumps;
    run_jitter(&self, 20, 1004.0, 0.3);
    ck_assert_double_eq_tol(self.trim.offset, before, 0.26);
    run_jitter(&self, 50, 1004.0, 0.3); // 3.5 s since then
    ck_assert_double_le(self.trim.offset, 1004.9);
    run_jitter(&self, 40, 1004.0, 0.3);
    ck_assert_double_le(self.trim.offset, 1004.1);
    ck_assert(!self.trim.hurries);
    ck_assert_uint_eq(self.jumps, jumps);
}

TEST(a_line_that_gets_uneven_is_followed_at_five_percent) {
    scene self = begin();
    run_jitter(&self, 200, 1004.0, 0.2);
    uint32_t jumps = self.jumps;
    run_jitter(&self, 10, 1004.0, 3.6); // most are late
    ck_assert(self.trim.hurries);
    double before = self.trim.offset;
    run_jitter(&self, 4, 1004.0, 3.6);
    ck_assert_double_eq_tol(self.trim.offset, before + 4.0 * 3.0 * 0.05, 1e-6);
    run_jitter(&self, 40, 1004.0, 3.6);
    ck_assert_double_eq_tol(self.trim.offset, 1007.1, 0.3);
    ck_assert(!self.trim.hurries);
    ck_assert_uint_eq(self.jumps, jumps);
}

// Losses are a tail: that none came for three seconds tells nothing.
TEST(a_line_without_losses_for_a_while_is_no_better) {
    scene self = begin();
    for (uint32_t i = 0; i < 400; i++) {
        self.need = i % 14 == 0 ? 1006.0 : 1004.0;
        run(&self, 1);
    }
    double before = self.trim.offset;
    ck_assert_double_eq_tol(before, 1005.75, 0.26);
    self.need = 1004.0;
    run(&self, 60);
    ck_assert_double_eq_tol(self.trim.offset, before, 1e-6);
    ck_assert(!self.trim.hurries);
}

// What waits a tick less for its packet needs a tick less, and reports need not say so.
TEST(what_is_expected_counts_at_once) {
    scene self = begin();
    run(&self, 300);
    ck_assert(client_trim_is_settled(&self.trim));
    client_trim_expect(&self.trim, 1.0);
    ck_assert(!client_trim_is_settled(&self.trim));
    self.need = 1005.0;
    run(&self, 18); // 54 ticks at 2 %
    ck_assert(client_trim_is_settled(&self.trim));
    ck_assert_double_ge(self.trim.offset, 1004.4);
    client_trim_expect(&self.trim, -1.0);
    self.need = 1004.0;
    run(&self, 10);
    ck_assert_double_le(self.trim.offset, 1004.3);
}
