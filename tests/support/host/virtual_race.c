// Virtual time goes on from a tick to a round of the clients, whichever is next.
#include "support/host/virtual_race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/log.h"
#include "client-lite/client_internal.h"
#include "client-lite/pilot/pilot.h"
#include "client-lite/session/session.h"
#include "client-lite/session/session_receive.h"
#include "support/host/shared_content.h"
#include "support/net/link_sim.h"
#include "support/race/race_history.h"

enum {
    ROUND_HZ_MIN = 100,
    ARENA_BYTES = 16 * 1024 * 1024,
    DRIVE_US = 15000,
    TICK_HZ_MAX = 240,
};

// The snapshots that were sent to a client in one tick.
typedef struct sent {
    uint32_t datagrams, bytes;
} sent;

typedef struct race_client {
    apex_client *client;
    bool is_told_whole;
    client_pilot pilot;
    bool opened, ended, is_piloted, has_plan;
    uint64_t drove_us, newest_us;
    uint32_t newest_tick;
    uint64_t parts; // already compared
    sent of_ticks[TICK_HZ_MAX];
    virtual_race_seen seen;
} race_client;

struct virtual_race {
    apex_server *server;
    link_sim *network;
    uint64_t now_us, began_us;
    uint64_t ticks, rounds; // done
    uint32_t tick_hz, round_hz;
    apex_arena frame;
    race_history *history;
    uint32_t client_count, clients_max;
    race_client *clients;
    apex_hash_stream hash;
    virtual_race_watch *watch; // or NULL
    void *context;
    _Alignas(16) uint8_t scratch[APEX_DECODE_SCRATCH_BYTES];
};

static bool create_server(virtual_race *race, const virtual_race_def *def) {
    static apex_server_def server;
    char why[APEX_HOST_WHY_BYTES] = "";
    if (shared_content_load(&def->file, &server, why) != APEX_OK) {
        fprintf(stderr, "virtual race: %s\n", why);
        return false;
    }
    server.file.clients_per_address_max = def->network.clients_max;
    server.speed_permille = 1000;
    server.now_us = race->now_us;
    server.unix_us = 1767225600000000u;
    memset(server.token_key, 7, sizeof server.token_key);
    apex_err err = apex_server_create(&server, &race->server, why);
    apex_track_def_free(&server.track);
    if (err != APEX_OK) {
        fprintf(stderr, "virtual race: %s\n", why);
    }
    return err == APEX_OK;
}

virtual_race *virtual_race_create(const virtual_race_def *def) {
    apex_log_set_level(APEX_LOG_ERROR);
    APEX_ASSERT(def->round_hz >= ROUND_HZ_MIN);
    virtual_race *race = calloc(1, sizeof *race);
    APEX_ASSERT(race != NULL);
    race->now_us = 1000000;
    race->began_us = race->now_us;
    race->round_hz = def->round_hz;
    if (!create_server(race, def)) {
        free(race);
        return NULL;
    }
    race->tick_hz = apex_server_tick_hz(race->server);
    APEX_ASSERT(race->tick_hz <= TICK_HZ_MAX);
    race->network = link_sim_create(def->network);
    link_sim_advance(race->network, race->now_us);
    race->clients_max = def->network.clients_max;
    race->clients = calloc(race->clients_max, sizeof *race->clients);
    race->history = race_history_create(apex_server_race(race->server));
    apex_err err = apex_arena_create(&race->frame, ARENA_BYTES);
    APEX_ASSERT(race->clients != NULL && err == APEX_OK);
    apex_hash_begin(&race->hash, 0);
    return race;
}

void virtual_race_destroy(virtual_race *race) {
    for (uint32_t i = 0; i < race->client_count; i++) {
        apex_client_destroy(race->clients[i].client);
    }
    apex_server_destroy(race->server);
    link_sim_destroy(race->network);
    apex_arena_destroy(&race->frame);
    race_history_destroy(race->history);
    free(race->clients);
    free(race);
}

uint32_t virtual_race_connect(virtual_race *race, const apex_client_def *def) {
    APEX_ASSERT(race->client_count < race->clients_max);
    uint32_t number = race->client_count++;
    race_client *client = &race->clients[number];
    client->is_told_whole = def->full_snapshots;
    apex_err err = apex_client_create(def, &client->client);
    APEX_ASSERT(err == APEX_OK);
    client_session_begin(client_session_of(client->client), "virtual:0", race->now_us);
    link_sim_connect(race->network, number);
    return number;
}

void virtual_race_pilot(virtual_race *race, uint32_t client, bool is_piloted) {
    race->clients[client].is_piloted = is_piloted;
}

void virtual_race_on_round(virtual_race *race, virtual_race_watch *watch, void *context) {
    race->watch = watch;
    race->context = context;
}

static void account_second(virtual_race *race, race_client *client) {
    uint32_t snapshots = 0;
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < race->tick_hz; i++) {
        snapshots += client->of_ticks[i].datagrams > 0;
        bytes += client->of_ticks[i].bytes;
    }
    virtual_race_seen *seen = &client->seen;
    seen->snapshots_per_s_max =
        snapshots > seen->snapshots_per_s_max ? snapshots : seen->snapshots_per_s_max;
    seen->bytes_per_s_max = bytes > seen->bytes_per_s_max ? bytes : seen->bytes_per_s_max;
}

