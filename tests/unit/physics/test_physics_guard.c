// builds: float double
// Where the guard keeps a car in front of a wall and where it leaves it alone, and from which
// closing speed on bodies spring back.

#include "test_physics_pair.h"
#include "physics/contact/walls.h"
#include "support/base/check_main.h"

static const real H = R(1.0) / R(240.0);

static double tolerance(double exact, double rounded) {
    return sizeof(real) == sizeof(double) ? exact : rounded;
}

// From x = 50 to x = -50 along y = 0, 3 m high; cars are where y is below 0. And a post.
static physics_walls *build_wall(void) {
    static const apex_wall_material MATERIAL = {.name = "wall"};
    static const apex_wall_segment SEGMENT = {
        50.0, 0.0, -50.0, 0.0, -1.0, 2.0, APEX_GROUND_NONE, APEX_GROUND_NONE, 0};
    static const apex_wall_post POST = {
        .x_m = 0.0, .y_m = 0.5, .radius_m = 0.3, .base_m = -1.0, .top_m = 2.0};
    static const apex_walls WALLS = {.segments = &SEGMENT,
                                     .segment_count = 1,
                                     .posts = &POST,
                                     .post_count = 1,
                                     .materials = &MATERIAL,
                                     .material_count = 1};
    physics_walls *walls = physics_walls_create(&WALLS);
    ck_assert_ptr_nonnull(walls);
    return walls;
}

/// A box of 4 by 2 m, from 0.5 m below to 1 m above its centre of mass, that is driven at the wall.
typedef struct attempt {
    double x_m, y_m, z_m; ///< where it begins
    double vx_mps, vy_mps;
    double turn_radps, lever_m; ///< of the box's middle about the centre of mass
    double mass_kg;             ///< 0: nothing moves it
    uint32_t item;
} attempt;

// 200 m/s are 0.83 m in a substep.
static const attempt HEAD_ON = {.y_m = -0.1, .vy_mps = 200.0, .mass_kg = 1000.0};

static void try_to_pass(const attempt *at, pair_scene *pair) {
    physics_walls *walls = build_wall();
    pair_open(pair);
    pair->positions[0] = (physics_hull_position){.centre_m = {at->x_m, at->y_m, at->z_m}};
    pair->boxes[0] = (physics_box){.cos_yaw = R(1.0),
                                   .half_m = {R(2.0), R(1.0)},
                                   .low_m = R(-0.5),
                                   .high_m = R(1.0),
                                   .reach_m = R(0.02)};
    pair->surfaces[0].centre_m[0] = (real)(0.6 * at->lever_m);
    pair->surfaces[0].centre_m[1] = (real)(0.8 * at->lever_m);
    pair->motions[0].inverse_mass = at->mass_kg > 0.0 ? (real)(1.0 / at->mass_kg) : R(0.0);
    pair_set_motion(pair, 0, (const double[3]){at->vx_mps, at->vy_mps, at->turn_radps});
    pair->biased[0] = pair->motions[0];
    physics_wall_guard(walls, &pair->hulls, 0, at->item, H);
    physics_walls_destroy(walls);
}

static bool is_stopped(const attempt *at) {
    pair_scene pair;
    try_to_pass(at, &pair);
    bool is_held_back = pair.biased[0].velocity_mps[1] != (real)at->vy_mps;
    ck_assert(pair.biased[0].velocity_mps[0] == (real)at->vx_mps);
    ck_assert_int_eq(pair.motions[0].velocity_mps[1] != (real)at->vy_mps, is_held_back);
    return is_held_back;
}

TEST(who_flies_over_a_wall_or_under_it_is_not_stopped) {
    attempt at = HEAD_ON;
    ck_assert(is_stopped(&at));
    at.z_m = 2.49; // its lowest point is 10 mm below the top
    ck_assert(is_stopped(&at));
    at.z_m = 2.51;
    ck_assert(!is_stopped(&at));
    at.z_m = -1.99; // its highest point is 10 mm over the foot
    ck_assert(is_stopped(&at));
    at.z_m = -2.01;
    ck_assert(!is_stopped(&at));
}

