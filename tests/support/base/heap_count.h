// Counts calls of malloc, calloc, realloc, aligned_alloc, posix_memalign and free made by the whole
// process, all threads, by standing in front of the C library's. Link it only where it is used.

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct heap_count {
    uint64_t allocs; // malloc, calloc, realloc and the aligned ones
    uint64_t frees;
} heap_count;

// False under a sanitizer, which owns the heap itself: then nothing is counted and a test that
// asserts on counts must say so and skip.
bool heap_count_works(void);

void heap_count_start(void); // from zero
heap_count heap_count_stop(void);
