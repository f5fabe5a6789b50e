// Reading and writing one car, and poses in bulk.

#include "physics/physics_private.h"

#include "base/assert.h"
#include "base/trig.h"

#include <string.h>

static void fill_angles(apex_car_pose *pose) {
    double x[3], y[3], z[3];
    physics_quaternion_axes(pose->orientation, x, y, z);
    pose->yaw_rad = apex_atan2(x[1], x[0]);
    pose->pitch_rad = apex_asin(-x[2]);
    pose->roll_rad = apex_atan2(y[2], z[2]);
}

static double worst_damage(const physics_car *car) {
    real worst = R(0.0);
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        worst = real_max(worst, car->damage[zone]);
    }
    return (double)worst;
}

static void count_wheels(const apex_world *world, uint32_t slot, apex_car_pose *pose) {
    const physics_type *type = &world->types[world->cars[slot].type];
    const physics_work *work = &world->works[slot];
    pose->wheel_count = type->wheel_count;
    pose->wheels_on_road = 0;
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        bool is_road = world->ground->surfaces[work->wheels[w].surface].is_road;
        // Before a car's first step its wheels stand where it was placed.
        bool is_down = !world->cars[slot].airborne;
        pose->wheels_on_road = (uint8_t)(pose->wheels_on_road + (is_road && is_down ? 1 : 0));
    }
}

static void fill_pose(const apex_world *world, uint32_t slot, apex_car_pose *pose) {
    const physics_car *car = &world->cars[slot];
    apex_pool_ref ref = apex_pool_ref_at(&world->pool, slot);
    *pose = (apex_car_pose){
        .id = {(uint16_t)ref.index1, (uint16_t)ref.generation},
        .type = {(uint16_t)(car->type + 1)},
        .steer_rad = (double)car->steer_rad,
        .engine_radps = (double)car->engine_radps,
        .throttle = (double)world->works[slot].throttle,
        .brake = (double)world->works[slot].brake,
        .gear = car->gear,
        .airborne = car->airborne,
        .held = car->held,
        .ghost = car->ghost,
        .engine_blown = car->engine_blown,
        .damage = worst_damage(car),
    };
    for (uint32_t i = 0; i < 3; i++) {
        pose->position_m[i] = car->position_m[i];
        pose->velocity_mps[i] = (double)car->velocity_mps[i];
        pose->angular_radps[i] = (double)car->angular_radps[i];
    }
    memcpy(pose->orientation, car->orientation, sizeof pose->orientation);
    fill_angles(pose);
    count_wheels(world, slot, pose);
}

size_t apex_world_poses(const apex_world *world, apex_car_pose *out, size_t capacity) {
    size_t count = 0;
    for (uint32_t slot = 0; slot < world->def.car_capacity && count < capacity; slot++) {
        if (apex_pool_is_index_live(&world->pool, slot)) {
            fill_pose(world, slot, &out[count++]);
        }
    }
    return count;
}

bool apex_world_pose(const apex_world *world, apex_car_id car, apex_car_pose *out) {
    uint32_t slot;
    if (!physics_world_find(world, car, &slot)) {
        return false;
    }
    fill_pose(world, slot, out);
    return true;
}

// The fields of both layouts that are plain copies, in one place for both directions.
#define SCALARS(X)  \
    X(steer_rad)    \
    X(engine_radps) \
    X(boost)        \
    X(lean_rad)     \
    X(lean_radps)   \
    X(shift_left_s) \
    X(fuel_kg)      \
    X(ballast_kg)

#define FLAGS(X)       \
    X(gear)            \
    X(gear_before)     \
    X(shift_up_seen)   \
    X(shift_down_seen) \
    X(reset_seen)      \
    X(counters_known)  \
    X(airborne)        \
    X(held)            \
    X(ghost)           \
    X(engine_blown)

#define WHEEL_SCALARS(X)   \
    X(spin_radps)          \
    X(deflection_long_m)   \
    X(deflection_lat_m)    \
    X(travel_m)            \
    X(travel_mps)          \
    X(temperature_c)       \
    X(brake_temperature_c) \
    X(wear)