// It is where the substep ends that counts.
TEST(who_passes_beside_the_end_of_a_wall_is_not_stopped) {
    for (int end = 0; end < 2; end++) {
        double sign = end == 0 ? 1.0 : -1.0;
        attempt at = HEAD_ON;
        at.x_m = 49.9 * sign;
        ck_assert(is_stopped(&at));
        at.x_m = 50.1 * sign;
        ck_assert(!is_stopped(&at));
        at.vx_mps = -48.0 * sign; // 0.2 m in a substep: from beside it to before it
        ck_assert(is_stopped(&at));
        at.x_m = 49.9 * sign;
        at.vx_mps = 48.0 * sign;
        ck_assert(!is_stopped(&at));
    }
}

TEST(a_wall_is_passed_from_behind) {
    attempt at = HEAD_ON;
    at.y_m = 0.01;
    ck_assert(!is_stopped(&at));
    at.y_m = -0.01;
    ck_assert(is_stopped(&at));
}

TEST(the_guard_leaves_posts_and_what_nothing_moves_alone) {
    attempt at = HEAD_ON;
    at.mass_kg = 0.0;
    ck_assert(!is_stopped(&at));
    at = HEAD_ON;
    at.item = 1;
    ck_assert(!is_stopped(&at));
}

// 20 mm in front, and as far as the box's middle swings about the centre of mass: 3 rad/s at 0.8 m
// are 10 mm in a substep.
TEST(who_turns_is_kept_farther_away) {
    static const double WANTED_M[] = {-0.02, -0.03};
    for (int turns = 0; turns < 2; turns++) {
        attempt at = HEAD_ON;
        at.lever_m = 0.8;
        at.turn_radps = turns ? 3.0 : 0.0;
        pair_scene pair;
        try_to_pass(&at, &pair);
        double end_m = at.y_m + (double)(H * pair.biased[0].velocity_mps[1]);
        ck_assert_double_eq_tol(end_m, WANTED_M[turns], tolerance(1e-9, 1e-4));
        ck_assert_double_eq_tol((double)pair.motions[0].velocity_mps[1], 0.0, 1e-4);
    }
}

// Contacts pushed it towards the wall; it drives away itself, and keeps that speed.
TEST(what_is_only_pushed_at_a_wall_keeps_its_own_speed) {
    physics_walls *walls = build_wall();
    pair_scene pair;
    try_to_pass(&HEAD_ON, &pair);
    pair_set_motion(&pair, 0, (const double[3]){3.0, -7.0, 0.0});
    pair.biased[0].velocity_mps[1] = R(200.0);
    physics_wall_guard(walls, &pair.hulls, 0, 0, H);
    ck_assert_double_eq_tol((double)pair.biased[0].velocity_mps[1], 0.08 * 240.0,
                            tolerance(1e-9, 1e-3));
    ck_assert(pair.motions[0].velocity_mps[0] == R(3.0));
    ck_assert(pair.motions[0].velocity_mps[1] == R(-7.0));
    physics_walls_destroy(walls);
}

// Two of one tonne, one of them at rest: with restitution e the speed is shared (1 - e) : (1 + e).
static void check_restitution(double speed_mps, double springs_back) {
    pair_scene pair;
    pair_open(&pair);
    pair_set_mass(&pair, 0, 1000.0, 2000.0);
    pair_set_mass(&pair, 1, 1000.0, 2000.0);
    pair_set_motion(&pair, 0, (const double[3]){speed_mps, 0.0, 0.0});
    pair_touch(&pair, &(pair_point){.offset_m = {2.0, 0.0},
                                    .anchor_m = {1.0, 0.0},
                                    .normal = {1.0, 0.0},
                                    .restitution = 0.5});
    pair_solve(&pair, H);
    double first[3], second[3];
    pair_motion_of(&pair, 0, first);
    pair_motion_of(&pair, 1, second);
    ck_assert_double_eq_tol(first[0], 0.5 * speed_mps * (1.0 - springs_back),
                            tolerance(1e-9, 1e-5));
    ck_assert_double_eq_tol(second[0], 0.5 * speed_mps * (1.0 + springs_back),
                            tolerance(1e-9, 1e-5));
}

TEST(only_what_meets_at_more_than_one_metre_a_second_springs_back) {
    check_restitution(0.2, 0.0);
    check_restitution(0.99, 0.0);
    check_restitution(1.01, 0.5);
    check_restitution(5.0, 0.5);
}
