/// Finding and solving contacts between cars, walls and posts, in the plane, each substep.
#pragma once

#include "base/error.h"
#include "physics/physics_private.h"

/// @return NULL when memory is refused. `walls` may be NULL; borrowed.
physics_collider *physics_collider_create(const apex_world_def *def, const apex_walls *walls);
void physics_collider_destroy(physics_collider *collider);

/// Forgets the last tick's events, but not who touched whom; finds, for the whole tick, who may
/// meet whom and which walls. Reads the cars as they stand between two ticks.
void physics_collider_begin_tick(apex_world *world);
/// Slots that may touch something in this tick, rising. Nobody else needs a body in its substeps.
const uint32_t *physics_collider_involved(const physics_collider *collider, uint32_t *count);
/// Finds what is near among the candidates and solves it: changes velocities and pushes of the
/// bodies of involved slots, which must be fresh.
void physics_collider_substep(apex_world *world);
/// Turns what touched in this tick into events.
void physics_collider_end_tick(apex_world *world);

/// A slot was given up: its next car has touched nobody yet.
void physics_collider_forget(physics_collider *collider, uint32_t slot);

const apex_contact_event *physics_collider_events(const physics_collider *collider, size_t *count);

/// Who touched whom in the last tick: the only memory contacts have.
const uint64_t *physics_collider_touching(const physics_collider *collider, size_t *count);
size_t physics_collider_save_bytes(const physics_collider *collider);
void physics_collider_save(const physics_collider *collider, uint8_t *out);
/// Checks, then takes over. @return false and nothing changed if these can't be such bytes.
bool physics_collider_check(const physics_collider *collider, const uint8_t *bytes,
                            uint32_t car_capacity);
void physics_collider_restore(physics_collider *collider, const uint8_t *bytes);
