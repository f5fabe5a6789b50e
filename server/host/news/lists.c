// The long messages: roster, standings and results.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "host/host_private.h"

enum { LINE_BYTES_MAX = 192, SECTORS_BYTES_MAX = 192, HEAD_BYTES = 384 };

typedef struct bytes_view {
    const uint8_t *bytes;
    size_t length;
} bytes_view;

static bytes_view encode_on_frame(apex_server *server, const apex_server_message *message,
                                  size_t bytes_max) {
    uint8_t *bytes = apex_arena_alloc(&server->frame_arena, bytes_max);
    size_t length = bytes != NULL ? apex_encode_server(message, bytes, bytes_max) : 0;
    if (length == 0) {
        apex_log(APEX_LOG_ERROR, "host", "no room in the tick for a message of %zu bytes",
                 bytes_max);
    }
    return (bytes_view){bytes, length};
}

static void send_to(apex_server *server, const host_client *client, apex_server_message_kind kind,
                    bytes_view view) {
    if (view.length > 0) {
        apex_sessions_send_bytes(server->sessions, client->session,
                                 (uint8_t)apex_server_message_channel(kind), view.bytes,
                                 view.length);
    }
}

static apex_standing *standings_on_frame(apex_server *server, size_t *count) {
    size_t capacity = apex_race_standings_max(server->race);
    apex_standing *lines = apex_arena_alloc(&server->frame_arena, capacity * sizeof *lines);
    *count = lines != NULL ? apex_race_standings(server->race, lines, capacity) : 0;
    return lines;
}

static apex_roster_entry roster_entry(const apex_server *server, const apex_standing *standing) {
    apex_roster_entry entry = {
        .player = apex_player_wire_id(standing->player),
        .car = standing->present ? apex_car_wire_id(standing->car_id) : 0,
        .driven_by_server = standing->driven_by_server,
    };
    apex_wire_text(entry.name, sizeof entry.name, standing->name);
    apex_wire_text(entry.car_def, sizeof entry.car_def, server->car_names[standing->car]);
    return entry;
}

static bytes_view whole_roster(apex_server *server) {
    size_t count = 0;
    const apex_standing *lines = standings_on_frame(server, &count);
    apex_roster_entry *entries =
        apex_arena_alloc(&server->frame_arena, (count + 1) * sizeof *entries);
    if (entries == NULL) {
        return (bytes_view){NULL, 0};
    }
    for (size_t i = 0; i < count; i++) {
        entries[i] = roster_entry(server, &lines[i]);
    }
    apex_server_message message = {
        .kind = APEX_SERVER_ROSTER,
        .roster = {.complete = true, .entry_count = (uint32_t)count, .entries = entries},
    };
    return encode_on_frame(server, &message, HEAD_BYTES + count * LINE_BYTES_MAX);
}

// Those whose car the server took over or gave back in this tick.
static bool note_drivers(apex_server *server) {
    host_roster_news *news = &server->roster_news;
    for (uint32_t i = 0; i < server->clients.end && server->frame.drivers_changed > 0; i++) {
        host_client *client = &server->clients.at[i];
        if (!client->driver_changed) {
            continue;
        }
        client->driver_changed = false;
        server->frame.drivers_changed--;
        if (news->count == news->capacity) {
            return false;
        }
        news->players[news->count++] = client->player;
    }
    return true;
}

// @return false if there is no room for all that is new.
static bool note_roster_news(apex_server *server) {
    host_roster_news *news = &server->roster_news;
    if (!note_drivers(server)) {
        return false;
    }
    for (size_t i = 0; i < server->frame.event_count; i++) {
        const apex_race_event *event = &server->frame.events[i];
        if (event->kind != APEX_EVENT_LEFT && event->kind != APEX_EVENT_JOINED) {
            continue;
        }
        if (news->count == news->capacity) {
            return false;
        }
        news->players[news->count++] = event->player;
    }
    return true;
}

