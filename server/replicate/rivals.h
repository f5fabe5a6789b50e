// The running order by slots, looked up twice a second, and the rivals of a car in it.
#pragma once

#include "replicate/captured_cars.h"

typedef struct running_order {
    apex_standing *standings; ///< for a moment, while it is looked up
    uint16_t *slots;          ///< in the running order
    uint16_t *ranks;          ///< [slot] place in it, from 1; 0: not in it
    uint32_t count;
    uint32_t capacity;      ///< of standings and slots
    uint32_t slot_capacity; ///< of ranks, which begin with slot 0
} running_order;

enum { RIVALS_MAX = 4 };

/// @return false when memory is refused; destroy it all the same.
bool running_order_create(running_order *order, uint32_t slot_capacity);
void running_order_destroy(running_order *order);
void running_order_forget(running_order *order);
/// Looks at the race's order, when it is time. @param cars of the same moment
void running_order_update(running_order *order, const captured_cars *cars, const apex_race *race);
/// The slots of those up to two places before and behind. @return how many.
uint32_t running_order_rivals(const running_order *order, const captured_cars *cars, uint32_t slot,
                              uint16_t out[RIVALS_MAX]);
