// A connection that speaks TLS: between the client's socket, where all is in cipher, and one of a
// pair of our own, where it is plain. What speaks HTTP and WebSockets has the other of the pair,
// and need not know (DECISIONS 55).
#pragma once

#include <uv.h>

#include "web/door/address.h"

enum { WEB_RELAY_BYTES = 16 * 1024 }; // a record's most: one that was read leaves nothing behind

struct ssl_st;
struct apex_web;

typedef struct web_relay web_relay;
typedef void web_relay_fn(web_relay *relay);

typedef enum web_relay_phase {
    WEB_RELAY_HELLO,   // nothing has come yet
    WEB_RELAY_SHAKING, // hands
    WEB_RELAY_OPEN,
    WEB_RELAY_LAST, // our last words have gone out
} web_relay_phase;

// Bytes on their way in one direction.
typedef struct web_relay_bytes {
    size_t begin, end;
    bool is_over;   // no more come
    bool is_broken; // nobody takes them
    uint8_t at[WEB_RELAY_BYTES];
} web_relay_bytes;

struct web_relay {
    uv_poll_t outer_poll, inner_poll;
    struct apex_web *web;
    web_relay *previous, *next; // oldest first
    struct ssl_st *tls;
    int outer, inner; // sockets; inner: -1 before it is open
    int outer_wanted, inner_wanted;
    uint32_t handles_open;
    web_relay_phase phase;
    web_relay_fn *on_hello; // takes the events of its handshake
    bool is_waiting;        // its handshake, for a share of the loop's time
    bool is_closed;         // its memory waits for the loop
    bool read_wants_write;
    web_address address;
    web_relay **holder;       // who asks for the client's socket; NULL: nobody
    uint64_t since_us;        // of its phase
    uint64_t left_us;         // when the server's side was found to have ended; 0: not yet
    web_relay_bytes up, down; // to the server; to the client
};
