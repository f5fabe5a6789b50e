// builds: float double
// Cars that fall: on their roof, their side, their nose, half into the ground. They end lying
// still, gain nothing on the way, and stand up again when they are put back.
#include "test_physics_ledger.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>

enum { KINEMATIC = 6, SUBSTEP_HZ = 240 };

/// Cars of all kinds that have forces, in one world. They are ghosts, so that each falls as if it
/// were alone, and a block of them takes no longer than one.
typedef struct fallers {
    apex_world *world;
    uint32_t count;
    uint32_t kinds[SCENE_KINDS]; // [slot]
    apex_car_id cars[SCENE_KINDS];
    apex_car_def defs[SCENE_KINDS];
    apex_controls controls[SCENE_KINDS]; // zero: coasts in neutral
    bool stopped_bad;
} fallers;

static void add_faller(fallers *of, uint32_t kind) {
    uint32_t slot = of->count++;
    apex_car_type type;
    apex_placement at = {.x_m = 0.25};
    of->kinds[slot] = kind;
    of->defs[slot] = scene_car_kind(kind);
    of->defs[slot].fuel_kg_max = 0.0; // the ledger takes the centre of mass to be the body's
    ck_assert_int_eq(apex_world_add_type(of->world, &of->defs[slot], &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(of->world, type, &at, &of->cars[slot]), APEX_OK);
    ck_assert_uint_eq(of->cars[slot].index1, slot + 1);
    apex_world_ghost_car(of->world, of->cars[slot], true);
}

// Every tick is a substep, so that nothing between two looks is missed.
static fallers create_fallers(uint32_t kinds, const apex_ground *ground) {
    fallers of = {.count = 0};
    apex_world_def world = scene_world_def(SCENE_KINDS);
    world.tick_hz = SUBSTEP_HZ;
    ck_assert_int_eq(apex_world_create(&world, ground, NULL, &of.world), APEX_OK);
    for (uint32_t kind = 0; kind < kinds; kind++) {
        if (kind != KINEMATIC) {
            add_faller(&of, kind);
        }
    }
    return of;
}

static apex_car_state state_of(const fallers *of, uint32_t slot) {
    apex_car_state state;
    ck_assert(apex_world_get_car(of->world, of->cars[slot], &state));
    return state;
}

static void step(fallers *of) {
    apex_world_step(of->world, of->controls, NULL);
    size_t count;
    const apex_car_event *events = apex_world_car_events(of->world, &count);
    for (size_t i = 0; i < count; i++) {
        of->stopped_bad = of->stopped_bad || events[i].kind == APEX_CAR_STOPPED_BAD;
    }
}

static void run_seconds(fallers *of, double seconds) {
    for (int i = 0; i < (int)(seconds * SUBSTEP_HZ); i++) {
        step(of);
    }
}

// Turned by an angle about one of the body's axes, so high that nothing touches, at rest.
static void pose(fallers *of, int axis, double angle_rad, double height_m) {
    for (uint32_t slot = 0; slot < of->count; slot++) {
        apex_car_state state = state_of(of, slot);
        for (int i = 0; i < 4; i++) {
            state.orientation[i] = i == 0 ? cos(0.5 * angle_rad) : 0.0;
        }
        state.orientation[1 + axis] = sin(0.5 * angle_rad);
        state.position_m[2] += height_m;
        ck_assert(apex_world_set_car(of->world, of->cars[slot], &state));
    }
}

static void throw_somehow(fallers *of, uint32_t slot, uint64_t *random) {
    apex_car_state state = state_of(of, slot);
    double norm = 0.0;
    for (int i = 0; i < 4; i++) {
        state.orientation[i] = scene_random_between(random, -1.0, 1.0);
        norm += state.orientation[i] * state.orientation[i];
    }
    for (int i = 0; i < 4; i++) {
        state.orientation[i] /= sqrt(norm);
    }
    for (int i = 0; i < 3; i++) {
        state.velocity_mps[i] = scene_random_between(random, -15.0, 15.0);
        state.angular_radps[i] = scene_random_between(random, -6.0, 6.0);
    }
    state.position_m[2] = scene_random_between(random, 4.5, 12.0);
    ck_assert(apex_world_set_car(of->world, of->cars[slot], &state));
}

static double way_between(const apex_car_state *a, const apex_car_state *b) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        double d = a->position_m[i] - b->position_m[i];
        square += d * d;
    }
    return sqrt(square);
}

