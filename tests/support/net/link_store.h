// The store of link_sim: items in lists, and those that are under way or wait for their time.

#ifndef APEX_TESTS_LINK_STORE_H
#define APEX_TESTS_LINK_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client-lite/netsim/netsim_queue.h"
#include "support/base/payload_pool.h"

typedef enum item_kind {
    ITEM_DATA,
    ITEM_FRAGMENT, // all but the last of a long message, which carries it all
    ITEM_OPEN,
    ITEM_CLOSE,
    ITEM_ACKNOWLEDGE,
    ITEM_RESEND,  // is not sent: it is time to look after what is unacknowledged
    ITEM_SILENCE, // likewise: the client has been silent for too long
} item_kind;

typedef struct item {
    item_kind kind;
    uint8_t channel;
    bool is_reliable;
    uint32_t sequence; // from 1, of reliable ones and of others apart; or the acknowledged one
    uint32_t length;
    payload *data;         // NULL, or held
    uint64_t resend_at_us; // reliable ones that are under way
    uint32_t resends;
} item;

typedef struct items {
    item *all;
    size_t count, capacity;
} items;

typedef struct transit {
    uint32_t client;
    uint32_t generation;
    bool is_up;
    item item;
    uint32_t next_free; // plus one
} transit;

typedef struct link_store {
    payload_pool pool;
    netsim_queue queue; // of slots in `transits`
    transit *transits;
    size_t transit_count, transit_capacity;
    uint32_t free_transit; // plus one
    uint64_t heap_calls;
} link_store;

void link_store_destroy(link_store *store);
// An array with more room.
void *link_store_grow(link_store *store, void *all, size_t *capacity, size_t bytes);

void items_add(link_store *store, items *list, item one);
void items_remove(link_store *store, items *list, size_t index);
void items_clear(link_store *store, items *list);

void link_store_put(link_store *store, uint64_t due_us, transit one);
// The next one that is due by then; its data is the caller's to drop.
bool link_store_take(link_store *store, uint64_t now_us, uint64_t *due_us, transit *out);

#endif
