/// Finding and solving contacts between cars, walls and posts in each substep. All that moves
/// anything happens at the substep rate, so that the trajectory is the same at every tick rate.
#pragma once

#include "physics/contact/touches.h"

/// @return NULL when memory is refused. `walls` may be NULL; borrowed.
physics_collider *physics_collider_create(const apex_world_def *def, const apex_walls *walls);
void physics_collider_destroy(physics_collider *collider);

/// Forgets the last tick's events, but not who touched whom; finds, for the whole tick, who may
/// meet whom and which walls. Reads the cars as they stand between two ticks.
void physics_collider_begin_tick(apex_world *world);
/// Slots that may touch something in this tick, rising. Nobody else is shown in its substeps.
const uint32_t *physics_collider_involved(const physics_collider *collider, uint32_t *count);
/// Where involved cars must be shown before each substep.
physics_hulls *physics_collider_hulls(physics_collider *collider);
/// Finds what is near among the candidates and solves it.
/// @return whether anything was: then cars move as hulls say.
bool physics_collider_substep(apex_world *world);
/// Turns what touched in this tick into events.
void physics_collider_end_tick(apex_world *world);

/// Who touches whom between ticks: the only memory that contacts have.
physics_touches *physics_collider_touches(physics_collider *collider);

// --- Damage -----------------------------------------------------------------------------------

/// Damage to cars by the impulses of a substep, where the world asks for it.
void physics_damage_apply(apex_world *world, const physics_solver *solver);
