// Reading and writing one car, and poses in bulk.

#include "physics/world/world.h"

#include "base/assert.h"
#include "base/trig.h"

#include <string.h>

static uint32_t live_lanes(const apex_world *world, uint32_t index) {
    return lanes_which(world->cars.drives[index].is_live);
}

size_t apex_world_poses(const apex_world *world, apex_car_pose *out, size_t capacity) {
    APEX_ASSERT(out != NULL || capacity == 0);
    size_t count = 0;
    for (uint32_t index = 0; index < world->cars.block_count && count < capacity; index++) {
        apex_car_pose poses[PHYSICS_LANES];
        uint32_t live = live_lanes(world, index);
        world->isa->poses(&world->cars, index, live, poses);
        for (uint32_t lane = 0; lane < PHYSICS_LANES && count < capacity; lane++) {
            if (live & 1u << lane) {
                out[count++] = poses[lane];
            }
        }
    }
    return count;
}

void apex_world_poses_by_slot(const apex_world *world, apex_car_pose out[]) {
    APEX_ASSERT(out != NULL);
    for (uint32_t index = 0; index < world->cars.block_count; index++) {
        uint32_t live = live_lanes(world, index);
        if (live != 0) {
            world->isa->poses(&world->cars, index, live, &out[(size_t)index * PHYSICS_LANES]);
        }
    }
}

bool apex_world_pose(const apex_world *world, apex_car_id car, apex_car_pose *out) {
    APEX_ASSERT(out != NULL);
    uint32_t slot;
    if (!physics_world_find(world, car, &slot)) {
        return false;
    }
    apex_car_pose poses[PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    world->isa->poses(&world->cars, slot / PHYSICS_LANES, 1u << lane, poses);
    *out = poses[lane];
    return true;
}

bool apex_world_get_car(const apex_world *world, apex_car_id id, apex_car_state *out) {
    APEX_ASSERT(out != NULL);
    uint32_t slot;
    if (!physics_world_find(world, id, &slot)) {
        return false;
    }
    physics_car held, *car = &held;
    physics_block_get(&world->cars, slot, car);
    memset(out, 0, sizeof *out);
    memcpy(out->position_m, car->position_m, sizeof out->position_m);
    memcpy(out->orientation, car->orientation, sizeof out->orientation);
    for (uint32_t i = 0; i < 3; i++) {
        out->velocity_mps[i] = (double)car->velocity_mps[i];
        out->angular_radps[i] = (double)car->angular_radps[i];
    }
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
#define X(field) out->wheels[w].field = (double)car->wheels[w].field;
        PHYSICS_WHEEL_REALS(X)
#undef X
    }
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        out->damage[zone] = (double)car->damage[zone];
    }
    out->acceleration_mps2[0] = (double)car->acceleration_mps2[0];
    out->acceleration_mps2[1] = (double)car->acceleration_mps2[1];
#define X(field) out->field = (double)car->field;
    PHYSICS_CAR_REALS(X)
#undef X
#define X(field) out->field = car->field;
    PHYSICS_CAR_BYTES(X)
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
        PHYSICS_WHEEL_REALS(X)
#undef X
    }
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        car.damage[zone] = (real)state->damage[zone];
    }
    car.acceleration_mps2[0] = (real)state->acceleration_mps2[0];
    car.acceleration_mps2[1] = (real)state->acceleration_mps2[1];
#define X(field) car.field = (real)state->field;
    PHYSICS_CAR_REALS(X)
#undef X
#define X(field) car.field = state->field;
    PHYSICS_CAR_BYTES(X)
#undef X
    car.type = type;
    return car;
}

bool apex_world_set_car(apex_world *world, apex_car_id id, const apex_car_state *state) {
    APEX_ASSERT(state != NULL);
    uint32_t slot;
    if (!physics_world_find(world, id, &slot)) {
        return false;
    }
    physics_car car =
        to_car(state, world->cars.blocks[slot / PHYSICS_LANES].type[slot % PHYSICS_LANES]);
    if (!physics_car_is_valid(&world->cars, &car)) {
        return false;
    }
    physics_block_put(&world->cars, slot, &car);
    return true;
}

bool apex_world_get_work(const apex_world *world, apex_car_id id, apex_car_work *out) {
    APEX_ASSERT(out != NULL);
    uint32_t slot;
    if (!physics_world_find(world, id, &slot)) {
        return false;
    }
    const physics_work *work = &world->cars.works[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    const physics_type *type =
        &world->cars.types[world->cars.blocks[slot / PHYSICS_LANES].type[lane]];
    memset(out, 0, sizeof *out);
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_wheel_work *from = &work->wheels[physics_wheel_slot(type, w)];
        out->wheels[w] = (apex_wheel_work){
            .load_n = (double)from->load_n[lane],
            .slip_ratio = (double)from->slip_ratio[lane],
            .slip_angle_rad = apex_atan((double)from->slip_angle_rad[lane]),
            .force_long_n = (double)from->force_long_n[lane],
            .force_lat_n = (double)from->force_lat_n[lane],
            .friction = (double)from->friction[lane],
            .surface = work->ground_caches[physics_wheel_slot(type, w)].surface[lane],
            .grounded = from->load_n[lane] > R(0.0),
            .sliding = from->slip[lane] > R(1.0),
        };
    }
    for (uint32_t i = 0; i < 3; i++) {
        out->acceleration_mps2[i] = (double)work->acceleration_mps2[i][lane];
    }
    out->engine_torque_nm = (double)work->engine_nm[lane];
    out->drive_torque_nm = (double)work->drive_nm[lane];
    out->clutch_torque_nm = (double)work->clutch_nm[lane];
    out->drag_n = (double)work->drag_n[lane];
    out->downforce_n = (double)work->downforce_n[lane];
    out->slipstream = (double)world->cars.blocks[slot / PHYSICS_LANES].slipstream[lane];
    return true;
}