// Each change goes to everybody: a crowd gets them together, at most half a second late.
static bool is_due_roster(const apex_server *server) {
    uint32_t half_s = apex_race_tick_hz(server->race) / 2;
    uint32_t period = 1 + apex_sessions_welcomed(server->sessions) / HOST_CROWD_CLIENTS;
    period = period < half_s ? period : half_s;
    return server->rounds % period == 0;
}

static bytes_view roster_changes(apex_server *server) {
    host_roster_news *news = &server->roster_news;
    if (news->count == 0) {
        return (bytes_view){NULL, 0};
    }
    apex_roster_entry *entries =
        apex_arena_alloc(&server->frame_arena, news->count * sizeof *entries);
    if (entries == NULL) {
        return (bytes_view){NULL, 0}; // the next tick may have room
    }
    for (uint32_t i = 0; i < news->count; i++) {
        apex_standing standing;
        bool is_here = apex_race_player_standing(server->race, news->players[i], &standing) &&
                       standing.present;
        entries[i] = is_here ? roster_entry(server, &standing)
                             : (apex_roster_entry){.player = apex_player_wire_id(news->players[i])};
    }
    apex_server_message message = {
        .kind = APEX_SERVER_ROSTER,
        .roster = {.entry_count = news->count, .entries = entries},
    };
    size_t bytes_max = HEAD_BYTES + news->count * (size_t)LINE_BYTES_MAX;
    news->count = 0;
    return encode_on_frame(server, &message, bytes_max);
}

static bytes_view encode_results(apex_server *server);

static bytes_view encode_past(apex_server *server) {
    enum { EVENT_BYTES_MAX = 128 };
    apex_race_event_message events[APEX_PAST_EVENTS_MAX];
    apex_server_message message = {
        .kind = APEX_SERVER_PAST_EVENTS,
        .past_events = {.event_count = host_past_list(&server->past, events), .events = events},
    };
    if (message.past_events.event_count == 0) {
        return (bytes_view){NULL, 0};
    }
    return encode_on_frame(server, &message,
                           HEAD_BYTES + message.past_events.event_count * EVENT_BYTES_MAX);
}

// Encoded once for all who came in this tick: a thousand copies of each would fill the frame.
void host_greet(apex_server *server) {
    bytes_view roster = {NULL, 0};
    bytes_view results = {NULL, 0};
    bytes_view past = {NULL, 0};
    for (uint32_t i = 0; i < server->clients.end; i++) {
        host_client *client = &server->clients.at[i];
        if (!client->needs_roster) {
            continue;
        }
        if (roster.length == 0) {
            roster = whole_roster(server);
            results = server->results.told ? encode_results(server) : results;
            past = encode_past(server);
        }
        if (roster.length == 0) {
            return; // the next tick may have room
        }
        client->needs_roster = false;
        send_to(server, client, APEX_SERVER_ROSTER, roster);
        send_to(server, client, APEX_SERVER_RESULTS, results);
        if (client->needs_past) {
            client->needs_past = false;
            send_to(server, client, APEX_SERVER_PAST_EVENTS, past);
        }
    }
    server->newcomers_wait = false;
}

// What there was no room to note only the whole roster can tell.
static void send_whole_to_all(apex_server *server) {
    server->roster_news.count = 0;
    server->newcomers_wait = true;
    for (uint32_t i = 0; i < server->clients.end; i++) {
        server->clients.at[i].needs_roster |= server->clients.at[i].admitted;
    }
}

void host_note_in_roster(apex_server *server, apex_player_id player) {
    host_roster_news *news = &server->roster_news;
    if (news->count < news->capacity) {
        news->players[news->count++] = player;
    } else {
        send_whole_to_all(server);
    }
}

void host_send_roster(apex_server *server) {
    if (!note_roster_news(server)) {
        send_whole_to_all(server);
    }
    bytes_view changes = {NULL, 0};
    if (is_due_roster(server)) {
        changes = roster_changes(server);
    }
    for (uint32_t i = 0; changes.length > 0 && i < server->clients.end; i++) {
        const host_client *client = &server->clients.at[i];
        if (client->admitted && !client->needs_roster) {
            send_to(server, client, APEX_SERVER_ROSTER, changes);
        }
    }
    if (server->newcomers_wait) {
        host_greet(server);
    }
}

