/// What pairs remember from substep to substep.
#pragma once

#include <stdint.h>

#include "physics/lanes/real.h"

/// What a pair did in the substep before, and in this tick so far.
typedef struct physics_memory {
    real normal_ns[2], tangent_ns[2];
    real sum_ns, hardest_ns; ///< of the tick's substeps
    real closing_mps;        ///< at the tick's first touch
    real substep;            ///< the last that wrote it; 0: none
} physics_memory;

/// The substep that was hardest.
typedef struct physics_moment {
    real point_m[3], normal[3];
    uint8_t zone, other_zone;
} physics_moment;

typedef struct physics_memories {
    physics_memory *items;
    physics_moment *moments;
    real substep, substep_before;
} physics_memories;
