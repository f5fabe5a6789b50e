// builds: float double
// Left is right in a mirror, to the last bit: driving, jumping, rolling over and scraping along,
// whole and damaged.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

/// A car of each kind on one side of the mirror. They are ghosts, so that each drives as if it were
/// alone, and a block of them takes no longer than one.
typedef struct side {
    apex_world *world;
    apex_car_id cars[SCENE_KINDS]; // in the slots of their kinds
    apex_controls controls[SCENE_KINDS];
} side;

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

static apex_car_state state_of(const side *of, uint32_t kind) {
    apex_car_state state;
    memset(&state, 0, sizeof state);
    ck_assert(apex_world_get_car(of->world, of->cars[kind], &state));
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

static side create_side(const apex_ground *ground, const double speeds_mps[SCENE_KINDS]) {
    side of = {.world = NULL};
    apex_world_def world = scene_world_def(SCENE_KINDS);
    world.fuel_burns = world.tyres_wear = world.temperatures = true;
    world.damage = APEX_DAMAGE_FULL;
    ck_assert_int_eq(apex_world_create(&world, ground, NULL, &of.world), APEX_OK);
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def def = scene_car_kind(kind);
        apex_car_type type;
        apex_placement at = {.speed_mps = speeds_mps[kind]};
        ck_assert_int_eq(apex_world_add_type(of.world, &def, &type), APEX_OK);
        ck_assert_int_eq(apex_world_add_car(of.world, type, &at, &of.cars[kind]), APEX_OK);
        ck_assert_uint_eq(of.cars[kind].index1, kind + 1);
        apex_world_ghost_car(of.world, of.cars[kind], true);
    }
    return of;
}

// To a car as it is, and to the other as it looks in the mirror.
static void set_both(side sides[2], uint32_t kind, apex_car_state *state) {
    apex_car_def def = scene_car_kind(kind);
    ck_assert(apex_world_set_car(sides[0].world, sides[0].cars[kind], state));
    mirror_state(&def, state);
    ck_assert(apex_world_set_car(sides[1].world, sides[1].cars[kind], state));
}

static void throw_both(side sides[2], uint32_t kind, uint64_t *random) {
    apex_car_state state = state_of(&sides[0], kind);
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
    set_both(sides, kind, &state);
}

static void damage_both(side sides[2], uint32_t kind, uint64_t *random) {
    apex_car_state state = state_of(&sides[0], kind);
    for (int zone = 0; zone < APEX_ZONE_COUNT; zone++) {
        state.damage[zone] = scene_random_between(random, 0.0, 1.0);
    }
    set_both(sides, kind, &state);
}

static void choose_controls(side sides[2], uint32_t kind, uint64_t *random) {
    apex_controls *controls = &sides[0].controls[kind];
    uint64_t bits = scene_random(random);
    int16_t steer = (int16_t)(bits & 0xffff);
    controls->steer = steer == INT16_MIN ? 0 : steer;
    controls->throttle = bits & (1u << 16) ? 255 : (uint8_t)(bits >> 17);
    controls->brake = (bits >> 25 & 3) == 0 ? (uint8_t)(bits >> 28) : 0;
    controls->handbrake = (bits >> 36 & 7) == 0 ? 255 : 0;
    controls->aids_off = (bits >> 44 & 3) == 0 ? (uint8_t)(bits >> 46) : 0;
    controls->gear = APEX_GEAR_AUTOMATIC;
    sides[1].controls[kind] = *controls;
    sides[1].controls[kind].steer = (int16_t)-controls->steer;
}

typedef struct mirror_story {
    int flown, lying, clean;
} mirror_story;

static void step(side sides[2]) {
    for (int i = 0; i < 2; i++) {
        apex_world_step(sides[i].world, sides[i].controls, NULL);
    }
}

// @return how one car stands, having looked at its image in the mirror.
static apex_car_state compare(const side sides[2], uint32_t kind, int tick) {
    apex_car_def def = scene_car_kind(kind);
    apex_car_state state = state_of(&sides[0], kind), image = state_of(&sides[1], kind);
    mirror_state(&def, &image);
    ck_assert_msg(memcmp(&state, &image, sizeof state) == 0,
                  "%s differs from its mirror image after tick %d", def.name, tick);
    return state;
}

static void drive_sides(side sides[2], uint64_t randoms[SCENE_KINDS], mirror_story *story) {
    bool has_flown[SCENE_KINDS] = {false}, has_lain[SCENE_KINDS] = {false};
    for (int tick = 0; tick < 400; tick++) {
        for (uint32_t kind = 0; tick % 20 == 0 && kind < SCENE_KINDS; kind++) {
            choose_controls(sides, kind, &randoms[kind]);
        }
        step(sides);
        for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
            apex_car_state state = compare(sides, kind, tick);
            const double *q = state.orientation;
            has_flown[kind] = has_flown[kind] || state.airborne;
            has_lain[kind] = has_lain[kind] || 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]) < 0.0;
        }
    }
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        story->flown += has_flown[kind];
        story->lying += has_lain[kind];
        story->clean += !has_flown[kind] && !has_lain[kind];
    }
}

// Level across the way, waves and a jump along it.
static double jumps(double x_m, double y_m) {
    (void)y_m;
    return 1.5 * sin(x_m * 0.08) + (x_m > 30.0 && x_m < 36.0 ? 0.3 * (x_m - 30.0) : 0.0);
}

static void run_group(uint32_t group, const scene_ground *waves, mirror_story *story) {
    const apex_ground *ground = group % 2 == 0 ? scene_flat() : scene_ground_of(waves);
    uint64_t randoms[SCENE_KINDS];
    double speeds_mps[SCENE_KINDS];
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        randoms[kind] = 77 + SCENE_KINDS * group + kind;
        speeds_mps[kind] = scene_random_between(&randoms[kind], 0.0, 30.0);
    }
    side sides[2] = {create_side(ground, speeds_mps), create_side(ground, speeds_mps)};
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        if (group / 2 % 2 == 1) {
            throw_both(sides, kind, &randoms[kind]);
        }
        if (group / 4 == 1) {
            damage_both(sides, kind, &randoms[kind]);
        }
    }
    drive_sides(sides, randoms, story);
    apex_world_destroy(sides[0].world);
    apex_world_destroy(sides[1].world);
}

TEST(a_mirrored_drive_is_the_same_drive) {
    // The one to begin with, as it may be the only one: thrown and damaged, over waves.
    enum { GROUPS = 12, FIRST_GROUP = 7 };
    scene_ground *waves = scene_ground_create(192.0, jumps);
    mirror_story story = {0};
    const uint32_t groups = (uint32_t)check_cases(GROUPS);
    for (uint32_t i = 0; i < groups; i++) {
        run_group((i + FIRST_GROUP) % GROUPS, waves, &story);
    }
    scene_ground_destroy(waves);
    ck_assert(groups < GROUPS || (story.flown > 20 && story.lying > 20 && story.clean > 20));
}
