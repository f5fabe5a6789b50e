// Snapshots are counted in slots of their period, so that late ones still find their place.
#include "client-lite/session/state/link_quality.h"

enum { SLOTS_SEEN = 64, LOST_GOOD = 1, LOST_WORSE = 4 };

// Means of differences: a snapshot may be late by three times as much.
static const double JITTER_GOOD_S = 0.008, JITTER_WORSE_S = 0.012;

// As RFC 3550 smooths the jitter of arrivals.
static const double JITTER_GAIN = 1.0 / 16.0;

void client_link_quality_begin(client_link_quality *quality, uint32_t tick_hz,
                               uint32_t snapshot_hz) {
    *quality = (client_link_quality){0};
    if (snapshot_hz > 0) {
        uint32_t period = (tick_hz + snapshot_hz / 2) / snapshot_hz; // as the server rounds
        quality->period_ticks = period > 0 ? period : 1;
    }
}

static void note_time(client_link_quality *quality, uint32_t tick, double ticks_per_s,
                      uint64_t now_us) {
    double sent_s = ((double)tick - (double)quality->last_tick) / ticks_per_s;
    double came_s = ((double)now_us - (double)quality->last_us) / 1e6;
    double off_s = came_s > sent_s ? came_s - sent_s : sent_s - came_s;
    quality->jitter_s += JITTER_GAIN * (off_s - quality->jitter_s);
}

static void note_newer(client_link_quality *quality, uint32_t slot) {
    uint32_t ahead = slot - quality->newest_slot;
    quality->newest_slot = slot;
    quality->seen = ahead < SLOTS_SEEN ? quality->seen << ahead | 1u : 1u;
    quality->expected += ahead;
    quality->arrived++;
}

static void note_older(client_link_quality *quality, uint32_t slot) {
    uint32_t behind = quality->newest_slot - slot;
    uint64_t bit = behind < SLOTS_SEEN ? UINT64_C(1) << behind : 0;
    // A snapshot older than the first that came was never expected.
    if (bit != 0 && (quality->seen & bit) == 0 && behind < quality->expected) {
        quality->seen |= bit;
        quality->arrived++;
    }
}

void client_link_quality_note(client_link_quality *quality, uint32_t tick, double ticks_per_s,
                              uint64_t now_us) {
    if (quality->period_ticks == 0 || ticks_per_s <= 0.0) {
        return;
    }
    uint32_t slot = tick / quality->period_ticks;
    bool is_newer = !quality->begun || slot > quality->newest_slot;
    if (quality->begun && is_newer) {
        note_time(quality, tick, ticks_per_s, now_us);
        note_newer(quality, slot);
    } else if (quality->begun) {
        note_older(quality, slot);
    } else {
        quality->begun = true;
        quality->newest_slot = slot;
        quality->seen = 1;
        quality->expected = quality->arrived = 1;
    }
    if (is_newer) {
        quality->last_tick = tick;
        quality->last_us = now_us;
    }
}

double client_link_quality_loss(const client_link_quality *quality) {
    return quality->expected > 0 ? 1.0 - (double)quality->arrived / (double)quality->expected : 0.0;
}

bool client_link_quality_is_good(client_link_quality *quality) {
    int lost = SLOTS_SEEN - __builtin_popcountll(quality->seen);
    int lost_most = quality->is_good ? LOST_WORSE : LOST_GOOD;
    double jitter_most_s = quality->is_good ? JITTER_WORSE_S : JITTER_GOOD_S;
    quality->is_good =
        quality->expected >= SLOTS_SEEN && lost <= lost_most && quality->jitter_s <= jitter_most_s;
    return quality->is_good;
}

uint32_t client_link_quality_jitter_us(const client_link_quality *quality) {
    double jitter_us = quality->jitter_s * 1e6;
    return jitter_us < (double)UINT32_MAX ? (uint32_t)jitter_us : UINT32_MAX;
}
