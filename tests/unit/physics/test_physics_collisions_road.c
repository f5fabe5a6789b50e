// Collisions of cars that stand on their tyres: on a roof, along a wall in pieces, and in jams that
// are stored or mirrored otherwise.

#include "support/base/check_main.h"
#include "support/physics/collision_scene.h"
#include "support/physics/scenes.h"

#include <math.h>

typedef struct test_drop {
    double yaw_rad, pitch_rad, roll_rad, x_m, y_m;
} test_drop;

static double speed_of(const apex_car_pose *pose) {
    return hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
}

// 1.5 m above the roof of a car that stands with its brakes on.
static void drop(uint32_t n, const test_drop *how) {
    const double FALL_M = 1.5;
    apex_car_def def = scene_corvette();
    collision_yard yard = collision_yard_open(&(collision_yard_def){.cars = 2});
    apex_car_id ids[2];
    collision_yard_add(&yard, &def);
    collision_throw lower = {.kind = 0}, upper = {.place_m = {how->x_m, how->y_m, 0.0},
                                                  .yaw_rad = how->yaw_rad,
                                                  .pitch_rad = how->pitch_rad,
                                                  .roll_rad = how->roll_rad};
    upper.place_m[2] = def.hull.height_m + FALL_M;
    ids[0] = collision_throw_car(&yard, &lower);
    ids[1] = collision_throw_car(&yard, &upper);
    collision_yard_pedals(&yard, 0, 255);
    collision_track tracks[2];
    for (uint32_t tick = 0; tick < 240; tick++) {
        collision_yard_run(&yard, 1);
        for (uint32_t i = 0; i < 2; i++) {
            tracks[i].now = collision_pose(&yard, ids[i]);
            double speed = speed_of(&tracks[i].now);
            if (speed >= 1.0) {
                ck_abort_msg("drop %u, tick %u: car %u moves sideways with %.2f m/s", n, tick, i,
                             speed);
            }
        }
        if (tick < 180) {
            continue;
        }
        collision_box hulls[2] = {collision_box_of(&def, &tracks[0].now, 1.0),
                                  collision_box_of(&def, &tracks[1].now, 1.0)};
        double depth_m = collision_overlap_m(&hulls[0], &hulls[1]);
        double up_m = hulls[1].centre_m[2] - hulls[0].centre_m[2];
        double rises = tracks[1].now.velocity_mps[2];
        ck_assert_msg(depth_m < 0.05, "drop %u, tick %u: %.3f m inside", n, tick, depth_m);
        ck_assert_msg(up_m > 0.9 * def.hull.height_m, "drop %u, tick %u: only %.3f m above", n,
                      tick, up_m);
        ck_assert_msg(fabs(rises) < 0.2, "drop %u, tick %u: rises with %.3f m/s", n, tick, rises);
    }
    collision_yard_close(&yard);
}

TEST(who_lands_on_a_roof_is_held_up_and_not_thrown_aside) {
    static const test_drop DROPS[] = {
        {0.0, 0.0, 0.0, 0.0, 0.0},      {0.3, 0.1, 0.08, 0.3, 0.1},
        {-0.4, -0.12, 0.05, -0.2, 0.1}, {3.0, 0.05, -0.1, 0.2, -0.1},
        {1.57, 0.08, -0.06, 0.0, 0.2},  {-1.2, -0.06, -0.08, 0.1, 0.0}};
    for (uint32_t n = 0; n < sizeof DROPS / sizeof *DROPS; n++) {
        drop(n, &DROPS[n]);
    }
}

enum { PIECES_MAX = 201, SLIDE_TICKS = 360 };

/// A slide of a car along a wall of 160 m.
typedef struct test_slide {
    double speed_mps, friction;
    int16_t steer;
    uint32_t pieces;
    double left_mps;  ///< out
    uint32_t touched; ///< out, ticks
} test_slide;

// The wall runs back, so that its left is where the car is.
static void build_chain(apex_wall_segment segments[], uint32_t pieces) {
    const double FROM_M = 140.0, TO_M = -20.0;
    for (uint32_t i = 0; i < pieces; i++) {
        segments[i] = (apex_wall_segment){.from_x_m = FROM_M + (TO_M - FROM_M) * i / pieces,
                                          .to_x_m = FROM_M + (TO_M - FROM_M) * (i + 1) / pieces,
                                          .base_m = -1.0,
                                          .top_m = 2.0,
                                          .previous = i > 0 ? i - 1 : APEX_GROUND_NONE,
                                          .next = i + 1 < pieces ? i + 1 : APEX_GROUND_NONE};
    }
}

