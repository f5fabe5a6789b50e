// A scene of two hulls that meet, or of one that meets an immovable one, and their contact solved
// once. Not one of the libraries in tests/support: those are built for the product's float alone.

#pragma once

#include "physics/lanes/rows.h"
#include "physics/solver/solver.h"
#include "support/base/check_main.h"

#include <math.h>
#include <string.h>

// Any lane but the first: what is mixed up with it shows.
enum { PAIR_LANE = 3, PAIR_FIXED = 2 };

// The core's: at this closing speed, restitution is half of that at low speed.
static const double PAIR_SPRINGY_MPS = 20.0;

/// Slots 0 and 1 move; PAIR_FIXED does not, and is nowhere.
typedef struct pair_scene {
    physics_motion motions[PAIR_FIXED + 1], biased[PAIR_FIXED + 1];
    physics_inverse_inertia inverse_inertias[PAIR_FIXED + 1];
    physics_box boxes[PAIR_FIXED + 1];
    physics_hull_surface surfaces[PAIR_FIXED + 1];
    physics_shape shapes[PAIR_FIXED + 1];
    physics_hull_position positions[PAIR_FIXED + 1];
    physics_hulls hulls;
    physics_constraints contacts; ///< of slot 0 with slot `other`
    uint32_t other;
    double restitution; ///< of this very hit, whatever its speed
} pair_scene;

static inline void pair_set_pairs(const pair_scene *pair, physics_pairs *pairs) {
    memset(pairs, 0, sizeof *pairs);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        pairs->a[lane] = pairs->b[lane] = PAIR_FIXED;
    }
    pairs->a[PAIR_LANE] = 0;
    pairs->b[PAIR_LANE] = pair->other;
}

/// At rest, weightless, without a size, touching nowhere.
static inline void pair_open(pair_scene *pair) {
    memset(pair, 0, sizeof *pair);
    pair->hulls = (physics_hulls){.motions = pair->motions,
                                  .biased = pair->biased,
                                  .inverse_inertias = pair->inverse_inertias,
                                  .boxes = pair->boxes,
                                  .surfaces = pair->surfaces,
                                  .shapes = pair->shapes,
                                  .positions = pair->positions,
                                  .count = PAIR_FIXED};
    pair->boxes[PAIR_FIXED].reach_m = R(-1e9);
    pair->other = 1;
    pair_set_pairs(pair, &pair->contacts.pairs);
}

/// Slot 0 meets what does not move.
static inline void pair_fix_other(pair_scene *pair) {
    pair->other = PAIR_FIXED;
    pair_set_pairs(pair, &pair->contacts.pairs);
}

static inline void pair_set_mass(pair_scene *pair, uint32_t slot, double mass_kg,
                                 double inertia_kgm2) {
    pair->motions[slot].inverse_mass = (real)(1.0 / mass_kg);
    for (uint32_t k = 0; k < 3; k++) {
        pair->inverse_inertias[slot].tensor[k] = (real)(1.0 / inertia_kgm2);
    }
}

static inline void pair_set_motion(pair_scene *pair, uint32_t slot, const double motion[3]) {
    physics_motion *of = &pair->motions[slot];
    of->velocity_mps[0] = (real)motion[0];
    of->velocity_mps[1] = (real)motion[1];
    of->angular_radps[2] = (real)motion[2];
}

/// Velocity along x and y, and turning; nothing may move in the three other ways.
static inline void pair_motion_of(const pair_scene *pair, uint32_t slot, double out[3]) {
    const physics_motion *of = &pair->motions[slot];
    ck_assert(of->velocity_mps[2] == R(0.0));
    ck_assert(of->angular_radps[0] == R(0.0) && of->angular_radps[1] == R(0.0));
    out[0] = (double)of->velocity_mps[0];
    out[1] = (double)of->velocity_mps[1];
    out[2] = (double)of->angular_radps[2];
}

/// One point in the plan, as a worked example has it.
typedef struct pair_point {
    double offset_m[2];  ///< from a's centre of mass to b's
    double anchor_m[2];  ///< from a's centre of mass to the point
    double normal[2];    ///< from a towards b
    double separation_m; ///< below 0: sunk in
    double friction;     ///< of both together
    double restitution;  ///< the hit's own
} pair_point;

