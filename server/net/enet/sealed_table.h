// The sealed connections of a host: found by their number, by the OPEN that they began with, and by
// age while nobody has a link over them yet.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "seal/seal.h"
#include "udp/udp.h"

enum { NET_SEALED_LINE_BYTES = 64 };

// What each datagram needs comes first: sealing reads one line of the cache, opening five of the
// first six.
typedef struct net_sealed {
    _Alignas(NET_SEALED_LINE_BYTES) apex_seal seal; // its number is 0 while the place is free
    apex_udp_address address;                       // from which the newest genuine datagram came
    uint32_t slot1;                                 // its link; 0: none yet
    uint8_t open_key[APEX_SEAL_KEY_BYTES];
    uint8_t accept[APEX_SEAL_HANDSHAKE_BYTES]; // the answer, which is repeated when it is asked for
    uint8_t accept_length;
    uint64_t deadline_us;  // until when there has to be one
    uint32_t next;         // of the same hash of open_key, or of the free ones
    uint32_t older, newer; // of those without a link
} net_sealed;

// Indexes begin with 1; 0 is none.
typedef struct net_sealed_table {
    net_sealed *places;
    uint32_t *heads; // of hash chains
    uint32_t capacity, mask;
    uint32_t free, oldest, newest;
    uint32_t made; // so far, by which numbers never come twice in a row
    uint8_t key[16];
} net_sealed_table;

apex_err net_sealed_create(net_sealed_table *table, uint32_t capacity);
void net_sealed_destroy(net_sealed_table *table);

uint32_t net_sealed_index(const net_sealed_table *table, const net_sealed *sealed);

// NULL if there is none of this number now.
net_sealed *net_sealed_of_number(const net_sealed_table *table, uint32_t number);
// Has the memory fetch what opening a datagram of this number will read.
void net_sealed_expect(const net_sealed_table *table, uint32_t number);
net_sealed *net_sealed_of_open(const net_sealed_table *table,
                               const uint8_t open_key[APEX_SEAL_KEY_BYTES]);

// A place for a new connection, and the number that it is to have. Where all are taken, the one
// that has waited longest for a link gives way. NULL if all have links.
net_sealed *net_sealed_add(net_sealed_table *table, const uint8_t open_key[APEX_SEAL_KEY_BYTES],
                           uint32_t *number);
// It has a link from now on, and no longer gives way.
void net_sealed_set_link(net_sealed_table *table, net_sealed *sealed, uint32_t slot);
void net_sealed_remove(net_sealed_table *table, net_sealed *sealed);
// Removes those whose time for a link is over.
void net_sealed_sweep(net_sealed_table *table, uint64_t now_us);
