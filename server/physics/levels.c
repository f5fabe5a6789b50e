// The step compiled for each instruction set, and which of them to use. All give the same bits.

#include "physics/physics_private.h"

#include <stdlib.h>
#include <string.h>

void physics_block_forces_base(apex_world *world, const uint32_t blocks[], uint32_t count,
                               bool is_last);
void physics_block_move_base(apex_world *world, const uint32_t blocks[], uint32_t count);

static const physics_level BASE = {"base", physics_block_forces_base, physics_block_move_base};

#ifdef __x86_64__
void physics_block_forces_avx2(apex_world *world, const uint32_t blocks[], uint32_t count,
                               bool is_last);
void physics_block_move_avx2(apex_world *world, const uint32_t blocks[], uint32_t count);

static const physics_level AVX2 = {"avx2", physics_block_forces_avx2, physics_block_move_avx2};
#endif

const physics_level *physics_level_best(void) {
    const char *wanted = getenv("APEX_LANES");
    if (wanted != NULL && strcmp(wanted, BASE.name) == 0) {
        return &BASE;
    }
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        return &AVX2;
    }
#endif
    return &BASE;
}
