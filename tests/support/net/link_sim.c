// Each client has two pipes, up and down; reliable packets are resent until they come through.
#include "support/net/link_sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "support/net/link_store.h"
#include "support/net/longest_trip.h"

enum {
    HEADER_BYTES = 40, // IP, UDP and a few of ENet's
    FRAGMENT_BYTES = 1200,
    WINDOW = 32,           // reliable datagrams under way
    BACKOFF_MAX = 3,       // doublings of the time to wait for an acknowledgement
    ADDRESS_CLIENTS = 200, // clients that share an address: 10.0.x.y
};

static const uint64_t ANSWER_US = 10000; // that the other end may take beside the trip
static const uint64_t GUESS_US = 500000; // that a trip is held to take, before there was one

// One direction of one client.
typedef struct pipe {
    netsim_def def;
    netsim_pipe model;
    uint32_t sequence;   // of the newest reliable item that was sent
    uint32_t delivered;  // of the newest that was delivered
    uint32_t unreliable; // the same of the others
    uint32_t newest;
    items unacknowledged; // the first `under_way` have been put into the pipe
    size_t under_way;
    uint64_t looked_after_us; // when resends are looked after next; 0: not planned
    bool is_answered;         // something has been acknowledged
    items early;              // reliable, arrived before their turn
    link_sim_count count;
} pipe;

typedef enum end_state { END_CLOSED, END_OPENING, END_OPEN, END_CLOSING } end_state;

typedef struct client_end {
    uint32_t generation;
    end_state state;        // as the client sees it
    end_state server_state; // as the server sees it
    bool has_vanished;
    pipe up, down;
    items inbox; // of the client
    size_t inbox_read;
    payload *shown;
} client_end;

typedef struct inbox_from {
    uint32_t client;
    uint32_t generation;
} inbox_from;

struct link_sim {
    link_sim_def def;
    uint64_t now_us;
    client_end *clients;
    link_store store;
    items inbox;      // of the server
    inbox_from *from; // beside it
    size_t from_capacity;
    bool is_server_killed;
};

link_sim_def link_sim_default_def(uint32_t clients_max) {
    return (link_sim_def){.seed = 1,
                          .clients_max = clients_max,
                          .up = netsim_default_def(),
                          .down = netsim_default_def(),
                          .link_timeout_us = 5000000};
}

static pipe *pipe_of(link_sim *sim, uint32_t client, bool is_up) {
    return is_up ? &sim->clients[client].up : &sim->clients[client].down;
}

// A round trip with all its jitter; a packet held back on purpose is sent again.
static uint64_t resend_us(link_sim *sim, uint32_t client, bool is_up, uint32_t resends) {
    netsim_def up = sim->clients[client].up.def;
    netsim_def down = sim->clients[client].down.def;
    if (!pipe_of(sim, client, is_up)->is_answered) {
        return GUESS_US << (resends < BACKOFF_MAX ? resends : BACKOFF_MAX);
    }
    up.reorder_ppm = 0;
    down.reorder_ppm = 0;
    uint64_t trip_us = longest_trip_us(&up) + longest_trip_us(&down) + ANSWER_US;
    return trip_us << (resends < BACKOFF_MAX ? resends : BACKOFF_MAX);
}

static void put_in_pipe(link_sim *sim, uint32_t client, bool is_up, const item *one) {
    client_end *end = &sim->clients[client];
    if (is_up ? end->has_vanished : sim->is_server_killed) {
        return;
    }
    pipe *one_way = pipe_of(sim, client, is_up);
    uint64_t arrivals_us[NETSIM_COPIES_MAX];
    uint32_t copies = netsim_pass(&one_way->def, &one_way->model, HEADER_BYTES + one->length,
                                  sim->now_us, arrivals_us);
    for (uint32_t i = 0; i < copies; i++) {
        link_store_put(&sim->store, arrivals_us[i],
                       (transit){client, end->generation, is_up, *one, 0});
    }
}

