// builds: float double
// Tests of boxes that meet, eight pairs at a time, and of the soft solver's impulses on them.

#include "physics/lanes/rows.h"
#include "physics/solver/solver.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { CARS_MAX = 64, PAIRS_MAX = CARS_MAX * 16 };

static const real H = R(1.0) / R(240.0);

/// Cars without wheels on no ground: what contacts alone do.
typedef struct yard {
    physics_motion motions[CARS_MAX + 1];
    physics_inverse_inertia inverse_inertias[CARS_MAX + 1];
    physics_motion biased[CARS_MAX + 1];
    physics_hull_position positions[CARS_MAX + 1];
    physics_box boxes[CARS_MAX + 1];
    physics_hull_surface surfaces[CARS_MAX + 1];
    double yaw_rad[CARS_MAX];
    double mass_kg[CARS_MAX], inertia_kgm2[CARS_MAX];
    physics_hulls hulls;
    uint32_t contact_count;
    physics_constraints contacts[PAIRS_MAX]; ///< as far as they are counted
} yard;

static yard *create_yard(void) {
    yard *made = aligned_alloc(64, (sizeof *made + 63) / 64 * 64);
    ck_assert_ptr_nonnull(made);
    memset(made, 0, offsetof(yard, contacts));
    made->hulls = (physics_hulls){.motions = made->motions,
                                  .inverse_inertias = made->inverse_inertias,
                                  .biased = made->biased,
                                  .boxes = made->boxes,
                                  .positions = made->positions,
                                  .surfaces = made->surfaces};
    return made;
}

/// 4.4 by 1.8 by 1.2 m, 1,400 kg, middle of the box over the centre of mass.
static uint32_t add_car(yard *at, double x_m, double y_m, double yaw_rad) {
    uint32_t i = at->hulls.count++;
    at->boxes[i + 1].reach_m = R(-1e9); // nowhere
    ck_assert_uint_lt(i, CARS_MAX);
    at->positions[i].centre_m[0] = x_m;
    at->positions[i].centre_m[1] = y_m;
    at->yaw_rad[i] = yaw_rad;
    at->mass_kg[i] = 1400.0;
    at->inertia_kgm2[i] = 2400.0;
    at->surfaces[i] = (physics_hull_surface){.friction = R(0.4), .half_thickness_m = R(0.6)};
    at->boxes[i] = (physics_box){.half_m = {R(2.1), R(0.8)},
                                 .low_m = R(-0.4),
                                 .high_m = R(0.8),
                                 .rounding_m = R(0.1),
                                 .reach_m = R(1.0)};
    at->motions[i] = (physics_motion){.inverse_mass = (real)(1.0 / at->mass_kg[i])};
    return i;
}

static void refresh(yard *at) {
    for (uint32_t i = 0; i < at->hulls.count; i++) {
        at->boxes[i].cos_yaw = (real)cos(at->yaw_rad[i]);
        at->boxes[i].sin_yaw = (real)sin(at->yaw_rad[i]);
        for (uint32_t k = 0; k < 3; k++) {
            at->inverse_inertias[i].tensor[k] = (real)(1.0 / at->inertia_kgm2[i]);
        }
    }
}

static physics_pairs pair_of(const yard *at, uint32_t a, uint32_t b) {
    physics_pairs pairs;
    memset(&pairs, 0, sizeof pairs);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        pairs.a[lane] = pairs.b[lane] = at->hulls.count;
    }
    pairs.a[3] = a;
    pairs.b[3] = b;
    return pairs;
}

typedef struct manifold {
    uint32_t count;
    double normal[3], anchor_m[2][3], separation_m[2];
} manifold;

static manifold meet(yard *at, uint32_t a, uint32_t b) {
    physics_manifold found;
    manifold result = {0};
    refresh(at);
    physics_pairs pairs = pair_of(at, a, b);
    physics_collide_base(&at->hulls, &pairs, &found);
    for (uint32_t k = 0; k < 3; k++) {
        result.normal[k] = (double)found.normal[k][3];
    }
    for (uint32_t p = 0; p < 2; p++) {
        result.count += found.has_point[p][3] ? 1 : 0;
        result.separation_m[p] = (double)found.separation_m[p][3];
        for (uint32_t k = 0; k < 3; k++) {
            result.anchor_m[p][k] = (double)found.anchor_m[p][k][3];
        }
    }
    return result;
}

