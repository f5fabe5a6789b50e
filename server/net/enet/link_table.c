// The table of links: slots, their states, and the handles that outlive neither.
#include "net/enet/link_table.h"

#include <stdlib.h>

#include "base/assert.h"

apex_err net_links_create(net_links *links, uint32_t capacity) {
    *links = (net_links){.capacity = capacity};
    links->records = calloc(capacity, sizeof links->records[0]);
    links->free_bits = calloc(capacity / 64 + 1, sizeof links->free_bits[0]);
    if (links->records == NULL || links->free_bits == NULL) {
        net_links_destroy(links);
        return APEX_ERR_NO_MEMORY;
    }
    for (uint32_t slot = 0; slot < capacity; slot++) {
        links->free_bits[slot / 64] |= 1ull << slot % 64;
    }
    return APEX_OK;
}

void net_links_destroy(net_links *links) {
    free(links->records);
    free(links->free_bits);
    *links = (net_links){0};
}

apex_link net_links_handle(const net_links *links, uint32_t slot) {
    APEX_ASSERT(slot < links->capacity);
    return (apex_link){.index1 = (uint16_t)(slot + 1),
                       .generation = links->records[slot].generation};
}

bool net_links_slot(const net_links *links, apex_link link, uint32_t *slot) {
    if (link.index1 == 0 || link.index1 > links->capacity) {
        return false;
    }
    const net_link_record *record = &links->records[link.index1 - 1];
    *slot = (uint32_t)link.index1 - 1;
    return record->generation == link.generation &&
           (record->state == NET_LINK_OPEN || record->state == NET_LINK_CLOSING);
}

static net_link_record *enter(net_links *links, uint32_t slot, net_link_state state) {
    APEX_ASSERT(slot < links->capacity);
    net_link_record *record = &links->records[slot];
    links->half_open_count -= record->state == NET_LINK_HALF_OPEN;
    links->half_open_count += state == NET_LINK_HALF_OPEN;
    links->closing_count -= record->state == NET_LINK_CLOSING;
    links->closing_count += state == NET_LINK_CLOSING;
    links->faulty_count -= record->fault != APEX_REASON_NONE;
    record->fault = APEX_REASON_NONE;
    record->state = (uint8_t)state;
    uint64_t bit = 1ull << slot % 64;
    uint64_t *word = &links->free_bits[slot / 64];
    *word = state == NET_LINK_FREE ? *word | bit : *word & ~bit;
    return record;
}

uint32_t net_links_lowest_free(const net_links *links, uint32_t first, uint32_t end) {
    APEX_ASSERT(first <= end && end <= links->capacity);
    for (uint32_t base = first - first % 64; base < end; base += 64) {
        uint64_t word = links->free_bits[base / 64];
        if (base < first) {
            word &= UINT64_MAX << first % 64;
        }
        if (word != 0) {
            uint32_t slot = base + (uint32_t)__builtin_ctzll(word);
            return slot < end ? slot : end;
        }
    }
    return end;
}

uint32_t net_links_next_closing(const net_links *links, uint32_t from, uint32_t first,
                                uint32_t end) {
    APEX_ASSERT(first <= from && from <= end && end <= links->capacity);
    for (uint32_t i = 0; i < end - first && links->closing_count > 0; i++) {
        uint32_t slot = from + i < end ? from + i : from + i - (end - first);
        if (links->records[slot].state == NET_LINK_CLOSING) {
            return slot;
        }
    }
    return end;
}

void net_links_set_half_open(net_links *links, uint32_t slot, uint64_t deadline_us) {
    enter(links, slot, NET_LINK_HALF_OPEN)->deadline_us = deadline_us;
}

void net_links_set_open(net_links *links, uint32_t slot, uint64_t heard_us) {
    net_link_record *record = enter(links, slot, NET_LINK_OPEN);
    record->heard_us = heard_us;
    record->queued_bytes = 0;
    record->said_goodbye = false;
    record->is_doubtful = false;
    record->proof = 0;
    record->datagrams = record->commands = record->excess = record->lone = (net_bucket){0};
    // Zero is left out, so that no handle of a link is all zero but for its index.
    record->generation = (uint16_t)(record->generation + 1 + (record->generation == UINT16_MAX));
}

void net_links_set_closing(net_links *links, uint32_t slot, uint64_t deadline_us) {
    enter(links, slot, NET_LINK_CLOSING)->deadline_us = deadline_us;
}

void net_links_set_free(net_links *links, uint32_t slot) {
    enter(links, slot, NET_LINK_FREE);
}

void net_links_set_fault(net_links *links, uint32_t slot, apex_reason fault) {
    net_link_record *record = &links->records[slot];
    if (record->state == NET_LINK_OPEN && record->fault == APEX_REASON_NONE) {
        links->faulty_count++;
        record->fault = (uint8_t)fault;
    }
}
