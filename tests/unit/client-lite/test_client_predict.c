// The predictor by itself: states that nobody would send, controls with gaps, long silences.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

#include "client-lite/prediction/own_state.h"
#include "client-lite/prediction/predict.h"
#include "client-lite/prediction/world_def.h"
#include "replicate/replicate.h"

enum { TICK_HZ = 60, LEAD_TICKS = 3 };

static client_predict_def def_of(const apex_car_def *car) {
    apex_world_def world = apex_default_world_def();
    return (client_predict_def){
        .ground = scene_flat(),
        .car = car,
        .tick_hz = TICK_HZ,
        .rules = {.physics_version = APEX_PHYSICS_VERSION,
                  .substep_hz = world.substep_hz,
                  .gravity_mps2 = world.gravity_mps2,
                  .air_density_kg_per_m3 = world.air_density_kg_per_m3,
                  .damage = (uint32_t)world.damage,
                  .fuel_burns = world.fuel_burns,
                  .tyres_wear = world.tyres_wear,
                  .temperatures = world.temperatures},
    };
}

static client_predict *predictor(void) {
    static apex_car_def car;
    car = scene_corvette();
    client_predict_def def = def_of(&car);
    client_predict *predict = client_predict_create(&def);
    ck_assert_ptr_nonnull(predict);
    return predict;
}

// Rolls along at 20 m/s in third gear.
static apex_own_car rolling(void) {
    apex_own_car own;
    memset(&own, 0, sizeof own);
    own.position_m[2] = 0.5;
    own.orientation[0] = 1.0;
    own.velocity_mps[0] = 20.0f;
    own.wheel_count = 4;
    for (int i = 0; i < 4; i++) {
        own.wheels[i].spin_radps = 60.0f;
        own.wheels[i].temperature_c = 80.0f;
        own.wheels[i].brake_temperature_c = 80.0f;
    }
    own.engine_radps = 300.0f;
    own.fuel_kg = 30.0f;
    own.gear = own.gear_before = 3;
    return own;
}

typedef struct sampler {
    client_controls controls;
    uint32_t tick; ///< the newest sampled
} sampler;

static sampler sampler_at(uint32_t tick) {
    sampler self = {.tick = tick};
    client_controls_begin(&self.controls, TICK_HZ, TICK_HZ, LEAD_TICKS, 0);
    return self;
}

static void sample_to(sampler *self, uint32_t tick) {
    apex_controls_message message;
    self->tick = tick;
    self->controls.now.gear = APEX_GEAR_AUTOMATIC;
    client_controls_sample_to(&self->controls, (double)tick, 0, &message);
}

static double x_of(const client_predict *predict) {
    apex_car_state state;
    ck_assert(client_predict_state(predict, &state));
    return state.position_m[0];
}

TEST(it_goes_as_far_as_controls_are_sampled) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(1000);
    apex_own_car own = rolling();
    apex_client_pose pose;
    ck_assert_uint_eq(client_predict_tick(predict), 0);
    ck_assert(!client_predict_show(predict, 1000.0, TICK_HZ, 0, &pose));
    sample_to(&driver, 1000);
    client_predict_advance(predict, &driver.controls);
    ck_assert_uint_eq(client_predict_tick(predict), 0); // nothing to go by yet
    client_predict_take(predict, &(client_predict_news){.tick = 990, .own = &own}, 0);
    ck_assert_uint_eq(client_predict_tick(predict), 1000);
    sample_to(&driver, 1006);
    client_predict_advance(predict, &driver.controls);
    ck_assert_uint_eq(client_predict_tick(predict), 1006);
    ck_assert_double_eq_tol(x_of(predict), 20.0 * 16.0 / TICK_HZ, 0.3);
    // A frame between two steps lies between them, one tick behind the clock.
    ck_assert(client_predict_show(predict, 1006.5, TICK_HZ, 108333, &pose));
    ck_assert_double_eq_tol(pose.tick, 1005.5, 1e-9);
    ck_assert_double_eq_tol(pose.position_m[0], x_of(predict) - 0.5 * 20.0 / TICK_HZ, 0.01);
    client_predict_destroy(predict);
}

