// Counting connections and requests of each address in a table of fixed size.
#include "web/door/connection_gate.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/assert.h"
#include "base/hash.h"
#include "net/house.h"

enum {
    PROBES = 16, ///< places that an address may take
    SPARE = 8,   ///< times as many places as connections
    BURST_S = 5,
    REQUESTS_PER_S_MAX = 200, ///< of an address: a hall of viewers asks for less
};

apex_err web_gate_create(web_gate *gate, uint32_t total_max) {
    uint32_t capacity = 1024;
    while (capacity < total_max * SPARE) {
        capacity *= 2;
    }
    *gate = (web_gate){.capacity = capacity, .asks_per_s_max = REQUESTS_PER_S_MAX};
    gate->entries = calloc(capacity, sizeof *gate->entries);
    // A seed of our own keeps strangers from choosing who displaces whom.
    if (gate->entries == NULL || uv_random(NULL, NULL, &gate->seed, sizeof gate->seed, 0, NULL)) {
        web_gate_destroy(gate);
        return APEX_ERR_NO_MEMORY;
    }
    return APEX_OK;
}

void web_gate_destroy(web_gate *gate) {
    free(gate->entries);
    gate->entries = NULL;
}

static web_address house_of(const web_address *address) {
    apex_house house = apex_house_of_ip(address->bytes);
    web_address out;
    memcpy(out.bytes, house.bytes, sizeof out.bytes);
    return out;
}

// The address's own place, or else the one that is needed least. NULL if all have connections.
static web_gate_entry *find(web_gate *gate, const web_address *house) {
    uint64_t hash = apex_hash_bytes(house->bytes, sizeof house->bytes, gate->seed);
    web_gate_entry *least = NULL;
    for (uint32_t i = 0; i < PROBES; i++) {
        web_gate_entry *entry = &gate->entries[((uint32_t)hash + i) & (gate->capacity - 1)];
        if (memcmp(&entry->address, house, sizeof *house) == 0) {
            return entry;
        }
        if (entry->open == 0 && (least == NULL || entry->used_until_us < least->used_until_us)) {
            least = entry;
        }
    }
    if (least != NULL) {
        *least = (web_gate_entry){.address = *house};
    }
    return least;
}

static bool take(uint64_t *until_us, uint32_t per_s, uint64_t now_us) {
    uint64_t cost_us = 1000000 / per_s;
    uint64_t burst_us = (uint64_t)BURST_S * 1000000;
    uint64_t begin_us = *until_us > now_us ? *until_us : now_us;
    if (begin_us + cost_us > now_us + burst_us) {
        return false;
    }
    *until_us = begin_us + cost_us;
    return true;
}

web_gate_verdict web_gate_enter(web_gate *gate, const web_address *address, uint64_t now_us) {
    web_address house = house_of(address);
    web_gate_entry *entry = find(gate, &house);
    if (entry == NULL || entry->open >= gate->open_max) {
        return WEB_GATE_ADDRESS;
    }
    if (!take(&entry->used_until_us, gate->per_s_max, now_us)) {
        return WEB_GATE_RATE;
    }
    entry->open++;
    return WEB_GATE_OPEN;
}

bool web_gate_count(web_gate *gate, const web_address *address) {
    web_address house = house_of(address);
    web_gate_entry *entry = find(gate, &house);
    bool has_room = entry != NULL && entry->open < gate->open_max;
    if (has_room) {
        entry->open++;
    }
    return has_room;
}

bool web_gate_enter_proxy(web_gate *gate, const web_address *address) {
    web_address house = house_of(address);
    web_gate_entry *entry = find(gate, &house);
    if (entry != NULL) {
        entry->open++;
    }
    return entry != NULL;
}

void web_gate_leave(web_gate *gate, const web_address *address) {
    web_address house = house_of(address);
    web_gate_entry *entry = find(gate, &house);
    APEX_ASSERT(entry != NULL && entry->open > 0);
    entry->open--;
}

bool web_gate_ask(web_gate *gate, const web_address *address, uint64_t now_us) {
    web_address house = house_of(address);
    web_gate_entry *entry = find(gate, &house);
    return entry != NULL && take(&entry->asked_until_us, gate->asks_per_s_max, now_us);
}

void web_gate_punish(web_gate *gate, const web_address *address, uint64_t now_us) {
    web_address house = house_of(address);
    web_gate_entry *entry = find(gate, &house);
    APEX_ASSERT(entry != NULL && entry->open > 0);
    entry->used_until_us = now_us + (uint64_t)2 * BURST_S * 1000000;
}
