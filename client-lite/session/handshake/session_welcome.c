// The welcome is checked, definitions are fetched and the track is laid before the join.
#include "client-lite/session/handshake/session_welcome.h"

#include <string.h>

#include "client-lite/session/handshake/session_requests.h"
#include "client-lite/session/handshake/session_resume.h"
#include "client-lite/session/showing/session_shown.h"

// Rates a server may name; beyond them the clock's arithmetic means nothing.
enum { TICK_HZ_MAX = 1000, SPEED_PERMILLE_MAX = 1000000 };

// A guess for servers that run as fast as they can; only the grouping of controls goes by it.
enum { UNPACED_TICK_HZ = 1000 };

// Ticks in a second of the client's own time.
static uint32_t real_tick_hz(const apex_welcome *welcome) {
    if (welcome->speed_permille == 0) {
        return UNPACED_TICK_HZ;
    }
    uint64_t hz = (uint64_t)welcome->tick_hz * welcome->speed_permille / 1000;
    return hz > 0 ? (uint32_t)hz : 1;
}

// Of a server that waits for controls: up to its next snapshot and a tick more, so that it need not
// stand still while that is under way.
static uint32_t beyond_ticks(const client_session *session, const apex_welcome *welcome) {
    uint32_t wished_hz = session->def.snapshot_hz;
    uint32_t hz = wished_hz != 0 ? wished_hz : welcome->snapshot_hz;
    uint32_t period = hz > 0 ? (welcome->tick_hz + hz / 2) / hz : 1;
    return welcome->speed_permille == 0 ? period + 1 : 0;
}

static void enter(client_session *session) {
    session->def.resume_only = false; // from here on he comes back as anybody does
    session->links_back += session->coming_back;
    session->coming_back = false;
    session->deltas.only_car = session->def.own_car_only ? session->car : 0;
    session->state = session->def.spectate ? APEX_CLIENT_SPECTATING : APEX_CLIENT_DRIVING;
    if (session->clock.as_fast_as_possible) {
        session->ask_time_us = 0; // the race may stand still already, for this driver's controls
    }
    client_session_begin_predicting(session);
}

// Once definitions are here: the track is laid, or awaited; then the join.
static void go_on(client_session *session) {
    session->state = APEX_CLIENT_LOADING;
    if (session->def.resume_only) {
        session->def.spectate = !session->resumed;
    }
    if (client_session_awaits_ground(session)) {
        return;
    }
    client_session_lay_track(session);
    if (session->resumed) {
        enter(session);
    } else {
        client_session_join(session);
    }
}

void client_session_take_ground(client_session *session, uint8_t *laid, size_t length) {
    client_session_keep_ground(session, laid, length);
    if (session->state == APEX_CLIENT_LOADING &&
        client_knowledge_defs_complete(&session->knowledge)) {
        // A track that could not be taken is laid here.
        session->lays_apart = session->lays_apart && !client_session_awaits_ground(session);
        go_on(session);
    }
}

// A server that will ask for a password is not asked without one: no definitions are fetched in
// vain. A client that comes with a token may need none.
static bool lacks_password(const client_session *session, const apex_welcome *welcome) {
    bool is_open = session->def.spectate && welcome->watching_open;
    return welcome->password_needed && !is_open && !session->has_token &&
           session->password[0] == '\0';
}

