// The step compiled for each instruction set, and which of them to use. All give the same bits.

#include "physics/world/isa_table.h"

#include <stdlib.h>
#include <string.h>

#define DECLARE(suffix)                                                                            \
    void physics_block_forces##suffix(physics_cars *cars, const uint32_t blocks[], uint32_t count, \
                                      bool is_last);                                               \
    void physics_block_move##suffix(physics_cars *cars, const uint32_t blocks[], uint32_t count);  \
    real physics_wakes_felt##suffix(const physics_slipstream *slipstream,                          \
                                    const physics_wake_car *car);                                  \
    void physics_hulls_update##suffix(const physics_cars *cars, physics_hulls *hulls,              \
                                      const uint32_t blocks[], uint32_t count);                    \
    uint32_t physics_find_near##suffix(const physics_hulls *hulls, const uint32_t pairs[],         \
                                       uint32_t count, uint32_t near[]);                           \
    void physics_solver_solve##suffix(physics_solver *solver, real h_s);                           \
    void physics_solver_relax##suffix(physics_solver *solver, real h_s);                           \
    void physics_hulls_move##suffix(physics_cars *cars, const physics_hulls *hulls,                \
                                    const uint32_t blocks[], uint32_t count);                      \
    void physics_block_poses##suffix(const physics_cars *cars, uint32_t index, uint32_t which,     \
                                     apex_car_pose out[PHYSICS_LANES])

#define STAGES(suffix)                                                              \
    .forces = physics_block_forces##suffix, .move = physics_block_move##suffix,     \
    .wakes_felt = physics_wakes_felt##suffix, .show = physics_hulls_update##suffix, \
    .contact = {physics_find_near##suffix, physics_solver_solve##suffix,            \
                physics_solver_relax##suffix},                                      \
    .move_hulls = physics_hulls_move##suffix, .poses = physics_block_poses##suffix

DECLARE(_base);
static const physics_isa BASE = {.name = "base", STAGES(_base)};

#ifdef __x86_64__
DECLARE(_avx2);
static const physics_isa AVX2 = {.name = "avx2", STAGES(_avx2)};
#endif

const physics_isa *physics_isa_best(void) {
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
