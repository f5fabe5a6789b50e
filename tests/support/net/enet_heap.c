// Each block carries its size in front of it, so that the total is known at every moment.
#include "support/net/enet_heap.h"

#include <enet/enet.h>
#include <stdlib.h>

#include "base/assert.h"

// In front of each block, as wide as malloc's alignment.
typedef struct heap_header {
    _Alignas(max_align_t) size_t bytes;
} heap_header;

static size_t held_bytes;
static size_t peak_bytes;

static void *counted_malloc(size_t bytes) {
    heap_header *header = malloc(sizeof *header + bytes);
    if (header == NULL) {
        return NULL;
    }
    header->bytes = bytes;
    held_bytes += bytes;
    if (held_bytes > peak_bytes) {
        peak_bytes = held_bytes;
    }
    return header + 1;
}

static void counted_free(void *block) {
    if (block != NULL) {
        heap_header *header = (heap_header *)block - 1;
        held_bytes -= header->bytes;
        free(header);
    }
}

void enet_heap_watch(void) {
    ENetCallbacks callbacks = {counted_malloc, counted_free, abort};
    APEX_ASSERT(enet_initialize_with_callbacks(ENET_VERSION, &callbacks) == 0);
}

size_t enet_heap_bytes(void) {
    return held_bytes;
}

size_t enet_heap_bytes_peak(void) {
    return peak_bytes;
}

void enet_heap_reset_peak(void) {
    peak_bytes = held_bytes;
}