static void slide(test_slide *of) {
    static apex_wall_segment segments[PIECES_MAX];
    const apex_wall_material material = {.name = "rail", .friction = of->friction};
    build_chain(segments, of->pieces);
    const apex_walls walls = {.segments = segments,
                              .segment_count = of->pieces,
                              .materials = &material,
                              .material_count = 1};
    apex_car_def def = scene_plain_car();
    def.hull.restitution = 0.0;
    def.hull.friction = of->friction;
    def.aero.drag_coefficient = 0.0;
    collision_yard yard = collision_yard_open(&(collision_yard_def){.cars = 1, .walls = &walls});
    collision_yard_add(&yard, &def);
    apex_car_id car;
    apex_placement at = {.x_m = -10.0, .y_m = -0.95, .speed_mps = of->speed_mps};
    ck_assert_int_eq(apex_world_add_car(yard.world, yard.types[0], &at, &car), APEX_OK);
    yard.controls[0].steer = of->steer;
    of->touched = 0;
    for (uint32_t tick = 0; tick < SLIDE_TICKS; tick++) {
        size_t count;
        collision_yard_run(&yard, 1);
        (void)apex_world_contacts(yard.world, &count);
        of->touched += count > 0;
        apex_car_pose pose = collision_pose(&yard, car);
        of->left_mps = speed_of(&pose);
        if (pose.position_m[0] > 130.0) {
            break;
        }
    }
    collision_yard_close(&yard);
}

TEST(two_hundred_joints_slow_no_more_than_one_wall) {
    static const test_slide SLIDES[] = {{8.0, 0.0, 600, 1, 0.0, 0},
                                        {18.0, 0.0, 500, 1, 0.0, 0},
                                        {40.0, 0.0, 400, 1, 0.0, 0},
                                        {18.0, 0.3, 200, 1, 0.0, 0},
                                        {40.0, 0.3, 200, 1, 0.0, 0}};
    for (uint32_t i = 0; i < sizeof SLIDES / sizeof *SLIDES; i++) {
        test_slide straight = SLIDES[i], chain = SLIDES[i];
        chain.pieces = PIECES_MAX;
        slide(&straight);
        slide(&chain);
        ck_assert_uint_gt(straight.touched, 60);
        ck_assert_uint_gt(chain.touched, 60);
        ck_assert_double_gt(straight.left_mps, 1.0); // it still slides
        ck_assert_msg(chain.left_mps > 0.99 * straight.left_mps,
                      "slide %u at %.0f m/s: %.3f m/s left instead of %.3f", i, chain.speed_mps,
                      chain.left_mps, straight.left_mps);
    }
}

// Stored otherwise
enum { CROWD = 60, CROWD_SECONDS = 4 };

// All kinds to the middle, in a world with more room than they need: other buckets, other order of
// finding pairs, the same cars.
static collision_yard open_crowd(uint32_t capacity) {
    collision_yard yard = collision_yard_open(&(collision_yard_def){.cars = capacity});
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def def = scene_car_kind(kind);
        collision_yard_add(&yard, &def);
    }
    uint64_t seed = 4;
    for (uint32_t i = 0; i < CROWD; i++) {
        double angle = i * 2.39996322972865332, radius = 7.5 * sqrt(i + 1.0);
        apex_car_id id;
        apex_placement at = {.x_m = radius * cos(angle),
                             .y_m = radius * sin(angle),
                             .yaw_rad =
                                 angle + COLLISION_PI + scene_random_between(&seed, -0.3, 0.3),
                             .speed_mps = scene_random_between(&seed, 15.0, 30.0)};
        ck_assert_int_eq(apex_world_add_car(yard.world, yard.types[i % SCENE_KINDS], &at, &id),
                         APEX_OK);
        ck_assert_uint_eq(id.index1, i + 1);
    }
    collision_yard_pedals(&yard, 60, 0);
    return yard;
}

// To the last bit: all that moves, and the wheels that it stands on.
static bool is_same(const apex_car_state *a, const apex_car_state *b) {
    bool same = a->orientation[0] == b->orientation[0] && a->damage[0] == b->damage[0];
    for (uint32_t i = 0; i < 3; i++) {
        same = same && a->position_m[i] == b->position_m[i] &&
               a->orientation[i + 1] == b->orientation[i + 1] &&
               a->velocity_mps[i] == b->velocity_mps[i] &&
               a->angular_radps[i] == b->angular_radps[i];
    }
    for (uint32_t w = 0; w < APEX_WHEELS_MAX; w++) {
        same = same && a->wheels[w].spin_radps == b->wheels[w].spin_radps &&
               a->wheels[w].travel_m == b->wheels[w].travel_m &&
               a->wheels[w].deflection_lat_m == b->wheels[w].deflection_lat_m;
    }
    return same;
}

