// Cookies for connecting, as TCP has them for its SYN: what ENet's VERIFY_CONNECT says and its
// acknowledgement says again is made of a keyed hash of the client's address. So the server can
// answer a CONNECT and keep nothing; whoever repeats the cookie receives at that address.
//
// Of the 34 bits that come back 12 hold the client's own peer id and 22 are the hash's: who guesses
// gets one link in two million tries, as he would by 0.1 s of patience at an address of his own.
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

// What a VERIFY_CONNECT says.
typedef struct net_verify {
    uint16_t peer_id;        // by which the client is to speak, 12 bits
    uint16_t client_peer_id; // by which it is to be spoken to, 12 bits
    uint8_t up_session;      // of the client's datagrams, 2 bits
    uint8_t down_session;    // of the server's
    uint16_t sequence;       // of the command
    uint16_t sent_time;      // of its datagram
} net_verify;

// Completes one of which both peer ids are given.
void net_cookie_make(const net_cookies *cookies, const apex_udp_address *address, uint64_t now_us,
                     net_verify *verify);
// Of an acknowledgement: peer_id, up_session, sequence and sent_time are given, and the rest is
// completed. False if it was not made for that address, or too long ago.
bool net_cookie_check(const net_cookies *cookies, const apex_udp_address *address, uint64_t now_us,
                      net_verify *verify);
// A number of the address that strangers cannot foresee.
uint32_t net_cookie_hash(const net_cookies *cookies, const apex_udp_address *address);
