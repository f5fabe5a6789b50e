// Proxies that are trusted to name the clients they ask for, and the names they give.
//
// X-Forwarded-For is read from its end, from named proxies alone (DECISIONS 35): web.proxies, none
// by default, not even loopback, as any program of the machine could claim any address. Text there
// that is no address is refused. A proxy's own connections are not limited but in all; requests,
// links and players behind it are, each address by itself.
#pragma once

#include "web/door/address.h"
#include "web/door/request_head.h"

enum { WEB_PROXIES_MAX = 16 };

typedef struct web_network {
    web_address address;
    uint32_t bits; // of it, from the first, that count
} web_network;

typedef struct web_proxies {
    uint32_t count;
    web_network networks[WEB_PROXIES_MAX];
} web_proxies;

// Addresses and networks, separated by blanks: "127.0.0.1 ::1 10.0.0.0/8".
// @return false if one of them is none, or there are too many.
bool web_proxies_parse(const char *text, web_proxies *out);
bool web_proxies_have(const web_proxies *proxies, const web_address *address);
// Reads the address of the client from X-Forwarded-For: each proxy puts the address that it was
// asked from behind what it got, so the last one that is no proxy of ours is what the last of ours
// saw; what stands before it anybody may have written.
// @param[in,out] address the connection's, a trusted proxy's; stays as it is if nothing is said.
// @return false if what the proxy says is no address.
bool web_proxies_read(const web_proxies *proxies, const web_head *head, web_address *address);
