// Each request is one message of the protocol.
#include "client-lite/session/handshake/session_requests.h"

#include <string.h>

// A focus that follows a pointer over a crowd of cars is many changes.
static const uint64_t FOCUS_US = 100000;
// Cars side by side as often as the server gives: the age of news is what prediction errs by.
enum { NEAREST_HZ = 240 };

void client_session_subscribe(client_session *session, uint64_t now_us) {
    const apex_client_def *def = &session->def;
    apex_client_message message = {.kind = APEX_CLIENT_SUBSCRIBE};
    message.subscribe.snapshot_hz =
        def->snapshot_hz != 0 ? def->snapshot_hz : session->knowledge.welcome.snapshot_hz;
    message.subscribe.telemetry_hz = def->telemetry_hz;
    message.subscribe.server_stats = def->server_stats;
    message.subscribe.standings = def->standings;
    message.subscribe.sectors = def->sectors;
    message.subscribe.encoding = def->full_snapshots ? APEX_ENCODING_FULL : APEX_ENCODING_DELTA;
    message.subscribe.snapshot_bytes = def->snapshot_bytes;
    message.subscribe.own_car = def->predict && !def->spectate;
    message.subscribe.focus_car = session->focus_car;
    bool foretells = def->ahead && message.subscribe.own_car;
    message.subscribe.nearest_hz = foretells ? NEAREST_HZ : 0;
    session->focus_told = session->focus_car;
    session->subscribed_us = now_us;
    client_outbox_say(&session->outbox, &message);
}

void client_session_focus(client_session *session, uint32_t car) {
    if (!session->def.spectate || car == session->focus_car) {
        return;
    }
    session->focus_car = car;
    session->knowledge.has_telemetry = false;
}

uint64_t client_session_focus_due_us(const client_session *session) {
    return session->focus_car != session->focus_told ? session->subscribed_us + FOCUS_US
                                                     : UINT64_MAX;
}

static bool hash_listed_before(const apex_welcome *welcome, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (welcome->defs[i].hash == welcome->defs[index].hash) {
            return true;
        }
    }
    return false;
}

void client_session_request_defs(client_session *session) {
    const apex_welcome *welcome = &session->knowledge.welcome;
    for (uint32_t i = 0; i < welcome->def_count; i++) {
        if (session->knowledge.defs[i].bytes == NULL && !hash_listed_before(welcome, i)) {
            apex_client_message message = {.kind = APEX_CLIENT_DEF_REQUEST,
                                           .def_hash = welcome->defs[i].hash};
            client_outbox_say(&session->outbox, &message);
        }
    }
}

// A server that gives no challenge knows no keys.
static void identify(client_session *session, apex_identity *out) {
    const apex_welcome *welcome = &session->knowledge.welcome;
    if (session->def.sign == NULL || !welcome->has_challenge) {
        return;
    }
    apex_client_sign_for what = {.server_key =
                                     session->is_sealed ? session->server_key : welcome->server_key,
                                 .challenge = welcome->challenge,
                                 .binding = session->is_sealed ? session->binding : NULL};
    if (!session->def.sign(session->def.sign_context, &what, out)) {
        *out = (apex_identity){0};
    }
}

void client_session_join(client_session *session) {
    session->state = APEX_CLIENT_JOINING;
    session->join_again_us = 0;
    apex_client_message message;
    if (session->def.spectate) {
        message = (apex_client_message){.kind = APEX_CLIENT_SPECTATE};
        memcpy(message.spectate.password, session->password, sizeof session->password);
        identify(session, &message.spectate.identity);
    } else {
        message = (apex_client_message){.kind = APEX_CLIENT_JOIN};
        memcpy(message.join.name, session->name, sizeof session->name);
        memcpy(message.join.car, session->car_wanted, sizeof session->car_wanted);
        memcpy(message.join.password, session->password, sizeof session->password);
        identify(session, &message.join.identity);
    }
    client_outbox_say(&session->outbox, &message);
}
