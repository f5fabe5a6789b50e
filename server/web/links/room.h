// A room: links by number, and what has come from them.
#pragma once

#include "web/links/link.h"

// Events between two looks. Bytes may still move, so events hold where theirs begin.
typedef struct web_inbox {
    apex_link_event *events;
    size_t *offsets;
    size_t count, capacity;
    uint8_t *bytes;
    size_t length, bytes_capacity;
} web_inbox;

typedef struct web_room {
    apex_web *web;
    apex_web_room_def def;
    web_link *links;
    uint32_t open;
    web_inbox inboxes[2];
    uint8_t filling; // which of them is
} web_room;

typedef struct web_rooms {
    web_room *at[APEX_WEB_ROOMS_MAX];
    uint32_t count;
    uint32_t send_round;
    size_t out_capacity; // of a link
    size_t unsent_bytes; // of all links
} web_rooms;
