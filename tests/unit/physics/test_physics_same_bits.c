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
    static const uint32_t HZ[] = {20, 40, 60, 80, 120, 240};
    static crowd_story slow, fast;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        watch_crowd(HZ[0], seed, &slow);
        ck_assert_uint_gt(slow.contacts, 500);
        ck_assert_uint_gt(slow.events, 100);
        for (size_t i = 1; i < sizeof HZ / sizeof *HZ; i++) {
            watch_crowd(HZ[i], seed, &fast);
            ck_assert_msg(memcmp(slow.states, fast.states, sizeof slow.states) == 0,
                          "%u Hz gives another drive than 20 Hz", HZ[i]);
        }
    }
}

enum { SEATS = 32, WATCHED_TICKS = 240 };

/// The place of one car, and of those beside it. With one seat it is alone.
typedef struct seat_plan {
    const apex_ground *ground;
    const char *lanes; ///< of APEX_LANES
    uint32_t seats, seat, kind;
    uint64_t driver, neighbours;
    bool is_thrown;
} seat_plan;

static apex_world *fill_world(const seat_plan *plan, apex_car_id cars[SEATS], uint64_t *driver,
                              uint64_t *neighbours) {
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
    const apex_placement mine = {.x_m = 10.0,
                                 .y_m = 20.0,
                                 .yaw_rad = scene_random_between(driver, -3.0, 3.0),
                                 .speed_mps = scene_random_between(driver, 0.0, 50.0)};
    for (uint32_t i = 0; i < plan->seats; i++) {
        apex_placement at = {.x_m = 2000.0 + 300.0 * (i % 8), .y_m = -3000.0 + 300.0 * (i / 8)};
        at.speed_mps = scene_random_between(neighbours, 0.0, 50.0);
        uint64_t kind = scene_random(neighbours) % SCENE_KINDS;
        bool is_mine = i == plan->seat;
        ck_assert_int_eq(apex_world_add_car(world, types[is_mine ? plan->kind : kind],
                                            is_mine ? &mine : &at, &cars[i]),
                         APEX_OK);
    }
    return world;
}

static void watch_seat(const seat_plan *plan, apex_car_state out[WATCHED_TICKS]) {
    apex_car_id cars[SEATS];
    apex_controls controls[SEATS] = {{0}};
    uint64_t driver = plan->driver, neighbours = plan->neighbours;
    apex_world *world = fill_world(plan, cars, &driver, &neighbours);
    for (uint32_t i = 0; i < plan->seats; i++) {
        if (i != plan->seat && scene_random(&neighbours) % 5 == 0) {
            apex_world_remove_car(world, cars[i]);
        }
    }
    if (plan->is_thrown) {
        throw_car(world, cars[plan->seat], &driver);
    }
    for (int tick = 0; tick < WATCHED_TICKS; tick++) {
        for (uint32_t i = 0; tick % 15 == 0 && i < plan->seats; i++) {
            choose_controls(&controls[i], i == plan->seat ? &driver : &neighbours);
        }
        apex_world_step(world, controls, NULL);
        out[tick] = state_of(world, cars[plan->seat]);
    }
    apex_world_destroy(world);
}

TEST(in_any_seat_beside_anybody) {
    static apex_car_state alone[WATCHED_TICKS], seated[WATCHED_TICKS];
    scene_ground *hills = scene_ground_create_hills(6000.0);
    uint64_t random = 5;
    for (uint32_t run = 0; run < 4 * SCENE_KINDS; run++) {
        seat_plan plan = {.ground = scene_ground_of(hills),
                          .lanes = "base",
                          .seats = 1,
                          .kind = run % SCENE_KINDS,
                          .driver = run,
                          .is_thrown = run / SCENE_KINDS % 2 == 1};
        watch_seat(&plan, alone);
        plan.lanes = "avx2"; // where the processor has it; else this is the same again
        watch_seat(&plan, seated);
        ck_assert_msg(memcmp(alone, seated, sizeof alone) == 0, "kind %u: avx2 differs", plan.kind);
        for (int i = 0; i < 3; i++) {
            plan.lanes = i % 2 == 0 ? "avx2" : "base";
            plan.seats = SEATS;
            plan.seat = (uint32_t)(scene_random(&random) % SEATS);
            plan.neighbours = scene_random(&random);
            watch_seat(&plan, seated);
            ck_assert_msg(memcmp(alone, seated, sizeof alone) == 0,
                          "kind %u drives otherwise in seat %u of run %u", plan.kind, plan.seat,
                          run);
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
    for (int round = 0; round < 8; round++) {
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
    ck_assert_uint_gt(flying, 30);
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
    for (int tick = 0; tick < 1200; tick++) {
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
