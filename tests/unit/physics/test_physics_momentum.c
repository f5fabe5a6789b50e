// builds: float double
// Cars that collide with nothing else about: no tyres, no walls, no ground, no weight.
//
// Momentum is the contacts' own doing only while a free body keeps its own. The effect of unequal
// inertias on a tumbling body (w x I w) belongs to the forces, which are switched off here: so
// either all inertias of a car are equal, or cars are level and of one height and turn about the
// vertical.

#include "support/base/check_main.h"
#include "support/physics/collision_scene.h"
#include "support/physics/free_of_forces.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdio.h>

enum { CARS_MAX = 40, TICKS = 75 };

// Shares of |m v|, and of |m v| r: in double what is left is how far axes are from unit length in a
// fast turn, where equal inertias are not quite equal.
#ifdef APEX_REAL_DOUBLE
static const double LINEAR = 1e-12, ANGULAR = 1e-7;
#else
static const double LINEAR = 1e-6, ANGULAR = 1e-6;
#endif

// The body's inertias are those that are left without the wheels.
static apex_car_def round_car(uint32_t kind) {
    apex_car_def def = scene_car_kind(kind);
    // Of a motorcycle more than it has: no car here shall turn so fast that it is stopped.
    def.inertia_yaw_kgm2 = fmax(def.inertia_yaw_kgm2, 1.5 * def.mass_kg);
    def.inertia_roll_kgm2 = def.inertia_pitch_kgm2 = def.inertia_yaw_kgm2;
    for (uint32_t a = 0; a < def.axle_count; a++) {
        const apex_axle_def *axle = &def.axles[a];
        double wheels = axle->track_width_m > 0.0 ? 2.0 : 1.0, y = 0.5 * axle->track_width_m;
        double mass = wheels * axle->suspension.unsprung_mass_kg;
        def.inertia_roll_kgm2 += mass * y * y;
        def.inertia_pitch_kgm2 += mass * axle->x_m * axle->x_m;
    }
    return def;
}

/// A world of cars in the air.
typedef struct test_swarm {
    collision_yard yard;
    uint32_t cars, kinds[CARS_MAX];
    double mass_kg[CARS_MAX];
} test_swarm;

static void open_swarm(test_swarm *swarm, uint32_t cars) {
    swarm->cars = cars;
    swarm->yard = collision_yard_open(&(collision_yard_def){.cars = cars, .is_high = true});
    free_of_forces(swarm->yard.world);
}

static void throw_in(test_swarm *swarm, uint32_t i, const collision_throw *how, double fuel) {
    apex_car_id id = collision_throw_car(&swarm->yard, how);
    apex_car_state state = collision_state(&swarm->yard, id);
    const apex_car_def *def = &swarm->yard.defs[how->kind];
    state.fuel_kg = fuel * def->fuel_kg_max;
    ck_assert(apex_world_set_car(swarm->yard.world, id, &state));
    swarm->kinds[i] = how->kind;
    swarm->mass_kg[i] = def->mass_kg + state.fuel_kg;
}

// Somewhere in a square where nobody is yet.
static void find_room(const test_swarm *swarm, uint32_t i, uint64_t *seed, collision_throw *how) {
    const double ROOM_M = 7.6;
    double half_m = 0.6 * ROOM_M * sqrt((double)swarm->cars) + 4.0;
    apex_car_pose poses[CARS_MAX];
    (void)apex_world_poses(swarm->yard.world, poses, CARS_MAX);
    for (bool is_free = false; !is_free;) {
        how->place_m[0] = scene_random_between(seed, -half_m, half_m);
        how->place_m[1] = scene_random_between(seed, -half_m, half_m);
        is_free = true;
        for (uint32_t j = 0; j < i && is_free; j++) {
            is_free = hypot(poses[j].position_m[0] - how->place_m[0],
                            poses[j].position_m[1] - how->place_m[1]) > ROOM_M;
        }
    }
}

// All towards the middle, more or less, tumbling.
static void fill_swarm(test_swarm *swarm, uint64_t *seed) {
    for (uint32_t i = 0; i < swarm->cars; i++) {
        collision_throw how = {.kind = (uint32_t)(scene_random(seed) % swarm->yard.kinds),
                               .yaw_rad = scene_random_between(seed, -3.1, 3.1),
                               .pitch_rad = scene_random_between(seed, -0.5, 0.5),
                               .roll_rad = scene_random_between(seed, -0.5, 0.5)};
        find_room(swarm, i, seed, &how);
        how.place_m[2] = scene_random_between(seed, -1.2, 1.2);
        double speed = scene_random_between(seed, 10.0, 60.0);
        double aim = atan2(-how.place_m[1], -how.place_m[0]);
        aim += scene_random_between(seed, -0.4, 0.4);
        how.velocity_mps[0] = speed * cos(aim);
        how.velocity_mps[1] = speed * sin(aim);
        how.velocity_mps[2] = scene_random_between(seed, -1.0, 1.0);
        for (uint32_t k = 0; k < 3; k++) {
            how.angular_radps[k] = scene_random_between(seed, -3.0, 3.0);
        }
        throw_in(swarm, i, &how, scene_random_between(seed, 0.0, 1.0));
    }
}

