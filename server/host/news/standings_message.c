// The order as clients are told it: its head, and to a driver further down his own line.

#include "host/news/standings_message.h"

#include <string.h>

#include "base/assert.h"
#include "host/news/messages.h"

enum { SECTORS_BYTES_MAX = 216 };

_Static_assert((int)APEX_WIRE_SECTORS_MAX == (int)APEX_TRACK_SECTORS_MAX, "a lap's sectors");

static void add_sectors(const apex_sector_times *times, apex_wire_standing *wire) {
    wire->sector_count = times->count;
    wire->sector = times->current;
    memcpy(wire->sector_us, times->newest_us, sizeof wire->sector_us);
    memcpy(wire->best_sector_us, times->best_us, sizeof wire->best_sector_us);
}

// The head of the order, with sectors or without, is the same for all who want it so; a viewer
// further down gets his own line after it.
typedef struct standings_head {
    apex_server_message message;
    apex_wire_standing *lines; ///< of the message, with room for one more
    host_message bytes;        ///< none until somebody is sent it
} standings_head;

typedef struct standings_list {
    const host_order *order; ///< all of it
    uint32_t total, shown;   ///< lines of it, and of them in the head
    uint32_t *own_index1;    ///< by place in clients: into `order`; 0 for players in the head
    standings_head plain, with_sectors;
} standings_list;

static host_message encode_standings(const host_frame *frame, const apex_server_message *message) {
    size_t line_bytes_max =
        HOST_LINE_BYTES_MAX + (message->standings.sector_count > 0 ? SECTORS_BYTES_MAX : 0);
    return host_encode_message(frame, message,
                               HOST_HEAD_BYTES + message->standings.line_count * line_bytes_max);
}

static apex_wire_standing standings_line(const host_frame *frame, const host_order *order,
                                         uint32_t index, bool with_sectors) {
    apex_wire_standing wire = host_wire_line(frame->setup, &order->lines[index]);
    if (with_sectors) {
        add_sectors(&order->sectors[index], &wire);
    }
    if (order->conducts != NULL) {
        host_tell_line_conduct(&order->conducts[index], with_sectors, &wire);
    }
    return wire;
}

static void make_head(const host_frame *frame, const standings_list *list, bool with_sectors,
                      standings_head *head) {
    head->lines = apex_arena_alloc(frame->arena, APEX_STANDINGS_LINES_MAX * sizeof *head->lines);
    if (head->lines == NULL) {
        return;
    }
    for (uint32_t i = 0; i < list->shown; i++) {
        head->lines[i] = standings_line(frame, list->order, i, with_sectors);
    }
    head->message = (apex_server_message){
        .kind = APEX_SERVER_STANDINGS,
        .standings = {.tick = list->order->tick,
                      .total = list->total,
                      .line_count = list->shown,
                      .lines = head->lines},
    };
    if (with_sectors) {
        head->message.standings.sector_count = list->order->sector_count;
        memcpy(head->message.standings.best_sector_us, list->order->best_sector_us,
               sizeof head->message.standings.best_sector_us);
    }
    head->bytes = encode_standings(frame, &head->message);
}

// One viewer's, as encoded for all or with a line of his own. No bytes: the frame has no room.
static host_message standings_for(const host_frame *frame, const host_client *client,
                                  uint32_t own_index1, standings_list *list) {
    standings_head *head = client->wants_sectors ? &list->with_sectors : &list->plain;
    if (head->bytes.length == 0) {
        make_head(frame, list, client->wants_sectors, head);
    }
    if (own_index1 == 0 || head->bytes.length == 0) {
        return head->bytes;
    }
    apex_server_message message = head->message;
    head->lines[message.standings.line_count++] =
        standings_line(frame, list->order, own_index1 - 1, client->wants_sectors);
    return encode_standings(frame, &message);
}

static void find_those_below(const host_clients *clients, standings_list *list) {
    for (uint32_t i = list->shown; i < list->total; i++) {
        const apex_standing *line = &list->order->lines[i];
        const host_client *client = host_client_of_player(clients, line->player);
        if (line->present && client != NULL) {
            list->own_index1[client - clients->at] = i + 1;
        }
    }
}

static bool list_standings(const host_frame *frame, const host_clients *clients,
                           standings_list *list) {
    size_t total = list->order->count;
    list->own_index1 =
        apex_arena_alloc_zero(frame->arena, clients->capacity, sizeof *list->own_index1);
    if (list->own_index1 == NULL) {
        return false;
    }
    uint32_t room = APEX_STANDINGS_LINES_MAX - 1;
    list->total = (uint32_t)total;
    list->shown = total < room ? (uint32_t)total : room;
    find_those_below(clients, list);
    return true;
}

void host_capture_standings(host_frame *frame, const host_clients *clients,
                            const host_order *order) {
    standings_list list = {.order = order};
    size_t due = frame->standings_count;
    if (due == 0) {
        return;
    }
    frame->standings = apex_arena_alloc_zero(frame->arena, due, sizeof *frame->standings);
    if (frame->standings == NULL || !list_standings(frame, clients, &list)) {
        frame->standings_count = 0;
        return;
    }
    for (size_t i = 0; i < due; i++) {
        uint32_t place = frame->standings_due[i];
        APEX_ASSERT(place < clients->end);
        frame->standings[i] =
            standings_for(frame, &clients->at[place], list.own_index1[place], &list);
    }
}

void host_send_standings(const host_frame *frame, const host_clients *clients,
                         apex_sessions *sessions) {
    for (size_t i = 0; i < frame->standings_count; i++) {
        APEX_ASSERT(frame->standings_due[i] < clients->end);
        host_send_message(sessions, &clients->at[frame->standings_due[i]], APEX_SERVER_STANDINGS,
                          frame->standings[i]);
    }
}
