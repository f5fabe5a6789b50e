/// A queue of datagrams under way, by when they arrive; each names a slot of its owner's.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct netsim_due {
    uint64_t due_us;
    uint64_t serial; ///< of those due at once the first to be pushed is the first to arrive
    uint32_t slot;
} netsim_due;

typedef struct netsim_queue {
    netsim_due *heap;
    size_t count, capacity;
    uint64_t serial;
} netsim_queue;

/// @return false when out of memory.
bool netsim_queue_push(netsim_queue *queue, uint64_t due_us, uint32_t slot);
/// Takes the next one out. @return false if nothing is due by then.
bool netsim_queue_pop(netsim_queue *queue, uint64_t now_us, netsim_due *out);
void netsim_queue_free(netsim_queue *queue);