static void plan_resend(link_sim *sim, uint32_t client, bool is_up) {
    pipe *one_way = pipe_of(sim, client, is_up);
    uint64_t next_us = UINT64_MAX;
    for (size_t i = 0; i < one_way->under_way; i++) {
        uint64_t at_us = one_way->unacknowledged.all[i].resend_at_us;
        next_us = at_us < next_us ? at_us : next_us;
    }
    if (one_way->under_way > 0 &&
        (one_way->looked_after_us == 0 || next_us < one_way->looked_after_us)) {
        one_way->looked_after_us = next_us;
        item wake = {.kind = ITEM_RESEND};
        link_store_put(&sim->store, next_us,
                       (transit){client, sim->clients[client].generation, is_up, wake, 0});
    }
}

static void fill_window(link_sim *sim, uint32_t client, bool is_up) {
    pipe *one_way = pipe_of(sim, client, is_up);
    while (one_way->under_way < one_way->unacknowledged.count && one_way->under_way < WINDOW) {
        item *one = &one_way->unacknowledged.all[one_way->under_way++];
        one->resend_at_us = sim->now_us + resend_us(sim, client, is_up, 0);
        put_in_pipe(sim, client, is_up, one);
    }
    plan_resend(sim, client, is_up);
}

static void resend(link_sim *sim, uint32_t client, bool is_up) {
    pipe *one_way = pipe_of(sim, client, is_up);
    if (sim->now_us != one_way->looked_after_us) {
        return; // an earlier time was planned since
    }
    for (size_t i = 0; i < one_way->under_way; i++) {
        item *one = &one_way->unacknowledged.all[i];
        if (sim->now_us >= one->resend_at_us) {
            one->resend_at_us = sim->now_us + resend_us(sim, client, is_up, ++one->resends);
            put_in_pipe(sim, client, is_up, one);
            one_way->count.resent++;
        }
    }
    one_way->looked_after_us = 0;
    plan_resend(sim, client, is_up);
}

static void send_reliably(link_sim *sim, uint32_t client, bool is_up, item one) {
    pipe *one_way = pipe_of(sim, client, is_up);
    one.is_reliable = true;
    while (one.length > FRAGMENT_BYTES) {
        item fragment = {.kind = ITEM_FRAGMENT,
                         .is_reliable = true,
                         .sequence = ++one_way->sequence,
                         .length = FRAGMENT_BYTES};
        items_add(&sim->store, &one_way->unacknowledged, fragment);
        one.length -= FRAGMENT_BYTES;
    }
    one.sequence = ++one_way->sequence;
    items_add(&sim->store, &one_way->unacknowledged, one);
    fill_window(sim, client, is_up);
}

static void send_packet(link_sim *sim, uint32_t client, bool is_up, const link_sim_packet *packet) {
    item one = {.channel = packet->channel,
                .length = (uint32_t)packet->length,
                .data = payload_new(&sim->store.pool, packet->bytes, packet->length)};
    if (packet->channel == APEX_CHANNEL_RELIABLE) {
        send_reliably(sim, client, is_up, one);
    } else {
        APEX_ASSERT(packet->length <= APEX_DATAGRAM_BYTES_MAX);
        one.sequence = ++pipe_of(sim, client, is_up)->unreliable;
        put_in_pipe(sim, client, is_up, &one);
    }
    payload_drop(&sim->store.pool, one.data);
}

static void pipe_forget_sent(link_sim *sim, pipe *one_way) {
    items_clear(&sim->store, &one_way->unacknowledged);
    one_way->under_way = 0;
}

static void give_server(link_sim *sim, uint32_t client, item one) {
    if (sim->inbox.count == sim->from_capacity) {
        sim->from =
            link_store_grow(&sim->store, sim->from, &sim->from_capacity, sizeof sim->from[0]);
    }
    sim->from[sim->inbox.count] = (inbox_from){client, sim->clients[client].generation};
    items_add(&sim->store, &sim->inbox, one);
}

// The server's end is through with the link; its client may not know it yet.
static void end_on_server(link_sim *sim, uint32_t client) {
    client_end *end = &sim->clients[client];
    if (end->server_state == END_OPEN || end->server_state == END_CLOSING) {
        give_server(sim, client, (item){.kind = ITEM_CLOSE});
    }
    end->server_state = END_CLOSED;
    pipe_forget_sent(sim, &end->down);
}