static void outline(const yard *at, uint32_t i, double along, double out[2]) {
    double hx = (double)at->boxes[i].half_m[0], hy = (double)at->boxes[i].half_m[1];
    double t = along - floor(along), x, y;
    if (t < 0.25) {
        x = hx, y = hy * (8.0 * t - 1.0);
    } else if (t < 0.5) {
        x = hx * (1.0 - 8.0 * (t - 0.25)), y = hy;
    } else if (t < 0.75) {
        x = -hx, y = hy * (1.0 - 8.0 * (t - 0.5));
    } else {
        x = hx * (8.0 * (t - 0.75) - 1.0), y = -hy;
    }
    double c = (double)at->boxes[i].cos_yaw, s = (double)at->boxes[i].sin_yaw;
    out[0] = at->positions[i].centre_m[0] + c * x - s * y;
    out[1] = at->positions[i].centre_m[1] + s * x + c * y;
}

// Distance of a place to the box itself.
static double distance_to(const yard *at, uint32_t i, const double place[2]) {
    double dx = place[0] - at->positions[i].centre_m[0],
           dy = place[1] - at->positions[i].centre_m[1];
    double c = (double)at->boxes[i].cos_yaw, s = (double)at->boxes[i].sin_yaw;
    double x = fabs(c * dx + s * dy) - (double)at->boxes[i].half_m[0];
    double y = fabs(c * dy - s * dx) - (double)at->boxes[i].half_m[1];
    return hypot(fmax(x, 0.0), fmax(y, 0.0));
}

static double nearest(const yard *at, uint32_t a, uint32_t b) {
    double best = 1e9, place[2];
    // Of boxes that are apart a corner is nearest. Where two lie across each other, and no corner
    // is in the other, more of the outline tells it: they are much wider than the gaps between.
    for (int k = 0; k < 40; k++) {
        outline(at, a, k / 40.0, place);
        best = fmin(best, distance_to(at, b, place));
        outline(at, b, k / 40.0, place);
        best = fmin(best, distance_to(at, a, place));
    }
    return best;
}

TEST(gaps_are_the_distances_of_rounded_boxes) {
    uint64_t seed = 11;
    uint32_t corners = 0, sides = 0;
    const int places = 50 * check_cases(60);
    yard *at = create_yard();
    for (int i = 0; i < places; i++) {
        at->hulls.count = 0;
        uint32_t a = add_car(at, 0.0, 0.0, scene_random_between(&seed, -4.0, 4.0));
        double turn = scene_random_between(&seed, -3.2, 3.2);
        double away = scene_random_between(&seed, 1.8, 6.0);
        uint32_t b =
            add_car(at, away * cos(turn), away * sin(turn), scene_random_between(&seed, -4.0, 4.0));
        manifold found = meet(at, a, b);
        double distance = nearest(at, a, b);
        if (distance < 1e-9) {
            continue; // the boxes themselves overlap: another test's business
        }
        if (distance - 0.2 > 2.0) {
            ck_assert_uint_eq(found.count, 0);
            continue;
        }
        if (distance - 0.2 > 1.99) {
            continue;
        }
        ck_assert_uint_ge(found.count, 1);
        double least = found.count == 2 ? fmin(found.separation_m[0], found.separation_m[1])
                                        : found.separation_m[0];
        // A steady choice of axis costs some millimetres at most.
        ck_assert_double_eq_tol(least, distance - 0.2, 0.006);
        ck_assert_double_eq_tol(hypot(found.normal[0], found.normal[1]), 1.0, 1e-6);
        corners += found.count == 1;
        sides += found.count == 2;
    }
    free(at);
    ck_assert(places < 3000 || (corners > 200 && sides > 200));
}

TEST(moved_out_along_the_normal_boxes_just_touch) {
    uint64_t seed = 5;
    const int places = 50 * check_cases(60);
    yard *at = create_yard();
    for (int i = 0; i < places; i++) {
        at->hulls.count = 0;
        uint32_t a = add_car(at, 0.0, 0.0, scene_random_between(&seed, -4.0, 4.0));
        uint32_t b =
            add_car(at, scene_random_between(&seed, -1.5, 1.5),
                    scene_random_between(&seed, -1.5, 1.5), scene_random_between(&seed, -4.0, 4.0));
        manifold found = meet(at, a, b);
        ck_assert_uint_ge(found.count, 1);
        ck_assert_double_eq(found.normal[2], 0.0);
        double least = found.count == 2 ? fmin(found.separation_m[0], found.separation_m[1])
                                        : found.separation_m[0];
        if (least < 0.0) {
            at->positions[b].centre_m[0] -= least * found.normal[0];
            at->positions[b].centre_m[1] -= least * found.normal[1];
            double distance = nearest(at, a, b);
            ck_assert_double_eq_tol(distance, 0.2, 0.006);
        }
    }
    free(at);
}

