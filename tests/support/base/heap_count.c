// Calls of the heap, counted in front of the C library.
#include "support/base/heap_count.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HEAP_IS_THE_SANITIZERS 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HEAP_IS_THE_SANITIZERS 1
#endif

static _Atomic bool counting;
static _Atomic uint64_t alloc_count;
static _Atomic uint64_t free_count;

void heap_count_start(void) {
    alloc_count = 0;
    free_count = 0;
    counting = true;
}

heap_count heap_count_stop(void) {
    counting = false;
    return (heap_count){.allocs = alloc_count, .frees = free_count};
}

#ifdef HEAP_IS_THE_SANITIZERS

bool heap_count_works(void) {
    return false;
}

#else

bool heap_count_works(void) {
    return true;
}

// glibc's own names for its allocator. Found by dlsym they would not serve: dlsym allocates.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static void count_alloc(void) {
    if (atomic_load_explicit(&counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&alloc_count, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    count_alloc();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_alloc();
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    count_alloc();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count_alloc();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    count_alloc();
    if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    void *start = __libc_memalign(alignment, size);
    if (start == NULL) {
        return ENOMEM;
    }
    *block = start;
    return 0;
}

void free(void *block) {
    if (block != NULL && atomic_load_explicit(&counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&free_count, 1, memory_order_relaxed);
    }
    __libc_free(block);
}

#endif
