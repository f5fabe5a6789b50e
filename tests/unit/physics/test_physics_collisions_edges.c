// Tests of the limits of contacts: cars that only pass, cars that were not hit, cars that turn as
// fast as any may.

#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/collision_scene.h"
#include "support/physics/free_of_forces.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>

static collision_yard open_air(uint32_t cars, const apex_car_def *def) {
    collision_yard yard = collision_yard_open(&(collision_yard_def){.cars = cars, .is_high = true});
    free_of_forces(yard.world);
    collision_yard_add(&yard, def);
    return yard;
}

// Flies over a car by so much, whenever in a substep it gets there. @return contacts.
static size_t fly_over(double speed_mps, double clear_m, double phase) {
    apex_car_def def = scene_plain_car();
    collision_yard yard = open_air(2, &def);
    collision_throw below = {.kind = 0}, above = {.kind = 0, .velocity_mps = {speed_mps}};
    size_t contacts = 0, count;
    above.place_m[0] = -(def.hull.length_m + 1.0 + phase * speed_mps / 240.0);
    above.place_m[2] = def.hull.height_m + clear_m;
    (void)collision_throw_car(&yard, &below);
    apex_car_id id = collision_throw_car(&yard, &above);
    for (uint32_t tick = 0; tick < 30; tick++) {
        collision_yard_run(&yard, 1);
        (void)apex_world_contacts(yard.world, &count);
        contacts += count;
    }
    ck_assert_double_eq_tol(collision_state(&yard, id).velocity_mps[0], speed_mps, 1e-9);
    collision_yard_close(&yard);
    return contacts;
}

TEST(who_flies_over_another_touches_nothing) {
    static const double SPEEDS_MPS[] = {30.0, 60.0, 100.0}, CLEAR_M[] = {0.05, 0.2, 0.3};
    for (uint32_t i = 0; i < 9; i++) {
        for (uint32_t phase = 0; phase < 10; phase++) {
            ck_assert_uint_eq(fly_over(SPEEDS_MPS[i / 3], CLEAR_M[i % 3], phase / 10.0), 0);
        }
    }
}

// @return the yaw rate of a car that is 100 m from all others, of which one may have a contact with
// the next.
static double turn_beside(uint32_t toucher) {
    apex_car_def def = scene_plain_car();
    collision_yard yard = open_air(24, &def);
    for (uint32_t i = 0; i < 24; i++) {
        collision_throw how = {.kind = 0, .place_m = {100.0 * i}};
        how.angular_radps[2] = i == 0 ? 80.0 : 0.0;
        how.place_m[0] -= i == toucher ? 96.0 : 0.0;
        (void)collision_throw_car(&yard, &how);
    }
    collision_yard_run(&yard, 1);
    apex_car_pose poses[24];
    ck_assert_uint_eq(apex_world_poses(yard.world, poses, 24), 24);
    collision_yard_close(&yard);
    return poses[0].angular_radps[2];
}

TEST(only_who_is_hit_has_his_turning_limited) {
    const uint32_t NOBODY = 24, IN_HIS_BLOCK = 2, IN_ANOTHER = 10;
    ck_assert_double_eq(turn_beside(NOBODY), 80.0);
    ck_assert_double_eq(turn_beside(IN_HIS_BLOCK), 80.0);
    ck_assert_double_eq(turn_beside(IN_ANOTHER), 80.0);
}

TEST(who_turns_fast_can_be_saved) {
    static const double TURNS_RADPS[] = {50.0, 60.0, 95.0};
    for (uint32_t i = 0; i < 3; i++) {
        apex_car_def def = scene_plain_car();
        collision_yard yard = open_air(1, &def);
        collision_throw how = {.kind = 0, .angular_radps = {0.0, TURNS_RADPS[i], 0.0}};
        apex_car_id id = collision_throw_car(&yard, &how);
        collision_yard_run(&yard, 3);
        size_t bytes = apex_world_save_bytes(yard.world);
        uint8_t *saved = malloc(bytes);
        apex_world_save(yard.world, saved);
        apex_car_state state = collision_state(&yard, id);
        ck_assert_int_eq(apex_world_restore(yard.world, saved, bytes), APEX_OK);
        ck_assert(apex_world_set_car(yard.world, id, &state));
        free(saved);
        collision_yard_close(&yard);
    }
}

// One car lies on another; what is saved of it says it was heavier than anything could be.
TEST(impulses_beyond_all_measure_are_not_restored) {
    static const double BAD_NS[] = {3e38, -1.0, 2e8};
    apex_car_def def = scene_plain_car();
    collision_yard yard = collision_yard_open(&(collision_yard_def){.cars = 2});
    collision_yard_add(&yard, &def);
    for (uint32_t i = 0; i < 2; i++) {
        collision_throw how = {.kind = 0, .place_m = {0.0, 0.0, def.hull.height_m * i}};
        (void)collision_throw_car(&yard, &how);
    }
    collision_yard_run(&yard, 60);
    physics_contacts *contacts = physics_collider_contacts(yard.world->collider);
    size_t bytes = apex_world_save_bytes(yard.world);
    uint8_t *saved = malloc(bytes);
    ck_assert_uint_eq(contacts->persisted_count, 1);
    apex_world_save(yard.world, saved);
    ck_assert_int_eq(apex_world_restore(yard.world, saved, bytes), APEX_OK);
    for (uint32_t i = 0; i < 3; i++) {
        real good_ns = contacts->persisted[0].normal_ns[1];
        contacts->persisted[0].normal_ns[1] = (real)BAD_NS[i];
        apex_world_save(yard.world, saved);
        contacts->persisted[0].normal_ns[1] = good_ns;
        ck_assert_int_eq(apex_world_restore(yard.world, saved, bytes), APEX_ERR_CORRUPT);
    }
    free(saved);
    collision_yard_close(&yard);
}
