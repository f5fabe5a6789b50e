// Save, restore, hash: all that decides the future, as bytes. Two processes of one build exchange
// them; a version in front refuses bytes of another physics.

#include "physics/world/world.h"

#include "base/assert.h"
#include "base/hash.h"

#include <string.h>

typedef struct save_head {
    uint64_t magic;
    uint32_t version;
    uint32_t car_bytes;
    uint32_t car_capacity, type_count;
    uint64_t defs_hash; ///< world and types: a state means nothing under other definitions
    uint64_t tick;
    uint64_t seed; ///< chance is not of this world, but its states belong to one event
} save_head;

static const uint64_t MAGIC = 0x3153594850585041u; // "APXPHYS1"

static uint64_t hash_defs(const apex_world *world) {
    apex_hash_stream stream;
    const apex_world_def *def = &world->def;
    apex_hash_begin(&stream, 0);
    // Fields, not the struct: its padding has no say.
    apex_hash_add(&stream, &def->substep_hz, sizeof def->substep_hz);
    apex_hash_add(&stream, &def->gravity_mps2, sizeof def->gravity_mps2);
    apex_hash_add(&stream, &def->air_density_kg_per_m3, sizeof def->air_density_kg_per_m3);
    apex_hash_add(&stream, &def->damage, sizeof def->damage);
    const bool options[3] = {def->fuel_burns, def->tyres_wear, def->temperatures};
    apex_hash_add(&stream, options, sizeof options);
    for (uint32_t t = 0; t < world->cars.type_count; t++) {
        apex_hash_add(&stream, &world->cars.types[t].def_hash,
                      sizeof world->cars.types[t].def_hash);
    }
    return apex_hash_end(&stream);
}

static save_head make_head(const apex_world *world) {
    save_head head;
    memset(&head, 0, sizeof head);
    head.magic = MAGIC;
    head.version = APEX_PHYSICS_VERSION;
    head.car_bytes = sizeof(physics_car);
    head.car_capacity = world->def.car_capacity;
    head.type_count = world->cars.type_count;
    head.defs_hash = hash_defs(world);
    head.tick = world->tick;
    head.seed = world->def.seed;
    return head;
}

typedef struct save_layout {
    size_t generations, cars, contacts, total;
} save_layout;

static save_layout layout_of(const apex_world *world) {
    save_layout layout;
    size_t capacity = world->def.car_capacity;
    layout.generations = sizeof(save_head);
    layout.cars = layout.generations + capacity * sizeof *world->cars.generations;
    layout.contacts = layout.cars + capacity * sizeof(physics_car);
    layout.total =
        layout.contacts + physics_contacts_save_bytes(physics_collider_contacts(world->collider));
    return layout;
}

size_t apex_world_save_bytes(const apex_world *world) {
    return layout_of(world).total;
}

void apex_world_save(const apex_world *world, uint8_t *out) {
    APEX_ASSERT(out != NULL);
    save_layout layout = layout_of(world);
    size_t capacity = world->def.car_capacity;
    save_head head = make_head(world);
    memcpy(out, &head, sizeof head);
    memcpy(out + layout.generations, world->cars.generations,
           capacity * sizeof *world->cars.generations);
    for (uint32_t slot = 0; slot < capacity; slot++) {
        physics_car car;
        memset(&car, 0, sizeof car); // what lies in a free slot is nobody's
        if (apex_pool_is_index_live(&world->cars.pool, slot)) {
            physics_block_get(&world->cars, slot, &car);
        }
        memcpy(out + layout.cars + slot * sizeof car, &car, sizeof car);
    }
    physics_contacts_save(physics_collider_contacts(world->collider), out + layout.contacts);
}

