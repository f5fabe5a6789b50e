// A thousand boxes that are driven into one heap: graph, warm starts, and whether it comes to
// rest.

#include "base/assert.h"
#include "physics/lanes/rows.h"
#include "physics/solver/solver.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CARS = 1000, PAIRS = 24 * CARS, GROUPS = PAIRS / 2 };

static const real H = R(1.0) / R(240.0);
static const double MASS_KG = 1400.0, INERTIA_KGM2 = 2400.0;

typedef struct heap {
    physics_motion motions[CARS + 1], biased[CARS + 1];
    physics_inverse_inertia inverse_inertias[CARS + 1];
    physics_hull_position positions[CARS + 1];
    physics_box boxes[CARS + 1];
    physics_hull_surface surfaces[CARS + 1];
    double yaw_rad[CARS];
    physics_solver solver;
    uint64_t colours[CARS + 1];
    uint32_t candidates[PAIRS + 1], before[PAIRS + 1]; ///< of physics_pair, of a frame
    uint32_t candidate_count, before_count;
    physics_impulses cache[PAIRS + 1], memories_before[PAIRS + 1]; ///< [candidate]
    physics_impulse_peak peaks[PAIRS + 1];
    uint32_t pair_count; ///< of those near each other
    uint32_t cars;
} heap;

static void *vectors(size_t bytes) {
    void *made = aligned_alloc(64, (bytes + 63) / 64 * 64);
    ck_assert_ptr_nonnull(made);
    memset(made, 0, bytes);
    return made;
}

// A tenth of the cars where a sanitizer looks on: their heap is made of the same contacts.
static heap *create_heap(void) {
    heap *made = vectors(sizeof *made);
    const uint32_t cars = made->cars = CARS / 10 * (uint32_t)check_cases(10);
    const uint32_t side = (uint32_t)ceil(sqrt(cars));
    uint64_t seed = 3;
    made->solver.hulls = (physics_hulls){.motions = made->motions,
                                         .biased = made->biased,
                                         .inverse_inertias = made->inverse_inertias,
                                         .boxes = made->boxes,
                                         .surfaces = made->surfaces,
                                         .positions = made->positions,
                                         .count = cars};
    made->boxes[cars].reach_m = R(-1e9); // nowhere
    made->solver.graph =
        (physics_constraint_graph){.hull_count = cars,
                                   .batches = vectors(GROUPS * sizeof(physics_constraints)),
                                   .capacity = GROUPS,
                                   .colours = made->colours,
                                   .padding_impulses = PAIRS};
    made->solver.cache = (physics_impulse_cache){.items = made->cache, .peaks = made->peaks};
    for (uint32_t i = 0; i < cars; i++) {
        uint32_t column = i % side, row = i / side;
        made->positions[i].centre_m[0] = (column - 0.5 * side) * 8.0;
        made->positions[i].centre_m[1] = (row - 0.5 * side) * 8.0;
        made->yaw_rad[i] = scene_random_between(&seed, -3.0, 3.0);
        made->boxes[i] = (physics_box){
            .half_m = {R(2.1), R(0.8)}, .low_m = R(-0.4), .high_m = R(0.8), .rounding_m = R(0.1)};
        made->surfaces[i] = (physics_hull_surface){.friction = R(0.4), .restitution = R(0.25)};
        made->motions[i].inverse_mass = (real)(1.0 / MASS_KG);
        for (uint32_t k = 0; k < 3; k++) {
            made->inverse_inertias[i].tensor[k] = (real)(1.0 / INERTIA_KGM2);
        }
        double far = hypot(made->positions[i].centre_m[0], made->positions[i].centre_m[1]) + 1.0;
        made->motions[i].velocity_mps[0] = (real)(-20.0 * made->positions[i].centre_m[0] / far);
        made->motions[i].velocity_mps[1] = (real)(-20.0 * made->positions[i].centre_m[1] / far);
    }
    return made;
}

static void free_heap(heap *of) {
    free(of->solver.graph.batches);
    free(of);
}

static void refresh(heap *of) {
    for (uint32_t i = 0; i < of->cars; i++) {
        const real *v = of->motions[i].velocity_mps;
        of->boxes[i].cos_yaw = (real)cos(of->yaw_rad[i]);
        of->boxes[i].sin_yaw = (real)sin(of->yaw_rad[i]);
        of->boxes[i].reach_m = R(0.02) + H * (real_sqrt(v[0] * v[0] + v[1] * v[1]) +
                                              R(2.4) * real_abs(of->motions[i].angular_radps[2]));
    }
}

static bool are_within(const heap *of, uint32_t a, uint32_t b, double range_m) {
    const double *from = of->positions[a].centre_m, *to = of->positions[b].centre_m;
    double x = to[0] - from[0], y = to[1] - from[1];
    return x * x + y * y < range_m * range_m;
}

static const double NEAR_M = 5.0;

// Candidates keep what held them in the frame before. Both lists rise.
static void carry(heap *of) {
    uint32_t next = 0;
    memset(of->cache, 0, sizeof of->cache);
    for (uint32_t i = 0; i < of->candidate_count; i++) {
        while (next < of->before_count && of->before[next] < of->candidates[i]) {
            next++;
        }
        if (next < of->before_count && of->before[next] == of->candidates[i]) {
            of->cache[i] = of->memories_before[next];
        }
    }
}