// A server that was kept from its ticks: the clock goes back by 40 of them.
TEST(after_lost_ticks_it_goes_on_evenly) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(1000);
    apex_own_car own = rolling();
    apex_client_pose pose;
    double tick = 1001.0, before = 0.0, frame_us = 1e6 / TICK_HZ;
    sample_to(&driver, 1000);
    client_predict_take(predict, &(client_predict_news){.tick = 990, .own = &own}, 0);
    for (uint32_t frame = 0; frame < 120; frame++) {
        tick += frame == 10 ? -40.0 : 1.0;
        if ((uint32_t)tick >= driver.tick + 2) { // controls go out in pairs
            sample_to(&driver, (uint32_t)tick);
        }
        client_predict_advance(predict, &driver.controls);
        ck_assert(client_predict_show(predict, tick, TICK_HZ, (uint64_t)(frame * frame_us), &pose));
        ck_assert_double_ge(pose.tick, before);
        if (frame >= 85) { // 50 to be where it was, and half a second
            ck_assert_double_eq_tol(pose.tick - before, 1.0, 0.11);
        }
        before = pose.tick;
    }
    client_predict_destroy(predict);
}

TEST(old_and_foreign_states_are_passed_over) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(1000);
    apex_own_car own = rolling();
    sample_to(&driver, 1000);
    client_predict_advance(predict, &driver.controls);
    client_predict_take(predict, &(client_predict_news){.tick = 995, .own = &own}, 0);
    double x_m = x_of(predict);
    own.position_m[0] = 500.0;
    client_predict_take(predict, &(client_predict_news){.tick = 995, .own = &own}, 0);
    client_predict_take(predict, &(client_predict_news){.tick = 900, .own = &own}, 0);
    own.wheel_count = 3;
    client_predict_take(predict, &(client_predict_news){.tick = 998, .own = &own}, 0);
    ck_assert_double_eq(x_of(predict), x_m);
    ck_assert_uint_eq(client_predict_stats(predict).states, 1);
    // A gear the car has not is no state: until the next there is nothing to go by.
    own.wheel_count = 4;
    own.gear = 9;
    client_predict_take(predict, &(client_predict_news){.tick = 998, .own = &own}, 0);
    ck_assert_uint_eq(client_predict_tick(predict), 0);
    own.gear = 3;
    client_predict_take(predict, &(client_predict_news){.tick = 999, .own = &own}, 0);
    ck_assert_double_gt(x_of(predict), 499.0);
    client_predict_destroy(predict);
}

// On ticks for which none was sent the server uses the last sample again.
TEST(a_gap_in_the_controls_repeats_the_last) {
    client_predict *gap = predictor(), *full = predictor();
    sampler stalls = sampler_at(1000), goes_on = sampler_at(1000);
    apex_own_car own = rolling();
    stalls.controls.now.throttle = goes_on.controls.now.throttle = 255;
    sample_to(&stalls, 1000);
    client_predict_advance(gap, &stalls.controls);
    for (uint32_t tick = 1000; tick <= 1040; tick++) {
        goes_on.controls.now.throttle = tick < 1040 ? 255 : 0;
        sample_to(&goes_on, tick);
        client_predict_advance(full, &goes_on.controls);
    }
    stalls.controls.now.throttle = 0;
    sample_to(&stalls, 1040); // after a stall of forty ticks only this one is made
    ck_assert_uint_eq(stalls.controls.held, 1);
    client_predict_advance(gap, &stalls.controls);
    client_predict_take(gap, &(client_predict_news){.tick = 999, .own = &own}, 0);
    client_predict_take(full, &(client_predict_news){.tick = 999, .own = &own}, 0);
    apex_car_state a, b;
    ck_assert(client_predict_state(gap, &a) && client_predict_state(full, &b));
    ck_assert_uint_eq(client_predict_tick(gap), 1040);
    ck_assert_uint_eq(client_predict_tick(full), 1040);
    ck_assert(memcmp(&a, &b, sizeof a) == 0);
    client_predict_destroy(gap);
    client_predict_destroy(full);
}

