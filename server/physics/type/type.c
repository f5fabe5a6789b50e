// A definition's numbers as the step reads them.
#include "physics/type/type.h"

#include "base/assert.h"

physics_torque_piece physics_torque_piece_at(const physics_torque_curve *curve, real radps) {
    const real FAR_RADPS = R(1e30);
    uint32_t last = curve->count - 1;
    if (!(radps >= curve->radps[0])) {
        return (physics_torque_piece){-FAR_RADPS, curve->radps[0], curve->nm[0], R(0.0)};
    }
    if (radps >= curve->radps[last]) {
        return (physics_torque_piece){curve->radps[last], FAR_RADPS, curve->nm[last], R(0.0)};
    }
    uint32_t i = curve->bin_first[(uint32_t)(radps * curve->bins_per_radps)];
    while (radps >= curve->radps[i + 1]) {
        i++;
    }
    return (physics_torque_piece){curve->radps[i], curve->radps[i + 1], curve->nm[i],
                                  curve->nm_per_radps[i]};
}

real physics_torque_at(const physics_torque_curve *curve, real radps) {
    physics_torque_piece piece = physics_torque_piece_at(curve, radps);
    return piece.nm + piece.nm_per_radps * (radps - piece.from_radps);
}

void physics_numbers_set_lane(physics_numbers_lanes *all, uint32_t lane,
                              const physics_numbers *numbers) {
    APEX_ASSERT(lane < PHYSICS_LANES);
    const real *from = (const real *)numbers;
    lanes *to = (lanes *)all;
    for (size_t i = 0; i < sizeof *numbers / sizeof(real); i++) {
        lanes_set(&to[i], lane, from[i]);
    }
}