// Finds the pairs that may come near within four substeps.
static void find_candidates(heap *of) {
    const double WAY_M = 2.0;
    memcpy(of->before, of->candidates, sizeof of->before);
    memcpy(of->memories_before, of->cache, sizeof of->memories_before);
    of->before_count = of->candidate_count;
    of->candidate_count = 0;
    for (uint32_t a = 0; a < of->cars; a++) {
        for (uint32_t b = a + 1; b < of->cars; b++) {
            if (are_within(of, a, b, NEAR_M + WAY_M)) {
                APEX_ASSERT(of->candidate_count < PAIRS);
                of->candidates[of->candidate_count++] = physics_pair(a, b);
            }
        }
    }
    carry(of);
}

static void find(heap *of) {
    physics_constraint_graph *graph = &of->solver.graph;
    refresh(of);
    of->pair_count = 0;
    physics_constraint_graph_clear(graph);
    for (uint32_t i = 0; i < of->candidate_count; i++) {
        uint32_t a = physics_pair_lower(of->candidates[i]);
        uint32_t b = physics_pair_higher(of->candidates[i]);
        physics_batch_lane at;
        double reach_m = (double)(of->boxes[a].reach_m + of->boxes[b].reach_m);
        if (are_within(of, a, b, NEAR_M + reach_m)) {
            APEX_ASSERT(physics_constraint_graph_add(graph, a, b, &at));
            graph->batches[at.batch].impulses[at.lane] = i;
            of->pair_count++;
        }
    }
    of->solver.pair_batches = graph->count;
}

// Cars that want to the middle, or brake with all wheels.
static void push(heap *of, double drive_mps2, double brake_mps2) {
    for (uint32_t i = 0; i < of->cars; i++) {
        physics_motion *motion = &of->motions[i];
        double far = hypot(of->positions[i].centre_m[0], of->positions[i].centre_m[1]) + 0.1;
        double v[2] = {(double)motion->velocity_mps[0], (double)motion->velocity_mps[1]};
        v[0] -= (double)H * drive_mps2 * of->positions[i].centre_m[0] / far;
        v[1] -= (double)H * drive_mps2 * of->positions[i].centre_m[1] / far;
        double speed = hypot(v[0], v[1]), left = fmax(speed - (double)H * brake_mps2, 0.0);
        double spin = (double)motion->angular_radps[2];
        double slower = fmax(fabs(spin) - (double)H * brake_mps2 * 0.8, 0.0);
        for (uint32_t k = 0; k < 2; k++) {
            motion->velocity_mps[k] = (real)(speed > 0.0 ? v[k] * left / speed : 0.0);
        }
        motion->angular_radps[2] = (real)copysign(slower, spin);
    }
}

static void move(heap *of) {
    for (uint32_t i = 0; i < of->cars; i++) {
        const physics_motion *motion = &of->motions[i];
        of->positions[i].centre_m[0] += (double)H * (double)motion->velocity_mps[0];
        of->positions[i].centre_m[1] += (double)H * (double)motion->velocity_mps[1];
        of->yaw_rad[i] += (double)(H * motion->angular_radps[2]);
    }
}

static void substep(heap *of, double drive_mps2, double brake_mps2) {
    physics_impulse_cache *cache = &of->solver.cache;
    cache->substep_before = cache->substep;
    cache->substep += R(1.0);
    push(of, drive_mps2, brake_mps2);
    find(of);
    physics_solver_solve_base(&of->solver, H);
    memcpy(of->biased, of->motions, sizeof of->biased);
    move(of);
    physics_solver_relax_base(&of->solver, H);
}

static void frame(heap *of, double drive_mps2, double brake_mps2) {
    find_candidates(of);
    for (uint32_t s = 0; s < 4; s++) {
        substep(of, drive_mps2, brake_mps2);
    }
}

static double deepest(heap *of) {
    double least = 0.0;
    find_candidates(of);
    find(of);
    for (uint32_t g = 0; g < of->solver.graph.count; g++) {
        physics_constraints *group = &of->solver.graph.batches[g];
        physics_collide_base(&of->solver.hulls, &group->pairs, &group->manifold);
        for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
            for (uint32_t p = 0; p < 2; p++) {
                if (group->manifold.has_point[p][lane]) {
                    least = fmin(least, (double)group->manifold.separation_m[p][lane]);
                }
            }
        }
    }
    return least;
}

static double fastest(const heap *of) {
    double most = 0.0;
    for (uint32_t i = 0; i < of->cars; i++) {
        const physics_motion *motion = &of->motions[i];
        double speed = hypot((double)motion->velocity_mps[0], (double)motion->velocity_mps[1]);
        most = fmax(most, speed + 2.0 * fabs((double)motion->angular_radps[2]));
    }
    return most;
}

TEST(a_jam_comes_to_rest) {
    heap *of = create_heap();
    double x_m[CARS], y_m[CARS];
    for (int i = 0; i < 360; i++) {
        frame(of, 3.0, 0.0);
    }
    ck_assert_double_gt(deepest(of), -0.1); // nothing brakes: cars still ram each other at 16 m/s
    ck_assert_uint_gt(of->pair_count, 3 * of->cars); // it is a heap
    for (int i = 0; i < 150; i++) {
        frame(of, 0.0, 6.0);
    }
    ck_assert_double_gt(deepest(of), -0.02);
    ck_assert_double_lt(fastest(of), 5e-3); // what is sunk in comes out ever more slowly
    for (uint32_t i = 0; i < of->cars; i++) {
        x_m[i] = of->positions[i].centre_m[0];
        y_m[i] = of->positions[i].centre_m[1];
    }
    for (int i = 0; i < 60; i++) {
        frame(of, 0.0, 6.0);
    }
    for (uint32_t i = 0; i < of->cars; i++) {
        ck_assert_double_lt(
            hypot(of->positions[i].centre_m[0] - x_m[i], of->positions[i].centre_m[1] - y_m[i]),
            3e-3);
    }
    free_heap(of);
}
