/// Conversions of the own car's exact state between the wire and physics.
#pragma once

#include <stdbool.h>

#include "physics/physics.h"
#include "proto/proto.h"

apex_car_state client_state_of(const apex_own_car *own);
/// Every number alike; a 0.0 and a -0.0 are.
bool client_states_are_same(const apex_car_state *a, const apex_car_state *b);
