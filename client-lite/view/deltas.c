// A ring holds the cars of the last packets, which the deltas of later ones lean on.
#include "client-lite/view/deltas.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { RING_CARS_MIN = 64 };

void client_deltas_begin(client_deltas *deltas, uint32_t tick_hz) {
    client_deltas_free(deltas);
    deltas->tick_hz = tick_hz < APEX_DELTA_TICK_HZ_MAX ? tick_hz : APEX_DELTA_TICK_HZ_MAX;
}

void client_deltas_free(client_deltas *deltas) {
    free(deltas->ring);
    *deltas = (client_deltas){0};
}

static client_delta_car *at(const client_deltas *deltas, uint64_t place) {
    return &deltas->ring[place & (deltas->capacity - 1)];
}

// The oldest place that a change may still lean on.
static uint64_t oldest(const client_deltas *deltas, uint32_t tick) {
    uint64_t first = deltas->next;
    for (uint32_t i = 0; i < CLIENT_DELTA_TICKS; i++) {
        const client_delta_packet *packet = &deltas->packets[i];
        int32_t age = (int32_t)(tick - packet->tick); // below 0: this packet comes late
        bool is_in_use = packet->is_here && age <= APEX_DELTA_AGE_MAX;
        first = is_in_use && packet->first < first ? packet->first : first;
    }
    return first;
}

static bool grow(client_deltas *deltas, uint64_t capacity) {
    client_delta_car *ring = calloc((size_t)capacity, sizeof *ring);
    if (ring == NULL) {
        return false;
    }
    for (uint64_t place = deltas->oldest; place < deltas->next; place++) {
        ring[place & (capacity - 1)] = *at(deltas, place);
    }
    free(deltas->ring);
    deltas->ring = ring;
    deltas->capacity = capacity;
    return true;
}

static bool make_room(client_deltas *deltas, uint32_t tick, uint32_t count) {
    if (deltas->next + count - deltas->oldest <= deltas->capacity) {
        return true; // most often, since the ring is longer than it must be
    }
    deltas->oldest = oldest(deltas, tick);
    uint64_t capacity = deltas->capacity > 0 ? deltas->capacity : RING_CARS_MIN;
    while (deltas->next + count - deltas->oldest > capacity) {
        capacity *= 2;
    }
    return capacity == deltas->capacity || grow(deltas, capacity);
}

/// The place in each packet at which the last baseline stood: cars come with rising slots, and
/// stand so.
typedef struct baseline_places {
    uint8_t next[CLIENT_DELTA_TICKS];
} baseline_places;

static const client_delta_car *find(const client_deltas *deltas, baseline_places *places,
                                    uint32_t tick, uint32_t slot) {
    const client_delta_packet *packet = &deltas->packets[tick % CLIENT_DELTA_TICKS];
    uint8_t *next = &places->next[tick % CLIENT_DELTA_TICKS];
    if (!packet->is_here || packet->tick != tick) {
        return NULL;
    }
    for (; *next < packet->count; ++*next) {
        const client_delta_car *car = at(deltas, packet->first + *next);
        uint32_t there = apex_delta_slot(car->car.id);
        if (there >= slot) {
            return there == slot ? car : NULL;
        }
    }
    return NULL;
}

static bool read_cars(client_deltas *deltas, apex_delta_reader *reader) {
    baseline_places places = {{0}};
    for (uint32_t i = 0; i < reader->head.car_count; i++) {
        apex_delta_entry entry;
        if (!apex_delta_next(reader, &entry)) {
            return false;
        }
        client_delta_car *car = at(deltas, deltas->next + i);
        const client_delta_car *base = NULL;
        if (!entry.is_full) {
            base = find(deltas, &places, reader->head.tick - entry.age_ticks, entry.slot);
            if (base == NULL) {
                return false;
            }
        }
        apex_delta_class class = base == NULL ? entry.class : (apex_delta_class)base->class;
        if (!apex_delta_read_car(reader, &entry, base != NULL ? &base->car : NULL, class,
                                 &car->car)) {
            return false;
        }
        car->class = (uint8_t) class;
    }
    return true;
}

static bool read_listed(apex_delta_reader *reader, apex_delta_car listed[]) {
    for (uint32_t i = 0; i < reader->head.listed_count; i++) {
        if (!apex_delta_read_listed(reader, &listed[i])) {
            return false;
        }
    }
    return apex_delta_close(reader);
}

static void note_race(client_deltas *deltas, const apex_delta_head *head) {
    if (head->has_race && (!deltas->has_race || (int32_t)(head->tick - deltas->race_tick) > 0)) {
        deltas->has_race = true;
        deltas->race_tick = head->tick;
        deltas->phase = head->phase;
        deltas->race_time_ms = head->race_time_ms;
    }
}

static void keep(client_deltas *deltas, const apex_delta_head *head) {
    deltas->packets[head->tick % CLIENT_DELTA_TICKS] = (client_delta_packet){
        .tick = head->tick, .is_here = true, .first = deltas->next, .count = head->car_count};
    deltas->next += head->car_count;
    bool is_newest = !deltas->has_tick || (int32_t)(head->tick - deltas->newest_tick) > 0;
    deltas->newest_tick = is_newest ? head->tick : deltas->newest_tick;
    deltas->has_tick = true;
    note_race(deltas, head);
}

// A snapshot that is acknowledged late is leant on late. So none waits longer than a quarter of
// the time that one may be leant on, and the first not at all: until then every car comes whole.
static bool is_worth_an_ack(const client_deltas *deltas) {
    int32_t ticks = (int32_t)(deltas->newest_tick - deltas->acked_tick);
    return deltas->unacked >= deltas->ack_every || deltas->ack.newest == 0 ||
           ticks >= APEX_DELTA_AGE_MAX / 4;
}

