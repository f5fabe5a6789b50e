// The solver: warm start of all constraints, solving with bias, relaxing without it, friction, and
// storing impulses for the next substep (DECISIONS 25).
//
// One iteration a substep (Catto, "Soft Step"), eight pairs at a time. Cars move with velocities
// that stop closing points and push penetrating ones apart; then anchors are updated to the cars'
// new places, and relaxing takes all of that bias back, so that both momenta close (1e-6 a tick)
// and a heap comes to rest. Friction is last but one: its limit is a share of the final normal
// impulse, which is not known before the bias is taken back; one more pass over the normals keeps
// energy from growing. Walls are solved after all cars, four times over.
//
// A pair is warm started with the mean of the impulse it began the substep before with and the one
// that came out, at most a change of its speed by 12 m/s. The mean, because a heap presses with
// forty times a car's weight, and points that can share this load in more than one way took turns
// in each substep. The limit, because a blow lasts one substep: pairs that were warm started with
// all of it won 0.8 % of the energy in a tick. With less than 8 m/s a heap that is rammed gives way
// by decimetres. Relaxing in the reverse order brings jams to rest sooner, and three swarms in 240
// over 0.1 % of energy won.
//
// The closing speed of a pair that had no impulse before is read after earlier batches' warm start:
// in a row of cars that are hit one after the other, restitution may give back a little of a blow
// that only passed through, and an event may say 43 m/s where it was 40. A pair that had an impulse
// already has no restitution: a heap's own load looks like a blow of 1 m/s there.

#include "physics/solver/solver.h"

#include "base/assert.h"
#include "physics/lanes/rows.h"
#include "physics/solver/zones.h"

_Static_assert(sizeof(physics_impulses) == sizeof(lanes), "a row must fill a vector");

// Loads impulses of the substep before only: a pair that was apart in between begins anew.
static void load_impulses(const physics_impulse_cache *cache, physics_constraints *constraints) {
    lanes rows[PHYSICS_LANES];
    physics_rows_gather(cache->items, constraints->impulses, rows);
    lanes_mask is_fresh = lanes_equal(rows[7], lanes_all(cache->substep_before));
    for (uint32_t p = 0; p < 2; p++) {
        lanes_mask has_point = constraints->manifold.has_point[p];
        constraints->normals.impulse_ns[p] = lanes_keep(is_fresh & has_point, rows[p]);
        constraints->tangents.impulse_ns[p] =
            lanes_keep(is_fresh & constraints->manifold.has_point[0], rows[2 + p]);
    }
}

// A steady load need not be written down anew in each substep.
static const real NEW_PEAK_RATIO = R(1.1);

static void store_peak(const physics_impulse_cache *cache, const physics_hulls *hulls,
                       const physics_constraints *constraints, uint32_t lane) {
    const physics_manifold *manifold = &constraints->manifold;
    uint32_t a = constraints->pairs.a[lane], b = constraints->pairs.b[lane];
    physics_impulse_peak *peak = &cache->peaks[constraints->impulses[lane]];
    physics_hit hit_a = physics_hit_on(manifold, lane, 0);
    for (uint32_t i = 0; i < 3; i++) {
        real centre = i < 2 ? hulls->surfaces[a].centre_m[i] : R(0.0);
        peak->point_m[i] =
            (real)(hulls->positions[a].centre_m[i] + (double)(hit_a.anchor_m[i] - centre));
        peak->normal[i] = manifold->normal[i][lane];
    }
    peak->zone = (uint8_t)physics_zone_of(hulls, a, &hit_a);
    if (b < hulls->count) {
        physics_hit hit_b = physics_hit_on(manifold, lane, 1);
        peak->other_zone = (uint8_t)physics_zone_of(hulls, b, &hit_b);
    }
}

// A larger warm start is scaled down to this change of speed (see above).
static const real WARM_START_MPS_MAX = R(12.0);

LANES_INLINE void store_warm_start(const physics_impulse_cache *cache,
                                   const physics_constraints *constraints, lanes_mask is_loaded,
                                   lanes rows[PHYSICS_LANES]) {
    const physics_constraint_rows *normals = &constraints->normals,
                                  *tangents = &constraints->tangents;
    lanes_mask is_fresh = lanes_equal(rows[7], lanes_all(cache->substep_before));
    lanes speed_mps = lanes_max(normals->inverse_mass[0] * normals->impulse_ns[0],
                                normals->inverse_mass[1] * normals->impulse_ns[1]);
    lanes share = R(0.5) * WARM_START_MPS_MAX / lanes_max(speed_mps, lanes_all(WARM_START_MPS_MAX));
    for (uint32_t p = 0; p < 2; p++) {
        lanes normal_ns = lanes_keep(is_fresh, rows[p]) + normals->impulse_ns[p];
        lanes tangent_ns = lanes_keep(is_fresh, rows[2 + p]) + tangents->impulse_ns[p];
        rows[p] = lanes_keep(is_loaded, share * normal_ns);
        rows[2 + p] = lanes_keep(is_loaded, share * tangent_ns);
    }
}

