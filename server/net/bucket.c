// Taking tokens from a bucket.
#include "net/bucket.h"

#include "base/assert.h"

static const uint64_t us_per_s = 1000000;

bool net_bucket_take(net_bucket *bucket, net_rate rate, uint32_t count, uint64_t now_us) {
    APEX_ASSERT(rate.per_s > 0);
    uint64_t cost_us = count * us_per_s / rate.per_s;
    uint64_t burst_us = rate.burst * us_per_s / rate.per_s;
    uint64_t begin_us = bucket->used_until_us > now_us ? bucket->used_until_us : now_us;
    if (begin_us + cost_us > now_us + burst_us) {
        return false;
    }
    bucket->used_until_us = begin_us + cost_us;
    return true;
}
