// Limits of an address: how many connections it has, and how fast it opens new ones. The table is
// of fixed size: a client that floods from many addresses displaces the oldest that has nothing
// open, and nobody else.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "web/door/address.h"

typedef struct web_gate_entry {
    web_address address; // of IPv6 the first half: that much one house has
    uint32_t open;
    uint64_t used_until_us;  // it has used up its rate until then
    uint64_t asked_until_us; // likewise of requests
} web_gate_entry;

typedef struct web_gate {
    web_gate_entry *entries;
    uint32_t capacity; // a power of two
    uint64_t seed;
    uint32_t open_max; // of one address
    uint32_t per_s_max;
    uint32_t asks_per_s_max; // of one address; 200 to begin with
} web_gate;

typedef enum web_gate_verdict {
    WEB_GATE_OPEN,
    WEB_GATE_ADDRESS, // has its share
    WEB_GATE_RATE,    // is too fast
} web_gate_verdict;

// `open_max` and `per_s_max` are the caller's to set. @param total_max connections in all.
apex_err web_gate_create(web_gate *gate, uint32_t total_max);
void web_gate_destroy(web_gate *gate);
// Counts a connection of the address, if it may have one.
web_gate_verdict web_gate_enter(web_gate *gate, const web_address *address, uint64_t now_us);
// The same at any rate. @return false if it has its share.
bool web_gate_count(web_gate *gate, const web_address *address);
void web_gate_leave(web_gate *gate, const web_address *address);
// A connection of a proxy, which has as many as it needs. @return false if there is no place.
bool web_gate_enter_proxy(web_gate *gate, const web_address *address);
// @return whether an address may make one more request now; later else.
bool web_gate_ask(web_gate *gate, const web_address *address, uint64_t now_us);
// One that has a connection gets no new ones for some seconds.
void web_gate_punish(web_gate *gate, const web_address *address, uint64_t now_us);