TEST(silence_ends_it_until_the_next_word) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(1000);
    apex_own_car own = rolling();
    apex_client_pose pose;
    sample_to(&driver, 1000);
    client_predict_advance(predict, &driver.controls);
    client_predict_take(predict, &(client_predict_news){.tick = 1000, .own = &own}, 0);
    for (uint32_t tick = 1001; tick <= 1000 + CLIENT_PREDICT_TICKS_MAX; tick++) {
        ck_assert_uint_eq(client_predict_tick(predict), tick - 1);
        sample_to(&driver, tick);
        client_predict_advance(predict, &driver.controls);
    }
    ck_assert_uint_eq(client_predict_tick(predict), 0);
    ck_assert(!client_predict_show(predict, 1200.0, TICK_HZ, 0, &pose));
    client_predict_take(predict, &(client_predict_news){.tick = 1100, .own = &own}, 0);
    ck_assert_uint_eq(client_predict_tick(predict), 1000 + CLIENT_PREDICT_TICKS_MAX);
    // A server far ahead of all that was sampled is where it says it is.
    client_predict_take(predict, &(client_predict_news){.tick = 4000000000u, .own = &own}, 0);
    ck_assert_uint_eq(client_predict_tick(predict), 4000000000u);
    client_predict_destroy(predict);
}

static uint64_t random_state = 7;

static double any(double most) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    double unit = (double)(random_state >> 11) / 9007199254740992.0;
    double sign = random_state % 2 == 0 ? 1.0 : -1.0;
    return sign * most * pow(unit, 1.0 + (double)(random_state % 7));
}

static apex_own_car any_car(void) {
    apex_own_car own = rolling();
    float *const singles[] = {&own.steer_rad,
                              &own.engine_radps,
                              &own.fuel_kg,
                              &own.ballast_kg,
                              &own.boost,
                              &own.slipstream,
                              &own.shift_left_s,
                              &own.lean_rad,
                              &own.lean_radps,
                              &own.acceleration_mps2[0],
                              &own.acceleration_mps2[1]};
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
        *singles[i] = (float)any(1e6);
    }
    for (int i = 0; i < 3; i++) {
        own.position_m[i] = any(1e7);
        own.velocity_mps[i] = (float)any(1e6);
        own.angular_radps[i] = (float)any(1e6);
    }
    for (uint32_t i = 0; i < own.wheel_count; i++) {
        own.wheels[i] = (apex_own_wheel){(float)any(1e6), (float)any(1e6),      (float)any(1e6),
                                         (float)any(1e6), (float)any(1e6),      (float)any(1e4),
                                         (float)any(1e4), (float)fabs(any(1.0))};
    }
    own.gear = (int8_t)((int)((random_state >> 40) % 5) - 1);
    own.flags = (uint8_t)(random_state >> 50) & APEX_OWN_FLAGS;
    return own;
}

// Any state that the codec lets pass, physics must survive: it steps, and what comes out can be
// shown.
TEST(any_state_that_travels_can_be_stepped) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(10);
    uint32_t shown = 0;
    for (uint32_t round = 1; round <= 3000; round++) {
        apex_own_car own = any_car();
        ck_assert(apex_own_car_ok(&own));
        sample_to(&driver, 10 + 2 * round);
        client_predict_advance(predict, &driver.controls);
        client_predict_take(predict, &(client_predict_news){.tick = 2 * round, .own = &own}, round);
        apex_client_pose pose;
        if (client_predict_show(predict, 10.5 + 2 * round, TICK_HZ, round * 33333, &pose)) {
            shown++;
            ck_assert(isfinite(pose.position_m[0]) && isfinite(pose.yaw_rad));
            ck_assert(isfinite(pose.velocity_mps[2]) && isfinite(pose.rpm));
        }
    }
    ck_assert_uint_gt(shown, 2900);
    apex_own_car own = rolling();
    client_predict_take(predict, &(client_predict_news){.tick = 6005, .own = &own},
                        0); // and nothing of it stays
    ck_assert_double_eq_tol(x_of(predict), 20.0 * 5.0 / TICK_HZ, 0.3);
    client_predict_destroy(predict);
}