TEST(a_car_on_another_is_pushed_up) {
    yard *at = create_yard();
    uint32_t a = add_car(at, 0.0, 0.0, 0.3), b = add_car(at, 0.5, 0.2, 1.2);
    at->positions[b].centre_m[2] = 1.15; // 5 cm into the roof
    manifold found = meet(at, a, b);
    ck_assert_uint_eq(found.count, 2);
    ck_assert_double_eq(found.normal[2], 1.0);
    ck_assert_double_eq_tol(found.separation_m[0], -0.05, 1e-6);
    ck_assert_double_eq_tol(found.anchor_m[0][2], 0.775, 1e-6);
    found = meet(at, b, a);
    ck_assert_double_eq(found.normal[2], -1.0);
    at->positions[b].centre_m[2] = 0.3; // side by side with overlap: not lifted
    found = meet(at, a, b);
    ck_assert_double_eq(found.normal[2], 0.0);
    ck_assert_double_eq_tol(found.anchor_m[0][2], 0.15, 1e-6); // halfway between the centres
    free(at);
}

static void find_contacts(yard *at) {
    const double FAR_M = 7.5; // both diagonals, and what they reach
    refresh(at);
    at->contact_count = 0;
    for (uint32_t a = 0; a < at->hulls.count; a++) {
        for (uint32_t b = a + 1; b < at->hulls.count; b++) {
            const double *from = at->positions[a].centre_m, *to = at->positions[b].centre_m;
            if (hypot(to[0] - from[0], to[1] - from[1]) > FAR_M) {
                continue;
            }
            physics_constraints *contacts = &at->contacts[at->contact_count];
            memset(contacts, 0, sizeof *contacts);
            contacts->pairs = pair_of(at, a, b);
            physics_collide_base(&at->hulls, &contacts->pairs, &contacts->manifold);
            if (contacts->manifold.has_point[0][3]) {
                at->contact_count++;
                ck_assert_uint_lt(at->contact_count, PAIRS_MAX);
            }
        }
    }
}

static void move(yard *at) {
    for (uint32_t i = 0; i < at->hulls.count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            double way = (double)H * (double)at->motions[i].velocity_mps[k];
            at->positions[i].centre_m[k] += way;
        }
        at->yaw_rad[i] += (double)(H * at->motions[i].angular_radps[2]);
    }
}

static void each(yard *at, void (*stage)(const physics_hulls *, physics_constraints *)) {
    for (uint32_t i = 0; i < at->contact_count; i++) {
        stage(&at->hulls, &at->contacts[i]);
    }
}

// As the world does it, but for memory: every substep is the first.
static void substep(yard *at) {
    physics_impulses impulses = {.substep = R(0.0)};
    physics_impulse_peak peak;
    find_contacts(at);
    physics_solver solver = {
        .hulls = at->hulls,
        .graph = {.batches = at->contacts, .count = at->contact_count},
        .pair_batches = at->contact_count,
        .cache = {&impulses, &peak, .substep = R(2.0), .substep_before = R(1.0)}};
    physics_solver_solve_base(&solver, H);
    memcpy(at->biased, at->motions, sizeof at->biased);
    move(at);
    physics_solver_relax_base(&solver, H);
}

static void frame(yard *at) {
    for (uint32_t i = 0; i < 4; i++) {
        substep(at);
    }
}

typedef struct totals {
    double momentum[3], spin, energy_j, size;
} totals;

static totals sum_up(const yard *at) {
    totals sum = {0};
    for (uint32_t i = 0; i < at->hulls.count; i++) {
        double m = at->mass_kg[i], v[3], w = (double)at->motions[i].angular_radps[2], square = 0.0;
        for (uint32_t k = 0; k < 3; k++) {
            v[k] = (double)at->motions[i].velocity_mps[k];
            sum.momentum[k] += m * v[k];
            square += v[k] * v[k];
        }
        sum.spin +=
            m * (at->positions[i].centre_m[0] * v[1] - at->positions[i].centre_m[1] * v[0]) +
            at->inertia_kgm2[i] * w;
        sum.energy_j += 0.5 * m * square + 0.5 * at->inertia_kgm2[i] * w * w;
        sum.size += m * sqrt(square);
    }
    return sum;
}

static double tolerance(double exact, double rounded) {
    return sizeof(real) == sizeof(double) ? exact : rounded;
}

