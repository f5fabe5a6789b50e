// A player whose link broke: the server's driver has the car until its client is back, or until its
// time is up and it leaves like any other. Sessions know who may come back (net/sessions/).
//
// For the race it is two commands, TAKEOVER and HANDBACK, so that replays need nothing new
// (DECISIONS 29). The server drives on until the first tick that has a sample of the client's, 3 s
// at most: at 200 km/h a round trip without hands is a car in the wall. If the old link was still
// open both commands are given as well, since a new process counts its shifts from another number.

#include "host/seats/resume.h"

#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/clients/admission.h"
#include "host/clients/definitions.h"
#include "host/simulation/race_commands.h"

// A client that has come back may just watch; then the car is its own all the same.
enum { HAND_BACK_US_MAX = 3000000 };

static const char *name_of(const apex_race *race, const host_client *client,
                           apex_standing *standing) {
    bool found = apex_race_player_standing(race, client->player, standing);
    APEX_ASSERT(found);
    return standing->name;
}

static void apply(host_frame *frame, host_simulation *simulation, host_client *client,
                  apex_race_command_kind kind) {
    apex_race_command command = {
        .kind = kind, .player = client->player, .skill = frame->setup->file.bot_skill};
    apex_err err = host_apply(simulation, &command);
    APEX_ASSERT(err == APEX_OK);
    frame->drivers_changed++;
    client->driver_changed = true;
}

void host_resume_lost(host_frame *frame, host_simulation *simulation, host_client *client) {
    apex_standing standing;
    apex_log_limited(
        APEX_LOG_INFO, "race", "%s lost the connection; the server drives for up to %g s",
        name_of(simulation->race, client, &standing), frame->setup->file.resume_grace_s);
    apply(frame, simulation, client, APEX_RACE_TAKEOVER);
    client->lost = true;
    client->admitted = false;
    client->needs_roster = false;
    client->telemetry_period_ticks = 0;
    client->nearest_period_ticks = 0;
    client->hand_back_us = 0;
}

// Its session is to be told that it has the player again.
static void greet(const host_frame *frame, host_clients *clients, apex_sessions *sessions,
                  const apex_race *race, host_client *client) {
    client->hand_back_us = frame->now_us + HAND_BACK_US_MAX;
    apex_standing standing;
    const char *name = name_of(race, client, &standing);
    client->viewer.own_car = apex_car_wire_id(standing.car_id);
    apex_joined joined = {.player = apex_player_wire_id(client->player),
                          .car = client->viewer.own_car,
                          .resumed = true};
    apex_wire_text(joined.car_def, sizeof joined.car_def, frame->setup->car_names[standing.car]);
    host_admit(frame, clients, race, client);
    apex_sessions_accept(sessions, client->session, &joined);
    apex_log_limited(APEX_LOG_INFO, "race", "%s is back from %s", name,
                     apex_session_address(sessions, client->session));
}

// The race forgets the counts of shifts with each change of hands.
void host_resume_back(host_frame *frame, host_clients *clients, apex_sessions *sessions,
                      host_simulation *simulation, host_client *client) {
    bool was_lost = client->lost;
    bool driver_changed = client->driver_changed;
    host_client_reopen(clients, client);
    client->driver_changed = driver_changed;
    if (!was_lost) {
        apply(frame, simulation, client, APEX_RACE_TAKEOVER);
    }
    host_welcome(frame, sessions, simulation->race, client->session);
    greet(frame, clients, sessions, simulation->race, client);
}

// Under another name he is another player: who starts two bots with one key wants two cars.
static bool is_same_driver(const host_names *names, const host_client *client,
                           const apex_session_who *who, const apex_name_look *look) {
    const apex_store_who of_client = host_names_who(names, client->player);
    return of_client.has_driver &&
           memcmp(of_client.driver, who->driver, sizeof of_client.driver) == 0 &&
           apex_name_looks_alike(&names->at[client->player.index1 - 1].look, look);
}

// NULL if he is not here, or is about to be not.
static host_client *find_driver(const host_clients *clients, const host_names *names,
                                const apex_session_who *who, const char *name) {
    apex_name_look look;
    if (who == NULL || !who->has_driver || !apex_name_look_of(names->judge, name, &look)) {
        return NULL;
    }
    for (uint32_t i = 0; i < clients->end; i++) {
        host_client *client = &clients->at[i];
        if (client->player.index1 != 0 && !client->leaving && !client->kicked &&
            is_same_driver(names, client, who, &look)) {
            return client;
        }
    }
    return NULL;
}

// Nobody has chosen a name that programs give: two who drive under one are two bots.
static bool is_another(const host_names *names, const host_client *old, const char *name) {
    return !old->lost && host_is_common_name(&names->common, names->judge, name);
}

// A machine that lost its link and finds that its driver has gone on from another one does not take
// the car back by itself: the newest that somebody has sat down at has it.
//
// The player changes his session here, and not the session its link as where a token resumes: the
// new one has been welcomed, and its client knows the token that goes with it (DECISIONS 60).
bool host_resume_elsewhere(host_frame *frame, host_clients *clients, apex_sessions *sessions,
                           host_simulation *simulation, const host_newcomer *newcomer) {
    host_client *client = newcomer->client;
    const apex_session_who *who = apex_session_who_is(sessions, client->session);
    host_client *old = find_driver(clients, &simulation->names, who, newcomer->name);
    if (old == NULL || is_another(&simulation->names, old, newcomer->name)) {
        return false;
    }
    if (who->lost_place && !old->lost) {
        apex_sessions_close(sessions, client->session, APEX_REASON_RESUMED, NULL);
        return true;
    }
    apex_player_id player = old->player;
    bool was_lost = old->lost;
    host_client_unseat(clients, old);
    old->admitted = false;
    host_client_seat(clients, client, player);
    if (!was_lost) {
        apply(frame, simulation, client, APEX_RACE_TAKEOVER);
    }
    apex_sessions_close(sessions, old->session, APEX_REASON_RESUMED, NULL);
    greet(frame, clients, sessions, simulation->race, client);
    return true;
}

void host_resume_hand_back(host_frame *frame, host_clients *clients, host_simulation *simulation) {
    uint32_t tick = (uint32_t)apex_world_tick(apex_race_world(simulation->race)) + 1;
    for (uint32_t slot = 0; slot < clients->player_capacity; slot++) {
        uint32_t place1 = clients->of_player[slot];
        APEX_ASSERT(place1 <= clients->end);
        host_client *client = place1 > 0 ? &clients->at[place1 - 1] : NULL;
        if (client == NULL || client->lost || client->hand_back_us == 0) {
            continue;
        }
        if (host_controls_has(&client->controls, tick) || frame->now_us >= client->hand_back_us) {
            client->hand_back_us = 0;
            apply(frame, simulation, client, APEX_RACE_HANDBACK);
        }
    }
}
