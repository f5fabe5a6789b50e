// Bytes that are in several places at once: resent, doubled, under way. A payload that nobody holds
// any more is used again, so that a packet costs no heap call once the pool has grown to what is
// under way.

#ifndef APEX_TESTS_PAYLOAD_POOL_H
#define APEX_TESTS_PAYLOAD_POOL_H

#include <stddef.h>
#include <stdint.h>

typedef struct payload {
    struct payload *next; // while it is free
    uint32_t references;
    uint32_t size_class; // room for 64 << size_class bytes
    uint32_t length;
    uint8_t bytes[];
} payload;

enum { PAYLOAD_CLASSES = 20 };

typedef struct payload_pool {
    payload *free[PAYLOAD_CLASSES];
    uint64_t heap_calls;
} payload_pool;

// Held once.
payload *payload_new(payload_pool *pool, const uint8_t *bytes, size_t length);
payload *payload_share(payload *data);                // NULL is fine
void payload_drop(payload_pool *pool, payload *data); // NULL is fine
void payload_pool_destroy(payload_pool *pool);        // of what is free

#endif
