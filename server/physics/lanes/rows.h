/// Rows of eight numbers: what belongs to one of many, and eight of them turned into eight vectors.
#pragma once

#include <stddef.h>

#include "physics/lanes/lanes.h"

/// Zeroed, and aligned as vectors are. @return NULL when memory is refused.
void *physics_rows(size_t count, size_t size);
/// The same without reading or writing it: so that what is never used costs no memory.
void *physics_rows_uncleared(size_t count, size_t size);

/// Eight rows as vectors, and back. @param index of rows; NULL: the first eight
LANES_INLINE void physics_rows_gather(const void *rows, const uint32_t index[PHYSICS_LANES],
                                      lanes out[PHYSICS_LANES]) {
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        size_t at = index != NULL ? index[lane] : lane;
        out[lane] = lanes_load((const char *)rows + at * sizeof(lanes));
    }
    lanes_transpose(out);
}

LANES_INLINE void physics_rows_scatter(void *rows, const uint32_t index[PHYSICS_LANES],
                                       lanes in[PHYSICS_LANES]) {
    lanes_transpose(in);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        size_t at = index != NULL ? index[lane] : lane;
        lanes_store((char *)rows + at * sizeof(lanes), in[lane]);
    }
}
