// What each message of a server does to a session.
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "client-lite/session/session_private.h"
#include "client-lite/session/session_shown.h"

static const uint64_t JOIN_AGAIN_US = 1000000;
static const uint64_t TIME_AGAIN_US = 50000;
// Rates a server may name; beyond them the clock's arithmetic means nothing.
enum { TICK_HZ_MAX = 1000, SPEED_PERMILLE_MAX = 1000000 };
// A guess for servers that run as fast as they can; only the grouping of controls goes by it.
enum { UNPACED_TICK_HZ = 1000 };

static bool welcomed(const client_session *session) {
    return session->state >= APEX_CLIENT_LOADING && session->state < APEX_CLIENT_CLOSED;
}

static bool hash_listed_before(const apex_welcome *welcome, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (welcome->defs[i].hash == welcome->defs[index].hash) {
            return true;
        }
    }
    return false;
}

static void request_defs(client_session *session) {
    const apex_welcome *welcome = &session->knowledge.welcome;
    for (uint32_t i = 0; i < welcome->def_count; i++) {
        if (!session->knowledge.defs[i].bytes && !hash_listed_before(welcome, i)) {
            apex_client_message message = {.kind = APEX_CLIENT_DEF_REQUEST,
                                           .def_hash = welcome->defs[i].hash};
            client_session_say(session, &message);
        }
    }
}

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

void client_session_begin_deltas(client_session *session) {
    client_deltas_begin(&session->deltas, session->knowledge.welcome.tick_hz);
    session->deltas.only_car = session->def.own_car_only ? session->car : 0;
    session->deltas.ack_every = session->def.ack_every;
}

static void enter(client_session *session) {
    session->def.resume_only = false; // from here on he comes back as anybody does
    session->links_back += session->coming_back;
    session->coming_back = false;
    session->deltas.only_car = session->def.own_car_only ? session->car : 0;
    session->state = session->def.spectate ? APEX_CLIENT_SPECTATING : APEX_CLIENT_DRIVING;
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
        // What could not be taken is laid here.
        session->lays_apart = session->lays_apart && !client_session_awaits_ground(session);
        go_on(session);
    }
}

// A server that will ask for a password is not asked without one: no definitions are fetched in
// vain. Who comes with a token may need none.
static bool lacks_password(const client_session *session, const apex_welcome *welcome) {
    bool is_open = session->def.spectate && welcome->watching_open;
    return welcome->password_needed && !is_open && !session->has_token &&
           session->password[0] == '\0';
}

static bool on_welcome(client_session *session, const apex_welcome *welcome, uint64_t now_us) {
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
        request_defs(session);
    } else {
        go_on(session);
    }
    return true;
}

