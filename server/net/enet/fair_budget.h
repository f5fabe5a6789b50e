// A rate that strangers share. What comes first is served; past that each household is once every
// few seconds for each purpose, so that one who asks seldom is served among those who ask all the
// time. Constant work and memory, from however many addresses they come.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "net/bucket.h"
#include "udp/udp.h"

// What is asked for. A household has its turn for each of these.
typedef enum net_fair_purpose {
    NET_FAIR_PLAIN,
    NET_FAIR_SEALED,
} net_fair_purpose;

typedef struct net_fair_rates {
    net_rate free;    // for who comes first
    net_rate shared;  // for households that have not been served by it lately
    uint32_t wait_ms; // of a household between two of the shared ones; 1,000,000 at most
    uint32_t cells;   // some ten for each household that is served while one waits
} net_fair_rates;

// Whom a budget will be asked for next, and where it will look.
typedef struct net_fair_asker {
    uint8_t who[APEX_UDP_IP_BYTES + 1]; // the household, and what for
    uint16_t *cells[2];
} net_fair_asker;

typedef struct net_fair_budget {
    net_fair_rates rates;
    net_bucket free, shared;
    net_fair_asker expected;
    uint16_t *until; // [cells] when a household has waited, in 64 ms, in two of them: others may
                     // share one, hardly both
    uint8_t key[16];
} net_fair_budget;

apex_err net_fair_create(net_fair_budget *budget, net_fair_rates rates);
void net_fair_destroy(net_fair_budget *budget);
// Has the memory fetch what taking by this one will read.
void net_fair_expect(net_fair_budget *budget, const apex_udp_address *address,
                     net_fair_purpose purpose);
// @return whether this one is to be served; then it counts as served.
bool net_fair_take(net_fair_budget *budget, const apex_udp_address *address,
                   net_fair_purpose purpose, uint64_t now_us);
