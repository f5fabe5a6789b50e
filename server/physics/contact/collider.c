// The collider's substep, from the tick's candidates to velocities: pairs and walls that are near
// become batches of eight constraints, batches are solved, and their impulses are stored (DECISIONS
// 25).
//
// Contacts are looked for in every substep, among the candidates of the tick. So the trajectory is
// the same at every tick rate without a word about frames in the state, and nothing is ever
// extrapolated. No hit leaves a car turning faster than 50 rad/s: a motorcycle met at 100 m/s
// would, and its box with it.

#include "physics/contact/collider.h"

#include "base/assert.h"
#include "physics/contact/car_hulls.h"
#include "physics/contact/contacts_validator.h"
#include "physics/contact/damage.h"
#include "physics/contact/walls.h"
#include "physics/lanes/rows.h"
#include "physics/solver/constraint_graph_validator.h"

#include <stdlib.h>
#include <string.h>

// CONTACTS_PER_CAR: contacts that outlast a tick and become events, on average over all cars.
// NEAR_PER_CAR: those that are solved in a substep. Both are more than there is space for round a
// car. SUBSTEPS_COUNTED: substeps are told from each other by numbers that a float has.
enum { CONTACTS_PER_CAR = 10, NEAR_PER_CAR = 48, SUBSTEPS_COUNTED = 1 << 16 };

struct physics_collider {
    const physics_contact_stages *stages;
    physics_walls *walls;
    physics_broad_phase *broad;
    physics_candidates candidates; ///< of this tick
    physics_impulse_map map;
    physics_solver solver;
    physics_contacts contacts;
    uint32_t *near_pairs;  ///< among candidates, in this substep
    bool has_other_halves; ///< a car lay on another in this tick
};

static bool allocate_solver(physics_collider *collider, uint32_t car_capacity) {
    physics_solver *solver = &collider->solver;
    uint32_t pairs = physics_broad_phase_pairs_max(collider->broad);
    collider->map = (physics_impulse_map){
        pairs, 2 * pairs, 2 * pairs + physics_broad_phase_obstacles_max(collider->broad)};
    size_t cache = (size_t)collider->map.padding + 1;
    solver->cache.items = calloc(cache, sizeof *solver->cache.items);
    solver->cache.peaks = calloc(cache, sizeof *solver->cache.peaks);
    solver->graph.capacity = car_capacity * NEAR_PER_CAR / PHYSICS_LANES + 2 * PHYSICS_COLOURS;
    solver->graph.batches =
        physics_rows_uncleared(solver->graph.capacity, sizeof *solver->graph.batches);
    solver->graph.padding_impulses = collider->map.padding;
    if (!physics_hulls_allocate(&solver->hulls, car_capacity)) {
        return false;
    }
    solver->graph.hull_count = solver->hulls.count;
    solver->graph.colours = calloc(solver->hulls.count, sizeof *solver->graph.colours);
    return solver->cache.items != NULL && solver->cache.peaks != NULL &&
           solver->graph.batches != NULL && solver->graph.colours != NULL;
}

static bool allocate(physics_collider *collider, uint32_t car_capacity, const apex_walls *walls) {
    collider->walls = physics_walls_create(walls);
    if (collider->walls == NULL) {
        return false;
    }
    collider->broad = physics_broad_phase_create(car_capacity, collider->walls);
    if (collider->broad == NULL || !allocate_solver(collider, car_capacity) ||
        !physics_contacts_allocate(&collider->contacts, car_capacity * CONTACTS_PER_CAR)) {
        return false;
    }
    collider->near_pairs =
        calloc(physics_broad_phase_pairs_max(collider->broad), sizeof *collider->near_pairs);
    return collider->near_pairs != NULL;
}

physics_collider *physics_collider_create(uint32_t car_capacity, const apex_walls *walls,
                                          const physics_contact_stages *stages) {
    physics_collider *collider = calloc(1, sizeof *collider);
    if (collider != NULL && !allocate(collider, car_capacity, walls)) {
        physics_collider_destroy(collider);
        return NULL;
    }
    if (collider != NULL) {
        collider->stages = stages;
    }
    return collider;
}

