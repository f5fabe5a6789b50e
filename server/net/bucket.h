// A token bucket that is one number: the time until which its owner has used up its rate.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct net_bucket {
    uint64_t used_until_us;
} net_bucket;

typedef struct net_rate {
    uint32_t per_s;
    uint32_t burst; // tokens that may be taken at once after a rest
} net_rate;

// Takes `count` tokens, or none and returns false.
bool net_bucket_take(net_bucket *bucket, net_rate rate, uint32_t count, uint64_t now_us);
