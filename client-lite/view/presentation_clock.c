// The delay is what nearly all of the last arrivals needed; the moment follows it evenly.
#include "client-lite/view/presentation_clock.h"

#include "base/assert.h"

// The delay covers all but this share of what came in the last seconds.
static const double UNCOVERED = 0.03;
// Room for the frame in which the next snapshot is read.
static const double MARGIN_S = 0.004;
static const double SLEW = 0.1;
// Farther off than this the moment jumps.
static const double JUMP_S = 1.0;
// Of the mean line of arrivals, per arrival.
static const double HEAD_GAIN = 0.05;

double client_moment_follow(client_moment *moment, double wanted, double ticks_per_s,
                            uint64_t now_us) {
    if (moment->begun && now_us <= moment->at_us) {
        // A frame is shown as of when it began, and snapshots may have come since.
        return moment->tick - (double)(moment->at_us - now_us) / 1e6 * ticks_per_s;
    }
    double elapsed = (double)(now_us - moment->at_us) / 1e6 * ticks_per_s;
    double off = wanted - (moment->tick + elapsed);
    double jump = JUMP_S * ticks_per_s;
    double most = SLEW * elapsed;
    if (!moment->begun || off > jump || off < -jump) {
        moment->tick = wanted;
    } else {
        moment->tick += elapsed + (off > most ? most : off < -most ? -most : off);
    }
    moment->begun = true;
    moment->at_us = now_us;
    return moment->tick;
}

static double head_at(const client_presentation_clock *clock, uint64_t now_us) {
    if (clock->paused) {
        return clock->head_tick;
    }
    double elapsed_s = now_us > clock->head_us ? (double)(now_us - clock->head_us) / 1e6 : 0.0;
    return clock->head_tick + elapsed_s * clock->ticks_per_s;
}

// The n-th largest of the needs held: an exact rank in a short window, and a histogram cannot
// forget.
static double covered_need(const client_presentation_clock *clock) {
    enum { LARGEST = 1 + CLIENT_PRESENTATION_ARRIVALS * 3 / 100 };
    double largest[LARGEST] = {0.0};
    uint32_t held = clock->need_count < CLIENT_PRESENTATION_ARRIVALS ? clock->need_count
                                                                     : CLIENT_PRESENTATION_ARRIVALS;
    uint32_t nth = (uint32_t)(UNCOVERED * (double)held);
    APEX_ASSERT(nth < LARGEST);
    for (uint32_t i = 0; i < held; i++) {
        double need = clock->needs[i];
        for (uint32_t place = 0; place <= nth; place++) {
            if (need > largest[place]) {
                double smaller = largest[place];
                largest[place] = need;
                need = smaller;
            }
        }
    }
    return largest[nth];
}

static void choose_delay(client_presentation_clock *clock) {
    double delay = covered_need(clock) + MARGIN_S * clock->ticks_per_s;
    double most = CLIENT_PRESENTATION_DELAY_S_MAX * clock->ticks_per_s;
    delay = delay < clock->interval_ticks ? clock->interval_ticks : delay;
    clock->delay_ticks = delay > most ? most : delay;
}

static double delay_of(const client_presentation_clock *clock) {
    return clock->paused ? 0.0 : clock->delay_ticks;
}

static void begin(client_presentation_clock *clock, uint32_t tick, uint64_t now_us) {
    clock->begun = true;
    clock->newest_tick = tick;
    clock->head_tick = (double)tick;
    clock->head_us = now_us;
    clock->crosses = false;
    clock->moment =
        (client_moment){.begun = true, .tick = (double)tick - delay_of(clock), .at_us = now_us};
    clock->need_count = 0;
    clock->interval_ticks = 0.0;
}

// The last ones before the pause are still coming.
static void note_paused(client_presentation_clock *clock, uint32_t tick) {
    clock->newest_tick = tick;
    clock->head_tick = (double)tick > clock->head_tick ? (double)tick : clock->head_tick;
}