static bool on_def(client_session *session, const apex_def_content *def) {
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

// Nobody drove the car of this client: it watches from now on, and comes back as who watches.
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

static bool on_joined(client_session *session, const apex_joined *joined, uint64_t now_us) {
    if (session->state == APEX_CLIENT_DRIVING && joined->player == 0) {
        return on_demotion(session, now_us);
    }
    // Who is known by a token need not ask, and may hear so before the definitions are here.
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

// Only waiting can help against these; every other refusal of a join would come again.
static bool may_pass(apex_reason reason) {
    return reason == APEX_REASON_RACE_CLOSED || reason == APEX_REASON_RATE;
}

static bool refuses_join(apex_reason reason) {
    return reason == APEX_REASON_PASSWORD || reason == APEX_REASON_UNKNOWN_CAR ||
           reason == APEX_REASON_BAD_NAME || reason == APEX_REASON_RACE_FULL ||
           reason == APEX_REASON_SERVER_FULL || reason == APEX_REASON_ALREADY_JOINED;
}

static bool on_reject(client_session *session, const apex_refusal *reject, uint64_t now_us) {
    session->reject_reason = reject->reason;
    snprintf(session->reject_text, sizeof session->reject_text, "%s", reject->text);
    if (reject->closing && client_session_try_failed(session, reject->reason)) {
        return true;
    }
    bool joining = session->state == APEX_CLIENT_JOINING;
    bool loading = session->state == APEX_CLIENT_LOADING;
    if (reject->closing || (joining && refuses_join(reject->reason)) ||
        (loading && reject->reason == APEX_REASON_UNKNOWN_DEF)) {
        const char *text = reject->text[0] ? reject->text : apex_reason_text(reject->reason);
        client_session_close(session, reject->reason, "%s", text);
    } else if (joining && may_pass(reject->reason)) {
        session->join_again_us = now_us + JOIN_AGAIN_US;
    }
    return true;
}

static bool on_goodbye(client_session *session, const apex_refusal *goodbye) {
    const char *text = goodbye->text[0] ? goodbye->text : apex_reason_text(goodbye->reason);
    client_session_close(session, goodbye->reason, "%s", text);
    return true;
}

static bool on_time_reply(client_session *session, const apex_time_reply *reply, uint64_t now_us) {
    if (session->times_asked == 0 || reply->client_us < session->begun_us) {
        return false;
    }
    if (reply->client_us < session->deaf_us) {
        return true;
    }
    double into_ticks = (double)reply->into_tick_us * session->clock.ticks_per_us;
    // Past a tick's length the server itself is late; where it will be then nobody knows.
    double tick = (double)reply->tick + (into_ticks < 1.0 ? into_ticks : 1.0);
    uint32_t samples = session->clock.sample_count;
    bool taken = client_clock_reply(&session->clock, reply->client_us, tick, now_us);
    // The server has lost time, and this answer may have waited for it: the next one tells more.
    bool contradicts = taken && samples > 0 && session->clock.sample_count <= samples;
    if (contradicts && session->ask_time_us > now_us + TIME_AGAIN_US) {
        session->ask_time_us = now_us + TIME_AGAIN_US;
    }
    if (taken) {
        session->tally.replies++;
        session->tally.rtt_newest_us = (uint32_t)(now_us - reply->client_us);
    }
    return taken;
}

static void count_snapshot(client_session *session, const apex_snapshot_message *part) {
    client_tally *tally = &session->tally;
    tally->snapshot_ticks++;
    tally->ticks_spanned += session->snapshots.any ? part->tick - session->snapshots.tick : 0;
    tally->controls_on_tick += part->controls_tick == part->tick;
}

static bool take_cars(client_session *session, const apex_snapshot_message *part, uint64_t now_us) {
    apex_snapshot_message own = *part;
    own.car_count = 0;
    for (uint32_t i = 0; i < part->car_count && own.car_count == 0; i++) {
        if (part->cars[i].id == session->car) {
            own.cars = &part->cars[i];
            own.car_count = 1;
        }
    }
    session->tally.own_cars += own.car_count;
    return client_snapshots_take(&session->snapshots, session->def.own_car_only ? &own : part,
                                 now_us);
}

static bool on_cars(client_session *session, const apex_snapshot_message *part, uint64_t now_us) {
    bool newer = !session->snapshots.any || part->tick > session->snapshots.tick;
    if (newer) {
        count_snapshot(session, part);
    }
    bool room = take_cars(session, part, now_us);
    client_session_show_part(session, part, now_us);
    if (newer) {
        client_clock_snapshot(&session->clock, part->tick, now_us);
        if (session->state == APEX_CLIENT_DRIVING) {
            client_controls_report report = {.tick = part->tick,
                                             .used_tick = part->controls_tick,
                                             .depth = part->controls_depth};
            double line = client_session_trim_now(session, now_us).line;
            client_controls_hear(&session->controls, &report, line, now_us);
        }
    }
    return room;
}

static bool on_snapshot(client_session *session, const apex_snapshot_message *part,
                        uint64_t now_us) {
    apex_snapshot_message whole;
    uint32_t near_tick = client_session_near_tick(session);
    client_session_land(session, now_us);
    if (part->delta == NULL) {
        return on_cars(session, part, now_us);
    }
    bool only_glance =
        session->def.decode_every > 1 && session->tally.deltas++ % session->def.decode_every != 0;
    session->tally.glanced += only_glance;
    bool is_good = only_glance ? client_deltas_glance(&session->deltas, part, near_tick, &whole)
                               : client_deltas_take(&session->deltas, part, near_tick, &whole);
    if (!is_good) {
        return false;
    }
    whole.own = part->own;
    return on_cars(session, &whole, now_us);
}

// @return whether the entry is one to keep.
static bool note_own_car(client_session *session, const apex_roster_entry *entry) {
    bool own = session->player != 0 && entry->player == session->player;
    if (own && entry->car != 0) {
        session->car = entry->car;
    }
    return own || !session->def.own_car_only;
}

static bool on_roster(client_session *session, const apex_roster *roster) {
    client_knowledge *knowledge = &session->knowledge;
    if (roster->complete) {
        client_knowledge_roster_clear(knowledge);
    }
    for (uint32_t i = 0; i < roster->entry_count; i++) {
        const apex_roster_entry *entry = &roster->entries[i];
        if (!note_own_car(session, entry)) {
            continue;
        }
        uint32_t before = client_knowledge_roster_change(knowledge, entry);
        if (before != 0 && !roster->complete) {
            client_snapshots_remove(&session->snapshots, before);
        }
    }
    if (!roster->complete) {
        return true;
    }
    // Backwards, because removing moves what follows.
    for (size_t i = session->snapshots.count; i > 0; i--) {
        uint32_t car = session->snapshots.cars[i - 1].id;
        if (!client_knowledge_roster_has_car(knowledge, car)) {
            client_snapshots_remove(&session->snapshots, car);
        }
    }
    return true;
}

// Messages that only renew what is known.
static bool on_news(client_session *session, const apex_server_message *message) {
    client_knowledge *knowledge = &session->knowledge;
    switch (message->kind) {
    case APEX_SERVER_TELEMETRY:
        // Of another car it was on its way when the focus changed.
        if (!session->def.spectate || message->telemetry.car == session->focus_car) {
            knowledge->telemetry = message->telemetry;
            knowledge->has_telemetry = true;
        }
        return true;
    case APEX_SERVER_STATS:
        client_knowledge_stats(knowledge, &message->stats);
        return true;
    case APEX_SERVER_RACE_EVENT:
        if (!session->def.own_car_only || message->event.player == 0 ||
            message->event.player == session->player) {
            client_knowledge_event(knowledge, &message->event);
        }
        return true;
    case APEX_SERVER_PAST_EVENTS:
        if (!session->def.own_car_only) {
            client_knowledge_past(knowledge, &message->past_events);
        }
        return true;
    case APEX_SERVER_RACE_STATE:
        knowledge->race_state = message->race_state;
        knowledge->has_race_state = true;
        return true;
    case APEX_SERVER_STANDINGS:
        client_knowledge_standings(knowledge, &message->standings);
        return true;
    case APEX_SERVER_RESULTS:
        client_knowledge_results(knowledge, &message->results);
        return true;
    case APEX_SERVER_NOTICE:
        client_knowledge_notice(knowledge, message->notice.text);
        return true;
    default:
        return false;
    }
}

bool client_session_dispatch(client_session *session, const apex_server_message *message,
                             uint64_t now_us) {
    APEX_ASSERT(session->state >= APEX_CLIENT_GREETED && session->state < APEX_CLIENT_CLOSED);
    switch (message->kind) {
    case APEX_SERVER_WELCOME:
        return on_welcome(session, &message->welcome, now_us);
    case APEX_SERVER_REJECT:
        return on_reject(session, &message->reject, now_us);
    case APEX_SERVER_GOODBYE:
        return on_goodbye(session, &message->goodbye);
    default:
        break;
    }
    if (!welcomed(session)) {
        return false;
    }
    switch (message->kind) {
    case APEX_SERVER_JOINED:
        return on_joined(session, &message->joined, now_us);
    case APEX_SERVER_DEF:
        return on_def(session, &message->def);
    case APEX_SERVER_TIME_REPLY:
        return on_time_reply(session, &message->time_reply, now_us);
    case APEX_SERVER_SNAPSHOT:
        return on_snapshot(session, &message->snapshot, now_us);
    case APEX_SERVER_ROSTER:
        return on_roster(session, &message->roster);
    case APEX_SERVER_PLAYBACK_STATE:
        return client_session_on_playback(session, &message->playback_state, now_us);
    default:
        return on_news(session, message);
    }
}