void physics_collider_destroy(physics_collider *collider) {
    if (collider == NULL) {
        return;
    }
    physics_broad_phase_destroy(collider->broad);
    physics_walls_destroy(collider->walls);
    physics_hulls_free(&collider->solver.hulls);
    free(collider->solver.graph.batches);
    free(collider->solver.graph.colours);
    free(collider->solver.cache.items);
    free(collider->solver.cache.peaks);
    physics_contacts_free(&collider->contacts);
    free(collider->near_pairs);
    free(collider);
}

const uint32_t *physics_collider_involved(const physics_collider *collider, uint32_t *count) {
    *count = collider->candidates.count;
    return collider->candidates.involved;
}

physics_hulls *physics_collider_hulls(physics_collider *collider) {
    return &collider->solver.hulls;
}

physics_contacts *physics_collider_contacts(physics_collider *collider) {
    return &collider->contacts;
}

static physics_contact_tick tick_of(const physics_collider *collider, const physics_cars *cars) {
    return (physics_contact_tick){&cars->pool,           &collider->solver.cache,
                                  &collider->candidates, collider->walls->from->segment_count,
                                  collider->map,         collider->has_other_halves};
}

static void clear_impulses(physics_collider *collider, uint32_t from, uint32_t count) {
    physics_impulses *items = collider->solver.cache.items;
    memset(&items[from], 0, count * sizeof *items);
}

static void set_types(physics_collider *collider, const physics_cars *cars) {
    for (uint32_t i = 0; i < collider->candidates.count; i++) {
        uint32_t slot = collider->candidates.involved[i];
        const physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
        const physics_type *type = &cars->types[block->type[slot % PHYSICS_LANES]];
        physics_hulls_set_type(&collider->solver.hulls, slot, &type->hull);
    }
}

void physics_collider_begin_tick(physics_collider *collider, const physics_cars *cars,
                                 real tick_s) {
    APEX_ASSERT(collider->solver.hulls.count == cars->block_count * PHYSICS_LANES &&
                tick_s > R(0.0));
    const physics_candidates *candidates = &collider->candidates;
    physics_broad_phase_find(collider->broad, cars, tick_s);
    collider->candidates = physics_broad_phase_candidates(collider->broad);
    set_types(collider, cars);
    clear_impulses(collider, 0, candidates->pair_starts[candidates->count]);
    clear_impulses(collider, collider->map.obstacles,
                   candidates->obstacle_starts[candidates->count]);
    physics_contact_tick tick = tick_of(collider, cars);
    collider->has_other_halves = physics_contacts_begin_tick(&collider->contacts, &tick);
}

void physics_collider_end_tick(physics_collider *collider, const physics_cars *cars) {
    APEX_ASSERT(collider->solver.hulls.count == cars->block_count * PHYSICS_LANES);
    physics_contact_tick tick = tick_of(collider, cars);
    physics_contacts_end_tick(&collider->contacts, &tick);
    APEX_VALIDATE(physics_contacts_validate(&collider->contacts, &tick));
    if (collider->has_other_halves) {
        const physics_candidates *candidates = &collider->candidates;
        clear_impulses(collider, collider->map.other_halves,
                       candidates->pair_starts[candidates->count]);
        collider->has_other_halves = false;
    }
}

static bool add_pair(physics_collider *collider, uint32_t index, bool is_other_half) {
    physics_constraint_graph *graph = &collider->solver.graph;
    uint32_t pair = collider->candidates.pairs[index];
    physics_batch_lane at;
    if (!physics_constraint_graph_add(graph, physics_pair_lower(pair), physics_pair_higher(pair),
                                      &at)) {
        return false;
    }
    physics_constraints *batch = &graph->batches[at.batch];
    batch->impulses[at.lane] = is_other_half ? collider->map.other_halves + index : index;
    batch->pairs.is_other_half[at.lane] = is_other_half ? -1 : 0;
    collider->has_other_halves |= is_other_half;
    return true;
}

