// The queue is a binary heap, by time and then by the order of coming.
#include "client-lite/netsim/netsim_queue.h"

#include <stdlib.h>

static bool is_before(const netsim_due *a, const netsim_due *b) {
    return a->due_us != b->due_us ? a->due_us < b->due_us : a->serial < b->serial;
}

static bool grow(netsim_queue *queue) {
    size_t capacity = queue->capacity > 0 ? 2 * queue->capacity : 64;
    netsim_due *heap = realloc(queue->heap, capacity * sizeof *heap);
    if (heap == NULL) {
        return false;
    }
    queue->heap = heap;
    queue->capacity = capacity;
    return true;
}

bool netsim_queue_push(netsim_queue *queue, uint64_t due_us, uint32_t slot) {
    if (queue->count == queue->capacity && !grow(queue)) {
        return false;
    }
    netsim_due one = {.due_us = due_us, .serial = ++queue->serial, .slot = slot};
    netsim_due *heap = queue->heap;
    size_t at = queue->count++;
    for (; at > 0 && is_before(&one, &heap[(at - 1) / 2]); at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = one;
    return true;
}

bool netsim_queue_pop(netsim_queue *queue, uint64_t now_us, netsim_due *out) {
    netsim_due *heap = queue->heap;
    if (queue->count == 0 || heap[0].due_us > now_us) {
        return false;
    }
    *out = heap[0];
    netsim_due last = heap[--queue->count];
    size_t at = 0;
    for (size_t child = 1; child < queue->count; child = 2 * at + 1) {
        if (child + 1 < queue->count && is_before(&heap[child + 1], &heap[child])) {
            child++;
        }
        if (!is_before(&heap[child], &last)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return true;
}

void netsim_queue_free(netsim_queue *queue) {
    free(queue->heap);
    *queue = (netsim_queue){0};
}
