// A substep of all constraints: warm start, solve with bias, relax without it, friction; and
// impulses are stored for the next.

#include "physics/solver/solver.h"

#include "physics/lanes/rows.h"
#include "physics/solver/zones.h"

_Static_assert(sizeof(physics_impulses) == sizeof(lanes), "a row must fill a vector");

// Only of the substep before: who was apart in between begins anew.
static void load_impulses(const physics_impulse_cache *cache, physics_constraints *contacts) {
    lanes rows[PHYSICS_LANES];
    physics_rows_take(cache->items, contacts->impulses, rows);
    lanes_mask is_fresh = lanes_equal(rows[7], lanes_all(cache->substep_before));
    for (uint32_t p = 0; p < 2; p++) {
        lanes_mask has_point = contacts->manifold.has_point[p];
        contacts->normals.impulse_ns[p] = lanes_keep(is_fresh & has_point, rows[p]);
        contacts->tangents.impulse_ns[p] =
            lanes_keep(is_fresh & contacts->manifold.has_point[0], rows[2 + p]);
    }
}

// A steady load need not be written down anew in each substep.
static const real CLEARLY_HARDER = R(1.1);

static void keep_moment(const physics_impulse_cache *cache, const physics_hulls *hulls,
                        const physics_constraints *contacts, uint32_t lane) {
    const physics_manifold *manifold = &contacts->manifold;
    uint32_t a = contacts->pairs.a[lane], b = contacts->pairs.b[lane];
    physics_moment *moment = &cache->moments[contacts->impulses[lane]];
    physics_pressing on_a = physics_pressing_on(manifold, lane, 0);
    for (uint32_t i = 0; i < 3; i++) {
        real middle = i < 2 ? hulls->skins[a].middle_m[i] : R(0.0);
        moment->point_m[i] = (real)(hulls->places[a].at_m[i] + (double)(on_a.anchor_m[i] - middle));
        moment->normal[i] = manifold->normal[i][lane];
    }
    moment->zone = (uint8_t)physics_zone_of(hulls, a, &on_a);
    if (b < hulls->count) {
        physics_pressing on_b = physics_pressing_on(manifold, lane, 1);
        moment->other_zone = (uint8_t)physics_zone_of(hulls, b, &on_b);
    }
}

// What a pair begins with next time: the mean of what it began with and what it came to, or points
// that could bear a load in more than one way would take turns for ever. Of a blow only a part: it
// is over, and what begins with all of it wins energy that one iteration does not take back.
static const real LOAD_MPS_MAX = R(12.0);

LANES_INLINE void keep_load(const physics_impulse_cache *cache, const physics_constraints *contacts,
                            lanes_mask is_bearing, lanes rows[PHYSICS_LANES]) {
    const physics_constraint_rows *normals = &contacts->normals, *tangents = &contacts->tangents;
    lanes_mask is_fresh = lanes_equal(rows[7], lanes_all(cache->substep_before));
    lanes speed_mps = lanes_max(normals->inverse_mass[0] * normals->impulse_ns[0],
                                normals->inverse_mass[1] * normals->impulse_ns[1]);
    lanes share = R(0.5) * LOAD_MPS_MAX / lanes_max(speed_mps, lanes_all(LOAD_MPS_MAX));
    for (uint32_t p = 0; p < 2; p++) {
        lanes normal_ns = lanes_keep(is_fresh, rows[p]) + normals->impulse_ns[p];
        lanes tangent_ns = lanes_keep(is_fresh, rows[2 + p]) + tangents->impulse_ns[p];
        rows[p] = lanes_keep(is_bearing, share * normal_ns);
        rows[2 + p] = lanes_keep(is_bearing, share * tangent_ns);
    }
}

static void store_impulses(const physics_impulse_cache *cache, const physics_hulls *hulls,
                           const physics_constraints *contacts) {
    const lanes *normal_ns = contacts->normals.impulse_ns;
    lanes rows[PHYSICS_LANES];
    physics_rows_take(cache->items, contacts->impulses, rows);
    lanes total_ns = normal_ns[0] + normal_ns[1];
    lanes_mask is_first = lanes_at_most(rows[4], lanes_zero());
    lanes_mask is_harder = lanes_more(total_ns, CLEARLY_HARDER * rows[5]);
    lanes closing =
        lanes_max(-contacts->relative_mps[0],
                  lanes_keep(contacts->manifold.has_point[1], -contacts->relative_mps[1]));
    lanes_mask is_bearing = lanes_more(total_ns, lanes_zero());
    keep_load(cache, contacts, is_bearing, rows);
    rows[4] += total_ns;
    rows[5] = lanes_select(is_harder, total_ns, rows[5]);
    lanes first = lanes_keep(is_bearing, lanes_max(closing, lanes_zero()));
    rows[6] = lanes_select(is_first, first, rows[6]);
    rows[7] = lanes_all(cache->substep);
    for (uint32_t which = lanes_which(is_harder); which != 0; which &= which - 1) {
        keep_moment(cache, hulls, contacts, (uint32_t)__builtin_ctz(which));
    }
    physics_rows_give(cache->items, contacts->impulses, rows);
}

// What does not move has the last word, and more than one: a car that meets two walls at a time is
// swung into the one by the other.
enum { WALL_ROUNDS = 4 };

void FOR_ISA(physics_solver_solve)(physics_solver *solver, real h_s) {
    const physics_hulls *hulls = &solver->hulls;
    physics_groups *groups = &solver->groups;
    for (uint32_t g = 0; g < groups->count; g++) {
        physics_constraints *contacts = &groups->items[g];
        if (g < solver->pair_groups) {
            FOR_ISA(physics_collide)(hulls, &contacts->pairs, &contacts->manifold);
        }
        load_impulses(&solver->cache, contacts);
        FOR_ISA(physics_constraints_prepare)(hulls, contacts);
        FOR_ISA(physics_constraints_warm_start)(hulls, contacts);
    }
    for (uint32_t g = 0; g < solver->pair_groups; g++) {
        FOR_ISA(physics_constraints_solve)(hulls, &groups->items[g], h_s);
    }
    for (uint32_t round = 0; round < WALL_ROUNDS; round++) {
        for (uint32_t g = solver->pair_groups; g < groups->count; g++) {
            FOR_ISA(physics_constraints_solve)(hulls, &groups->items[g], h_s);
        }
    }
}

void FOR_ISA(physics_solver_relax)(physics_solver *solver, real h_s) {
    const physics_hulls *hulls = &solver->hulls;
    physics_groups *groups = &solver->groups;
    for (uint32_t g = 0; g < groups->count; g++) {
        physics_constraints *contacts = &groups->items[g];
        FOR_ISA(physics_constraints_follow)(hulls, contacts, h_s);
        FOR_ISA(physics_constraints_prepare)(hulls, contacts);
        FOR_ISA(physics_constraints_relax)(hulls, contacts);
    }
    for (uint32_t round = 1; round < WALL_ROUNDS; round++) {
        for (uint32_t g = solver->pair_groups; g < groups->count; g++) {
            FOR_ISA(physics_constraints_relax)(hulls, &groups->items[g]);
        }
    }
    for (uint32_t g = 0; g < groups->count; g++) {
        FOR_ISA(physics_constraints_solve_friction)(hulls, &groups->items[g]);
        store_impulses(&solver->cache, hulls, &groups->items[g]);
    }
}
