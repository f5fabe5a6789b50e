// The roster: the players who are here and their cars, whole or in changes.

#include "host/news/roster.h"

#include <string.h>

#include "base/assert.h"

static apex_roster_entry roster_entry(const host_frame *frame, const apex_standing *standing) {
    const host_setup *setup = frame->setup;
    apex_roster_entry entry = {
        .player = apex_player_wire_id(standing->player),
        .car = standing->present ? apex_car_wire_id(standing->car_id) : 0,
        .driven_by_server = standing->driven_by_server,
    };
    const apex_store_who who = host_names_who(frame->names, standing->player);
    entry.has_driver = who.has_driver;
    memcpy(entry.driver, who.driver, sizeof entry.driver);
    apex_wire_text(entry.name, sizeof entry.name, standing->name);
    apex_wire_text(entry.car_def, sizeof entry.car_def, setup->car_names[standing->car]);
    return entry;
}

host_message host_whole_roster(const host_frame *frame) {
    size_t count = frame->order_count;
    apex_roster_entry *entries = apex_arena_alloc(frame->arena, (count + 1) * sizeof *entries);
    if (frame->order == NULL || entries == NULL) {
        return (host_message){NULL, 0};
    }
    for (size_t i = 0; i < count; i++) {
        entries[i] = roster_entry(frame, &frame->order[i]);
    }
    apex_server_message message = {
        .kind = APEX_SERVER_ROSTER,
        .roster = {.complete = true, .entry_count = (uint32_t)count, .entries = entries},
    };
    return host_encode_message(frame, &message, HOST_HEAD_BYTES + count * HOST_LINE_BYTES_MAX);
}

// Notes the players whose car the server took over or gave back in this tick.
static bool note_drivers(const host_frame *frame, host_roster_news *news, host_clients *clients) {
    uint32_t left = frame->drivers_changed;
    for (uint32_t i = 0; i < clients->end && left > 0; i++) {
        host_client *client = &clients->at[i];
        if (!client->driver_changed) {
            continue;
        }
        client->driver_changed = false;
        left--;
        if (news->count == news->capacity) {
            return false;
        }
        news->players[news->count++] = client->player;
    }
    return true;
}

// @return false if there is no room for all that is new.
static bool note_roster_news(const host_frame *frame, host_roster_news *news,
                             host_clients *clients) {
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
static bool is_due_roster(const host_frame *frame, const apex_sessions *sessions) {
    uint32_t half_s = frame->tick_hz / 2;
    uint32_t period = 1 + apex_sessions_welcomed(sessions) / HOST_CROWD_CLIENTS;
    period = period < half_s ? period : half_s;
    return frame->round % period == 0;
}

static void capture_changes(host_frame *frame, host_roster_news *news, const apex_race *race) {
    apex_roster_entry *entries = apex_arena_alloc(frame->arena, news->count * sizeof *entries);
    if (news->count == 0 || entries == NULL) {
        return; // the next tick may have room
    }
    for (uint32_t i = 0; i < news->count; i++) {
        apex_standing standing;
        bool is_here =
            apex_race_player_standing(race, news->players[i], &standing) && standing.present;
        entries[i] = is_here ? roster_entry(frame, &standing)
                             : (apex_roster_entry){.player = apex_player_wire_id(news->players[i])};
    }
    frame->roster_changes = entries;
    frame->roster_change_count = news->count;
    news->count = 0;
}

static host_message encode_changes(const host_frame *frame) {
    if (frame->roster_change_count == 0) {
        return (host_message){NULL, 0};
    }
    apex_server_message message = {
        .kind = APEX_SERVER_ROSTER,
        .roster = {.entry_count = frame->roster_change_count, .entries = frame->roster_changes},
    };
    return host_encode_message(frame, &message,
                               HOST_HEAD_BYTES +
                                   frame->roster_change_count * (size_t)HOST_LINE_BYTES_MAX);
}

// Changes that there was no room to note can only be told by the whole roster.
static void greet_all(host_clients *clients) {
    clients->newcomers_wait = true;
    for (uint32_t i = 0; i < clients->end; i++) {
        clients->at[i].needs_roster |= clients->at[i].admitted;
    }
}

void host_note_in_roster(host_roster_news *news, host_clients *clients, apex_player_id player) {
    if (news->count < news->capacity) {
        news->players[news->count++] = player;
    } else {
        news->count = 0;
        greet_all(clients);
    }
}

void host_capture_roster(host_frame *frame, host_roster_news *news, host_clients *clients,
                         const apex_sessions *sessions, const apex_race *race) {
    APEX_ASSERT(news->count <= news->capacity && clients->end <= clients->capacity);
    if (!note_roster_news(frame, news, clients)) {
        frame->has_new_roster = true;
        news->count = 0;
    } else if (is_due_roster(frame, sessions)) {
        capture_changes(frame, news, race);
    }
}

// Those to whom it is told as a whole are greeted after it.
void host_send_roster(const host_frame *frame, host_clients *clients, apex_sessions *sessions) {
    if (frame->has_new_roster) {
        greet_all(clients);
    }
    host_message changes = encode_changes(frame);
    for (uint32_t i = 0; changes.length > 0 && i < clients->end; i++) {
        const host_client *client = &clients->at[i];
        if (client->admitted && !client->needs_roster) {
            host_send_message(sessions, client, APEX_SERVER_ROSTER, changes);
        }
    }
}
