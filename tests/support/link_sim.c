#include "support/link_sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum {
    HEADER_BYTES = 40, // IP, UDP and a few of ENet's
    QUEUE_US = 200000,
    LATE_US = 30000,
    ADDRESS_CLIENTS = 200, // how many clients share an address: 10.0.x.y
};

typedef enum item_kind { ITEM_DATA, ITEM_OPEN, ITEM_CLOSE, ITEM_ACKNOWLEDGE } item_kind;

// Bytes in several places at once: resent, duplicated, in flight.
typedef struct payload {
    uint32_t references;
    uint32_t length;
    uint8_t bytes[];
} payload;

typedef struct item {
    item_kind kind;
    uint8_t channel;
    bool is_reliable;
    uint32_t sequence; // of reliable items, from 1; of the acknowledged one
    payload *data;
} item;

typedef struct datagram {
    uint64_t due_us;
    uint64_t serial; // makes the order of those due at once certain
    uint32_t client;
    uint32_t generation;
    bool is_up;
    item item;
} datagram;

typedef struct items {
    item *all;
    size_t count, capacity;
} items;

// One direction of one client.
typedef struct pipe {
    uint64_t free_at_us;
    uint32_t sequence;  // of the newest reliable item that was sent
    uint32_t delivered; // of the newest that was delivered
    items unacknowledged;
    uint64_t resend_at_us;
    items early; // reliable, arrived before their turn
    link_sim_count count;
} pipe;

typedef enum end_state { END_CLOSED, END_OPENING, END_OPEN, END_CLOSING } end_state;

typedef struct client_end {
    uint32_t generation;
    end_state state;        // as the client sees it
    end_state server_state; // as the server sees it
    bool has_vanished;
    uint64_t vanished_us;
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
    uint64_t random;
    uint64_t now_us;
    uint64_t serial;
    client_end *clients;
    datagram *heap; // by due_us, then serial
    size_t heap_count, heap_capacity;
    items inbox;      // of the server
    inbox_from *from; // beside it
    size_t from_capacity;
    bool is_server_killed;
};

link_sim_def link_sim_default_def(uint32_t clients_max) {
    return (link_sim_def){.seed = 1, .clients_max = clients_max, .link_timeout_us = 5000000};
}

