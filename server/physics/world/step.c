// The step: what happens in a tick, in order. Blocks whose cars can meet nobody take the tick in
// one go, the others substep by substep (DECISIONS 16).

#include "base/assert.h"
#include "physics/car/cars_validator.h"
#include "physics/car/read_controls.h"
#include "physics/world/world.h"

// Blocks in one piece of work: enough that claiming a piece costs nothing beside it.
enum { BLOCKS_A_JOB = 2 };

/// The motion that involved cars are still owed from the substep before: they make it when their
/// block is next visited.
typedef enum owed_motion {
    OWED_NONE,
    OWED_OWN,   ///< with their own speeds: nobody was near anybody
    OWED_HULLS, ///< as contacts have left it
} owed_motion;

/// The tick, for its jobs.
typedef struct tick_jobs {
    apex_world *world;
    uint32_t substeps;
    bool is_last; ///< the last of them is the tick's last
    owed_motion owed;
} tick_jobs;

static void fetch(const void *from, size_t bytes) {
    enum { CACHE_LINE = 64 };
    for (size_t at = 0; at < bytes; at += CACHE_LINE) {
        __builtin_prefetch((const char *)from + at, 0, 2);
    }
}

// While one block is computed the next one comes nearer: thousands of cars do not fit into a cache.
// Addresses only: another worker may be at that block already. Most cars have four wheels.
static void fetch_block(const apex_world *world, uint32_t index) {
    enum { WHEELS = 4 };
    fetch(&world->cars.blocks[index], sizeof *world->cars.blocks);
    fetch(&world->cars.drives[index], sizeof *world->cars.drives);
    fetch(world->cars.works[index].ground_caches,
          WHEELS * sizeof *world->cars.works->ground_caches);
}

// A block whose cars can meet nobody takes its substeps in one go, while it is warm.
static void alone_job(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    const tick_jobs *tick = ctx;
    apex_world *world = tick->world;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        if (i + 1 < world->alone_count) {
            fetch_block(world, world->alone_blocks[i + 1]);
        }
        for (uint32_t substep = 0; substep < tick->substeps; substep++) {
            bool is_last = tick->is_last && substep + 1 == tick->substeps;
            world->isa->forces(&world->cars, &world->alone_blocks[i], 1, is_last);
            world->isa->move(&world->cars, &world->alone_blocks[i], 1);
        }
    }
}

static void move_owed(apex_world *world, owed_motion owed, const uint32_t *block) {
    if (owed == OWED_HULLS) {
        world->isa->move_hulls(&world->cars, physics_collider_hulls(world->collider), block, 1);
    } else if (owed == OWED_OWN) {
        world->isa->move(&world->cars, block, 1);
    }
}

static void involved_job(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    const tick_jobs *substep = ctx;
    apex_world *world = substep->world;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t *block = &world->involved_blocks[i];
        if (i + 1 < world->involved_count) {
            fetch_block(world, block[1]);
        }
        move_owed(world, substep->owed, block);
        world->isa->forces(&world->cars, block, 1, substep->is_last);
        world->isa->show(&world->cars, physics_collider_hulls(world->collider), block, 1);
    }
}

static void move_job(void *ctx, uint32_t begin, uint32_t end, uint32_t worker) {
    const tick_jobs *tick = ctx;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        move_owed(tick->world, tick->owed, &tick->world->involved_blocks[i]);
    }
}

static void read_controls(apex_world *world, const apex_controls controls[]) {
    for (uint32_t slot = 0; slot < world->def.car_capacity; slot++) {
        if (apex_pool_is_index_live(&world->cars.pool, slot)) {
            physics_car_begin_tick(&world->cars, slot, &controls[slot]);
        }
    }
}

// Parts blocks with a car that may have a contact in this tick from those without, rising.
static void part_blocks(apex_world *world) {
    uint32_t car_count, next = 0;
    const uint32_t *cars = physics_collider_involved(world->collider, &car_count);
    world->involved_count = world->alone_count = 0;
    for (uint32_t block = 0; block < world->cars.block_count; block++) {
        bool is_involved = next < car_count && cars[next] / PHYSICS_LANES == block;
        while (next < car_count && cars[next] / PHYSICS_LANES == block) {
            next++;
        }
        if (is_involved) {
            world->involved_blocks[world->involved_count++] = block;
        } else if (world->cars.drives[block].is_anyone_here) {
            world->alone_blocks[world->alone_count++] = block;
        }
    }
}

static void run_involved(tick_jobs tick, apex_jobs *jobs) {
    apex_world *world = tick.world;
    tick_jobs substep = {.world = world, .substeps = 1, .owed = OWED_NONE};
    for (uint32_t i = 0; i < tick.substeps; i++) {
        substep.is_last = tick.is_last && i + 1 == tick.substeps;
        apex_jobs_for(jobs, world->involved_count, BLOCKS_A_JOB, involved_job, &substep);
        substep.owed =
            physics_collider_substep(world->collider, &world->cars) ? OWED_HULLS : OWED_OWN;
    }
    apex_jobs_for(jobs, world->involved_count, BLOCKS_A_JOB, move_job, &substep);
}

static void run(tick_jobs tick, apex_jobs *jobs) {
    apex_jobs_for(jobs, tick.world->alone_count, BLOCKS_A_JOB, alone_job, &tick);
    if (tick.world->involved_count > 0) {
        run_involved(tick, jobs);
    }
}

// Looks at slipstreams when it is time. @return substeps until then, or until the tick's end.
static uint32_t substeps_to_next_look(apex_world *world, uint32_t done) {
    uint64_t substep = world->tick * world->substeps + done;
    uint32_t since = (uint32_t)(substep % PHYSICS_SLIPSTREAM_SUBSTEPS);
    if (since == 0) {
        physics_slipstream_update(world->slipstream, &world->cars);
    }
    uint32_t until = PHYSICS_SLIPSTREAM_SUBSTEPS - since, left = world->substeps - done;
    return until < left ? until : left;
}

void apex_world_step(apex_world *world, const apex_controls controls[], apex_jobs *jobs) {
    APEX_ASSERT(world != NULL && controls != NULL);
    real tick_s = (real)world->substeps * world->cars.conditions.h_s;
    physics_events_clear(&world->cars.events);
    read_controls(world, controls);
    physics_collider_begin_tick(world->collider, &world->cars, tick_s);
    part_blocks(world);
    for (uint32_t done = 0; done < world->substeps;) {
        uint32_t count = substeps_to_next_look(world, done);
        done += count;
        run((tick_jobs){.world = world, .substeps = count, .is_last = done == world->substeps},
            jobs);
    }
    physics_collider_end_tick(world->collider, &world->cars);
    physics_events_gather(&world->cars.events, &world->cars.pool);
    APEX_VALIDATE(physics_cars_validate(&world->cars));
    world->tick++;
}

uint64_t apex_world_tick(const apex_world *world) {
    return world->tick;
}

const apex_contact_event *apex_world_contacts(const apex_world *world, size_t *count) {
    const physics_contacts *contacts = physics_collider_contacts(world->collider);
    *count = contacts->event_count;
    return contacts->events;
}

const apex_car_event *apex_world_car_events(const apex_world *world, size_t *count) {
    *count = world->cars.events.count;
    return world->cars.events.items;
}
