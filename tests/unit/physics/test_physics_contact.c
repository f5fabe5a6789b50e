// builds: float double
// Tests of one contact at a time, of boxes, walls and groups: worked impulses, penetration and
// nearness, friction, points, joints, the guard.

#include "test_physics_pair.h"
#include "physics/contact/car_hulls.h"
#include "physics/contact/walls.h"
#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const real H = R(1.0) / R(240.0);
static const double SUBSTEP_S = 1.0 / 240.0;

static double tolerance(double exact, double rounded) {
    return sizeof(real) == sizeof(double) ? exact : rounded;
}

/// Mass and inertia of both.
typedef struct masses {
    double a_kg, a_kgm2, b_kg, b_kgm2;
} masses;

static void make_pair(pair_scene *pair, const masses *of) {
    pair_open(pair);
    pair_set_mass(pair, 0, of->a_kg, of->a_kgm2);
    pair_set_mass(pair, 1, of->b_kg, of->b_kgm2);
}

static void expect(const pair_scene *pair, uint32_t slot, const double wanted[3]) {
    double motion[3];
    pair_motion_of(pair, slot, motion);
    for (uint32_t k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(motion[k], wanted[k], tolerance(1e-9, 2e-5));
    }
}

// The speeds they move with through the substep: along the normal, as all of these tests have it.
static void expect_ways(const pair_scene *pair, double a_mps, double b_mps) {
    ck_assert_double_eq_tol((double)pair->biased[0].velocity_mps[0], a_mps, tolerance(1e-9, 2e-5));
    ck_assert_double_eq_tol((double)pair->biased[1].velocity_mps[0], b_mps, tolerance(1e-9, 2e-5));
}

TEST(head_on_off_centre) { // T25a
    pair_scene pair;
    make_pair(&pair, &(masses){1500.0, 2500.0, 1200.0, 1800.0});
    pair_set_motion(&pair, 0, (const double[3]){10.0, 0.0, 0.0});
    pair_set_motion(&pair, 1, (const double[3]){-5.0, 0.0, 0.0});
    pair_touch(&pair, &(pair_point){.offset_m = {4.2, 0.8},
                                    .anchor_m = {2.1, 0.4},
                                    .normal = {1.0, 0.0},
                                    .restitution = 0.25});
    pair_solve(&pair, H);
    expect(&pair, 0, (const double[3]){2.43748319441, 0.0, 1.81500403334});
    expect(&pair, 1, (const double[3]){4.45314600699, 0.0, 2.52083893520});
    ck_assert_double_eq_tol(pair_normal_ns(&pair), 11343.7752084, tolerance(1e-6, 0.05));
}

TEST(into_the_side) { // T25b
    pair_scene pair;
    make_pair(&pair, &(masses){1500.0, 2500.0, 1500.0, 2500.0});
    pair_set_motion(&pair, 0, (const double[3]){0.0, 15.0, 0.0});
    pair_set_motion(&pair, 1, (const double[3]){10.0, 0.0, 0.0});
    pair_touch(&pair, &(pair_point){.offset_m = {1.5, 3.15},
                                    .anchor_m = {0.5, 2.25},
                                    .normal = {0.0, 1.0},
                                    .restitution = 0.1});
    pair_solve(&pair, H);
    expect(&pair, 0, (const double[3]){0.0, 9.0, -1.8});
    expect(&pair, 1, (const double[3]){10.0, 6.0, -3.6});
}

TEST(corners_while_spinning) { // T25c
    pair_scene pair;
    make_pair(&pair, &(masses){1393.0, 1950.0, 1323.0, 1900.0});
    pair_set_motion(&pair, 0, (const double[3]){20.0, 3.0, 0.5});
    pair_set_motion(&pair, 1, (const double[3]){5.0, -2.0, -0.3});
    pair_touch(&pair, &(pair_point){.offset_m = {3.9, 1.6},
                                    .anchor_m = {2.2, 0.8},
                                    .normal = {0.8, 0.6},
                                    .restitution = 0.5});
    pair_solve(&pair, H);
    expect(&pair, 0, (const double[3]){12.6595085356, -2.50536859831, -3.95718406074});
    expect(&pair, 1, (const double[3]){12.7288772562, 3.79665794214, -2.85632615248});
}

