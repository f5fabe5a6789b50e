// builds: float double
// Left is right in a mirror, to the last bit: driving, jumping, rolling over and scraping along,
// whole and damaged.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

typedef struct twin {
    apex_world *world;
    apex_car_id car;
} twin;

// In the mirror of the plane y = 0. Adding 0 makes one zero of both.
static void mirror_number(double *number) {
    *number = 0.0 - *number;
}

static void swap_wheels(apex_wheel_state *a, apex_wheel_state *b) {
    apex_wheel_state held = *a;
    *a = *b;
    *b = held;
}

static void mirror_state(const apex_car_def *def, apex_car_state *state) {
    double *const odd[] = {&state->position_m[1],    &state->velocity_mps[1],
                           &state->angular_radps[0], &state->angular_radps[2],
                           &state->orientation[1],   &state->orientation[3],
                           &state->steer_rad,        &state->lean_rad,
                           &state->lean_radps,       &state->acceleration_mps2[1]};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        mirror_number(odd[i]);
    }
    double left = state->damage[APEX_ZONE_LEFT];
    state->damage[APEX_ZONE_LEFT] = state->damage[APEX_ZONE_RIGHT];
    state->damage[APEX_ZONE_RIGHT] = left;
    uint32_t w = 0;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        uint32_t count = def->axles[a].track_width_m > 0.0 ? 2 : 1;
        if (count == 2) {
            swap_wheels(&state->wheels[w], &state->wheels[w + 1]);
        }
        for (uint32_t i = 0; i < count; i++) {
            mirror_number(&state->wheels[w++].deflection_lat_m);
        }
    }
}

static void make_zeros_one(double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        numbers[i] = numbers[i] + 0.0;
    }
}

static apex_car_state state_of(const twin *of) {
    apex_car_state state;
    memset(&state, 0, sizeof state);
    ck_assert(apex_world_get_car(of->world, of->car, &state));
    make_zeros_one(state.position_m, 3);
    make_zeros_one(state.orientation, 4);
    make_zeros_one(state.velocity_mps, 3);
    make_zeros_one(state.angular_radps, 3);
    make_zeros_one(state.acceleration_mps2, 2);
    for (int w = 0; w < APEX_WHEELS_MAX; w++) {
        make_zeros_one(&state.wheels[w].deflection_lat_m, 1);
    }
    make_zeros_one(&state.steer_rad, 1);
    make_zeros_one(&state.lean_rad, 1);
    make_zeros_one(&state.lean_radps, 1);
    return state;
}

