// A world's life: definitions, memory, slots.

#include "physics/world/world.h"
#include "physics/type/type_build.h"

#include "base/assert.h"
#include "physics/car/stance.h"
#include "physics/ground/definition_check.h"

#include <stdlib.h>
#include <string.h>

apex_world_def apex_default_world_def(void) {
    return (apex_world_def){
        .car_capacity = 64,
        .type_capacity = 16,
        .tick_hz = 60,
        .substep_hz = 240,
        .gravity_mps2 = APEX_EARTH_MPS2,
        .air_density_kg_per_m3 = 1.2,
        .seed = 1,
        .damage = APEX_DAMAGE_OFF,
    };
}

bool apex_world_rates_ok(uint32_t tick_hz, uint32_t substep_hz) {
    return (substep_hz == 240 || substep_hz == 200) && tick_hz != 0 && substep_hz % tick_hz == 0;
}

uint32_t apex_world_substep_hz(uint32_t tick_hz) {
    return apex_world_rates_ok(tick_hz, 240) ? 240 : apex_world_rates_ok(tick_hz, 200) ? 200 : 0;
}

static bool is_world_def_valid(const apex_world_def *def) {
    return def->car_capacity >= 1 && def->car_capacity <= APEX_CARS_MAX &&
           def->type_capacity >= 1 && def->type_capacity <= 256 &&
           apex_is_within(def->tick_hz, APEX_RANGE(apex_world_def, tick_hz)) &&
           apex_world_rates_ok(def->tick_hz, def->substep_hz) &&
           apex_is_within(def->gravity_mps2, APEX_RANGE(apex_world_def, gravity_mps2)) &&
           apex_is_within(def->air_density_kg_per_m3,
                          APEX_RANGE(apex_world_def, air_density_kg_per_m3)) &&
           (uint32_t)def->damage <= APEX_DAMAGE_FULL;
}

static void free_world(apex_world *world) {
    physics_collider_destroy(world->collider);
    physics_slipstream_destroy(world->slipstream);
    physics_cars_free(&world->cars);
    free(world->involved_blocks);
    free(world->alone_blocks);
    free(world);
}

static bool allocate(apex_world *world, const apex_walls *walls) {
    uint32_t capacity = world->def.car_capacity;
    bool has_cars = physics_cars_allocate(&world->cars, capacity, world->def.type_capacity);
    size_t blocks = world->cars.block_count;
    world->involved_blocks = calloc(blocks, sizeof *world->involved_blocks);
    world->alone_blocks = calloc(blocks, sizeof *world->alone_blocks);
    world->collider = physics_collider_create(capacity, walls, &world->isa->contact);
    world->slipstream = physics_slipstream_create(capacity, world->isa->wakes_felt);
    return has_cars && world->involved_blocks != NULL && world->alone_blocks != NULL &&
           world->collider != NULL && world->slipstream != NULL;
}

static physics_conditions conditions_of(const apex_world_def *def) {
    return (physics_conditions){
        .h_s = (real)(1.0 / (double)def->substep_hz),
        .gravity_mps2 = (real)def->gravity_mps2,
        .air_kg_per_m3 = (real)def->air_density_kg_per_m3,
        .damage = def->damage,
        .fuel_burns = def->fuel_burns,
        .tyres_wear = def->tyres_wear,
        .temperatures = def->temperatures,
    };
}

apex_err apex_world_create(const apex_world_def *def, const apex_ground *ground,
                           const apex_walls *walls, apex_world **out) {
    APEX_ASSERT(def != NULL && ground != NULL && out != NULL);
    if (!is_world_def_valid(def) || !physics_ground_is_valid(ground) ||
        (walls != NULL && !physics_walls_are_valid(walls))) {
        return APEX_ERR_INVALID;
    }
    apex_world *world = calloc(1, sizeof *world);
    if (world == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    world->def = *def;
    world->substeps = def->substep_hz / def->tick_hz;
    world->cars.conditions = conditions_of(def);
    physics_ground_prepare(&world->cars.ground, ground);
    world->isa = physics_isa_best();
    if (!allocate(world, walls)) {
        free_world(world);
        return APEX_ERR_NO_MEMORY;
    }
    *out = world;
    return APEX_OK;
}

void apex_world_destroy(apex_world *world) {
    if (world != NULL) {
        free_world(world);
    }
}

apex_err apex_world_add_type(apex_world *world, const apex_car_def *def, apex_car_type *out) {
    APEX_ASSERT(def != NULL && out != NULL);
    if (!apex_car_def_check(def, NULL)) {
        return APEX_ERR_INVALID;
    }
    if (world->cars.type_count == world->def.type_capacity) {
        return APEX_ERR_FULL;
    }
    uint32_t index = world->cars.type_count++;
    physics_type_build(&world->cars.types[index], def, 1.0 / (double)world->def.substep_hz);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        physics_numbers_set_lane(&world->cars.type_numbers[index], lane,
                                 &world->cars.types[index].numbers);
    }
    out->index1 = (uint16_t)world->cars.type_count;
    return APEX_OK;
}