TEST(straight_with_each_restitution) { // P28, P29
    static const double ROWS[][3] = {{0.0, 5.38659793814, 5.38659793814},
                                     {0.25, 1.73324742268, 9.23324742268},
                                     {1.0, -9.22680412371, 20.7731958763}};
    for (size_t i = 0; i < 3; i++) {
        pair_scene pair;
        make_pair(&pair, &(masses){1393.0, 2000.0, 1323.0, 2000.0});
        pair_set_motion(&pair, 0, (const double[3]){20.0, 0.0, 0.0});
        pair_set_motion(&pair, 1, (const double[3]){-10.0, 0.0, 0.0});
        pair_touch(&pair, &(pair_point){.normal = {1.0, 0.0}, .restitution = ROWS[i][0]});
        pair_solve(&pair, H);
        expect(&pair, 0, (const double[3]){ROWS[i][1], 0.0, 0.0});
        expect(&pair, 1, (const double[3]){ROWS[i][2], 0.0, 0.0});
    }
}

static const masses EQUAL = {1000.0, 1500.0, 1000.0, 1500.0};

/// Catto, "Soft Step": a spring of 45 Hz, damped ten times as much as would be critical.
typedef struct soft_spring {
    double rate_per_s; ///< share of what is sunk in
    double share;      ///< of a rigid contact's impulse
} soft_spring;

// Where substeps are long it is a softer one: 3/16 of their frequency.
static soft_spring the_spring(double substep_s) {
    double hertz = fmin(45.0, 0.1875 / substep_s);
    double omega = 2.0 * acos(-1.0) * hertz, damped = 2.0 * 10.0 + substep_s * omega;
    double stiff = substep_s * omega * damped;
    return (soft_spring){omega / damped, stiff / (1.0 + stiff)};
}

TEST(parting_bodies_are_left_alone) {
    pair_scene pair;
    make_pair(&pair, &EQUAL);
    pair_set_motion(&pair, 0, (const double[3]){-1.0, 2.0, 0.3});
    pair_set_motion(&pair, 1, (const double[3]){1.0, 0.0, 0.0});
    // The spring would drive them apart by 1.27 m/s: they are faster.
    pair_touch(&pair, &(pair_point){.normal = {1.0, 0.0}, .separation_m = -0.1, .friction = 0.5});
    pair_solve(&pair, H);
    expect_ways(&pair, -1.0, 1.0);
    expect(&pair, 0, (const double[3]){-1.0, 2.0, 0.3});
    expect(&pair, 1, (const double[3]){1.0, 0.0, 0.0});
    ck_assert_double_eq(pair_normal_ns(&pair), 0.0);
}

// Two that are sunk into each other and part at `parting_mps` in all: they move with `ways_mps`,
// each with half of it, and keep nothing of it.
static void push_out_in(double substep_s, double separation_m, double parting_mps,
                        double ways_mps) {
    pair_scene pair;
    make_pair(&pair, &EQUAL);
    pair_set_motion(&pair, 0, (const double[3]){-0.5 * parting_mps, 2.0, 0.3});
    pair_set_motion(&pair, 1, (const double[3]){0.5 * parting_mps, 0.0, 0.0});
    pair_touch(&pair, &(pair_point){.normal = {1.0, 0.0}, .separation_m = separation_m});
    pair_solve(&pair, (real)substep_s);
    expect_ways(&pair, -0.5 * ways_mps, 0.5 * ways_mps);
    expect(&pair, 0, (const double[3]){-0.5 * parting_mps, 2.0, 0.3});
    expect(&pair, 1, (const double[3]){0.5 * parting_mps, 0.0, 0.0});
    ck_assert_double_eq_tol(pair_normal_ns(&pair), 0.0, tolerance(1e-9, 1e-3));
}

static void push_out(double separation_m, double parting_mps, double ways_mps) {
    push_out_in(SUBSTEP_S, separation_m, parting_mps, ways_mps);
}

