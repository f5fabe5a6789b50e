// Cars are kept sorted by id, each with the tick that it was last told of.
#include "client-lite/view/snapshots.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

// The roster says who has left; this only catches a part that came after that word, out of order.
// Of thousands of cars each comes round in seconds, and in more when the server has much to do.
enum { STALE_S = 15 };

void client_snapshots_begin(client_snapshots *snapshots, uint32_t tick_hz) {
    client_snapshots_free(snapshots);
    snapshots->stale_ticks = STALE_S * tick_hz;
}

void client_snapshots_free(client_snapshots *snapshots) {
    free(snapshots->cars);
    free(snapshots->ticks);
    *snapshots = (client_snapshots){0};
}

void client_snapshots_forget(client_snapshots *snapshots) {
    snapshots->count = 0;
    snapshots->any = false;
}

void client_snapshots_pace(client_snapshots *snapshots, double ticks_per_s) {
    snapshots->stale_ticks = (uint32_t)(STALE_S * ticks_per_s);
}

// First index whose id is not below `car`.
static size_t lower_bound(const client_snapshots *snapshots, uint32_t car) {
    size_t begin = 0;
    size_t end = snapshots->count;
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (snapshots->cars[middle].id < car) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

const apex_wire_car *client_snapshots_find(const client_snapshots *snapshots, uint32_t car) {
    size_t at = lower_bound(snapshots, car);
    bool found = at < snapshots->count && snapshots->cars[at].id == car;
    return found ? &snapshots->cars[at] : NULL;
}

static bool grow(client_snapshots *snapshots) {
    if (snapshots->capacity >= CLIENT_CARS_MAX) {
        return false;
    }
    size_t capacity = snapshots->capacity == 0 ? 16 : 2 * snapshots->capacity;
    apex_wire_car *cars = realloc(snapshots->cars, capacity * sizeof *cars);
    if (cars != NULL) {
        snapshots->cars = cars;
    }
    uint32_t *ticks = realloc(snapshots->ticks, capacity * sizeof *ticks);
    if (ticks != NULL) {
        snapshots->ticks = ticks;
    }
    if (cars == NULL || ticks == NULL) {
        return false;
    }
    snapshots->capacity = capacity;
    return true;
}

static bool insert(client_snapshots *snapshots, size_t at, const apex_wire_car *car,
                   uint32_t tick) {
    if (snapshots->count == snapshots->capacity && !grow(snapshots)) {
        return false;
    }
    size_t after = snapshots->count - at;
    memmove(snapshots->cars + at + 1, snapshots->cars + at, after * sizeof *snapshots->cars);
    memmove(snapshots->ticks + at + 1, snapshots->ticks + at, after * sizeof *snapshots->ticks);
    snapshots->cars[at] = *car;
    snapshots->ticks[at] = tick;
    snapshots->count++;
    return true;
}

static void erase(client_snapshots *snapshots, size_t at) {
    APEX_ASSERT(at < snapshots->count);
    size_t after = snapshots->count - at - 1;
    memmove(snapshots->cars + at, snapshots->cars + at + 1, after * sizeof *snapshots->cars);
    memmove(snapshots->ticks + at, snapshots->ticks + at + 1, after * sizeof *snapshots->ticks);
    snapshots->count--;
}

void client_snapshots_remove(client_snapshots *snapshots, uint32_t car) {
    size_t at = lower_bound(snapshots, car);
    if (at < snapshots->count && snapshots->cars[at].id == car) {
        erase(snapshots, at);
    }
}

static bool take_car(client_snapshots *snapshots, const apex_wire_car *car, uint32_t tick) {
    size_t at = lower_bound(snapshots, car->id);
    if (at == snapshots->count || snapshots->cars[at].id != car->id) {
        return insert(snapshots, at, car, tick);
    }
    if (tick >= snapshots->ticks[at]) {
        snapshots->cars[at] = *car;
        snapshots->ticks[at] = tick;
    }
    return true;
}

static void forget_stale(client_snapshots *snapshots) {
    size_t kept = 0;
    for (size_t i = 0; i < snapshots->count; i++) {
        if (snapshots->tick - snapshots->ticks[i] > snapshots->stale_ticks) {
            continue;
        }
        if (kept != i) {
            snapshots->cars[kept] = snapshots->cars[i];
            snapshots->ticks[kept] = snapshots->ticks[i];
        }
        kept++;
    }
    snapshots->count = kept;
}

bool client_snapshots_take(client_snapshots *snapshots, const apex_snapshot_message *part,
                           uint64_t now_us) {
    snapshots->parts++;
    if (snapshots->any && part->tick < snapshots->tick) {
        snapshots->late++;
    } else {
        snapshots->any = true;
        snapshots->tick = part->tick;
        snapshots->phase = part->phase;
        snapshots->race_time_ms = part->race_time_ms;
        snapshots->received_us = now_us;
    }
    bool room = true;
    for (uint32_t i = 0; i < part->car_count; i++) {
        room = take_car(snapshots, &part->cars[i], part->tick) && room;
    }
    forget_stale(snapshots);
    return room;
}
