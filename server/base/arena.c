// An arena: one block from the operating system, given out from its beginning.
#include "base/arena.h"
#include "base/assert.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool round_up(size_t bytes, size_t *rounded) {
    if (bytes > SIZE_MAX - (APEX_ARENA_ALIGN - 1)) {
        return false;
    }
    *rounded = (bytes + APEX_ARENA_ALIGN - 1) & ~(size_t)(APEX_ARENA_ALIGN - 1);
    return true;
}

apex_err apex_arena_create(apex_arena *arena, size_t capacity) {
    *arena = (apex_arena){0};
    size_t rounded = 0;
    if (!round_up(capacity, &rounded)) {
        return APEX_ERR_NO_MEMORY;
    }
    // At least one line, because what aligned_alloc returns for 0 bytes is anybody's guess.
    arena->block = aligned_alloc(APEX_ARENA_ALIGN, rounded > 0 ? rounded : APEX_ARENA_ALIGN);
    if (arena->block == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    arena->capacity = rounded;
    return APEX_OK;
}

void apex_arena_destroy(apex_arena *arena) {
    free(arena->block);
    *arena = (apex_arena){0};
}

void *apex_arena_alloc(apex_arena *arena, size_t bytes) {
    APEX_ASSERT(arena->used <= arena->capacity);
    size_t rounded = 0;
    if (arena->block == NULL || !round_up(bytes, &rounded) ||
        rounded > arena->capacity - arena->used) {
        return NULL;
    }
    void *start = arena->block + arena->used;
    arena->used += rounded;
    if (arena->used > arena->high_water) {
        arena->high_water = arena->used;
    }
    return start;
}

void *apex_arena_alloc_zero(apex_arena *arena, size_t count, size_t size) {
    if (size > 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *start = apex_arena_alloc(arena, count * size);
    if (start != NULL) {
        memset(start, 0, count * size);
    }
    return start;
}

void apex_arena_reset(apex_arena *arena) {
    arena->used = 0;
}
