// A rate for each house: of so many houses it is known how much of it they have used.
#pragma once

#include "net/bucket.h"
#include "net/house.h"

enum { NET_HOUSES = 256 };

typedef struct net_house_rates {
    struct {
        apex_house house;
        net_bucket bucket;
    } at[NET_HOUSES];
} net_house_rates;

// Takes one token of the house's, or none and returns false. A house that is not known takes the
// place of the one that has used least.
bool net_house_take(net_house_rates *rates, apex_house house, net_rate rate, uint64_t now_us);