static void deliver_up(link_sim *sim, uint32_t client, item one) {
    client_end *end = &sim->clients[client];
    if (one.kind == ITEM_OPEN) {
        end->server_state = END_OPEN;
        give_server(sim, client, one);
    } else if (one.kind == ITEM_CLOSE) {
        end_on_server(sim, client);
    } else if (end->server_state == END_OPEN) {
        end->up.count.arrived++;
        give_server(sim, client, one);
    }
}

static void deliver_down(link_sim *sim, uint32_t client, item one) {
    client_end *end = &sim->clients[client];
    if (one.kind == ITEM_CLOSE) {
        end->state = END_CLOSED;
        pipe_forget_sent(sim, &end->up);
    } else if (end->state == END_OPEN || end->state == END_OPENING) {
        end->down.count.arrived++;
        items_add(&sim->store, &end->inbox, one);
    }
}

static void deliver(link_sim *sim, uint32_t client, bool is_up, item one) {
    if (one.kind == ITEM_FRAGMENT) {
        return;
    }
    if (is_up) {
        deliver_up(sim, client, one);
    } else {
        deliver_down(sim, client, one);
    }
}

static void take_acknowledgement(link_sim *sim, uint32_t client, bool is_up, uint32_t sequence) {
    client_end *end = &sim->clients[client];
    pipe *one_way = pipe_of(sim, client, !is_up);
    for (size_t i = 0; i < one_way->under_way; i++) {
        if (one_way->unacknowledged.all[i].sequence != sequence) {
            continue;
        }
        item_kind kind = one_way->unacknowledged.all[i].kind;
        items_remove(&sim->store, &one_way->unacknowledged, i);
        one_way->under_way--;
        one_way->is_answered = true;
        if (kind == ITEM_OPEN && end->state == END_OPENING) {
            end->state = END_OPEN;
        } else if (is_up && end->server_state == END_CLOSING &&
                   one_way->unacknowledged.count == 0) {
            end_on_server(sim, client); // all that was said before has arrived, too
        }
        fill_window(sim, client, !is_up);
        return;
    }
}

static void deliver_early(link_sim *sim, uint32_t client, bool is_up) {
    pipe *one_way = pipe_of(sim, client, is_up);
    for (size_t i = 0; i < one_way->early.count; i++) {
        item one = one_way->early.all[i];
        if (one.sequence == one_way->delivered + 1) {
            payload_share(one.data);
            items_remove(&sim->store, &one_way->early, i);
            one_way->delivered++;
            deliver(sim, client, is_up, one);
            payload_drop(&sim->store.pool, one.data);
            i = (size_t)-1; // from the start: another may have its turn
        }
    }
}

static void arrive_reliable(link_sim *sim, uint32_t client, bool is_up, const item *one) {
    put_in_pipe(sim, client, !is_up, &(item){.kind = ITEM_ACKNOWLEDGE, .sequence = one->sequence});
    pipe *one_way = pipe_of(sim, client, is_up);
    bool is_new = one->sequence > one_way->delivered;
    for (size_t i = 0; i < one_way->early.count; i++) {
        is_new = is_new && one_way->early.all[i].sequence != one->sequence;
    }
    if (is_new) {
        items_add(&sim->store, &one_way->early, *one);
        deliver_early(sim, client, is_up);
    }
}

static void arrive_unreliable(link_sim *sim, uint32_t client, bool is_up, const item *one) {
    pipe *one_way = pipe_of(sim, client, is_up);
    one_way->count.late += one->sequence < one_way->newest;
    one_way->newest = one->sequence > one_way->newest ? one->sequence : one_way->newest;
    deliver(sim, client, is_up, *one);
}

static void arrive(link_sim *sim, const transit *arrived) {
    const client_end *end = &sim->clients[arrived->client];
    const item *one = &arrived->item;
    if (arrived->generation != end->generation) {
        return;
    }
    if (one->kind == ITEM_RESEND) {
        resend(sim, arrived->client, arrived->is_up);
        return;
    }
    if (one->kind == ITEM_SILENCE) {
        end_on_server(sim, arrived->client);
        return;
    }
    if (arrived->is_up ? sim->is_server_killed : end->has_vanished) {
        return;
    }
    if (one->kind == ITEM_ACKNOWLEDGE) {
        take_acknowledgement(sim, arrived->client, arrived->is_up, one->sequence);
    } else if (one->is_reliable) {
        arrive_reliable(sim, arrived->client, arrived->is_up, one);
    } else {
        arrive_unreliable(sim, arrived->client, arrived->is_up, one);
    }
}