// A fall's energy may swing by a little of what moves: hubs are carried through a tumble as if the
// body were all of the car, and a wheel is up to a substep's way in the ground before its tyre
// answers.
static void check_flight(fallers *of, int number) {
    double most[SCENE_KINDS];
    for (uint32_t slot = 0; slot < of->count; slot++) {
        most[slot] = ledger_of(of->world, slot).all_j * 1.015;
    }
    for (int i = 0; i < 10 * SUBSTEP_HZ; i++) {
        step(of);
        for (uint32_t slot = 0; slot < of->count; slot++) {
            ledger now = ledger_of(of->world, slot);
            ck_assert_msg(now.all_j <= most[slot], "kind %u, fall %d: %g J from %g J",
                          of->kinds[slot], number, now.all_j, most[slot] / 1.015);
            ck_assert_msg(now.lowest_m > -0.5, "kind %u, fall %d: %g m deep", of->kinds[slot],
                          number, -now.lowest_m);
        }
    }
    ck_assert_msg(!of->stopped_bad, "fall %d", number);
}

static void check_fall(fallers *of, int number) {
    apex_car_state then[SCENE_KINDS];
    check_flight(of, number);
    for (uint32_t slot = 0; slot < of->count; slot++) {
        then[slot] = state_of(of, slot);
    }
    run_seconds(of, 2.0);
    for (uint32_t slot = 0; slot < of->count; slot++) {
        apex_car_state now = state_of(of, slot);
        ledger rest = ledger_of(of->world, slot);
        ck_assert_double_gt(rest.lowest_m, -0.02);
        bool rolls_away = rest.up > 0.9; // on its wheels, in neutral
        ck_assert_msg(rolls_away || way_between(&then[slot], &now) < 1e-4,
                      "kind %u, fall %d: creeps %g m lying at %g", of->kinds[slot], number,
                      way_between(&then[slot], &now), rest.up);
    }
}

TEST(whatever_falls_ends_lying_still) {
    const int falls = check_cases(15);
    uint64_t random = 8;
    int lying = 0, standing = 0;
    for (int number = 0; number < falls; number++) {
        fallers of = create_fallers(SCENE_KINDS, scene_flat());
        for (uint32_t slot = 0; slot < of.count; slot++) {
            throw_somehow(&of, slot, &random);
        }
        check_fall(&of, number);
        for (uint32_t slot = 0; slot < of.count; slot++) {
            double up = ledger_of(of.world, slot).up;
            lying += up < 0.5;
            standing += up > 0.9;
        }
        apex_world_destroy(of.world);
    }
    ck_assert_int_gt(lying, 20 * falls / 15);
    ck_assert_int_gt(standing, 20 * falls / 15);
}

TEST(from_ten_metres_on_roof_side_and_nose) {
    static const struct {
        int axis;
        double angle_rad;
    } POSE[] = {{0, 3.14159265}, {0, 1.5707963},  {0, -1.5707963}, {1, 1.5707963},
                {1, -1.5707963}, {1, 3.14159265}, {0, 0.0}};
    const int poses = check_cases(sizeof POSE / sizeof *POSE);
    for (int p = 0; p < poses; p++) {
        fallers of = create_fallers(SCENE_KINDS, scene_flat());
        pose(&of, POSE[p].axis, POSE[p].angle_rad, 10.0);
        check_fall(&of, p);
        apex_world_destroy(of.world);
    }
}

/// The landings of a car, and its speed upwards at the first.
typedef struct landing {
    int count;
    double up_mps;
} landing;

static void note_landings(const fallers *of, landing landings[SCENE_KINDS]) {
    size_t count;
    const apex_car_event *events = apex_world_car_events(of->world, &count);
    for (size_t e = 0; e < count; e++) {
        if (events[e].kind == APEX_CAR_LANDED) {
            landing *at = &landings[events[e].car.index1 - 1];
            at->up_mps = at->count++ == 0 ? events[e].value : at->up_mps;
        }
    }
}

