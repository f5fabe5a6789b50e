/// The constraint graph's validator: whether batches can be solved eight pairs at a time.
#pragma once

#include "physics/solver/solver.h"

/// @return what is wrong, as a sentence; NULL: nothing
const char *physics_constraint_graph_validate(const physics_solver *solver);
