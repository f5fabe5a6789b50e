// Items share their data with a pool; those under way wait in a queue until they are due.
#include "support/net/link_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "support/base/payload_pool.h"

void *link_store_grow(link_store *store, void *all, size_t *capacity, size_t bytes) {
    *capacity = *capacity > 0 ? *capacity * 2 : 16;
    all = realloc(all, *capacity * bytes);
    APEX_ASSERT(all != NULL);
    store->heap_calls++;
    return all;
}

void link_store_destroy(link_store *store) {
    for (size_t i = 0; i < store->transit_count; i++) {
        payload_drop(&store->pool, store->transits[i].item.data);
    }
    payload_pool_destroy(&store->pool);
    netsim_queue_free(&store->queue);
    free(store->transits);
}

void items_add(link_store *store, items *list, item one) {
    if (list->count == list->capacity) {
        list->all = link_store_grow(store, list->all, &list->capacity, sizeof list->all[0]);
    }
    payload_share(one.data);
    list->all[list->count++] = one;
}

void items_remove(link_store *store, items *list, size_t index) {
    payload_drop(&store->pool, list->all[index].data);
    list->count--;
    memmove(&list->all[index], &list->all[index + 1], (list->count - index) * sizeof list->all[0]);
}

void items_clear(link_store *store, items *list) {
    for (size_t i = 0; i < list->count; i++) {
        payload_drop(&store->pool, list->all[i].data);
    }
    list->count = 0;
}

void link_store_put(link_store *store, uint64_t due_us, transit one) {
    uint32_t slot = store->free_transit;
    if (slot > 0) {
        store->free_transit = store->transits[slot - 1].next_free;
    } else {
        if (store->transit_count == store->transit_capacity) {
            store->transits = link_store_grow(store, store->transits, &store->transit_capacity,
                                              sizeof store->transits[0]);
        }
        slot = (uint32_t)++store->transit_count;
    }
    payload_share(one.item.data);
    store->transits[slot - 1] = one;
    size_t capacity = store->queue.capacity;
    bool is_pushed = netsim_queue_push(&store->queue, due_us, slot - 1);
    APEX_ASSERT(is_pushed);
    store->heap_calls += store->queue.capacity > capacity;
}

bool link_store_take(link_store *store, uint64_t now_us, uint64_t *due_us, transit *out) {
    netsim_due due;
    if (!netsim_queue_pop(&store->queue, now_us, &due)) {
        return false;
    }
    *due_us = due.due_us;
    *out = store->transits[due.slot];
    store->transits[due.slot] = (transit){.next_free = store->free_transit};
    store->free_transit = due.slot + 1;
    return true;
}