TEST(a_roof_holds_and_is_no_flight) {
    fallers of = create_fallers(SCENE_KINDS, scene_flat());
    landing landings[SCENE_KINDS] = {{0}};
    pose(&of, 0, 3.14159265, 2.0);
    for (int i = 0; i < 3 * SUBSTEP_HZ; i++) {
        step(&of);
        note_landings(&of, landings);
    }
    for (uint32_t slot = 0; slot < of.count; slot++) {
        const apex_hull_def *hull = &of.defs[slot].hull;
        double fall = 2.0 + of.defs[slot].com_height_m - (0.5 * hull->height_m + hull->centre_z_m);
        ck_assert_int_ge(landings[slot].count, 1);
        // Before the blow.
        ck_assert_double_eq_tol(landings[slot].up_mps, -sqrt(2.0 * 9.81 * fall), 0.1);
        apex_car_state state = state_of(&of, slot);
        ck_assert(!state.airborne);
        ck_assert_double_eq(state.velocity_mps[2], 0.0);
        ck_assert_double_lt(ledger_of(of.world, slot).up, 0.0);
        apex_placement back = {.speed_mps = 5.0};
        apex_world_place_car(of.world, of.cars[slot], &back);
    }
    run_seconds(&of, 1.0);
    for (uint32_t slot = 0; slot < of.count; slot++) {
        ck_assert_double_gt(ledger_of(of.world, slot).up, 0.99);
        ck_assert_double_gt(state_of(&of, slot).position_m[0], 4.0);
    }
    apex_world_destroy(of.world);
}

// A hull has no restitution on the ground: a roof that lands flat stays down, after 5.4 m/s and
// more.
TEST(a_roof_does_not_bounce) {
    fallers of = create_fallers(SCENE_KINDS, scene_flat());
    double fastest_mps[SCENE_KINDS] = {0.0};
    bool has_landed[SCENE_KINDS] = {false};
    pose(&of, 0, 3.14159265, 2.0);
    for (int i = 0; i < 2 * SUBSTEP_HZ; i++) {
        step(&of);
        for (uint32_t slot = 0; slot < of.count; slot++) {
            double up_mps = state_of(&of, slot).velocity_mps[2];
            has_landed[slot] = has_landed[slot] || (fastest_mps[slot] < -5.0 && up_mps > -1.0);
            fastest_mps[slot] = fmin(fastest_mps[slot], up_mps);
            ck_assert_msg(!has_landed[slot] || up_mps < 0.005, "kind %u bounces with %g m/s",
                          of.kinds[slot], up_mps);
        }
    }
    for (uint32_t slot = 0; slot < of.count; slot++) {
        ck_assert(has_landed[slot]);
    }
    apex_world_destroy(of.world);
}

// Nose down by 23 degrees and at 4 m/s; the nose is `height_m` above the ground.
static scene_solo drop_on_the_nose(const apex_car_def *def, double height_m) {
    const double PITCH_RAD = 0.4;
    apex_world_def world = scene_world_def(1);
    world.tick_hz = SUBSTEP_HZ;
    scene_solo solo = scene_solo_create_in(&world, def, scene_flat());
    apex_car_state state = scene_solo_state(&solo);
    double ahead_m = def->hull.centre_x_m + 0.5 * def->hull.length_m;
    double below_m = 0.5 * def->hull.height_m - def->hull.centre_z_m;
    state.orientation[0] = cos(0.5 * PITCH_RAD);
    state.orientation[2] = sin(0.5 * PITCH_RAD);
    state.position_m[2] = height_m + ahead_m * sin(PITCH_RAD) + below_m * cos(PITCH_RAD);
    state.velocity_mps[2] = -4.0;
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    return solo;
}