static inline void pair_touch(pair_scene *pair, const pair_point *at) {
    physics_manifold *manifold = &pair->contacts.manifold;
    memset(manifold, 0, sizeof *manifold);
    for (uint32_t i = 0; i < 2; i++) {
        lanes_set(&manifold->offset_m[i], PAIR_LANE, (real)at->offset_m[i]);
        lanes_set(&manifold->anchor_m[0][i], PAIR_LANE, (real)at->anchor_m[i]);
        lanes_set(&manifold->normal[i], PAIR_LANE, (real)at->normal[i]);
    }
    lanes_set(&manifold->separation_m[0], PAIR_LANE, (real)at->separation_m);
    lanes_set(&manifold->friction, PAIR_LANE, (real)at->friction);
    manifold->has_point[0][PAIR_LANE] = -1;
    pair->restitution = at->restitution;
}

static inline double pair_one(const lanes *of) {
    return (double)(*of)[PAIR_LANE];
}

/// @return the closing speed of the point, from the motions as they are now.
static inline double pair_closing_mps(const pair_scene *pair) {
    const physics_manifold *manifold = &pair->contacts.manifold;
    double away = 0.0;
    for (uint32_t side = 0; side < 2; side++) {
        const physics_motion *of = &pair->motions[side == 0 ? 0 : pair->other];
        double arm[2];
        for (uint32_t i = 0; i < 2; i++) {
            arm[i] = pair_one(&manifold->anchor_m[0][i]) - side * pair_one(&manifold->offset_m[i]);
        }
        double turn = (double)of->angular_radps[2];
        double x = (double)of->velocity_mps[0] - turn * arm[1];
        double y = (double)of->velocity_mps[1] + turn * arm[0];
        double along = x * pair_one(&manifold->normal[0]) + y * pair_one(&manifold->normal[1]);
        away += side == 0 ? -along : along;
    }
    return -away;
}

/// As a substep does it, but for the cars' way: they are hit where they stand.
static inline void pair_solve(pair_scene *pair, real h_s) {
    physics_constraints *contacts = &pair->contacts;
    double springy = (PAIR_SPRINGY_MPS + fmax(pair_closing_mps(pair), 0.0)) / PAIR_SPRINGY_MPS;
    lanes_set(&contacts->manifold.restitution, PAIR_LANE, (real)(pair->restitution * springy));
    physics_constraints_prepare_base(&pair->hulls, contacts);
    physics_constraints_warm_start_base(&pair->hulls, contacts);
    physics_constraints_solve_base(&pair->hulls, contacts, h_s);
    memcpy(pair->biased, pair->motions, sizeof pair->biased);
    physics_constraints_relax_base(&pair->hulls, contacts);
    physics_constraints_solve_friction_base(&pair->hulls, contacts);
}

/// Of the point's normal.
static inline double pair_normal_ns(const pair_scene *pair) {
    return pair_one(&pair->contacts.normals.impulse_ns[0]);
}

/// The contact of two boxes.
typedef struct pair_meeting {
    uint32_t count; ///< of points
    double normal[3];
    double anchor_m[2][3], separation_m[2];
} pair_meeting;

static inline pair_meeting pair_meet(const pair_scene *pair) {
    physics_pairs pairs;
    physics_manifold manifold;
    pair_meeting found = {0};
    pair_set_pairs(pair, &pairs);
    physics_collide_base(&pair->hulls, &pairs, &manifold);
    for (uint32_t k = 0; k < 3; k++) {
        found.normal[k] = pair_one(&manifold.normal[k]);
    }
    for (uint32_t p = 0; p < 2; p++) {
        found.count += manifold.has_point[p][PAIR_LANE] != 0 ? 1 : 0;
        found.separation_m[p] = pair_one(&manifold.separation_m[p]);
        for (uint32_t k = 0; k < 3; k++) {
            found.anchor_m[p][k] = pair_one(&manifold.anchor_m[p][k]);
        }
    }
    return found;
}
