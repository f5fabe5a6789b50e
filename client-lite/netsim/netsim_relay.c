// Clients are found by address in a hash table; datagrams under way lie in slots.
#include "client-lite/netsim/netsim_relay.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "client-lite/netsim/netsim_queue.h"

// Indices are stored plus one, so that 0 is none.
typedef struct relay_client {
    netsim_address address;
    uint64_t heard_us;
    uint32_t generation;
    uint32_t next1; ///< of those that share a bucket, or of the free ones
    bool is_here;
    netsim_pipe up, down;
} relay_client;

typedef struct relay_slot {
    uint32_t client, generation;
    uint32_t next1; ///< of the free ones
    bool is_up;
    uint16_t length;
    uint8_t bytes[NETSIM_DATAGRAM_BYTES_MAX];
} relay_slot;

struct netsim_relay {
    netsim_relay_def def;
    relay_client *clients; ///< [clients_max]
    uint32_t *buckets;     ///< [bucket_count]
    uint32_t bucket_count; ///< a power of two
    uint32_t free_client1;
    relay_slot *slots; ///< grows up to datagrams_max
    uint32_t slot_count, slot_capacity, free_slot1;
    uint32_t given1; ///< the one that was handed out last
    netsim_queue queue;
    netsim_relay_count count;
};

