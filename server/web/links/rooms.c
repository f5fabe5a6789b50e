// Rooms: links by number, and what comes from them between two looks.
#include "web/links/rooms.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "web/links/link_outbox.h"
#include "web/links/socket.h"
#include "web/tls/relays.h"
#include "web/web_state.h"

enum {
    INBOX_MESSAGES_MAX = 64, ///< of a link between two looks; then its reading pauses
    INBOX_BYTES_MAX = 32 * 1024,
    ROOM_BYTES_MAX = 8 * 1024 * 1024, ///< likewise of a room
};

// An inbox always has room for the end of every link that is open, whatever memory there is.
static bool reserve_events(web_room *room, web_inbox *inbox, size_t more) {
    size_t needed = inbox->count + more + room->def.links_max;
    if (needed <= inbox->capacity) {
        return true;
    }
    size_t capacity = inbox->capacity * 2 > needed ? inbox->capacity * 2 : needed;
    apex_link_event *events = realloc(inbox->events, capacity * sizeof *events);
    if (events == NULL) {
        return false;
    }
    inbox->events = events;
    size_t *offsets = realloc(inbox->offsets, capacity * sizeof *offsets);
    if (offsets == NULL) {
        return false;
    }
    inbox->offsets = offsets;
    inbox->capacity = capacity;
    return true;
}

static bool reserve_bytes(web_inbox *inbox, size_t more) {
    size_t needed = inbox->length + more;
    if (needed <= inbox->bytes_capacity) {
        return true;
    }
    size_t capacity = inbox->bytes_capacity * 2 > needed ? inbox->bytes_capacity * 2 : needed;
    uint8_t *bytes = realloc(inbox->bytes, capacity);
    if (bytes == NULL) {
        return false;
    }
    inbox->bytes = bytes;
    inbox->bytes_capacity = capacity;
    return true;
}

static web_inbox *filling(web_room *room) {
    return &room->inboxes[room->filling];
}

static apex_link handle_of(const web_link *link) {
    const web_room *room = link->room;
    return (apex_link){(uint16_t)(room->def.link_base + 1u + (size_t)(link - room->links)),
                       link->generation};
}

static apex_link_event *push(web_link *link, apex_link_event_kind kind) {
    web_inbox *inbox = filling(link->room);
    APEX_ASSERT(inbox->count < inbox->capacity);
    inbox->offsets[inbox->count] = inbox->length;
    apex_link_event *event = &inbox->events[inbox->count++];
    *event =
        (apex_link_event){.kind = kind, .link = handle_of(link), .channel = APEX_CHANNEL_EITHER};
    return event;
}

void web_room_opened(web_link *link) {
    web_room *room = link->room;
    link->generation++;
    link->state = WEB_LINK_OPEN;
    link->progress_us = room->web->now_us;
    room->open++;
    room->web->counters[APEX_WEB_LINKS_OPENED]++;
    apex_link_event *event = push(link, APEX_LINK_OPENED);
    // How a visitor has come to a proxy is the proxy's to know.
    event->trust = link->relay != NULL && !link->is_proxied ? APEX_LINK_TLS : APEX_LINK_STREAM;
    web_format_address(&link->address, event->address);
}

static bool is_room_full(web_room *room) {
    return filling(room)->length > ROOM_BYTES_MAX;
}

bool web_room_bytes(web_link *link, const uint8_t *bytes, size_t length) {
    web_room *room = link->room;
    web_inbox *inbox = filling(room);
    if (!reserve_events(room, inbox, 1) || !reserve_bytes(inbox, length)) {
        return false;
    }
    apex_link_event *event = push(link, APEX_LINK_BYTES);
    event->length = length;
    if (length > 0) {
        memcpy(inbox->bytes + inbox->length, bytes, length);
    }
    inbox->length += length;
    link->waiting_messages++;
    link->waiting_bytes += (uint32_t)length;
    room->web->counters[APEX_WEB_MESSAGES_IN]++;
    room->web->counters[APEX_WEB_BYTES_IN] += length;
    if (link->waiting_messages >= INBOX_MESSAGES_MAX || link->waiting_bytes >= INBOX_BYTES_MAX ||
        is_room_full(room)) {
        web_socket_pause(link, true);
    }
    return true;
}

void web_room_closed(web_link *link) {
    web_room *room = link->room;
    apex_web *web = room->web;
    APEX_ASSERT(link->state >= WEB_LINK_OPEN && room->open > 0 && web->open > 0);
    push(link, APEX_LINK_CLOSED)->by_client = link->by_client;
    web_link_forget_unsent(link);
    web_address address = link->address;
    web_relay_hold(link->relay, NULL);
    *link = (web_link){.room = room, .generation = link->generation};
    room->open--;
    web->open--;
    web->counters[APEX_WEB_LINKS_CLOSED]++;
    web_gate_leave(&web->gate, &address);
}

