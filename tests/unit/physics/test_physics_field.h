// Cars on a level field, put and pushed where a test wants them, and a finder of candidates over
// them.

#pragma once

#include "physics/contact/broad_phase.h"
#include "physics/contact/car_hulls.h"
#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

enum { CARS_MAX = 400 };

static const apex_wall_material CONCRETE = {
    .name = "concrete", .restitution = 0.25, .friction = 0.3};

typedef struct test_field {
    apex_world *world;
    apex_car_type types[SCENE_KINDS];
    apex_car_id cars[CARS_MAX];
    apex_controls controls[CARS_MAX];
    uint32_t count;
    // A finder of the test's own, over the same cars and walls as the world's.
    physics_walls *walls;
    physics_broad_phase *broad;
    physics_candidates found;
    // All cars as contacts see them, not only those that the world shows.
    physics_hulls hulls;
} test_field;

static inline void open_field(test_field *field, uint32_t tick_hz, const apex_walls *walls) {
    memset(field, 0, sizeof *field);
    apex_world_def def = scene_world_def(CARS_MAX);
    def.tick_hz = tick_hz;
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), walls, &field->world), APEX_OK);
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def car = scene_car_kind(kind);
        ck_assert_int_eq(apex_world_add_type(field->world, &car, &field->types[kind]), APEX_OK);
    }
    field->walls = physics_walls_create(walls);
    ck_assert_ptr_nonnull(field->walls);
    field->broad = physics_broad_phase_create(CARS_MAX, field->walls);
    ck_assert_ptr_nonnull(field->broad);
    ck_assert(physics_hulls_allocate(&field->hulls, CARS_MAX));
}

static inline void close_field(test_field *field) {
    physics_broad_phase_destroy(field->broad);
    physics_walls_destroy(field->walls);
    physics_hulls_free(&field->hulls);
    apex_world_destroy(field->world);
}

// Heads along x; its speed is set apart from its heading.
static inline uint32_t put(test_field *field, uint32_t kind, double x, double y) {
    apex_placement at = {.x_m = x, .y_m = y};
    uint32_t slot = field->count++;
    ck_assert_int_eq(apex_world_add_car(field->world, field->types[kind], &at, &field->cars[slot]),
                     APEX_OK);
    ck_assert_uint_eq(field->cars[slot].index1, slot + 1);
    physics_hulls_set_type(&field->hulls, slot, &field->world->cars.types[kind].hull);
    return slot;
}

static inline void push_car(test_field *field, uint32_t slot, double vx, double vy,
                            double yaw_radps) {
    apex_car_state state;
    ck_assert(apex_world_get_car(field->world, field->cars[slot], &state));
    state.velocity_mps[0] = vx;
    state.velocity_mps[1] = vy;
    state.angular_radps[2] = yaw_radps;
    ck_assert(apex_world_set_car(field->world, field->cars[slot], &state));
}

static inline real field_tick_s(const apex_world *world) {
    return (real)world->substeps * world->cars.conditions.h_s;
}

static inline void find(test_field *field) {
    physics_broad_phase_find(field->broad, &field->world->cars, field_tick_s(field->world));
    field->found = physics_broad_phase_candidates(field->broad);
}

static inline uint32_t pair_count(const test_field *field) {
    return field->found.pair_starts[field->found.count];
}

// Pairs rise: another test says so.
static inline bool has_pair(const test_field *field, uint32_t a, uint32_t b) {
    uint32_t wanted = physics_pair(a, b), low = 0, high = pair_count(field);
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        low = field->found.pairs[middle] < wanted ? middle + 1 : low;
        high = field->found.pairs[middle] < wanted ? high : middle;
    }
    return low < pair_count(field) && field->found.pairs[low] == wanted;
}

static inline uint32_t index_of(const test_field *field, uint32_t slot) {
    uint32_t i = 0;
    while (i < field->found.count && field->found.involved[i] != slot) {
        i++;
    }
    return i;
}

static inline bool is_involved(const test_field *field, uint32_t slot) {
    return index_of(field, slot) < field->found.count;
}

static inline bool has_obstacle(const test_field *field, uint32_t slot, uint32_t item) {
    const physics_candidates *found = &field->found;
    uint32_t i = index_of(field, slot);
    for (uint32_t n = i < found->count ? found->obstacle_starts[i] : 0;
         i < found->count && n < found->obstacle_starts[i + 1]; n++) {
        if (found->obstacles[n] == item) {
            return true;
        }
    }
    return false;
}