static bool are_flags_valid(const uint8_t *bytes) {
    // Any other value in a bool is undefined behaviour as soon as it is read.
    static const size_t FLAGS[] = {offsetof(physics_car, counters_known),
                                   offsetof(physics_car, airborne), offsetof(physics_car, held),
                                   offsetof(physics_car, ghost),
                                   offsetof(physics_car, engine_blown)};
    for (size_t i = 0; i < sizeof FLAGS / sizeof *FLAGS; i++) {
        if (bytes[FLAGS[i]] > 1) {
            return false;
        }
    }
    return true;
}

static bool are_cars_valid(const apex_world *world, const uint8_t *bytes) {
    save_layout layout = layout_of(world);
    for (uint32_t slot = 0; slot < world->def.car_capacity; slot++) {
        uint32_t generation;
        memcpy(&generation, bytes + layout.generations + slot * sizeof generation,
               sizeof generation);
        if (generation % 2 == 0) { // free
            continue;
        }
        const uint8_t *car_bytes = bytes + layout.cars + slot * sizeof(physics_car);
        if (!are_flags_valid(car_bytes)) {
            return false;
        }
        physics_car car;
        memcpy(&car, car_bytes, sizeof car);
        if (!physics_car_is_valid(&world->cars, &car)) {
            return false;
        }
    }
    return true;
}

static bool is_head_valid(const apex_world *world, const save_head *head) {
    save_head want = make_head(world);
    return head->magic == want.magic && head->version == want.version &&
           head->car_bytes == want.car_bytes && head->car_capacity == want.car_capacity &&
           head->type_count == want.type_count && head->defs_hash == want.defs_hash &&
           head->seed == want.seed;
}

apex_err apex_world_restore(apex_world *world, const uint8_t *bytes, size_t length) {
    APEX_ASSERT(bytes != NULL || length == 0);
    save_layout layout = layout_of(world);
    save_head head;
    if (length != layout.total) {
        return APEX_ERR_CORRUPT;
    }
    memcpy(&head, bytes, sizeof head);
    if (!is_head_valid(world, &head) || !are_cars_valid(world, bytes) ||
        !physics_contacts_check(physics_collider_contacts(world->collider), bytes + layout.contacts,
                                world->def.car_capacity)) {
        return APEX_ERR_CORRUPT;
    }
    size_t capacity = world->def.car_capacity;
    world->tick = head.tick;
    memcpy(world->cars.generations, bytes + layout.generations,
           capacity * sizeof *world->cars.generations);
    apex_pool_rebuild(&world->cars.pool);
    for (uint32_t slot = 0; slot < capacity; slot++) {
        physics_car car;
        memset(&car, 0, sizeof car);
        if (apex_pool_is_index_live(&world->cars.pool,
                                    slot)) { // a free slot's bytes were not checked
            memcpy(&car, bytes + layout.cars + slot * sizeof car, sizeof car);
            memset(car.zero, 0, sizeof car.zero);
        }
        physics_work_clear(&world->cars, slot);
        physics_block_put(&world->cars, slot, &car);
    }
    physics_contacts_restore(physics_collider_contacts(world->collider), bytes + layout.contacts);
    physics_events_clear(&world->cars.events);
    return APEX_OK;
}

uint64_t apex_world_hash(const apex_world *world) {
    apex_hash_stream stream;
    apex_hash_begin(&stream, APEX_PHYSICS_VERSION);
    apex_hash_add(&stream, &world->tick, sizeof world->tick);
    apex_hash_add(&stream, &world->def.seed, sizeof world->def.seed);
    for (uint32_t slot = 0; slot < world->def.car_capacity; slot++) {
        apex_hash_add(&stream, &world->cars.generations[slot],
                      sizeof world->cars.generations[slot]);
        if (apex_pool_is_index_live(&world->cars.pool, slot)) {
            physics_car car;
            physics_block_get(&world->cars, slot, &car);
            apex_hash_add(&stream, &car, sizeof car);
        }
    }
    const physics_contacts *contacts = physics_collider_contacts(world->collider);
    apex_hash_add(&stream, contacts->persisted,
                  contacts->persisted_count * sizeof *contacts->persisted);
    return apex_hash_end(&stream);
}