// splitmix64, Sebastiano Vigna, public domain.
static uint64_t next_random(link_sim *sim) {
    uint64_t z = sim->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static bool happens(link_sim *sim, uint32_t permille) {
    return permille > 0 && next_random(sim) % 1000 < permille;
}

// --- Containers ---------------------------------------------------------------------------------

static void *grown(void *all, size_t count, size_t *capacity, size_t bytes) {
    if (count < *capacity) {
        return all;
    }
    *capacity = *capacity > 0 ? *capacity * 2 : 16;
    all = realloc(all, *capacity * bytes);
    APEX_ASSERT(all);
    return all;
}

static payload *new_payload(const uint8_t *bytes, size_t length) {
    payload *data = malloc(sizeof *data + length);
    APEX_ASSERT(data && length <= UINT32_MAX);
    *data = (payload){.length = (uint32_t)length};
    if (length > 0) {
        memcpy(data->bytes, bytes, length);
    }
    return data;
}

static payload *share(payload *data) {
    if (data) {
        data->references++;
    }
    return data;
}

static void drop(payload *data) {
    if (data && --data->references == 0) {
        free(data);
    }
}

static void items_add(items *list, item one) {
    list->all = grown(list->all, list->count, &list->capacity, sizeof list->all[0]);
    share(one.data);
    list->all[list->count++] = one;
}

static void items_remove(items *list, size_t index) {
    drop(list->all[index].data);
    list->count--;
    memmove(&list->all[index], &list->all[index + 1], (list->count - index) * sizeof list->all[0]);
}

static void items_clear(items *list) {
    for (size_t i = 0; i < list->count; i++) {
        drop(list->all[i].data);
    }
    list->count = 0;
}

static bool is_before(const datagram *a, const datagram *b) {
    return a->due_us != b->due_us ? a->due_us < b->due_us : a->serial < b->serial;
}

static void heap_push(link_sim *sim, datagram one) {
    sim->heap = grown(sim->heap, sim->heap_count, &sim->heap_capacity, sizeof sim->heap[0]);
    share(one.item.data);
    size_t at = sim->heap_count++;
    for (; at > 0 && is_before(&one, &sim->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        sim->heap[at] = sim->heap[(at - 1) / 2];
    }
    sim->heap[at] = one;
}

static datagram heap_pop(link_sim *sim) {
    datagram top = sim->heap[0];
    datagram last = sim->heap[--sim->heap_count];
    size_t at = 0;
    for (size_t child = 1; child < sim->heap_count; child = 2 * at + 1) {
        if (child + 1 < sim->heap_count && is_before(&sim->heap[child + 1], &sim->heap[child])) {
            child++;
        }
        if (!is_before(&sim->heap[child], &last)) {
            break;
        }
        sim->heap[at] = sim->heap[child];
        at = child;
    }
    sim->heap[at] = last;
    return top;
}

// --- The line -----------------------------------------------------------------------------------

static pipe *pipe_of(link_sim *sim, uint32_t client, bool is_up) {
    return is_up ? &sim->clients[client].up : &sim->clients[client].down;
}

// Longer than any answer takes, unless it was lost.
static uint64_t resend_us(const link_sim *sim) {
    return 2 * (sim->def.delay_us + sim->def.jitter_us) + 2 * LATE_US + 10000;
}

// When the line will have taken the datagram; false if it would have to wait too long.
static bool depart(const link_sim *sim, pipe *line, size_t bytes, uint64_t *left_us) {
    *left_us = sim->now_us;
    if (sim->def.bytes_per_s == 0) {
        return true;
    }
    uint64_t begin_us = line->free_at_us > sim->now_us ? line->free_at_us : sim->now_us;
    if (begin_us > sim->now_us + QUEUE_US) {
        return false;
    }
    *left_us = begin_us + bytes * 1000000 / sim->def.bytes_per_s;
    line->free_at_us = *left_us;
    return true;
}

static void put_on_line(link_sim *sim, uint32_t client, bool is_up, const item *one) {
    pipe *line = pipe_of(sim, client, is_up);
    size_t bytes = HEADER_BYTES + (one->data ? one->data->length : 0);
    line->count.datagrams_sent++;
    line->count.bytes_sent += bytes;
    uint64_t left_us = 0;
    bool is_lost = !depart(sim, line, bytes, &left_us) || happens(sim, sim->def.loss_permille);
    bool is_killed = is_up ? sim->clients[client].has_vanished : sim->is_server_killed;
    if (is_lost || is_killed) {
        line->count.datagrams_lost++;
        return;
    }
    uint32_t copies = happens(sim, sim->def.duplicate_permille) ? 2 : 1;
    for (uint32_t i = 0; i < copies; i++) {
        uint64_t extra_us =
            sim->def.jitter_us > 0 ? next_random(sim) % (sim->def.jitter_us + 1) : 0;
        extra_us += happens(sim, sim->def.late_permille) ? LATE_US : 0;
        heap_push(sim, (datagram){.due_us = left_us + sim->def.delay_us + extra_us,
                                  .serial = ++sim->serial,
                                  .client = client,
                                  .generation = sim->clients[client].generation,
                                  .is_up = is_up,
                                  .item = *one});
    }
}

static void send_item(link_sim *sim, uint32_t client, bool is_up, item one) {
    pipe *line = pipe_of(sim, client, is_up);
    share(one.data);
    if (one.is_reliable) {
        one.sequence = ++line->sequence;
        if (line->unacknowledged.count == 0) {
            line->resend_at_us = sim->now_us + resend_us(sim);
        }
        items_add(&line->unacknowledged, one);
    }
    put_on_line(sim, client, is_up, &one);
    drop(one.data);
}

static void resend(link_sim *sim, uint32_t client, bool is_up) {
    pipe *line = pipe_of(sim, client, is_up);
    if (line->unacknowledged.count == 0 || sim->now_us < line->resend_at_us) {
        return;
    }
    line->resend_at_us = sim->now_us + resend_us(sim);
    for (size_t i = 0; i < line->unacknowledged.count && i < 32; i++) {
        put_on_line(sim, client, is_up, &line->unacknowledged.all[i]);
    }
}

// --- Delivering ---------------------------------------------------------------------------------

static void give_server(link_sim *sim, uint32_t client, item one) {
    sim->from = grown(sim->from, sim->inbox.count, &sim->from_capacity, sizeof sim->from[0]);
    sim->from[sim->inbox.count] = (inbox_from){client, sim->clients[client].generation};
    items_add(&sim->inbox, one);
}

// The server's end is through with the link; its client may not know it yet.
static void end_on_server(link_sim *sim, uint32_t client) {
    client_end *end = &sim->clients[client];
    if (end->server_state == END_OPEN || end->server_state == END_CLOSING) {
        give_server(sim, client, (item){.kind = ITEM_CLOSE});
    }
    end->server_state = END_CLOSED;
    items_clear(&end->down.unacknowledged);
}

static void deliver_up(link_sim *sim, uint32_t client, item one) {
    client_end *end = &sim->clients[client];
    if (one.kind == ITEM_OPEN) {
        end->server_state = END_OPEN;
        give_server(sim, client, one);
    } else if (one.kind == ITEM_CLOSE) {
        end_on_server(sim, client);
    } else if (end->server_state == END_OPEN) {
        give_server(sim, client, one);
    }
}

static void deliver_down(link_sim *sim, uint32_t client, item one) {
    client_end *end = &sim->clients[client];
    if (one.kind == ITEM_CLOSE) {
        end->state = END_CLOSED;
        items_clear(&end->up.unacknowledged);
    } else if (end->state == END_OPEN || end->state == END_OPENING) {
        items_add(&end->inbox, one);
    }
}

static void deliver(link_sim *sim, uint32_t client, bool is_up, item one) {
    if (is_up) {
        deliver_up(sim, client, one);
    } else {
        deliver_down(sim, client, one);
    }
}

static void take_acknowledgement(link_sim *sim, uint32_t client, bool is_up, uint32_t sequence) {
    client_end *end = &sim->clients[client];
    pipe *line = pipe_of(sim, client, !is_up);
    for (size_t i = 0; i < line->unacknowledged.count; i++) {
        if (line->unacknowledged.all[i].sequence != sequence) {
            continue;
        }
        item_kind kind = line->unacknowledged.all[i].kind;
        items_remove(&line->unacknowledged, i);
        line->resend_at_us = sim->now_us + resend_us(sim);
        if (kind == ITEM_OPEN && end->state == END_OPENING) {
            end->state = END_OPEN;
        } else if (kind == ITEM_CLOSE && is_up) {
            end_on_server(sim, client);
        }
        return;
    }
}

static void deliver_early(link_sim *sim, uint32_t client, bool is_up) {
    pipe *line = pipe_of(sim, client, is_up);
    for (size_t i = 0; i < line->early.count; i++) {
        item one = line->early.all[i];
        if (one.sequence == line->delivered + 1) {
            share(one.data);
            items_remove(&line->early, i);
            line->delivered++;
            deliver(sim, client, is_up, one);
            drop(one.data);
            i = (size_t)-1; // from the start: another may have its turn
        }
    }
}

static void arrive(link_sim *sim, const datagram *arrived) {
    client_end *end = &sim->clients[arrived->client];
    const item *one = &arrived->item;
    bool is_gone = arrived->is_up ? sim->is_server_killed : end->has_vanished;
    if (is_gone || arrived->generation != end->generation) {
        return;
    }
    if (one->kind == ITEM_ACKNOWLEDGE) {
        take_acknowledgement(sim, arrived->client, arrived->is_up, one->sequence);
        return;
    }
    if (!one->is_reliable) {
        deliver(sim, arrived->client, arrived->is_up, *one);
        return;
    }
    pipe *line = pipe_of(sim, arrived->client, arrived->is_up);
    put_on_line(sim, arrived->client, !arrived->is_up,
                &(item){.kind = ITEM_ACKNOWLEDGE, .sequence = one->sequence});
    bool is_new = one->sequence > line->delivered;
    for (size_t i = 0; i < line->early.count; i++) {
        is_new = is_new && line->early.all[i].sequence != one->sequence;
    }
    if (is_new) {
        items_add(&line->early, *one);
        deliver_early(sim, arrived->client, arrived->is_up);
    }
}

static void keep_up(link_sim *sim) {
    for (uint32_t client = 0; client < sim->def.clients_max; client++) {
        client_end *end = &sim->clients[client];
        resend(sim, client, true);
        resend(sim, client, false);
        if (end->has_vanished && end->server_state != END_CLOSED &&
            sim->now_us >= end->vanished_us + sim->def.link_timeout_us) {
            end_on_server(sim, client);
        }
    }
}

// What is due in between is delivered at its own time, so that a long step gives the same as many
// short ones, but for what is sent again: that is looked after once a call.
void link_sim_advance(link_sim *sim, uint64_t now_us) {
    APEX_ASSERT(now_us >= sim->now_us);
    while (sim->heap_count > 0 && sim->heap[0].due_us <= now_us) {
        datagram arrived = heap_pop(sim);
        sim->now_us = arrived.due_us > sim->now_us ? arrived.due_us : sim->now_us;
        arrive(sim, &arrived);
        drop(arrived.item.data);
    }
    sim->now_us = now_us;
    keep_up(sim);
}

// --- Creating -----------------------------------------------------------------------------------

link_sim *link_sim_create(link_sim_def def) {
    APEX_ASSERT(def.clients_max >= 1 && def.clients_max <= UINT16_MAX);
    link_sim *sim = calloc(1, sizeof *sim);
    APEX_ASSERT(sim);
    sim->def = def;
    sim->random = def.seed;
    sim->clients = calloc(def.clients_max, sizeof sim->clients[0]);
    APEX_ASSERT(sim->clients);
    return sim;
}

static void pipe_clear(pipe *line) {
    items_clear(&line->unacknowledged);
    items_clear(&line->early);
    line->sequence = 0;
    line->delivered = 0;
}

static void client_clear(client_end *end) {
    pipe_clear(&end->up);
    pipe_clear(&end->down);
    items_clear(&end->inbox);
    end->inbox_read = 0;
    drop(end->shown);
    end->shown = NULL;
}

void link_sim_destroy(link_sim *sim) {
    for (uint32_t i = 0; i < sim->def.clients_max; i++) {
        client_end *end = &sim->clients[i];
        client_clear(end);
        free(end->up.unacknowledged.all);
        free(end->up.early.all);
        free(end->down.unacknowledged.all);
        free(end->down.early.all);
        free(end->inbox.all);
    }
    for (size_t i = 0; i < sim->heap_count; i++) {
        drop(sim->heap[i].item.data);
    }
    items_clear(&sim->inbox);
    free(sim->inbox.all);
    free(sim->from);
    free(sim->heap);
    free(sim->clients);
    free(sim);
}

// --- The server's side --------------------------------------------------------------------------

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
    if (one->data) {
        uint8_t *bytes = apex_arena_alloc(frame, one->data->length);
        APEX_ASSERT(bytes);
        memcpy(bytes, one->data->bytes, one->data->length);
        event->bytes = bytes;
        event->length = one->data->length;
    }
}

size_t link_sim_receive(link_sim *sim, apex_arena *frame, apex_link_event **events) {
    size_t count = sim->inbox.count;
    *events = apex_arena_alloc(frame, count * sizeof **events);
    APEX_ASSERT(*events);
    for (size_t i = 0; i < count; i++) {
        fill_event(sim, i, frame, &(*events)[i]);
    }
    items_clear(&sim->inbox);
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
        const apex_link_packet *packet = &packets[i];
        uint32_t client = 0;
        if (find_client(sim, packet->link, &client)) {
            bool is_reliable = packet->channel == APEX_CHANNEL_RELIABLE;
            APEX_ASSERT(is_reliable || packet->length <= APEX_DATAGRAM_BYTES_MAX);
            send_item(sim, client, false,
                      (item){.channel = packet->channel,
                             .is_reliable = is_reliable,
                             .data = new_payload(packet->bytes, packet->length)});
        }
    }
}

