// A thousand cars drive into each other in the middle and brake: they come to rest, next to no
// sheet metal lies in other sheet metal, and there they stay.

#include "support/base/check_main.h"
#include "support/physics/collision_scene.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CARS = 1000,
    DRIVE_TICKS = 180,
    BRAKE_TICKS = 120,
    LONG_BRAKE_TICKS = 480,
    REST_TICKS = 120
};

// A hundred cars where a sanitizer looks on: their heap is made of the same contacts.
static uint32_t cars_in_heap(void) {
    return CARS / 10 * (uint32_t)check_cases(10);
}

static apex_car_pose poses[CARS], rested[CARS];
static collision_box hulls[CARS];

static void look(const collision_yard *yard) {
    ck_assert_uint_eq(apex_world_poses(yard->world, poses, CARS), yard->cars);
    for (uint32_t i = 0; i < yard->cars; i++) {
        hulls[i] = collision_box_of(&yard->defs[i % yard->kinds], &poses[i], 1.0);
    }
}

static double deepest(uint32_t cars) {
    const double NEAR_M = 5.0;
    double most = 0.0;
    for (uint32_t i = 0; i < cars; i++) {
        for (uint32_t j = i + 1; j < cars; j++) {
            double x = hulls[j].centre_m[0] - hulls[i].centre_m[0];
            double y = hulls[j].centre_m[1] - hulls[i].centre_m[1];
            if (x * x + y * y < NEAR_M * NEAR_M) {
                most = fmax(most, collision_plan_overlap_m(&hulls[i], &hulls[j]));
            }
        }
    }
    return most;
}

// Of any corner, nearly.
static double fastest(uint32_t cars) {
    const double ARM_M = 2.3;
    double most = 0.0;
    for (uint32_t i = 0; i < cars; i++) {
        const double *v = poses[i].velocity_mps, *w = poses[i].angular_radps;
        double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        most = fmax(most, speed + ARM_M * sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
    }
    return most;
}

static double furthest(uint32_t cars) {
    const double ARM_M = 2.3;
    double most = 0.0;
    for (uint32_t i = 0; i < cars; i++) {
        double x = poses[i].position_m[0] - rested[i].position_m[0];
        double y = poses[i].position_m[1] - rested[i].position_m[1];
        double turn = fabs(remainder(poses[i].yaw_rad - rested[i].yaw_rad, 2.0 * COLLISION_PI));
        most = fmax(most, hypot(x, y) + ARM_M * turn);
    }
    return most;
}

// Rear, front and all-wheel drive. Rounded as bumpers are.
static void add_kinds(collision_yard *yard) {
    for (uint32_t kind = 0; kind < 3; kind++) {
        apex_car_def def = scene_car_kind(kind);
        def.hull.rounding_m = 0.1;
        collision_yard_add(yard, &def);
    }
}

/// A start, how long after the brakes are on it is looked at, and how far anybody may come from
/// then on.
typedef struct jam_case {
    uint64_t seed;
    uint32_t brake_ticks;
    double travel_m;
} jam_case;

// Of seeds 2 to 16 ten rest after two seconds, all after eight: among them the five that take
// longest. All of them are run, or as many as APEX_SEEDS_MAX says.
static const jam_case CASES[] = {
    {2, BRAKE_TICKS, 0.03},      {10, BRAKE_TICKS, 0.03},      {11, BRAKE_TICKS, 0.03},
    {12, BRAKE_TICKS, 0.03},     {4, LONG_BRAKE_TICKS, 0.05},  {5, LONG_BRAKE_TICKS, 0.05},
    {9, LONG_BRAKE_TICKS, 0.05}, {14, LONG_BRAKE_TICKS, 0.05}, {15, LONG_BRAKE_TICKS, 0.05},
};

static void drive_together(collision_yard *yard, uint64_t seed) {
    const collision_jam jam = {.cars = yard->cars, .kinds = 3, .speed_mps = 20.0, .seed = seed};
    size_t contacts;
    add_kinds(yard);
    collision_jam_place(yard, &jam);
    look(yard);
    ck_assert_double_le(deepest(yard->cars), 0.0); // none begins in another
    collision_yard_pedals(yard, 100, 0);
    collision_yard_run(yard, DRIVE_TICKS);
    (void)apex_world_contacts(yard->world, &contacts);
    ck_assert_uint_gt(contacts, yard->cars); // it is a heap, and pushes
}

TEST_OVER(a_thousand_cars_come_to_rest_beside_each_other, 0,
          check_cases((int)(sizeof CASES / sizeof *CASES))) {
    const jam_case *jam = &CASES[_i];
    const unsigned which = (unsigned)jam->seed;
    const uint32_t cars = cars_in_heap();
    collision_yard yard = collision_yard_open(&(collision_yard_def){.cars = cars});
    drive_together(&yard, jam->seed);
    collision_yard_pedals(&yard, 0, 255);
    collision_yard_run(&yard, jam->brake_ticks);
    look(&yard);
    memcpy(rested, poses, sizeof rested);
    double first_m = deepest(cars), first_mps = fastest(cars);
    collision_yard_run(&yard, REST_TICKS);
    look(&yard);
    double last_m = deepest(cars), last_mps = fastest(cars), travel_m = furthest(cars);
    ck_assert_msg(first_m < 0.02, "jam %u: %.4f m in each other", which, first_m);
    ck_assert_msg(first_mps < 0.2, "jam %u: %.3f m/s at rest", which, first_mps);
    ck_assert_msg(last_m < 0.02, "jam %u: %.4f m in each other later", which, last_m);
    ck_assert_msg(last_mps < 0.1, "jam %u: %.3f m/s later", which, last_mps);
    ck_assert_msg(travel_m < jam->travel_m, "jam %u: somebody has come %.3f m", which, travel_m);
    collision_yard_close(&yard);
}