void client_presentation_arrival(client_presentation_clock *clock, uint32_t tick,
                                 double ticks_per_s, uint64_t now_us) {
    if (clock->paused && clock->begun) {
        note_paused(clock, tick);
        return;
    }
    clock->ticks_per_s = ticks_per_s > 0.0 ? ticks_per_s : clock->ticks_per_s;
    double off = (double)tick - head_at(clock, now_us);
    double jump = JUMP_S * clock->ticks_per_s;
    if (!clock->begun || off > jump || off < -jump) {
        begin(clock, tick, now_us);
        return;
    }
    (void)client_presentation_tick(clock, now_us);
    double interval = (double)tick - (double)clock->newest_tick;
    double settling = 1.0 / (double)(clock->need_count + 1);
    double head_gain = settling > HEAD_GAIN ? settling / 2.0 : HEAD_GAIN;
    double interval_gain =
        settling > CLIENT_PRESENTATION_INTERVAL_GAIN ? settling : CLIENT_PRESENTATION_INTERVAL_GAIN;
    clock->head_tick = head_at(clock, now_us) + head_gain * off;
    clock->head_us = now_us;
    clock->interval_ticks += interval_gain * (interval - clock->interval_ticks);
    clock->needs[clock->need_count++ % CLIENT_PRESENTATION_ARRIVALS] =
        clock->head_tick - (double)clock->newest_tick;
    clock->newest_tick = tick;
    choose_delay(clock);
}

static double cross(client_presentation_clock *clock, double wanted, uint64_t now_us) {
    client_moment *moment = &clock->moment;
    if (now_us > moment->at_us) {
        moment->tick += (double)(now_us - moment->at_us) / 1e6 * clock->crossing_per_s;
        moment->at_us = now_us;
    }
    bool is_there = clock->crosses_upward ? moment->tick >= wanted : moment->tick <= wanted;
    if (is_there) {
        clock->crosses = false;
        moment->tick = wanted;
    }
    return moment->tick;
}

double client_presentation_tick(client_presentation_clock *clock, uint64_t now_us) {
    if (!clock->begun) {
        return 0.0;
    }
    double wanted = head_at(clock, now_us) - delay_of(clock);
    if (clock->crosses) {
        return cross(clock, wanted, now_us);
    }
    if (clock->paused) {
        clock->moment.tick = wanted;
        clock->moment.at_us = now_us;
        return wanted;
    }
    return client_moment_follow(&clock->moment, wanted, clock->ticks_per_s, now_us);
}

// Knowledge of the link holds at any pace, in seconds.
static void scale(client_presentation_clock *clock, double by) {
    for (uint32_t i = 0; i < CLIENT_PRESENTATION_ARRIVALS; i++) {
        clock->needs[i] *= by;
    }
    clock->interval_ticks *= by;
    clock->delay_ticks *= by;
}

void client_presentation_pace(client_presentation_clock *clock, double tick, double ticks_per_s,
                              uint64_t now_us) {
    (void)client_presentation_tick(clock, now_us);
    double before = clock->paused ? 0.0 : clock->ticks_per_s;
    clock->paused = ticks_per_s <= 0.0;
    if (!clock->paused) {
        scale(clock, clock->ticks_per_s > 0.0 ? ticks_per_s / clock->ticks_per_s : 1.0);
        clock->ticks_per_s = ticks_per_s;
    }
    if (!clock->begun) {
        return;
    }
    clock->head_tick = tick;
    clock->head_us = now_us;
    double off = tick - delay_of(clock) - clock->moment.tick;
    clock->crosses = off > 0.0 ? before > ticks_per_s : before < ticks_per_s;
    clock->crosses_upward = off > 0.0;
    clock->crossing_per_s = before;
}

void client_presentation_hold(client_presentation_clock *clock, uint64_t now_us) {
    clock->head_tick = client_presentation_tick(clock, now_us);
    clock->paused = true;
    clock->crosses = false;
}

void client_presentation_forget(client_presentation_clock *clock) {
    clock->begun = false;
    clock->crosses = false;
}

double client_presentation_delay_s(const client_presentation_clock *clock) {
    if (!clock->begun || clock->ticks_per_s <= 0.0) {
        return 0.0;
    }
    const client_moment *moment = &clock->moment;
    return (head_at(clock, moment->at_us) - moment->tick) / clock->ticks_per_s;
}
