// How many strangers are answered. What comes first is; past that each household has an answer
// every few seconds, so that one who asks seldom is heard among those who ask all the time.
// Constant work and memory, from however many addresses they come.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "net/bucket.h"
#include "udp/udp.h"

enum {
    NET_ANSWERS_FREE_PER_S = 2000,
    NET_ANSWERS_FREE_BURST = 400,
    NET_ANSWERS_SHARED_PER_S = 11000, // some 5 us each on loopback, the kernel's part included
    NET_ANSWERS_SHARED_BURST = 200,
    NET_ANSWER_WAIT_MS = 5000, // of a household, between two of the shared ones
    NET_ANSWER_CELLS = 1 << 18,
    NET_ANSWER_ROWS = 2,
};

typedef struct net_answers {
    net_bucket free, shared;
    // Until when a household waits, under each of two hashes, in 64 ms: others may share one
    // of its two cells, hardly both.
    uint16_t *until[NET_ANSWER_ROWS];
    uint8_t key[16];
} net_answers;

apex_err net_answers_create(net_answers *answers);
void net_answers_destroy(net_answers *answers);
// @return whether this one is to be answered; then it counts as answered.
bool net_answers_take(net_answers *answers, const apex_udp_address *address, uint64_t now_us);
