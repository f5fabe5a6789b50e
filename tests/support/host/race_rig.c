// Clients' packets become link events of the server's next tick; nothing crosses a socket.
#include "support/host/race_rig.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "client-lite/client_internal.h"
#include "client-lite/pilot/pilot.h"
#include "client-lite/session/handshake/session_resume.h"
#include "client-lite/session/session.h"
#include "client-lite/session/session_receive.h"
#include "support/base/heap_count.h"
#include "support/host/shared_content.h"

enum { EVENTS_MAX = 4096, INJECTED_BYTES = 4096, LINKS_EACH_MAX = 65535 / RACE_RIG_CLIENTS_MAX };

typedef struct rig_client {
    apex_client *client;
    apex_link link;
    client_pilot pilot;
    bool open, opened, cut, muted, piloted, has_plan;
    bool broken;       // it may not open another link
    bool is_close_due; // the server is to see its link closed
    uint32_t links;    // opened so far
    uint32_t events[APEX_EVENT_KINDS];
    uint8_t injected[INJECTED_BYTES];
    size_t injected_length;
    uint8_t injected_channel;
} rig_client;

struct race_rig {
    apex_server *server;
    uint64_t now_us, period_us;
    bool is_unpaced, disk_is_held, is_turned_round;
    uint64_t random;
    double loss;
    uint64_t heap_calls;
    apex_link_event events[EVENTS_MAX];
    size_t event_count;
    size_t client_count;
    rig_client clients[RACE_RIG_CLIENTS_MAX];
};

static race_rig *create(const apex_race_file *file, uint32_t workers, const char *record_path,
                        uint32_t speed_permille, apex_held_names *held_names) {
    apex_log_set_level(APEX_LOG_ERROR);
    static apex_server_def def;
    char why[APEX_HOST_WHY_BYTES] = "";
    if (shared_content_load(file, &def, why) != APEX_OK) {
        fprintf(stderr, "rig: %s\n", why);
        return NULL;
    }
    race_rig *rig = calloc(1, sizeof *rig);
    APEX_ASSERT(rig != NULL);
    rig->now_us = 1000000;
    rig->random = 88172645463325252u;
    def.workers = workers;
    def.held_names = held_names;
    def.speed_permille = speed_permille;
    def.now_us = rig->now_us;
    def.unix_us = 1767225600000000u;
    memset(def.token_key, 7, sizeof def.token_key);
    def.has_seal_secret = true;
    memset(def.seal_secret, 9, sizeof def.seal_secret);
    snprintf(def.record_path, sizeof def.record_path, "%s", record_path != NULL ? record_path : "");
    apex_err err = apex_server_create(&def, &rig->server, why);
    apex_track_def_free(&def.track);
    if (err != APEX_OK) {
        fprintf(stderr, "rig: %s\n", why);
        free(rig);
        return NULL;
    }
    rig->is_unpaced = speed_permille == 0;
    rig->period_us =
        rig->is_unpaced
            ? 1000
            : (uint64_t)(1e9 / ((double)apex_server_tick_hz(rig->server) * speed_permille));
    return rig;
}

race_rig *race_rig_create(const apex_race_file *file, uint32_t workers, const char *record_path) {
    return create(file, workers, record_path, 1000, NULL);
}

race_rig *race_rig_create_at(const apex_race_file *file, uint32_t speed_permille) {
    return create(file, 0, NULL, speed_permille, NULL);
}

race_rig *race_rig_create_beside(const apex_race_file *file, apex_held_names *held_names) {
    return create(file, 0, NULL, 1000, held_names);
}

void race_rig_destroy(race_rig *rig) {
    if (rig == NULL) {
        return;
    }
    for (size_t i = 0; i < rig->client_count; i++) {
        apex_client_destroy(rig->clients[i].client);
    }
    apex_server_destroy(rig->server);
    free(rig);
}

size_t race_rig_connect(race_rig *rig, const apex_client_def *def) {
    APEX_ASSERT(rig->client_count < RACE_RIG_CLIENTS_MAX);
    size_t number = rig->client_count++;
    rig_client *client = &rig->clients[number];
    apex_err err = apex_client_create(def, &client->client);
    APEX_ASSERT(err == APEX_OK);
    client->link = (apex_link){(uint16_t)(number + 1), 1};
    client->open = true;
    client_session_begin(client_session_of(client->client), "rig:0", rig->now_us);
    return number;
}

void race_rig_turn_round(race_rig *rig) {
    rig->is_turned_round = true;
}

void race_rig_cut(race_rig *rig, size_t client) {
    rig->clients[client].cut = true;
}

void race_rig_break(race_rig *rig, size_t number, bool server_knows) {
    rig_client *client = &rig->clients[number];
    client->broken = true;
    client->open = false;
    client->is_close_due = server_knows;
    client_session_link_closed(client_session_of(client->client));
}

