/// The constraint graph: pairs are coloured so that batches of eight share no hull.
#pragma once

#include "physics/solver/constraint.h"

enum { PHYSICS_COLOURS = 64 };

/// Each pair takes the lowest colour that neither of its hulls has, and a colour's pairs fill
/// batches of eight in the order they came. Same order, same batches.
typedef struct physics_constraint_graph {
    physics_constraints *batches; ///< the owner's, aligned as vectors are
    uint32_t count, capacity;
    uint64_t *colours;                      ///< [hull] a bit for each colour that it has
    uint32_t open_batches[PHYSICS_COLOURS]; ///< a colour's last batch
    uint32_t free_lanes[PHYSICS_COLOURS];   ///< lanes left in it
    uint32_t hull_count;       ///< hulls from this one on do not move: any colour may share them
    uint32_t padding_impulses; ///< of lanes without a pair
} physics_constraint_graph;

typedef struct physics_batch_lane {
    uint32_t batch, lane;
} physics_batch_lane;

void physics_constraint_graph_clear(physics_constraint_graph *graph);
/// Pairs that are added from now on share no batch with those added before.
void physics_constraint_graph_seal(physics_constraint_graph *graph);
/// @return false when there is no room. A pair whose hulls have all colours gets a batch
/// alone.
bool physics_constraint_graph_add(physics_constraint_graph *graph, uint32_t a, uint32_t b,
                                  physics_batch_lane *out);
