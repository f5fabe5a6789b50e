// Reading and writing one car, and poses in bulk.

#include "physics/world/world.h"

#include "base/assert.h"
#include "base/trig.h"

#include <math.h>
#include <string.h>

static uint32_t live_lanes(const apex_world *world, uint32_t index) {
    return lanes_which(world->drives[index].is_live);
}

size_t apex_world_poses(const apex_world *world, apex_car_pose *out, size_t capacity) {
    size_t count = 0;
    for (uint32_t index = 0; index < world->block_count && count < capacity; index++) {
        apex_car_pose poses[PHYSICS_LANES];
        uint32_t live = live_lanes(world, index);
        world->level->poses(world, index, live, poses);
        for (uint32_t lane = 0; lane < PHYSICS_LANES && count < capacity; lane++) {
            if (live & 1u << lane) {
                out[count++] = poses[lane];
            }
        }
    }
    return count;
}

void apex_world_poses_by_slot(const apex_world *world, apex_car_pose out[]) {
    for (uint32_t index = 0; index < world->block_count; index++) {
        uint32_t live = live_lanes(world, index);
        if (live != 0) {
            world->level->poses(world, index, live, &out[(size_t)index * PHYSICS_LANES]);
        }
    }
}

bool apex_world_pose(const apex_world *world, apex_car_id car, apex_car_pose *out) {
    uint32_t slot;
    if (!physics_world_find(world, car, &slot)) {
        return false;
    }
    apex_car_pose poses[PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    world->level->poses(world, slot / PHYSICS_LANES, 1u << lane, poses);
    *out = poses[lane];
    return true;
}

bool apex_world_get_car(const apex_world *world, apex_car_id id, apex_car_state *out) {
    uint32_t slot;
    if (!physics_world_find(world, id, &slot)) {
        return false;
    }
    physics_car held, *car = &held;
    physics_block_get(world, slot, car);
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
        PHYSICS_WHEEL_REALS(X)
#undef X
    }
#define X(field) sum += (double)car->field;
    PHYSICS_CAR_REALS(X)
#undef X
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        sum += (double)car->damage[zone];
    }
    sum += (double)(car->acceleration_mps2[0] + car->acceleration_mps2[1]);
    return sum - sum == 0.0;
}

static bool is_damage_valid(const physics_car *car) {
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        if (car->damage[zone] < R(0.0) || car->damage[zone] > R(1.0)) {
            return false;
        }
    }
    return true;
}

bool physics_car_is_valid(const apex_world *world, const physics_car *car) {
    if (!is_finite(car) || car->type >= world->type_count) {
        return false;
    }
    int8_t highest = world->types[car->type].gear_count;
    const double *q = car->orientation;
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return car->gear >= APEX_GEAR_REVERSE && car->gear <= highest &&
           car->gear_before >= APEX_GEAR_REVERSE && car->gear_before <= highest &&
           fabs(norm - 1.0) < 1e-6 && is_damage_valid(car);
}

bool apex_world_set_car(apex_world *world, apex_car_id id, const apex_car_state *state) {
    uint32_t slot;
    if (!physics_world_find(world, id, &slot)) {
        return false;
    }
    physics_car car = to_car(state, world->blocks[slot / PHYSICS_LANES].type[slot % PHYSICS_LANES]);
    if (!physics_car_is_valid(world, &car)) {
        return false;
    }
    physics_block_put(world, slot, &car);
    return true;
}

bool apex_world_get_work(const apex_world *world, apex_car_id id, apex_car_work *out) {
    uint32_t slot;
    if (!physics_world_find(world, id, &slot)) {
        return false;
    }
    const physics_work *work = &world->works[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    const physics_type *type = &world->types[world->blocks[slot / PHYSICS_LANES].type[lane]];
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
            .surface = work->footholds[physics_wheel_slot(type, w)].surface[lane],
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
    out->slipstream = (double)world->blocks[slot / PHYSICS_LANES].slipstream[lane];
    return true;
}

void physics_work_clear(apex_world *world, uint32_t slot) {
    physics_work *work = &world->works[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    physics_wheel_work *wheel = work->wheels;
    for (uint32_t w = 0; w < PHYSICS_WHEEL_SLOTS; w++, wheel++) {
        lanes *const all[] = {&wheel->load_n,       &wheel->slip_ratio,  &wheel->slip_angle_rad,
                              &wheel->force_long_n, &wheel->force_lat_n, &wheel->friction,
                              &wheel->slip};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            lanes_set(all[i], lane, R(0.0));
        }
        work->footholds[w].surface[lane] = 0;
        work->footholds[w].column[lane] = PHYSICS_FORGOTTEN;
    }
    physics_aims_forget(world, slot);
    lanes_set(&work->torque.from_radps, lane, R(0.0));
    lanes_set(&work->torque.to_radps, lane, R(0.0));
    lanes *const all[] = {&work->acceleration_mps2[0],
                          &work->acceleration_mps2[1],
                          &work->acceleration_mps2[2],
                          &work->engine_nm,
                          &work->drive_nm,
                          &work->clutch_nm,
                          &work->drag_n,
                          &work->downforce_n,
                          &work->throttle,
                          &work->brake};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        lanes_set(all[i], lane, R(0.0));
    }
}
