// The same controls give the same bits: at any tick rate, in any lane of any block, beside any
// neighbours, on any instruction set, and after a restore in mid-flight.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void choose_controls(apex_controls *controls, uint64_t *random) {
    uint64_t bits = scene_random(random), gear = bits >> 56 & 15;
    controls->steer = (int16_t)(bits & 0xffff);
    controls->throttle = bits & (1u << 16) ? 255 : (uint8_t)(bits >> 17);
    controls->brake = (bits >> 25 & 7) == 0 ? (uint8_t)(bits >> 28) : 0;
    controls->handbrake = (bits >> 36 & 15) == 0 ? 255 : 0;
    controls->clutch = (bits >> 40 & 15) == 0 ? 200 : 0;
    controls->aids_off = (bits >> 44 & 3) == 0 ? (uint8_t)(bits >> 46) : 0;
    controls->gear = gear < 10 ? APEX_GEAR_AUTOMATIC : APEX_GEAR_SEQUENTIAL;
    if (gear == 15) {
        controls->gear = (int8_t)((int)(bits >> 60) - 1);
    }
    controls->shift_up_count = (uint8_t)(controls->shift_up_count + (gear == 11));
    controls->shift_down_count = (uint8_t)(controls->shift_down_count + (gear == 12));
}

static apex_car_state state_of(const apex_world *world, apex_car_id car) {
    apex_car_state state;
    memset(&state, 0, sizeof state);
    ck_assert(apex_world_get_car(world, car, &state));
    return state;
}

// Off the ground and turning, so that it lands on whatever comes first.
static void throw_car(apex_world *world, apex_car_id car, uint64_t *random) {
    apex_car_state state = state_of(world, car);
    state.position_m[2] += scene_random_between(random, 1.0, 4.0);
    for (int i = 0; i < 3; i++) {
        state.angular_radps[i] = scene_random_between(random, -6.0, 6.0);
    }
    ck_assert(apex_world_set_car(world, car, &state));
}

enum { CROWD = 40, FRAMES = 60, FRAME_HZ = 20 };

typedef struct crowd_story {
    apex_car_state states[FRAMES][CROWD];
    size_t contacts, events;
} crowd_story;

// Controls change every quarter of a second; every fifth car is thrown at the beginning.
static void watch_crowd(uint32_t tick_hz, uint64_t seed, crowd_story *out) {
    const scene_crowd_def def = {.car_count = CROWD,
                                 .tick_hz = tick_hz,
                                 .ring_m = 45.0,
                                 .speed_mps = 20.0,
                                 .seed = seed,
                                 .all_options = true};
    scene_crowd crowd = scene_crowd_create(&def);
    uint64_t random = seed;
    out->contacts = out->events = 0;
    for (int i = 0; i < CROWD; i += 5) {
        throw_car(crowd.world, crowd.cars[i], &random);
    }
    for (int frame = 0; frame < FRAMES; frame++) {
        for (int i = 0; frame % 5 == 0 && i < CROWD; i++) {
            choose_controls(&crowd.controls[i], &random);
        }
        for (uint32_t tick = 0; tick < tick_hz / FRAME_HZ; tick++) {
            size_t count;
            apex_world_step(crowd.world, crowd.controls, NULL);
            (void)apex_world_contacts(crowd.world, &count);
            out->contacts += count;
            (void)apex_world_car_events(crowd.world, &count);
            out->events += count;
        }
        for (int i = 0; i < CROWD; i++) {
            out->states[frame][i] = state_of(crowd.world, crowd.cars[i]);
        }
    }
    scene_crowd_destroy(&crowd);
}

TEST(at_any_tick_rate) {
    static const uint32_t HZ[] = {20, 240, 40, 60, 80, 120};
    static crowd_story slow, fast;
    const uint64_t seeds = (uint64_t)check_cases(3);
    const size_t others = (size_t)check_cases(sizeof HZ / sizeof *HZ - 1);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        watch_crowd(HZ[0], seed, &slow);
        ck_assert_uint_gt(slow.contacts, 500);
        ck_assert_uint_gt(slow.events, 100);
        for (size_t i = 1; i <= others; i++) {
            watch_crowd(HZ[i], seed, &fast);
            ck_assert_msg(memcmp(slow.states, fast.states, sizeof slow.states) == 0,
                          "%u Hz gives another drive than 20 Hz", HZ[i]);
        }
    }
}

enum { DRIVERS = 4, SEATS = 32, WATCHED_TICKS = 240 };

typedef struct watched_driver {
    uint64_t seed;
    double x_m; ///< where he starts
    uint32_t seat;
    bool is_thrown;
} watched_driver;

/// The places of drivers of one kind of car, and of those beside them. With one seat a driver is
/// alone.
typedef struct seat_plan {
    const apex_ground *ground;
    const char *lanes; ///< of APEX_LANES
    uint32_t seats, kind, driver_count;
    uint64_t neighbours;
    watched_driver drivers[DRIVERS];
} seat_plan;

typedef struct driver_story {
    apex_car_state states[WATCHED_TICKS];
} driver_story;

