// The constraint graph's validator: whether batches can be solved eight pairs at a time. It walks
// every lane of every batch, so only builds with validators call it (base/assert.h), after each
// substep that had contacts.

#include "physics/solver/constraint_graph_validator.h"

#include <stddef.h>

static bool is_padding(const physics_pairs *pairs, uint32_t lane, uint32_t hull_count) {
    return pairs->a[lane] == hull_count && pairs->b[lane] == hull_count;
}

// Pairs of cars come first, lower slot first; then pairs of a car and the hull that does not move.
static const char *check_pair(const physics_solver *solver, uint32_t batch, uint32_t lane) {
    const physics_constraint_graph *graph = &solver->graph;
    const physics_pairs *pairs = &graph->batches[batch].pairs;
    uint32_t a = pairs->a[lane], b = pairs->b[lane];
    if (a >= graph->hull_count || b > graph->hull_count) {
        return "a pair has a hull that there is not";
    }
    if (batch < solver->pair_batches) {
        return a < b && b < graph->hull_count ? NULL : "a pair of cars is none, or turned round";
    }
    return b == graph->hull_count ? NULL : "a pair of cars is among the walls";
}

// Eight lanes that are written at once must be eight different hulls.
static const char *check_shared(const physics_pairs *pairs, uint32_t lane, uint32_t hull_count) {
    for (uint32_t other = 0; other < lane; other++) {
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t hull = side == 0 ? pairs->a[lane] : pairs->b[lane];
            if (hull < hull_count && (pairs->a[other] == hull || pairs->b[other] == hull)) {
                return "a hull is in a batch twice";
            }
        }
    }
    return NULL;
}

static bool is_unit(const physics_manifold *manifold, uint32_t lane) {
    real square = R(0.0);
    for (uint32_t i = 0; i < 3; i++) {
        square += manifold->normal[i][lane] * manifold->normal[i][lane];
    }
    return real_abs(square - R(1.0)) < R(1e-4);
}

static const char *check_manifold(const physics_constraints *constraints, uint32_t lane) {
    const physics_manifold *manifold = &constraints->manifold;
    bool has_first = manifold->has_point[0][lane] != 0;
    if (manifold->has_point[1][lane] != 0 && !has_first) {
        return "a manifold has a second point without the first";
    }
    return !has_first || is_unit(manifold, lane) ? NULL
                                                 : "a manifold's normal is not a unit vector";
}

// Normal impulses push, and only at points that there are.
static const char *check_impulses(const physics_constraints *constraints, uint32_t lane) {
    for (uint32_t p = 0; p < 2; p++) {
        real normal_ns = constraints->normals.impulse_ns[p][lane];
        real tangent_ns = constraints->tangents.impulse_ns[p][lane];
        if (!real_is_finite(normal_ns) || !real_is_finite(tangent_ns)) {
            return "an impulse is not finite";
        }
        if (normal_ns < R(0.0)) {
            return "a contact pulls";
        }
        if (normal_ns > R(0.0) && constraints->manifold.has_point[p][lane] == 0) {
            return "an impulse acts where there is no point";
        }
    }
    return NULL;
}

static const char *check_lane(const physics_solver *solver, uint32_t batch, uint32_t lane) {
    const physics_constraint_graph *graph = &solver->graph;
    const physics_constraints *constraints = &graph->batches[batch];
    bool has_impulses = constraints->impulses[lane] < graph->padding_impulses;
    if (is_padding(&constraints->pairs, lane, graph->hull_count)) {
        return has_impulses ? "a lane without a pair has a pair's impulses" : NULL;
    }
    const char *wrong = has_impulses ? NULL : "a pair has nowhere to keep its impulses";
    wrong = wrong != NULL ? wrong : check_pair(solver, batch, lane);
    wrong = wrong != NULL ? wrong : check_shared(&constraints->pairs, lane, graph->hull_count);
    wrong = wrong != NULL ? wrong : check_manifold(constraints, lane);
    return wrong != NULL ? wrong : check_impulses(constraints, lane);
}

const char *physics_constraint_graph_validate(const physics_solver *solver) {
    const physics_constraint_graph *graph = &solver->graph;
    const char *wrong = NULL;
    if (graph->count > graph->capacity || solver->pair_batches > graph->count) {
        return "there are more batches than there can be";
    }
    for (uint32_t batch = 0; batch < graph->count; batch++) {
        for (uint32_t lane = 0; lane < PHYSICS_LANES && wrong == NULL; lane++) {
            wrong = check_lane(solver, batch, lane);
        }
    }
    return wrong;
}
