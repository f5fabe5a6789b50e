/// The definitions of cars that a race has, decoded when they are first asked for.
#pragma once

#include "client-lite/session/state/knowledge.h"
#include "physics/physics.h"

/// All zero: empty.
typedef struct client_garage {
    apex_car_def *defs[APEX_WIRE_DEFS_MAX]; ///< as welcome.defs; NULL: not yet
} client_garage;

void client_garage_clear(client_garage *garage);
/// @return the definition of that name, until the garage is cleared; NULL: it is not here, or bad.
const apex_car_def *client_garage_def(client_garage *garage, const client_knowledge *knowledge,
                                      const char *name);
/// The same of a car in the race.
const apex_car_def *client_garage_def_of(client_garage *garage, const client_knowledge *knowledge,
                                         uint32_t car);