// @return the driver in a seat, or the number of drivers where a neighbour sits.
static uint32_t driver_in(const seat_plan *plan, uint32_t seat) {
    uint32_t d = 0;
    while (d < plan->driver_count && plan->drivers[d].seat != seat) {
        d++;
    }
    return d;
}

static apex_world *fill_world(const seat_plan *plan, apex_car_id cars[SEATS],
                              uint64_t drivers[DRIVERS], uint64_t *neighbours) {
    apex_world *world;
    apex_world_def def = scene_world_def(plan->seats);
    def.fuel_burns = def.tyres_wear = def.temperatures = true;
    def.damage = APEX_DAMAGE_FULL;
    ck_assert_int_eq(setenv("APEX_LANES", plan->lanes, 1), 0);
    ck_assert_int_eq(apex_world_create(&def, plan->ground, NULL, &world), APEX_OK);
    apex_car_type types[SCENE_KINDS];
    uint32_t first = (uint32_t)(scene_random(neighbours) % SCENE_KINDS);
    for (uint32_t i = 0; i < SCENE_KINDS; i++) {
        uint32_t kind = (first + i) % SCENE_KINDS;
        apex_car_def car = scene_car_kind(kind);
        ck_assert_int_eq(apex_world_add_type(world, &car, &types[kind]), APEX_OK);
    }
    for (uint32_t i = 0; i < plan->seats; i++) {
        apex_placement at = {.x_m = 2000.0 + 300.0 * (i % 8), .y_m = -3000.0 + 300.0 * (i / 8)};
        at.speed_mps = scene_random_between(neighbours, 0.0, 50.0);
        uint64_t kind = scene_random(neighbours) % SCENE_KINDS;
        uint32_t d = driver_in(plan, i);
        if (d < plan->driver_count) {
            kind = plan->kind;
            at = (apex_placement){.x_m = plan->drivers[d].x_m, .y_m = 20.0};
            at.yaw_rad = scene_random_between(&drivers[d], -3.0, 3.0);
            at.speed_mps = scene_random_between(&drivers[d], 0.0, 50.0);
        }
        ck_assert_int_eq(apex_world_add_car(world, types[kind], &at, &cars[i]), APEX_OK);
    }
    return world;
}

static void watch_drivers(const seat_plan *plan, driver_story out[DRIVERS]) {
    apex_car_id cars[SEATS];
    apex_controls controls[SEATS] = {{0}};
    uint64_t drivers[DRIVERS], neighbours = plan->neighbours;
    for (uint32_t d = 0; d < plan->driver_count; d++) {
        drivers[d] = plan->drivers[d].seed;
    }
    apex_world *world = fill_world(plan, cars, drivers, &neighbours);
    for (uint32_t i = 0; i < plan->seats; i++) {
        uint32_t d = driver_in(plan, i);
        if (d == plan->driver_count && scene_random(&neighbours) % 5 == 0) {
            apex_world_remove_car(world, cars[i]);
        } else if (d < plan->driver_count && plan->drivers[d].is_thrown) {
            throw_car(world, cars[i], &drivers[d]);
        }
    }
    for (int tick = 0; tick < WATCHED_TICKS; tick++) {
        for (uint32_t i = 0; tick % 15 == 0 && i < plan->seats; i++) {
            uint32_t d = driver_in(plan, i);
            choose_controls(&controls[i], d < plan->driver_count ? &drivers[d] : &neighbours);
        }
        apex_world_step(world, controls, NULL);
        for (uint32_t d = 0; d < plan->driver_count; d++) {
            out[d].states[tick] = state_of(world, cars[plan->drivers[d].seat]);
        }
    }
    apex_world_destroy(world);
}

// As in the plan, but with nobody beside him.
static void watch_alone(const seat_plan *plan, uint32_t driver, const char *lanes,
                        driver_story *out) {
    seat_plan lonely = *plan;
    lonely.lanes = lanes;
    lonely.seats = lonely.driver_count = 1;
    lonely.drivers[0] = plan->drivers[driver];
    lonely.drivers[0].seat = 0;
    watch_drivers(&lonely, out);
}

static void choose_seats(seat_plan *plan, uint64_t *random) {
    uint32_t all = plan->driver_count;
    for (plan->driver_count = 0; plan->driver_count < all; plan->driver_count++) {
        uint32_t seat = (uint32_t)(scene_random(random) % SEATS);
        while (driver_in(plan, seat) < plan->driver_count) {
            seat = (seat + 1) % SEATS;
        }
        plan->drivers[plan->driver_count].seat = seat;
    }
}

// The drivers of a kind share the worlds in which they have neighbours, so far from each other that
// they never meet.
static seat_plan plan_drivers(uint32_t kind, const apex_ground *ground) {
    seat_plan plan = {
        .ground = ground, .seats = SEATS, .kind = kind, .driver_count = DRIVERS, .lanes = "base"};
    for (uint32_t d = 0; d < DRIVERS; d++) {
        plan.drivers[d] = (watched_driver){
            .seed = d * SCENE_KINDS + kind, .x_m = 10.0 + 600.0 * d, .is_thrown = d % 2 == 1};
    }
    return plan;
}

