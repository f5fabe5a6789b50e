/// The impulses of pairs, kept from substep to substep for the warm start and the events.
#pragma once

#include <stdint.h>

#include "physics/lanes/real.h"

/// Impulses of a pair in the substep before, and their sum and peak in this tick so far.
typedef struct physics_impulses {
    real normal_ns[2], tangent_ns[2];
    real sum_ns, peak_ns; ///< of the tick's substeps
    real closing_mps;     ///< in the tick's first substep with an impulse
    real substep;         ///< the last that wrote it; 0: none
} physics_impulses;

/// The point, normal and zones of a contact in the substep of its peak impulse.
typedef struct physics_impulse_peak {
    real point_m[3], normal[3];
    uint8_t zone, other_zone;
} physics_impulse_peak;

typedef struct physics_impulse_cache {
    physics_impulses *items;
    physics_impulse_peak *peaks;
    real substep, substep_before;
} physics_impulse_cache;
