// News go to the clients once the store has them: events in their order, results, the roster, the
// state of the race and the standings. Events that wait for the disk hold back those behind them
// (DECISIONS 6).

#include "host/news/tell.h"

#include <string.h>

#include "base/assert.h"
#include "host/news/conduct_news.h"
#include "host/news/greet.h"
#include "host/news/kept_results.h"
#include "host/news/past.h"
#include "host/news/roster.h"
#include "host/news/session_news.h"
#include "host/news/standings_message.h"

enum { PACKETS_TOLD_MAX = 32768 };

/// A message as it is sent, on the frame.
typedef struct told_bytes {
    uint8_t channel;
    const uint8_t *at;
    size_t length; ///< 0: there was no room for it
} told_bytes;

static told_bytes encode(const host_frame *frame, const apex_server_message *message) {
    uint8_t buffer[APEX_DATAGRAM_BYTES_MAX];
    size_t length = apex_encode_server(message, buffer, sizeof buffer);
    uint8_t *bytes = length > 0 ? apex_arena_alloc(frame->arena, length) : NULL;
    if (bytes == NULL) {
        return (told_bytes){.length = 0};
    }
    memcpy(bytes, buffer, length);
    return (told_bytes){(uint8_t)apex_server_message_channel(message->kind), bytes, length};
}

static void send_told(apex_sessions *sessions, const host_client *client, const told_bytes *told) {
    if (told->length > 0) {
        apex_sessions_send_bytes(sessions, client->session, told->channel, told->at, told->length);
    }
}

static void broadcast(const host_frame *frame, const host_clients *clients, apex_sessions *sessions,
                      const apex_server_message *message) {
    told_bytes told = encode(frame, message);
    for (uint32_t i = 0; i < clients->end; i++) {
        const host_client *client = &clients->at[i];
        if (client->admitted && !client->needs_past) { // which it will find this in
            send_told(sessions, client, &told);
        }
    }
}

// @return whether an event concerns one or two players. The roster, the standings and snapshots
// tell everybody the outcome.
static bool is_personal(apex_race_event_kind kind) {
    switch (kind) {
    case APEX_EVENT_PHASE:
    case APEX_EVENT_LIGHTS:
    case APEX_EVENT_BEST_LAP:
    case APEX_EVENT_FINISHED:
    case APEX_EVENT_DNF:
    case APEX_EVENT_SESSION:
    case APEX_EVENT_CHEQUERED:
    case APEX_EVENT_CONTROL:
    case APEX_EVENT_YELLOW:
        return false;
    default:
        return true;
    }
}

// Among thousands, everybody's touch told to everybody is millions of messages a second
// (DECISIONS 31).
static bool is_for_all(const apex_sessions *sessions, const apex_race_event *event) {
    return !is_personal(event->kind) ||
           apex_sessions_welcomed(sessions) <= (uint32_t)HOST_CROWD_CLIENTS;
}

static void send_to_player(const host_clients *clients, apex_sessions *sessions,
                           apex_player_id player, const apex_server_message *message) {
    const host_client *client = host_client_of_player(clients, player);
    if (client != NULL && client->admitted) {
        apex_sessions_send(sessions, client->session, message);
    }
}

// To those whom its event goes to, and before it, so that who hears the event can look it up.
static void tell_penalties(const host_frame *frame, host_penalties *told,
                           const host_clients *clients, apex_sessions *sessions,
                           const host_untold *untold) {
    const apex_race_event *event = &untold->event;
    apex_server_message message = {.kind = APEX_SERVER_PENALTIES};
    if (host_ends_penalties(event) && frame->setup->has_control) {
        told->count = 0;
        message.penalties.complete = true;
        broadcast(frame, clients, sessions, &message);
    }
    if (untold->penalty.number != 0) {
        const apex_penalty_message penalty =
            host_penalty_message(&untold->penalty, event->player, untold->name);
        host_penalties_note(told, &penalty);
        message.penalties = (apex_penalties){.count = 1, .penalties = &penalty};
        if (is_for_all(sessions, event)) {
            broadcast(frame, clients, sessions, &message);
        } else {
            send_to_player(clients, sessions, event->player, &message);
        }
    }
}