static void note(client_deltas *deltas, uint16_t sequence) {
    apex_snapshot_ack *ack = &deltas->ack;
    int32_t ahead = (int16_t)(uint16_t)(sequence - (ack->newest - 1));
    deltas->unacked++;
    deltas->is_ack_due = deltas->is_ack_due || is_worth_an_ack(deltas);
    if (ack->newest == 0) {
        ack->newest = sequence + 1u;
    } else if (ahead > 0) {
        ack->before = ahead <= 32 ? (ahead < 32 ? ack->before << ahead : 0) | 1u << (ahead - 1) : 0;
        ack->newest = sequence + 1u;
        ack->repair = 0; // if anything else is missing, the next one will show it
    } else if (ahead < 0 && ahead >= -32) {
        ack->before |= 1u << (-ahead - 1);
    }
}

// A server may say any time of any tick: what lies past the type ends at its end.
static int32_t race_time_at(const client_deltas *deltas, uint32_t tick) {
    int64_t ticks = (int32_t)(tick - deltas->race_tick);
    int64_t time_ms = deltas->race_time_ms + ticks * 1000 / deltas->tick_hz;
    time_ms = time_ms < INT32_MAX ? time_ms : INT32_MAX;
    return time_ms > INT32_MIN ? (int32_t)time_ms : INT32_MIN;
}

static void show_car(client_deltas *deltas, const apex_delta_car *car, apex_delta_class class,
                     uint32_t *count) {
    if (deltas->only_car == 0 || deltas->only_car == car->id) {
        apex_delta_to_wire(car, class, &deltas->cars[(*count)++]);
    }
}

static void show(client_deltas *deltas, const apex_delta_head *head, const apex_delta_car listed[],
                 apex_snapshot_message *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < head->listed_count; i++) {
        show_car(deltas, &listed[i], APEX_DELTA_LISTED, &count);
    }
    for (uint32_t i = 0; i < head->car_count; i++) {
        const client_delta_car *car = at(deltas, deltas->next - head->car_count + i);
        show_car(deltas, &car->car, (apex_delta_class)car->class, &count);
    }
    *out = (apex_snapshot_message){.tick = head->tick,
                                   .phase = deltas->phase,
                                   .race_time_ms = race_time_at(deltas, head->tick),
                                   .parts = 1,
                                   .car_count = count,
                                   .cars = deltas->cars};
    out->lacks_controls = !head->has_controls;
    if (head->has_controls) {
        out->controls_tick = head->tick - head->controls_age_ticks;
        out->controls_depth = head->controls_depth;
    }
}

static bool refuse(client_deltas *deltas, const apex_delta_head *head) {
    deltas->undecodable++;
    deltas->ack.repair = head->sequence + 1u;
    deltas->is_ack_due = true;
    return false;
}

// Sequences rise with ticks: after a long silence the nearest one may lie below the newest.
static void raise_sequence(const client_deltas *deltas, apex_delta_head *head) {
    bool is_newer = deltas->has_tick && (int32_t)(head->tick - deltas->newest_tick) > 0;
    int32_t ahead = (int16_t)(uint16_t)(head->sequence - (deltas->ack.newest - 1));
    if (is_newer && ahead <= 0) {
        head->sequence = (uint16_t)(head->sequence + 256);
    }
}

static bool open_packet(client_deltas *deltas, const apex_snapshot_message *message,
                        uint32_t near_tick, apex_delta_reader *reader) {
    APEX_ASSERT(deltas->tick_hz > 0);
    apex_delta_known known = {.tick = near_tick,
                              .sequence = (uint16_t)(deltas->ack.newest - 1),
                              .tick_hz = deltas->tick_hz};
    if (!apex_delta_open(reader, message->delta, message->delta_length, &known)) {
        deltas->undecodable++;
        return false;
    }
    raise_sequence(deltas, &reader->head);
    return true;
}

bool client_deltas_glance(client_deltas *deltas, const apex_snapshot_message *message,
                          uint32_t near_tick, apex_snapshot_message *out) {
    apex_delta_reader reader;
    if (!open_packet(deltas, message, near_tick, &reader)) {
        return false;
    }
    reader.head.car_count = 0;
    reader.head.listed_count = 0;
    note_race(deltas, &reader.head);
    show(deltas, &reader.head, NULL, out);
    return true;
}

bool client_deltas_take(client_deltas *deltas, const apex_snapshot_message *message,
                        uint32_t near_tick, apex_snapshot_message *out) {
    apex_delta_car listed[APEX_DELTA_LISTED_MAX] = {{0}};
    apex_delta_reader reader;
    if (!open_packet(deltas, message, near_tick, &reader)) {
        return false;
    }
    int32_t late = deltas->has_tick ? (int32_t)(deltas->newest_tick - reader.head.tick) : 0;
    if (late > APEX_DELTA_AGE_MAX) {
        return false; // its place is taken, and nobody leans on it
    }
    if (!make_room(deltas, reader.head.tick, reader.head.car_count) ||
        !read_cars(deltas, &reader) || !read_listed(&reader, listed)) {
        return refuse(deltas, &reader.head);
    }
    keep(deltas, &reader.head);
    note(deltas, reader.head.sequence);
    show(deltas, &reader.head, listed, out);
    return true;
}

apex_snapshot_ack client_deltas_ack(client_deltas *deltas) {
    deltas->is_ack_due = false;
    deltas->unacked = 0;
    deltas->acked_tick = deltas->newest_tick;
    return deltas->ack;
}