TEST(what_is_sunk_in_comes_out_and_gains_no_speed) {
    soft_spring soft = the_spring(SUBSTEP_S);
    const double SLOP_M = 0.005;
    push_out(-0.1, 0.0, soft.share * soft.rate_per_s * (0.1 - SLOP_M));
    push_out(-0.02, 0.0, soft.share * soft.rate_per_s * (0.02 - SLOP_M));
    // A pair that separates already needs less.
    double wanted_mps = soft.rate_per_s * (0.1 - SLOP_M);
    push_out(-0.1, 0.5, 0.5 + soft.share * (wanted_mps - 0.5));
    push_out(-SLOP_M, 0.0, 0.0);
    // Never more than 3 m/s, however deep.
    push_out(-1.0, 0.0, soft.share * 3.0);
    push_out(-5.0, 0.0, soft.share * 3.0);
}

// No stiffer in shorter substeps than in those of 240 Hz, and softer in longer ones.
TEST(what_is_sunk_in_comes_out_at_its_rate_in_any_substep) {
    static const double RATES[] = {60.0, 120.0, 480.0, 1000.0};
    for (size_t i = 0; i < sizeof RATES / sizeof RATES[0]; i++) {
        double substep_s = 1.0 / RATES[i];
        soft_spring soft = the_spring(substep_s);
        push_out_in(substep_s, -0.1, 0.0, soft.share * soft.rate_per_s * (0.1 - 0.005));
    }
}

TEST(a_gap_may_be_closed_but_not_crossed) {
    pair_scene pair;
    make_pair(&pair, &EQUAL);
    const pair_point near = {.normal = {1.0, 0.0}, .separation_m = 0.1};
    // 83 mm in a substep: not there yet.
    pair_set_motion(&pair, 0, (const double[3]){20.0, 0.0, 0.0});
    pair_touch(&pair, &near);
    pair_solve(&pair, H);
    expect_ways(&pair, 20.0, 0.0);
    expect(&pair, 0, (const double[3]){20.0, 0.0, 0.0});
    expect(&pair, 1, (const double[3]){0.0, 0.0, 0.0});
    // 250 mm: stops at the other.
    pair_set_motion(&pair, 0, (const double[3]){60.0, 0.0, 0.0});
    pair_touch(&pair, &near);
    pair_solve(&pair, H);
    expect(&pair, 0, (const double[3]){30.0, 0.0, 0.0});
    expect(&pair, 1, (const double[3]){30.0, 0.0, 0.0});
    // 1/600 s until the hit: the first went 0.1 m at 60, not at 30; the other stood.
    double until_s = 0.1 / 60.0, after_m = 30.0 * (SUBSTEP_S - until_s);
    expect_ways(&pair, (0.1 + after_m) / SUBSTEP_S, after_m / SUBSTEP_S);
}

// Closes at 4 m/s, just before it touches, and slides along y.
static void slide(pair_scene *pair, double sliding_mps) {
    make_pair(pair, &(masses){1000.0, 1e12, 1000.0, 1e12});
    pair_set_motion(pair, 0, (const double[3]){4.0, sliding_mps, 0.0});
    pair_touch(pair, &(pair_point){.normal = {1.0, 0.0}, .separation_m = 1e-12, .friction = 0.3});
    pair_solve(pair, H);
}

TEST(friction_is_coulombs) {
    pair_scene pair;
    slide(&pair, 10.0);
    ck_assert_double_eq_tol(pair_normal_ns(&pair), 2000.0, tolerance(1e-6, 0.01));
    const lanes *friction_ns = pair.contacts.tangents.impulse_ns;
    ck_assert_double_eq_tol(fabs(pair_one(&friction_ns[0])), 600.0, tolerance(1e-6, 0.01));
    ck_assert_double_eq(pair_one(&friction_ns[1]), 0.0);
    expect(&pair, 0, (const double[3]){2.0, 9.4, 0.0});
    expect(&pair, 1, (const double[3]){2.0, 0.6, 0.0});
    // Slow sliding ends instead of turning round.
    slide(&pair, 0.5);
    expect(&pair, 0, (const double[3]){2.0, 0.25, 0.0});
    expect(&pair, 1, (const double[3]){2.0, 0.25, 0.0});
}

