// The cars of the last second as delta.h's integers, a row of slots for each tick.
#pragma once

#include "replicate/replicate.h"

enum { CAPTURED_TICKS = APEX_DELTA_AGE_MAX + 1 };

typedef struct captured_cars {
    uint32_t capacity, tick_hz;
    uint32_t tick;                  ///< newest
    uint32_t ticks[CAPTURED_TICKS]; ///< which tick a row holds
    apex_delta_car *rows;           ///< [tick % CAPTURED_TICKS][slot], slots from 1; id 0: nobody
    apex_delta_car *far_row;        ///< [slot], of the newest tick
    double *along_mps;              ///< [slot], of the last capture
    uint32_t *since_tick;           ///< [slot] since then its car has been there; 0: none is
    float (*place_m)[2];            ///< [slot] in the plan, of the newest tick
    uint16_t *live;                 ///< slots that hold somebody, rising
    uint32_t live_count;
} captured_cars;

static inline apex_delta_car *captured_row(const captured_cars *cars, uint32_t tick) {
    return cars->rows + (size_t)(tick % CAPTURED_TICKS) * (cars->capacity + (size_t)1);
}

/// @return whether the tick is one of those that are kept.
static inline bool captured_has(const captured_cars *cars, uint32_t tick) {
    return cars->ticks[tick % CAPTURED_TICKS] == tick;
}

/// The newest of a car; id 0: nobody.
static inline const apex_delta_car *captured_newest(const captured_cars *cars, uint32_t slot) {
    return &captured_row(cars, cars->tick)[slot];
}

/// @return false when memory is refused; destroy it all the same.
bool captured_cars_create(captured_cars *cars, uint32_t capacity, uint32_t tick_hz);
void captured_cars_destroy(captured_cars *cars);
/// No tick is known any more.
void captured_cars_forget(captured_cars *cars);
/// @param poses [slot - 1], up to the slot `end`; nobody is there where its id's index is 0, which
/// is the slot's else.
void captured_cars_take(captured_cars *cars, uint32_t tick, const apex_car_pose poses[],
                        uint32_t end);
