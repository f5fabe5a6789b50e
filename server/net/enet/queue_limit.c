// ENet keeps what a client does not acknowledge for as long as it acknowledges anything at all, and
// its queues have no bound. So a client gives up its link when its queue has not been seen empty
// for that many bytes; and where all together are too long that one goes whose queue has not been
// empty for longest. Queues of a few packets stay: what is sent to everybody lies in the heap once,
// and is counted for each.
#include "net/enet/queue_limit.h"

#include <malloc.h>

enum {
    LONG_BYTES = 16 * 1024 * 1024, // of all queues, of which the heap keeps pieces
    SHORT_BYTES = 1024 * 1024,
    SMALL_BYTES = 64 * 1024, // of a queue that does not give way
};

static void set_empty(apex_transport *transport, net_link_record *record) {
    transport->queued_bytes -= record->queued_bytes;
    record->queued_bytes = 0;
}

static bool is_empty(const apex_transport *transport, uint32_t slot) {
    return enet_list_empty(&net_enet_peer(transport, slot)->outgoingCommands);
}

// Its bytes are freed when it is disconnected, at the end of the next round.
static void give_up(apex_transport *transport, uint32_t slot) {
    net_links_set_fault(&transport->links, slot, APEX_REASON_TIMEOUT);
    set_empty(transport, &transport->links.records[slot]);
}

// @return whether `a` gives way before `b`.
static bool goes_first(const net_link_record *a, const net_link_record *b) {
    return b == NULL || a->queued_since_us < b->queued_since_us ||
           (a->queued_since_us == b->queued_since_us && a->queued_bytes > b->queued_bytes);
}

// @return whether there was one.
static bool let_one_give_way(apex_transport *transport) {
    const net_link_record *first = NULL;
    for (uint32_t slot = 0; slot < transport->links.capacity; slot++) {
        const net_link_record *record = &transport->links.records[slot];
        if (record->queued_bytes > SMALL_BYTES && goes_first(record, first)) {
            first = record;
        }
    }
    if (first != NULL) {
        give_up(transport, (uint32_t)(first - transport->links.records));
    }
    return first != NULL;
}

bool net_queue_add(apex_transport *transport, uint32_t slot, size_t bytes) {
    net_link_record *record = &transport->links.records[slot];
    if (record->fault != APEX_REASON_NONE) {
        return false;
    }
    if (is_empty(transport, slot)) {
        set_empty(transport, record);
    }
    if (record->queued_bytes == 0) {
        record->queued_since_us = transport->now_us;
    }
    record->queued_bytes += (uint32_t)bytes;
    transport->queued_bytes += bytes;
    if (record->queued_bytes > NET_QUEUE_BYTES_MAX) {
        give_up(transport, slot);
    }
    while (transport->queued_bytes > NET_QUEUES_BYTES_MAX && let_one_give_way(transport)) {}
    transport->had_long_queues = transport->had_long_queues || transport->queued_bytes > LONG_BYTES;
    return record->fault == APEX_REASON_NONE;
}

static void find_empty(apex_transport *transport) {
    for (uint32_t slot = 0; slot < transport->links.capacity; slot++) {
        net_link_record *record = &transport->links.records[slot];
        if (record->queued_bytes > 0 && is_empty(transport, slot)) {
            set_empty(transport, record);
        }
    }
}

void net_queues_give_back(apex_transport *transport) {
    if (!transport->had_long_queues) {
        return;
    }
    find_empty(transport);
    if (transport->queued_bytes < SHORT_BYTES && transport->links.faulty_count == 0) {
        transport->had_long_queues = false;
        malloc_trim(0);
    }
}
