/// The numbers of a definition by name, and between what they may lie.
#pragma once

#include <stddef.h>

typedef struct physics_def_range {
    const char *name;
    size_t offset;
    double low, high;
} physics_def_range;

typedef struct physics_def_ranges {
    const physics_def_range *items;
    size_t count;
} physics_def_ranges;

/// Of apex_car_def.
extern const physics_def_ranges PHYSICS_CAR_RANGES;
/// Of apex_axle_def.
extern const physics_def_ranges PHYSICS_AXLE_RANGES;
/// Likewise: only the magic formula reads these, only the other models read the stiffness.
extern const physics_def_ranges PHYSICS_MAGIC_RANGES, PHYSICS_STIFFNESS_RANGES;