// 4 by 2 by 1 m, with sharp corners; 1,000 kg.
static void set_box(pair_scene *pair, uint32_t slot, const double at[3]) {
    const real REACH_M = R(0.02);
    pair->positions[slot] = (physics_hull_position){.centre_m = {at[0], at[1], 0.0}};
    pair->boxes[slot] = (physics_box){.cos_yaw = (real)cos(at[2]),
                                      .sin_yaw = (real)sin(at[2]),
                                      .half_m = {R(2.0), R(1.0)},
                                      .high_m = R(1.0),
                                      .reach_m = REACH_M};
    pair->surfaces[slot].half_thickness_m = R(0.5);
    pair->shapes[slot] = (physics_shape){.half_m = {R(2.0), R(1.0), R(0.5)}, .radius_m = R(2.236)};
    pair_set_mass(pair, slot, 1000.0, 2000.0);
}

TEST(boxes_meet_face_to_face) {
    pair_scene pair;
    pair_open(&pair);
    set_box(&pair, 0, (const double[3]){0.0, 0.0, 0.0});
    set_box(&pair, 1, (const double[3]){3.9, 0.5, 0.0});
    pair_meeting found = pair_meet(&pair);
    ck_assert_uint_eq(found.count, 2);
    ck_assert_double_eq_tol(found.normal[0], 1.0, 1e-6);
    for (uint32_t p = 0; p < 2; p++) {
        ck_assert_double_eq_tol(found.separation_m[p], -0.1, tolerance(1e-9, 1e-5));
        ck_assert_double_eq_tol(found.anchor_m[p][0], 1.95, tolerance(1e-9, 1e-5)); // half way
    }
    // Over both faces, to the left of the normal last.
    ck_assert_double_eq_tol(found.anchor_m[0][1], -0.5, tolerance(1e-9, 1e-5));
    ck_assert_double_eq_tol(found.anchor_m[1][1], 1.0, tolerance(1e-9, 1e-5));
}

TEST(boxes_meet_corner_first) {
    // Less than a quarter turn: its corner reaches as far as its sides do together.
    double yaw = 0.7, reach = 2.0 * cos(yaw) + sin(yaw);
    pair_scene pair;
    pair_open(&pair);
    set_box(&pair, 0, (const double[3]){0.0, 0.0, 0.0});
    set_box(&pair, 1, (const double[3]){2.0 + reach - 0.05, 0.0, yaw});
    pair_meeting found = pair_meet(&pair);
    ck_assert_uint_ge(found.count, 1);
    ck_assert_double_eq_tol(found.normal[0], 1.0, 1e-6);
    double deepest = fmin(found.separation_m[0], found.count > 1 ? found.separation_m[1] : 0.0);
    ck_assert_double_eq_tol(deepest, -0.05, tolerance(1e-9, 1e-5));
}

TEST(boxes_over_each_other_do_not_meet) {
    pair_scene pair;
    pair_open(&pair);
    set_box(&pair, 0, (const double[3]){0.0, 0.0, 0.0});
    set_box(&pair, 1, (const double[3]){1.0, 0.0, 0.0});
    pair.boxes[1].low_m = R(3.0);
    pair.boxes[1].high_m = R(4.0);
    ck_assert_uint_eq(pair_meet(&pair).count, 0);
    pair.boxes[1].low_m = R(1.03); // 30 mm: both reach 20
    pair.boxes[1].high_m = R(2.03);
    ck_assert_uint_eq(pair_meet(&pair).count, 2);
    pair.boxes[1].low_m = R(1.05);
    pair.boxes[1].high_m = R(2.05);
    ck_assert_uint_eq(pair_meet(&pair).count, 0);
}

/// Two cars of a world, one behind the other, as contacts see them.
typedef struct two_cars {
    apex_world *world;
    apex_car_id cars[2];
    physics_hulls hulls;
} two_cars;

