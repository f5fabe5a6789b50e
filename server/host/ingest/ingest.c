// Mail from clients becomes controls in their buffers and commands to the race.

#include "host/ingest/ingest.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/clients/admission.h"
#include "host/clients/definitions.h"
#include "host/ingest/await.h"
#include "host/ingest/pit_plan.h"
#include "host/seats/demote.h"
#include "host/seats/resume.h"
#include "host/simulation/race_commands.h"

// The parts that the stage may write, for the functions below it.
typedef struct intake {
    host_frame *frame;
    host_clients *clients;
    apex_sessions *sessions;
    host_simulation *simulation;
    host_bots *bots;
} intake;

static apex_store_who who_of(const intake *in, const host_client *client) {
    const apex_session_who *shown = apex_session_who_is(in->sessions, client->session);
    apex_store_who who = {0};
    if (shown != NULL && shown->has_driver) {
        who.has_driver = true;
        memcpy(who.driver, shown->driver, sizeof who.driver);
    }
    return who;
}

// @return false: he may not be called so, and has been told.
static bool settle_name(const intake *in, const host_client *client, const char *wanted,
                        char name[APEX_NAME_BYTES]) {
    _Static_assert((int)APEX_WIRE_NAME_BYTES == (int)APEX_NAME_BYTES, "a name from the wire fits");
    snprintf(name, APEX_NAME_BYTES, "%s", wanted);
    const apex_store_who who = who_of(in, client);
    const char *why = NULL;
    host_name_verdict verdict =
        host_names_settle(&in->simulation->names, in->simulation->race, &who, name, &why);
    if (verdict == HOST_NAME_HELD) {
        in->clients->refused_name_held++;
        apex_sessions_reject(in->sessions, client->session, APEX_REASON_NAME_HELD, why);
    } else if (verdict == HOST_NAME_BAD) {
        in->clients->refused_name++;
        apex_sessions_reject(in->sessions, client->session, APEX_REASON_BAD_NAME, why);
    } else if (strcmp(name, wanted) != 0) {
        apex_log_limited(APEX_LOG_INFO, "race", "somebody is called like %s already: this is %s",
                         wanted, name);
    }
    return verdict == HOST_NAME_GOOD;
}

// A name with a number is nobody's: its look is that of another, who was here first.
static void note_who(const intake *in, const host_client *client, const apex_race_command *join,
                     const char *wanted) {
    host_names *names = &in->simulation->names;
    const apex_store_who who = who_of(in, client);
    host_names_know(names, join->player, &who);
    if (strcmp(join->name, wanted) == 0) {
        host_names_hold(names, &who, join->name, in->frame->unix_us);
    }
}

static uint32_t find_car(const host_setup *setup, const char *name) {
    if (name[0] == '\0') {
        return 0;
    }
    for (uint32_t i = 0; i < setup->car_count; i++) {
        if (strcmp(setup->car_names[i], name) == 0) {
            return i;
        }
    }
    return setup->car_count;
}

static const apex_join_token *token_of(const intake *in, const host_client *client) {
    const apex_session_who *who = apex_session_who_is(in->sessions, client->session);
    return who != NULL && who->has_token ? &who->token : NULL;
}

// The lobby's word goes before the driver's.
static uint32_t choose_car(const intake *in, const host_client *client, const char *name) {
    const apex_join_token *token = token_of(in, client);
    if (token == NULL || token->car == APEX_TOKEN_FREE_BYTE) {
        return find_car(in->frame->setup, name);
    }
    uint32_t count = in->frame->setup->car_count;
    return token->car < count ? token->car : count;
}

static void reject_car_of_token(const intake *in, const host_client *client, uint32_t car) {
    char text[APEX_WIRE_TEXT_BYTES];
    snprintf(text, sizeof text,
             "your token is for car %u, counted from 0; this race has %u: tell your lobby", car,
             in->frame->setup->car_count);
    in->clients->refused_unknown_car++;
    apex_sessions_reject(in->sessions, client->session, APEX_REASON_UNKNOWN_CAR, text);
}

static void reject_unknown_car(const intake *in, const host_client *client, const char *name) {
    const host_setup *setup = in->frame->setup;
    const apex_join_token *token = token_of(in, client);
    if (token != NULL && token->car != APEX_TOKEN_FREE_BYTE) {
        reject_car_of_token(in, client, token->car);
        return;
    }
    char text[APEX_WIRE_TEXT_BYTES];
    int length = snprintf(text, sizeof text, "there is no car \"%s\" here; choose from:", name);
    for (uint32_t i = 0; i < setup->car_count && length < (int)sizeof text; i++) {
        length += snprintf(text + length, sizeof text - (size_t)length, " %s", setup->car_names[i]);
    }
    in->clients->refused_unknown_car++;
    apex_sessions_reject(in->sessions, client->session, APEX_REASON_UNKNOWN_CAR, text);
}