// A link that is paused for its messages has some among those that are handed out now.
static void read_on(web_room *room, const web_inbox *inbox) {
    for (size_t i = 0; i < inbox->count; i++) {
        web_link *link = &room->links[inbox->events[i].link.index1 - room->def.link_base - 1];
        link->waiting_messages = 0;
        link->waiting_bytes = 0;
        if (link->is_paused && link->state < WEB_LINK_ENDED) {
            web_socket_pause(link, false);
        }
    }
}

size_t web_room_take(web_room *room, const apex_link_event **events) {
    web_inbox *inbox = filling(room);
    for (size_t i = 0; i < inbox->count; i++) {
        if (inbox->events[i].kind == APEX_LINK_BYTES) {
            inbox->events[i].bytes = inbox->bytes + inbox->offsets[i];
        }
    }
    room->filling ^= 1;
    filling(room)->count = 0;
    filling(room)->length = 0;
    read_on(room, inbox);
    *events = inbox->events;
    return inbox->count;
}

web_room *web_room_of(const web_rooms *rooms, apex_web_room room) {
    APEX_ASSERT(room.index1 >= 1 && room.index1 <= rooms->count);
    return rooms->at[room.index1 - 1];
}

web_room *web_room_of_path(const web_rooms *rooms, const char *path, const char **tail) {
    for (uint32_t i = 0; i < rooms->count; i++) {
        web_room *room = rooms->at[i];
        size_t length = strlen(room->def.path);
        bool is_open_ended = length > 0 && room->def.path[length - 1] == '/';
        if (strncmp(path, room->def.path, length) == 0 && (path[length] == '\0' || is_open_ended)) {
            *tail = path + length;
            return room;
        }
    }
    return NULL;
}

web_link *web_room_free_link(web_room *room) {
    web_inbox *inbox = filling(room);
    if (room->open == room->def.links_max || !reserve_events(room, inbox, 1)) {
        return NULL;
    }
    for (uint32_t i = 0; i < room->def.links_max; i++) {
        if (room->links[i].state == WEB_LINK_FREE) {
            return &room->links[i];
        }
    }
    return NULL;
}

web_link *web_room_link(web_room *room, apex_link handle) {
    uint32_t slot = (uint32_t)handle.index1 - room->def.link_base - 1u;
    if (handle.index1 <= room->def.link_base || slot >= room->def.links_max) {
        return NULL;
    }
    web_link *link = &room->links[slot];
    bool is_it = link->state >= WEB_LINK_OPEN && link->generation == handle.generation;
    return is_it ? link : NULL;
}

const char *apex_web_link_path(const apex_web *web, apex_web_room room, apex_link link) {
    const web_link *found = web_room_link(web_room_of(&web->rooms, room), link);
    return found != NULL ? found->tail : "";
}

bool apex_web_quality(const apex_web *web, apex_web_room room, apex_link link,
                      apex_link_quality *out) {
    const web_link *found = web_room_link(web_room_of(&web->rooms, room), link);
    return found != NULL && found->state == WEB_LINK_OPEN && !found->is_proxied &&
           web_socket_quality(found, out);
}

static void destroy_inbox(web_inbox *inbox) {
    free(inbox->events);
    free(inbox->offsets);
    free(inbox->bytes);
}

void web_room_destroy(web_room *room) {
    for (uint32_t i = 0; i < room->def.links_max && room->links != NULL; i++) {
        free(room->links[i].out);
    }
    destroy_inbox(&room->inboxes[0]);
    destroy_inbox(&room->inboxes[1]);
    free(room->links);
    free(room);
}

static web_room *create_room(apex_web *web, const apex_web_room_def *def) {
    web_room *room = calloc(1, sizeof *room);
    if (room == NULL) {
        return NULL;
    }
    room->web = web;
    room->def = *def;
    room->links = calloc(def->links_max, sizeof *room->links);
    // Two more than the promise, so that both inboxes begin with room for an opening.
    bool is_whole = room->links != NULL && reserve_events(room, &room->inboxes[0], 2) &&
                    reserve_events(room, &room->inboxes[1], 2);
    if (!is_whole) {
        web_room_destroy(room);
        return NULL;
    }
    for (uint32_t i = 0; i < def->links_max; i++) {
        room->links[i].room = room;
    }
    return room;
}

apex_err apex_web_open_room(apex_web *web, const apex_web_room_def *def, apex_web_room *out) {
    APEX_ASSERT(def->path[0] == '/' && memchr(def->path, '\0', sizeof def->path) != NULL);
    APEX_ASSERT(def->links_max >= 1 && def->link_base + def->links_max <= UINT16_MAX);
    if (web->rooms.count == APEX_WEB_ROOMS_MAX) {
        return APEX_ERR_FULL;
    }
    web_room *room = create_room(web, def);
    if (room == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    web->rooms.at[web->rooms.count++] = room;
    out->index1 = (uint16_t)web->rooms.count;
    return APEX_OK;
}
