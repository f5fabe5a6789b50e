/// The world of a server, for the cars that a client steps: one, unless the caller says more.
#pragma once

#include <stdint.h>

#include "physics/physics.h"
#include "proto/proto.h"

/// @param rules as the server tells them; where it does not, the default world's. Whatever they
/// are: apex_world_create refuses what cannot be.
apex_world_def client_world_def(const apex_world_rules *rules, uint32_t tick_hz);
