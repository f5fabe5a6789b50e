/// Events of cars: raised as they happen, and told in order at the tick's end.
#pragma once

#include "base/pool.h"
#include "physics/physics.h"

enum { PHYSICS_EVENT_KINDS = APEX_CAR_STOPPED_BAD + 1 };

typedef struct physics_events {
    uint32_t car_capacity;
    uint32_t *bits;        ///< [slot] kinds raised in this tick
    double *values;        ///< [slot * kinds + kind]
    apex_car_event *items; ///< of the last tick: at most each kind once a car
    uint32_t count;
} physics_events;

/// @return false when memory is refused.
bool physics_events_allocate(physics_events *events, uint32_t car_capacity);
void physics_events_free(physics_events *events);

/// Remembers an event for the end of the tick; each kind at most once a car and tick, the last
/// value stays. Safe from jobs: a car's events lie in its own slots.
void physics_event_raise(physics_events *events, uint32_t slot, apex_car_event_kind kind,
                         double value);
void physics_events_clear(physics_events *events);
/// @param pool of the cars: whose slots they are.
void physics_events_gather(physics_events *events, const apex_pool *pool);