// @return how many packets that are.
static uint64_t tell_event(const host_frame *frame, host_past *past, const host_clients *clients,
                           apex_sessions *sessions, const host_untold *untold) {
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
    if (is_for_all(sessions, event)) {
        host_past_note(past, &message.event);
        broadcast(frame, clients, sessions, &message);
        return 1u + apex_sessions_welcomed(sessions);
    }
    send_to_player(clients, sessions, event->player, &message);
    if (event->other.index1 != event->player.index1) {
        send_to_player(clients, sessions, event->other, &message);
    }
    return 2;
}

static apex_server_message race_state(const apex_race_status *status) {
    return (apex_server_message){
        .kind = APEX_SERVER_RACE_STATE,
        .race_state = {.phase = (uint32_t)status->phase,
                       .race_number = status->race_number,
                       .race_time_us = status->race_time_us,
                       .laps = status->laps,
                       .players = status->players,
                       .running = status->running,
                       .seed = status->seed,
                       .start_players = status->start_players,
                       .lobby_left_us = (uint64_t)status->lobby_left_us},
    };
}

static void tell_race_state(const host_frame *frame, const host_clients *clients,
                            apex_sessions *sessions, bool has_changed) {
    apex_server_message message = race_state(&frame->status);
    if (has_changed) {
        broadcast(frame, clients, sessions, &message);
    } else if (frame->race_state_count > 0) {
        told_bytes told = encode(frame, &message);
        for (size_t i = 0; i < frame->race_state_count; i++) {
            APEX_ASSERT(frame->race_state_due[i] < clients->end);
            send_told(sessions, &clients->at[frame->race_state_due[i]], &told);
        }
    }
}

// A disk that stood still for a whole race has two results to commit; those of the newer race are
// the ones kept, and they wait for their own record.
static void tell_results(const host_frame *frame, host_results *results,
                         const host_clients *clients, apex_sessions *sessions, uint64_t record) {
    if (results->record == record) {
        results->told = true;
        host_send_results(frame, results, clients, sessions);
    }
}

// Events that wait for the disk hold back those behind them, so that all arrive in order. After a
// pile-up of hundreds, or a disk that stood still, all of them in one tick would fill the frame,
// and a client that can't be sent what is promised loses the connection.
static bool tell_stored(const host_frame *frame, host_news *news, const host_clients *clients,
                        apex_sessions *sessions) {
    uint64_t committed = apex_store_committed(news->store);
    uint64_t packets = 0;
    bool phase_changed = false;
    while (news->untold_first < news->untold_next && packets < PACKETS_TOLD_MAX) {
        const host_untold *untold = &news->untold[news->untold_first % news->untold_capacity];
        if (untold->record > committed) {
            break;
        }
        if (untold->is_results) {
            tell_results(frame, &news->results, clients, sessions, untold->record);
            packets += apex_sessions_welcomed(sessions);
        } else {
            phase_changed |= untold->event.kind == APEX_EVENT_PHASE;
            tell_penalties(frame, &news->penalties, clients, sessions, untold);
            packets += tell_event(frame, &news->past, clients, sessions, untold);
        }
        news->untold_first++;
    }
    if (news->untold_first == news->untold_next) { // begin again, in memory that is warm
        news->untold_first = 0;
        news->untold_next = 0;
    }
    return phase_changed;
}

// Newcomers first: they hear what happened before, and then what happens.
void host_tell(const host_frame *frame, host_news *news, host_clients *clients,
               apex_sessions *sessions) {
    APEX_ASSERT(news->untold_first <= news->untold_next);
    if (clients->newcomers_wait) {
        host_greet(frame, clients, sessions, news);
    }
    bool phase_changed = tell_stored(frame, news, clients, sessions);
    host_send_roster(frame, clients, sessions);
    if (clients->newcomers_wait) { // so do clients that could not be told the changes
        host_greet(frame, clients, sessions, news);
    }
    tell_race_state(frame, clients, sessions, phase_changed);
    host_tell_session(frame, clients, sessions);
    host_tell_conducts(frame, clients, sessions);
    host_send_standings(frame, clients, sessions);
}
