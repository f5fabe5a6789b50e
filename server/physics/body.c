// A car as contacts see it: a box in the plane, and what they made of its velocity.

#include "physics/contact_private.h"
#include "physics/physics_private.h"

#include <math.h>

void physics_body_take(apex_world *world, uint32_t slot) {
    physics_car car;
    physics_block_get(world, slot, &car);
    const physics_type *type = &world->types[car.type];
    const physics_hull *hull = &type->hull;
    physics_body *body = &world->bodies[slot];
    double x[3], y[3], z[3];
    physics_quaternion_axes(car.orientation, x, y, z);
    double flat = sqrt(x[0] * x[0] + x[1] * x[1]);
    real mass = type->numbers.mass_kg + car.fuel_kg + car.ballast_kg;
    *body = (physics_body){
        .x_m = car.position_m[0],
        .y_m = car.position_m[1],
        .cos_yaw = flat > 1e-9 ? (real)(x[0] / flat) : R(1.0),
        .sin_yaw = flat > 1e-9 ? (real)(x[1] / flat) : R(0.0),
        .velocity_x_mps = car.velocity_mps[0],
        .velocity_y_mps = car.velocity_mps[1],
        .yaw_radps = car.angular_radps[2],
        .inverse_mass = car.held ? R(0.0) : R(1.0) / mass,
        .inverse_inertia = car.held ? R(0.0) : R(1.0) / type->numbers.inertia_kgm2[2],
        .hull_x_m = hull->x_m,
        .hull_y_m = hull->y_m,
        .half_length_m = hull->half_length_m,
        .half_width_m = hull->half_width_m,
        .radius_m = hull->radius_m,
        .bottom_m = (real)car.position_m[2] + hull->z_m - hull->half_height_m,
        .top_m = (real)car.position_m[2] + hull->z_m + hull->half_height_m,
        .restitution = hull->restitution,
        .friction = hull->friction,
        .is_live = true,
        .is_ghost = car.ghost,
    };
    physics_body_set_reach(body, world->h_s);
}

void physics_body_give(apex_world *world, uint32_t slot) {
    physics_block *block = &world->blocks[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    const physics_body *body = &world->bodies[slot];
    if (block->held[lane]) {
        return;
    }
    const physics_type *type = &world->types[block->type[lane]];
    if (type->def.model == APEX_CAR_KINEMATIC) {
        physics_car car;
        physics_block_get(world, slot, &car);
        physics_kinematic_hit(&car, type, body);
        for (uint32_t w = 0; w < type->wheel_count; w++) {
            uint32_t at = 2u * type->wheels[w].axle + type->wheels[w].side;
            lanes_set(&block->wheels[at].spin_radps, lane, car.wheels[w].spin_radps);
        }
    }
    lanes_set(&block->velocity_mps[0], lane, body->velocity_x_mps);
    lanes_set(&block->velocity_mps[1], lane, body->velocity_y_mps);
    lanes_set(&block->angular_radps[2], lane, body->yaw_radps);
    wide_set(&block->position_m[0], lane,
             wide_get(&block->position_m[0], lane) + (double)body->push_x_m);
    wide_set(&block->position_m[1], lane,
             wide_get(&block->position_m[1], lane) + (double)body->push_y_m);
}
