// The step: what happens in a tick, in order.

#include "physics/collide_private.h"

#include "base/assert.h"

// Cars in one piece of work: enough that claiming a piece costs nothing beside it.
enum { CARS_A_JOB = 16 };

static void forces_job(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    apex_world *world = ctx;
    (void)worker;
    for (uint32_t slot = begin; slot < end; slot++) {
        if (apex_pool_is_index_live(&world->pool, slot)) {
            physics_car_forces(world, slot);
        }
    }
}

static void move_job(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    apex_world *world = ctx;
    (void)worker;
    for (uint32_t slot = begin; slot < end; slot++) {
        if (apex_pool_is_index_live(&world->pool, slot)) {
            physics_car_move(world, slot);
        }
    }
}

static void read_controls(apex_world *world, const apex_controls controls[]) {
    for (uint32_t slot = 0; slot < world->def.car_capacity; slot++) {
        if (apex_pool_is_index_live(&world->pool, slot)) {
            physics_car_begin_tick(world, slot, &controls[slot]);
        }
    }
}

void apex_world_step(apex_world *world, const apex_controls controls[], apex_jobs *jobs) {
    APEX_ASSERT(world != NULL && controls != NULL);
    uint32_t capacity = world->def.car_capacity;
    physics_events_clear(world);
    read_controls(world, controls);
    physics_collider_begin_tick(world);
    for (uint32_t substep = 0; substep < world->substeps; substep++) {
        apex_jobs_for(jobs, capacity, CARS_A_JOB, forces_job, world);
        physics_collider_substep(world);
        apex_jobs_for(jobs, capacity, CARS_A_JOB, move_job, world);
    }
    physics_collider_end_tick(world);
    physics_events_gather(world);
    world->tick++;
}

uint64_t apex_world_tick(const apex_world *world) {
    return world->tick;
}

const apex_contact_event *apex_world_contacts(const apex_world *world, size_t *count) {
    return physics_collider_events(world->collider, count);
}

const apex_car_event *apex_world_car_events(const apex_world *world, size_t *count) {
    *count = world->event_count;
    return world->events;
}
