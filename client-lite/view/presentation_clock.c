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

static double head_at(const client_playback *playback, uint64_t now_us) {
    if (playback->paused) {
        return playback->head_tick;
    }
    double elapsed_s =
        now_us > playback->head_us ? (double)(now_us - playback->head_us) / 1e6 : 0.0;
    return playback->head_tick + elapsed_s * playback->ticks_per_s;
}

// The n-th largest of the needs held.
static double covered_need(const client_playback *playback) {
    enum { LARGEST = 1 + CLIENT_PLAYBACK_ARRIVALS * 3 / 100 };
    double largest[LARGEST] = {0.0};
    uint32_t held = playback->need_count < CLIENT_PLAYBACK_ARRIVALS ? playback->need_count
                                                                    : CLIENT_PLAYBACK_ARRIVALS;
    uint32_t nth = (uint32_t)(UNCOVERED * (double)held);
    APEX_ASSERT(nth < LARGEST);
    for (uint32_t i = 0; i < held; i++) {
        double need = playback->needs[i];
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

static void choose_delay(client_playback *playback) {
    double delay = covered_need(playback) + MARGIN_S * playback->ticks_per_s;
    double most = CLIENT_PLAYBACK_DELAY_S_MAX * playback->ticks_per_s;
    delay = delay < playback->interval_ticks ? playback->interval_ticks : delay;
    playback->delay_ticks = delay > most ? most : delay;
}

static double delay_of(const client_playback *playback) {
    return playback->paused ? 0.0 : playback->delay_ticks;
}

static void begin(client_playback *playback, uint32_t tick, uint64_t now_us) {
    playback->begun = true;
    playback->newest_tick = tick;
    playback->head_tick = (double)tick;
    playback->head_us = now_us;
    playback->crosses = false;
    playback->moment =
        (client_moment){.begun = true, .tick = (double)tick - delay_of(playback), .at_us = now_us};
    playback->need_count = 0;
    playback->interval_ticks = 0.0;
}

// The last ones before the pause are still coming.
static void note_paused(client_playback *playback, uint32_t tick) {
    playback->newest_tick = tick;
    playback->head_tick = (double)tick > playback->head_tick ? (double)tick : playback->head_tick;
}

void client_playback_arrival(client_playback *playback, uint32_t tick, double ticks_per_s,
                             uint64_t now_us) {
    if (playback->paused && playback->begun) {
        note_paused(playback, tick);
        return;
    }
    playback->ticks_per_s = ticks_per_s > 0.0 ? ticks_per_s : playback->ticks_per_s;
    double off = (double)tick - head_at(playback, now_us);
    double jump = JUMP_S * playback->ticks_per_s;
    if (!playback->begun || off > jump || off < -jump) {
        begin(playback, tick, now_us);
        return;
    }
    (void)client_playback_tick(playback, now_us);
    double interval = (double)tick - (double)playback->newest_tick;
    double settling = 1.0 / (double)(playback->need_count + 1);
    double head_gain = settling > HEAD_GAIN ? settling / 2.0 : HEAD_GAIN;
    double interval_gain =
        settling > CLIENT_PLAYBACK_INTERVAL_GAIN ? settling : CLIENT_PLAYBACK_INTERVAL_GAIN;
    playback->head_tick = head_at(playback, now_us) + head_gain * off;
    playback->head_us = now_us;
    playback->interval_ticks += interval_gain * (interval - playback->interval_ticks);
    playback->needs[playback->need_count++ % CLIENT_PLAYBACK_ARRIVALS] =
        playback->head_tick - (double)playback->newest_tick;
    playback->newest_tick = tick;
    choose_delay(playback);
}

static double cross(client_playback *playback, double wanted, uint64_t now_us) {
    client_moment *moment = &playback->moment;
    if (now_us > moment->at_us) {
        moment->tick += (double)(now_us - moment->at_us) / 1e6 * playback->crossing_per_s;
        moment->at_us = now_us;
    }
    bool is_there = playback->crosses_upward ? moment->tick >= wanted : moment->tick <= wanted;
    if (is_there) {
        playback->crosses = false;
        moment->tick = wanted;
    }
    return moment->tick;
}

double client_playback_tick(client_playback *playback, uint64_t now_us) {
    if (!playback->begun) {
        return 0.0;
    }
    double wanted = head_at(playback, now_us) - delay_of(playback);
    if (playback->crosses) {
        return cross(playback, wanted, now_us);
    }
    if (playback->paused) {
        playback->moment.tick = wanted;
        playback->moment.at_us = now_us;
        return wanted;
    }
    return client_moment_follow(&playback->moment, wanted, playback->ticks_per_s, now_us);
}

// What is known of the line holds at any pace, in seconds.
static void scale(client_playback *playback, double by) {
    for (uint32_t i = 0; i < CLIENT_PLAYBACK_ARRIVALS; i++) {
        playback->needs[i] *= by;
    }
    playback->interval_ticks *= by;
    playback->delay_ticks *= by;
}

void client_playback_pace(client_playback *playback, double tick, double ticks_per_s,
                          uint64_t now_us) {
    (void)client_playback_tick(playback, now_us);
    double before = playback->paused ? 0.0 : playback->ticks_per_s;
    playback->paused = ticks_per_s <= 0.0;
    if (!playback->paused) {
        scale(playback, playback->ticks_per_s > 0.0 ? ticks_per_s / playback->ticks_per_s : 1.0);
        playback->ticks_per_s = ticks_per_s;
    }
    if (!playback->begun) {
        return;
    }
    playback->head_tick = tick;
    playback->head_us = now_us;
    double off = tick - delay_of(playback) - playback->moment.tick;
    playback->crosses = off > 0.0 ? before > ticks_per_s : before < ticks_per_s;
    playback->crosses_upward = off > 0.0;
    playback->crossing_per_s = before;
}

void client_playback_hold(client_playback *playback, uint64_t now_us) {
    playback->head_tick = client_playback_tick(playback, now_us);
    playback->paused = true;
    playback->crosses = false;
}

void client_playback_forget(client_playback *playback) {
    playback->begun = false;
    playback->crosses = false;
}

double client_playback_delay_s(const client_playback *playback) {
    if (!playback->begun || playback->ticks_per_s <= 0.0) {
        return 0.0;
    }
    const client_moment *moment = &playback->moment;
    return (head_at(playback, moment->at_us) - moment->tick) / playback->ticks_per_s;
}
