// A history of ticks, and the comparison with what a client shows.
#include "support/race/race_history.h"

#include <stdlib.h>

#include "base/assert.h"
#include "replicate/replicate.h"
#include "support/proto/wire_cars.h"

enum {
    HISTORY_TICKS = 1024, // more than a client keeps a car that it hears nothing of
    ARENA_BYTES = 16 * 1024 * 1024,
};

// The ways to tell a car: whole, or in a delta snapshot as a near or a far one.
enum { WHOLE, NEAR, FAR, WAYS };

// A race as the server captured it.
typedef struct moment {
    uint32_t tick;
    uint32_t car_count;
    apex_wire_car *cars[WAYS]; // [player_capacity], sorted by id; as each way of telling has them
} moment;

struct race_history {
    moment moments[HISTORY_TICKS];
    apex_wire_car *cars;   // of all moments
    apex_replica *replica; // captures as the server does
    apex_arena capture;
};

race_history *race_history_create(const apex_race *race) {
    size_t cars = apex_race_player_capacity(race);
    race_history *history = calloc(1, sizeof *history);
    APEX_ASSERT(history != NULL);
    history->cars = calloc(WAYS * cars * HISTORY_TICKS, sizeof *history->cars);
    history->replica = apex_replica_create((uint32_t)cars, apex_race_tick_hz(race));
    apex_err err = apex_arena_create(&history->capture, ARENA_BYTES);
    APEX_ASSERT(history->cars != NULL && history->replica != NULL && err == APEX_OK);
    for (size_t i = 0; i < WAYS * HISTORY_TICKS; i++) {
        history->moments[i / WAYS].cars[i % WAYS] = history->cars + i * cars;
    }
    return history;
}

void race_history_destroy(race_history *history) {
    apex_arena_destroy(&history->capture);
    apex_replica_destroy(history->replica);
    free(history->cars);
    free(history);
}

void race_history_keep(race_history *history, const apex_race *race) {
    apex_arena_reset(&history->capture);
    apex_snapshot snapshot = apex_replicate_capture(race, &history->capture);
    moment *now = &history->moments[snapshot.tick % HISTORY_TICKS];
    now->tick = snapshot.tick;
    now->car_count = snapshot.car_count;
    apex_replica_capture(history->replica, race);
    for (uint32_t i = 0; i < snapshot.car_count; i++) {
        uint32_t slot = apex_delta_slot(snapshot.cars[i].id);
        const apex_delta_car *near_car = apex_replica_car(history->replica, snapshot.tick, slot);
        apex_delta_car far_car = apex_delta_far_car(near_car);
        now->cars[WHOLE][i] = snapshot.cars[i];
        apex_delta_to_wire(near_car, APEX_DELTA_NEAR, &now->cars[NEAR][i]);
        apex_delta_to_wire(&far_car, APEX_DELTA_FAR, &now->cars[FAR][i]);
    }
}

// @return its place, or car_count.
static uint32_t find_car(const moment *then, uint32_t id) {
    uint32_t place = 0;
    while (place < then->car_count && then->cars[WHOLE][place].id != id) {
        place++;
    }
    return place;
}

race_history_verdict race_history_judge(const race_history *history, uint32_t tick,
                                        const apex_wire_car *car, bool is_told_whole) {
    const moment *then = &history->moments[tick % HISTORY_TICKS];
    uint32_t place = then->tick == tick ? find_car(then, car->id) : then->car_count;
    if (place == then->car_count) {
        return RACE_HISTORY_UNKNOWN;
    }
    bool is_right = is_told_whole ? wire_cars_equal(&then->cars[WHOLE][place], car)
                                  : wire_cars_equal(&then->cars[NEAR][place], car) ||
                                        wire_cars_equal(&then->cars[FAR][place], car);
    return is_right ? RACE_HISTORY_RIGHT : RACE_HISTORY_WRONG;
}
