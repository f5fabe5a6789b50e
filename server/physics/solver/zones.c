// The damage zone of a hull that a contact hits.

#include "physics/solver/zones.h"

#include "base/assert.h"

apex_damage_zone physics_zone_of(const physics_hulls *hulls, uint32_t slot,
                                 const physics_hit *hit) {
    APEX_ASSERT(slot < hulls->count);
    if (hit->down > R(0.5)) {
        return APEX_ZONE_ROOF;
    }
    const physics_box *box = &hulls->boxes[slot];
    const real *centre_m = hulls->surfaces[slot].centre_m;
    real dx = hit->anchor_m[0] - centre_m[0], dy = hit->anchor_m[1] - centre_m[1];
    // Both over half their side: without dividing.
    real x = (box->cos_yaw * dx + box->sin_yaw * dy) * (box->half_m[1] + box->rounding_m);
    real y = (box->cos_yaw * dy - box->sin_yaw * dx) * (box->half_m[0] + box->rounding_m);
    if (real_abs(x) >= real_abs(y)) {
        return x > R(0.0) ? APEX_ZONE_FRONT : APEX_ZONE_REAR;
    }
    return y > R(0.0) ? APEX_ZONE_LEFT : APEX_ZONE_RIGHT;
}
