#include "support/sim_race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "support/link_sim.h"

enum { FRAME_BYTES = 4 * 1024 * 1024 };

sim_race *sim_race_create(const apex_race_file *file, link_sim_def links) {
    static apex_server_def def;
    char why[APEX_HOST_WHY_BYTES] = "";
    if (apex_server_def_load(file, NULL, &def, why) != APEX_OK) {
        fprintf(stderr, "race: %s\n", why);
        return NULL;
    }
    sim_race *race = calloc(1, sizeof *race);
    APEX_ASSERT(race != NULL);
    race->now_us = 1000000;
    def.workers = 0;
    def.speed_permille = 1000;
    def.now_us = race->now_us;
    def.unix_us = 1767225600000000u;
    def.listen = false;
    memset(def.token_key, 7, sizeof def.token_key);
    def.record_path[0] = 0;
    apex_err err = apex_server_create(&def, &race->server, why);
    apex_track_def_free(&def.track);
    APEX_ASSERT(err == APEX_OK);
    race->links = link_sim_create(links);
    race->plans = client_plans_create();
    err = apex_arena_create(&race->frame, FRAME_BYTES);
    APEX_ASSERT(err == APEX_OK && race->links != NULL && race->plans != NULL);
    return race;
}

void sim_race_destroy(sim_race *race) {
    for (size_t i = 0; i < race->client_count; i++) {
        apex_client_destroy(race->clients[i].client);
    }
    apex_server_destroy(race->server);
    link_sim_destroy(race->links);
    client_plans_destroy(race->plans);
    apex_arena_destroy(&race->frame);
    free(race);
}

client_session *sim_race_session(sim_race *race, size_t client) {
    return client_session_of(race->clients[client].client);
}

size_t sim_race_connect(sim_race *race, const apex_client_def *def, bool is_piloted) {
    APEX_ASSERT(race->client_count < SIM_RACE_CLIENTS_MAX);
    size_t number = race->client_count++;
    sim_race_client *client = &race->clients[number];
    apex_err err = apex_client_create(def, &client->client);
    APEX_ASSERT(err == APEX_OK);
    client->is_piloted = is_piloted;
    client_session_begin(sim_race_session(race, number), "sim:0", race->now_us);
    link_sim_connect(race->links, (uint32_t)number);
    return number;
}

static void tick_server(sim_race *race) {
    apex_link_event *events = NULL;
    apex_arena_reset(&race->frame);
    size_t count = link_sim_receive(race->links, &race->frame, &events);
    apex_server_feed(race->server, events, count);
    apex_server_tick(race->server, race->now_us);
    if (apex_server_has_blocking_work(race->server)) {
        apex_server_do_blocking_work(race->server);
    }
    const apex_link_packet *packets = NULL;
    count = apex_server_outbox(race->server, &packets);
    link_sim_send(race->links, packets, count);
    const apex_link *closing = NULL;
    count = apex_server_closing(race->server, &closing);
    for (size_t i = 0; i < count; i++) {
        link_sim_close_link(race->links, closing[i]);
    }
}

static void drive(sim_race *race, sim_race_client *client) {
    if (!client->is_piloted || apex_client_state_of(client->client) != APEX_CLIENT_DRIVING) {
        return;
    }
    if (!client->has_plan) {
        const char *problem = NULL;
        const apex_driver_plan *plan =
            client_plans_for(race->plans, client->client, NULL, &problem);
        APEX_ASSERT(plan != NULL);
        client->pilot = client_pilot_create(plan, 0.95, 0.0);
        client->has_plan = true;
    }
    client_pilot_listen(&client->pilot, client->client);
    client_pilot_drive(&client->pilot, client->client, race->now_us);
}

static void update(sim_race *race, uint32_t number) {
    sim_race_client *client = &race->clients[number];
    client_session *session = sim_race_session(race, number);
    client_knowledge_begin_update(&session->knowledge);
    if (!client->opened && link_sim_client_is_open(race->links, number)) {
        client->opened = true;
        client_session_opened(session, race->now_us);
    }
    link_sim_packet packet;
    while (link_sim_client_receive(race->links, number, &packet)) {
        client_session_receive(session, packet.channel, packet.bytes, packet.length, race->now_us);
    }
    client_session_update(session, race->now_us);
    const client_packet *packets = NULL;
    size_t count = client_session_outbox(session, &packets);
    for (size_t i = 0; i < count; i++) {
        link_sim_packet out = {packets[i].channel, packets[i].bytes, packets[i].length};
        link_sim_client_send(race->links, number, &out);
    }
    client_session_clear_outbox(session);
    drive(race, client);
}

static void frame(sim_race *race) {
    uint64_t frames_per_s = (uint64_t)apex_server_tick_hz(race->server) * SIM_RACE_FRAMES_PER_TICK;
    race->frames++;
    race->now_us = 1000000 + race->frames * 1000000 / frames_per_s;
    link_sim_advance(race->links, race->now_us);
    if (race->frames % SIM_RACE_FRAMES_PER_TICK == 0) {
        tick_server(race);
        link_sim_advance(race->links, race->now_us);
    }
    for (uint32_t i = 0; i < race->client_count; i++) {
        update(race, i);
    }
    if (race->on_frame != NULL) {
        race->on_frame(race, race->context);
    }
}

void sim_race_run(sim_race *race, double seconds) {
    uint64_t until_us = race->now_us + (uint64_t)(seconds * 1e6);
    while (race->now_us < until_us) {
        frame(race);
    }
}

bool sim_race_until(sim_race *race, apex_race_phase phase, double seconds_max) {
    uint64_t until_us = race->now_us + (uint64_t)(seconds_max * 1e6);
    while (race->now_us < until_us) {
        if (apex_race_status_of(apex_server_race(race->server)).phase == phase) {
            return true;
        }
        frame(race);
    }
    return false;
}
