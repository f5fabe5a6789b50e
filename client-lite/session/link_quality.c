#include "client-lite/session/link_quality.h"

enum { SLOTS_SEEN = 64 };

// As RFC 3550 smooths the jitter of arrivals.
static const double JITTER_GAIN = 1.0 / 16.0;

void client_line_begin(client_line *line, uint32_t tick_hz, uint32_t snapshot_hz) {
    *line = (client_line){0};
    if (snapshot_hz > 0) {
        uint32_t period = (tick_hz + snapshot_hz / 2) / snapshot_hz; // as the server rounds
        line->period_ticks = period > 0 ? period : 1;
    }
}

static void note_time(client_line *line, uint32_t tick, double ticks_per_s, uint64_t now_us) {
    double sent_s = ((double)tick - (double)line->last_tick) / ticks_per_s;
    double came_s = ((double)now_us - (double)line->last_us) / 1e6;
    double off_s = came_s > sent_s ? came_s - sent_s : sent_s - came_s;
    line->jitter_s += JITTER_GAIN * (off_s - line->jitter_s);
}

static void note_newer(client_line *line, uint32_t slot) {
    uint32_t ahead = slot - line->newest_slot;
    line->newest_slot = slot;
    line->seen = ahead < SLOTS_SEEN ? line->seen << ahead | 1u : 1u;
    line->expected += ahead;
    line->arrived++;
}

static void note_older(client_line *line, uint32_t slot) {
    uint32_t behind = line->newest_slot - slot;
    uint64_t bit = behind < SLOTS_SEEN ? UINT64_C(1) << behind : 0;
    // What is older than the first that came was never expected.
    if (bit != 0 && (line->seen & bit) == 0 && behind < line->expected) {
        line->seen |= bit;
        line->arrived++;
    }
}

void client_line_note(client_line *line, uint32_t tick, double ticks_per_s, uint64_t now_us) {
    if (line->period_ticks == 0 || ticks_per_s <= 0.0) {
        return;
    }
    uint32_t slot = tick / line->period_ticks;
    bool is_newer = !line->begun || slot > line->newest_slot;
    if (line->begun && is_newer) {
        note_time(line, tick, ticks_per_s, now_us);
        note_newer(line, slot);
    } else if (line->begun) {
        note_older(line, slot);
    } else {
        line->begun = true;
        line->newest_slot = slot;
        line->seen = 1;
        line->expected = line->arrived = 1;
    }
    if (is_newer) {
        line->last_tick = tick;
        line->last_us = now_us;
    }
}

double client_line_loss(const client_line *line) {
    return line->expected > 0 ? 1.0 - (double)line->arrived / (double)line->expected : 0.0;
}
