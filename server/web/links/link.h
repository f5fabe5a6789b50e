// A link: one WebSocket, with what of it is under way in both directions.
#pragma once

#include "web/door/address.h"
#include "web/tls/relay.h"
#include "web/web.h"

struct lws;
struct lws_context;
struct web_room;

typedef struct web_link web_link;

typedef enum web_link_state {
    WEB_LINK_FREE,
    WEB_LINK_OPENING, // its handshake is under way
    WEB_LINK_OPEN,
    WEB_LINK_ENDING, // takes no more packets, closes once all is written
    WEB_LINK_ENDED,  // all is said; nothing is read, and its end has to be reported
} web_link_state;

struct web_link {
    struct lws *socket;
    struct web_room *room;
    web_address address;
    uint16_t generation;
    uint8_t state;
    bool is_paused; // nothing is read
    bool is_choked; // the socket takes no more for now
    bool has_state; // among what is unsent are unreliable messages
    bool is_dirty;  // has been given packets in this call
    bool by_client;
    bool is_killed;
    web_relay *relay; // through which it speaks TLS, or NULL
    bool is_proxied;  // the other end of the connection is a trusted proxy
    uint16_t next_dirty1;
    uint32_t send_round;                      // in which it was last given unreliable messages
    uint32_t waiting_messages, waiting_bytes; // not yet handed out
    uint64_t progress_us; // when something was last written, or there was nothing to write; ENDED:
                          // since when it is
    uint64_t received_bytes; // when last looked, from the kernel
    uint64_t flood_bytes;    // of them, what time has not yet forgiven
    uint8_t *out;            // frames, from out_begin to out_end
    size_t out_begin, out_end;
    size_t in_length;
    uint8_t in[APEX_DATAGRAM_BYTES_MAX]; // of a message that has not yet come whole
    char tail[APEX_WEB_PATH_BYTES];
};

// libwebsockets, and the link of which it is making a WebSocket.
typedef struct web_sockets {
    struct lws_context *context;
    web_link *adopting;
} web_sockets;
