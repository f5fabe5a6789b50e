// Impulses become damage of the zone they hit. What damage does to a car is the engine's business.

#include "physics/collide_private.h"

// A change of speed below the first costs nothing; one of the second wrecks a zone.
static const real HARMLESS_MPS = R(1.5);
static const real WRECK_MPS = R(25.0);

static apex_damage_zone zone_of(const physics_body *body, const apex_contact_event *event) {
    real dx = (real)(event->point_m[0] - body->x_m), dy = (real)(event->point_m[1] - body->y_m);
    real x = (body->cos_yaw * dx + body->sin_yaw * dy - body->hull_x_m) / body->half_length_m;
    real y = (body->cos_yaw * dy - body->sin_yaw * dx - body->hull_y_m) / body->half_width_m;
    if (real_abs(x) >= real_abs(y)) {
        return x > R(0.0) ? APEX_ZONE_FRONT : APEX_ZONE_REAR;
    }
    return y > R(0.0) ? APEX_ZONE_LEFT : APEX_ZONE_RIGHT;
}

static void hurt(apex_world *world, uint32_t slot, const apex_contact_event *event) {
    const physics_body *body = &world->bodies[slot];
    real change_mps = (real)event->impulse_ns * body->inverse_mass;
    real share = (change_mps - HARMLESS_MPS) / (WRECK_MPS - HARMLESS_MPS);
    if (share > R(0.0)) {
        real *damage = &world->cars[slot].damage[zone_of(body, event)];
        *damage = real_min(*damage + share, R(1.0));
    }
}

void physics_damage_apply(apex_world *world, const apex_contact_event *event) {
    if (world->def.damage == APEX_DAMAGE_OFF) {
        return;
    }
    hurt(world, event->car.index1 - 1u, event);
    if (event->kind == APEX_CONTACT_CAR) {
        hurt(world, event->other.index1 - 1u, event);
    }
}
