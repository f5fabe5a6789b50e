// The best of the last answers, by round trip and age, is believed; the clock glides there.
#include "client-lite/input/clock.h"

#include "base/assert.h"

// An answer later than this says nothing about the present any more.
static const uint64_t REPLY_AGE_US_MAX = 5000000;
// Samples get this much worse with age, so that a lucky one from long ago does not rule forever.
static const uint64_t AGE_PER_RTT = 200;
// The estimate runs at most this much faster or slower than the server; 3 % is not felt in stamps.
static const double SLEW = 0.03;
// Farther off than this it jumps: slewing would take many seconds.
static const double JUMP_US = 250000.0;
// Two samples may disagree by so much without one being wrong: the server stamps whole ticks.
static const double DOUBT_TICKS = 1.0;

static double ticks_in(const client_clock *clock, uint64_t duration_us) {
    return (double)duration_us * clock->ticks_per_us;
}

void client_clock_begin(client_clock *clock, uint32_t tick_hz, uint32_t speed_permille) {
    APEX_ASSERT(tick_hz > 0);
    *clock = (client_clock){0};
    clock->as_fast_as_possible = speed_permille == 0;
    double speed = speed_permille == 0 ? 1.0 : (double)speed_permille / 1000.0;
    clock->ticks_per_us = (double)tick_hz * speed / 1e6;
}

static void jump_to(client_clock *clock, double tick, uint64_t now_us) {
    clock->tick = tick;
    clock->believed_tick = tick;
    clock->at_us = now_us;
    clock->known = true;
}

void client_clock_guess(client_clock *clock, uint32_t tick, uint64_t now_us) {
    jump_to(clock, (double)tick, now_us);
}

void client_clock_pace(client_clock *clock, double tick, double ticks_per_s, uint64_t now_us) {
    clock->as_fast_as_possible = false;
    clock->ticks_per_us = ticks_per_s / 1e6;
    clock->sample_count = 0;
    clock->answered = false;
    jump_to(clock, tick + client_clock_half_trip(clock), now_us);
}

double client_clock_tick(const client_clock *clock, uint64_t now_us) {
    if (!clock->known) {
        return 0.0;
    }
    uint64_t elapsed_us = now_us > clock->at_us ? now_us - clock->at_us : 0;
    return clock->tick + ticks_in(clock, elapsed_us);
}

double client_clock_own_tick(const client_clock *clock, uint64_t now_us) {
    return ticks_in(clock, now_us);
}

double client_clock_half_trip(const client_clock *clock) {
    return 0.5 * ticks_in(clock, clock->rtt_us);
}

static void believe(client_clock *clock, double tick, uint64_t now_us) {
    double now_tick = client_clock_tick(clock, now_us);
    double off = tick - now_tick;
    double jump = JUMP_US * clock->ticks_per_us;
    if (!clock->known || !clock->answered || off > jump || off < -jump) {
        jump_to(clock, tick, now_us);
        return;
    }
    clock->tick = now_tick;
    clock->at_us = now_us;
    clock->believed_tick = tick;
}

void client_clock_update(client_clock *clock, uint64_t now_us) {
    if (!clock->known || now_us <= clock->at_us) {
        return;
    }
    double elapsed = ticks_in(clock, now_us - clock->at_us);
    double off = clock->believed_tick - clock->tick;
    double step = off;
    if (step > SLEW * elapsed) {
        step = SLEW * elapsed;
    }
    if (step < -SLEW * elapsed) {
        step = -SLEW * elapsed;
    }
    clock->tick += elapsed + step;
    clock->believed_tick += elapsed;
    clock->at_us = now_us;
}

static uint32_t samples_held(const client_clock *clock) {
    return clock->sample_count < CLIENT_CLOCK_SAMPLES ? clock->sample_count : CLIENT_CLOCK_SAMPLES;
}

// Half of the trip is the best guess for the way back; it is wrong by at most the other half.
static double sample_tick(const client_clock *clock, const client_clock_sample *sample,
                          uint64_t now_us) {
    return sample->tick + ticks_in(clock, now_us - sample->at_us + sample->rtt_us / 2);
}

static const client_clock_sample *best_sample(const client_clock *clock, uint64_t now_us) {
    const client_clock_sample *best = &clock->samples[0];
    uint64_t best_cost_us = UINT64_MAX;
    for (uint32_t i = 0; i < samples_held(clock); i++) {
        const client_clock_sample *sample = &clock->samples[i];
        uint64_t cost_us = sample->rtt_us + (now_us - sample->at_us) / AGE_PER_RTT;
        if (cost_us < best_cost_us) {
            best_cost_us = cost_us;
            best = sample;
        }
    }
    return best;
}

static void note_trip(client_clock *clock, uint64_t rtt_us) {
    // The gain of TCP's smoothed round trip (RFC 6298).
    clock->rtt_us = clock->rtt_us == 0 ? rtt_us : (7 * clock->rtt_us + rtt_us) / 8;
    clock->rtt_us_min = rtt_us;
    for (uint32_t i = 0; i < samples_held(clock); i++) {
        if (clock->samples[i].rtt_us < clock->rtt_us_min) {
            clock->rtt_us_min = clock->samples[i].rtt_us;
        }
    }
}

static void measure_rate(client_clock *clock, double tick, uint64_t now_us) {
    // The part of a tick that a reply adds may carry it past the last one that there is.
    uint32_t whole = tick < (double)UINT32_MAX ? (uint32_t)tick : UINT32_MAX;
    if (whole > clock->heard_tick) {
        clock->heard_tick = whole;
        clock->heard_us = now_us;
    }
    if (!clock->known || now_us <= clock->at_us || tick < clock->tick) {
        jump_to(clock, tick, now_us);
        return;
    }
    double rate = (tick - clock->tick) / (double)(now_us - clock->at_us);
    clock->ticks_per_us += 0.25 * (rate - clock->ticks_per_us);
    jump_to(clock, tick, now_us);
}

bool client_clock_reply(client_clock *clock, uint64_t asked_us, double tick, uint64_t now_us) {
    if (asked_us > now_us || now_us - asked_us > REPLY_AGE_US_MAX) {
        return false;
    }
    client_clock_sample taken = {.at_us = now_us, .rtt_us = now_us - asked_us, .tick = tick};
    if (clock->as_fast_as_possible) {
        note_trip(clock, taken.rtt_us);
        measure_rate(clock, tick, now_us);
        return true;
    }
    if (samples_held(clock) > 0) {
        // The server is now between `tick` and a whole trip past it. If what the old samples say
        // lies outside, the server has dropped time since: they are history.
        double said = sample_tick(clock, best_sample(clock, now_us), now_us);
        if (said < tick - DOUBT_TICKS ||
            said > tick + ticks_in(clock, taken.rtt_us) + DOUBT_TICKS) {
            clock->sample_count = 0;
        }
    }
    clock->samples[clock->sample_count % CLIENT_CLOCK_SAMPLES] = taken;
    clock->sample_count++;
    note_trip(clock, taken.rtt_us);
    believe(clock, sample_tick(clock, best_sample(clock, now_us), now_us), now_us);
    clock->answered = true;
    return true;
}

void client_clock_snapshot(client_clock *clock, uint32_t tick, uint64_t now_us) {
    if (clock->as_fast_as_possible) {
        measure_rate(clock, (double)tick, now_us);
        return;
    }
    double lower_bound = (double)tick;
    if (client_clock_tick(clock, now_us) + DOUBT_TICKS < lower_bound) {
        clock->sample_count = 0;
        believe(clock, lower_bound + 0.5 * ticks_in(clock, clock->rtt_us_min), now_us);
    }
}