apex_err netsim_relay_create(const netsim_relay_def *def, netsim_relay **out) {
    APEX_ASSERT(def->clients_max >= 1 && def->clients_max <= UINT16_MAX);
    APEX_ASSERT(def->datagrams_max >= 1 && netsim_problem(&def->pipe) == NULL);
    netsim_relay *relay = calloc(1, sizeof *relay);
    if (relay == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    relay->def = *def;
    relay->bucket_count = 2;
    while (relay->bucket_count < 2 * def->clients_max) {
        relay->bucket_count *= 2;
    }
    relay->clients = calloc(def->clients_max, sizeof *relay->clients);
    relay->buckets = calloc(relay->bucket_count, sizeof *relay->buckets);
    if (relay->clients == NULL || relay->buckets == NULL) {
        netsim_relay_destroy(relay);
        return APEX_ERR_NO_MEMORY;
    }
    for (uint32_t i = def->clients_max; i > 0; i--) {
        relay->clients[i - 1].next1 = relay->free_client1;
        relay->free_client1 = i;
    }
    *out = relay;
    return APEX_OK;
}

void netsim_relay_destroy(netsim_relay *relay) {
    if (relay == NULL) {
        return;
    }
    netsim_queue_free(&relay->queue);
    free(relay->slots);
    free(relay->buckets);
    free(relay->clients);
    free(relay);
}

static uint32_t *bucket_of(netsim_relay *relay, const netsim_address *address) {
    uint64_t words[3], hash = 0;
    _Static_assert(sizeof words == sizeof *address, "all of it, without padding");
    memcpy(words, address, sizeof words);
    for (size_t i = 0; i < 3; i++) {
        hash = (hash ^ (hash >> 32) ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    }
    return &relay->buckets[(hash >> 32) & (relay->bucket_count - 1)];
}

static uint32_t open_client(netsim_relay *relay, const netsim_address *address) {
    uint32_t taken1 = relay->free_client1;
    if (taken1 == 0) {
        relay->count.refused_clients++;
        return NETSIM_NOBODY;
    }
    relay_client *client = &relay->clients[taken1 - 1];
    relay->free_client1 = client->next1;
    uint32_t *bucket = bucket_of(relay, address);
    // The nth client that comes fares alike in every run, whatever its port is.
    uint32_t number = (uint32_t)relay->count.clients++;
    *client = (relay_client){.address = *address,
                             .generation = client->generation + 1,
                             .next1 = *bucket,
                             .is_here = true,
                             .up = netsim_pipe_begin(relay->def.seed, number, true),
                             .down = netsim_pipe_begin(relay->def.seed, number, false)};
    *bucket = taken1;
    relay->count.clients_now++;
    return taken1 - 1;
}

static bool is_at(const relay_client *client, const netsim_address *address) {
    return memcmp(&client->address, address, sizeof *address) == 0;
}

uint32_t netsim_relay_client(netsim_relay *relay, const netsim_address *address, bool *is_new,
                             uint64_t now_us) {
    uint32_t found1 = *bucket_of(relay, address);
    while (found1 != 0 && !is_at(&relay->clients[found1 - 1], address)) {
        found1 = relay->clients[found1 - 1].next1;
    }
    *is_new = found1 == 0;
    uint32_t client = found1 != 0 ? found1 - 1 : open_client(relay, address);
    if (client != NETSIM_NOBODY) {
        relay->clients[client].heard_us = now_us;
    }
    return client;
}

void netsim_relay_forget(netsim_relay *relay, uint32_t client) {
    relay_client *gone = &relay->clients[client];
    APEX_ASSERT(client < relay->def.clients_max && gone->is_here);
    uint32_t *link = bucket_of(relay, &gone->address);
    while (*link != client + 1) {
        link = &relay->clients[*link - 1].next1;
    }
    *link = gone->next1;
    netsim_count_add(&relay->count.up, &gone->up.count);
    netsim_count_add(&relay->count.down, &gone->down.count);
    gone->is_here = false;
    gone->next1 = relay->free_client1;
    relay->free_client1 = client + 1;
    relay->count.clients_now--;
}

uint32_t netsim_relay_forget_idle(netsim_relay *relay, uint64_t now_us) {
    for (uint32_t i = 0; i < relay->def.clients_max; i++) {
        const relay_client *client = &relay->clients[i];
        if (client->is_here && now_us - client->heard_us >= relay->def.idle_us) {
            netsim_relay_forget(relay, i);
            return i;
        }
    }
    return NETSIM_NOBODY;
}

static bool grow_slots(netsim_relay *relay) {
    uint32_t max = relay->def.datagrams_max;
    uint32_t capacity = relay->slot_capacity == 0 ? 64 : 2 * relay->slot_capacity;
    capacity = capacity < max ? capacity : max;
    if (capacity == relay->slot_capacity) {
        return false;
    }
    relay_slot *slots = realloc(relay->slots, capacity * sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    relay->slots = slots;
    relay->slot_capacity = capacity;
    return true;
}

static bool put_under_way(netsim_relay *relay, const netsim_datagram *datagram, uint64_t due_us) {
    uint32_t slot1 = relay->free_slot1;
    if (slot1 != 0) {
        relay->free_slot1 = relay->slots[slot1 - 1].next1;
    } else if (relay->slot_count < relay->slot_capacity || grow_slots(relay)) {
        slot1 = ++relay->slot_count;
    } else {
        return false;
    }
    relay_slot *slot = &relay->slots[slot1 - 1];
    slot->client = datagram->client;
    slot->generation = relay->clients[datagram->client].generation;
    slot->is_up = datagram->is_up;
    slot->length = (uint16_t)datagram->length;
    memcpy(slot->bytes, datagram->bytes, datagram->length);
    if (!netsim_queue_push(&relay->queue, due_us, slot1 - 1)) {
        slot->next1 = relay->free_slot1;
        relay->free_slot1 = slot1;
        return false;
    }
    return true;
}

void netsim_relay_take(netsim_relay *relay, const netsim_datagram *datagram, uint64_t now_us) {
    relay_client *client = &relay->clients[datagram->client];
    APEX_ASSERT(datagram->client < relay->def.clients_max && client->is_here);
    if (datagram->length > NETSIM_DATAGRAM_BYTES_MAX) {
        relay->count.refused_long++;
        return;
    }
    uint64_t arrivals_us[NETSIM_COPIES_MAX];
    uint32_t copies = netsim_pass(&relay->def.pipe, datagram->is_up ? &client->up : &client->down,
                                  NETSIM_HEADER_BYTES + datagram->length, now_us, arrivals_us);
    for (uint32_t i = 0; i < copies; i++) {
        relay->count.refused_under_way += !put_under_way(relay, datagram, arrivals_us[i]);
    }
}

static void release_given(netsim_relay *relay) {
    if (relay->given1 != 0) {
        relay->slots[relay->given1 - 1].next1 = relay->free_slot1;
        relay->free_slot1 = relay->given1;
        relay->given1 = 0;
    }
}

bool netsim_relay_give(netsim_relay *relay, uint64_t now_us, netsim_datagram *out) {
    release_given(relay);
    for (netsim_due due; netsim_queue_pop(&relay->queue, now_us, &due); release_given(relay)) {
        const relay_slot *slot = &relay->slots[due.slot];
        const relay_client *client = &relay->clients[slot->client];
        relay->given1 = due.slot + 1;
        if (client->is_here && client->generation == slot->generation) {
            relay->count.given_up += slot->is_up;
            relay->count.given_down += !slot->is_up;
            *out = (netsim_datagram){slot->client, slot->is_up, slot->bytes, slot->length};
            return true;
        }
    }
    return false;
}

bool netsim_relay_next_us(const netsim_relay *relay, uint64_t *due_us) {
    if (relay->queue.count == 0) {
        return false;
    }
    *due_us = relay->queue.heap[0].due_us;
    return true;
}

netsim_relay_count netsim_relay_counts(const netsim_relay *relay) {
    netsim_relay_count count = relay->count;
    for (uint32_t i = 0; i < relay->def.clients_max; i++) {
        if (relay->clients[i].is_here) {
            netsim_count_add(&count.up, &relay->clients[i].up.count);
            netsim_count_add(&count.down, &relay->clients[i].down.count);
        }
    }
    count.under_way = (uint32_t)relay->queue.count;
    return count;
}
