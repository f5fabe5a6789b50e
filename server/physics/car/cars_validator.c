// The cars' validator: whether blocks of cars agree with the pool, and drives with their blocks. It
// walks every lane, so only builds with validators call it (base/assert.h), at the end of each
// tick. Of a car's numbers it asks what a restore asks; what a drive has must follow from them.

#include "physics/car/cars_validator.h"

static bool is_live(const physics_cars *cars, uint32_t slot) {
    return slot < cars->capacity && apex_pool_is_index_live(&cars->pool, slot);
}

static const char *check_pool(const physics_cars *cars) {
    uint32_t live = 0, lowest_free = cars->capacity;
    for (uint32_t slot = cars->capacity; slot-- > 0;) {
        live += is_live(cars, slot);
        lowest_free = is_live(cars, slot) ? lowest_free : slot;
    }
    if (cars->pool.live_count != live) {
        return "the pool counts cars that are not there";
    }
    return cars->pool.lowest_free == lowest_free ? NULL : "the next slot to be taken is not free";
}

// The contents of a free slot belong to no car (world/save.c).
static const char *check_car(const physics_cars *cars, uint32_t slot) {
    physics_car car;
    physics_block_get(cars, slot, &car);
    return !is_live(cars, slot) || physics_car_is_valid(cars, &car)
               ? NULL
               : "a car has a number that no car can have";
}

static const char *check_masks(const physics_cars *cars, uint32_t index, uint32_t lane) {
    const physics_block *block = &cars->blocks[index];
    const physics_drive *drive = &cars->drives[index];
    const physics_type *type = &cars->types[block->type[lane]];
    bool live = is_live(cars, index * PHYSICS_LANES + lane), held = live && block->held[lane];
    bool is_kinematic = type->def.model == APEX_CAR_KINEMATIC;
    if ((drive->is_live[lane] != 0) != live) {
        return "a drive has another slot alive than the pool";
    }
    if ((drive->is_held[lane] != 0) != held ||
        (drive->is_dynamic[lane] != 0) != (live && !held && !is_kinematic)) {
        return "a drive moves a car that is held, or holds one that is not";
    }
    return (drive->is_blown[lane] != 0) == block->engine_blown[lane] &&
                   (drive->is_airborne[lane] != 0) == block->airborne[lane]
               ? NULL
               : "a drive has an engine blown or a car in the air, and its block has not";
}

static const char *check_gear(const physics_cars *cars, uint32_t index, uint32_t lane) {
    const physics_drive *drive = &cars->drives[index];
    int8_t gear = cars->blocks[index].gear[lane];
    const physics_type *type = drive->types[lane];
    if (is_live(cars, index * PHYSICS_LANES + lane) &&
        type != &cars->types[cars->blocks[index].type[lane]]) {
        return "a drive takes a car for one of another type";
    }
    return drive->gear[lane] == (real)gear && drive->ratio[lane] == type->ratio[gear + 1]
               ? NULL
               : "a drive is in another gear than its car";
}

static bool has_numbers(const physics_numbers_lanes *all, uint32_t lane,
                        const physics_numbers *numbers) {
    const real *expected = (const real *)numbers;
    for (size_t i = 0; i < sizeof *numbers / sizeof(real); i++) {
        if (((const lanes *)all)[i][lane] != expected[i]) {
            return false;
        }
    }
    return true;
}

static const char *check_numbers(const physics_cars *cars, uint32_t index) {
    const physics_drive *drive = &cars->drives[index];
    uint8_t axle_count = 0;
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        uint8_t axles = drive->types[lane]->axle_count;
        axle_count = axles > axle_count ? axles : axle_count;
        if (!has_numbers(drive->numbers, lane, &drive->types[lane]->numbers)) {
            return "a drive has other numbers than its cars' types";
        }
    }
    return drive->axle_count == axle_count ? NULL : "a drive has another number of axles";
}

static const char *check_block(const physics_cars *cars, uint32_t index) {
    const char *wrong = NULL;
    for (uint32_t lane = 0; lane < PHYSICS_LANES && wrong == NULL; lane++) {
        wrong = check_car(cars, index * PHYSICS_LANES + lane);
        wrong = wrong != NULL ? wrong : check_masks(cars, index, lane);
        wrong = wrong != NULL ? wrong : check_gear(cars, index, lane);
    }
    return wrong != NULL ? wrong : check_numbers(cars, index);
}

// As the interface promises: by car, then kind, each once.
static const char *check_events(const physics_cars *cars) {
    const physics_events *events = &cars->events;
    for (uint32_t i = 0; i < events->count; i++) {
        const apex_car_event *event = &events->items[i], *before = event - (i > 0);
        uint32_t slot = event->car.index1 - 1u;
        if (!is_live(cars, slot) ||
            (uint16_t)cars->pool.generations[slot] != event->car.generation) {
            return "an event is of a car that is not there";
        }
        if (i > 0 && (event->car.index1 < before->car.index1 ||
                      (event->car.index1 == before->car.index1 && event->kind <= before->kind))) {
            return "events are not in the order of cars and kinds";
        }
    }
    return NULL;
}

const char *physics_cars_validate(const physics_cars *cars) {
    const char *wrong = check_pool(cars);
    for (uint32_t index = 0; index < cars->block_count && wrong == NULL; index++) {
        bool was_anyone_here = cars->drives[index].types[0] != NULL;
        if (was_anyone_here) {
            wrong = check_block(cars, index);
        }
    }
    return wrong != NULL ? wrong : check_events(cars);
}
