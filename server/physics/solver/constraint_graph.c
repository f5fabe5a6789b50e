// Greedy colouring of the constraint graph, in the order of pairs.

#include "physics/solver/constraint_graph.h"

#include "base/assert.h"

#include <string.h>

void physics_constraint_graph_seal(physics_constraint_graph *graph) {
    memset(graph->colours, 0, graph->hull_count * sizeof *graph->colours);
    memset(graph->free_lanes, 0, sizeof graph->free_lanes);
}

void physics_constraint_graph_clear(physics_constraint_graph *graph) {
    graph->count = 0;
    physics_constraint_graph_seal(graph);
}

static bool open_batch(physics_constraint_graph *graph) {
    if (graph->count == graph->capacity) {
        return false;
    }
    physics_constraints *batch = &graph->batches[graph->count++];
    memset(&batch->pairs.is_other_half, 0, sizeof batch->pairs.is_other_half);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        batch->pairs.a[lane] = batch->pairs.b[lane] = graph->hull_count;
        batch->impulses[lane] = graph->padding_impulses;
    }
    return true;
}

static uint64_t colours_of(const physics_constraint_graph *graph, uint32_t hull) {
    return hull < graph->hull_count ? graph->colours[hull] : 0;
}

static void add_colour(physics_constraint_graph *graph, uint32_t hull, uint64_t colour) {
    if (hull < graph->hull_count) {
        graph->colours[hull] |= colour;
    }
}

bool physics_constraint_graph_add(physics_constraint_graph *graph, uint32_t a, uint32_t b,
                                  physics_batch_lane *out) {
    APEX_ASSERT(a < graph->hull_count && b <= graph->hull_count && a != b);
    uint64_t free_colours = ~(colours_of(graph, a) | colours_of(graph, b));
    if (free_colours == 0) {
        if (!open_batch(graph)) {
            return false;
        }
        *out = (physics_batch_lane){graph->count - 1, 0};
    } else {
        uint32_t colour = (uint32_t)__builtin_ctzll(free_colours);
        if (graph->free_lanes[colour] == 0) {
            if (!open_batch(graph)) {
                return false;
            }
            graph->open_batches[colour] = graph->count - 1;
            graph->free_lanes[colour] = PHYSICS_LANES;
        }
        add_colour(graph, a, 1ull << colour);
        add_colour(graph, b, 1ull << colour);
        *out = (physics_batch_lane){graph->open_batches[colour],
                                    PHYSICS_LANES - graph->free_lanes[colour]--};
    }
    physics_pairs *pairs = &graph->batches[out->batch].pairs;
    pairs->a[out->lane] = a;
    pairs->b[out->lane] = b;
    return true;
}