void link_sim_close_link(link_sim *sim, apex_link link) {
    uint32_t client = 0;
    if (find_client(sim, link, &client)) {
        sim->clients[client].server_state = END_CLOSING;
        send_item(sim, client, false, (item){.kind = ITEM_CLOSE, .is_reliable = true});
    }
}

void link_sim_kill_server(link_sim *sim) {
    sim->is_server_killed = true;
}

// --- The clients' side --------------------------------------------------------------------------

void link_sim_connect(link_sim *sim, uint32_t client) {
    client_end *end = &sim->clients[client];
    APEX_ASSERT(client < sim->def.clients_max && end->state == END_CLOSED);
    end_on_server(sim, client); // in case it has not noticed
    client_clear(end);
    end->generation++;
    end->has_vanished = false;
    end->state = END_OPENING;
    send_item(sim, client, true, (item){.kind = ITEM_OPEN, .is_reliable = true});
}

void link_sim_client_send(link_sim *sim, uint32_t client, const link_sim_packet *packet) {
    end_state state = sim->clients[client].state;
    if (state == END_OPEN || state == END_OPENING) {
        send_item(sim, client, true,
                  (item){.channel = packet->channel,
                         .is_reliable = packet->channel == APEX_CHANNEL_RELIABLE,
                         .data = new_payload(packet->bytes, packet->length)});
    }
}