void link_sim_advance(link_sim *sim, uint64_t now_us) {
    APEX_ASSERT(now_us >= sim->now_us);
    uint64_t due_us = 0;
    for (transit arrived; link_store_take(&sim->store, now_us, &due_us, &arrived);) {
        sim->now_us = due_us > sim->now_us ? due_us : sim->now_us;
        arrive(sim, &arrived);
        payload_drop(&sim->store.pool, arrived.item.data);
    }
    sim->now_us = now_us;
}

void link_sim_shape(link_sim *sim, uint32_t client, bool is_up, netsim_def def) {
    APEX_ASSERT(client < sim->def.clients_max && netsim_problem(&def) == NULL);
    pipe_of(sim, client, is_up)->def = def;
}

link_sim *link_sim_create(link_sim_def def) {
    APEX_ASSERT(def.clients_max >= 1 && def.clients_max <= UINT16_MAX);
    link_sim *sim = calloc(1, sizeof *sim);
    APEX_ASSERT(sim != NULL);
    sim->def = def;
    sim->clients = calloc(def.clients_max, sizeof sim->clients[0]);
    APEX_ASSERT(sim->clients != NULL);
    for (uint32_t client = 0; client < def.clients_max; client++) {
        link_sim_shape(sim, client, true, def.up);
        link_sim_shape(sim, client, false, def.down);
        sim->clients[client].up.model = netsim_pipe_begin(def.seed, client, true);
        sim->clients[client].down.model = netsim_pipe_begin(def.seed, client, false);
    }
    return sim;
}

static void pipe_clear(link_sim *sim, pipe *one_way) {
    pipe_forget_sent(sim, one_way);
    items_clear(&sim->store, &one_way->early);
    one_way->sequence = 0;
    one_way->delivered = 0;
    one_way->unreliable = 0;
    one_way->newest = 0;
    one_way->looked_after_us = 0;
    one_way->is_answered = false;
}

static void client_clear(link_sim *sim, client_end *end) {
    pipe_clear(sim, &end->up);
    pipe_clear(sim, &end->down);
    items_clear(&sim->store, &end->inbox);
    end->inbox_read = 0;
    payload_drop(&sim->store.pool, end->shown);
    end->shown = NULL;
}

void link_sim_destroy(link_sim *sim) {
    for (uint32_t i = 0; i < sim->def.clients_max; i++) {
        client_end *end = &sim->clients[i];
        client_clear(sim, end);
        free(end->up.unacknowledged.all);
        free(end->up.early.all);
        free(end->down.unacknowledged.all);
        free(end->down.early.all);
        free(end->inbox.all);
    }
    items_clear(&sim->store, &sim->inbox);
    link_store_destroy(&sim->store);
    free(sim->inbox.all);
    free(sim->from);
    free(sim->clients);
    free(sim);
}

static void fill_event(const link_sim *sim, size_t index, apex_arena *frame,
                       apex_link_event *event) {
    const item *one = &sim->inbox.all[index];
    uint32_t client = sim->from[index].client;
    *event = (apex_link_event){.channel = one->channel};
    event->link = (apex_link){(uint16_t)(client + 1), (uint16_t)sim->from[index].generation};
    event->kind = one->kind == ITEM_OPEN    ? APEX_LINK_OPENED
                  : one->kind == ITEM_CLOSE ? APEX_LINK_CLOSED
                                            : APEX_LINK_BYTES;
    if (one->kind == ITEM_OPEN) {
        uint32_t host = client / ADDRESS_CLIENTS;
        snprintf(event->address, sizeof event->address, "10.0.%u.%u", host / 200, host % 200 + 1);
    }
    if (one->data != NULL) {
        uint8_t *bytes = apex_arena_alloc(frame, one->data->length);
        APEX_ASSERT(bytes != NULL);
        memcpy(bytes, one->data->bytes, one->data->length);
        event->bytes = bytes;
        event->length = one->data->length;
    }
}

