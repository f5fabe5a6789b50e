// Addresses that have shown by a cookie that they receive, and wait for their link: a dozen bytes
// each, so that a flood of good cookies costs a little memory that there always is. A newer one
// takes the place of an older one by chance, after some seconds at the fastest.
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "net/enet/connect_cookie.h"

enum { NET_SHOWN_CELLS = 1 << 16, NET_SHOWN_MS = 10000 };

typedef struct net_shown_cell {
    uint32_t tag;   // of address and peer id: with the cell's place 48 bits of a keyed hash
    uint16_t until; // in 64 ms
    uint16_t sequence, client_peer_id;
    uint8_t up_session, down_session;
} net_shown_cell;

typedef struct net_shown {
    net_shown_cell *cells;
    uint8_t key[16];
} net_shown;

apex_err net_shown_create(net_shown *shown);
void net_shown_destroy(net_shown *shown);

// From now on for NET_SHOWN_MS. What is known of the same address and peer id already stays: its
// client goes by the first answer.
void net_shown_note(net_shown *shown, const apex_udp_address *address, uint64_t now_us,
                    const net_verify *verify);
// @param verify of which peer_id and up_session are given, and the rest is completed. @return false
// if there is none.
bool net_shown_find(const net_shown *shown, const apex_udp_address *address, uint64_t now_us,
                    net_verify *verify);
void net_shown_forget(net_shown *shown, const apex_udp_address *address, uint16_t peer_id);