TEST(impossible_worlds_are_none) {
    apex_car_def car = scene_corvette();
    client_predict_def def = def_of(&car);
    def.rules.substep_hz = 70; // no multiple of the tick rate
    ck_assert_ptr_null(client_predict_create(&def));
    def = def_of(&car);
    def.rules.gravity_mps2 = -1e300;
    ck_assert_ptr_null(client_predict_create(&def));
    def = def_of(&car);
    def.rules = (apex_world_rules){0}; // a server that says nothing: the usual world
    client_predict *predict = client_predict_create(&def);
    ck_assert_ptr_nonnull(predict);
    client_predict_destroy(predict);
}

// The ring has the last 128 ticks; a word as old as that leaves none of them to repeat.
TEST_OVER(it_repeats_as_many_ticks_as_it_remembers, 0, 2) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(1000);
    apex_own_car own = rolling();
    sample_to(&driver, 1000);
    client_predict_advance(predict, &driver.controls);
    uint32_t ahead = CLIENT_PREDICT_TICKS_MAX - (_i == 0 ? 1 : 0);
    for (uint32_t tick = 1001; tick <= 1000 + ahead; tick++) {
        sample_to(&driver, tick);
        client_predict_advance(predict, &driver.controls);
    }
    client_predict_take(predict, &(client_predict_news){.tick = 1000, .own = &own}, 0);
    ck_assert_uint_eq(client_predict_tick(predict), _i == 0 ? 1000 + ahead : 1000);
    ck_assert_uint_eq(client_predict_stats(predict).steps, _i == 0 ? ahead : 0);
    client_predict_destroy(predict);
}

// The car as a server has it whose world is like the predictor's, ticks without controls later.
static apex_own_car after_ticks(const apex_own_car *begun, uint32_t ticks) {
    apex_car_def car = scene_corvette();
    client_predict_def def = def_of(&car);
    apex_world_def world_def = client_world_def(&def.rules, TICK_HZ);
    apex_world *world = NULL;
    apex_car_type type;
    apex_car_id id;
    apex_placement anywhere = {0};
    ck_assert_int_eq(apex_world_create(&world_def, def.ground, NULL, &world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(world, &car, &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(world, type, &anywhere, &id), APEX_OK);
    apex_car_state state = client_state_of(begun);
    ck_assert(apex_world_set_car(world, id, &state));
    for (uint32_t i = 0; i < ticks; i++) {
        apex_controls controls = {.gear = APEX_GEAR_AUTOMATIC};
        apex_world_step(world, &controls, NULL);
    }
    apex_viewer viewer = {.own_car = apex_car_wire_id(id), .wants_own_car = true};
    apex_own_car own;
    ck_assert(apex_replicate_own_car(world, &viewer, &own));
    apex_world_destroy(world);
    return own;
}

// A clock that goes back samples ticks anew that the server has had: its word of them stands, and
// only what comes after it is predicted again.
TEST_OVER(ticks_before_the_servers_word_are_not_predicted_again, 0, 2) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(1000);
    apex_own_car own = rolling();
    sample_to(&driver, 1000);
    client_predict_advance(predict, &driver.controls);
    client_predict_take(predict, &(client_predict_news){.tick = 1000, .own = &own}, 0);
    for (uint32_t tick = 1001; tick <= 1060; tick++) {
        sample_to(&driver, tick);
        client_predict_advance(predict, &driver.controls);
    }
    own = after_ticks(&own, 5);
    client_predict_take(predict, &(client_predict_news){.tick = 1005, .own = &own}, 0);
    ck_assert_uint_eq(client_predict_stats(predict).exact, 1);
    uint64_t steps = client_predict_stats(predict).steps;
    double x_m = x_of(predict);
    driver.controls.now.brake = 255;
    sample_to(&driver, _i == 0 ? 1005 : 1006);
    client_predict_advance(predict, &driver.controls);
    ck_assert_uint_eq(client_predict_tick(predict), 1060);
    ck_assert_uint_eq(client_predict_stats(predict).steps - steps, _i == 0 ? 0 : 55);
    ck_assert(_i == 0 ? x_of(predict) == x_m : x_of(predict) < x_m);
    client_predict_destroy(predict);
}

// A moment that is ahead of all steps, as after a jump of the clock, waits at one step past them.
TEST(what_is_shown_ends_a_step_past_the_newest) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(1000);
    apex_own_car own = rolling();
    apex_client_pose pose;
    sample_to(&driver, 1000);
    client_predict_advance(predict, &driver.controls);
    client_predict_take(predict, &(client_predict_news){.tick = 990, .own = &own}, 0);
    ck_assert(client_predict_show(predict, 1030.0, TICK_HZ, 0, &pose));
    ck_assert_double_eq_tol(pose.tick, 1001.0, 1e-9);
    ck_assert_double_eq_tol(pose.position_m[0], x_of(predict) + 20.0 / TICK_HZ, 0.01);
    sample_to(&driver, 1006); // and there it is still when steps are made past it
    client_predict_advance(predict, &driver.controls);
    ck_assert(client_predict_show(predict, 1030.0, TICK_HZ, 0, &pose));
    ck_assert_double_eq_tol(pose.tick, 1001.0, 1e-9);
    client_predict_destroy(predict);
}