bool link_sim_client_receive(link_sim *sim, uint32_t client, link_sim_packet *packet) {
    client_end *end = &sim->clients[client];
    drop(end->shown);
    end->shown = NULL;
    if (end->inbox_read == end->inbox.count) {
        items_clear(&end->inbox);
        end->inbox_read = 0;
        return false;
    }
    const item *one = &end->inbox.all[end->inbox_read++];
    end->shown = share(one->data);
    *packet = (link_sim_packet){one->channel, one->data->bytes, one->data->length};
    return true;
}

bool link_sim_client_is_open(const link_sim *sim, uint32_t client) {
    return sim->clients[client].state == END_OPEN;
}

void link_sim_client_close(link_sim *sim, uint32_t client) {
    client_end *end = &sim->clients[client];
    if (end->state == END_OPEN || end->state == END_OPENING) {
        send_item(sim, client, true, (item){.kind = ITEM_CLOSE, .is_reliable = true});
        end->state = END_CLOSED;
    }
}

void link_sim_client_vanish(link_sim *sim, uint32_t client) {
    client_end *end = &sim->clients[client];
    end->has_vanished = true;
    end->vanished_us = sim->now_us;
    end->state = END_CLOSED;
    items_clear(&end->up.unacknowledged);
}

link_sim_count link_sim_up(const link_sim *sim, uint32_t client) {
    return sim->clients[client].up.count;
}

link_sim_count link_sim_down(const link_sim *sim, uint32_t client) {
    return sim->clients[client].down.count;
}
