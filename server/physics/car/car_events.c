// Events of cars, a bit for each kind until the tick ends.

#include "physics/car/car_events.h"

#include "base/assert.h"

#include <stdlib.h>
#include <string.h>

bool physics_events_allocate(physics_events *events, uint32_t car_capacity) {
    size_t cars = car_capacity;
    events->car_capacity = car_capacity;
    events->bits = calloc(cars, sizeof *events->bits);
    events->values = calloc(cars * PHYSICS_EVENT_KINDS, sizeof *events->values);
    events->items = calloc(cars * PHYSICS_EVENT_KINDS, sizeof *events->items);
    return events->bits != NULL && events->values != NULL && events->items != NULL;
}

void physics_events_free(physics_events *events) {
    free(events->bits);
    free(events->values);
    free(events->items);
}

void physics_event_raise(physics_events *events, uint32_t slot, apex_car_event_kind kind,
                         double value) {
    APEX_ASSERT(slot < events->car_capacity);
    APEX_ASSERT((uint32_t)kind < PHYSICS_EVENT_KINDS);
    events->bits[slot] |= 1u << kind;
    events->values[(size_t)slot * PHYSICS_EVENT_KINDS + kind] = value;
}

void physics_events_clear(physics_events *events) {
    memset(events->bits, 0, events->car_capacity * sizeof *events->bits);
    events->count = 0;
}

void physics_events_gather(physics_events *events, const apex_pool *pool) {
    APEX_ASSERT(pool->capacity == events->car_capacity && events->count == 0);
    for (uint32_t slot = 0; slot < events->car_capacity; slot++) {
        if (events->bits[slot] == 0) {
            continue;
        }
        apex_pool_ref ref = apex_pool_ref_at(pool, slot);
        apex_car_id id = {(uint16_t)ref.index1, (uint16_t)ref.generation};
        for (uint32_t kind = 0; kind < PHYSICS_EVENT_KINDS; kind++) {
            if (events->bits[slot] & (1u << kind)) {
                events->items[events->count++] = (apex_car_event){
                    .car = id,
                    .kind = (apex_car_event_kind)kind,
                    .value = events->values[(size_t)slot * PHYSICS_EVENT_KINDS + kind],
                };
            }
        }
    }
}