static twin create_twin(const apex_car_def *def, const apex_ground *ground, double speed_mps) {
    twin of;
    apex_world_def world = scene_world_def(1);
    world.fuel_burns = world.tyres_wear = world.temperatures = true;
    world.damage = APEX_DAMAGE_FULL;
    apex_car_type type;
    apex_placement at = {.speed_mps = speed_mps};
    ck_assert_int_eq(apex_world_create(&world, ground, NULL, &of.world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(of.world, def, &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(of.world, type, &at, &of.car), APEX_OK);
    return of;
}

static void throw_both(twin twins[2], const apex_car_def *def, uint64_t *random) {
    apex_car_state state = state_of(&twins[0]);
    double norm = 0.0;
    for (int i = 0; i < 4; i++) {
        state.orientation[i] = scene_random_between(random, -1.0, 1.0);
        norm += state.orientation[i] * state.orientation[i];
    }
    for (int i = 0; i < 4; i++) {
        state.orientation[i] /= sqrt(norm);
    }
    for (int i = 0; i < 3; i++) {
        state.velocity_mps[i] = scene_random_between(random, -20.0, 20.0);
        state.angular_radps[i] = scene_random_between(random, -5.0, 5.0);
    }
    state.position_m[2] += 4.0;
    ck_assert(apex_world_set_car(twins[0].world, twins[0].car, &state));
    mirror_state(def, &state);
    ck_assert(apex_world_set_car(twins[1].world, twins[1].car, &state));
}

static void damage_both(twin twins[2], const apex_car_def *def, uint64_t *random) {
    apex_car_state state = state_of(&twins[0]);
    for (int zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        state.damage[zone] = scene_random_between(random, 0.0, 1.0);
    }
    ck_assert(apex_world_set_car(twins[0].world, twins[0].car, &state));
    mirror_state(def, &state);
    ck_assert(apex_world_set_car(twins[1].world, twins[1].car, &state));
}

static void choose_controls(apex_controls controls[2], uint64_t *random) {
    uint64_t bits = scene_random(random);
    int16_t steer = (int16_t)(bits & 0xffff);
    controls[0].steer = steer == INT16_MIN ? 0 : steer;
    controls[0].throttle = bits & (1u << 16) ? 255 : (uint8_t)(bits >> 17);
    controls[0].brake = (bits >> 25 & 3) == 0 ? (uint8_t)(bits >> 28) : 0;
    controls[0].handbrake = (bits >> 36 & 7) == 0 ? 255 : 0;
    controls[0].aids_off = (bits >> 44 & 3) == 0 ? (uint8_t)(bits >> 46) : 0;
    controls[0].gear = APEX_GEAR_AUTOMATIC;
    controls[1] = controls[0];
    controls[1].steer = (int16_t)-controls[0].steer;
}

typedef struct mirror_story {
    int flown, lying, clean;
} mirror_story;

static void drive_twins(twin twins[2], const apex_car_def *def, uint64_t *random,
                        mirror_story *story) {
    apex_controls controls[2] = {{0}};
    bool has_flown = false, has_lain = false;
    for (int tick = 0; tick < 400; tick++) {
        if (tick % 20 == 0) {
            choose_controls(controls, random);
        }
        apex_car_state states[2];
        for (int i = 0; i < 2; i++) {
            apex_world_step(twins[i].world, &controls[i], NULL);
            states[i] = state_of(&twins[i]);
        }
        has_flown = has_flown || states[0].airborne;
        const double *q = states[0].orientation;
        has_lain = has_lain || 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]) < 0.0;
        mirror_state(def, &states[1]);
        ck_assert_msg(memcmp(&states[0], &states[1], sizeof states[0]) == 0,
                      "%s differs from its mirror image after tick %d", def->name, tick);
    }
    story->flown += has_flown;
    story->lying += has_lain;
    story->clean += !has_flown && !has_lain;
}

// Level across the way, waves and a jump along it.
static double jumps(double x_m, double y_m) {
    (void)y_m;
    return 1.5 * sin(x_m * 0.08) + (x_m > 30.0 && x_m < 36.0 ? 0.3 * (x_m - 30.0) : 0.0);
}

TEST(a_mirrored_drive_is_the_same_drive) {
    scene_ground *waves = scene_ground_create(192.0, jumps);
    mirror_story story = {0};
    for (uint32_t run = 0; run < 96; run++) {
        uint64_t random = 77 + run;
        apex_car_def def = scene_car_kind(run % SCENE_KINDS);
        const apex_ground *ground = run / 8 % 2 == 0 ? scene_flat() : scene_ground_of(waves);
        double speed = scene_random_between(&random, 0.0, 30.0);
        twin twins[2];
        for (int i = 0; i < 2; i++) {
            twins[i] = create_twin(&def, ground, speed);
        }
        if (run / 16 % 2 == 1) {
            throw_both(twins, &def, &random);
        }
        if (run / 32 == 1) {
            damage_both(twins, &def, &random);
        }
        drive_twins(twins, &def, &random, &story);
        apex_world_destroy(twins[0].world);
        apex_world_destroy(twins[1].world);
    }
    scene_ground_destroy(waves);
    ck_assert_int_gt(story.flown, 20);
    ck_assert_int_gt(story.lying, 20);
    ck_assert_int_gt(story.clean, 20);
}