size_t link_sim_receive(link_sim *sim, apex_arena *frame, apex_link_event **events) {
    size_t count = sim->inbox.count;
    *events = apex_arena_alloc(frame, count * sizeof **events);
    APEX_ASSERT(*events != NULL);
    for (size_t i = 0; i < count; i++) {
        fill_event(sim, i, frame, &(*events)[i]);
    }
    items_clear(&sim->store, &sim->inbox);
    return count;
}

static bool find_client(const link_sim *sim, apex_link link, uint32_t *client) {
    *client = (uint32_t)link.index1 - 1;
    return link.index1 != 0 && *client < sim->def.clients_max &&
           sim->clients[*client].server_state == END_OPEN &&
           (uint16_t)sim->clients[*client].generation == link.generation;
}

void link_sim_send(link_sim *sim, const apex_link_packet packets[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        link_sim_packet packet = {packets[i].channel, packets[i].bytes, packets[i].length};
        uint32_t client = 0;
        if (find_client(sim, packets[i].link, &client)) {
            send_packet(sim, client, false, &packet);
        }
    }
}

void link_sim_close_link(link_sim *sim, apex_link link) {
    uint32_t client = 0;
    if (find_client(sim, link, &client)) {
        sim->clients[client].server_state = END_CLOSING;
        send_reliably(sim, client, false, (item){.kind = ITEM_CLOSE});
    }
}

void link_sim_kill_server(link_sim *sim) {
    sim->is_server_killed = true;
}

void link_sim_connect(link_sim *sim, uint32_t client) {
    client_end *end = &sim->clients[client];
    APEX_ASSERT(client < sim->def.clients_max && end->state == END_CLOSED);
    end_on_server(sim, client); // in case it has not noticed
    client_clear(sim, end);
    end->generation++;
    end->has_vanished = false;
    end->state = END_OPENING;
    send_reliably(sim, client, true, (item){.kind = ITEM_OPEN});
}

void link_sim_client_send(link_sim *sim, uint32_t client, const link_sim_packet *packet) {
    end_state state = sim->clients[client].state;
    if (state == END_OPEN || state == END_OPENING) {
        send_packet(sim, client, true, packet);
    }
}

bool link_sim_client_receive(link_sim *sim, uint32_t client, link_sim_packet *packet) {
    client_end *end = &sim->clients[client];
    payload_drop(&sim->store.pool, end->shown);
    end->shown = NULL;
    if (end->inbox_read == end->inbox.count) {
        items_clear(&sim->store, &end->inbox);
        end->inbox_read = 0;
        return false;
    }
    const item *one = &end->inbox.all[end->inbox_read++];
    end->shown = payload_share(one->data);
    *packet = (link_sim_packet){one->channel, one->data->bytes, one->data->length};
    return true;
}

bool link_sim_client_is_open(const link_sim *sim, uint32_t client) {
    return sim->clients[client].state == END_OPEN;
}

bool link_sim_client_is_closed(const link_sim *sim, uint32_t client) {
    return sim->clients[client].state == END_CLOSED;
}

void link_sim_client_close(link_sim *sim, uint32_t client) {
    client_end *end = &sim->clients[client];
    if (end->state == END_OPEN || end->state == END_OPENING) {
        send_reliably(sim, client, true, (item){.kind = ITEM_CLOSE});
        end->state = END_CLOSED;
    }
}

void link_sim_client_vanish(link_sim *sim, uint32_t client) {
    client_end *end = &sim->clients[client];
    end->has_vanished = true;
    end->state = END_CLOSED;
    pipe_forget_sent(sim, &end->up);
    item silence = {.kind = ITEM_SILENCE};
    link_store_put(&sim->store, sim->now_us + sim->def.link_timeout_us,
                   (transit){client, end->generation, true, silence, 0});
}

static link_sim_count count_of(const pipe *one_way) {
    link_sim_count count = one_way->count;
    count.datagrams = one_way->model.count;
    return count;
}

link_sim_count link_sim_up(const link_sim *sim, uint32_t client) {
    return count_of(&sim->clients[client].up);
}

link_sim_count link_sim_down(const link_sim *sim, uint32_t client) {
    return count_of(&sim->clients[client].down);
}

uint64_t link_sim_heap_calls(const link_sim *sim) {
    return sim->store.heap_calls + sim->store.pool.heap_calls;
}
