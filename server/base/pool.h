/// A slot map without slots: which indices are live, and how often each was used. The things
/// themselves lie in the owner's own arrays. All state is one plain array in the caller's memory,
/// so a world can hash, save and restore it as bytes.

#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Index + 1, so that a zeroed reference is null. Owners wrap it in a handle type for each noun.
typedef struct apex_pool_ref {
    uint32_t index1;
    uint32_t generation;
} apex_pool_ref;

typedef struct apex_pool {
    uint32_t *generations; // [capacity], the caller's. Odd while the index is live, even while free
    uint32_t capacity;
    uint32_t live_count;  // follows from generations
    uint32_t lowest_free; // likewise; capacity when full
} apex_pool;

/// Zeroes generations[0..capacity).
void apex_pool_init(apex_pool *pool, uint32_t *generations, uint32_t capacity);

/// The lowest free index, so that the same calls give the same indices on every machine.
/// {0, 0} when full.
apex_pool_ref apex_pool_take(apex_pool *pool);

/// Asserts that the reference is live.
void apex_pool_give(apex_pool *pool, apex_pool_ref ref);

/// False for null, stale and out-of-range references: a client may send any numbers.
bool apex_pool_is_live(const apex_pool *pool, uint32_t index1, uint32_t generation);

/// For walks over all indices (index < capacity, not index1).
bool apex_pool_is_index_live(const apex_pool *pool, uint32_t index);

/// The reference that is live at an index; {0, 0} where none is.
apex_pool_ref apex_pool_ref_at(const apex_pool *pool, uint32_t index);

/// After generations were overwritten (restore): brings the rest of the pool in line.
void apex_pool_rebuild(apex_pool *pool);
