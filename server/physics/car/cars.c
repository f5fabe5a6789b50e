// All cars: their memory, one car in and out of its block, and what its block's substeps read about
// it.

#include "physics/car/cars.h"

#include "base/assert.h"
#include "physics/lanes/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool physics_cars_allocate(physics_cars *cars, uint32_t capacity, uint32_t type_capacity) {
    APEX_ASSERT(capacity >= 1 && capacity <= APEX_CARS_MAX && type_capacity >= 1);
    size_t blocks = (capacity + PHYSICS_LANES - 1) / PHYSICS_LANES;
    cars->capacity = capacity;
    cars->block_count = (uint32_t)blocks;
    cars->types = calloc(type_capacity, sizeof *cars->types);
    cars->type_numbers = physics_rows(type_capacity, sizeof *cars->type_numbers);
    cars->generations = calloc(capacity, sizeof *cars->generations);
    cars->blocks = physics_rows(blocks, sizeof *cars->blocks);
    cars->drives = physics_rows(blocks, sizeof *cars->drives);
    cars->works = physics_rows(blocks, sizeof *cars->works);
    cars->mixed_numbers = physics_rows(blocks, sizeof *cars->mixed_numbers);
    if (cars->types == NULL || cars->type_numbers == NULL || cars->generations == NULL ||
        cars->blocks == NULL || cars->drives == NULL || cars->works == NULL ||
        cars->mixed_numbers == NULL || !physics_events_allocate(&cars->events, capacity)) {
        return false;
    }
    apex_pool_init(&cars->pool, cars->generations, capacity);
    return true;
}

void physics_cars_free(physics_cars *cars) {
    free(cars->types);
    free(cars->type_numbers);
    free(cars->generations);
    free(cars->blocks);
    free(cars->drives);
    free(cars->works);
    free(cars->mixed_numbers);
    physics_events_free(&cars->events);
}

void physics_steer_caches_clear(physics_cars *cars, uint32_t slot) {
    APEX_ASSERT(slot < cars->block_count * PHYSICS_LANES);
    physics_work *work = &cars->works[slot / PHYSICS_LANES];
    for (uint32_t a = 0; a < APEX_AXLES_MAX; a++) {
        lanes_set(&work->steer_caches[a].angle_rad, slot % PHYSICS_LANES, (real)NAN);
    }
}

void physics_block_get(const physics_cars *cars, uint32_t slot, physics_car *out) {
    APEX_ASSERT(slot < cars->block_count * PHYSICS_LANES && out != NULL);
    const physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    const physics_type *type = &cars->types[block->type[lane]];
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < 4; i++) {
        out->orientation[i] = wide_get(&block->orientation[i], lane);
    }
    for (uint32_t i = 0; i < 3; i++) {
        out->position_m[i] = wide_get(&block->position_m[i], lane);
        out->velocity_mps[i] = block->velocity_mps[i][lane];
        out->angular_radps[i] = block->angular_radps[i][lane];
    }
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_wheel_lanes *wheel = &block->wheels[physics_wheel_slot(type, w)];
#define X(field) out->wheels[w].field = wheel->field[lane];
        PHYSICS_WHEEL_REALS(X)
#undef X
    }
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        out->damage[zone] = block->damage[zone][lane];
    }
    out->acceleration_mps2[0] = block->acceleration_mps2[0][lane];
    out->acceleration_mps2[1] = block->acceleration_mps2[1][lane];
    out->type = block->type[lane];
#define X(field) out->field = block->field[lane];
    PHYSICS_CAR_REALS(X)
    PHYSICS_CAR_BYTES(X)
#undef X
}

static void put_wheel(physics_wheel_lanes *to, uint32_t lane, const physics_wheel *from) {
#define X(field) lanes_set(&to->field, lane, from->field);
    PHYSICS_WHEEL_REALS(X)
#undef X
}

