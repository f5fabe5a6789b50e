// The store's validator: whether its ring holds the records that are still to be written. With
// validators on (base/assert.h) the worker asks it before it begins.
#include "store/store_validator.h"

static const char *check_ring(const apex_store *store) {
    if (store->committed > store->queued) {
        return "more records are on disk than there have been";
    }
    if (store->queued - store->committed >= STORE_RECORDS_MAX) {
        return "more records wait than the ring has room for";
    }
    if (store->directory[0] == '\0' && store->committed != store->queued) {
        return "records wait to be written nowhere";
    }
    for (uint64_t number = store->committed + 1; number <= store->queued; number++) {
        if (store->ring[number % STORE_RECORDS_MAX].number != number) {
            return "a record is not at the place of its number";
        }
    }
    return NULL;
}

// A record that waits is written by nobody, and its number once, before it does: the lock over the
// two ends is enough.
const char *store_validate(apex_store *store) {
    pthread_mutex_lock(&store->lock);
    const char *sentence = check_ring(store);
    pthread_mutex_unlock(&store->lock);
    return sentence;
}
