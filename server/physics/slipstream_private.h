/// The wakes of cars, each felt by those behind it.
#pragma once

#include "physics/physics_private.h"

/// Substeps from one look to the next: 10 a second at 240 Hz.
enum { PHYSICS_SLIPSTREAM_SUBSTEPS = 24 };

/// @return NULL when memory is refused.
physics_slipstream *physics_slipstream_create(uint32_t capacity);
void physics_slipstream_destroy(physics_slipstream *slipstream);

/// Sets each car's slipstream, 0 in clean air to 1 right behind another. One thread.
void physics_slipstream_update(apex_world *world);