TEST(in_any_seat_beside_anybody) {
    static driver_story alone[DRIVERS], seated[DRIVERS];
    scene_ground *hills = scene_ground_create_hills(6000.0);
    uint64_t random = 5;
    const uint32_t kinds = (uint32_t)check_cases(SCENE_KINDS);
    for (uint32_t kind = 0; kind < kinds; kind++) {
        seat_plan plan = plan_drivers(kind, scene_ground_of(hills));
        for (uint32_t d = 0; d < DRIVERS; d++) {
            watch_alone(&plan, d, "base", &alone[d]);
            // Where the processor lacks avx2 this is the same again.
            watch_alone(&plan, d, "avx2", &seated[d]);
            ck_assert_msg(memcmp(&alone[d], &seated[d], sizeof alone[d]) == 0,
                          "kind %u: avx2 differs", kind);
        }
        for (int i = 0; i < 3; i++) {
            plan.lanes = i % 2 == 0 ? "avx2" : "base";
            choose_seats(&plan, &random);
            plan.neighbours = scene_random(&random);
            watch_drivers(&plan, seated);
            for (uint32_t d = 0; d < DRIVERS; d++) {
                ck_assert_msg(memcmp(&alone[d], &seated[d], sizeof alone[d]) == 0,
                              "kind %u drives otherwise in seat %u as driver %u", kind,
                              plan.drivers[d].seat, d);
            }
        }
    }
    scene_ground_destroy(hills);
}

TEST(after_a_restore_in_mid_flight) {
    const scene_crowd_def def = {.car_count = CROWD,
                                 .tick_hz = 60,
                                 .ring_m = 45.0,
                                 .speed_mps = 20.0,
                                 .seed = 9,
                                 .all_options = true};
    scene_crowd first = scene_crowd_create(&def), second = scene_crowd_create(&def);
    uint64_t random = 4;
    size_t bytes = apex_world_save_bytes(first.world), flying = 0;
    uint8_t *saved = malloc(bytes), *again = malloc(bytes);
    ck_assert(saved != NULL && again != NULL);
    const int rounds = check_cases(8);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < CROWD; i += 3) {
            throw_car(first.world, first.cars[i], &random);
        }
        for (int tick = 0; tick < 20; tick++) {
            for (int i = 0; tick == 0 && i < CROWD; i++) {
                choose_controls(&first.controls[i], &random);
            }
            apex_world_step(first.world, first.controls, NULL);
        }
        for (int i = 0; i < CROWD; i++) {
            flying += state_of(first.world, first.cars[i]).airborne;
        }
        apex_world_save(first.world, saved);
        ck_assert_int_eq(apex_world_restore(second.world, saved, bytes), APEX_OK);
        apex_world_save(second.world, again);
        ck_assert_mem_eq(saved, again, bytes);
        for (int tick = 0; tick < 60; tick++) {
            apex_world_step(first.world, first.controls, NULL);
            apex_world_step(second.world, first.controls, NULL);
            ck_assert_uint_eq(apex_world_hash(first.world), apex_world_hash(second.world));
        }
    }
    ck_assert_uint_gt(flying, (size_t)rounds * 30 / 8);
    free(saved);
    free(again);
    scene_crowd_destroy(&first);
    scene_crowd_destroy(&second);
}

// Whatever bytes arrive as controls, nothing but numbers comes out.
TEST(any_controls_leave_numbers) {
    const scene_crowd_def def = {.car_count = CROWD,
                                 .tick_hz = 60,
                                 .ring_m = 60.0,
                                 .speed_mps = 30.0,
                                 .seed = 2,
                                 .all_options = true};
    scene_crowd crowd = scene_crowd_create(&def);
    uint64_t random = 6;
    const int seconds = check_cases(20);
    for (int tick = 0; tick < seconds * 60; tick++) {
        for (int i = 0; i < CROWD; i++) {
            uint64_t bits[2] = {scene_random(&random), scene_random(&random)};
            if (bits[1] % 8 == 0) {
                memcpy(&crowd.controls[i], bits, sizeof crowd.controls[i]);
            }
        }
        apex_world_step(crowd.world, crowd.controls, NULL);
        size_t count;
        const apex_car_event *events = apex_world_car_events(crowd.world, &count);
        for (size_t e = 0; e < count; e++) {
            ck_assert_int_ne(events[e].kind, APEX_CAR_STOPPED_BAD);
        }
        for (int i = 0; i < CROWD; i++) {
            apex_car_state state = state_of(crowd.world, crowd.cars[i]);
            double sum = state.engine_radps + state.steer_rad + state.fuel_kg;
            for (int k = 0; k < 3; k++) {
                sum += state.position_m[k] + state.velocity_mps[k] + state.angular_radps[k];
            }
            for (int w = 0; w < APEX_WHEELS_MAX; w++) {
                sum += state.wheels[w].spin_radps + state.wheels[w].travel_m +
                       state.wheels[w].temperature_c + state.wheels[w].deflection_lat_m;
            }
            ck_assert(isfinite(sum));
        }
    }
    scene_crowd_destroy(&crowd);
}
