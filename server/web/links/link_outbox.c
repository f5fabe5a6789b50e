// What goes out to links. A link's frames lie in one stretch of bytes that is written in pieces; a
// slow reader is spared snapshots for as long as it has not got the last one.
#include "web/web_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum {
    PIECE_BYTES_MAX = 16 * 1024,    ///< written at a time: so much libwebsockets may have to keep
    KEPT_BYTES_MAX = 128 * 1024,    ///< of an outbox that is empty
    FLOOD_BYTES_PER_S = 256 * 1024, ///< that come, whatever they are: four times what may be said
    FLOOD_BURST_BYTES = 256 * 1024,
    LAST_WORDS_US = 300000, ///< until the connection of a link that has ended is cut
    OPCODE_BINARY = 0x82,   ///< the last frame of a binary message
};

// --- The queue -----------------------------------------------------------------------------------

static size_t unsent(const web_link *link) {
    return link->out_end - link->out_begin;
}

// Memory for all that may ever wait, which the kernel gives only when it is touched.
static bool reserve(web_link *link, size_t more) {
    size_t capacity = link->room->web->out_capacity;
    if (link->out == NULL) {
        link->out = malloc(capacity);
        if (link->out == NULL) {
            return false;
        }
    }
    if (link->out_end + more > capacity) {
        memmove(link->out, link->out + link->out_begin, unsent(link));
        link->out_end -= link->out_begin;
        link->out_begin = 0;
    }
    return link->out_end + more <= capacity;
}

static size_t write_frame_head(uint8_t *out, size_t length) {
    out[0] = OPCODE_BINARY;
    if (length < 126) {
        out[1] = (uint8_t)length;
        return 2;
    }
    size_t bytes = length <= UINT16_MAX ? 2 : 8;
    out[1] = bytes == 2 ? 126 : 127;
    for (size_t i = 0; i < bytes; i++) {
        out[2 + i] = (uint8_t)((uint64_t)length >> 8 * (bytes - 1 - i));
    }
    return 2 + bytes;
}

static void append(web_link *link, const apex_link_packet *packet) {
    apex_web *web = link->room->web;
    if (unsent(link) == 0 && !link->is_choked) {
        link->progress_us = web->now_us; // from now on there is something to make progress with
    }
    uint8_t *out = link->out + link->out_end;
    size_t head = write_frame_head(out, packet->length);
    memcpy(out + head, packet->bytes, packet->length);
    link->out_end += head + packet->length;
    web->unsent_bytes += head + packet->length;
    web->counters[APEX_WEB_MESSAGES_OUT]++;
    web->counters[APEX_WEB_BYTES_OUT] += packet->length;
}

// A thousand links that ask for all there is and read nothing of it would fill the memory.
static bool is_too_much(const web_link *link, size_t more) {
    const apex_web *web = link->room->web;
    size_t all = web->def.all_unsent_bytes_max;
    APEX_ASSERT(web->open > 0);
    return web->unsent_bytes + more > all && unsent(link) + more > all / web->open;
}

static void end_slow(web_link *link) {
    link->room->web->counters[APEX_WEB_CLOSED_SLOW]++;
    web_socket_kill(link);
}

static void queue(web_link *link, const apex_link_packet *packet) {
    apex_web *web = link->room->web;
    size_t length = WEB_FRAME_HEAD_BYTES + packet->length;
    if (packet->channel != APEX_CHANNEL_STATE) {
        if (is_too_much(link, length) || !reserve(link, length)) {
            end_slow(link);
            return;
        }
        append(link, packet);
        return;
    }
    // What an earlier call has given is still on its way: this would only come later yet.
    bool is_behind = link->has_state && link->send_round != web->send_round;
    if (is_behind || unsent(link) + length > web->out_capacity || !reserve(link, length)) {
        web->counters[APEX_WEB_SNAPSHOTS_SKIPPED]++;
        return;
    }
    link->has_state = true;
    link->send_round = web->send_round;
    append(link, packet);
}

