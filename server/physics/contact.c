// The contact solver: projected Gauss-Seidel over impulses ("sequential impulses", Catto 2006).
// Points that are only near take part with the speed that would close their gap in this substep,
// so that nothing gets past anything. Restitution comes after the sweeps, from the speeds before
// them (as Box2D v3 does), so that its result does not depend on how many points touch.

#include "physics/contact_private.h"

enum { SWEEPS = 8, RESTITUTION_SWEEPS = 4 };

static const real RESTITUTION_MPS_MIN = R(1.0);
static const real SLOP_M = R(0.005);
static const real PUSH_SHARE = R(0.2); // of the overlap, each substep
static const real PUSH_MPS_MAX = R(3.0);

physics_manifold *physics_manifold_add(physics_manifold_list *list) {
    if (list->count == list->capacity) {
        list->dropped++;
        return NULL;
    }
    physics_manifold *added = &list->items[list->count++];
    *added = (physics_manifold){0};
    return added;
}

uint64_t physics_manifold_key(const physics_manifold *manifold) {
    uint32_t other = manifold->kind == APEX_CONTACT_CAR ? manifold->b : manifold->other_index;
    return (uint64_t)manifold->a << 40 | (uint64_t)manifold->kind << 32 | other;
}

typedef struct pair_speed {
    real x, y;
} pair_speed;

// Velocity of b's point against a's.
static pair_speed relative_speed(const physics_body *a, const physics_body *b,
                                 const physics_contact_point *point) {
    return (pair_speed){
        (b->velocity_x_mps - b->yaw_radps * point->arm_b_y) -
            (a->velocity_x_mps - a->yaw_radps * point->arm_a_y),
        (b->velocity_y_mps + b->yaw_radps * point->arm_b_x) -
            (a->velocity_y_mps + a->yaw_radps * point->arm_a_x),
    };
}

static void apply(physics_body *a, physics_body *b, const physics_contact_point *point,
                  pair_speed impulse) {
    a->velocity_x_mps -= impulse.x * a->inverse_mass;
    a->velocity_y_mps -= impulse.y * a->inverse_mass;
    a->yaw_radps -= (point->arm_a_x * impulse.y - point->arm_a_y * impulse.x) * a->inverse_inertia;
    b->velocity_x_mps += impulse.x * b->inverse_mass;
    b->velocity_y_mps += impulse.y * b->inverse_mass;
    b->yaw_radps += (point->arm_b_x * impulse.y - point->arm_b_y * impulse.x) * b->inverse_inertia;
}

static real effective_mass(const physics_body *a, const physics_body *b,
                           const physics_contact_point *point, pair_speed direction) {
    real turn_a = point->arm_a_x * direction.y - point->arm_a_y * direction.x;
    real turn_b = point->arm_b_x * direction.y - point->arm_b_y * direction.x;
    real inverse = a->inverse_mass + b->inverse_mass + turn_a * turn_a * a->inverse_inertia +
                   turn_b * turn_b * b->inverse_inertia;
    return inverse > R(0.0) ? R(1.0) / inverse : R(0.0);
}

// What does not move is a body without inverse masses: no impulse changes it.
static physics_body *other_body(physics_body bodies[], const physics_manifold *manifold,
                                physics_body *fixed) {
    return manifold->b == PHYSICS_NOBODY ? fixed : &bodies[manifold->b];
}

static void prepare(physics_body bodies[], physics_manifold *manifold, physics_body *fixed) {
    const physics_body *a = &bodies[manifold->a];
    const physics_body *b = other_body(bodies, manifold, fixed);
    pair_speed normal = {manifold->normal_x, manifold->normal_y};
    pair_speed tangent = {-normal.y, normal.x};
    for (uint32_t p = 0; p < manifold->point_count; p++) {
        physics_contact_point *point = &manifold->points[p];
        point->normal_mass_kg = effective_mass(a, b, point, normal);
        point->tangent_mass_kg = effective_mass(a, b, point, tangent);
        pair_speed speed = relative_speed(a, b, point);
        point->approach_mps = speed.x * normal.x + speed.y * normal.y;
    }
}

static void solve_normal(physics_body *a, physics_body *b, physics_contact_point *point,
                         pair_speed normal, real floor_mps) {
    pair_speed speed = relative_speed(a, b, point);
    real closing = speed.x * normal.x + speed.y * normal.y;
    real wanted = point->normal_ns + (floor_mps - closing) * point->normal_mass_kg;
    real total = real_max(wanted, R(0.0));
    real change = total - point->normal_ns;
    point->normal_ns = total;
    apply(a, b, point, (pair_speed){normal.x * change, normal.y * change});
}

