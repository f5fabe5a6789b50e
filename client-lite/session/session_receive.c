// Every message finds its handler here; those of the way into the race are session_welcome's.
#include "client-lite/session/session_receive.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "client-lite/session/handshake/session_resume.h"
#include "client-lite/session/handshake/session_welcome.h"
#include "client-lite/session/session_controls.h"
#include "client-lite/session/showing/session_playback.h"
#include "client-lite/session/showing/session_shown.h"
#include "client-lite/session/state/race_control.h"

// A long reliable message may need so much memory a byte.
enum { SCRATCH_PER_BYTE = 64 };

static const uint64_t JOIN_AGAIN_US = 1000000;
static const uint64_t TIME_AGAIN_US = 50000;

static bool welcomed(const client_session *session) {
    return session->state >= APEX_CLIENT_LOADING && session->state < APEX_CLIENT_CLOSED;
}

// Only waiting can help against these; every other refusal of a join would come again.
static bool may_pass(apex_reason reason) {
    return reason == APEX_REASON_RACE_CLOSED || reason == APEX_REASON_RATE;
}

static bool refuses_join(apex_reason reason) {
    bool is_about_who = reason >= APEX_REASON_KEY && reason <= APEX_REASON_TOKEN_USED;
    return is_about_who || reason == APEX_REASON_PASSWORD || reason == APEX_REASON_UNKNOWN_CAR ||
           reason == APEX_REASON_BAD_NAME || reason == APEX_REASON_RACE_FULL ||
           reason == APEX_REASON_SERVER_FULL || reason == APEX_REASON_ALREADY_JOINED ||
           reason == APEX_REASON_LOCKDOWN;
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

// Past a tick's length the server itself is late; where it will be then nobody knows. One that
// waits for controls is not on its way to the next tick: that one has to have them.
static double part_of_tick(const client_clock *clock, uint32_t into_tick_us) {
    double part = (double)into_tick_us * clock->ticks_per_us;
    return clock->as_fast_as_possible ? 0.0 : (part < 1.0 ? part : 1.0);
}

static bool on_time_reply(client_session *session, const apex_time_reply *reply, uint64_t now_us) {
    if (session->times_asked == 0 || reply->client_us < session->begun_us) {
        return false;
    }
    if (reply->client_us < session->deaf_us) {
        return true;
    }
    double tick = (double)reply->tick + part_of_tick(&session->clock, reply->into_tick_us);
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
    bool is_between = client_session_is_between(session, part);
    tally->snapshot_ticks += !is_between;
    tally->ticks_spanned += session->snapshots.any ? part->tick - session->snapshots.tick : 0;
    tally->controls_on_tick += !is_between && part->controls_tick == part->tick;
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
        if (session->state == APEX_CLIENT_DRIVING && !client_session_is_between(session, part)) {
            client_controls_report report = {.tick = part->tick,
                                             .used_tick = part->controls_tick,
                                             .depth = part->controls_depth};
            double own_tick = client_session_trim_now(session, now_us).own_tick;
            client_controls_hear(&session->controls, &report, own_tick, now_us);
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
            client_session_tell_touch(session, &message->event);
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
    case APEX_SERVER_SESSION_STATE:
        client_knowledge_session(knowledge, &message->session);
        return true;
    case APEX_SERVER_CONDUCT:
        knowledge->conduct = message->conduct;
        knowledge->has_conduct = true;
        return true;
    case APEX_SERVER_PENALTIES:
        client_knowledge_penalties(knowledge, &message->penalties);
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

// Acts on one decoded message. @return false if it has no place in the present state.
static bool dispatch(client_session *session, const apex_server_message *message, uint64_t now_us) {
    APEX_ASSERT(session->state >= APEX_CLIENT_GREETED && session->state < APEX_CLIENT_CLOSED);
    switch (message->kind) {
    case APEX_SERVER_WELCOME:
        return client_session_on_welcome(session, &message->welcome, now_us);
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
        return client_session_on_joined(session, &message->joined, now_us);
    case APEX_SERVER_DEF:
        return client_session_on_def(session, &message->def);
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

void client_session_receive(client_session *session, uint8_t channel, const uint8_t *bytes,
                            size_t length, uint64_t now_us) {
    (void)channel; // every message says what it is; its channel only decided how it travelled
    if (session->state < APEX_CLIENT_GREETED || session->state == APEX_CLIENT_CLOSED) {
        return;
    }
    session->heard_us = now_us;
    if (length > APEX_MESSAGE_BYTES_MAX) {
        session->undecodable++;
        return;
    }
    apex_scratch scratch = {.memory = session->scratch, .bytes = APEX_DECODE_SCRATCH_BYTES};
    void *longer = NULL;
    if (length > APEX_DATAGRAM_BYTES_MAX) {
        scratch.bytes += SCRATCH_PER_BYTE * length;
        longer = malloc(scratch.bytes);
        scratch.memory = longer;
        if (longer == NULL) {
            session->undecodable++;
            return;
        }
    }
    apex_server_message message;
    if (!apex_decode_server(bytes, length, scratch, &message, NULL) ||
        !dispatch(session, &message, now_us)) {
        session->undecodable++;
    } else {
        session->tally.heard[message.kind]++;
    }
    free(longer);
}