static void store_impulses(const physics_impulse_cache *cache, const physics_hulls *hulls,
                           const physics_constraints *constraints) {
    const lanes *normal_ns = constraints->normals.impulse_ns;
    lanes rows[PHYSICS_LANES];
    physics_rows_gather(cache->items, constraints->impulses, rows);
    lanes total_ns = normal_ns[0] + normal_ns[1];
    lanes_mask is_first = lanes_at_most(rows[4], lanes_zero());
    lanes_mask is_peak = lanes_more(total_ns, NEW_PEAK_RATIO * rows[5]);
    lanes closing =
        lanes_max(-constraints->relative_mps[0],
                  lanes_keep(constraints->manifold.has_point[1], -constraints->relative_mps[1]));
    lanes_mask is_loaded = lanes_more(total_ns, lanes_zero());
    store_warm_start(cache, constraints, is_loaded, rows);
    rows[4] += total_ns;
    rows[5] = lanes_select(is_peak, total_ns, rows[5]);
    lanes first = lanes_keep(is_loaded, lanes_max(closing, lanes_zero()));
    rows[6] = lanes_select(is_first, first, rows[6]);
    rows[7] = lanes_all(cache->substep);
    for (uint32_t which = lanes_which(is_peak); which != 0; which &= which - 1) {
        store_peak(cache, hulls, constraints, (uint32_t)__builtin_ctz(which));
    }
    physics_rows_scatter(cache->items, constraints->impulses, rows);
}

// Walls are solved last, and more than once: a car that meets two walls at a time is swung into the
// one by the other.
enum { WALL_ITERATIONS = 4 };

void FOR_ISA(physics_solver_solve)(physics_solver *solver, real h_s) {
    APEX_ASSERT(solver->pair_batches <= solver->graph.count && h_s > R(0.0));
    const physics_hulls *hulls = &solver->hulls;
    physics_constraint_graph *graph = &solver->graph;
    for (uint32_t g = 0; g < graph->count; g++) {
        physics_constraints *constraints = &graph->batches[g];
        if (g < solver->pair_batches) {
            FOR_ISA(physics_collide)(hulls, &constraints->pairs, &constraints->manifold);
        }
        load_impulses(&solver->cache, constraints);
        FOR_ISA(physics_constraints_prepare)(hulls, constraints);
        FOR_ISA(physics_constraints_warm_start)(hulls, constraints);
    }
    for (uint32_t g = 0; g < solver->pair_batches; g++) {
        FOR_ISA(physics_constraints_solve)(hulls, &graph->batches[g], h_s);
    }
    for (uint32_t iteration = 0; iteration < WALL_ITERATIONS; iteration++) {
        for (uint32_t g = solver->pair_batches; g < graph->count; g++) {
            FOR_ISA(physics_constraints_solve)(hulls, &graph->batches[g], h_s);
        }
    }
}

void FOR_ISA(physics_solver_relax)(physics_solver *solver, real h_s) {
    APEX_ASSERT(solver->pair_batches <= solver->graph.count && h_s > R(0.0));
    const physics_hulls *hulls = &solver->hulls;
    physics_constraint_graph *graph = &solver->graph;
    for (uint32_t g = 0; g < graph->count; g++) {
        physics_constraints *constraints = &graph->batches[g];
        FOR_ISA(physics_constraints_update_anchors)(hulls, constraints, h_s);
        FOR_ISA(physics_constraints_prepare)(hulls, constraints);
        FOR_ISA(physics_constraints_relax)(hulls, constraints);
    }
    for (uint32_t iteration = 1; iteration < WALL_ITERATIONS; iteration++) {
        for (uint32_t g = solver->pair_batches; g < graph->count; g++) {
            FOR_ISA(physics_constraints_relax)(hulls, &graph->batches[g]);
        }
    }
    for (uint32_t g = 0; g < graph->count; g++) {
        FOR_ISA(physics_constraints_solve_friction)(hulls, &graph->batches[g]);
        store_impulses(&solver->cache, hulls, &graph->batches[g]);
    }
}
