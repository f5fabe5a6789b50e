// An array of places, hash chains over them, and a list of those that wait, oldest first.
#include "net/enet/sealed_table.h"

#include <sodium.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { INDEX_BITS = 13, INDEX_MASK = (1 << INDEX_BITS) - 1 };

_Static_assert(offsetof(net_sealed, seal.receiver) == NET_SEALED_LINE_BYTES, "sending has a line");
_Static_assert(offsetof(net_sealed, seal.receiver.window) == 2 * NET_SEALED_LINE_BYTES,
               "and the newest datagram's key another");

apex_err net_sealed_create(net_sealed_table *table, uint32_t capacity) {
    APEX_ASSERT(capacity <= INDEX_MASK);
    uint32_t heads = 1;
    while (heads < capacity) {
        heads *= 2;
    }
    *table = (net_sealed_table){.capacity = capacity, .mask = heads - 1};
    size_t bytes = capacity * sizeof table->places[0];
    table->places = aligned_alloc(NET_SEALED_LINE_BYTES, bytes);
    table->heads = calloc(heads, sizeof table->heads[0]);
    if (table->places == NULL || table->heads == NULL) {
        net_sealed_destroy(table);
        return APEX_ERR_NO_MEMORY;
    }
    memset(table->places, 0, bytes);
    for (uint32_t i = capacity; i > 0; i--) {
        table->places[i - 1].next = table->free;
        table->free = i;
    }
    randombytes_buf(table->key, sizeof table->key);
    randombytes_buf(&table->made, sizeof table->made);
    return APEX_OK;
}

void net_sealed_destroy(net_sealed_table *table) {
    if (table->places != NULL) {
        sodium_memzero(table->places, table->capacity * sizeof table->places[0]);
    }
    free(table->places);
    free(table->heads);
    *table = (net_sealed_table){.capacity = 0};
}

uint32_t net_sealed_index(const net_sealed_table *table, const net_sealed *sealed) {
    return (uint32_t)(sealed - table->places) + 1;
}

net_sealed *net_sealed_of_number(const net_sealed_table *table, uint32_t number) {
    uint32_t index = number & INDEX_MASK;
    if (index == 0 || index > table->capacity) {
        return NULL;
    }
    net_sealed *sealed = &table->places[index - 1];
    return sealed->seal.number == number ? sealed : NULL;
}

void net_sealed_expect(const net_sealed_table *table, uint32_t number) {
    uint32_t index = number & INDEX_MASK;
    if (index == 0 || index > table->capacity) {
        return;
    }
    const net_sealed *sealed = &table->places[index - 1];
    for (size_t at = 0; at <= offsetof(net_sealed, slot1); at += NET_SEALED_LINE_BYTES) {
        __builtin_prefetch((const uint8_t *)sealed + at, 1);
    }
}

static uint32_t *head_of(const net_sealed_table *table,
                         const uint8_t open_key[APEX_SEAL_KEY_BYTES]) {
    uint8_t hash[crypto_shorthash_BYTES];
    uint32_t word = 0;
    crypto_shorthash(hash, open_key, APEX_SEAL_KEY_BYTES, table->key);
    memcpy(&word, hash, sizeof word);
    return &table->heads[word & table->mask];
}

net_sealed *net_sealed_of_open(const net_sealed_table *table,
                               const uint8_t open_key[APEX_SEAL_KEY_BYTES]) {
    uint32_t index = *head_of(table, open_key);
    while (index != 0 &&
           memcmp(table->places[index - 1].open_key, open_key, APEX_SEAL_KEY_BYTES) != 0) {
        index = table->places[index - 1].next;
    }
    return index != 0 ? &table->places[index - 1] : NULL;
}

static void begin_waiting(net_sealed_table *table, net_sealed *sealed) {
    uint32_t index = net_sealed_index(table, sealed);
    sealed->older = table->newest;
    sealed->newer = 0;
    if (table->newest != 0) {
        table->places[table->newest - 1].newer = index;
    } else {
        table->oldest = index;
    }
    table->newest = index;
}

static void end_waiting(net_sealed_table *table, net_sealed *sealed) {
    if (sealed->older != 0) {
        table->places[sealed->older - 1].newer = sealed->newer;
    } else {
        table->oldest = sealed->newer;
    }
    if (sealed->newer != 0) {
        table->places[sealed->newer - 1].older = sealed->older;
    } else {
        table->newest = sealed->older;
    }
}

net_sealed *net_sealed_add(net_sealed_table *table, const uint8_t open_key[APEX_SEAL_KEY_BYTES],
                           uint32_t *number) {
    if (table->free == 0 && table->oldest != 0) {
        net_sealed_remove(table, &table->places[table->oldest - 1]);
    }
    if (table->free == 0) {
        return NULL;
    }
    uint32_t index = table->free;
    net_sealed *sealed = &table->places[index - 1];
    uint32_t *head = head_of(table, open_key);
    table->free = sealed->next;
    *sealed = (net_sealed){.next = *head};
    memcpy(sealed->open_key, open_key, sizeof sealed->open_key);
    *head = index;
    begin_waiting(table, sealed);
    *number = ++table->made << INDEX_BITS | index;
    return sealed;
}

void net_sealed_set_link(net_sealed_table *table, net_sealed *sealed, uint32_t slot) {
    APEX_ASSERT(sealed->slot1 == 0);
    end_waiting(table, sealed);
    sealed->slot1 = slot + 1;
}

void net_sealed_remove(net_sealed_table *table, net_sealed *sealed) {
    uint32_t index = net_sealed_index(table, sealed);
    uint32_t *at = head_of(table, sealed->open_key);
    if (sealed->slot1 == 0) {
        end_waiting(table, sealed);
    }
    while (*at != index) {
        at = &table->places[*at - 1].next;
    }
    *at = sealed->next;
    sodium_memzero(sealed, sizeof *sealed);
    sealed->next = table->free;
    table->free = index;
}

void net_sealed_sweep(net_sealed_table *table, uint64_t now_us) {
    while (table->oldest != 0 && table->places[table->oldest - 1].deadline_us <= now_us) {
        net_sealed_remove(table, &table->places[table->oldest - 1]);
    }
}
