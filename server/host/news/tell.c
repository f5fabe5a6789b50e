// What happened in the tick goes to the store; what the store has goes to the clients. Events that
// nobody would miss after a crash (lights, contacts, phases) are not stored; they wait only for
// those before them.

#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/figures/figures.h"
#include "host/host_private.h"

enum { LOG_AGAIN_US = 1000000, PACKETS_TOLD_MAX = 32768 };

uint64_t host_unix_us(const apex_server *server) {
    return server->start_unix_us + (server->now_us - server->start_us);
}

static bool must_survive(apex_race_event_kind kind) {
    switch (kind) {
    case APEX_EVENT_SECTOR:
    case APEX_EVENT_LAP:
    case APEX_EVENT_BEST_LAP:
    case APEX_EVENT_FINISHED:
    case APEX_EVENT_DNF:
        return true;
    default:
        return false;
    }
}

static void leave_untold(apex_server *server) {
    server->never_told++;
    bool is_first = server->never_told_logged_us == 0;
    if (is_first || server->now_us - server->never_told_logged_us > LOG_AGAIN_US) {
        server->never_told_logged_us = server->now_us;
        apex_log(APEX_LOG_ERROR, "host", "too many events wait; %llu were never told so far",
                 (unsigned long long)server->never_told);
    }
}

static bool has_room(const apex_server *server, const host_untold *untold) {
    uint64_t waiting = server->untold_next - server->untold_first;
    bool is_idle_talk = !untold->is_results && (untold->event.kind == APEX_EVENT_CONTACT ||
                                                untold->event.kind == APEX_EVENT_OFF_TRACK);
    return waiting < server->untold_capacity / (is_idle_talk ? 2 : 1);
}

static void queue(apex_server *server, const host_untold *untold) {
    if (has_room(server, untold)) {
        server->untold[server->untold_next++ % server->untold_capacity] = *untold;
    } else {
        leave_untold(server);
    }
}

// As kept, see host_keep_results.
apex_race_result host_result_of(const apex_server *server) {
    apex_race_status status = apex_race_status_of(server->race);
    apex_race_result result = {
        .race_number = status.race_number,
        .laps = status.laps,
        .complete = !server->stopping,
        .started_unix_us = server->race_began_unix_us,
        .ended_unix_us = host_unix_us(server),
        .ticks = status.tick,
        .state_hash = server->results.state_hash,
        .event_seed = server->file.race.world.seed,
        .seed = server->results.seed,
        .line_count = server->results.line_count,
        .lines = server->results.lines,
        .apart_count = server->results.apart_count,
        .apart = server->results.lines + server->results.line_count,
        .car_names = server->car_name_list,
    };
    memcpy(result.race, server->file.race.name, sizeof result.race);
    memcpy(result.track, server->track_name, sizeof result.track);
    return result;
}

static void store_result(apex_server *server) {
    host_keep_results(server);
    apex_race_result result = host_result_of(server);
    host_untold untold = {.record = apex_store_result(server->store, &result), .is_results = true};
    if (untold.record == 0) {
        apex_log(APEX_LOG_ERROR, "store", "no room for the results of race %u; they are lost",
                 result.race_number);
        leave_untold(server);
        return;
    }
    server->results.record = untold.record;
    queue(server, &untold);
}

// Stored, then told: what the store has no room for is not told either.
static void store_and_queue(apex_server *server, const apex_race_event *event, const char *name) {
    host_untold untold = {.event = *event};
    apex_wire_text(untold.name, sizeof untold.name, name);
    apex_wire_text(untold.other_name, sizeof untold.other_name,
                   apex_race_player_name(server->race, event->other));
    if (must_survive(event->kind)) {
        untold.record = apex_store_event(server->store, event, name, host_unix_us(server));
        if (untold.record == 0) {
            leave_untold(server);
            return;
        }
    }
    queue(server, &untold);
}

static bool is_phase(const apex_race_event *event, apex_race_phase phase) {
    return event->kind == APEX_EVENT_PHASE && event->value == phase;
}

// A race that is ended on the way has results as well; one that never began has none.
void host_store_events(apex_server *server) {
    for (size_t i = 0; i < server->frame.event_count; i++) {
        const apex_race_event *event = &server->frame.events[i];
        const char *name = apex_race_player_name(server->race, event->player);
        store_and_queue(server, event, name);
        if (is_phase(event, APEX_PHASE_RACE)) {
            server->race_began_unix_us = host_unix_us(server);
        }
        if (is_phase(event, APEX_PHASE_RESULTS)) {
            store_result(server);
        }
    }
}

/// A message as it is sent, on the frame.
typedef struct told_bytes {
    uint8_t channel;
    const uint8_t *at;
    size_t length; ///< 0: there was no room for it
} told_bytes;