void physics_block_put(physics_cars *cars, uint32_t slot, const physics_car *car) {
    APEX_ASSERT(slot < cars->block_count * PHYSICS_LANES);
    physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    const physics_type *type = &cars->types[car->type];
    static const physics_wheel NONE = {0};
    for (uint32_t i = 0; i < 4; i++) {
        wide_set(&block->orientation[i], lane, car->orientation[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        wide_set(&block->position_m[i], lane, car->position_m[i]);
        lanes_set(&block->velocity_mps[i], lane, car->velocity_mps[i]);
        lanes_set(&block->angular_radps[i], lane, car->angular_radps[i]);
    }
    for (uint32_t w = 0; w < PHYSICS_WHEEL_SLOTS; w++) {
        put_wheel(&block->wheels[w], lane, &NONE);
    }
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        put_wheel(&block->wheels[physics_wheel_slot(type, w)], lane, &car->wheels[w]);
    }
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        lanes_set(&block->damage[zone], lane, car->damage[zone]);
    }
    lanes_set(&block->acceleration_mps2[0], lane, car->acceleration_mps2[0]);
    lanes_set(&block->acceleration_mps2[1], lane, car->acceleration_mps2[1]);
    block->type[lane] = car->type;
#define X(field) lanes_set(&block->field, lane, car->field);
    PHYSICS_CAR_REALS(X)
#undef X
#define X(field) block->field[lane] = car->field;
    PHYSICS_CAR_BYTES(X)
#undef X
    physics_steer_caches_clear(cars, slot);
    physics_drive_refresh(cars, slot / PHYSICS_LANES);
}

void physics_drive_set_gear(physics_cars *cars, uint32_t slot) {
    APEX_ASSERT(slot < cars->block_count * PHYSICS_LANES);
    const physics_block *block = &cars->blocks[slot / PHYSICS_LANES];
    physics_drive *drive = &cars->drives[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    int32_t gear = block->gear[lane];
    const physics_type *type = drive->types[lane];
    APEX_ASSERT(gear >= APEX_GEAR_REVERSE && gear <= type->gear_count);
    lanes_set(&drive->ratio, lane, type->ratio[gear + 1]);
    lanes_set(&drive->gear, lane, (real)gear);
}

static void set_mask(lanes_mask *mask, uint32_t lane, bool value) {
    (*mask)[lane] = value ? -1 : 0;
}

// Numbers of the types in the block; empty seats are filled with a kind that is there.
static void choose_numbers(physics_cars *cars, uint32_t index, uint16_t stand_in) {
    const physics_block *block = &cars->blocks[index];
    physics_drive *drive = &cars->drives[index];
    bool is_uniform = true;
    uint16_t kinds[PHYSICS_LANES];
    drive->axle_count = 0;
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        kinds[lane] = drive->is_live[lane] ? block->type[lane] : stand_in;
        is_uniform = is_uniform && kinds[lane] == stand_in;
        drive->types[lane] = &cars->types[kinds[lane]];
        if (drive->types[lane]->axle_count > drive->axle_count) {
            drive->axle_count = drive->types[lane]->axle_count;
        }
    }
    drive->numbers = &cars->type_numbers[stand_in];
    if (!is_uniform) {
        for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
            physics_numbers_set_lane(&cars->mixed_numbers[index], lane,
                                     &cars->types[kinds[lane]].numbers);
        }
        drive->numbers = &cars->mixed_numbers[index];
    }
}

static void plan_tyres(physics_drive *drive) {
    for (uint32_t a = 0; a < drive->axle_count; a++) {
        physics_tyre_plan *plan = &drive->tyres[a];
        *plan = (physics_tyre_plan){0};
        for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
            const physics_axle *axle = &drive->types[lane]->numbers.axles[a];
            const physics_tyre *tyre = &axle->tyre;
            bool is_linear = tyre->is_linear > R(0.5), is_brush = tyre->is_brush > R(0.5);
            plan->has_linear |= is_linear;
            plan->has_brush |= is_brush;
            plan->has_magic |= !is_linear && !is_brush;
            plan->has_two_curves |= tyre->is_isotropic < R(0.5);
            plan->has_slide_loss |= tyre->slide_loss > R(0.0);
            plan->has_curves |= axle->suspension.has_curves > R(0.5);
        }
    }
}

