// A pool of indices: the lowest free one is taken first, on every machine.
#include "base/pool.h"
#include "base/assert.h"

#include <string.h>

// A generation's lowest bit says whether the index is live, so it takes 2^31 uses of one index
// until a stale reference is mistaken for a live one: at one a millisecond, 24 days of nothing but
// that. A live generation is odd and therefore never 0, the null reference.
static bool is_live_generation(uint32_t generation) {
    return (generation & 1) != 0;
}

static uint32_t next_free(const apex_pool *pool, uint32_t from) {
    uint32_t index = from;
    while (index < pool->capacity && is_live_generation(pool->generations[index])) {
        index++;
    }
    return index;
}

void apex_pool_init(apex_pool *pool, uint32_t *generations, uint32_t capacity) {
    // index1 has to fit.
    APEX_ASSERT(capacity < UINT32_MAX);
    if (capacity > 0) {
        memset(generations, 0, capacity * sizeof generations[0]);
    }
    *pool = (apex_pool){.generations = generations, .capacity = capacity};
}

apex_pool_ref apex_pool_take(apex_pool *pool) {
    uint32_t index = pool->lowest_free;
    if (index >= pool->capacity) {
        return (apex_pool_ref){0};
    }
    APEX_ASSERT(!is_live_generation(pool->generations[index]));
    pool->generations[index]++;
    pool->live_count++;
    pool->lowest_free = next_free(pool, index + 1);
    return (apex_pool_ref){.index1 = index + 1, .generation = pool->generations[index]};
}

void apex_pool_give(apex_pool *pool, apex_pool_ref ref) {
    APEX_ASSERT(apex_pool_is_live(pool, ref.index1, ref.generation));
    uint32_t index = ref.index1 - 1;
    pool->generations[index]++;
    pool->live_count--;
    if (index < pool->lowest_free) {
        pool->lowest_free = index;
    }
}

bool apex_pool_is_live(const apex_pool *pool, uint32_t index1, uint32_t generation) {
    // index1 0 wraps to the largest index, which no capacity reaches.
    uint32_t index = index1 - 1;
    return index < pool->capacity && is_live_generation(generation) &&
           pool->generations[index] == generation;
}

bool apex_pool_is_index_live(const apex_pool *pool, uint32_t index) {
    return index < pool->capacity && is_live_generation(pool->generations[index]);
}

apex_pool_ref apex_pool_ref_at(const apex_pool *pool, uint32_t index) {
    if (!apex_pool_is_index_live(pool, index)) {
        return (apex_pool_ref){0};
    }
    return (apex_pool_ref){.index1 = index + 1, .generation = pool->generations[index]};
}

void apex_pool_rebuild(apex_pool *pool) {
    pool->live_count = 0;
    for (uint32_t index = 0; index < pool->capacity; index++) {
        pool->live_count += pool->generations[index] & 1;
    }
    pool->lowest_free = next_free(pool, 0);
}