static void find_pairs(physics_collider *collider) {
    const physics_candidates *candidates = &collider->candidates;
    uint32_t pairs = candidates->pair_starts[candidates->count];
    uint32_t count = collider->stages->find_near(&collider->solver.hulls, candidates->pairs, pairs,
                                                 collider->near_pairs);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = collider->near_pairs[i] & ~PHYSICS_ON_TOP;
        if (!add_pair(collider, index, false)) {
            return;
        }
        if ((collider->near_pairs[i] & PHYSICS_ON_TOP) != 0 && !add_pair(collider, index, true)) {
            return;
        }
    }
}

static void set_lane(physics_manifold *out, uint32_t lane, const physics_wall_manifold *from) {
    lanes_set(&out->normal[0], lane, from->normal[0]);
    lanes_set(&out->normal[1], lane, from->normal[1]);
    lanes_set(&out->friction, lane, from->friction);
    lanes_set(&out->restitution, lane, from->restitution);
    lanes_set(&out->lever_m, lane, from->lever_m);
    for (uint32_t p = 0; p < from->count; p++) {
        out->has_point[p][lane] = -1;
        lanes_set(&out->separation_m[p], lane, from->separation_m[p]);
        for (uint32_t i = 0; i < 3; i++) {
            lanes_set(&out->anchor_m[p][i], lane, from->anchor_m[p][i]);
        }
    }
}

static void collide_wall(physics_collider *collider, uint32_t slot, uint32_t index) {
    physics_constraint_graph *graph = &collider->solver.graph;
    uint32_t item = collider->candidates.obstacles[index];
    physics_wall_manifold manifold;
    physics_batch_lane at;
    if (!physics_wall_collide(collider->walls, &collider->solver.hulls, slot, item, &manifold) ||
        !physics_constraint_graph_add(graph, slot, graph->hull_count, &at)) {
        return;
    }
    physics_constraints *batch = &graph->batches[at.batch];
    if (at.lane == 0) {
        memset(&batch->manifold, 0, sizeof batch->manifold);
    }
    batch->impulses[at.lane] = collider->map.obstacles + index;
    set_lane(&batch->manifold, at.lane, &manifold);
}

static void find_walls(physics_collider *collider) {
    const physics_candidates *candidates = &collider->candidates;
    for (uint32_t i = 0; i < candidates->count; i++) {
        uint32_t end = candidates->obstacle_starts[i + 1];
        for (uint32_t obstacle = candidates->obstacle_starts[i]; obstacle < end; obstacle++) {
            collide_wall(collider, candidates->involved[i], obstacle);
        }
    }
}

static void find_contacts(physics_collider *collider) {
    physics_solver *solver = &collider->solver;
    physics_constraint_graph_clear(&solver->graph);
    find_pairs(collider);
    solver->pair_batches = solver->graph.count;
    physics_constraint_graph_seal(&solver->graph);
    find_walls(collider);
}

static void guard_walls(physics_collider *collider, real h_s) {
    const physics_candidates *candidates = &collider->candidates;
    for (uint32_t i = 0; i < candidates->count; i++) {
        for (uint32_t n = candidates->obstacle_starts[i]; n < candidates->obstacle_starts[i + 1];
             n++) {
            physics_wall_guard(collider->walls, &collider->solver.hulls, candidates->involved[i],
                               candidates->obstacles[n], h_s);
        }
    }
}

static void count_substep(physics_impulse_cache *cache) {
    cache->substep_before = cache->substep;
    uint32_t next = (uint32_t)cache->substep % SUBSTEPS_COUNTED + 1;
    cache->substep = (real)next;
}

bool physics_collider_substep(physics_collider *collider, physics_cars *cars) {
    APEX_ASSERT(collider->solver.hulls.count == cars->block_count * PHYSICS_LANES);
    real h_s = cars->conditions.h_s;
    physics_solver *solver = &collider->solver;
    physics_hulls *hulls = &solver->hulls;
    count_substep(&solver->cache);
    find_contacts(collider);
    if (solver->graph.count == 0) {
        return false;
    }
    memset(&hulls->motions[hulls->count], 0, sizeof *hulls->motions);
    collider->stages->solve(solver, h_s);
    memcpy(hulls->biased, hulls->motions, hulls->count * sizeof *hulls->motions);
    guard_walls(collider, h_s);
    collider->stages->relax(solver, h_s);
    APEX_VALIDATE(physics_constraint_graph_validate(solver));
    physics_damage_apply(cars, solver);
    return true;
}
