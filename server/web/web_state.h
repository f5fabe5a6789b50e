// The gateway as a whole: its parts, and what all of them share.
#pragma once

#include <uv.h>

#include "web/door/connection_gate.h"
#include "web/door/trusted_proxies.h"
#include "web/http/body.h"
#include "web/http/connection.h"
#include "web/http/turn.h"
#include "web/links/link.h"
#include "web/links/room.h"
#include "web/page_files/unpack.h"
#include "web/tls/tls.h"
#include "web/web.h"

enum { WEB_LISTENERS_MAX = 8 };

// The texts to which the definition's strings point.
typedef struct web_texts {
    char address[APEX_WEB_PATH_BYTES], origins[APEX_WEB_ORIGINS_BYTES], hosts[APEX_WEB_HOSTS_BYTES];
} web_texts;

// The sockets on which connections come: listeners.c.
typedef struct web_listening {
    uv_poll_t polls[WEB_LISTENERS_MAX];
    int files[WEB_LISTENERS_MAX];
    uint32_t count;
    uint16_t port;
    bool rests; // no file descriptor was free
} web_listening;

// The end of the gateway, round by round: web.c.
typedef struct web_farewell {
    uv_idle_t idle;
    bool has_begun;
    uint32_t rounds;
} web_farewell;

struct apex_web {
    apex_web_def def;
    web_texts texts;
    web_proxies proxies;
    uint64_t now_us, swept_us;
    uint64_t counters[APEX_WEB_COUNTERS];
    uint32_t open;         // connections and links
    uint32_t handles_open; // of ours, not of libwebsockets'

    web_listening listening;
    web_gate gate;
    web_tls tls;
    web_connections connections;
    web_turn turn;
    web_bodies bodies;
    web_plain plain;
    web_sockets sockets;
    web_rooms rooms;
    web_farewell farewell;
};