typedef struct test_sums {
    double linear[3], angular[3]; ///< about the origin
    double speeds_ns;             ///< sum of |m v|
    double radius_m;              ///< of the cars furthest out
    double energy_j;
} test_sums;

// World axes; all three inertias are those about the vertical, or the turn is about it alone.
static void add_car(const apex_car_state *state, double mass, double inertia, test_sums *sums) {
    const double *r = state->position_m, *v = state->velocity_mps, *w = state->angular_radps;
    double square = 0.0, spin = 0.0, far = 0.0;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
        sums->linear[i] += mass * v[i];
        sums->angular[i] += mass * (r[j] * v[k] - r[k] * v[j]) + inertia * w[i];
        square += v[i] * v[i];
        spin += w[i] * w[i];
        far += r[i] * r[i];
    }
    sums->speeds_ns += mass * sqrt(square);
    sums->energy_j += 0.5 * (mass * square + inertia * spin);
    sums->radius_m = fmax(sums->radius_m, sqrt(far));
}

static test_sums sum_up(const test_swarm *swarm) {
    test_sums sums = {.radius_m = 0.0};
    apex_car_pose poses[CARS_MAX];
    size_t count = apex_world_poses(swarm->yard.world, poses, CARS_MAX);
    ck_assert_uint_eq(count, swarm->cars);
    for (uint32_t i = 0; i < swarm->cars; i++) {
        apex_car_state state = collision_state(&swarm->yard, poses[i].id);
        double inertia = swarm->yard.defs[swarm->kinds[i]].inertia_yaw_kgm2;
        add_car(&state, swarm->mass_kg[i], inertia, &sums);
    }
    return sums;
}

static void check_kept(const test_sums *before, const test_sums *now, const char *where) {
    for (uint32_t i = 0; i < 3; i++) {
        double linear = fabs(now->linear[i] - before->linear[i]) / before->speeds_ns;
        double scale = before->speeds_ns * fmax(now->radius_m, 1.0);
        double angular = fabs(now->angular[i] - before->angular[i]) / scale;
        if (!(linear <= LINEAR && angular <= ANGULAR)) {
            ck_abort_msg("%s: along axis %u momentum drifts by %.3g of |m v|, angular momentum by "
                         "%.3g of |m v| r",
                         where, i, linear, angular);
        }
    }
}

/// The story of a swarm.
typedef struct swarm_story {
    size_t contacts;
    double lost; ///< share of the energy
    double gain; ///< largest share that a tick has added to what the one before had left
    double rise; ///< largest that it ever stood above its least before
} swarm_story;

// @param name to check momenta under it, or NULL.
static swarm_story watch_swarm(test_swarm *swarm, const char *name) {
    swarm_story story = {0};
    test_sums before = sum_up(swarm);
    double first_j = before.energy_j, least_j = first_j;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        size_t count;
        collision_yard_run(&swarm->yard, 1);
        (void)apex_world_contacts(swarm->yard.world, &count);
        story.contacts += count;
        if (collision_count_stopped(swarm->yard.world) > 0) {
            ck_abort_msg("tick %u: a car is stopped, and its momentum with it", tick);
        }
        test_sums now = sum_up(swarm);
        if (name != NULL) {
            char where[96];
            (void)snprintf(where, sizeof where, "%s, tick %u", name, tick);
            check_kept(&before, &now, where);
        }
        story.gain = fmax(story.gain, now.energy_j / before.energy_j - 1.0);
        story.rise = fmax(story.rise, now.energy_j / least_j - 1.0);
        least_j = fmin(least_j, now.energy_j);
        before = now;
    }
    story.lost = 1.0 - before.energy_j / first_j;
    return story;
}

/// As the kinds have them, or, for energy alone, these.
typedef struct swarm_skin {
    double restitution, friction;
} swarm_skin;

static void add_round_kinds(collision_yard *yard, const swarm_skin *skin) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def def = round_car(kind);
        if (skin != NULL) {
            def.hull.restitution = skin->restitution;
            def.hull.friction = skin->friction;
        }
        collision_yard_add(yard, &def);
    }
}

