// The outbox of a room's links, and the end of those that try our patience.
#include "web/links/room_outbox.h"

#include "base/assert.h"
#include "web/links/link_outbox.h"
#include "web/links/rooms.h"
#include "web/links/socket.h"
#include "web/web_state.h"

enum {
    FLOOD_BYTES_PER_S = 256 * 1024, ///< that come, whatever they are: four times what may be said
    FLOOD_BURST_BYTES = 256 * 1024,
    LAST_WORDS_US = 300000, ///< until the connection of a link that has ended is cut
};

void apex_web_send(apex_web *web, apex_web_room room, const apex_link_packet packets[],
                   size_t count) {
    web_room *place = web_room_of(&web->rooms, room);
    uint32_t first_dirty1 = 0;
    web->rooms.send_round++;
    for (size_t i = 0; i < count; i++) {
        APEX_ASSERT(packets[i].length <= APEX_MESSAGE_BYTES_MAX);
        web_link *link = web_room_link(place, packets[i].link);
        if (link == NULL || link->state != WEB_LINK_OPEN) {
            continue;
        }
        web_link_queue(link, &packets[i]);
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
    web_link *found = web_room_link(web_room_of(&web->rooms, room), link);
    if (found != NULL && found->state == WEB_LINK_OPEN) {
        found->state = WEB_LINK_ENDING;
        found->progress_us = web->now_us;
        web_socket_ask_writable(found);
    }
}

static bool is_waiting(const web_link *link) {
    return link->is_choked || web_link_unsent(link) > 0 || link->state == WEB_LINK_ENDING;
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
        web_link_end_slow(link);
    }
}

void web_rooms_sweep(apex_web *web, uint64_t passed_us) {
    for (uint32_t i = 0; i < web->rooms.count; i++) {
        web_room *room = web->rooms.at[i];
        for (uint32_t k = 0; k < room->def.links_max && room->open > 0; k++) {
            if (room->links[k].state >= WEB_LINK_OPEN) {
                sweep_link(&room->links[k], passed_us);
            }
        }
    }
}