static told_bytes encode(apex_server *server, const apex_server_message *message) {
    uint8_t buffer[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_server(message, buffer, sizeof buffer);
    uint8_t *bytes = length > 0 ? apex_arena_alloc(&server->frame_arena, length) : NULL;
    if (bytes == NULL) {
        return (told_bytes){.length = 0};
    }
    memcpy(bytes, buffer, length);
    return (told_bytes){(uint8_t)apex_server_message_channel(message->kind), bytes, length};
}

static void send_told(apex_server *server, const host_client *client, const told_bytes *told) {
    if (told->length > 0) {
        apex_sessions_send_bytes(server->sessions, client->session, told->channel, told->at,
                                 told->length);
    }
}

static void broadcast(apex_server *server, const apex_server_message *message) {
    told_bytes told = encode(server, message);
    for (uint32_t i = 0; i < server->clients.end; i++) {
        const host_client *client = &server->clients.at[i];
        if (client->admitted && !client->needs_past) { // which it will find this in
            send_told(server, client, &told);
        }
    }
}

// What concerns one or two players. The roster, the standings and snapshots tell the rest of it.
static bool is_personal(apex_race_event_kind kind) {
    switch (kind) {
    case APEX_EVENT_PHASE:
    case APEX_EVENT_LIGHTS:
    case APEX_EVENT_BEST_LAP:
    case APEX_EVENT_FINISHED:
    case APEX_EVENT_DNF:
        return false;
    default:
        return true;
    }
}

// Among thousands, everybody's touch told to everybody is millions of messages a second.
static bool is_for_all(const apex_server *server, const apex_race_event *event) {
    return !is_personal(event->kind) ||
           apex_sessions_welcomed(server->sessions) <= (uint32_t)HOST_CROWD_CLIENTS;
}

static void send_to_player(apex_server *server, apex_player_id player,
                           const apex_server_message *message) {
    const host_client *client = host_client_of_player(&server->clients, player);
    if (client != NULL && client->admitted) {
        apex_sessions_send(server->sessions, client->session, message);
    }
}

// @return how many packets that are.
static uint64_t tell_event(apex_server *server, const host_untold *untold) {
    const apex_race_event *event = &untold->event;
    apex_server_message message = {
        .kind = APEX_SERVER_RACE_EVENT,
        .event = {.kind = (uint32_t)event->kind,
                  .tick = (uint32_t)event->tick,
                  .race_number = event->race_number,
                  .player = apex_player_wire_id(event->player),
                  .other = apex_player_wire_id(event->other),
                  .value = event->value,
                  .time_us = event->time_us},
    };
    memcpy(message.event.name, untold->name, sizeof message.event.name);
    memcpy(message.event.other_name, untold->other_name, sizeof message.event.other_name);
    if (is_for_all(server, event)) {
        host_past_note(&server->past, &message.event);
        broadcast(server, &message);
        return 1u + apex_sessions_welcomed(server->sessions);
    }
    send_to_player(server, event->player, &message);
    if (event->other.index1 != event->player.index1) {
        send_to_player(server, event->other, &message);
    }
    return 2;
}

static apex_server_message race_state(const apex_server *server) {
    apex_race_status status = host_race_status(server);
    return (apex_server_message){
        .kind = APEX_SERVER_RACE_STATE,
        .race_state = {.phase = (uint32_t)status.phase,
                       .race_number = status.race_number,
                       .race_time_us = status.race_time_us,
                       .laps = status.laps,
                       .players = status.players,
                       .running = status.running,
                       .seed = status.seed,
                       .start_players = status.start_players,
                       .lobby_left_us = (uint64_t)status.lobby_left_us},
    };
}

static void tell_race_state(apex_server *server, bool has_changed) {
    const host_frame *frame = &server->frame;
    apex_server_message message = race_state(server);
    if (has_changed) {
        broadcast(server, &message);
    } else if (frame->race_state_count > 0) {
        told_bytes told = encode(server, &message);
        for (size_t i = 0; i < frame->race_state_count; i++) {
            send_told(server, &server->clients.at[frame->race_state_due[i]], &told);
        }
    }
}

// A disk that stood still for a whole race has two results to commit; those of the newer race are
// the ones kept, and they wait for their own record.
static void tell_results(apex_server *server, uint64_t record) {
    if (server->results.record == record) {
        server->results.told = true;
        host_send_results(server);
    }
}

// Events that wait for the disk hold back those behind them, so that all arrive in order. After a
// pile-up of hundreds, or a disk that stood still, all of them in one tick would fill the frame,
// and who can't be sent what is promised loses the connection.
static bool tell_stored(apex_server *server) {
    uint64_t committed = apex_store_committed(server->store);
    uint64_t packets = 0;
    bool phase_changed = false;
    while (server->untold_first < server->untold_next && packets < PACKETS_TOLD_MAX) {
        const host_untold *untold = &server->untold[server->untold_first % server->untold_capacity];
        if (untold->record > committed) {
            break;
        }
        if (untold->is_results) {
            tell_results(server, untold->record);
            packets += apex_sessions_welcomed(server->sessions);
        } else {
            phase_changed |= untold->event.kind == APEX_EVENT_PHASE;
            packets += tell_event(server, untold);
        }
        server->untold_first++;
    }
    if (server->untold_first == server->untold_next) { // begin again, in memory that is warm
        server->untold_first = 0;
        server->untold_next = 0;
    }
    return phase_changed;
}

// Newcomers first: they hear what happened before, and then what happens.
void host_tell(apex_server *server) {
    if (server->newcomers_wait) {
        host_greet(server);
    }
    bool phase_changed = tell_stored(server);
    host_send_roster(server);
    tell_race_state(server, phase_changed);
    host_send_standings(server);
}