static apex_wire_standing wire_line(const apex_server *server, const apex_standing *line) {
    apex_wire_standing wire = {
        .position = line->position,
        .player = apex_player_wire_id(line->player),
        .state = (uint32_t)line->state,
        .laps = line->laps,
        .lap_m = (float)line->lap_m,
        .last_lap_us = line->last_lap_us,
        .best_lap_us = line->best_lap_us,
        .total_us = line->total_us,
        .gap_us = line->gap_us,
        .grid = line->grid,
        .kicked = !line->present && line->left_why == APEX_LEAVE_KICKED,
    };
    apex_wire_text(wire.name, sizeof wire.name, line->name);
    apex_wire_text(wire.car_def, sizeof wire.car_def, server->car_names[line->car]);
    return wire;
}

_Static_assert((int)APEX_WIRE_SECTORS_MAX == (int)APEX_TRACK_SECTORS_MAX, "a lap's sectors");

static void add_sectors(const apex_server *server, const apex_standing *line,
                        apex_wire_standing *wire) {
    apex_sector_times times;
    if (!apex_race_player_sectors(server->race, line->player, &times)) {
        return;
    }
    wire->sector_count = times.count;
    wire->sector = times.current;
    memcpy(wire->sector_us, times.newest_us, sizeof wire->sector_us);
    memcpy(wire->best_sector_us, times.best_us, sizeof wire->best_sector_us);
}

// The head of the order, with sectors or without, is the same for all who want it so; a viewer
// further down gets his own line after it.
typedef struct standings_head {
    apex_server_message message;
    apex_wire_standing *lines; ///< of the message, with room for one more
    bytes_view bytes;          ///< none until somebody is sent it
} standings_head;

typedef struct standings_list {
    const apex_standing *order; ///< all of it
    uint32_t total, shown;      ///< lines of it, and of them in the head
    uint32_t *own_index1;       ///< by place in clients: into `order`; 0 for who is in the head
    standings_head plain, with_sectors;
} standings_list;

static bytes_view encode_standings(apex_server *server, const apex_server_message *message) {
    size_t line_bytes_max =
        LINE_BYTES_MAX + (message->standings.sector_count > 0 ? SECTORS_BYTES_MAX : 0);
    return encode_on_frame(server, message,
                           HEAD_BYTES + message->standings.line_count * line_bytes_max);
}

static apex_wire_standing standings_line(const apex_server *server, const apex_standing *line,
                                         bool with_sectors) {
    apex_wire_standing wire = wire_line(server, line);
    if (with_sectors) {
        add_sectors(server, line, &wire);
    }
    return wire;
}

static void make_head(apex_server *server, const standings_list *list, bool with_sectors,
                      standings_head *head) {
    head->lines =
        apex_arena_alloc(&server->frame_arena, APEX_STANDINGS_LINES_MAX * sizeof *head->lines);
    if (head->lines == NULL) {
        return;
    }
    for (uint32_t i = 0; i < list->shown; i++) {
        head->lines[i] = standings_line(server, &list->order[i], with_sectors);
    }
    head->message = (apex_server_message){
        .kind = APEX_SERVER_STANDINGS,
        .standings = {.tick = (uint32_t)apex_world_tick(apex_race_world(server->race)),
                      .total = list->total,
                      .line_count = list->shown,
                      .lines = head->lines},
    };
    if (with_sectors) {
        head->message.standings.sector_count =
            apex_race_best_sectors(server->race, head->message.standings.best_sector_us);
    }
    head->bytes = encode_standings(server, &head->message);
}