bool client_session_on_welcome(client_session *session, const apex_welcome *welcome,
                               uint64_t now_us) {
    if (session->state != APEX_CLIENT_GREETED) {
        return false;
    }
    if (welcome->protocol_version != APEX_PROTOCOL_VERSION) {
        client_session_close(session, APEX_REASON_VERSION,
                             "%s speaks protocol version %u, this client version %u: use a client "
                             "of the same release",
                             session->server, welcome->protocol_version, APEX_PROTOCOL_VERSION);
        return true;
    }
    if (welcome->tick_hz == 0 || welcome->tick_hz > TICK_HZ_MAX ||
        welcome->speed_permille > SPEED_PERMILLE_MAX || welcome->def_count > APEX_WIRE_DEFS_MAX) {
        client_session_close(session, APEX_REASON_BAD_MESSAGE,
                             "%s welcomed this client with impossible rates", session->server);
        return false;
    }
    if (session->coming_back && !client_session_is_same(session, welcome)) {
        client_session_close(session, APEX_REASON_UNKNOWN_DEF,
                             "%s came back with another track or other cars: join anew",
                             session->server);
        return true;
    }
    if ((uint64_t)welcome->tick + 1 < session->knowledge.heard_tick1) {
        session->knowledge.heard_tick1 = 0; // another server, or a recording that was set back
    }
    session->knowledge.welcome = *welcome;
    session->knowledge.welcomed = true;
    if (lacks_password(session, welcome)) {
        client_session_close(session, APEX_REASON_PASSWORD, "%s asks for a password",
                             session->server);
        return true;
    }
    memcpy(session->token, welcome->resume_token, sizeof session->token);
    session->has_token = true;
    session->outbox.secret = welcome->secret;
    session->resumed = false;
    session->times_asked = 0;
    client_clock_begin(&session->clock, welcome->tick_hz, welcome->speed_permille);
    client_clock_guess(&session->clock, welcome->tick, now_us);
    client_controls_begin(&session->controls, welcome->tick_hz, real_tick_hz(welcome),
                          session->def.controls_lead_ticks, beyond_ticks(session, welcome));
    session->controls.shift_ticks = session->def.controls_shift_ticks;
    client_snapshots_begin(&session->snapshots, welcome->tick_hz);
    client_session_begin_deltas(session);
    client_session_begin_showing(session);
    session->knowledge.has_playback = false;
    session->jumped = false;
    session->play_wish = (apex_playback_wish){.play = APEX_PLAY_KEEP};
    session->ask_time_us = now_us;
    client_session_subscribe(session, now_us);
    if (session->def.want_defs && !client_knowledge_defs_complete(&session->knowledge)) {
        session->state = APEX_CLIENT_LOADING;
        client_session_request_defs(session);
    } else {
        go_on(session);
    }
    return true;
}

bool client_session_on_def(client_session *session, const apex_def_content *def) {
    if (session->state != APEX_CLIENT_LOADING) {
        return false;
    }
    switch (client_knowledge_def(&session->knowledge, def)) {
    case CLIENT_DEF_TAKEN:
        break;
    case CLIENT_DEF_UNASKED:
        return false;
    case CLIENT_DEF_WRONG:
        client_session_close(session, APEX_REASON_BAD_MESSAGE,
                             "the definition of '%s' that %s sent does not match its hash",
                             def->name, session->server);
        return false;
    case CLIENT_DEF_NO_MEMORY:
        client_session_close(session, APEX_REASON_BAD_MESSAGE,
                             "out of memory for the definition of '%s'", def->name);
        return false;
    }
    if (!client_knowledge_defs_complete(&session->knowledge)) {
        return true;
    }
    go_on(session);
    return true;
}

// Nobody drove the car of this client: it watches from now on, and comes back as a spectator.
static bool on_demotion(client_session *session, uint64_t now_us) {
    session->player = 0;
    session->car = 0;
    session->car_def[0] = '\0';
    session->resumed = false;
    session->demoted = true;
    session->def.spectate = true;
    session->state = APEX_CLIENT_SPECTATING;
    session->knowledge.has_telemetry = false;
    client_session_end_predicting(session);
    client_session_subscribe(session, now_us);
    return true;
}

bool client_session_on_joined(client_session *session, const apex_joined *joined, uint64_t now_us) {
    if (session->state == APEX_CLIENT_DRIVING && joined->player == 0) {
        return on_demotion(session, now_us);
    }
    // A client known by a token need not ask, and may hear so before the definitions are here.
    bool is_early = session->state == APEX_CLIENT_LOADING && joined->resumed;
    if (session->state != APEX_CLIENT_JOINING && !is_early) {
        return false;
    }
    session->player = joined->player;
    session->car = joined->car;
    memcpy(session->car_def, joined->car_def, sizeof session->car_def);
    session->resumed = joined->resumed;
    if (session->def.resume_only && joined->resumed) {
        session->def.spectate = false;
    }
    if (!is_early) {
        enter(session);
    }
    return true;
}
