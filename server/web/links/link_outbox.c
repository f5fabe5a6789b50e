// The outbox of a link. A link's frames lie in one stretch of bytes that is written in pieces; a
// slow reader is spared snapshots for as long as it has not got the last one.
//
// Frames are packed by us and go out many with one call (LWS_WRITE_HTTP leaves them as they are): 5
// us a snapshot on loopback, kernel included (DECISIONS 35).
#include "web/links/link_outbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "web/links/room.h"
#include "web/links/socket.h"
#include "web/web_state.h"

enum {
    FRAME_HEAD_BYTES = 10,       ///< of the longest message
    PIECE_BYTES_MAX = 16 * 1024, ///< written at a time: so much libwebsockets may have to keep
    KEPT_BYTES_MAX = 128 * 1024, ///< of an outbox that is empty
    OPCODE_BINARY = 0x82,        ///< the last frame of a binary message
};

// Memory for all that may ever wait, which the kernel gives only when it is touched.
static bool reserve(web_link *link, size_t more) {
    size_t capacity = link->room->web->rooms.out_capacity;
    if (link->out == NULL) {
        link->out = malloc(capacity);
        if (link->out == NULL) {
            return false;
        }
    }
    if (link->out_end + more > capacity) {
        memmove(link->out, link->out + link->out_begin, web_link_unsent(link));
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
    if (web_link_unsent(link) == 0 && !link->is_choked) {
        link->progress_us = web->now_us; // from now on there is something to make progress with
    }
    uint8_t *out = link->out + link->out_end;
    size_t head = write_frame_head(out, packet->length);
    memcpy(out + head, packet->bytes, packet->length);
    link->out_end += head + packet->length;
    web->rooms.unsent_bytes += head + packet->length;
    web->counters[APEX_WEB_MESSAGES_OUT]++;
    web->counters[APEX_WEB_BYTES_OUT] += packet->length;
}

// A thousand links that ask for all there is and read nothing of it would fill the memory.
static bool is_too_much(const web_link *link, size_t more) {
    const apex_web *web = link->room->web;
    size_t all = web->def.all_unsent_bytes_max;
    APEX_ASSERT(web->open > 0);
    return web->rooms.unsent_bytes + more > all && web_link_unsent(link) + more > all / web->open;
}

void web_link_end_slow(web_link *link) {
    link->room->web->counters[APEX_WEB_CLOSED_SLOW]++;
    web_socket_kill(link);
}

void web_link_queue(web_link *link, const apex_link_packet *packet) {
    apex_web *web = link->room->web;
    size_t length = FRAME_HEAD_BYTES + packet->length;
    if (packet->channel != APEX_CHANNEL_STATE) {
        if (is_too_much(link, length) || !reserve(link, length)) {
            web_link_end_slow(link);
            return;
        }
        append(link, packet);
        return;
    }
    // Packets of an earlier call are still on their way: this one would only come later yet.
    bool is_behind = link->has_state && link->send_round != web->rooms.send_round;
    if (is_behind || web_link_unsent(link) + length > web->rooms.out_capacity ||
        !reserve(link, length)) {
        web->counters[APEX_WEB_SNAPSHOTS_SKIPPED]++;
        return;
    }
    link->has_state = true;
    link->send_round = web->rooms.send_round;
    append(link, packet);
}

web_flush web_link_flush(web_link *link) {
    while (web_link_unsent(link) > 0 && !link->is_choked) {
        size_t length =
            web_link_unsent(link) < PIECE_BYTES_MAX ? web_link_unsent(link) : PIECE_BYTES_MAX;
        if (!web_socket_write(link, link->out + link->out_begin, length)) {
            return WEB_FLUSH_BROKEN;
        }
        link->out_begin += length;
        link->room->web->rooms.unsent_bytes -= length;
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
    APEX_ASSERT(link->room->web->rooms.unsent_bytes >= web_link_unsent(link));
    link->room->web->rooms.unsent_bytes -= web_link_unsent(link);
    free(link->out);
    link->out = NULL;
    link->out_begin = 0;
    link->out_end = 0;
}
