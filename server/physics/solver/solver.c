// A substep of all contacts: what held before is recalled, everything is pushed and relaxed, and
// what holds now is remembered.

#include "physics/solver/solver.h"

#include "physics/lanes/rows.h"
#include "physics/solver/zones.h"

_Static_assert(sizeof(physics_memory) == sizeof(lanes), "a row must fill a vector");

// Only what held in the substep before: who was apart in between begins anew.
static void recall(const physics_memories *memories, physics_contacts *contacts) {
    lanes rows[PHYSICS_LANES];
    physics_rows_take(memories->items, contacts->memory, rows);
    lanes_mask is_fresh = lanes_equal(rows[7], lanes_all(memories->substep_before));
    for (uint32_t p = 0; p < 2; p++) {
        lanes_mask is_there = contacts->touch.is_there[p];
        contacts->normals.impulse_ns[p] = lanes_keep(is_fresh & is_there, rows[p]);
        contacts->tangents.impulse_ns[p] =
            lanes_keep(is_fresh & contacts->touch.is_there[0], rows[2 + p]);
    }
}

// What bears a steady load need not be written down anew in each substep.
static const real CLEARLY_HARDER = R(1.1);

static void keep_moment(const physics_memories *memories, const physics_hulls *hulls,
                        const physics_contacts *contacts, uint32_t lane) {
    const physics_touch *touch = &contacts->touch;
    uint32_t a = contacts->pairs.a[lane], b = contacts->pairs.b[lane];
    physics_moment *moment = &memories->moments[contacts->memory[lane]];
    physics_pressing on_a = physics_pressing_on(touch, lane, 0);
    for (uint32_t i = 0; i < 3; i++) {
        real middle = i < 2 ? hulls->skins[a].middle_m[i] : R(0.0);
        moment->point_m[i] = (real)(hulls->places[a].at_m[i] + (double)(on_a.arm_m[i] - middle));
        moment->normal[i] = touch->normal[i][lane];
    }
    moment->zone = (uint8_t)physics_zone_of(hulls, a, &on_a);
    if (b < hulls->count) {
        physics_pressing on_b = physics_pressing_on(touch, lane, 1);
        moment->other_zone = (uint8_t)physics_zone_of(hulls, b, &on_b);
    }
}

// What a pair begins with next time: the mean of what it began with and what it came to, or points
// that could bear a load in more than one way would take turns for ever. Of a blow only a part: it
// is over, and what begins with all of it wins energy that one iteration does not take back.
static const real LOAD_MPS_MAX = R(12.0);

LANES_INLINE void keep_load(const physics_memories *memories, const physics_contacts *contacts,
                            lanes_mask is_held, lanes rows[PHYSICS_LANES]) {
    const physics_hold *normals = &contacts->normals, *tangents = &contacts->tangents;
    lanes_mask is_fresh = lanes_equal(rows[7], lanes_all(memories->substep_before));
    lanes speed_mps = lanes_max(normals->mobility[0] * normals->impulse_ns[0],
                                normals->mobility[1] * normals->impulse_ns[1]);
    lanes share = R(0.5) * LOAD_MPS_MAX / lanes_max(speed_mps, lanes_all(LOAD_MPS_MAX));
    for (uint32_t p = 0; p < 2; p++) {
        lanes normal_ns = lanes_keep(is_fresh, rows[p]) + normals->impulse_ns[p];
        lanes tangent_ns = lanes_keep(is_fresh, rows[2 + p]) + tangents->impulse_ns[p];
        rows[p] = lanes_keep(is_held, share * normal_ns);
        rows[2 + p] = lanes_keep(is_held, share * tangent_ns);
    }
}

static void remember(const physics_memories *memories, const physics_hulls *hulls,
                     const physics_contacts *contacts) {
    const lanes *normal_ns = contacts->normals.impulse_ns;
    lanes rows[PHYSICS_LANES];
    physics_rows_take(memories->items, contacts->memory, rows);
    lanes total_ns = normal_ns[0] + normal_ns[1];
    lanes_mask is_first = lanes_at_most(rows[4], lanes_zero());
    lanes_mask is_harder = lanes_more(total_ns, CLEARLY_HARDER * rows[5]);
    lanes closing = lanes_max(-contacts->approach_mps[0],
                              lanes_keep(contacts->touch.is_there[1], -contacts->approach_mps[1]));
    lanes_mask is_held = lanes_more(total_ns, lanes_zero());
    keep_load(memories, contacts, is_held, rows);
    rows[4] += total_ns;
    rows[5] = lanes_select(is_harder, total_ns, rows[5]);
    lanes first = lanes_keep(is_held, lanes_max(closing, lanes_zero()));
    rows[6] = lanes_select(is_first, first, rows[6]);
    rows[7] = lanes_all(memories->substep);
    for (uint32_t which = lanes_which(is_harder); which != 0; which &= which - 1) {
        keep_moment(memories, hulls, contacts, (uint32_t)__builtin_ctz(which));
    }
    physics_rows_give(memories->items, contacts->memory, rows);
}

// What does not move has the last word, and more than one: a car that meets two walls at a time is
// swung into the one by the other.
enum { WALL_ROUNDS = 4 };

void FOR_ISA(physics_solver_push)(physics_solver *solver, real h_s) {
    const physics_hulls *hulls = &solver->hulls;
    physics_groups *groups = &solver->groups;
    for (uint32_t g = 0; g < groups->count; g++) {
        physics_contacts *contacts = &groups->items[g];
        if (g < solver->pair_groups) {
            FOR_ISA(physics_meet)(hulls, &contacts->pairs, &contacts->touch);
        }
        recall(&solver->memories, contacts);
        FOR_ISA(physics_contacts_prepare)(hulls, contacts);
        FOR_ISA(physics_contacts_warm)(hulls, contacts);
    }
    for (uint32_t g = 0; g < solver->pair_groups; g++) {
        FOR_ISA(physics_contacts_push)(hulls, &groups->items[g], h_s);
    }
    for (uint32_t round = 0; round < WALL_ROUNDS; round++) {
        for (uint32_t g = solver->pair_groups; g < groups->count; g++) {
            FOR_ISA(physics_contacts_push)(hulls, &groups->items[g], h_s);
        }
    }
}

void FOR_ISA(physics_solver_relax)(physics_solver *solver, real h_s) {
    const physics_hulls *hulls = &solver->hulls;
    physics_groups *groups = &solver->groups;
    for (uint32_t g = 0; g < groups->count; g++) {
        physics_contacts *contacts = &groups->items[g];
        FOR_ISA(physics_contacts_follow)(hulls, contacts, h_s);
        FOR_ISA(physics_contacts_prepare)(hulls, contacts);
        FOR_ISA(physics_contacts_relax)(hulls, contacts);
    }
    for (uint32_t round = 1; round < WALL_ROUNDS; round++) {
        for (uint32_t g = solver->pair_groups; g < groups->count; g++) {
            FOR_ISA(physics_contacts_relax)(hulls, &groups->items[g]);
        }
    }
    for (uint32_t g = 0; g < groups->count; g++) {
        FOR_ISA(physics_contacts_rub)(hulls, &groups->items[g]);
        remember(&solver->memories, hulls, &groups->items[g]);
    }
}