static swarm_story run_swarm(uint32_t n, const swarm_skin *skin) {
    char name[64];
    test_swarm swarm;
    uint64_t seed = 100 + n;
    uint32_t cars = 2 + n * 7 % (CARS_MAX - 1);
    open_swarm(&swarm, cars);
    add_round_kinds(&swarm.yard, skin);
    fill_swarm(&swarm, &seed);
    (void)snprintf(name, sizeof name, "swarm %u of %u cars", n, cars);
    swarm_story story = watch_swarm(&swarm, skin == NULL ? name : NULL);
    collision_yard_close(&swarm.yard);
    return story;
}

// The one to begin with, as it may be the only one: it has 37 cars.
enum { FIRST_SWARM = 5 };

TEST(tumbling_cars_keep_both_momenta) {
    enum { SWARMS = 24 };
    size_t contacts = 0, swarms = (size_t)check_cases(SWARMS);
    for (uint32_t i = 0; i < swarms; i++) {
        contacts += run_swarm((i + FIRST_SWARM) % SWARMS, NULL).contacts;
    }
    ck_assert_uint_gt(contacts, 2000 * swarms / SWARMS);
}

// Over a whole run a little more may come together, where boxes that lie askew over each other turn
// into each other faster than they are pushed apart.
TEST(without_restitution_no_energy_is_won) {
    enum { SWARMS = 240, MAY_RISE = SWARMS / 30 };
    size_t contacts = 0, risen = 0, swarms = (size_t)check_cases(SWARMS);
    double lost = 0.0;
    for (uint32_t i = 0; i < swarms; i++) {
        uint32_t n = (i + FIRST_SWARM) % SWARMS;
        swarm_story story = run_swarm(n, &(swarm_skin){0.0, n % 3 * 0.4});
        ck_assert_msg(story.gain <= 1e-3, "swarm %u wins %.3g of its energy in a tick", n,
                      story.gain);
        ck_assert_msg(story.rise <= 5e-3, "swarm %u wins %.3g of its energy", n, story.rise);
        risen += story.rise > 1e-3;
        contacts += story.contacts;
        lost += story.lost / (double)swarms;
    }
    ck_assert(!check_is_whole() || risen <= MAY_RISE);
    ck_assert_uint_gt(contacts, 20000 * swarms / SWARMS);
    ck_assert_double_gt(lost, 0.2); // these were collisions
}

// Restitution gives back no more than there was; where cars are hit from several sides at once it
// may miss that by a little.
TEST(with_restitution_hardly_any_energy_is_won) {
    enum { SWARMS = 120 };
    const uint32_t swarms = (uint32_t)check_cases(SWARMS);
    for (uint32_t i = 0; i < swarms; i++) {
        uint32_t n = (i + FIRST_SWARM) % SWARMS;
        swarm_story story = run_swarm(n, &(swarm_skin){0.5, 0.4});
        ck_assert_msg(story.rise <= 1e-2, "swarm %u wins %.3g of its energy", n, story.rise);
    }
}

// With the inertias that cars have. Nothing here leaves the plane: level, of one height.
TEST(level_cars_keep_both_momenta) {
    enum { SWARMS = 12 };
    size_t contacts = 0, swarms = (size_t)check_cases(SWARMS);
    for (uint32_t n = 0; n < swarms; n++) {
        char name[64];
        test_swarm swarm;
        uint64_t seed = 300 + n;
        apex_car_def def = scene_car_kind(n % 2 == 0 ? 0 : 5);
        open_swarm(&swarm, 30);
        collision_yard_add(&swarm.yard, &def);
        for (uint32_t i = 0; i < swarm.cars; i++) {
            collision_throw how = {.yaw_rad = scene_random_between(&seed, -3.1, 3.1)};
            find_room(&swarm, i, &seed, &how);
            double speed = scene_random_between(&seed, 10.0, 60.0);
            how.velocity_mps[0] = -speed * how.place_m[0] / hypot(how.place_m[0], how.place_m[1]);
            how.velocity_mps[1] = -speed * how.place_m[1] / hypot(how.place_m[0], how.place_m[1]);
            how.angular_radps[2] = scene_random_between(&seed, -3.0, 3.0);
            throw_in(&swarm, i, &how, 1.0);
        }
        (void)snprintf(name, sizeof name, "level swarm %u", n);
        contacts += watch_swarm(&swarm, name).contacts;
        collision_yard_close(&swarm.yard);
    }
    ck_assert_uint_gt(contacts, 1000 * swarms / SWARMS);
}
