// Cars of several kinds thrown at standing and at moving cars: none gets through, none is thrown
// out on the wrong side. The same against walls and posts: test_physics_hits.c.

#include "support/base/check_main.h"
#include "support/physics/collision_scene.h"
#include "support/physics/free_of_forces.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

// scene_car_kind: Corvette, truck, motorcycle, front drive.
static const uint32_t KINDS[] = {0, 5, 7, 1};
enum { KIND_COUNT = 4, PAIRS = 48, CARS = 2 * PAIRS, HIT_TICKS = 36 };
static const double PLACE_GAP_M = 150.0;

static collision_yard open_yard(bool is_high) {
    collision_yard yard =
        collision_yard_open(&(collision_yard_def){.cars = CARS, .is_high = is_high});
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        apex_car_def def = scene_car_kind(KINDS[k]);
        collision_yard_add(&yard, &def);
    }
    if (is_high) {
        free_of_forces(yard.world);
    }
    return yard;
}

typedef struct test_pair {
    collision_throw first, second;
} test_pair;

typedef void choose_pair(const collision_yard *yard, uint64_t *seed, test_pair *out);

static collision_throw any_throw(uint64_t *seed) {
    return (collision_throw){.kind = (uint32_t)(scene_random(seed) % KIND_COUNT),
                             .yaw_rad = scene_random_between(seed, -3.1, 3.1)};
}

static double half_width(const collision_yard *yard, const collision_throw *of) {
    return 0.5 * yard->defs[of->kind].hull.width_m;
}

// Aimed so that the middles pass each other within the sum of the half widths: however the two
// stand to each other, they meet.
static void choose_standing(const collision_yard *yard, uint64_t *seed, test_pair *out) {
    collision_throw still = any_throw(seed), mover = any_throw(seed);
    double heading = scene_random_between(seed, -3.1, 3.1);
    double speed = scene_random_between(seed, 25.0, 100.0);
    double aside = 0.8 * (half_width(yard, &still) + half_width(yard, &mover)) *
                   scene_random_between(seed, -1.0, 1.0);
    double away = scene_random_between(seed, 7.6, 9.0), x = cos(heading), y = sin(heading);
    mover.place_m[0] = -away * x - aside * y;
    mover.place_m[1] = -away * y + aside * x;
    mover.velocity_mps[0] = speed * x;
    mover.velocity_mps[1] = speed * y;
    mover.angular_radps[2] = scene_random_between(seed, -6.0, 6.0);
    *out = (test_pair){still, mover};
}