static void plan_shafts(physics_drive *drive) {
    physics_shaft_plan *plan = &drive->shafts;
    *plan = (physics_shaft_plan){0};
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        const physics_numbers *numbers = &drive->types[lane]->numbers;
        const physics_centre *centre = &numbers->centre;
        plan->has_centre |= centre->is_locked + centre->is_limited + centre->viscous_nms > R(0.0);
        plan->is_any_viscous |= centre->viscous_nms > R(0.0);
        for (uint32_t a = 0; a < drive->axle_count; a++) {
            const physics_axle *axle = &numbers->axles[a];
            real closes = axle->is_locked + axle->is_limited + axle->viscous_nms;
            plan->is_driven[a] |= axle->drive_share > R(0.0);
            plan->has_joint[a] |= closes * axle->present[1] > R(0.0);
            plan->is_any_viscous |= axle->viscous_nms > R(0.0);
        }
    }
}

void physics_drive_refresh(physics_cars *cars, uint32_t index) {
    APEX_ASSERT(index < cars->block_count);
    const physics_block *block = &cars->blocks[index];
    physics_drive *drive = &cars->drives[index];
    uint16_t stand_in = 0;
    drive->is_anyone_here = false;
    drive->is_anyone_kinematic = false;
    drive->is_anyone_riding = false;
    for (uint32_t lane = PHYSICS_LANES; lane-- > 0;) {
        uint32_t slot = index * PHYSICS_LANES + lane;
        bool is_live = slot < cars->capacity && apex_pool_is_index_live(&cars->pool, slot);
        const physics_type *type = &cars->types[block->type[lane]];
        bool is_kinematic = is_live && type->def.model == APEX_CAR_KINEMATIC;
        set_mask(&drive->is_live, lane, is_live);
        set_mask(&drive->is_held, lane, is_live && block->held[lane]);
        set_mask(&drive->is_dynamic, lane, is_live && !block->held[lane] && !is_kinematic);
        set_mask(&drive->is_blown, lane, block->engine_blown[lane]);
        set_mask(&drive->is_airborne, lane, block->airborne[lane]);
        drive->is_anyone_here |= is_live;
        drive->is_anyone_kinematic |= is_kinematic;
        drive->is_anyone_riding |= is_live && type->def.model == APEX_CAR_MOTORCYCLE;
        stand_in = is_live ? block->type[lane] : stand_in;
    }
    choose_numbers(cars, index, stand_in);
    plan_tyres(drive);
    plan_shafts(drive);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        physics_drive_set_gear(cars, index * PHYSICS_LANES + lane);
    }
}

void physics_work_clear(physics_cars *cars, uint32_t slot) {
    APEX_ASSERT(slot < cars->block_count * PHYSICS_LANES);
    physics_work *work = &cars->works[slot / PHYSICS_LANES];
    uint32_t lane = slot % PHYSICS_LANES;
    physics_wheel_work *wheel = work->wheels;
    for (uint32_t w = 0; w < PHYSICS_WHEEL_SLOTS; w++, wheel++) {
        lanes *const all[] = {&wheel->load_n,       &wheel->slip_ratio,  &wheel->slip_angle_rad,
                              &wheel->force_long_n, &wheel->force_lat_n, &wheel->friction,
                              &wheel->slip};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            lanes_set(all[i], lane, R(0.0));
        }
        work->ground_caches[w].surface[lane] = 0;
        work->ground_caches[w].column[lane] = PHYSICS_NO_CELL;
    }
    physics_steer_caches_clear(cars, slot);
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

static const real HOTTEST_C = (real)APEX_HOTTEST_C;

static bool are_wheels_valid(const physics_car *car) {
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
        const physics_wheel *wheel = &car->wheels[w];
        if (real_abs(wheel->temperature_c) > HOTTEST_C ||
            real_abs(wheel->brake_temperature_c) > HOTTEST_C || wheel->wear < R(0.0) ||
            wheel->wear > R(1.0)) {
            return false;
        }
    }
    return true;
}

bool physics_car_is_valid(const physics_cars *cars, const physics_car *car) {
    if (!is_finite(car) || car->type >= cars->type_count) {
        return false;
    }
    int8_t highest = cars->types[car->type].gear_count;
    const double *q = car->orientation;
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return car->gear >= APEX_GEAR_REVERSE && car->gear <= highest &&
           car->gear_before >= APEX_GEAR_REVERSE && car->gear_before <= highest &&
           fabs(norm - 1.0) < 1e-6 && is_damage_valid(car) && are_wheels_valid(car);
}