static two_cars open_cars(double separation_m) {
    two_cars made;
    apex_world_def world_def = scene_world_def(2);
    apex_car_def def = scene_plain_car();
    const apex_placement at[2] = {{0}, {.x_m = def.hull.length_m + separation_m}};
    apex_car_type type;
    ck_assert_int_eq(apex_world_create(&world_def, scene_flat(), NULL, &made.world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(made.world, &def, &type), APEX_OK);
    ck_assert(physics_hulls_allocate(&made.hulls, 2));
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_int_eq(apex_world_add_car(made.world, type, &at[i], &made.cars[i]), APEX_OK);
        physics_hulls_set_type(&made.hulls, i, &made.world->cars.types[0].hull);
    }
    return made;
}

static void close_cars(two_cars *of) {
    physics_hulls_free(&of->hulls);
    apex_world_destroy(of->world);
}

// @return whether they are near; then where.
static bool cars_meet(two_cars *of, double *separation_m) {
    // A multiple of eight can be read.
    const uint32_t block = 0, pairs[PHYSICS_LANES] = {0u << 16 | 1u};
    uint32_t near[PHYSICS_LANES];
    physics_pairs pair;
    physics_manifold manifold;
    of->world->isa->show(&of->world->cars, &of->hulls, &block, 1);
    uint32_t count = of->world->isa->contact.find_near(&of->hulls, pairs, 1, near);
    memset(&pair, 0, sizeof pair);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) {
        pair.a[lane] = pair.b[lane] = of->hulls.count;
    }
    pair.b[PAIR_LANE] = 1;
    pair.a[PAIR_LANE] = 0;
    physics_collide_base(&of->hulls, &pair, &manifold);
    ck_assert_uint_eq(count, manifold.has_point[0][PAIR_LANE] != 0 ? 1 : 0); // both see the same
    *separation_m = pair_one(&manifold.separation_m[0]);
    return count == 1;
}

static void set_second(two_cars *of, double vx_mps, double y_m) {
    apex_car_state state;
    ck_assert(apex_world_get_car(of->world, of->cars[1], &state));
    state.velocity_mps[0] = vx_mps;
    state.position_m[1] = y_m;
    ck_assert(apex_world_set_car(of->world, of->cars[1], &state));
}

TEST(boxes_that_are_near_meet_only_in_time) {
    double separation_m;
    two_cars cars = open_cars(0.3);
    ck_assert(!cars_meet(&cars, &separation_m)); // at rest
    set_second(&cars, -80.0, 0.0);               // 0.33 m a substep
    ck_assert(cars_meet(&cars, &separation_m));
    ck_assert_double_eq_tol(separation_m, 0.3, tolerance(1e-9, 1e-5));
    set_second(&cars, -68.0, 0.0); // 0.283 m, and 10 mm of each
    ck_assert(cars_meet(&cars, &separation_m));
    set_second(&cars, -66.0, 0.0); // 0.275 m
    ck_assert(!cars_meet(&cars, &separation_m));
    set_second(&cars, -80.0, 3.0); // passes by
    ck_assert(!cars_meet(&cars, &separation_m));
    close_cars(&cars);
}

static const apex_wall_material MATERIAL = {.name = "wall"};

// A wall along y = 0 for x > 0 and one that bends away from it; cars are below.
TEST(a_joint_pushes_like_one_of_its_walls) {
    static const apex_wall_segment SEGMENTS[2] = {
        {20.0, 0.0, 0.0, 0.0, -1.0, 2.0, APEX_GROUND_NONE, 1, 0},
        {0.0, 0.0, -20.0, 4.0, -1.0, 2.0, 0, APEX_GROUND_NONE, 0},
    };
    static const apex_walls WALLS = {
        .segments = SEGMENTS, .segment_count = 2, .materials = &MATERIAL, .material_count = 1};
    physics_walls *walls = physics_walls_create(&WALLS);
    ck_assert_ptr_nonnull(walls);
    pair_scene pair;
    pair_open(&pair);
    // The joint is 40 mm behind the box's front and 50 mm inside its left: the front is nearer.
    set_box(&pair, 0, (const double[3]){-1.96, -0.95, 0.0});
    for (uint32_t item = 0; item < 2; item++) {
        physics_wall_manifold manifold;
        ck_assert(physics_wall_collide(walls, &pair.hulls, 0, item, &manifold));
        ck_assert_uint_ge(manifold.count, 1);
        ck_assert_double_gt((double)manifold.normal[1], 0.97);
        ck_assert_double_lt((double)manifold.normal[0], 0.21);
    }
    physics_walls_destroy(walls);
}

