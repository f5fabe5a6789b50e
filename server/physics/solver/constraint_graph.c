// Pairs into groups that can be solved at once: greedy colouring in the order of pairs.

#include "physics/solver/constraint_graph.h"

#include <string.h>

void physics_groups_part(physics_groups *groups) {
    memset(groups->colours, 0, groups->hull_count * sizeof *groups->colours);
    memset(groups->room, 0, sizeof groups->room);
}

void physics_groups_clear(physics_groups *groups) {
    groups->count = 0;
    physics_groups_part(groups);
}

static bool open_group(physics_groups *groups) {
    if (groups->count == groups->capacity) {
        return false;
    }
    physics_constraints *group = &groups->items[groups->count++];
    memset(&group->pairs.is_other_half, 0, sizeof group->pairs.is_other_half);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        group->pairs.a[lane] = group->pairs.b[lane] = groups->hull_count;
        group->impulses[lane] = groups->nobodys_impulses;
    }
    return true;
}

static uint64_t taken_by(const physics_groups *groups, uint32_t hull) {
    return hull < groups->hull_count ? groups->colours[hull] : 0;
}

static void take(physics_groups *groups, uint32_t hull, uint64_t colour) {
    if (hull < groups->hull_count) {
        groups->colours[hull] |= colour;
    }
}

bool physics_groups_add(physics_groups *groups, uint32_t a, uint32_t b, physics_lane *out) {
    uint64_t free_colours = ~(taken_by(groups, a) | taken_by(groups, b));
    if (free_colours == 0) {
        if (!open_group(groups)) {
            return false;
        }
        *out = (physics_lane){groups->count - 1, 0};
    } else {
        uint32_t colour = (uint32_t)__builtin_ctzll(free_colours);
        if (groups->room[colour] == 0) {
            if (!open_group(groups)) {
                return false;
            }
            groups->open[colour] = groups->count - 1;
            groups->room[colour] = PHYSICS_LANES;
        }
        take(groups, a, 1ull << colour);
        take(groups, b, 1ull << colour);
        *out = (physics_lane){groups->open[colour], PHYSICS_LANES - groups->room[colour]--};
    }
    physics_pairs *pairs = &groups->items[out->group].pairs;
    pairs->a[out->lane] = a;
    pairs->b[out->lane] = b;
    return true;
}