void race_rig_mend(race_rig *rig, size_t client) {
    rig->clients[client].broken = false;
}

// Each link of a client has another index, so that an old one may still be open at the server.
static void open_another(rig_client *client, size_t number) {
    APEX_ASSERT(client->links + 1 < LINKS_EACH_MAX);
    client->links++;
    client->link.index1 = (uint16_t)(number + 1 + client->links * RACE_RIG_CLIENTS_MAX);
    client->open = true;
    client->opened = false;
}

void race_rig_pilot(race_rig *rig, size_t client) {
    rig->clients[client].piloted = true;
}

void race_rig_inject(race_rig *rig, size_t client, uint8_t channel, const uint8_t *bytes,
                     size_t length) {
    rig_client *target = &rig->clients[client];
    APEX_ASSERT(length <= sizeof target->injected);
    memcpy(target->injected, bytes, length);
    target->injected_length = length;
    target->injected_channel = channel;
}

void race_rig_mute(race_rig *rig, size_t client) {
    rig->clients[client].muted = true;
}

void race_rig_unmute(race_rig *rig, size_t client) {
    rig->clients[client].muted = false;
}

void race_rig_set_loss(race_rig *rig, double share) {
    rig->loss = share;
}

static bool is_lost(race_rig *rig, uint8_t channel) {
    rig->random ^= rig->random << 13;
    rig->random ^= rig->random >> 7;
    rig->random ^= rig->random << 17;
    double unit = (double)(rig->random >> 11) / 9007199254740992.0;
    return channel == APEX_CHANNEL_STATE && unit < rig->loss;
}

static void add_event(race_rig *rig, const apex_link_event *event) {
    APEX_ASSERT(rig->event_count < EVENTS_MAX);
    rig->events[rig->event_count++] = *event;
}

static void gather_from(race_rig *rig, rig_client *client) {
    if (!client->opened) {
        client->opened = true;
        apex_link_event opened = {
            .kind = APEX_LINK_OPENED, .link = client->link, .trust = APEX_LINK_SEALED};
        snprintf(opened.address, sizeof opened.address, "10.0.0.%u", client->link.index1 % 250u);
        add_event(rig, &opened);
        client_session_opened(client_session_of(client->client), rig->now_us);
    }
    const client_packet *packets = NULL;
    size_t count = client_outbox_packets(&client_session_of(client->client)->outbox, &packets);
    for (size_t i = 0; i < count; i++) {
        apex_link_event bytes = {.kind = APEX_LINK_BYTES,
                                 .link = client->link,
                                 .channel = packets[i].channel,
                                 .bytes = packets[i].bytes,
                                 .length = packets[i].length};
        if (!client->muted && !is_lost(rig, packets[i].channel)) {
            add_event(rig, &bytes);
        }
    }
    if (client->injected_length > 0) {
        apex_link_event bytes = {.kind = APEX_LINK_BYTES,
                                 .link = client->link,
                                 .channel = client->injected_channel,
                                 .bytes = client->injected,
                                 .length = client->injected_length};
        add_event(rig, &bytes);
        client->injected_length = 0;
    }
}

static void close_link(race_rig *rig, rig_client *client) {
    apex_link_event closed = {.kind = APEX_LINK_CLOSED, .link = client->link};
    add_event(rig, &closed);
    client->open = false;
    client_session_link_closed(client_session_of(client->client));
}

