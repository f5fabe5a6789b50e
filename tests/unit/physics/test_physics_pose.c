// Tests of poses: every way to ask for one says the same, and its angles are those that the
// attitude has by the plain functions, to the bit, with each instruction set.

#include "base/trig.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CARS = 43, SLOTS = 61, ROUNDS = 200 };

typedef struct yard {
    apex_world *world;
    apex_car_id cars[CARS];
    uint64_t seed;
} yard;

// Blocks that are full, that lack somebody, and that are empty.
static yard yard_create(const char *lanes) {
    yard in = {.seed = 5};
    apex_world_def def = scene_world_def(SLOTS);
    apex_car_type types[SCENE_KINDS];
    apex_car_id ids[SLOTS];
    ck_assert_int_eq(setenv("APEX_LANES", lanes, 1), 0);
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &in.world), APEX_OK);
    ck_assert_int_eq(unsetenv("APEX_LANES"), 0);
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def car = scene_car_kind(kind);
        ck_assert_int_eq(apex_world_add_type(in.world, &car, &types[kind]), APEX_OK);
    }
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        apex_placement at = {.x_m = 20.0 * slot};
        ck_assert_int_eq(apex_world_add_car(in.world, types[slot % SCENE_KINDS], &at, &ids[slot]),
                         APEX_OK);
    }
    uint32_t kept = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        bool goes = slot % 8 == 3 || slot / 8 == 2 || slot > 56;
        if (goes) {
            apex_world_remove_car(in.world, ids[slot]);
        } else {
            in.cars[kept++] = ids[slot];
        }
    }
    ck_assert_uint_eq(kept, CARS);
    return in;
}

// Along the axes, where angles are at their ends, and any.
static void turn(apex_car_state *state, uint64_t *seed) {
    double square = 0.0;
    bool is_square = scene_random(seed) % 2 == 0;
    for (uint32_t i = 0; i < 4; i++) {
        state->orientation[i] = is_square ? (double)(scene_random(seed) % 3) - 1.0
                                          : scene_random_between(seed, -1.0, 1.0);
        square += state->orientation[i] * state->orientation[i];
    }
    for (uint32_t i = 0; i < 4; i++) {
        state->orientation[i] = square > 0.0 ? state->orientation[i] / sqrt(square) : i == 0;
    }
}

static void check_angles(const apex_car_pose *pose) {
    const double *q = pose->orientation;
    double w = q[0], i = q[1], j = q[2], k = q[3];
    double yaw = apex_atan2(2.0 * (i * j + w * k), 1.0 - 2.0 * (j * j + k * k));
    double pitch = apex_asin(-(2.0 * (i * k - w * j)));
    double roll = apex_atan2(2.0 * (j * k + w * i), 1.0 - 2.0 * (i * i + j * j));
    ck_assert_double_ge(w, 0.0);
    ck_assert_mem_eq(&pose->yaw_rad, &yaw, sizeof yaw);
    ck_assert_mem_eq(&pose->pitch_rad, &pitch, sizeof pitch);
    ck_assert_mem_eq(&pose->roll_rad, &roll, sizeof roll);
}

static void check_state(const apex_car_pose *pose, const apex_car_state *state) {
    double worst = 0.0;
    ck_assert_mem_eq(pose->position_m, state->position_m, sizeof pose->position_m);
    ck_assert_mem_eq(pose->velocity_mps, state->velocity_mps, sizeof pose->velocity_mps);
    ck_assert_mem_eq(pose->angular_radps, state->angular_radps, sizeof pose->angular_radps);
    ck_assert_mem_eq(pose->zone_damage, state->damage, sizeof pose->zone_damage);
    for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        worst = fmax(worst, state->damage[zone]);
    }
    ck_assert_double_eq(pose->damage, worst);
    ck_assert_double_eq(pose->steer_rad, state->steer_rad);
    ck_assert_double_eq(pose->engine_radps, state->engine_radps);
    ck_assert_int_eq(pose->gear, state->gear);
    ck_assert_int_eq(pose->ghost, state->ghost);
    ck_assert_int_eq(pose->held, state->held);
    ck_assert_int_eq(pose->wheels_on_road, state->airborne ? 0 : pose->wheel_count);
}

static void set_some(yard *in) {
    for (uint32_t i = 0; i < CARS; i++) {
        apex_car_state state;
        ck_assert(apex_world_get_car(in->world, in->cars[i], &state));
        turn(&state, &in->seed);
        for (uint32_t zone = 0; zone < APEX_ZONE_COUNT; zone++) {
            state.damage[zone] = (double)(float)scene_random_between(&in->seed, 0.0, 1.0);
        }
        state.airborne = scene_random(&in->seed) % 4 == 0;
        state.ghost = scene_random(&in->seed) % 4 == 0;
        state.held = scene_random(&in->seed) % 4 == 0;
        ck_assert(apex_world_set_car(in->world, in->cars[i], &state));
    }
}

TEST_OVER(every_way_to_ask_says_the_same, 0, 2) {
    static const char *const SETS[] = {"base", "best"};
    yard in = yard_create(SETS[_i]);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        apex_car_pose all[SLOTS], by_slot[SLOTS];
        memset(all, 0, sizeof all);
        memset(by_slot, 0, sizeof by_slot);
        set_some(&in);
        ck_assert_uint_eq(apex_world_poses(in.world, all, SLOTS), CARS);
        apex_world_poses_by_slot(in.world, by_slot);
        for (uint32_t i = 0; i < CARS; i++) {
            apex_car_pose one;
            apex_car_state state;
            memset(&one, 0, sizeof one);
            ck_assert(apex_world_pose(in.world, in.cars[i], &one));
            ck_assert(apex_world_get_car(in.world, in.cars[i], &state));
            ck_assert_uint_eq(one.id.index1, in.cars[i].index1);
            ck_assert_uint_eq(one.id.generation, in.cars[i].generation);
            ck_assert_uint_eq(one.type.index1, (one.id.index1 - 1u) % SCENE_KINDS + 1);
            check_state(&one, &state);
            check_angles(&one);
            ck_assert_mem_eq(&all[i].yaw_rad, &one.yaw_rad, sizeof one.yaw_rad);
            ck_assert_uint_eq(all[i].id.index1, one.id.index1);
            check_state(&by_slot[one.id.index1 - 1], &state);
            check_angles(&by_slot[one.id.index1 - 1]);
            by_slot[one.id.index1 - 1].id.index1 = 0;
        }
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            ck_assert_uint_eq(by_slot[slot].id.index1, 0); // nobody else
        }
    }
    apex_world_destroy(in.world);
}
