// builds: float double
// Tests of books that must balance whatever a driver does: momentum against loads, tyres against
// friction, energy against the engine's work.
#include "test_physics_ledger.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>

enum { KINEMATIC = 6, MOTORCYCLE = 7, SUBSTEP_HZ = 240 };

typedef struct driven {
    apex_world *world;
    apex_car_id car;
    apex_car_def def;
    apex_controls controls;
    uint64_t random;
} driven;

static apex_car_def dry_car(uint32_t kind) {
    apex_car_def def = scene_car_kind(kind);
    def.fuel_kg_max = 0.0; // the ledger takes the centre of mass to be the body's
    return def;
}

// Every tick is a substep, so that the telemetry of each can be read.
static driven create_driven(const apex_car_def *def, const apex_ground *ground, uint64_t seed) {
    driven of = {.def = *def, .random = seed};
    apex_world_def world = scene_world_def(1);
    world.tick_hz = SUBSTEP_HZ;
    apex_car_type type;
    apex_placement at = {.yaw_rad = scene_random_between(&of.random, -0.3, 0.3),
                         .speed_mps = scene_random_between(&of.random, 0.0, 45.0)};
    ck_assert_int_eq(apex_world_create(&world, ground, NULL, &of.world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(of.world, &of.def, &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(of.world, type, &at, &of.car), APEX_OK);
    return of;
}

static void choose_controls(driven *of) {
    uint64_t bits = scene_random(&of->random);
    of->controls = (apex_controls){
        .steer = (int16_t)(bits & 0xffff),
        .throttle = bits & (1u << 16) ? 255 : (uint8_t)(bits >> 17),
        .brake = (bits >> 25 & 3) == 0 ? (uint8_t)(bits >> 28) : 0,
        .handbrake = (bits >> 36 & 7) == 0 ? 255 : 0,
        .clutch = (bits >> 40 & 15) == 0 ? 200 : 0,
        .aids_off = (bits >> 44 & 3) == 0 ? (uint8_t)(bits >> 46) : 0,
        .gear = APEX_GEAR_AUTOMATIC,
    };
}

static apex_car_work work_of(const driven *of) {
    apex_car_work work;
    ck_assert(apex_world_get_work(of->world, of->car, &work));
    return work;
}

// Upwards in the world. Hubs have a speed of their own along the body's vertical.
static double momentum_of(const driven *of) {
    ledger_car car = ledger_take(of->world, 0);
    const physics_numbers *numbers = &car.type->numbers;
    double mass = (double)numbers->mass_kg;
    double vertical = (mass - (double)numbers->unsprung_kg) * car.velocity[2];
    for (uint32_t w = 0; w < car.type->wheel_count; w++) {
        const physics_wheel_place *place = &car.type->wheels[w];
        double body =
            car.velocity[2] + car.turn[0] * (double)place->y_m - car.turn[1] * (double)place->x_m;
        vertical += (double)numbers->axles[place->axle].suspension.unsprung_kg *
                    (body + (double)car.car.wheels[w].travel_mps);
    }
    return mass * (car.axis[0][2] * car.velocity[0] + car.axis[1][2] * car.velocity[1]) +
           car.axis[2][2] * vertical;
}

// On level ground tyres push along the ground and straight up; the air does the rest.
static double upward_force(const driven *of, const apex_car_work *work) {
    ledger_car car = ledger_take(of->world, 0);
    double force = -of->def.mass_kg * 9.81;
    for (int w = 0; w < APEX_WHEELS_MAX; w++) {
        force += work->wheels[w].load_n;
    }
    double speed = sqrt(ledger_dot(car.velocity, car.velocity)), up = 0.0;
    for (int i = 0; i < 3; i++) {
        up += car.velocity[i] * car.axis[i][2];
    }
    force -= speed > 0.0 ? work->drag_n * up / speed : 0.0;
    return force - work->downforce_n * car.axis[2][2];
}

static void check_momentum(uint32_t kind, uint64_t seed) {
    apex_car_def def = dry_car(kind);
    driven of = create_driven(&def, scene_flat(), seed);
    // A leaning motorcycle's hubs move far from upright: their part of the momentum turns with it.
    double share = kind == MOTORCYCLE ? 0.2 : kind == 5 ? 2e-3 : 1e-4;
    double weight = of.def.mass_kg * 9.81, before = momentum_of(&of), gained = 0.0;
    double start = before;
    for (int i = 0; i < 6 * SUBSTEP_HZ; i++) {
        if (i % 60 == 0) {
            choose_controls(&of);
        }
        apex_world_step(of.world, &of.controls, NULL);
        if (ledger_of(of.world, 0).lowest_m < 0.03) {
            break; // the hull bears a part that no telemetry tells
        }
        apex_car_work work = work_of(&of);
        double force = upward_force(&of, &work), now = momentum_of(&of);
        ck_assert_msg(fabs((now - before) * SUBSTEP_HZ - force) < share * weight,
                      "kind %u, seed %d, substep %d: %g N", kind, (int)seed, i,
                      (now - before) * SUBSTEP_HZ - force);
        gained += force / SUBSTEP_HZ;
        before = now;
    }
    ck_assert_double_lt(fabs(before - start - gained), share * weight);
    apex_world_destroy(of.world);
}

TEST(loads_are_weight_and_what_lifts_the_masses) {
    for (uint32_t run = 0; run < 80; run++) {
        if (run % SCENE_KINDS != KINEMATIC) {
            check_momentum(run % SCENE_KINDS, 13 + run);
        }
    }
}

static double waves(double x_m, double y_m) {
    return 0.4 * sin(0.3 * x_m) * cos(0.2 * y_m);
}

// @return how often a tyre stood at its limit.
static int check_tyres(const driven *of) {
    apex_car_work work = work_of(of);
    uint32_t wheel = 0;
    int limits = 0;
    for (uint32_t a = 0; a < of->def.axle_count; a++) {
        const apex_tyre_def *tyre = &of->def.axles[a].tyre;
        for (int side = of->def.axles[a].track_width_m > 0.0 ? 0 : 1; side < 2; side++) {
            const apex_wheel_work *at = &work.wheels[wheel++];
            double grip = at->load_n * at->friction;
            ck_assert_double_ge(at->load_n, 0.0);
            if (grip == 0.0) {
                ck_assert_double_eq(at->force_long_n, 0.0);
                ck_assert_double_eq(at->force_lat_n, 0.0);
                continue;
            }
            double along = at->force_long_n / (grip * tyre->longitudinal.d);
            double across = at->force_lat_n / (grip * tyre->lateral.d);
            ck_assert_double_le(along * along + across * across, 1.0 + 1e-5);
            limits += along * along + across * across > 0.9;
        }
    }
    return limits;
}

TEST(no_tyre_gives_more_than_its_ellipse) {
    scene_ground *made = scene_ground_create(300.0, waves);
    int limits = 0;
    for (uint32_t run = 0; run < 48; run++) {
        if (run % SCENE_KINDS == KINEMATIC) {
            continue;
        }
        apex_car_def def = dry_car(run % SCENE_KINDS);
        driven of = create_driven(&def, scene_ground_of(made), 40 + run);
        for (int i = 0; i < 6 * SUBSTEP_HZ; i++) {
            if (i % 60 == 0) {
                choose_controls(&of);
            }
            apex_world_step(of.world, &of.controls, NULL);
            limits += check_tyres(&of);
        }
        apex_world_destroy(of.world);
    }
    scene_ground_destroy(made);
    ck_assert_int_gt(limits, 1000);
}

static double ramps(double x_m, double y_m) {
    (void)y_m;
    return x_m > 0.0 ? 1.2 * (1.0 - cos(x_m * 0.12)) : 0.0;
}

// The car's energy, less the engine's work since the start, may only fall. Not quite: a wheel is a
// substep's way in the ground before its tyre answers, a patch that is stretched to its peak has
// less in it than a straight spring would, a tumbling car's hubs are carried as if the body were
// all of it.
static void check_energy(driven *of, bool is_driven) {
    apex_car_state state;
    ck_assert(apex_world_get_car(of->world, of->car, &state));
    double engine = state.engine_radps, given = 0.0, least = 1e18, first = 0.0;
    for (int i = 0; i < 8 * SUBSTEP_HZ; i++) {
        if (is_driven && i % 60 == 0) {
            choose_controls(of);
        }
        apex_world_step(of->world, &of->controls, NULL);
        apex_car_work work = work_of(of);
        ck_assert(apex_world_get_car(of->world, of->car, &state));
        given += work.engine_torque_nm * 0.5 * (engine + state.engine_radps) / SUBSTEP_HZ;
        engine = state.engine_radps;
        ledger now = ledger_of(of->world, 0);
        first = i == 0 ? now.all_j : first;
        least = fmin(least, now.all_j - given);
        double regained = now.all_j - given - least;
        double allowed = 0.3 * of->def.mass_kg + 1e-3 * now.moving_j;
        ck_assert_msg(regained < allowed, "%s gains %g J after %g s", of->def.name, regained,
                      (double)i / SUBSTEP_HZ);
    }
    ck_assert(is_driven || least < 0.99 * first); // it does lose some
}

static void run_energy(bool is_driven) {
    scene_ground *made = scene_ground_create(400.0, ramps);
    for (uint32_t run = 0; run < 64; run++) {
        uint32_t kind = run % SCENE_KINDS;
        if (kind == KINEMATIC || kind == MOTORCYCLE) {
            continue; // the first has no masses, the other's rider has muscles
        }
        const apex_ground *ground = run / 8 % 2 == 0 ? scene_ground_of(made) : scene_flat();
        apex_car_def def = dry_car(kind);
        // Lift acts along the body's vertical wherever the air comes from, so it may do work.
        def.aero.lift_front_m2 = def.aero.lift_rear_m2 = 0.0;
        driven of = create_driven(&def, ground, 91 + 31 * run);
        check_energy(&of, is_driven);
        apex_world_destroy(of.world);
    }
    scene_ground_destroy(made);
}

TEST(who_coasts_gains_nothing) {
    run_energy(false);
}

TEST(who_drives_gains_no_more_than_the_engine_gives) {
    run_energy(true);
}

// A wheel that spun on the spot and is let go stops: its contact patch keeps no more than what
// sticks, or it would spin backwards. One substep of full grip, 5 rad/s, it may overshoot.
TEST(a_wheel_let_go_does_not_unwind) {
    for (uint32_t kind = 0; kind < 6; kind++) {
        apex_car_def def = dry_car(kind);
        driven of = create_driven(&def, scene_flat(), 1);
        apex_placement at = {0};
        apex_world_place_car(of.world, of.car, &at);
        apex_car_state state;
        ck_assert(apex_world_get_car(of.world, of.car, &state));
        for (int w = 0; w < 4; w++) {
            state.wheels[w].spin_radps = 7.0;
            state.wheels[w].deflection_long_m = 0.1;
        }
        ck_assert(apex_world_set_car(of.world, of.car, &state));
        double backwards = 0.0;
        for (int i = 0; i < SUBSTEP_HZ; i++) {
            apex_world_step(of.world, &of.controls, NULL);
            ck_assert(apex_world_get_car(of.world, of.car, &state));
            for (int w = 0; w < 4; w++) {
                backwards = fmin(backwards, state.wheels[w].spin_radps);
            }
        }
        ck_assert_msg(backwards > -6.0, "kind %u unwinds to %g rad/s", kind, backwards);
        apex_world_destroy(of.world);
    }
}
