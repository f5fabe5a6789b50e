// builds: float double
// Tests of books that must balance whatever a driver does: momentum against loads, tyres against
// friction, energy against the engine's work.
#include "test_physics_ledger.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>

enum { KINEMATIC = 6, MOTORCYCLE = 7, SUBSTEP_HZ = 240 };

/// Cars in one world, each with a driver of its own. They are ghosts, so that each drives as if it
/// were alone, and a block of them takes no longer than one.
typedef struct drivers {
    apex_world *world;
    uint32_t count;
    uint32_t kinds[SCENE_KINDS]; // [slot]
    apex_car_id cars[SCENE_KINDS];
    apex_car_def defs[SCENE_KINDS];
    apex_controls controls[SCENE_KINDS];
    uint64_t randoms[SCENE_KINDS], seeds[SCENE_KINDS];
} drivers;

static apex_car_def dry_car(uint32_t kind) {
    apex_car_def def = scene_car_kind(kind);
    def.fuel_kg_max = 0.0; // the ledger takes the centre of mass to be the body's
    return def;
}

// Every tick is a substep, so that the telemetry of each can be read.
static drivers open_road(const apex_ground *ground) {
    drivers of = {.count = 0};
    apex_world_def world = scene_world_def(SCENE_KINDS);
    world.tick_hz = SUBSTEP_HZ;
    ck_assert_int_eq(apex_world_create(&world, ground, NULL, &of.world), APEX_OK);
    return of;
}