bool apex_world_get_car(const apex_world *world, apex_car_id id, apex_car_state *out) {
    uint32_t slot;
    if (!physics_world_find(world, id, &slot)) {
        return false;
    }
    const physics_car *car = &world->cars[slot];
    memset(out, 0, sizeof *out);
    memcpy(out->position_m, car->position_m, sizeof out->position_m);
    memcpy(out->orientation, car->orientation, sizeof out->orientation);
    for (uint32_t i = 0; i < 3; i++) {
        out->velocity_mps[i] = (double)car->velocity_mps[i];
        out->angular_radps[i] = (double)car->angular_radps[i];
    }
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
#define X(field) out->wheels[w].field = (double)car->wheels[w].field;
        WHEEL_SCALARS(X)
#undef X
    }
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        out->damage[zone] = (double)car->damage[zone];
    }
    out->acceleration_mps2[0] = (double)car->acceleration_mps2[0];
    out->acceleration_mps2[1] = (double)car->acceleration_mps2[1];
#define X(field) out->field = (double)car->field;
    SCALARS(X)
#undef X
#define X(field) out->field = car->field;
    FLAGS(X)
#undef X
    return true;
}

static physics_car to_car(const apex_car_state *state, uint16_t type) {
    physics_car car;
    memset(&car, 0, sizeof car);
    memcpy(car.position_m, state->position_m, sizeof car.position_m);
    memcpy(car.orientation, state->orientation, sizeof car.orientation);
    for (uint32_t i = 0; i < 3; i++) {
        car.velocity_mps[i] = (real)state->velocity_mps[i];
        car.angular_radps[i] = (real)state->angular_radps[i];
    }
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
#define X(field) car.wheels[w].field = (real)state->wheels[w].field;
        WHEEL_SCALARS(X)
#undef X
    }
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        car.damage[zone] = (real)state->damage[zone];
    }
    car.acceleration_mps2[0] = (real)state->acceleration_mps2[0];
    car.acceleration_mps2[1] = (real)state->acceleration_mps2[1];
#define X(field) car.field = (real)state->field;
    SCALARS(X)
#undef X
#define X(field) car.field = state->field;
    FLAGS(X)
#undef X
    car.type = type;
    return car;
}

static bool is_finite(const physics_car *car) {
    double sum = 0.0;
    for (uint32_t i = 0; i < 3; i++) {
        sum += car->position_m[i] + (double)car->velocity_mps[i] + (double)car->angular_radps[i];
    }
    for (uint32_t i = 0; i < 4; i++) {
        sum += car->orientation[i];
    }
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
#define X(field) sum += (double)car->wheels[w].field;
        WHEEL_SCALARS(X)
#undef X
    }
#define X(field) sum += (double)car->field;
    SCALARS(X)
#undef X
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        sum += (double)car->damage[zone];
    }
    sum += (double)(car->acceleration_mps2[0] + car->acceleration_mps2[1]);
    return sum - sum == 0.0;
}

bool physics_car_is_valid(const apex_world *world, const physics_car *car) {
    if (!is_finite(car) || car->type >= world->type_count) {
        return false;
    }
    int8_t highest = world->types[car->type].gearbox.gear_count;
    const double *q = car->orientation;
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return car->gear >= APEX_GEAR_REVERSE && car->gear <= highest &&
           car->gear_before >= APEX_GEAR_REVERSE && car->gear_before <= highest &&
           fabs(norm - 1.0) < 1e-6;
}

bool apex_world_set_car(apex_world *world, apex_car_id id, const apex_car_state *state) {
    uint32_t slot;
    if (!physics_world_find(world, id, &slot)) {
        return false;
    }
    physics_car car = to_car(state, world->cars[slot].type);
    if (!physics_car_is_valid(world, &car)) {
        return false;
    }
    world->cars[slot] = car;
    return true;
}

bool apex_world_get_work(const apex_world *world, apex_car_id id, apex_car_work *out) {
    uint32_t slot;
    if (!physics_world_find(world, id, &slot)) {
        return false;
    }
    const physics_work *work = &world->works[slot];
    memset(out, 0, sizeof *out);
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
        const physics_wheel_work *from = &work->wheels[w];
        out->wheels[w] = (apex_wheel_work){
            .load_n = (double)from->load_n,
            .slip_ratio = (double)from->slip_ratio,
            .slip_angle_rad = (double)from->slip_angle_rad,
            .force_long_n = (double)from->force_long_n,
            .force_lat_n = (double)from->force_lat_n,
            .friction = (double)from->friction,
            .surface = from->surface,
            .grounded = from->grounded,
            .sliding = from->sliding,
        };
    }
    for (uint32_t i = 0; i < 3; i++) {
        out->acceleration_mps2[i] = (double)work->acceleration_mps2[i];
    }
    out->engine_torque_nm = (double)work->engine_nm;
    out->drive_torque_nm = (double)work->drive_nm;
    out->clutch_torque_nm = (double)work->clutch_nm;
    out->drag_n = (double)work->drag_n;
    out->downforce_n = (double)work->downforce_n;
    return true;
}
