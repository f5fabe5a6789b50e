/// The arithmetic of a bad network: what it does to packets, without sockets and without a clock.
/// `apex-client netsim` and the tests' link simulator share it, so that what a test finds in
/// virtual time can be tried again over real sockets.
///
/// A pipe is one direction of one connection. Everything that happens on it follows from its key
/// and from how many packets went before: not from other pipes, and not from how settings of
/// another kind are. So the same packets are lost on the same seed whatever the delay is.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NETSIM_PPM = 1000000, NETSIM_COPIES_MAX = 2 };

/// The distribution of jitter over -jitter..+jitter.
typedef enum netsim_jitter {
    NETSIM_JITTER_EVEN, ///< every value alike
    NETSIM_JITTER_BELL, ///< sum of four even ones: bell-shaped, deviates by 0.29 jitter
} netsim_jitter;

/// One direction. Shares are in millionths of the packets.
typedef struct netsim_def {
    uint64_t delay_us, jitter_us; ///< each packet takes delay - jitter to delay + jitter
    netsim_jitter jitter;
    uint32_t loss_ppm;
    uint32_t burst_packets; ///< losses come in runs of so many on average; 0, 1: each for itself
    uint32_t duplicate_ppm; ///< arrive twice, each copy after a delay of its own
    uint32_t reorder_ppm;   ///< held back by reorder_us, so that later ones overtake
    uint64_t reorder_us;
    uint64_t bytes_per_s; ///< that the pipe takes; 0: any. A packet that would wait ...
    uint64_t queue_us;    ///< ... longer than this for its turn is dropped
} netsim_def;

/// No delay, no loss; 60 ms for what is held back (snapshots come each 50), 200 ms of queue.
netsim_def netsim_default_def(void);
/// @return NULL, or what is wrong with it in a sentence for people.
const char *netsim_problem(const netsim_def *def);

typedef struct netsim_count {
    uint64_t sent, bytes; ///< put on the pipe; whatever became of them
    uint64_t lost;        ///< by chance
    uint64_t dropped;     ///< since the pipe was full
    uint64_t doubled;
    uint64_t held_back;
} netsim_count;

void netsim_count_add(netsim_count *sum, const netsim_count *more);

typedef struct netsim_pipe {
    uint64_t key;
    uint64_t free_at_ns; ///< when the pipe has taken what it has to take
    bool in_burst;
    netsim_count count;
} netsim_pipe;

netsim_pipe netsim_pipe_begin(uint64_t seed, uint32_t link, bool is_up);
/// Puts a packet into the pipe. @return the number of copies that will arrive, and when.
uint32_t netsim_pass(const netsim_def *def, netsim_pipe *pipe, size_t bytes, uint64_t now_us,
                     uint64_t arrivals_us[NETSIM_COPIES_MAX]);