static bool is_snapshot(virtual_race *race, const apex_link_packet *packet) {
    apex_server_message message;
    apex_scratch scratch = {race->scratch, sizeof race->scratch};
    return packet->channel == APEX_CHANNEL_STATE &&
           apex_decode_server(packet->bytes, packet->length, scratch, &message, NULL) &&
           message.kind == APEX_SERVER_SNAPSHOT;
}

static void account(virtual_race *race, const apex_link_packet packets[], size_t count) {
    uint64_t turn = race->ticks % race->tick_hz;
    for (uint32_t i = 0; i < race->client_count; i++) {
        race->clients[i].of_ticks[turn] = (sent){0};
    }
    for (size_t i = 0; i < count; i++) {
        APEX_ASSERT(packets[i].link.index1 >= 1 && packets[i].link.index1 <= race->client_count);
        race_client *client = &race->clients[packets[i].link.index1 - 1];
        if (!is_snapshot(race, &packets[i])) {
            continue;
        }
        virtual_race_seen *seen = &client->seen;
        uint32_t length = (uint32_t)packets[i].length;
        seen->snapshots_sent += client->of_ticks[turn].datagrams++ == 0;
        client->of_ticks[turn].bytes += length;
        seen->datagrams++;
        seen->bytes += length;
        seen->datagram_bytes_max =
            length > seen->datagram_bytes_max ? length : seen->datagram_bytes_max;
    }
    for (uint32_t i = 0; i < race->client_count; i++) {
        account_second(race, &race->clients[i]);
    }
}

static void tick_server(virtual_race *race) {
    apex_arena_reset(&race->frame);
    apex_link_event *events = NULL;
    size_t event_count = link_sim_receive(race->network, &race->frame, &events);
    apex_server_feed(race->server, events, event_count);
    apex_server_tick(race->server, race->now_us);
    if (apex_server_has_blocking_work(race->server)) {
        apex_server_do_blocking_work(race->server);
    }
    race_history_keep(race->history, apex_server_race(race->server));
    const apex_link_packet *packets = NULL;
    size_t count = apex_server_outbox(race->server, &packets);
    account(race, packets, count);
    link_sim_send(race->network, packets, count);
    const apex_link *closing = NULL;
    size_t closing_count = apex_server_closing(race->server, &closing);
    for (size_t i = 0; i < closing_count; i++) {
        link_sim_close_link(race->network, closing[i]);
    }
    race->ticks++;
}

static void add_to_hash(apex_hash_stream *hash, const apex_wire_car *car, uint32_t tick) {
    // Field by field: what pads the structure is nobody's.
    const int64_t fields[] = {tick,         car->id,      car->x_mm,    car->y_mm,
                              car->z_mm,    car->yaw_q,   car->pitch_q, car->roll_q,
                              car->vx_cmps, car->vy_cmps, car->vz_cmps, car->yaw_rate_q,
                              car->steer_q, car->rpm,     car->gear,    car->throttle,
                              car->brake,   car->flags,   car->damage,  car->damage_zones};
    apex_hash_add(hash, fields, sizeof fields);
}

// With what the server had at the tick that a client shows a car of.
static void compare_car(virtual_race *race, race_client *client, const apex_wire_car *car,
                        uint32_t tick) {
    race_history_verdict verdict =
        race_history_judge(race->history, tick, car, client->is_told_whole);
    client->seen.cars++;
    client->seen.unknown += verdict == RACE_HISTORY_UNKNOWN;
    client->seen.wrong += verdict == RACE_HISTORY_WRONG;
    add_to_hash(&race->hash, car, tick);
}

static uint64_t tick_time_us(const virtual_race *race, uint64_t tick) {
    return race->began_us + tick * 1000000 / race->tick_hz;
}

static void note_newest(virtual_race *race, race_client *client, uint32_t tick) {
    virtual_race_seen *seen = &client->seen;
    if (tick > client->newest_tick) {
        // Numbered from 1, and so captured at the end of that many ticks.
        uint64_t age_us = race->now_us - tick_time_us(race, tick);
        seen->age_us_max = age_us > seen->age_us_max ? (uint32_t)age_us : seen->age_us_max;
        seen->snapshots_seen++;
        client->newest_tick = tick;
        client->newest_us = race->now_us;
    }
    uint64_t stall_us = client->newest_us > 0 ? race->now_us - client->newest_us : 0;
    seen->stall_us_max = stall_us > seen->stall_us_max ? stall_us : seen->stall_us_max;
}

static void compare(virtual_race *race, race_client *client) {
    const client_snapshots *shown = &client_session_of(client->client)->snapshots;
    note_newest(race, client, shown->tick);
    if (shown->parts == client->parts) {
        return;
    }
    client->parts = shown->parts;
    for (size_t i = 0; i < shown->count; i++) {
        compare_car(race, client, &shown->cars[i], shown->ticks[i]);
    }
}