// The two corners of a nose bear a weight of the car each at first, two at 10 cm: the car loses 2 g
// times a substep in each, however fast it came. Were the nose hard, it would stop within one. What
// springs and air do to it is seen on one that falls beside it, high up.
TEST(a_nose_takes_the_ground_gently) {
    const double WEIGHT_MPS = 9.81 / SUBSTEP_HZ, WAY_M = 4.0 / SUBSTEP_HZ;
    apex_car_def def = scene_corvette();
    def.hull.rounding_m = 0.0;
    scene_solo lands = drop_on_the_nose(&def, 0.5 * WAY_M), flies = drop_on_the_nose(&def, 5.0);
    double before_mps = 0.0;
    for (int i = 0; i < 3; i++) {
        scene_solo_run(&lands, 1);
        scene_solo_run(&flies, 1);
        double now_mps =
            scene_solo_state(&lands).velocity_mps[2] - scene_solo_state(&flies).velocity_mps[2];
        double weights = (now_mps - before_mps) / WEIGHT_MPS, depth = (i - 0.5) * WAY_M / 0.1;
        double wanted = 2.0 * (1.0 + (i > 0 ? depth * depth * depth : 0.0));
        ck_assert_double_lt(weights, wanted + 0.05);
        ck_assert_double_gt(weights, i > 0 ? wanted - 0.05 : 0.0);
        before_mps = now_mps;
    }
    scene_solo_destroy(&lands);
    scene_solo_destroy(&flies);
}

TEST(half_in_the_ground_comes_out_without_a_leap) {
    for (int turned = 0; turned < 3; turned++) {
        fallers of = create_fallers(SCENE_KINDS, scene_flat());
        double top[SCENE_KINDS] = {0.0};
        pose(&of, 0, turned * 1.5707963, 0.0);
        for (uint32_t slot = 0; slot < of.count; slot++) {
            apex_car_state state = state_of(&of, slot);
            state.position_m[2] = 0.0;
            ck_assert(apex_world_set_car(of.world, of.cars[slot], &state));
        }
        for (int i = 0; i < 6 * SUBSTEP_HZ; i++) {
            step(&of);
            for (uint32_t slot = 0; slot < of.count; slot++) {
                top[slot] = fmax(top[slot], ledger_of(of.world, slot).lowest_wheel_m);
            }
        }
        ck_assert(!of.stopped_bad);
        for (uint32_t slot = 0; slot < of.count; slot++) {
            ck_assert_msg(turned > 0 || top[slot] < 2.0, "kind %u leaps %g m", of.kinds[slot],
                          top[slot]);
            ck_assert_double_gt(ledger_of(of.world, slot).lowest_m, -0.02);
        }
        apex_world_destroy(of.world);
    }
}

static double slope_of_30_percent(double x_m, double y_m) {
    (void)y_m;
    return 0.3 * x_m;
}

TEST(a_roof_on_a_slope_stays_or_slides_as_friction_says) {
    scene_ground *made = scene_ground_create(320.0, slope_of_30_percent);
    for (int icy = 0; icy < 2; icy++) {
        apex_ground ground = *scene_ground_of(made);
        apex_ground_tile *tiles = calloc(ground.tile_count, sizeof *tiles);
        ck_assert_ptr_nonnull(tiles);
        memcpy(tiles, ground.tiles, ground.tile_count * sizeof *tiles);
        for (uint32_t t = 0; icy && t < ground.tile_count; t++) {
            memset(tiles[t].surface, SCENE_ICE, sizeof tiles[t].surface);
        }
        ground.tiles = tiles;
        fallers of = create_fallers(1, &ground);
        pose(&of, 0, 3.14159265, 1.2);
        run_seconds(&of, 4.0);
        apex_car_state then = state_of(&of, 0);
        run_seconds(&of, 2.0);
        apex_car_state now = state_of(&of, 0);
        if (icy) {
            // 0.7 times 0.1 of friction against a slope of 0.3, along it.
            double gain = 2.0 * 9.81 * (0.3 - 0.07) / sqrt(1.09);
            double speed = hypot(now.velocity_mps[0], now.velocity_mps[2]) -
                           hypot(then.velocity_mps[0], then.velocity_mps[2]);
            ck_assert_double_eq_tol(speed, gain, 0.05 * gain);
        } else {
            ck_assert_double_lt(way_between(&then, &now), 1e-4);
        }
        apex_world_destroy(of.world);
        free(tiles);
    }
    scene_ground_destroy(made);
}
