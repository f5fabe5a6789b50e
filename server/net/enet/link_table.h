// The transport's links, a compact table of its slots: ENet's own peers are 456
// bytes each, too far apart for walking over all of them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "net/bucket.h"
#include "net/net.h"

typedef enum net_link_state {
    NET_LINK_FREE,
    NET_LINK_HALF_OPEN, // has asked to connect, and not yet shown that it gets our answers
    NET_LINK_OPEN,
    NET_LINK_CLOSING, // asked to disconnect; its end has not been reported yet
} net_link_state;

typedef struct net_link_record {
    uint64_t heard_us;        // OPEN: when the last datagram came, in time awake
    uint64_t doubted_us;      // OPEN, doubtful: since when, in time awake
    uint64_t queued_since_us; // when queued_bytes were 0 last
    uint64_t deadline_us;     // HALF_OPEN and CLOSING: when patience ends
    uint32_t endpoint;        // where it is, see endpoints.h; 0: nowhere
    uint32_t sealed1;         // the sealed connection that it is over, of its host; 0: none
    uint32_t next_slot1;      // of the links at that endpoint; 0: it is the last
    uint32_t queued_bytes;    // reliable ones given to ENet since its queue was last empty
    net_bucket datagrams, commands, excess; // OPEN: used of its rates, and what came past them
    net_bucket lone; // OPEN, plain: used of the rate of packets that come alone
    uint16_t generation;
    uint8_t state;
    bool said_goodbye; // OPEN, CLOSING: the client has disconnected; nobody else can have
    bool is_doubtful;  // OPEN: somebody has disconnected it, and the client was not heard since
    uint16_t told;     // the peer id by which the client speaks, see enet_proof.c
    uint16_t proof;    // of the VERIFY_CONNECT that the client has had and ENet not; 0: none
    uint8_t fault;     // the apex_reason for which to disconnect at the end of the round, or none
} net_link_record;

typedef struct net_links {
    net_link_record *records;
    uint64_t *free_bits; // one for each slot
    uint32_t capacity;
    uint32_t half_open_count, closing_count;
    uint32_t faulty_count;
} net_links;

apex_err net_links_create(net_links *links, uint32_t capacity);
void net_links_destroy(net_links *links);

apex_link net_links_handle(const net_links *links, uint32_t slot);
// False for null, stale and out-of-range links.
bool net_links_slot(const net_links *links, apex_link link, uint32_t *slot);

// The lowest free one from `first` on and before `end`; `end` if there is none.
uint32_t net_links_lowest_free(const net_links *links, uint32_t first, uint32_t end);

// Likewise one that is closing; looked for from `from` on, and then from `first`.
uint32_t net_links_next_closing(const net_links *links, uint32_t from, uint32_t first,
                                uint32_t end);

void net_links_set_half_open(net_links *links, uint32_t slot, uint64_t deadline_us);
void net_links_set_open(net_links *links, uint32_t slot, uint64_t heard_us);
void net_links_set_closing(net_links *links, uint32_t slot, uint64_t deadline_us);
void net_links_set_free(net_links *links, uint32_t slot);
void net_links_set_fault(net_links *links, uint32_t slot, apex_reason fault);
