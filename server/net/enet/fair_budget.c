// A Bloom filter that forgets: a household waits while both of its cells say so. They lie side by
// side in the machine's memory, since looking them up is most of the work.
#include "net/enet/fair_budget.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum {
    UNIT_US = 64000,
    WAIT_MS_MAX = 1000000,
    GROUP_CELLS = 32, // a line of the cache
};

apex_err net_fair_create(net_fair_budget *budget, net_fair_rates rates) {
    APEX_ASSERT(rates.cells % GROUP_CELLS == 0 && rates.wait_ms <= WAIT_MS_MAX);
    *budget = (net_fair_budget){.rates = rates};
    randombytes_buf(budget->key, sizeof budget->key);
    budget->until =
        aligned_alloc(GROUP_CELLS * sizeof budget->until[0], rates.cells * sizeof budget->until[0]);
    if (budget->until == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    memset(budget->until, 0, rates.cells * sizeof budget->until[0]);
    return APEX_OK;
}

void net_fair_destroy(net_fair_budget *budget) {
    free(budget->until);
    budget->until = NULL;
}

static net_fair_asker asker_of(const apex_udp_address *address, net_fair_purpose purpose) {
    apex_udp_network household = apex_udp_subscriber_of(address);
    net_fair_asker asker = {.who = {0}};
    memcpy(asker.who, household.ip, sizeof household.ip);
    asker.who[sizeof household.ip] = (uint8_t)purpose;
    return asker;
}

static void find_cells(const net_fair_budget *budget, net_fair_asker *asker) {
    uint8_t hash[crypto_shorthash_BYTES];
    uint32_t words[2];
    _Static_assert(sizeof words == sizeof hash, "one for the group, one for the cells in it");
    crypto_shorthash(hash, asker->who, sizeof asker->who, budget->key);
    memcpy(words, hash, sizeof words);
    uint16_t *group = &budget->until[words[0] % (budget->rates.cells / GROUP_CELLS) * GROUP_CELLS];
    uint32_t first = words[1] % GROUP_CELLS;
    uint32_t apart = 1 + words[1] / GROUP_CELLS % (GROUP_CELLS - 1);
    asker->cells[0] = &group[first];
    asker->cells[1] = &group[(first + apart) % GROUP_CELLS];
}

void net_fair_expect(net_fair_budget *budget, const apex_udp_address *address,
                     net_fair_purpose purpose) {
    net_fair_asker *expected = &budget->expected;
    *expected = asker_of(address, purpose);
    find_cells(budget, expected);
    __builtin_prefetch(expected->cells[0], 1); // the other is in the same line
}

// Units wrap after 70 minutes. A cell from before then says now and then what it should not, which
// costs a household one wait.
static bool says_wait(uint16_t until, uint16_t now, uint16_t wait) {
    uint16_t left = (uint16_t)(until - now);
    return left > 0 && left <= wait;
}

bool net_fair_take(net_fair_budget *budget, const apex_udp_address *address,
                   net_fair_purpose purpose, uint64_t now_us) {
    const net_fair_rates *rates = &budget->rates;
    if (net_bucket_take(&budget->free, rates->free, 1, now_us)) {
        return true;
    }
    uint16_t now = (uint16_t)(now_us / UNIT_US);
    uint16_t wait = (uint16_t)(rates->wait_ms * 1000ull / UNIT_US);
    net_fair_asker asker = asker_of(address, purpose);
    if (memcmp(asker.who, budget->expected.who, sizeof asker.who) == 0 &&
        budget->expected.cells[0] != NULL) {
        asker = budget->expected;
    } else {
        find_cells(budget, &asker);
    }
    bool has_to_wait =
        says_wait(*asker.cells[0], now, wait) && says_wait(*asker.cells[1], now, wait);
    if (has_to_wait || !net_bucket_take(&budget->shared, rates->shared, 1, now_us)) {
        return false;
    }
    *asker.cells[0] = *asker.cells[1] = (uint16_t)(now + wait);
    return true;
}
