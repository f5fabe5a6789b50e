// Rivals: neighbours in the running order, wherever they are.
#include <stdlib.h>
#include <string.h>

#include "replicate/replica_private.h"

enum { LOOKS_PER_S = 2, REACH = 2 };

bool replica_order_create(apex_replica *replica, uint32_t lines_max) {
    replica->order_capacity = lines_max;
    replica->standings = calloc(lines_max, sizeof *replica->standings);
    replica->order = calloc(lines_max, sizeof *replica->order);
    replica->ranks = calloc(replica->capacity + (size_t)1, sizeof *replica->ranks);
    return replica->standings != NULL && replica->order != NULL && replica->ranks != NULL;
}

void replica_order_destroy(apex_replica *replica) {
    free(replica->standings);
    free(replica->order);
    free(replica->ranks);
}

void replica_order_forget(apex_replica *replica) {
    memset(replica->ranks, 0, (replica->capacity + (size_t)1) * sizeof *replica->ranks);
    replica->order_count = 0;
}

void replica_order_update(apex_replica *replica, const apex_race *race) {
    if (replica->tick % (replica->tick_hz / LOOKS_PER_S) != 0) {
        return;
    }
    size_t count = apex_race_standings(race, replica->standings, replica->order_capacity);
    for (uint32_t slot = 0; slot <= replica->capacity; slot++) {
        replica->ranks[slot] = 0;
    }
    replica->order_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = replica->standings[i].car_id.index1;
        bool is_there = replica->standings[i].present && slot > 0 && slot <= replica->capacity;
        if (is_there) {
            replica->order[replica->order_count++] = (uint16_t)slot;
            replica->ranks[slot] = (uint16_t)replica->order_count;
        }
    }
}

uint32_t replica_order_rivals(const apex_replica *replica, uint32_t slot, uint16_t out[4]) {
    uint32_t rank = replica->ranks[slot], count = 0;
    if (rank == 0) {
        return 0;
    }
    uint32_t first = rank > REACH ? rank - REACH : 1;
    for (uint32_t at = first; at <= rank + REACH && at <= replica->order_count; at++) {
        uint32_t other = replica->order[at - 1];
        if (at != rank && replica->since_tick[other] != 0) {
            out[count++] = (uint16_t)other;
        }
    }
    return count;
}
