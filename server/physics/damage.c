// Impulses of a substep become damage of the zone they hit, so that leaning on a wall costs nothing
// and no tick rate costs more than another. What damage does to a car stands in the stages: front
// and rear in aero.c, front in engine.c, left and right in steering.c and driveline.c. A kinematic
// car has no forces that it could weaken.

#include "physics/contact_private.h"

#include <math.h>

// A change of speed below the first costs nothing; one of the second wrecks a zone.
static const real HARMLESS_MPS = R(1.5);
static const real WRECK_MPS = R(25.0);

apex_damage_zone physics_zone_of(const physics_body *body, real arm_x, real arm_y) {
    real x = (body->cos_yaw * arm_x + body->sin_yaw * arm_y - body->hull_x_m) / body->half_length_m;
    real y = (body->cos_yaw * arm_y - body->sin_yaw * arm_x - body->hull_y_m) / body->half_width_m;
    if (real_abs(x) >= real_abs(y)) {
        return x > R(0.0) ? APEX_ZONE_FRONT : APEX_ZONE_REAR;
    }
    return y > R(0.0) ? APEX_ZONE_LEFT : APEX_ZONE_RIGHT;
}

void physics_aims_forget(apex_world *world, uint32_t slot) {
    physics_work *work = &world->works[slot / PHYSICS_LANES];
    for (uint32_t a = 0; a < APEX_AXLES_MAX; a++) {
        lanes_set(&work->aims[a].angle_rad, slot % PHYSICS_LANES, (real)NAN);
    }
}

static void hurt(apex_world *world, uint32_t slot, apex_damage_zone zone, real impulse_ns) {
    real change_mps = impulse_ns * world->bodies[slot].inverse_mass;
    real share = (change_mps - HARMLESS_MPS) / (WRECK_MPS - HARMLESS_MPS);
    if (share > R(0.0)) {
        lanes *damage = &world->blocks[slot / PHYSICS_LANES].damage[zone];
        uint32_t lane = slot % PHYSICS_LANES;
        lanes_set(damage, lane, real_min((*damage)[lane] + share, R(1.0)));
        physics_aims_forget(world, slot);
    }
}

void physics_damage_apply(apex_world *world, const physics_manifold *manifold) {
    if (world->def.damage == APEX_DAMAGE_OFF) {
        return;
    }
    real impulse = R(0.0), ax = R(0.0), ay = R(0.0), bx = R(0.0), by = R(0.0);
    real share = R(1.0) / (real)manifold->point_count;
    for (uint32_t p = 0; p < manifold->point_count; p++) {
        const physics_contact_point *point = &manifold->points[p];
        impulse += point->normal_ns;
        ax += share * point->arm_a_x;
        ay += share * point->arm_a_y;
        bx += share * point->arm_b_x;
        by += share * point->arm_b_y;
    }
    hurt(world, manifold->a, physics_zone_of(&world->bodies[manifold->a], ax, ay), impulse);
    if (manifold->b != PHYSICS_NOBODY) {
        hurt(world, manifold->b, physics_zone_of(&world->bodies[manifold->b], bx, by), impulse);
    }
}
