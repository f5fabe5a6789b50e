// Memory for hulls: the rows that contacts read and write, one of each for every slot.

#include "physics/solver/hulls.h"

#include "base/assert.h"
#include "physics/lanes/rows.h"

#include <stdlib.h>

bool physics_hulls_allocate(physics_hulls *hulls, uint32_t count) {
    APEX_ASSERT(count >= 1);
    size_t rows = (size_t)(count + PHYSICS_LANES - 1) / PHYSICS_LANES * PHYSICS_LANES + 1;
    hulls->count = (uint32_t)rows - 1;
    hulls->motions = physics_rows(rows, sizeof *hulls->motions);
    hulls->biased = physics_rows(rows, sizeof *hulls->biased);
    hulls->inverse_inertias = physics_rows(rows, sizeof *hulls->inverse_inertias);
    hulls->boxes = physics_rows(rows, sizeof *hulls->boxes);
    hulls->surfaces = physics_rows(rows, sizeof *hulls->surfaces);
    hulls->shapes = physics_rows(rows, sizeof *hulls->shapes);
    hulls->positions = physics_rows(rows, sizeof *hulls->positions);
    if (hulls->motions == NULL || hulls->biased == NULL || hulls->inverse_inertias == NULL ||
        hulls->boxes == NULL || hulls->surfaces == NULL || hulls->shapes == NULL ||
        hulls->positions == NULL) {
        return false;
    }
    hulls->boxes[hulls->count].reach_m = R(-1e9);
    return true;
}

void physics_hulls_free(physics_hulls *hulls) {
    free(hulls->motions);
    free(hulls->biased);
    free(hulls->inverse_inertias);
    free(hulls->boxes);
    free(hulls->surfaces);
    free(hulls->shapes);
    free(hulls->positions);
}
