// Where the links are: an entry for each address and port that has one, found by either, and a
// count for each household (apex_udp_subscriber_of). All in constant time, whatever strangers send.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "udp/udp.h"

enum { NET_ENDPOINT_NONE = 0 };

typedef struct net_endpoint {
    apex_udp_address address;
    uint32_t links;       // 0: the entry is free
    uint32_t first_slot1; // of its links, see net_link_record; 0: none
    uint32_t next;        // in its hash chain, or of the free ones
    uint32_t household;   // index of its count
} net_endpoint;

// The links of one household.
typedef struct net_household {
    apex_udp_network network;
    uint32_t links; // 0: the entry is free
    uint32_t next;
} net_household;

// Indexes begin with 1, so that 0 is none. Both tables have an entry for each link at most.
typedef struct net_endpoints {
    net_endpoint *endpoints;
    net_household *households;
    uint32_t *endpoint_heads, *household_heads; // of hash chains
    uint32_t capacity, mask;
    uint32_t free_endpoint, free_household;
    uint8_t key[16]; // of the hash: who knows it could fill one chain
} net_endpoints;

apex_err net_endpoints_create(net_endpoints *table, uint32_t links_max);
void net_endpoints_destroy(net_endpoints *table);

// NET_ENDPOINT_NONE if no link is there.
uint32_t net_endpoints_find(const net_endpoints *table, const apex_udp_address *address);
uint32_t net_endpoints_of_household(const net_endpoints *table, const apex_udp_address *address);
// One more link there. @return its index; there is room for as many as links_max.
uint32_t net_endpoints_add(net_endpoints *table, const apex_udp_address *address);
// One link less.
void net_endpoints_remove(net_endpoints *table, uint32_t index);

static inline net_endpoint *net_endpoints_at(const net_endpoints *table, uint32_t index) {
    return &table->endpoints[index - 1];
}
