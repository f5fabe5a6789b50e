// The session is told with the race's state, once a second to each, and to all when it changes. How
// far it has got (laps, the chequered flag) goes by the order that the store has; the clock and the
// flags of race control are nothing that anybody could lose (DECISIONS 70).

#include "host/news/session_news.h"

#include "base/assert.h"

_Static_assert((int)APEX_WIRE_SESSIONS_MAX == (int)APEX_SESSIONS_MAX, "all are told");
_Static_assert((int)APEX_WIRE_CLASSES_MAX == (int)APEX_CLASSES_MAX, "all are told");
_Static_assert((int)APEX_WIRE_COMPOUNDS_MAX == (int)APEX_COMPOUNDS_MAX, "all are told");

static uint32_t milliseconds(double seconds) {
    return (uint32_t)(seconds * 1000.0 + 0.5);
}

apex_race_session host_session_of(const apex_session_status *told,
                                  const apex_session_status *live) {
    bool is_same = told->index == live->index;
    apex_race_session session = {
        .index = told->index,
        .count = told->count,
        .left_us = is_same ? live->left_us : told->left_us,
        .chequered = told->chequered,
        .flag = (uint32_t)(is_same ? live->flag : told->flag),
        .lead_laps = told->lead_laps,
    };
    if (told->def != NULL) {
        session.kind = (uint32_t)told->def->kind;
        session.laps = told->def->laps;
        session.duration_ms = milliseconds(told->def->duration_s);
        apex_wire_text(session.name, sizeof session.name, told->def->name);
    }
    return session;
}

void host_list_sessions(const apex_weekend_def *weekend, apex_race_session *session) {
    session->session_count = weekend->session_count;
    for (uint32_t i = 0; i < weekend->session_count; i++) {
        const apex_session_def *def = &weekend->sessions[i];
        session->sessions[i] = (apex_session_line){.kind = (uint32_t)def->kind,
                                                   .laps = def->laps,
                                                   .duration_ms = milliseconds(def->duration_s),
                                                   .stops_min = def->stops_min};
        apex_wire_text(session->sessions[i].name, APEX_WIRE_NAME_BYTES, def->name);
    }
    session->class_count = weekend->entries.class_count;
    for (uint32_t i = 0; i < session->class_count; i++) {
        apex_wire_text(session->classes[i], APEX_WIRE_NAME_BYTES, weekend->entries.classes[i].name);
    }
    session->compound_count = weekend->pits.compound_count;
    for (uint32_t i = 0; i < session->compound_count; i++) {
        apex_wire_text(session->compounds[i], APEX_WIRE_NAME_BYTES,
                       weekend->pits.compounds[i].name);
    }
}

// Its clock goes on by itself, and laps are in the standings.
static bool same(const apex_race_session *a, const apex_race_session *b) {
    return a->index == b->index && a->count == b->count && a->duration_ms == b->duration_ms &&
           a->chequered == b->chequered && a->flag == b->flag;
}

// Somebody who ends or extends it moves its end by a second at least.
static bool clock_goes_on(const apex_race_session *before, const apex_race_session *now) {
    int64_t gone_us = before->left_us - now->left_us;
    return gone_us > -1000000 && gone_us < 1000000;
}

void host_capture_session(host_frame *frame, const host_told_order *order, const apex_race *race,
                          apex_race_session *before) {
    if (!frame->setup->has_control) {
        return;
    }
    const apex_session_status live = apex_race_session_of(race);
    frame->session = host_session_of(&order->told.session, &live);
    frame->session_changed =
        !same(&frame->session, before) || !clock_goes_on(before, &frame->session);
    *before = frame->session;
}

static apex_server_message message_of(const host_frame *frame, bool with_lists) {
    apex_server_message message = {.kind = APEX_SERVER_SESSION_STATE, .session = frame->session};
    if (with_lists) {
        host_list_sessions(&frame->setup->file.race.weekend, &message.session);
    }
    return message;
}

void host_tell_session(const host_frame *frame, const host_clients *clients,
                       apex_sessions *sessions) {
    if (!frame->setup->has_control) {
        return;
    }
    const apex_server_message message = message_of(frame, false);
    if (frame->session_changed) {
        for (uint32_t i = 0; i < clients->end; i++) {
            if (clients->at[i].admitted && !clients->at[i].needs_roster) { // newcomers have it
                apex_sessions_send(sessions, clients->at[i].session, &message);
            }
        }
        return;
    }
    for (size_t i = 0; i < frame->race_state_count; i++) {
        APEX_ASSERT(frame->race_state_due[i] < clients->end);
        apex_sessions_send(sessions, clients->at[frame->race_state_due[i]].session, &message);
    }
}

void host_greet_with_session(const host_frame *frame, const host_client *client,
                             apex_sessions *sessions) {
    if (frame->setup->has_control) {
        const apex_server_message message = message_of(frame, true);
        apex_sessions_send(sessions, client->session, &message);
    }
}
