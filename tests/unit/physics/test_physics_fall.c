// builds: float double
// Cars that fall: on their roof, their side, their nose, half into the ground. They end lying
// still, gain nothing on the way, and stand up again when they are put back.
#include "test_physics_ledger.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>

enum { KINEMATIC = 6, SUBSTEP_HZ = 240 };

typedef struct faller {
    apex_world *world;
    apex_car_id car;
    apex_car_def def;
    apex_controls controls; // zero: coasts in neutral
    bool stopped_bad;
} faller;

// Every tick is a substep, so that nothing between two looks is missed.
static faller create_faller(uint32_t kind, const apex_ground *ground) {
    faller of = {.def = scene_car_kind(kind)};
    of.def.fuel_kg_max = 0.0; // the ledger takes the centre of mass to be the body's
    apex_world_def world = scene_world_def(1);
    world.tick_hz = SUBSTEP_HZ;
    apex_car_type type;
    apex_placement at = {.x_m = 0.25};
    ck_assert_int_eq(apex_world_create(&world, ground, NULL, &of.world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(of.world, &of.def, &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(of.world, type, &at, &of.car), APEX_OK);
    return of;
}

static apex_car_state state_of(const faller *of) {
    apex_car_state state;
    ck_assert(apex_world_get_car(of->world, of->car, &state));
    return state;
}

static void step(faller *of) {
    apex_world_step(of->world, &of->controls, NULL);
    size_t count;
    const apex_car_event *events = apex_world_car_events(of->world, &count);
    for (size_t i = 0; i < count; i++) {
        of->stopped_bad = of->stopped_bad || events[i].kind == APEX_CAR_STOPPED_BAD;
    }
}

static void run_seconds(faller *of, double seconds) {
    for (int i = 0; i < (int)(seconds * SUBSTEP_HZ); i++) {
        step(of);
    }
}

// Turned by an angle about one of the body's axes, so high that nothing touches, at rest.
static void pose(faller *of, int axis, double angle_rad, double height_m) {
    apex_car_state state = state_of(of);
    for (int i = 0; i < 4; i++) {
        state.orientation[i] = i == 0 ? cos(0.5 * angle_rad) : 0.0;
    }
    state.orientation[1 + axis] = sin(0.5 * angle_rad);
    state.position_m[2] += height_m;
    ck_assert(apex_world_set_car(of->world, of->car, &state));
}

static void throw_somehow(faller *of, uint64_t *random) {
    apex_car_state state = state_of(of);
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
    ck_assert(apex_world_set_car(of->world, of->car, &state));
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
static void check_fall(faller *of, uint32_t kind, int number) {
    ledger from = ledger_of(of->world, 0);
    double most = from.all_j * 1.015;
    for (int i = 0; i < 10 * SUBSTEP_HZ; i++) {
        step(of);
        ledger now = ledger_of(of->world, 0);
        ck_assert_msg(now.all_j <= most, "kind %u, fall %d: %g J from %g J", kind, number,
                      now.all_j, from.all_j);
        ck_assert_msg(now.lowest_m > -0.5, "kind %u, fall %d: %g m deep", kind, number,
                      -now.lowest_m);
    }
    ck_assert_msg(!of->stopped_bad, "kind %u, fall %d", kind, number);
    apex_car_state then = state_of(of);
    run_seconds(of, 2.0);
    apex_car_state now = state_of(of);
    ledger rest = ledger_of(of->world, 0);
    ck_assert_double_gt(rest.lowest_m, -0.02);
    bool rolls_away = rest.up > 0.9; // on its wheels, in neutral
    ck_assert_msg(rolls_away || way_between(&then, &now) < 1e-4,
                  "kind %u, fall %d: creeps %g m lying at %g", kind, number,
                  way_between(&then, &now), rest.up);
}

TEST(whatever_falls_ends_lying_still) {
    uint64_t random = 8;
    int lying = 0, standing = 0;
    for (int number = 0; number < 120; number++) {
        uint32_t kind = (uint32_t)number % SCENE_KINDS;
        if (kind == KINEMATIC) {
            continue;
        }
        faller of = create_faller(kind, scene_flat());
        throw_somehow(&of, &random);
        check_fall(&of, kind, number);
        double up = ledger_of(of.world, 0).up;
        lying += up < 0.5;
        standing += up > 0.9;
        apex_world_destroy(of.world);
    }
    ck_assert_int_gt(lying, 20);
    ck_assert_int_gt(standing, 20);
}

TEST(from_ten_metres_on_roof_side_and_nose) {
    static const struct {
        int axis;
        double angle_rad;
    } POSE[] = {{0, 3.14159265}, {0, 1.5707963},  {0, -1.5707963}, {1, 1.5707963},
                {1, -1.5707963}, {1, 3.14159265}, {0, 0.0}};
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        for (size_t p = 0; kind != KINEMATIC && p < sizeof POSE / sizeof *POSE; p++) {
            faller of = create_faller(kind, scene_flat());
            pose(&of, POSE[p].axis, POSE[p].angle_rad, 10.0);
            check_fall(&of, kind, (int)p);
            apex_world_destroy(of.world);
        }
    }
}

TEST(a_roof_holds_and_is_no_flight) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        if (kind == KINEMATIC) {
            continue;
        }
        faller of = create_faller(kind, scene_flat());
        pose(&of, 0, 3.14159265, 2.0);
        int landed = 0;
        double down_mps = 0.0;
        for (int i = 0; i < 3 * SUBSTEP_HZ; i++) {
            step(&of);
            size_t count;
            const apex_car_event *events = apex_world_car_events(of.world, &count);
            for (size_t e = 0; e < count; e++) {
                if (events[e].kind == APEX_CAR_LANDED) {
                    down_mps = landed++ == 0 ? events[e].value : down_mps;
                }
            }
        }
        const apex_hull_def *hull = &of.def.hull;
        double fall = 2.0 + of.def.com_height_m - (0.5 * hull->height_m + hull->centre_z_m);
        ck_assert_int_ge(landed, 1);
        ck_assert_double_eq_tol(down_mps, -sqrt(2.0 * 9.81 * fall), 0.1); // before the blow
        apex_car_state state = state_of(&of);
        ck_assert(!state.airborne);
        ck_assert_double_eq(state.velocity_mps[2], 0.0);
        ck_assert_double_lt(ledger_of(of.world, 0).up, 0.0);
        apex_placement back = {.speed_mps = 5.0};
        apex_world_place_car(of.world, of.car, &back);
        run_seconds(&of, 1.0);
        ck_assert_double_gt(ledger_of(of.world, 0).up, 0.99);
        ck_assert_double_gt(state_of(&of).position_m[0], 4.0);
        apex_world_destroy(of.world);
    }
}

TEST(half_in_the_ground_comes_out_without_a_leap) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        for (int turned = 0; kind != KINEMATIC && turned < 3; turned++) {
            faller of = create_faller(kind, scene_flat());
            pose(&of, 0, turned * 1.5707963, 0.0);
            apex_car_state state = state_of(&of);
            state.position_m[2] = 0.0;
            ck_assert(apex_world_set_car(of.world, of.car, &state));
            double top = 0.0;
            for (int i = 0; i < 6 * SUBSTEP_HZ; i++) {
                step(&of);
                top = fmax(top, ledger_of(of.world, 0).lowest_wheel_m);
            }
            ck_assert(!of.stopped_bad);
            ck_assert_msg(turned > 0 || top < 2.0, "kind %u leaps %g m", kind, top);
            ck_assert_double_gt(ledger_of(of.world, 0).lowest_m, -0.02);
            apex_world_destroy(of.world);
        }
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
        faller of = create_faller(0, &ground);
        pose(&of, 0, 3.14159265, 1.2);
        run_seconds(&of, 4.0);
        apex_car_state then = state_of(&of);
        run_seconds(&of, 2.0);
        apex_car_state now = state_of(&of);
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