static void solve_friction(physics_body *a, physics_body *b, physics_contact_point *point,
                           pair_speed normal, real friction) {
    pair_speed speed = relative_speed(a, b, point);
    pair_speed tangent = {-normal.y, normal.x};
    real sliding = speed.x * tangent.x + speed.y * tangent.y;
    real limit = friction * point->normal_ns;
    real total = real_clamp(point->tangent_ns - sliding * point->tangent_mass_kg, -limit, limit);
    real change = total - point->tangent_ns;
    point->tangent_ns = total;
    apply(a, b, point, (pair_speed){tangent.x * change, tangent.y * change});
}

static void sweep(physics_body bodies[], physics_manifold *manifold, physics_body *fixed,
                  real per_h) {
    physics_body *a = &bodies[manifold->a];
    physics_body *b = other_body(bodies, manifold, fixed);
    pair_speed normal = {manifold->normal_x, manifold->normal_y};
    for (uint32_t p = 0; p < manifold->point_count; p++) {
        physics_contact_point *point = &manifold->points[p];
        solve_friction(a, b, point, normal, manifold->friction);
        // Sunk in: only stop; the way out is a push without speed.
        real floor_mps = -real_max(point->separation_m, R(0.0)) * per_h;
        solve_normal(a, b, point, normal, floor_mps);
    }
}

static void push(physics_body *a, physics_body *b, pair_speed normal, real way) {
    a->push_x_m -= normal.x * way * a->inverse_mass;
    a->push_y_m -= normal.y * way * a->inverse_mass;
    b->push_x_m += normal.x * way * b->inverse_mass;
    b->push_y_m += normal.y * way * b->inverse_mass;
}

static bool is_hard(const physics_contact_point *point) {
    return point->approach_mps < -RESTITUTION_MPS_MIN && point->normal_ns > R(0.0);
}

static void restore_speed(physics_body bodies[], physics_manifold *manifold, physics_body *fixed) {
    physics_body *a = &bodies[manifold->a];
    physics_body *b = other_body(bodies, manifold, fixed);
    pair_speed normal = {manifold->normal_x, manifold->normal_y};
    for (uint32_t p = 0; p < manifold->point_count; p++) {
        physics_contact_point *point = &manifold->points[p];
        if (is_hard(point)) {
            solve_normal(a, b, point, normal, -manifold->restitution * point->approach_mps);
        }
    }
}

// A hard hit takes its final speed at once, also when the gap would close only later in the
// substep. Until then both moved as before: a push makes up for it, or fast cars would stop short
// of what they hit.
static void close_gap(physics_body bodies[], const physics_manifold *manifold,
                      physics_body *fixed) {
    pair_speed normal = {manifold->normal_x, manifold->normal_y};
    for (uint32_t p = 0; p < manifold->point_count; p++) {
        const physics_contact_point *point = &manifold->points[p];
        if (is_hard(point)) {
            real until_hit_s = real_max(point->separation_m, R(0.0)) / -point->approach_mps;
            push(&bodies[manifold->a], other_body(bodies, manifold, fixed), normal,
                 -point->normal_ns * until_hit_s);
        }
    }
}

static void push_apart(physics_body bodies[], const physics_manifold *manifold, physics_body *fixed,
                       real h_s) {
    physics_body *a = &bodies[manifold->a];
    physics_body *b = other_body(bodies, manifold, fixed);
    real deepest = R(0.0);
    for (uint32_t p = 0; p < manifold->point_count; p++) {
        deepest = real_min(deepest, manifold->points[p].separation_m);
    }
    real inverse = a->inverse_mass + b->inverse_mass;
    if (deepest >= -SLOP_M || inverse <= R(0.0)) {
        return;
    }
    real way = real_min(PUSH_SHARE * (-deepest - SLOP_M), PUSH_MPS_MAX * h_s) / inverse;
    push(a, b, (pair_speed){manifold->normal_x, manifold->normal_y}, way);
}

void physics_contacts_solve(physics_body bodies[], physics_manifold_list *list, real h_s) {
    physics_body fixed = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        prepare(bodies, &list->items[i], &fixed);
    }
    for (uint32_t round = 0; round < SWEEPS; round++) {
        for (uint32_t i = 0; i < list->count; i++) {
            sweep(bodies, &list->items[i], &fixed, R(1.0) / h_s);
        }
    }
    for (uint32_t round = 0; round < RESTITUTION_SWEEPS; round++) {
        for (uint32_t i = 0; i < list->count; i++) {
            restore_speed(bodies, &list->items[i], &fixed);
        }
    }
    for (uint32_t i = 0; i < list->count; i++) {
        close_gap(bodies, &list->items[i], &fixed);
        push_apart(bodies, &list->items[i], &fixed, h_s);
    }
}
