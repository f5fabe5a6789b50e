// Cookies for connecting: a keyed hash of the sender's address. A peer that can repeat one receives
// at that address, and the server has kept nothing for telling so.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "udp/udp.h"

enum { NET_COOKIE_KEY_BYTES = 16 };

// The time that a cookie is good for: at least one of these, at most two.
#define NET_COOKIE_EPOCH_US 10000000u

typedef struct net_cookies {
    uint8_t key[NET_COOKIE_KEY_BYTES];
} net_cookies;

// Never 0, which is what a client sends that knows of no cookie.
uint32_t net_cookie_make(const net_cookies *cookies, const apex_udp_address *address,
                         uint64_t now_us);
bool net_cookie_check(const net_cookies *cookies, const apex_udp_address *address, uint64_t now_us,
                      uint32_t cookie);