TEST(the_guard_keeps_centres_in_front) {
    static const apex_wall_segment SEGMENT = {
        50.0, 0.0, -50.0, 0.0, -1.0, 2.0, APEX_GROUND_NONE, APEX_GROUND_NONE, 0};
    static const apex_walls WALLS = {
        .segments = &SEGMENT, .segment_count = 1, .materials = &MATERIAL, .material_count = 1};
    physics_walls *walls = physics_walls_create(&WALLS);
    ck_assert_ptr_nonnull(walls);
    pair_scene pair;
    physics_wall_manifold manifold;
    pair_open(&pair);
    set_box(&pair, 0, (const double[3]){0.0, -0.1, 0.0});
    pair_set_motion(&pair, 0, (const double[3]){7.0, 200.0, 0.0}); // 0.83 m in a substep
    pair.biased[0] = pair.motions[0];
    pair.biased[0].velocity_mps[1] += R(72.0); // and a push of 0.3 m on top
    ck_assert(physics_wall_collide(walls, &pair.hulls, 0, 0, &manifold));
    physics_wall_guard(walls, &pair.hulls, 0, 0, H);
    double end = -0.1 + (double)(H * pair.biased[0].velocity_mps[1]);
    ck_assert_double_eq_tol(end, -0.02, tolerance(1e-9, 1e-4));
    ck_assert_double_eq_tol((double)pair.biased[0].velocity_mps[0], 7.0, tolerance(1e-9, 1e-6));
    double motion[3];
    pair_motion_of(&pair, 0, motion);
    ck_assert_double_eq_tol(motion[0], 7.0, tolerance(1e-9, 1e-6));
    ck_assert_double_eq_tol(motion[1], 0.0, tolerance(1e-9, 1e-4));
    // A car that ends in front is left alone, however fast.
    pair.biased[0].velocity_mps[1] = R(19.0); // 79 mm
    pair_set_motion(&pair, 0, (const double[3]){7.0, 19.0, 0.0});
    physics_wall_guard(walls, &pair.hulls, 0, 0, H);
    ck_assert(pair.biased[0].velocity_mps[1] == R(19.0));
    ck_assert(pair.motions[0].velocity_mps[1] == R(19.0));
    physics_walls_destroy(walls);
}

TEST(graph_says_when_there_is_no_room) {
    enum { HULLS = 32 };
    physics_constraints item;
    uint64_t colours[HULLS];
    physics_constraint_graph graph = {.batches = &item,
                                      .capacity = 1,
                                      .colours = colours,
                                      .hull_count = HULLS,
                                      .padding_impulses = 99};
    physics_batch_lane at;
    physics_constraint_graph_clear(&graph);
    ck_assert(physics_constraint_graph_add(&graph, 0, 1, &at));
    ck_assert(
        !physics_constraint_graph_add(&graph, 1, 2, &at)); // shares a hull: needs a second batch
    for (uint32_t lane = 1; lane < PHYSICS_LANES; lane++) {
        ck_assert(physics_constraint_graph_add(&graph, 2 * lane, 2 * lane + 1, &at));
        ck_assert_uint_eq(at.batch, 0);
        ck_assert_uint_eq(at.lane, lane);
    }
    ck_assert(!physics_constraint_graph_add(&graph, 20, 21, &at)); // a ninth
    ck_assert_uint_eq(graph.count, 1);
    for (uint32_t lane = 0; lane < PHYSICS_LANES; lane++) { // and what was there stays
        ck_assert_uint_eq(item.pairs.a[lane], 2 * lane);
        ck_assert_uint_eq(item.pairs.b[lane], 2 * lane + 1);
    }
    physics_constraint_graph_clear(&graph);
    ck_assert(physics_constraint_graph_add(&graph, 20, 21, &at));
    ck_assert_uint_eq(item.pairs.a[1], HULLS); // the other lanes are nobody's again
    ck_assert_uint_eq(item.impulses[1], 99);
}