TEST(one_point_gives_the_textbook_impulse) {
    yard *at = create_yard();
    // b's corner into the middle of a's flank, without friction: j = -(1 + e) v / (1/m + 1/m +
    // (r x n)^2 / I + ...).
    uint32_t a = add_car(at, 0.0, 0.0, 0.0), b = add_car(at, 0.7, 2.9, 0.6);
    at->surfaces[a].friction = R(0.0); // of either is of both
    at->surfaces[a].restitution = at->surfaces[b].restitution = R(0.5);
    at->boxes[a].reach_m = at->boxes[b].reach_m = R(0.3);
    at->motions[b].velocity_mps[1] = R(-6.0);
    at->motions[b].velocity_mps[0] = R(2.0);
    find_contacts(at);
    ck_assert_uint_eq(at->contact_count, 1);
    manifold found = meet(at, a, b);
    ck_assert_double_lt(found.separation_m[0], 1.0);
    // Just before it touches: the arms of the answer are then those of the blow.
    at->positions[b].centre_m[1] -= found.separation_m[0] - 1e-4;
    find_contacts(at);
    each(at, physics_constraints_prepare_base);
    found = meet(at, a, b);
    double arm_a = found.anchor_m[0][0];
    double arm_b = found.anchor_m[0][0] - 0.7;
    double closing = 6.0, e = 0.5 * 20.0 / (20.0 + closing);
    double j = (1.0 + e) * closing / (2.0 / 1400.0 + (arm_a * arm_a + arm_b * arm_b) / 2400.0);
    each(at, physics_constraints_warm_start_base);
    physics_constraints_solve_base(&at->hulls, &at->contacts[0], H);
    physics_constraints_relax_base(&at->hulls, &at->contacts[0]);
    ck_assert_double_eq_tol((double)at->motions[a].velocity_mps[1], -j / 1400.0,
                            tolerance(1e-9, 5e-5));
    ck_assert_double_eq_tol((double)at->motions[b].velocity_mps[1], -6.0 + j / 1400.0,
                            tolerance(1e-9, 5e-5));
    ck_assert_double_eq_tol((double)at->motions[b].velocity_mps[0], 2.0, 1e-9);
    ck_assert_double_eq_tol((double)at->motions[a].angular_radps[2], -arm_a * j / 2400.0,
                            tolerance(1e-9, 5e-5));
    ck_assert_double_eq_tol((double)at->motions[b].angular_radps[2], arm_b * j / 2400.0,
                            tolerance(1e-9, 5e-5));
    free(at);
}

TEST(flat_hits_do_not_turn_anybody) {
    yard *at = create_yard();
    uint32_t a = add_car(at, 0.0, 0.0, 0.0), b = add_car(at, 4.6, 0.0, 0.0);
    at->surfaces[a].restitution = at->surfaces[b].restitution = R(0.25);
    at->motions[a].velocity_mps[0] = R(20.0);
    for (int i = 0; i < 12; i++) {
        frame(at);
    }
    double e = 0.25 * 20.0 / 40.0;
    ck_assert_double_eq((double)at->motions[a].angular_radps[2], 0.0);
    ck_assert_double_eq((double)at->motions[b].angular_radps[2], 0.0);
    ck_assert_double_eq_tol((double)at->motions[a].velocity_mps[0], 10.0 * (1.0 - e), 1e-4);
    ck_assert_double_eq_tol((double)at->motions[b].velocity_mps[0], 10.0 * (1.0 + e), 1e-4);
    free(at);
}

static void scatter(yard *at, uint64_t *seed, double speed_mps) {
    for (uint32_t i = 0; i < 36; i++) {
        uint32_t column = i % 6, row = i / 6;
        uint32_t car = add_car(at, column * 5.5 - 14.0, row * 5.5 - 14.0,
                               scene_random_between(seed, -3.0, 3.0));
        double x = -at->positions[car].centre_m[0], y = -at->positions[car].centre_m[1],
               far = hypot(x, y) + 1.0;
        at->motions[car].velocity_mps[0] = (real)(speed_mps * x / far);
        at->motions[car].velocity_mps[1] = (real)(speed_mps * y / far);
        at->motions[car].angular_radps[2] = (real)scene_random_between(seed, -1.0, 1.0);
        at->boxes[car].reach_m = R(0.5);
    }
}

TEST(heaps_keep_their_momentum_and_lose_energy) {
    const uint64_t seeds = (uint64_t)check_cases(4);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        uint64_t random = seed;
        yard *at = create_yard();
        scatter(at, &random, 8.0);
        totals before = sum_up(at);
        for (int i = 0; i < 240; i++) {
            frame(at);
            totals now = sum_up(at);
            for (uint32_t k = 0; k < 3; k++) {
                ck_assert_double_eq_tol(now.momentum[k], before.momentum[k], 1e-6 * before.size);
            }
            ck_assert_double_eq_tol(now.spin, before.spin, 1e-6 * before.size * 20.0);
            ck_assert_double_le(now.energy_j, before.energy_j * 1.001 + 1.0);
            before = now;
        }
        ck_assert_double_lt(before.energy_j, 4e5); // of 1.5e6
        free(at);
    }
}
