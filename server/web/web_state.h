// What the whole gateway has: how it is defined, what time it is, what it counts, and who is there.
#pragma once

#include <uv.h>

#include "web/door/connection_gate.h"
#include "web/door/trusted_proxies.h"
#include "web/http/body.h"
#include "web/page_files/unpack.h"
#include "web/web.h"

struct lws_context;

// A socket begins as a web_connection, which speaks HTTP; one that asks for a WebSocket goes over
// to libwebsockets and becomes a web_link.
typedef struct web_connection web_connection;
typedef struct web_link web_link;
typedef struct web_room web_room;

enum {
    WEB_LISTENERS_MAX = 8,
    WEB_REQUESTS_MAX = 64, ///< that wait to be taken
};

// What has been done since the last look, and who waits for the next.
typedef struct web_turn {
    uint32_t requests;
    size_t written_bytes;
    web_connection *first, *last; // in line
} web_turn;

struct apex_web {
    apex_web_def def;
    char address[APEX_WEB_PATH_BYTES], origins[APEX_WEB_ORIGINS_BYTES], hosts[APEX_WEB_HOSTS_BYTES];
    web_proxies proxies;
    uint16_t port;
    uint64_t now_us, swept_us;
    uint64_t crowded_us; // when no connection could be closed for another
    uint64_t counters[APEX_WEB_COUNTERS];

    uv_poll_t listeners[WEB_LISTENERS_MAX];
    int listener_files[WEB_LISTENERS_MAX];
    uint32_t listener_count;
    bool listening_rests; // no file descriptor was free
    web_gate gate;
    uint32_t open; // connections and links

    web_connection *connections;
    web_connection *requests[WEB_REQUESTS_MAX]; // oldest first
    uint32_t request_count;
    uint64_t last_request_id;
    web_bodies bodies;
    web_plain plain;
    web_turn turn;

    struct lws_context *sockets;
    web_link *adopting;
    web_room *rooms[APEX_WEB_ROOMS_MAX];
    uint32_t room_count;
    uint32_t send_round;
    size_t out_capacity; // of a link
    size_t unsent_bytes; // of all links

    uv_idle_t farewell; // sees to the end, see web.c
    bool is_ending;
    uint32_t ending_rounds;
    uint32_t handles_open; // of ours, not of libwebsockets'
};
