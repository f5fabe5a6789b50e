// What a client wants to be told of.
#include "client-lite/session/session_private.h"

// A focus that follows a pointer over a crowd of cars is many changes.
static const uint64_t FOCUS_US = 100000;

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
    session->focus_told = session->focus_car;
    session->subscribed_us = now_us;
    client_session_say(session, &message);
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
