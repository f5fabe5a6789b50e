// The fate of a packet follows from its number and its pipe's key, by a counter-based generator.
#include "client-lite/netsim/netsim_model.h"

// Each packet has as many draws of its own, used or not.
typedef enum draw {
    DRAW_LOSS,
    DRAW_DUPLICATE,
    DRAW_REORDER,
    DRAW_JITTER = DRAW_REORDER + NETSIM_COPIES_MAX,
    JITTER_DRAWS = 4,
    DRAWS = DRAW_JITTER + JITTER_DRAWS * NETSIM_COPIES_MAX
} draw;

static const uint64_t DELAY_US_MAX = 60000000;

netsim_def netsim_default_def(void) {
    return (netsim_def){.reorder_us = 60000, .queue_us = 200000};
}

const char *netsim_problem(const netsim_def *def) {
    if (def->jitter_us > def->delay_us) {
        return "the jitter must not be more than the delay: nothing arrives before it was sent";
    }
    if (def->delay_us > DELAY_US_MAX || def->reorder_us > DELAY_US_MAX ||
        def->queue_us > DELAY_US_MAX) {
        return "a packet may be delayed by 60 s at most";
    }
    if (def->loss_ppm > NETSIM_PPM || def->duplicate_ppm > NETSIM_PPM ||
        def->reorder_ppm > NETSIM_PPM) {
        return "no more than 100% of the packets can be lost, doubled or held back";
    }
    // Runs begin after a packet that arrived, so that between two of them there is one at least.
    uint64_t burst = def->burst_packets;
    if (burst > 1 && def->loss_ppm * (burst + 1) > burst * NETSIM_PPM) {
        return "so many cannot be lost in runs so short: make the runs longer or the loss less";
    }
    return NULL;
}

void netsim_count_add(netsim_count *sum, const netsim_count *more) {
    sum->sent += more->sent;
    sum->bytes += more->bytes;
    sum->lost += more->lost;
    sum->dropped += more->dropped;
    sum->doubled += more->doubled;
    sum->held_back += more->held_back;
}

// The finish of splitmix64, Sebastiano Vigna, public domain: over a counter, it is that generator.
static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t nth(uint64_t key, uint64_t n) {
    return mixed(key + (n + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

// Of the newest packet.
static uint64_t drawn(const netsim_pipe *pipe, uint32_t which) {
    return nth(pipe->key, pipe->count.sent * DRAWS + which);
}

static bool happens(const netsim_pipe *pipe, uint32_t which, uint64_t ppm) {
    return drawn(pipe, which) % NETSIM_PPM < ppm;
}

netsim_pipe netsim_pipe_begin(uint64_t seed, uint32_t link, bool is_up) {
    return (netsim_pipe){.key = nth(nth(seed, link), is_up)};
}

// Gilbert's model: two states, and in the bad one everything is lost.
static bool is_lost(const netsim_def *def, netsim_pipe *pipe) {
    uint64_t burst = def->burst_packets;
    if (burst <= 1 || def->loss_ppm == NETSIM_PPM) {
        return happens(pipe, DRAW_LOSS, def->loss_ppm);
    }
    if (pipe->in_burst) {
        pipe->in_burst = !happens(pipe, DRAW_LOSS, NETSIM_PPM / burst);
    } else {
        uint64_t begins_ppm =
            (uint64_t)def->loss_ppm * NETSIM_PPM / (burst * (NETSIM_PPM - def->loss_ppm));
        pipe->in_burst = happens(pipe, DRAW_LOSS, begins_ppm);
    }
    return pipe->in_burst;
}

static uint64_t delay_us(const netsim_def *def, const netsim_pipe *pipe, uint32_t copy) {
    uint32_t which = DRAW_JITTER + copy * JITTER_DRAWS;
    uint64_t span_us = 2 * def->jitter_us + 1;
    if (def->jitter == NETSIM_JITTER_EVEN) {
        return def->delay_us - def->jitter_us + drawn(pipe, which) % span_us;
    }
    uint64_t sum_us = 0;
    for (uint32_t i = 0; i < JITTER_DRAWS; i++) {
        sum_us += drawn(pipe, which + i) % span_us;
    }
    return def->delay_us - def->jitter_us + sum_us / JITTER_DRAWS;
}

// Moves *now_us on to the moment at which the pipe has taken the packet.
// @return false if it would have to wait too long.
static bool depart(const netsim_def *def, netsim_pipe *pipe, size_t bytes, uint64_t *now_us) {
    if (def->bytes_per_s == 0) {
        return true;
    }
    uint64_t begin_ns = *now_us * 1000;
    if (pipe->free_at_ns > begin_ns) {
        if (pipe->free_at_ns - begin_ns > def->queue_us * 1000) {
            return false;
        }
        begin_ns = pipe->free_at_ns;
    }
    pipe->free_at_ns = begin_ns + bytes * UINT64_C(1000000000) / def->bytes_per_s;
    *now_us = pipe->free_at_ns / 1000;
    return true;
}

uint32_t netsim_pass(const netsim_def *def, netsim_pipe *pipe, size_t bytes, uint64_t now_us,
                     uint64_t arrivals_us[NETSIM_COPIES_MAX]) {
    pipe->count.sent++;
    pipe->count.bytes += bytes;
    if (!depart(def, pipe, bytes, &now_us)) {
        pipe->count.dropped++;
        return 0;
    }
    if (is_lost(def, pipe)) {
        pipe->count.lost++;
        return 0;
    }
    uint32_t copies = happens(pipe, DRAW_DUPLICATE, def->duplicate_ppm) ? 2 : 1;
    pipe->count.doubled += copies - 1;
    for (uint32_t copy = 0; copy < copies; copy++) {
        arrivals_us[copy] = now_us + delay_us(def, pipe, copy);
        if (happens(pipe, DRAW_REORDER + copy, def->reorder_ppm)) {
            arrivals_us[copy] += def->reorder_us;
            pipe->count.held_back++;
        }
    }
    return copies;
}