TEST(how_many_slots_there_are_changes_no_bit) {
    static const uint32_t CAPACITIES[] = {64, 4096};
    collision_yard yards[2];
    apex_car_pose poses[CROWD];
    size_t contacts = 0;
    for (uint32_t w = 0; w < 2; w++) {
        yards[w] = open_crowd(CAPACITIES[w]);
    }
    ck_assert_uint_eq(apex_world_poses(yards[0].world, poses, CROWD), CROWD);
    const uint32_t seconds = (uint32_t)check_cases(CROWD_SECONDS);
    for (uint32_t tick = 0; tick < 60 * seconds; tick++) {
        size_t counts[2];
        for (uint32_t w = 0; w < 2; w++) {
            collision_yard_run(&yards[w], 1);
            (void)apex_world_contacts(yards[w].world, &counts[w]);
        }
        ck_assert_uint_eq(counts[0], counts[1]);
        contacts += counts[0];
        for (uint32_t i = 0; i < CROWD; i++) {
            apex_car_state a = collision_state(&yards[0], poses[i].id);
            apex_car_state b = collision_state(&yards[1], poses[i].id);
            if (!is_same(&a, &b)) {
                ck_abort_msg("car %u differs after tick %u", i, tick);
            }
        }
    }
    ck_assert(seconds < CROWD_SECONDS || contacts > 3000);
    collision_yard_close(&yards[0]);
    collision_yard_close(&yards[1]);
}

// A mirrored jam
enum { JAM = 100, JAM_SECONDS = 4 };

static double energy_of(const collision_yard *yard) {
    apex_car_pose poses[JAM];
    double sum = 0.0;
    size_t count = apex_world_poses(yard->world, poses, JAM);
    ck_assert_uint_eq(count, JAM);
    for (size_t i = 0; i < count; i++) {
        const apex_car_def *def = &yard->defs[i % yard->kinds];
        const double *v = poses[i].velocity_mps, *w = poses[i].angular_radps;
        sum += 0.5 * def->mass_kg * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        sum += 0.5 * def->inertia_yaw_kgm2 * w[2] * w[2];
    }
    return sum;
}

// One jam is chaos, and points that answer one after the other take their order from left and
// right: what all of them have, over the time it takes and in the end, hardly depends on it.
TEST(a_mirrored_jam_loses_the_same_energy) {
    collision_yard yards[2];
    for (uint32_t side = 0; side < 2; side++) {
        yards[side] = collision_yard_open(&(collision_yard_def){.cars = JAM});
        for (uint32_t kind = 0; kind < 4; kind++) {
            apex_car_def def = scene_car_kind(kind);
            collision_yard_add(&yards[side], &def);
        }
        const collision_jam jam = {
            .cars = JAM, .kinds = 4, .speed_mps = 20.0, .seed = 9, .is_mirrored = side == 1};
        collision_jam_place(&yards[side], &jam);
        collision_yard_pedals(&yards[side], 80, 0);
    }
    double first = energy_of(&yards[0]);
    ck_assert_double_eq_tol(energy_of(&yards[1]), first, 1e-6 * first);
    double sums[2] = {0.0, 0.0}, last[2] = {first, first};
    const uint32_t seconds = (uint32_t)check_cases(JAM_SECONDS);
    for (uint32_t tick = 0; tick < 60 * seconds; tick++) {
        for (uint32_t side = 0; side < 2; side++) {
            collision_yard_run(&yards[side], 1);
            last[side] = energy_of(&yards[side]);
            sums[side] += last[side] / (60.0 * seconds);
        }
    }
    double mean = fabs(sums[0] - sums[1]) / sums[0], end = fabs(last[0] - last[1]) / first;
    ck_assert_msg(mean < 0.01, "on the way %.2f %% apart", 100.0 * mean);
    ck_assert_msg(end < 0.01, "in the end %.2f %% apart", 100.0 * end);
    ck_assert(seconds < JAM_SECONDS || last[0] < 0.1 * first); // it was a jam
    collision_yard_close(&yards[0]);
    collision_yard_close(&yards[1]);
}
