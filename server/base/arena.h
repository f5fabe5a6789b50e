/// A bump allocator over one block: what has one lifetime (a tick, a race) is freed by one reset.

#pragma once

#include "base/error.h"

#include <stddef.h>

/// A cache line, and the widest vector that physics uses.
#define APEX_ARENA_ALIGN 64

typedef struct apex_arena {
    unsigned char *block;
    size_t capacity;   // bytes
    size_t used;       // bytes, padding included
    size_t high_water; // the most that was ever used, resets included; for sizing and metrics
} apex_arena;

/// Takes one block of `capacity` bytes (rounded up to APEX_ARENA_ALIGN) from the heap.
/// APEX_ERR_NO_MEMORY leaves an arena that is always full and may be destroyed.
apex_err apex_arena_create(apex_arena *arena, size_t capacity);

/// Frees the block and zeroes the arena. Fine for a zeroed arena.
void apex_arena_destroy(apex_arena *arena);

/// Aligned to APEX_ARENA_ALIGN, contents undefined. NULL when it does not fit, and then nothing
/// has changed: a full arena is an operating error and the caller's to answer. 0 bytes give a
/// pointer that must not be read.
void *apex_arena_alloc(apex_arena *arena, size_t bytes);

/// count * size bytes, zeroed. NULL also when the product overflows.
void *apex_arena_alloc_zero(apex_arena *arena, size_t count, size_t size);

/// Everything handed out becomes invalid.
void apex_arena_reset(apex_arena *arena);