// Both in the air as they would be over a crest, at any speed and heading, so that their middles
// would pass each other as closely. (Hit far off their middles' height they would tumble at eight
// turns a second, and hulls are boxes only as seen from above: those sink in.)
static void choose_moving(const collision_yard *yard, uint64_t *seed, test_pair *out) {
    collision_throw pair[2] = {any_throw(seed), any_throw(seed)};
    double v[2] = {0.0, 0.0}, closing = 0.0;
    while (closing < 30.0) {
        for (uint32_t i = 0; i < 2; i++) {
            double heading = scene_random_between(seed, -3.1, 3.1);
            double speed = scene_random_between(seed, 5.0, 100.0);
            pair[i].velocity_mps[0] = speed * cos(heading);
            pair[i].velocity_mps[1] = speed * sin(heading);
        }
        v[0] = pair[1].velocity_mps[0] - pair[0].velocity_mps[0];
        v[1] = pair[1].velocity_mps[1] - pair[0].velocity_mps[1];
        closing = hypot(v[0], v[1]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        pair[i].place_m[2] = scene_random_between(seed, -0.05, 0.05);
        pair[i].pitch_rad = scene_random_between(seed, -0.1, 0.1);
        pair[i].roll_rad = scene_random_between(seed, -0.1, 0.1);
        for (uint32_t k = 0; k < 3; k++) {
            pair[i].angular_radps[k] = scene_random_between(seed, -1.0, 1.0) * (k == 2 ? 6.0 : 1.0);
        }
    }
    double away = scene_random_between(seed, 7.6, 9.0);
    double aside = 0.8 * (half_width(yard, &pair[0]) + half_width(yard, &pair[1])) *
                   scene_random_between(seed, -1.0, 1.0);
    double x = v[0] / closing, y = v[1] / closing;
    pair[1].place_m[0] = -away * x - aside * y;
    pair[1].place_m[1] = -away * y + aside * x;
    *out = (test_pair){pair[0], pair[1]};
}

// Straight into the flank of a car of the same kind.
static void choose_flank(const collision_yard *yard, uint64_t *seed, test_pair *out) {
    collision_throw still = {.kind = 3}, mover = {.kind = 3};
    double side = scene_random_between(seed, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
    still.yaw_rad = scene_random_between(seed, -3.1, 3.1);
    mover.yaw_rad = still.yaw_rad + side * 0.5 * COLLISION_PI;
    double aside = 0.15 * yard->defs[3].hull.length_m * scene_random_between(seed, -1.0, 1.0);
    double away = scene_random_between(seed, 6.0, 8.0);
    double speed = scene_random_between(seed, 20.0, 100.0);
    double x = cos(mover.yaw_rad), y = sin(mover.yaw_rad);
    mover.place_m[0] = -away * x - aside * y;
    mover.place_m[1] = -away * y + aside * x;
    mover.velocity_mps[0] = speed * x;
    mover.velocity_mps[1] = speed * y;
    *out = (test_pair){still, mover};
}

static size_t count_new(const apex_world *world) {
    size_t count, found = 0;
    const apex_contact_event *events = apex_world_contacts(world, &count);
    for (size_t e = 0; e < count; e++) {
        found += events[e].kind == APEX_CONTACT_CAR && events[e].began;
    }
    return found;
}

/// Forty-eight pairs far from each other, the cars of a pair in slots 2 i and 2 i + 1.
typedef struct test_batch {
    collision_yard *yard;
    test_pair pairs[PAIRS];
    apex_car_id cars[CARS];
    apex_car_pose before[CARS], now[CARS];
} test_batch;

static void move_to(collision_throw *how, uint32_t place) {
    how->place_m[0] += place % 8 * PLACE_GAP_M;
    how->place_m[1] += (double)(place >> 3) * PLACE_GAP_M;
}

static void throw_batch(test_batch *batch, choose_pair *choose, uint64_t *seed) {
    for (uint32_t i = 0; i < PAIRS; i++) {
        test_pair *pair = &batch->pairs[i];
        choose(batch->yard, seed, pair);
        move_to(&pair->first, i);
        move_to(&pair->second, i);
        batch->cars[2 * i] = collision_throw_car(batch->yard, &pair->first);
        batch->cars[2 * i + 1] = collision_throw_car(batch->yard, &pair->second);
    }
    ck_assert_uint_eq(apex_world_poses(batch->yard->world, batch->before, CARS), CARS);
}

// Also between two ticks. (Each of check's asserts writes to a file, so they are for what has gone
// wrong.)
static void watch_middles(const test_batch *batch, uint32_t tick) {
    for (uint32_t i = 0; i < PAIRS; i++) {
        const test_pair *pair = &batch->pairs[i];
        uint32_t a = 2 * i, b = a + 1;
        collision_track first = {&batch->yard->defs[pair->first.kind], batch->before[a],
                                 batch->now[a]};
        collision_track second = {&batch->yard->defs[pair->second.kind], batch->before[b],
                                  batch->now[b]};
        if (collision_is_through(&first, &second)) {
            ck_abort_msg("tick %u, pair %u: a %s goes through a %s", tick, i, second.def->name,
                         first.def->name);
        }
    }
}

// A car that came from one side stays on that side.
static void watch_order(const test_batch *batch, uint32_t tick) {
    for (uint32_t i = 0; i < PAIRS; i++) {
        const double *v = batch->pairs[i].second.velocity_mps;
        const double *a = batch->now[2 * i].position_m, *b = batch->now[2 * i + 1].position_m;
        double ahead = ((a[0] - b[0]) * v[0] + (a[1] - b[1]) * v[1]) / hypot(v[0], v[1]);
        if (ahead < 0.45) {
            ck_abort_msg("tick %u, pair %u: %.3f m ahead at %.1f m/s", tick, i, ahead,
                         hypot(v[0], v[1]));
        }
    }
}

typedef void watch_batch(const test_batch *batch, uint32_t tick);

typedef struct hit_plan {
    uint32_t batches;
    size_t least; ///< hits in all of them
} hit_plan;

static void hit(collision_yard yard, choose_pair *choose, watch_batch *watch,
                const hit_plan *plan) {
    static test_batch batch;
    const uint32_t batches = (uint32_t)check_cases((int)plan->batches);
    uint64_t seed = 21;
    size_t hits = 0, stopped = 0;
    for (uint32_t n = 0; n < batches; n++) {
        batch.yard = &yard;
        throw_batch(&batch, choose, &seed);
        for (uint32_t tick = 0; tick < HIT_TICKS; tick++) {
            collision_yard_run(&yard, 1);
            hits += count_new(yard.world);
            stopped += collision_count_stopped(yard.world);
            ck_assert_uint_eq(apex_world_poses(yard.world, batch.now, CARS), CARS);
            watch(&batch, tick);
            memcpy(batch.before, batch.now, sizeof batch.before);
        }
        for (uint32_t i = 0; i < CARS; i++) {
            apex_world_remove_car(yard.world, batch.cars[i]);
        }
    }
    collision_yard_close(&yard);
    ck_assert_uint_eq(stopped, 0); // however hard a hit was, its numbers are good ones
    ck_assert_uint_ge(hits, plan->least * batches / plan->batches);
}

TEST(fifteen_hundred_hits_on_standing_cars) {
    hit(open_yard(false), choose_standing, watch_middles, &(hit_plan){34, 1500});
}

TEST(two_thousand_hits_of_moving_cars) {
    hit(open_yard(true), choose_moving, watch_middles, &(hit_plan){45, 2000});
}

TEST(five_hundred_hits_into_a_flank_keep_the_order) {
    hit(open_yard(false), choose_flank, watch_order, &(hit_plan){11, 500});
}