static void add_driver(drivers *of, uint32_t kind, const apex_car_def *def, uint64_t seed) {
    uint32_t slot = of->count++;
    uint64_t *random = &of->randoms[slot];
    apex_car_type type;
    of->kinds[slot] = kind;
    of->defs[slot] = *def;
    of->seeds[slot] = *random = seed;
    apex_placement at = {.yaw_rad = scene_random_between(random, -0.3, 0.3)};
    at.speed_mps = scene_random_between(random, 0.0, 45.0);
    ck_assert_int_eq(apex_world_add_type(of->world, def, &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(of->world, type, &at, &of->cars[slot]), APEX_OK);
    ck_assert_uint_eq(of->cars[slot].index1, slot + 1);
    apex_world_ghost_car(of->world, of->cars[slot], true);
}

static void choose_controls(drivers *of, uint32_t slot) {
    uint64_t bits = scene_random(&of->randoms[slot]);
    of->controls[slot] = (apex_controls){
        .steer = (int16_t)(bits & 0xffff),
        .throttle = bits & (1u << 16) ? 255 : (uint8_t)(bits >> 17),
        .brake = (bits >> 25 & 3) == 0 ? (uint8_t)(bits >> 28) : 0,
        .handbrake = (bits >> 36 & 7) == 0 ? 255 : 0,
        .clutch = (bits >> 40 & 15) == 0 ? 200 : 0,
        .aids_off = (bits >> 44 & 3) == 0 ? (uint8_t)(bits >> 46) : 0,
        .gear = APEX_GEAR_AUTOMATIC,
    };
}

// New ones for everybody four times a second, then one step.
static void drive_on(drivers *of, int tick) {
    for (uint32_t slot = 0; tick % 60 == 0 && slot < of->count; slot++) {
        choose_controls(of, slot);
    }
    apex_world_step(of->world, of->controls, NULL);
}

static apex_car_work work_of(const drivers *of, uint32_t slot) {
    apex_car_work work;
    ck_assert(apex_world_get_work(of->world, of->cars[slot], &work));
    return work;
}

// Upwards in the world. Hubs have a speed of their own along the body's vertical.
static double momentum_of(const drivers *of, uint32_t slot) {
    ledger_car car = ledger_take(of->world, slot);
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
static double upward_force(const drivers *of, uint32_t slot, const apex_car_work *work) {
    ledger_car car = ledger_take(of->world, slot);
    double force = -of->defs[slot].mass_kg * 9.81;
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

/// The upward momentum of a car: at the start, before a substep, and what has come to it.
typedef struct momentum_book {
    double start, before, gained;
    bool is_closed;
} momentum_book;

// A leaning motorcycle's hubs move far from upright: their part of the momentum turns with it.
static double momentum_tolerance(const drivers *of, uint32_t slot) {
    uint32_t kind = of->kinds[slot];
    double share = kind == MOTORCYCLE ? 0.2 : kind == 5 ? 2e-3 : 1e-4;
    return share * of->defs[slot].mass_kg * 9.81;
}

static void book_momentum(const drivers *of, uint32_t slot, int tick, momentum_book *book) {
    apex_car_work work = work_of(of, slot);
    double force = upward_force(of, slot, &work), now = momentum_of(of, slot);
    double off = (now - book->before) * SUBSTEP_HZ - force;
    ck_assert_msg(fabs(off) < momentum_tolerance(of, slot), "kind %u, seed %d, substep %d: %g N",
                  of->kinds[slot], (int)of->seeds[slot], tick, off);
    book->gained += force / SUBSTEP_HZ;
    book->before = now;
}

static void check_momenta(drivers *of) {
    momentum_book books[SCENE_KINDS] = {{0}};
    for (uint32_t slot = 0; slot < of->count; slot++) {
        books[slot].start = books[slot].before = momentum_of(of, slot);
    }
    for (int tick = 0; tick < 6 * SUBSTEP_HZ; tick++) {
        drive_on(of, tick);
        for (uint32_t slot = 0; slot < of->count; slot++) {
            momentum_book *book = &books[slot];
            // The hull bears a part that no telemetry tells.
            book->is_closed = book->is_closed || ledger_of(of->world, slot).lowest_m < 0.03;
            if (!book->is_closed) {
                book_momentum(of, slot, tick, book);
            }
        }
    }
    for (uint32_t slot = 0; slot < of->count; slot++) {
        const momentum_book *book = &books[slot];
        ck_assert_double_lt(fabs(book->before - book->start - book->gained),
                            momentum_tolerance(of, slot));
    }
}

TEST(loads_are_weight_and_what_lifts_the_masses) {
    const uint32_t rounds = (uint32_t)check_cases(10);
    for (uint32_t round = 0; round < rounds; round++) {
        drivers of = open_road(scene_flat());
        for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
            apex_car_def def = dry_car(kind);
            if (kind != KINEMATIC) {
                add_driver(&of, kind, &def, 13 + SCENE_KINDS * round + kind);
            }
        }
        check_momenta(&of);
        apex_world_destroy(of.world);
    }
}

static double waves(double x_m, double y_m) {
    return 0.4 * sin(0.3 * x_m) * cos(0.2 * y_m);
}

// @return how often a tyre stood at its limit.
static int check_tyres(const drivers *of, uint32_t slot) {
    apex_car_work work = work_of(of, slot);
    const apex_car_def *def = &of->defs[slot];
    uint32_t wheel = 0;
    int limits = 0;
    for (uint32_t a = 0; a < def->axle_count; a++) {
        const apex_tyre_def *tyre = &def->axles[a].tyre;
        for (int side = def->axles[a].track_width_m > 0.0 ? 0 : 1; side < 2; side++) {
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
    const uint32_t rounds = (uint32_t)check_cases(6);
    int limits = 0;
    for (uint32_t round = 0; round < rounds; round++) {
        drivers of = open_road(scene_ground_of(made));
        for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
            apex_car_def def = dry_car(kind);
            if (kind != KINEMATIC) {
                add_driver(&of, kind, &def, 40 + SCENE_KINDS * round + kind);
            }
        }
        for (int tick = 0; tick < 6 * SUBSTEP_HZ; tick++) {
            drive_on(&of, tick);
            for (uint32_t slot = 0; slot < of.count; slot++) {
                limits += check_tyres(&of, slot);
            }
        }
        apex_world_destroy(of.world);
    }
    scene_ground_destroy(made);
    ck_assert_int_gt(limits, 1000 * (int)rounds / 6);
}

static double ramps(double x_m, double y_m) {
    (void)y_m;
    return x_m > 0.0 ? 1.2 * (1.0 - cos(x_m * 0.12)) : 0.0;
}

// The car's energy, less the engine's work since the start, may only fall. Not quite: a wheel is a
// substep's way in the ground before its tyre answers, a patch that is stretched to its peak has
// less in it than a straight spring would, a tumbling car's hubs are carried as if the body were
// all of it.
typedef struct energy_book {
    double engine_radps, given_j, least_j, first_j;
} energy_book;

static void book_energy(const drivers *of, uint32_t slot, int tick, energy_book *book) {
    apex_car_state state;
    apex_car_work work = work_of(of, slot);
    ck_assert(apex_world_get_car(of->world, of->cars[slot], &state));
    double mean_radps = 0.5 * (book->engine_radps + state.engine_radps);
    book->given_j += work.engine_torque_nm * mean_radps / SUBSTEP_HZ;
    book->engine_radps = state.engine_radps;
    ledger now = ledger_of(of->world, slot);
    book->first_j = tick == 0 ? now.all_j : book->first_j;
    book->least_j = fmin(book->least_j, now.all_j - book->given_j);
    double regained = now.all_j - book->given_j - book->least_j;
    double allowed = 0.3 * of->defs[slot].mass_kg + 1e-3 * now.moving_j;
    ck_assert_msg(regained < allowed, "%s gains %g J after %g s", of->defs[slot].name, regained,
                  (double)tick / SUBSTEP_HZ);
}

static void check_energy(drivers *of, bool is_driven) {
    energy_book books[SCENE_KINDS];
    for (uint32_t slot = 0; slot < of->count; slot++) {
        apex_car_state state;
        ck_assert(apex_world_get_car(of->world, of->cars[slot], &state));
        books[slot] = (energy_book){.engine_radps = state.engine_radps, .least_j = 1e18};
    }
    for (int tick = 0; tick < 8 * SUBSTEP_HZ; tick++) {
        if (is_driven) {
            drive_on(of, tick);
        } else {
            apex_world_step(of->world, of->controls, NULL);
        }
        for (uint32_t slot = 0; slot < of->count; slot++) {
            book_energy(of, slot, tick, &books[slot]);
        }
    }
    for (uint32_t slot = 0; slot < of->count; slot++) { // it does lose some
        ck_assert(is_driven || books[slot].least_j < 0.99 * books[slot].first_j);
    }
}

static void run_energy(bool is_driven) {
    scene_ground *made = scene_ground_create(400.0, ramps);
    const uint32_t rounds = (uint32_t)check_cases(8);
    for (uint32_t round = 0; round < rounds; round++) {
        drivers of = open_road(round % 2 == 0 ? scene_ground_of(made) : scene_flat());
        for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
            if (kind == KINEMATIC || kind == MOTORCYCLE) {
                continue; // the first has no masses, the other's rider has muscles
            }
            apex_car_def def = dry_car(kind);
            // Lift acts along the body's vertical wherever the air comes from, so it may do work.
            def.aero.lift_front_m2 = def.aero.lift_rear_m2 = 0.0;
            add_driver(&of, kind, &def, 91 + 31 * (SCENE_KINDS * round + kind));
        }
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
    drivers of = open_road(scene_flat());
    double backwards[SCENE_KINDS] = {0.0};
    apex_car_state state;
    for (uint32_t kind = 0; kind < 6; kind++) {
        apex_car_def def = dry_car(kind);
        apex_placement at = {0};
        add_driver(&of, kind, &def, 1);
        apex_world_place_car(of.world, of.cars[kind], &at);
        ck_assert(apex_world_get_car(of.world, of.cars[kind], &state));
        for (int w = 0; w < 4; w++) {
            state.wheels[w].spin_radps = 7.0;
            state.wheels[w].deflection_long_m = 0.1;
        }
        ck_assert(apex_world_set_car(of.world, of.cars[kind], &state));
    }
    for (int i = 0; i < SUBSTEP_HZ; i++) {
        apex_world_step(of.world, of.controls, NULL);
        for (uint32_t kind = 0; kind < 6; kind++) {
            ck_assert(apex_world_get_car(of.world, of.cars[kind], &state));
            for (int w = 0; w < 4; w++) {
                backwards[kind] = fmin(backwards[kind], state.wheels[w].spin_radps);
            }
        }
    }
    for (uint32_t kind = 0; kind < 6; kind++) {
        ck_assert_msg(backwards[kind] > -6.0, "kind %u unwinds to %g rad/s", kind, backwards[kind]);
    }
    apex_world_destroy(of.world);
}