static void listen_and_drive(race_rig *rig, rig_client *client) {
    size_t count = 0;
    const apex_race_event_message *events = apex_client_events(client->client, &count);
    for (size_t i = 0; i < count; i++) {
        client->events[events[i].kind]++;
    }
    if (!client->piloted || apex_client_state_of(client->client) != APEX_CLIENT_DRIVING) {
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
    client_pilot_drive(&client->pilot, client->client, rig->now_us);
}

static void deliver(race_rig *rig) {
    const apex_link_packet *packets = NULL;
    size_t count = apex_server_outbox(rig->server, &packets);
    for (size_t i = 0; i < count; i++) {
        size_t number = ((size_t)packets[i].link.index1 - 1) % RACE_RIG_CLIENTS_MAX;
        APEX_ASSERT(number < rig->client_count);
        rig_client *client = &rig->clients[number];
        bool is_its_link = packets[i].link.index1 == client->link.index1;
        if (client->open && is_its_link && !client->cut && !is_lost(rig, packets[i].channel)) {
            client_session_receive(client_session_of(client->client), packets[i].channel,
                                   packets[i].bytes, packets[i].length, rig->now_us);
        }
    }
}

static void gather(race_rig *rig) {
    rig->event_count = 0;
    for (size_t i = 0; i < rig->client_count; i++) {
        size_t number = rig->is_turned_round ? rig->client_count - 1 - i : i;
        rig_client *client = &rig->clients[number];
        if (client->is_close_due) {
            client->is_close_due = false;
            add_event(rig, &(apex_link_event){.kind = APEX_LINK_CLOSED, .link = client->link});
        }
        bool wants_link = client_session_take_wish(client_session_of(client->client));
        if (wants_link && !client->broken && !client->cut) {
            open_another(client, number);
        }
        if (client->open && client->cut) {
            close_link(rig, client);
        } else if (client->open) {
            gather_from(rig, client);
        }
    }
    apex_server_feed(rig->server, rig->events, rig->event_count);
}

void race_rig_hold_disk(race_rig *rig, bool holds) {
    rig->disk_is_held = holds;
}

// The server's packets of its last round are carried to the clients, and links that it closed end.
static void carry(race_rig *rig) {
    deliver(rig);
    const apex_link *closing = NULL;
    size_t closing_count = apex_server_closing(rig->server, &closing);
    for (size_t i = 0; i < rig->client_count; i++) {
        for (size_t c = 0; c < closing_count; c++) {
            bool is_its_link = closing[c].index1 == rig->clients[i].link.index1;
            rig->clients[i].cut |= rig->clients[i].open && is_its_link;
        }
    }
}

static void tick_server(race_rig *rig) {
    heap_count_start();
    apex_server_tick(rig->server, rig->now_us);
    heap_count heap = heap_count_stop();
    rig->heap_calls += heap.allocs + heap.frees;
    if (!rig->disk_is_held && apex_server_has_blocking_work(rig->server)) {
        apex_server_do_blocking_work(rig->server);
    }
}

static void begin_clients(race_rig *rig) {
    for (size_t i = 0; i < rig->client_count; i++) {
        client_outbox_clear(&client_session_of(rig->clients[i].client)->outbox);
        client_knowledge_begin_update(&client_session_of(rig->clients[i].client)->knowledge);
    }
}

static bool is_due(race_rig *rig) {
    uint64_t due_us = 0;
    apex_server_await(rig->server, rig->now_us);
    return apex_server_is_due(rig->server, rig->now_us, &due_us);
}

// Packets that have come are heard first; then ticks are made until somebody is waited for.
static void hurry_server(race_rig *rig) {
    apex_server_hear(rig->server, rig->now_us);
    begin_clients(rig);
    carry(rig);
    for (int i = 0; i < RACE_RIG_HURRY_MAX && !apex_server_finished(rig->server) && is_due(rig);
         i++) {
        tick_server(rig);
        carry(rig);
    }
}

static void tick(race_rig *rig) {
    gather(rig);
    rig->now_us += rig->period_us;
    if (rig->is_unpaced) {
        hurry_server(rig);
    } else {
        tick_server(rig);
        begin_clients(rig);
        carry(rig);
    }
    for (size_t i = 0; i < rig->client_count; i++) {
        rig_client *client = &rig->clients[i];
        client_session_update(client_session_of(client->client), rig->now_us);
        listen_and_drive(rig, client);
    }
}

void race_rig_tick(race_rig *rig, uint32_t ticks) {
    for (uint32_t i = 0; i < ticks; i++) {
        tick(rig);
    }
}

bool race_rig_until(race_rig *rig, apex_race_phase phase, uint32_t ticks_max) {
    for (uint32_t i = 0; i < ticks_max; i++) {
        if (apex_race_status_of(apex_server_race(rig->server)).phase == phase) {
            return true;
        }
        tick(rig);
    }
    return false;
}

apex_server *race_rig_server(race_rig *rig) {
    return rig->server;
}

apex_client *race_rig_client(race_rig *rig, size_t client) {
    return rig->clients[client].client;
}

uint64_t race_rig_now_us(const race_rig *rig) {
    return rig->now_us;
}

uint32_t race_rig_events(const race_rig *rig, size_t client, apex_race_event_kind kind) {
    return rig->clients[client].events[kind];
}

uint64_t race_rig_heap_calls(const race_rig *rig) {
    return rig->heap_calls;
}

apex_standing race_rig_standing(race_rig *rig, const char *name) {
    apex_standing lines[RACE_RIG_CLIENTS_MAX];
    size_t count = apex_race_standings(apex_server_race(rig->server), lines, RACE_RIG_CLIENTS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(lines[i].name, name) == 0) {
            return lines[i];
        }
    }
    ck_abort_msg("nobody is called %s", name);
    return lines[0];
}

void race_rig_connect_pilots(race_rig *rig, uint32_t first, uint32_t end) {
    for (uint32_t i = first; i < end; i++) {
        char name[APEX_WIRE_NAME_BYTES];
        snprintf(name, sizeof name, "driver %u", i);
        apex_client_def def = apex_default_client_def();
        def.name = name;
        def.want_defs = true;
        race_rig_pilot(rig, race_rig_connect(rig, &def));
    }
}