// Three words as foretold, and two of a car that is 0.25 m further on: half of the errors are none,
// and the largest are those two. On level ground it goes on from there as it would have.
TEST(errors_are_told_by_their_share) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(1000);
    apex_own_car own = rolling();
    sample_to(&driver, 1000);
    client_predict_advance(predict, &driver.controls);
    client_predict_take(predict, &(client_predict_news){.tick = 1000, .own = &own}, 0);
    for (uint32_t tick = 1001; tick <= 1005; tick++) {
        sample_to(&driver, tick);
        client_predict_advance(predict, &driver.controls);
        own = after_ticks(&own, 1);
        own.position_m[0] += tick == 1002 || tick == 1004 ? 0.25 : 0.0;
        client_predict_take(predict, &(client_predict_news){.tick = tick, .own = &own}, 0);
    }
    apex_client_prediction stats = client_predict_stats(predict);
    ck_assert_uint_eq(stats.states, 6);
    ck_assert_uint_eq(stats.compared, 5);
    ck_assert_uint_eq(stats.exact, 3);
    ck_assert_double_eq_tol(stats.error_m_p50, 0.0, 1e-6);
    ck_assert_double_eq_tol(stats.error_m_p99, 0.25, 0.01);
    ck_assert_double_eq_tol(stats.error_m_max, 0.25, 1e-4);
    ck_assert_double_eq_tol(stats.error_rad_max, 0.0, 1e-6);
    client_predict_destroy(predict);
}

// What is shown of the server's own word is that word, in the units of poses.
TEST(a_pose_has_the_units_of_poses) {
    client_predict *predict = predictor();
    sampler driver = sampler_at(1000);
    apex_own_car own = rolling();
    own.angular_radps[0] = 0.1f;
    own.angular_radps[2] = 0.3f;
    sample_to(&driver, 1000);
    client_predict_advance(predict, &driver.controls);
    client_predict_take(predict, &(client_predict_news){.tick = 1000, .own = &own}, 0);
    apex_client_pose pose;
    ck_assert(client_predict_show(predict, 1001.0, TICK_HZ, 0, &pose));
    ck_assert_double_eq_tol(pose.tick, 1000.0, 1e-9);
    ck_assert_double_eq_tol(pose.rpm, 300.0 * 60.0 / (2.0 * M_PI), 0.01);
    ck_assert_double_eq_tol(pose.velocity_mps[0], 20.0, 1e-6);
    ck_assert_double_eq_tol(pose.yaw_rate_radps, 0.3, 1e-6);
    ck_assert_double_eq_tol(pose.position_m[2], 0.5, 1e-6);
    ck_assert_int_eq(pose.gear, 3);
    client_predict_destroy(predict);
}