static void reject_race(const intake *in, const host_client *client, apex_err err) {
    apex_reason reason = err == APEX_ERR_FULL ? APEX_REASON_RACE_FULL : APEX_REASON_RACE_CLOSED;
    in->clients->refused_race++;
    apex_sessions_reject(in->sessions, client->session, reason, apex_reason_text(reason));
}

static void reject_busy(const intake *in, const host_client *client) {
    in->clients->refused_busy++;
    apex_sessions_reject(in->sessions, client->session, APEX_REASON_RACE_CLOSED,
                         "the server has more to do than it can; try again in a minute");
}

// A lobby that relies on it is to find out by the log, and its driver drives all the same.
static void tell_what_token_cannot(const intake *in, const host_client *client, const char *name) {
    const apex_join_token *token = token_of(in, client);
    if (token != NULL &&
        (token->start_number != APEX_TOKEN_FREE || token->ballast_kg != APEX_TOKEN_FREE ||
         token->restrictor_percent != APEX_TOKEN_FREE_BYTE)) {
        apex_log_limited(APEX_LOG_WARN, "race",
                         "the token of %s says a start number, ballast or restrictor: this server "
                         "has none of them yet and leaves them out",
                         name);
    }
}

// The list's word goes before the driver's and the lobby's.
// @param[out] wanted in: the name that he wants; out: the one that he is to have
// @return false: he may not drive, and has been told.
static bool settle_entry(const intake *in, host_client *client, const char **wanted,
                         apex_race_command *command) {
    const host_simulation *simulation = in->simulation;
    const apex_store_who who = who_of(in, client);
    const host_entry found =
        host_entry_of(&simulation->entries, simulation->names.judge, &who, *wanted);
    if (found.refused != APEX_REASON_NONE) {
        in->clients->refused_entry++;
        apex_sessions_reject(in->sessions, client->session, found.refused, found.why);
        return false;
    }
    *wanted = found.entry != NULL ? found.entry->name : *wanted;
    if (!settle_name(in, client, *wanted, command->name)) {
        return false;
    }
    if (found.entry == NULL) {
        return true;
    }
    if (strcmp(command->name, *wanted) != 0) {
        in->clients->refused_entry++;
        apex_sessions_reject(in->sessions, client->session, APEX_REASON_NAME_HELD,
                             "this entry of the event drives already");
        return false;
    }
    command->car = found.entry->car1 > 0 ? found.entry->car1 - 1 : command->car;
    return true;
}

static void join(const intake *in, host_client *client, const apex_join *request) {
    const char *refused_why = in->frame->setup->joins_refused_why;
    if (refused_why != NULL) {
        in->clients->refused_race++;
        apex_sessions_reject(in->sessions, client->session, APEX_REASON_RACE_CLOSED, refused_why);
        return;
    }
    // No newcomer: he is here already.
    host_newcomer newcomer = {.client = client, .name = request->name};
    if (host_resume_elsewhere(in->frame, in->clients, in->sessions, in->simulation, &newcomer)) {
        return;
    }
    if (in->frame->strain >= HOST_STRAIN_NO_NEWCOMERS) {
        reject_busy(in, client);
        return;
    }
    apex_race_command command = {.kind = APEX_RACE_JOIN,
                                 .car = choose_car(in, client, request->car)};
    const char *wanted = request->name;
    if (!settle_entry(in, client, &wanted, &command)) {
        return;
    }
    if (command.car == in->frame->setup->car_count) {
        reject_unknown_car(in, client, request->car);
        return;
    }
    apex_err err = host_seat(in->simulation, &command);
    if (err == APEX_ERR_FULL && host_bots_make_room(in->bots, in->simulation, in->frame->setup)) {
        err = host_seat(in->simulation, &command);
    }
    if (err != APEX_OK) {
        reject_race(in, client, err);
        return;
    }
    note_who(in, client, &command, wanted);
    tell_what_token_cannot(in, client, command.name);
    apex_standing standing;
    bool found = apex_race_player_standing(in->simulation->race, command.player, &standing);
    APEX_ASSERT(found);
    host_client_seat(in->clients, client, command.player);
    client->viewer.own_car = apex_car_wire_id(standing.car_id);
    apex_joined joined = {.player = apex_player_wire_id(command.player),
                          .car = client->viewer.own_car};
    apex_wire_text(joined.car_def, sizeof joined.car_def, in->frame->setup->car_names[command.car]);
    host_admit(in->frame, in->clients, in->simulation->race, client);
    apex_sessions_accept(in->sessions, client->session, &joined);
    apex_log_limited(APEX_LOG_INFO, "race", "%s joined from %s in a %s", command.name,
                     apex_session_address(in->sessions, client->session), joined.car_def);
}

