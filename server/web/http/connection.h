// A connection that speaks HTTP: its phase, its request and its answer.
#pragma once

#include <uv.h>

#include "web/door/address.h"
#include "web/door/request_head.h"
#include "web/http/body.h"
#include "web/tls/relay.h"
#include "web/web.h"

enum {
    WEB_ANSWER_HEAD_BYTES = 1024,
    WEB_REQUESTS_MAX = 64, // that wait to be taken
};

// A socket begins as a web_connection, which speaks HTTP; one that asks for a WebSocket goes over
// to libwebsockets and becomes a web_link.
typedef struct web_connection web_connection;

typedef enum web_phase {
    WEB_READING,   // a request
    WEB_RESTING,   // one has come, and there has been asked enough for now
    WEB_WAITING,   // for its answer
    WEB_WRITING,   // that
    WEB_LINGERING, // over what the client still sends, so that it can read our last words
} web_phase;

struct web_connection {
    uv_poll_t poll;
    uv_poll_cb on_event; // what takes the events of its socket
    apex_web *web;
    struct web_connection *previous, *next;
    int file;
    web_phase phase;
    bool is_closed;      // its memory waits for the loop
    bool keeps_alive;    // after the answer
    bool is_head_only;   // HEAD: without the body
    bool is_continued;   // 100 Continue has been said
    web_address address; // of the client that asks
    web_address peer;    // of the other end: the same, or a proxy's
    web_relay *relay;    // through which it speaks TLS, or NULL
    bool is_proxied;     // it is a trusted proxy's
    uint64_t since_us;   // of this phase; WRITING: of the last bytes that went out
    uint64_t began_us;   // WRITING: of all of it
    uint64_t request_id; // WAITING
    size_t in_length, request_length;
    size_t lingered_bytes;
    web_head head;
    char out_head[WEB_ANSWER_HEAD_BYTES];
    size_t out_head_length, sent;
    const uint8_t *body; // of the answer
    size_t body_length;
    web_body *shared; // the body, where it was copied
    struct web_connection *held_before, *held_after;
    bool is_held; // waits in line for a share of the loop's time
    uint8_t in[WEB_HEAD_BYTES + APEX_WEB_BODY_BYTES];
};

// All of them, and those whose requests wait to be taken.
typedef struct web_connections {
    web_connection *first;
    web_connection *requests[WEB_REQUESTS_MAX]; // oldest first
    uint32_t request_count;
    uint64_t last_request_id;
    uint64_t crowded_us; // when no connection could be closed for another
} web_connections;
