// The running order by slots: neighbours in it are rivals, wherever they are.
#include "replicate/rivals.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKS_PER_S = 2, REACH = RIVALS_MAX / 2 };

bool running_order_create(running_order *order, uint32_t slot_capacity) {
    order->slot_capacity = slot_capacity;
    order->capacity = 2 * slot_capacity; // some have left the race
    order->standings = calloc(order->capacity, sizeof *order->standings);
    order->slots = calloc(order->capacity, sizeof *order->slots);
    order->ranks = calloc(slot_capacity + (size_t)1, sizeof *order->ranks);
    return order->standings != NULL && order->slots != NULL && order->ranks != NULL;
}

void running_order_destroy(running_order *order) {
    free(order->standings);
    free(order->slots);
    free(order->ranks);
}

void running_order_forget(running_order *order) {
    memset(order->ranks, 0, (order->slot_capacity + (size_t)1) * sizeof *order->ranks);
    order->count = 0;
}

void running_order_update(running_order *order, const captured_cars *cars, const apex_race *race) {
    if (cars->tick % (cars->tick_hz / LOOKS_PER_S) != 0) {
        return;
    }
    size_t count = apex_race_standings(race, order->standings, order->capacity);
    running_order_forget(order);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = order->standings[i].car_id.index1;
        bool is_there = order->standings[i].present && slot > 0 && slot <= order->slot_capacity;
        if (is_there) {
            order->slots[order->count++] = (uint16_t)slot;
            order->ranks[slot] = (uint16_t)order->count;
        }
    }
}

uint32_t running_order_rivals(const running_order *order, const captured_cars *cars, uint32_t slot,
                              uint16_t out[RIVALS_MAX]) {
    uint32_t rank = order->ranks[slot], count = 0;
    if (rank == 0) {
        return 0;
    }
    uint32_t first = rank > REACH ? rank - REACH : 1;
    for (uint32_t at = first; at <= rank + REACH && at <= order->count; at++) {
        uint32_t other = order->slots[at - 1];
        if (at != rank && cars->since_tick[other] != 0) {
            out[count++] = (uint16_t)other;
        }
    }
    return count;
}