web_flush web_link_flush(web_link *link) {
    while (unsent(link) > 0 && !link->is_choked) {
        size_t length = unsent(link) < PIECE_BYTES_MAX ? unsent(link) : PIECE_BYTES_MAX;
        if (!web_socket_write(link, link->out + link->out_begin, length)) {
            return WEB_FLUSH_BROKEN;
        }
        link->out_begin += length;
        link->room->web->unsent_bytes -= length;
        link->progress_us = link->room->web->now_us;
    }
    if (link->is_choked) {
        return WEB_FLUSH_MORE;
    }
    if (link->out_end > KEPT_BYTES_MAX) {
        free(link->out); // there was much, for once: its pages go back
        link->out = NULL;
    }
    link->out_begin = 0;
    link->out_end = 0;
    link->has_state = false;
    return WEB_FLUSH_ALL;
}

void web_link_forget_unsent(web_link *link) {
    APEX_ASSERT(link->room->web->unsent_bytes >= unsent(link));
    link->room->web->unsent_bytes -= unsent(link);
    free(link->out);
    link->out = NULL;
    link->out_begin = 0;
    link->out_end = 0;
}

// --- Calls ---------------------------------------------------------------------------------------

void apex_web_send(apex_web *web, apex_web_room room, const apex_link_packet packets[],
                   size_t count) {
    web_room *place = web_room_of(web, room);
    uint32_t first_dirty1 = 0;
    web->send_round++;
    for (size_t i = 0; i < count; i++) {
        APEX_ASSERT(packets[i].length <= APEX_MESSAGE_BYTES_MAX);
        web_link *link = web_room_link(place, packets[i].link);
        if (link == NULL || link->state != WEB_LINK_OPEN) {
            continue;
        }
        queue(link, &packets[i]);
        if (!link->is_dirty) {
            link->is_dirty = true;
            link->next_dirty1 = (uint16_t)first_dirty1;
            first_dirty1 = (uint32_t)(link - place->links) + 1;
        }
    }
    while (first_dirty1 > 0) {
        web_link *link = &place->links[first_dirty1 - 1];
        first_dirty1 = link->next_dirty1;
        link->is_dirty = false;
        if (link->state == WEB_LINK_OPEN && web_link_flush(link) == WEB_FLUSH_BROKEN) {
            web_socket_kill(link);
        }
    }
}

void apex_web_close_link(apex_web *web, apex_web_room room, apex_link link) {
    web_link *found = web_room_link(web_room_of(web, room), link);
    if (found != NULL && found->state == WEB_LINK_OPEN) {
        found->state = WEB_LINK_ENDING;
        found->progress_us = web->now_us;
        web_socket_ask_writable(found);
    }
}

// --- Patience ------------------------------------------------------------------------------------

static bool is_waiting(const web_link *link) {
    return link->is_choked || unsent(link) > 0 || link->state == WEB_LINK_ENDING;
}

// Messages are bounded by how many wait, but pings and pieces of nothing are never seen here.
static bool is_flooding(web_link *link, uint64_t passed_us) {
    uint64_t received = web_socket_received_bytes(link);
    uint32_t hurry = link->room->def.hurry > 0 ? link->room->def.hurry : 1;
    uint64_t forgiven = passed_us * FLOOD_BYTES_PER_S / 1000000 * hurry;
    link->flood_bytes -= forgiven < link->flood_bytes ? forgiven : link->flood_bytes;
    link->flood_bytes += received - link->received_bytes;
    link->received_bytes = received;
    return link->flood_bytes > (uint64_t)hurry * FLOOD_BURST_BYTES;
}

static void sweep_link(web_link *link, uint64_t passed_us) {
    apex_web *web = link->room->web;
    uint64_t age_us = web->now_us - link->progress_us;
    if (link->state == WEB_LINK_ENDED) {
        if (age_us >= LAST_WORDS_US && !link->is_killed) {
            web_socket_kill(link);
        }
    } else if (is_flooding(link, passed_us)) {
        web->counters[APEX_WEB_REFUSED_MESSAGE]++;
        web_gate_punish(&web->gate, &link->address, web->now_us);
        web_socket_kill(link);
    } else if (is_waiting(link) && age_us > web->def.choked_us_max) {
        end_slow(link);
    }
}

void web_rooms_sweep(apex_web *web, uint64_t passed_us) {
    for (uint32_t i = 0; i < web->room_count; i++) {
        web_room *room = web->rooms[i];
        for (uint32_t k = 0; k < room->def.links_max && room->open > 0; k++) {
            if (room->links[k].state >= WEB_LINK_OPEN) {
                sweep_link(&room->links[k], passed_us);
            }
        }
    }
}