static void spectate(const intake *in, host_client *client) {
    if (in->frame->strain >= HOST_STRAIN_NO_NEWCOMERS) {
        reject_busy(in, client);
        return;
    }
    apex_joined joined = {.player = 0};
    host_admit(in->frame, in->clients, in->simulation->race, client);
    apex_sessions_accept(in->sessions, client->session, &joined);
    apex_log_limited(APEX_LOG_INFO, "race", "a spectator from %s",
                     apex_session_address(in->sessions, client->session));
}

static void subscribe(const intake *in, host_client *client, const apex_subscribe *wish) {
    const apex_race *race = in->simulation->race;
    const apex_race_file *file = &in->frame->setup->file;
    client->subscribed = true;
    client->viewer.period_ticks = host_period_within(race, wish->snapshot_hz, file->snapshot_hz);
    client->telemetry_period_ticks =
        host_period_within(race, wish->telemetry_hz, file->telemetry_hz);
    client->nearest_period_ticks = host_period_within(race, wish->nearest_hz, file->nearest_hz);
    client->wants_stats = wish->server_stats;
    client->wants_standings = wish->standings;
    client->wants_sectors = wish->sectors;
    client->snapshot_bytes_max = wish->snapshot_bytes;
    client->focus_car = wish->focus_car;
    client->viewer.wants_own_car = wish->own_car;
    if (wish->encoding == APEX_ENCODING_FULL) {
        client->wants_deltas = false;
    } else if (!host_client_remember(in->clients, client)) {
        apex_log_limited(APEX_LOG_WARN, "host",
                         "no memory for a viewer's deltas: it gets whole snapshots");
    }
}

// Up to a tick late, since the socket is drained once a tick: clients keep the smallest of the last
// round trips (DECISIONS 9).
static void answer_time(const intake *in, const host_client *client, uint64_t client_us) {
    apex_server_message reply = {
        .kind = APEX_SERVER_TIME_REPLY,
        .time_reply = {.client_us = client_us, .tick = in->frame->shown_tick},
    };
    apex_sessions_send(in->sessions, client->session, &reply);
}

static void take_wish(host_frame *frame, const host_client *client,
                      const apex_playback_wish *wish) {
    frame->wishes[frame->wish_count++] = (host_wish){client, *wish};
}

static void take_acknowledgement(host_clients *clients, const host_client *client,
                                 const apex_snapshot_ack *ack) {
    apex_viewer_memory *memory = host_client_memory(clients, client);
    if (memory != NULL) {
        apex_viewer_acknowledge(memory, ack);
    }
}

static void take_message(const intake *in, host_client *client,
                         const apex_client_message *message) {
    uint32_t tick = (uint32_t)apex_world_tick(apex_race_world(in->simulation->race));
    switch (message->kind) {
    case APEX_CLIENT_JOIN:
        join(in, client, &message->join);
        break;
    case APEX_CLIENT_SPECTATE:
        spectate(in, client);
        break;
    case APEX_CLIENT_LEAVE:
        client->leaving = true;
        apex_sessions_close(in->sessions, client->session, APEX_REASON_NONE, "goodbye");
        break;
    case APEX_CLIENT_DEF_REQUEST:
        host_send_def(in->frame->setup, in->sessions, client, message->def_hash);
        break;
    case APEX_CLIENT_TIME_REQUEST:
        answer_time(in, client, message->client_us);
        break;
    case APEX_CLIENT_SUBSCRIBE:
        subscribe(in, client, &message->subscribe);
        break;
    case APEX_CLIENT_CONTROLS:
        host_controls_add(&client->controls, &message->controls, tick,
                          &in->clients->controls_counters);
        // Late as it may be: while the race runs on without it, it could never be in time.
        host_await_heard(client, tick + 1);
        take_acknowledgement(in->clients, client, &message->controls.ack);
        break;
    case APEX_CLIENT_SNAPSHOT_ACK:
        take_acknowledgement(in->clients, client, &message->snapshot_ack);
        break;
    case APEX_CLIENT_PLAYBACK:
        take_wish(in->frame, client, &message->playback);
        break;
    case APEX_CLIENT_PIT_PLAN:
        host_take_pit_plan(in->frame->setup, in->sessions, in->simulation, client,
                           &message->pit_plan);
        break;
    case APEX_CLIENT_HELLO:
    case APEX_CLIENT_MESSAGE_KINDS:
        APEX_ASSERT(false); // sessions answer a Hello themselves
    }
}

