// A pool of payloads, which counts the holders of each.
#include "support/base/payload_pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

payload *payload_new(payload_pool *pool, const uint8_t *bytes, size_t length) {
    uint32_t size_class = 0;
    while (((size_t)64 << size_class) < length) {
        size_class++;
    }
    APEX_ASSERT(size_class < PAYLOAD_CLASSES);
    payload *data = pool->free[size_class];
    if (data != NULL) {
        pool->free[size_class] = data->next;
    } else {
        data = malloc(sizeof *data + ((size_t)64 << size_class));
        APEX_ASSERT(data != NULL);
        pool->heap_calls++;
    }
    *data = (payload){.references = 1, .size_class = size_class, .length = (uint32_t)length};
    if (length > 0) {
        memcpy(data->bytes, bytes, length);
    }
    return data;
}

payload *payload_share(payload *data) {
    if (data != NULL) {
        data->references++;
    }
    return data;
}

void payload_drop(payload_pool *pool, payload *data) {
    if (data != NULL && --data->references == 0) {
        data->next = pool->free[data->size_class];
        pool->free[data->size_class] = data;
    }
}

void payload_pool_destroy(payload_pool *pool) {
    for (uint32_t i = 0; i < PAYLOAD_CLASSES; i++) {
        while (pool->free[i]) {
            payload *data = pool->free[i];
            pool->free[i] = data->next;
            free(data);
        }
    }
}