// Generations are told from each other by their low 16 bits: a handle is stale again after 32,768
// reuses of its slot.
bool physics_world_find(const apex_world *world, apex_car_id car, uint32_t *slot) {
    if (car.index1 == 0 || car.index1 > world->def.car_capacity) {
        return false;
    }
    apex_pool_ref ref = apex_pool_ref_at(&world->cars.pool, car.index1 - 1u);
    *slot = car.index1 - 1u;
    return ref.index1 != 0 && (uint16_t)ref.generation == car.generation;
}

bool apex_world_has_car(const apex_world *world, apex_car_id car) {
    uint32_t slot;
    return physics_world_find(world, car, &slot);
}

static void fit_new_tyres(physics_car *car, const physics_type *type) {
    for (uint32_t w = 0; w < type->wheel_count; w++) {
        const physics_tyre *tyre = &type->numbers.axles[type->wheels[w].axle].tyre;
        car->wheels[w].wear = R(0.0);
        car->wheels[w].temperature_c = tyre->temperature_best_c;
    }
}

static bool is_placement_finite(const apex_placement *at) {
    double sum = at->x_m + at->y_m + at->z_m + at->yaw_rad + at->speed_mps;
    return sum - sum == 0.0;
}

apex_err apex_world_add_car(apex_world *world, apex_car_type type, const apex_placement *at,
                            apex_car_id *out) {
    APEX_ASSERT(type.index1 >= 1 && type.index1 <= world->cars.type_count);
    APEX_ASSERT(is_placement_finite(at));
    apex_pool_ref ref = apex_pool_take(&world->cars.pool);
    if (ref.index1 == 0) {
        return APEX_ERR_FULL;
    }
    uint32_t slot = ref.index1 - 1;
    physics_car car;
    memset(&car, 0, sizeof car);
    physics_work_clear(&world->cars, slot);
    car.type = (uint16_t)(type.index1 - 1);
    const physics_type *kind = &world->cars.types[car.type];
    car.fuel_kg = (real)kind->def.fuel_kg_max;
    fit_new_tyres(&car, kind);
    for (uint32_t w = 0; w < kind->wheel_count; w++) {
        car.wheels[w].brake_temperature_c = R(25.0);
    }
    physics_car_place(&world->cars, &car, at);
    physics_block_put(&world->cars, slot, &car);
    *out = (apex_car_id){(uint16_t)ref.index1, (uint16_t)ref.generation};
    return APEX_OK;
}

void apex_world_remove_car(apex_world *world, apex_car_id car) {
    uint32_t slot;
    if (!physics_world_find(world, car, &slot)) {
        return;
    }
    apex_pool_give(&world->cars.pool, apex_pool_ref_at(&world->cars.pool, slot));
    physics_car nobody;
    memset(&nobody, 0, sizeof nobody);
    physics_block_put(&world->cars, slot, &nobody);
    physics_contacts_forget(physics_collider_contacts(world->collider), slot);
}

void apex_world_place_car(apex_world *world, apex_car_id car, const apex_placement *at) {
    uint32_t slot;
    APEX_ASSERT(is_placement_finite(at));
    if (physics_world_find(world, car, &slot)) {
        physics_car placed;
        physics_block_get(&world->cars, slot, &placed);
        physics_car_place(&world->cars, &placed, at);
        physics_block_put(&world->cars, slot, &placed);
    }
}

void apex_world_hold_car(apex_world *world, apex_car_id car, bool held) {
    uint32_t slot;
    if (physics_world_find(world, car, &slot)) {
        world->cars.blocks[slot / PHYSICS_LANES].held[slot % PHYSICS_LANES] = held;
        physics_drive_refresh(&world->cars, slot / PHYSICS_LANES);
    }
}

void apex_world_ghost_car(apex_world *world, apex_car_id car, bool ghost) {
    uint32_t slot;
    if (physics_world_find(world, car, &slot)) {
        world->cars.blocks[slot / PHYSICS_LANES].ghost[slot % PHYSICS_LANES] = ghost;
    }
}

void apex_world_service_car(apex_world *world, apex_car_id car, const apex_service *service) {
    APEX_ASSERT(service != NULL && isfinite(service->fuel_kg) && isfinite(service->ballast_kg));
    uint32_t slot;
    if (!physics_world_find(world, car, &slot)) {
        return;
    }
    physics_car served;
    physics_block_get(&world->cars, slot, &served);
    const physics_type *type = &world->cars.types[served.type];
    if (service->fuel_kg >= 0.0) {
        served.fuel_kg = real_min((real)service->fuel_kg, (real)type->def.fuel_kg_max);
    }
    if (service->ballast_kg >= 0.0) {
        served.ballast_kg = real_min((real)service->ballast_kg, type->numbers.mass_kg);
    }
    if (service->tyres) {
        fit_new_tyres(&served, type);
    }
    if (service->repair) {
        memset(served.damage, 0, sizeof served.damage);
    }
    if (service->engine) {
        served.engine_blown = false;
    }
    physics_block_put(&world->cars, slot, &served);
}
