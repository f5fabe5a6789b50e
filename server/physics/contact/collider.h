/// The collider: finds and solves contacts between cars, walls and posts in each substep. All that
/// moves anything happens at the substep rate, so that the trajectory is the same at every tick
/// rate.
#pragma once

#include "physics/contact/contacts.h"
#include "physics/solver/solver.h"

typedef struct physics_collider physics_collider;

/// The functions that are compiled for each instruction set, see solver/.
typedef struct physics_contact_stages {
    uint32_t (*find_near)(const physics_hulls *hulls, const uint32_t pairs[], uint32_t count,
                          uint32_t near[]);
    void (*solve)(physics_solver *solver, real h_s);
    void (*relax)(physics_solver *solver, real h_s);
} physics_contact_stages;

/// @param walls may be NULL; borrowed
/// @return NULL when memory is refused.
physics_collider *physics_collider_create(uint32_t car_capacity, const apex_walls *walls,
                                          const physics_contact_stages *stages);
void physics_collider_destroy(physics_collider *collider);

/// The broad phase of a tick: drops the last tick's events, but keeps its contacts; finds
/// candidates for all substeps. Reads the cars as they stand between two ticks.
void physics_collider_begin_tick(physics_collider *collider, const physics_cars *cars, real tick_s);
/// Slots that may have a contact in this tick, rising. Only their hulls are updated in substeps.
const uint32_t *physics_collider_involved(const physics_collider *collider, uint32_t *count);
/// The hulls, which must be updated from involved cars before each substep.
physics_hulls *physics_collider_hulls(physics_collider *collider);
/// Narrow phase and solver over the candidates.
/// @return whether there was any contact: then cars move with their hulls' velocities.
bool physics_collider_substep(physics_collider *collider, physics_cars *cars);
/// Turns this tick's contacts into events.
void physics_collider_end_tick(physics_collider *collider, const physics_cars *cars);

/// The persistent contacts: all of a collider that outlasts a tick.
physics_contacts *physics_collider_contacts(physics_collider *collider);
