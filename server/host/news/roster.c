// The roster: who is here and in which car, whole or in changes.

#include "host/news/roster.h"

#include "host/simulation/running_order.h"

static apex_roster_entry roster_entry(const host_setup *setup, const apex_standing *standing) {
    apex_roster_entry entry = {
        .player = apex_player_wire_id(standing->player),
        .car = standing->present ? apex_car_wire_id(standing->car_id) : 0,
        .driven_by_server = standing->driven_by_server,
    };
    apex_wire_text(entry.name, sizeof entry.name, standing->name);
    apex_wire_text(entry.car_def, sizeof entry.car_def, setup->car_names[standing->car]);
    return entry;
}

host_message host_whole_roster(const host_frame *frame, const apex_race *race) {
    size_t count = 0;
    const apex_standing *lines = host_running_order(race, frame->arena, &count);
    apex_roster_entry *entries = apex_arena_alloc(frame->arena, (count + 1) * sizeof *entries);
    if (entries == NULL) {
        return (host_message){NULL, 0};
    }
    for (size_t i = 0; i < count; i++) {
        entries[i] = roster_entry(frame->setup, &lines[i]);
    }
    apex_server_message message = {
        .kind = APEX_SERVER_ROSTER,
        .roster = {.complete = true, .entry_count = (uint32_t)count, .entries = entries},
    };
    return host_encode_message(frame, &message, HOST_HEAD_BYTES + count * HOST_LINE_BYTES_MAX);
}

// Those whose car the server took over or gave back in this tick.
static bool note_drivers(host_frame *frame, host_roster_news *news, host_clients *clients) {
    for (uint32_t i = 0; i < clients->end && frame->drivers_changed > 0; i++) {
        host_client *client = &clients->at[i];
        if (!client->driver_changed) {
            continue;
        }
        client->driver_changed = false;
        frame->drivers_changed--;
        if (news->count == news->capacity) {
            return false;
        }
        news->players[news->count++] = client->player;
    }
    return true;
}

// @return false if there is no room for all that is new.
static bool note_roster_news(host_frame *frame, host_roster_news *news, host_clients *clients) {
    if (!note_drivers(frame, news, clients)) {
        return false;
    }
    for (size_t i = 0; i < frame->event_count; i++) {
        const apex_race_event *event = &frame->events[i];
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

// Each change goes to everybody: a crowd gets them together, at most half a second late
// (DECISIONS 31).
static bool is_due_roster(const host_frame *frame, const apex_sessions *sessions,
                          const apex_race *race) {
    uint32_t half_s = apex_race_tick_hz(race) / 2;
    uint32_t period = 1 + apex_sessions_welcomed(sessions) / HOST_CROWD_CLIENTS;
    period = period < half_s ? period : half_s;
    return frame->round % period == 0;
}

static host_message roster_changes(const host_frame *frame, host_roster_news *news,
                                   const apex_race *race) {
    if (news->count == 0) {
        return (host_message){NULL, 0};
    }
    apex_roster_entry *entries = apex_arena_alloc(frame->arena, news->count * sizeof *entries);
    if (entries == NULL) {
        return (host_message){NULL, 0}; // the next tick may have room
    }
    for (uint32_t i = 0; i < news->count; i++) {
        apex_standing standing;
        bool is_here =
            apex_race_player_standing(race, news->players[i], &standing) && standing.present;
        entries[i] = is_here ? roster_entry(frame->setup, &standing)
                             : (apex_roster_entry){.player = apex_player_wire_id(news->players[i])};
    }
    apex_server_message message = {
        .kind = APEX_SERVER_ROSTER,
        .roster = {.entry_count = news->count, .entries = entries},
    };
    size_t bytes_max = HOST_HEAD_BYTES + news->count * (size_t)HOST_LINE_BYTES_MAX;
    news->count = 0;
    return host_encode_message(frame, &message, bytes_max);
}

// What there was no room to note only the whole roster can tell.
static void send_whole_to_all(host_roster_news *news, host_clients *clients) {
    news->count = 0;
    clients->newcomers_wait = true;
    for (uint32_t i = 0; i < clients->end; i++) {
        clients->at[i].needs_roster |= clients->at[i].admitted;
    }
}

void host_note_in_roster(host_roster_news *news, host_clients *clients, apex_player_id player) {
    if (news->count < news->capacity) {
        news->players[news->count++] = player;
    } else {
        send_whole_to_all(news, clients);
    }
}

void host_send_roster(host_frame *frame, host_roster_news *news, host_clients *clients,
                      apex_sessions *sessions, const apex_race *race) {
    if (!note_roster_news(frame, news, clients)) {
        send_whole_to_all(news, clients);
    }
    host_message changes = {NULL, 0};
    if (is_due_roster(frame, sessions, race)) {
        changes = roster_changes(frame, news, race);
    }
    for (uint32_t i = 0; changes.length > 0 && i < clients->end; i++) {
        const host_client *client = &clients->at[i];
        if (client->admitted && !client->needs_roster) {
            host_send_message(sessions, client, APEX_SERVER_ROSTER, changes);
        }
    }
}