static void close_client(const intake *in, host_client *client) {
    apex_standing standing;
    if (apex_race_player_standing(in->simulation->race, client->player, &standing)) {
        apex_log_limited(APEX_LOG_INFO, "race", "%s left", standing.name);
    }
    host_drop_player(in->simulation, client->player, client->leaves_why);
    host_client_close(in->clients, client);
}

static void say(const host_clients *clients, apex_sessions *sessions, const char *text) {
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    apex_wire_text(notice.notice.text, sizeof notice.notice.text, text);
    for (uint32_t i = 0; i < clients->end; i++) {
        if (clients->at[i].admitted) {
            apex_sessions_send(sessions, clients->at[i].session, &notice);
        }
    }
}

void host_carry_out_orders(const host_frame *frame, host_clients *clients, host_news *news,
                           apex_sessions *sessions, host_simulation *simulation) {
    APEX_ASSERT(frame->wishes == NULL); // what clients say comes after what operators do
    APEX_ASSERT(clients->end <= clients->capacity);
    APEX_ASSERT(news->announcement_count <= HOST_ANNOUNCEMENTS_MAX);
    for (uint32_t i = 0; clients->kicks_wait && i < clients->end; i++) {
        if (clients->at[i].kicked) {
            clients->at[i].kicked = false;
            apex_sessions_close(sessions, clients->at[i].session, APEX_REASON_KICKED,
                                "the operator closed your connection");
        }
    }
    clients->kicks_wait = false;
    host_demote_waiting(clients, sessions, simulation);
    for (uint32_t i = 0; i < news->announcement_count; i++) {
        say(clients, sessions, news->announcements[i]);
    }
    news->announcement_count = 0;
}

// Sessions say what became of a link before they hear that its player went on from another machine,
// or was put out as idle, in the same tick: there is no place to come back to any more.
static bool has_lost_player(const apex_mail *mail, const host_client *client) {
    bool is_of_player = mail->kind == APEX_MAIL_LOST || mail->kind == APEX_MAIL_RESUMED;
    return is_of_player && client->player.index1 == 0;
}

static void take_mail(const intake *in, const apex_mail *mail) {
    if (mail->kind == APEX_MAIL_WELCOMED) {
        host_client_open(in->clients, mail->session)->heard_us = in->frame->now_us;
        host_welcome(in->frame, in->sessions, in->simulation->race, mail->session);
        return;
    }
    host_client *client = host_client_of(in->clients, mail->session);
    if (client == NULL) {
        return; // it never got as far as a welcome
    }
    if (mail->kind == APEX_MAIL_CLOSED) {
        close_client(in, client);
    } else if (has_lost_player(mail, client)) {
        apex_sessions_close(in->sessions, client->session, APEX_REASON_IDLE, NULL);
    } else if (mail->kind == APEX_MAIL_LOST) {
        host_resume_lost(in->frame, in->simulation, client);
    } else if (mail->kind == APEX_MAIL_RESUMED) {
        host_resume_back(in->frame, in->clients, in->sessions, in->simulation, client);
        client->heard_us = in->frame->now_us;
    } else if (!client->leaving) {
        client->heard_us = in->frame->now_us;
        // A session may ask to join again in the tick in which it leaves; the player it
        // leaves goes with CLOSED mail only, so a second one would never be let go.
        take_message(in, client, mail->message);
    }
}

void host_ingest(host_frame *frame, host_clients *clients, apex_sessions *sessions,
                 host_simulation *simulation, host_bots *bots) {
    const intake in = {frame, clients, sessions, simulation, bots};
    APEX_ASSERT(frame->wish_count == 0 && clients->end <= clients->capacity);
    frame->wishes = apex_arena_alloc(frame->arena, frame->mail_count * sizeof *frame->wishes);
    APEX_ASSERT(frame->wishes != NULL || frame->mail_count == 0);
    for (size_t i = 0; i < frame->mail_count; i++) {
        take_mail(&in, &frame->mail[i]);
    }
}
