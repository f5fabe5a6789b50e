// Mail from clients becomes controls in their buffers and commands to the race.

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/host_private.h"
#include "host/seats/bots.h"
#include "host/simulation/race_commands.h"

static void set_name(char to[APEX_NAME_BYTES], const char *name) {
    _Static_assert((int)APEX_WIRE_NAME_BYTES <= (int)APEX_NAME_BYTES, "a name from the wire fits");
    snprintf(to, APEX_NAME_BYTES, "%s", name);
}

static uint32_t find_car(const apex_server *server, const char *name) {
    if (name[0] == '\0') {
        return 0;
    }
    for (uint32_t i = 0; i < server->car_count; i++) {
        if (strcmp(server->car_names[i], name) == 0) {
            return i;
        }
    }
    return server->car_count;
}

static void reject_unknown_car(apex_server *server, const host_client *client, const char *name) {
    char text[APEX_WIRE_TEXT_BYTES];
    int length = snprintf(text, sizeof text, "there is no car \"%s\" here; choose from:", name);
    for (uint32_t i = 0; i < server->car_count && length < (int)sizeof text; i++) {
        length +=
            snprintf(text + length, sizeof text - (size_t)length, " %s", server->car_names[i]);
    }
    server->refused_unknown_car++;
    apex_sessions_reject(server->sessions, client->session, APEX_REASON_UNKNOWN_CAR, text);
}

static void reject_race(apex_server *server, const host_client *client, apex_err err) {
    apex_reason reason = err == APEX_ERR_FULL ? APEX_REASON_RACE_FULL : APEX_REASON_RACE_CLOSED;
    server->refused_race++;
    apex_sessions_reject(server->sessions, client->session, reason, apex_reason_text(reason));
}

static void reject_busy(apex_server *server, const host_client *client) {
    server->refused_busy++;
    apex_sessions_reject(server->sessions, client->session, APEX_REASON_RACE_CLOSED,
                         "the server has more to do than it can; try again in a minute");
}

static void join(apex_server *server, host_client *client, const apex_join *request) {
    if (server->read_only_why != NULL) {
        server->refused_race++;
        apex_sessions_reject(server->sessions, client->session, APEX_REASON_RACE_CLOSED,
                             server->read_only_why);
        return;
    }
    if (server->overload.strain >= HOST_STRAIN_NO_NEWCOMERS) {
        reject_busy(server, client);
        return;
    }
    apex_race_command command = {.kind = APEX_RACE_JOIN, .car = find_car(server, request->car)};
    if (command.car == server->car_count) {
        reject_unknown_car(server, client, request->car);
        return;
    }
    set_name(command.name, request->name);
    apex_err err = host_seat(server, &command);
    if (err == APEX_ERR_FULL && host_bots_make_room(server)) {
        err = host_seat(server, &command);
    }
    if (err != APEX_OK) {
        reject_race(server, client, err);
        return;
    }
    apex_standing standing;
    bool found = apex_race_player_standing(server->race, command.player, &standing);
    APEX_ASSERT(found);
    host_client_seat(&server->clients, client, command.player);
    client->viewer.own_car = apex_car_wire_id(standing.car_id);
    apex_joined joined = {.player = apex_player_wire_id(command.player),
                          .car = client->viewer.own_car};
    apex_wire_text(joined.car_def, sizeof joined.car_def, server->car_names[command.car]);
    host_admit(server, client);
    apex_sessions_accept(server->sessions, client->session, &joined);
    apex_log(APEX_LOG_INFO, "race", "%s joined from %s in a %s", command.name,
             apex_session_address(server->sessions, client->session), joined.car_def);
}

static void spectate(apex_server *server, host_client *client) {
    if (server->overload.strain >= HOST_STRAIN_NO_NEWCOMERS) {
        reject_busy(server, client);
        return;
    }
    apex_joined joined = {.player = 0};
    host_admit(server, client);
    apex_sessions_accept(server->sessions, client->session, &joined);
    apex_log(APEX_LOG_INFO, "race", "a spectator from %s",
             apex_session_address(server->sessions, client->session));
}

static void subscribe(apex_server *server, host_client *client, const apex_subscribe *wish) {
    client->subscribed = true;
    client->viewer.period_ticks = host_period_of_hz(server, wish->snapshot_hz);
    client->telemetry_period_ticks = host_period_of_hz(server, wish->telemetry_hz);
    client->wants_stats = wish->server_stats;
    client->wants_standings = wish->standings;
    client->wants_sectors = wish->sectors;
    client->snapshot_bytes_max = wish->snapshot_bytes;
    client->focus_car = wish->focus_car;
    client->viewer.wants_own_car = wish->own_car;
    if (wish->encoding == APEX_ENCODING_FULL) {
        client->wants_deltas = false;
    } else if (!host_client_remember(&server->clients, client)) {
        apex_log(APEX_LOG_WARN, "host", "no memory for a viewer's deltas: it gets whole snapshots");
    }
}

static void answer_time(apex_server *server, const host_client *client, uint64_t client_us) {
    apex_server_message reply = {
        .kind = APEX_SERVER_TIME_REPLY,
        .time_reply = {.client_us = client_us, .tick = server->shown_tick},
    };
    apex_sessions_send(server->sessions, client->session, &reply);
}

static void take_wish(apex_server *server, const host_client *client,
                      const apex_playback_wish *wish) {
    host_frame *frame = &server->frame;
    frame->wishes[frame->wish_count++] = (host_wish){client, *wish};
}