static void send_standings_to(apex_server *server, uint32_t place, standings_list *list) {
    const host_client *client = &server->clients.at[place];
    standings_head *head = client->wants_sectors ? &list->with_sectors : &list->plain;
    uint32_t own_index1 = list->own_index1[place];
    if (head->bytes.length == 0) {
        make_head(server, list, client->wants_sectors, head);
    }
    if (own_index1 == 0 || head->bytes.length == 0) {
        send_to(server, client, APEX_SERVER_STANDINGS, head->bytes);
        return;
    }
    apex_server_message message = head->message;
    head->lines[message.standings.line_count++] =
        standings_line(server, &list->order[own_index1 - 1], client->wants_sectors);
    send_to(server, client, APEX_SERVER_STANDINGS, encode_standings(server, &message));
}

static void find_those_below(const apex_server *server, standings_list *list) {
    for (uint32_t i = list->shown; i < list->total; i++) {
        uint32_t slot = list->order[i].player.index1 - 1u;
        bool is_driven = list->order[i].present && server->clients.of_player[slot] != 0;
        if (is_driven) {
            list->own_index1[server->clients.of_player[slot] - 1] = i + 1;
        }
    }
}

static bool list_standings(apex_server *server, standings_list *list) {
    apex_arena *frame = &server->frame_arena;
    size_t total = 0;
    list->order = standings_on_frame(server, &total);
    list->own_index1 =
        apex_arena_alloc_zero(frame, server->clients.capacity, sizeof *list->own_index1);
    if (list->order == NULL || list->own_index1 == NULL) {
        return false;
    }
    uint32_t room = APEX_STANDINGS_LINES_MAX - 1;
    list->total = (uint32_t)total;
    list->shown = total < room ? (uint32_t)total : room;
    find_those_below(server, list);
    return true;
}

void host_send_standings(apex_server *server) {
    const host_frame *frame = &server->frame;
    standings_list list = {.order = NULL};
    if (frame->standings_count == 0 || !list_standings(server, &list)) {
        return;
    }
    for (size_t i = 0; i < frame->standings_count; i++) {
        send_standings_to(server, frame->standings_due[i], &list);
    }
}

void host_keep_results(apex_server *server) {
    apex_race_status status = apex_race_status_of(server->race);
    host_results *results = &server->results;
    size_t classified = 0;
    size_t all = apex_race_results(server->race, results->lines,
                                   apex_race_standings_max(server->race), &classified);
    results->line_count = (uint32_t)classified;
    results->apart_count = (uint32_t)(all - classified);
    results->race_number = status.race_number;
    results->laps = status.laps;
    results->seed = status.seed;
    results->state_hash = apex_race_hash(server->race);
    results->record = 0;
    results->told = false;
}

static bytes_view encode_results(apex_server *server) {
    const host_results *results = &server->results;
    uint32_t count = results->line_count + results->apart_count;
    apex_wire_standing *lines =
        apex_arena_alloc(&server->frame_arena, (count + (size_t)1) * sizeof *lines);
    if (lines == NULL) {
        return (bytes_view){NULL, 0};
    }
    for (uint32_t i = 0; i < count; i++) {
        lines[i] = wire_line(server, &results->lines[i]);
        lines[i].not_started = results->lines[i].not_started;
    }
    apex_server_message message = {
        .kind = APEX_SERVER_RESULTS,
        .results = {.race_number = results->race_number,
                    .laps = results->laps,
                    .state_hash = results->state_hash,
                    .seed = results->seed,
                    .line_count = results->line_count,
                    .lines = lines,
                    .apart_count = results->apart_count,
                    .apart = lines + results->line_count},
    };
    apex_wire_text(message.results.track, sizeof message.results.track, server->track_name);
    return encode_on_frame(server, &message, HEAD_BYTES + count * (size_t)LINE_BYTES_MAX);
}

void host_send_results(apex_server *server) {
    bytes_view bytes = encode_results(server);
    for (uint32_t i = 0; i < server->clients.end; i++) {
        const host_client *client = &server->clients.at[i];
        if (client->admitted && !client->needs_roster) { // newcomers get them with the roster
            send_to(server, client, APEX_SERVER_RESULTS, bytes);
        }
    }
}