static void drive(virtual_race *race, race_client *client) {
    if (!client->is_piloted || apex_client_state_of(client->client) != APEX_CLIENT_DRIVING) {
        return;
    }
    if (!client->has_plan) {
        const char *problem = NULL;
        const apex_driver_plan *plan =
            client_plans_for(shared_content_plans(), client->client, NULL, &problem);
        APEX_ASSERT(plan != NULL);
        client->pilot = client_pilot_create(plan, 0.95, 0.0);
        client->has_plan = true;
    }
    client_pilot_listen(&client->pilot, client->client);
    if (race->now_us - client->drove_us >= DRIVE_US) {
        client->drove_us = race->now_us;
        client_pilot_drive(&client->pilot, client->client, race->now_us);
    }
}

static void receive(virtual_race *race, uint32_t number) {
    race_client *client = &race->clients[number];
    client_session *session = client_session_of(client->client);
    if (!client->opened && link_sim_client_is_open(race->network, number)) {
        client->opened = true;
        client_session_opened(session, race->now_us);
    }
    for (link_sim_packet packet; link_sim_client_receive(race->network, number, &packet);) {
        client_session_receive(session, packet.channel, packet.bytes, packet.length, race->now_us);
    }
    if (link_sim_client_is_closed(race->network, number)) {
        client_session_link_closed(session);
    }
}

static void send(virtual_race *race, uint32_t number) {
    client_session *session = client_session_of(race->clients[number].client);
    const client_packet *packets = NULL;
    size_t count = client_outbox_packets(&session->outbox, &packets);
    for (size_t i = 0; i < count; i++) {
        link_sim_packet packet = {packets[i].channel, packets[i].bytes, packets[i].length};
        link_sim_client_send(race->network, number, &packet);
    }
    client_outbox_clear(&session->outbox);
}

static void round_of(virtual_race *race, uint32_t number) {
    race_client *client = &race->clients[number];
    client_session *session = client_session_of(client->client);
    client_knowledge_begin_update(&session->knowledge);
    if (client->ended) {
        return;
    }
    receive(race, number);
    client_session_update(session, race->now_us);
    compare(race, client);
    drive(race, client);
    send(race, number);
    if (session->state == APEX_CLIENT_CLOSED) {
        link_sim_client_close(race->network, number);
        client->ended = true;
    }
}

// The next thing to happen: a tick, or a round of the clients.
static void step(virtual_race *race) {
    uint64_t tick_us = tick_time_us(race, race->ticks + 1);
    uint64_t round_us = race->began_us + (race->rounds + 1) * 1000000 / race->round_hz;
    race->now_us = tick_us < round_us ? tick_us : round_us;
    link_sim_advance(race->network, race->now_us);
    if (tick_us <= round_us) {
        tick_server(race);
    }
    if (round_us <= tick_us) {
        race->rounds++;
        for (uint32_t i = 0; i < race->client_count; i++) {
            round_of(race, i);
        }
        if (race->watch != NULL) {
            race->watch(race, race->context);
        }
    }
}

static uint64_t time_in_us(const virtual_race *race, double seconds) {
    return race->now_us + (uint64_t)(seconds * 1e6);
}

void virtual_race_run(virtual_race *race, double seconds) {
    uint64_t end_us = time_in_us(race, seconds);
    while (race->now_us < end_us) {
        step(race);
    }
}

bool virtual_race_until(virtual_race *race, apex_client_state state, double seconds_max) {
    uint64_t end_us = time_in_us(race, seconds_max);
    while (race->now_us < end_us) {
        uint32_t there = 0;
        for (uint32_t i = 0; i < race->client_count; i++) {
            there += apex_client_state_of(race->clients[i].client) == state;
        }
        if (there == race->client_count) {
            return true;
        }
        step(race);
    }
    return false;
}

bool virtual_race_until_phase(virtual_race *race, apex_race_phase phase, double seconds_max) {
    uint64_t end_us = time_in_us(race, seconds_max);
    while (race->now_us < end_us) {
        if (apex_race_status_of(virtual_race_hosted(race)).phase == phase) {
            return true;
        }
        step(race);
    }
    return false;
}

uint64_t virtual_race_now_us(const virtual_race *race) {
    return race->now_us;
}

apex_server *virtual_race_server(const virtual_race *race) {
    return race->server;
}

const apex_race *virtual_race_hosted(const virtual_race *race) {
    return apex_server_race(race->server);
}

apex_client *virtual_race_client(const virtual_race *race, uint32_t client) {
    return race->clients[client].client;
}

link_sim *virtual_race_network(const virtual_race *race) {
    return race->network;
}

virtual_race_seen virtual_race_saw(const virtual_race *race, uint32_t client) {
    return race->clients[client].seen;
}

void virtual_race_forget(virtual_race *race) {
    for (uint32_t i = 0; i < race->client_count; i++) {
        race->clients[i].seen = (virtual_race_seen){0};
    }
}

uint64_t virtual_race_hash(const virtual_race *race) {
    return apex_hash_end(&race->hash);
}