static void take_acknowledgement(const apex_server *server, const host_client *client,
                                 const apex_snapshot_ack *ack) {
    apex_viewer_memory *memory = host_client_memory(&server->clients, client);
    if (memory != NULL) {
        apex_viewer_acknowledge(memory, ack);
    }
}

static void take_message(apex_server *server, host_client *client,
                         const apex_client_message *message) {
    uint32_t tick = (uint32_t)apex_world_tick(apex_race_world(server->race));
    switch (message->kind) {
    case APEX_CLIENT_JOIN:
        join(server, client, &message->join);
        break;
    case APEX_CLIENT_SPECTATE:
        spectate(server, client);
        break;
    case APEX_CLIENT_LEAVE:
        client->leaving = true;
        apex_sessions_close(server->sessions, client->session, APEX_REASON_NONE, "goodbye");
        break;
    case APEX_CLIENT_DEF_REQUEST:
        host_send_def(server, client, message->def_hash);
        break;
    case APEX_CLIENT_TIME_REQUEST:
        answer_time(server, client, message->client_us);
        break;
    case APEX_CLIENT_SUBSCRIBE:
        subscribe(server, client, &message->subscribe);
        break;
    case APEX_CLIENT_CONTROLS:
        host_controls_add(&client->controls, &message->controls, tick, &server->controls_counters);
        // Late as it may be: while the race runs on without it, it could never be in time.
        host_await_heard(client, tick + 1);
        take_acknowledgement(server, client, &message->controls.ack);
        break;
    case APEX_CLIENT_SNAPSHOT_ACK:
        take_acknowledgement(server, client, &message->snapshot_ack);
        break;
    case APEX_CLIENT_PLAYBACK:
        take_wish(server, client, &message->playback);
        break;
    case APEX_CLIENT_HELLO:
    case APEX_CLIENT_MESSAGE_KINDS:
        APEX_ASSERT(false); // sessions answer a Hello themselves
    }
}

static void close_client(apex_server *server, host_client *client) {
    apex_standing standing;
    if (apex_race_player_standing(server->race, client->player, &standing)) {
        apex_log(APEX_LOG_INFO, "race", "%s left", standing.name);
    }
    host_drop_player(server, client->player, client->leaves_why);
    host_client_close(&server->clients, client);
}

static void say(apex_server *server, const char *text) {
    apex_server_message notice = {.kind = APEX_SERVER_NOTICE};
    apex_wire_text(notice.notice.text, sizeof notice.notice.text, text);
    for (uint32_t i = 0; i < server->clients.end; i++) {
        if (server->clients.at[i].admitted) {
            apex_sessions_send(server->sessions, server->clients.at[i].session, &notice);
        }
    }
}

// What the console asked for between ticks; only within a tick can it be sent.
static void carry_out_orders(apex_server *server) {
    for (uint32_t i = 0; server->kicks_wait && i < server->clients.end; i++) {
        if (server->clients.at[i].kicked) {
            server->clients.at[i].kicked = false;
            apex_sessions_close(server->sessions, server->clients.at[i].session, APEX_REASON_KICKED,
                                "the operator closed your connection");
        }
    }
    server->kicks_wait = false;
    host_demote_waiting(server);
    for (uint32_t i = 0; i < server->announcement_count; i++) {
        say(server, server->announcements[i]);
    }
    server->announcement_count = 0;
}

void host_ingest(apex_server *server) {
    host_frame *frame = &server->frame;
    frame->wishes =
        apex_arena_alloc(&server->frame_arena, frame->mail_count * sizeof *frame->wishes);
    APEX_ASSERT(frame->wishes != NULL || frame->mail_count == 0);
    host_bots_draw(server);
    carry_out_orders(server);
    for (size_t i = 0; i < server->frame.mail_count; i++) {
        const apex_mail *mail = &server->frame.mail[i];
        if (mail->kind == APEX_MAIL_WELCOMED) {
            host_client_open(&server->clients, mail->session);
            host_welcome(server, mail->session);
            continue;
        }
        host_client *client = host_client_of(&server->clients, mail->session);
        if (client == NULL) {
            continue; // it never got as far as a welcome
        }
        if (mail->kind == APEX_MAIL_CLOSED) {
            close_client(server, client);
        } else if (mail->kind == APEX_MAIL_LOST) {
            host_resume_lost(server, client);
        } else if (mail->kind == APEX_MAIL_RESUMED) {
            host_resume_back(server, client);
        } else if (!client->leaving) {
            // A session may ask to join again in the tick in which it leaves; the player it
            // leaves goes with CLOSED mail only, so a second one would never be let go.
            take_message(server, client, mail->message);
        }
    }
}

void host_collect_controls(apex_server *server) {
    uint32_t tick = (uint32_t)apex_world_tick(apex_race_world(server->race)) + 1;
    for (uint32_t slot = 0; slot < server->clients.player_capacity; slot++) {
        uint32_t place1 = server->clients.of_player[slot];
        if (place1 == 0) {
            server->controls[slot] = (apex_controls){0};
            continue;
        }
        host_client *client = &server->clients.at[place1 - 1];
        if (client->lost) {
            server->controls[slot] = (apex_controls){0};
            continue;
        }
        server->controls[slot] =
            host_controls_take(&client->controls, tick, &server->controls_counters);
        client->viewer.controls_tick = client->controls.used_tick;
        client->viewer.controls_depth = host_controls_least(&client->controls);
        if (client->hand_back_us != 0) {
            host_resume_hand_back(server, client, tick);
        }
    }
}
