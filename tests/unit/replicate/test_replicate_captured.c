// Poses as delta.h's integers, and what is known of the cars of earlier ticks.

#include <string.h>

#include "base/trig.h"
#include "replicate/replica.h"
#include "support/base/check_main.h"

enum { SLOTS = 3, TICK = 100, TICK_HZ = 60 };

static captured_cars cars;
static apex_car_pose poses[SLOTS];

static void set_up(void) {
    memset(poses, 0, sizeof poses);
    memset(&cars, 0, sizeof cars);
    ck_assert(captured_cars_create(&cars, SLOTS, TICK_HZ));
}

static void tear_down(void) {
    captured_cars_destroy(&cars);
}

static int32_t newest_of(uint32_t slot, apex_delta_field field) {
    return captured_newest(&cars, slot)->q[field];
}

// In slot 2, eastwards.
static void drive(uint32_t tick, uint16_t generation, double speed_mps) {
    poses[1].id = (apex_car_id){.index1 = 2, .generation = generation};
    poses[1].velocity_mps[0] = speed_mps;
    captured_cars_take(&cars, tick, poses, SLOTS);
}

FIXTURE(set_up, tear_down)

TEST(each_field_has_its_unit) {
    static const int32_t WANTED[APEX_DELTA_FIELDS] = {
        [APEX_DELTA_GEAR] = -1,     [APEX_DELTA_FLAGS] = 1,  [APEX_DELTA_DAMAGE] = 15,
        [APEX_DELTA_ALONG] = 200,   [APEX_DELTA_ASIDE] = 40, [APEX_DELTA_CLIMB] = 20,
        [APEX_DELTA_YAW_RATE] = 32, [APEX_DELTA_YAW] = 2048, [APEX_DELTA_X] = 123,
        [APEX_DELTA_Y] = -235,      [APEX_DELTA_Z] = 50,     [APEX_DELTA_PITCH] = 128,
        [APEX_DELTA_ROLL] = 1792,   [APEX_DELTA_RPM] = 10,   [APEX_DELTA_STEER] = -16,
        [APEX_DELTA_THROTTLE] = 6,  [APEX_DELTA_BRAKE] = 15,
    };
    poses[1] = (apex_car_pose){
        .id = {.index1 = 2, .generation = 9},
        .position_m = {1.234, -2.346, 0.5},
        .yaw_rad = APEX_PI / 2.0, // northwards
        .pitch_rad = APEX_PI / 8.0,
        .roll_rad = -APEX_PI / 4.0,
        .velocity_mps = {-2.0, 10.0, 1.0},
        .angular_radps = {7.0, 7.0, 0.5},
        .steer_rad = -0.25,
        .engine_radps = 1280.0 * APEX_PI / 30.0,
        .throttle = 0.4,
        .brake = 1.0,
        .gear = -1,
        .wheels_on_road = 4,
        .airborne = true,
        .damage = 1.0,
        .zone_damage = {[APEX_ZONE_FRONT] = 1.0},
    };
    captured_cars_take(&cars, TICK, poses, SLOTS);
    for (uint32_t f = 0; f < APEX_DELTA_FIELDS; f++) {
        if (newest_of(2, f) != WANTED[f]) {
            ck_abort_msg("%s is %d", apex_delta_fields[f].name, newest_of(2, f));
        }
    }
    ck_assert_uint_eq(captured_newest(&cars, 2)->id, 9u << 16 | 2);
    ck_assert_int_eq(cars.far_row[2].q[APEX_DELTA_X], 7); // 1.23 m in 16 cm
    ck_assert(cars.place_m[2][0] == 1.234f);
    ck_assert(cars.place_m[2][1] == -2.346f);
    ck_assert_uint_eq(cars.live_count, 1);
    ck_assert_uint_eq(cars.live[0], 2);
}

TEST(acceleration_is_of_the_same_car_a_tick_before) {
    drive(TICK, 1, 10.0);
    ck_assert_int_eq(newest_of(2, APEX_DELTA_ACCELERATION), 0); // it has just come
    drive(TICK + 1, 1, 10.1);
    ck_assert_int_eq(newest_of(2, APEX_DELTA_ACCELERATION), 12); // 6 m/s^2
    drive(TICK + 2, 1, 10.0);
    ck_assert_int_eq(newest_of(2, APEX_DELTA_ACCELERATION), -12);
    ck_assert_uint_eq(cars.since_tick[2], TICK);
    drive(TICK + 3, 2, 10.1); // another one
    ck_assert_int_eq(newest_of(2, APEX_DELTA_ACCELERATION), 0);
    ck_assert_uint_eq(cars.since_tick[2], TICK + 3);
    drive(TICK + 5, 2, 11.0); // a tick was left out
    ck_assert_int_eq(newest_of(2, APEX_DELTA_ACCELERATION), 0);
    ck_assert_uint_eq(cars.since_tick[2], TICK + 5);
}

TEST(who_has_left_is_not_there) {
    drive(TICK, 1, 10.0);
    poses[1].id.index1 = 0;
    captured_cars_take(&cars, TICK + 1, poses, SLOTS);
    ck_assert_uint_eq(cars.live_count, 0);
    ck_assert_uint_eq(cars.since_tick[2], 0);
    ck_assert_uint_eq(captured_newest(&cars, 2)->id, 0);
    ck_assert_uint_eq(captured_row(&cars, TICK)[2].id, 1u << 16 | 2); // but was
}

TEST(a_tick_is_kept_for_63_more) {
    apex_replica *replica = apex_replica_create(SLOTS, TICK_HZ);
    ck_assert_ptr_nonnull(replica);
    poses[SLOTS - 1].id = (apex_car_id){.index1 = SLOTS, .generation = 1};
    for (uint32_t tick = TICK; tick <= TICK + 64; tick++) {
        replica_capture(replica, tick, poses, SLOTS);
        const apex_delta_car *first = apex_replica_car(replica, TICK, SLOTS);
        ck_assert(tick <= TICK + 63 ? first != NULL && first->id == (1u << 16 | SLOTS)
                                    : first == NULL);
    }
    ck_assert_ptr_null(apex_replica_car(replica, TICK + 64, 0));
    ck_assert_ptr_null(apex_replica_car(replica, TICK + 64, 1)); // nobody
    ck_assert_ptr_null(apex_replica_car(replica, TICK + 64, SLOTS + 1));
    apex_replica_forget(replica);
    for (uint32_t tick = 0; tick <= TICK + 64; tick++) {
        ck_assert_ptr_null(apex_replica_car(replica, tick, SLOTS));
    }
    ck_assert_uint_eq(replica->cars.live_count, 0);
    ck_assert_uint_eq(replica->cars.since_tick[SLOTS], 0);
    apex_replica_destroy(replica);
}
