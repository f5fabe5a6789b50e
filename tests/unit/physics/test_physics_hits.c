// Cars of several kinds thrown at walls 0.2 m thick and at posts: none gets through, none is left
// in a wall, none comes out on the wrong side. The same against cars: test_physics_hits_cars.c.

#include "support/base/check_main.h"
#include "support/physics/collision_scene.h"
#include "support/physics/free_of_forces.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

static const apex_wall_material CONCRETE = {
    .name = "concrete", .restitution = 0.25, .friction = 0.4};

// scene_car_kind: Corvette, truck, motorcycle, front drive.
static const uint32_t KINDS[] = {0, 5, 7, 1};
enum { KIND_COUNT = 4 };

static void add_kinds(collision_yard *yard) {
    for (uint32_t k = 0; k < KIND_COUNT; k++) {
        apex_car_def def = scene_car_kind(KINDS[k]);
        collision_yard_add(yard, &def);
    }
}

/// The counts so far.
typedef struct hit_count {
    size_t began, stopped;
} hit_count;

static void count_new(const apex_world *world, apex_contact_kind kind, hit_count *hits) {
    size_t count;
    const apex_contact_event *events = apex_world_contacts(world, &count);
    for (size_t e = 0; e < count; e++) {
        hits->began += events[e].kind == kind && events[e].began;
    }
    hits->stopped += collision_count_stopped(world);
}

// However hard a hit was, its numbers are good ones.
static void check_count(const hit_count *hits, size_t least) {
    ck_assert_uint_ge(hits->began, least);
    ck_assert_uint_eq(hits->stopped, 0);
}

enum { STATIONS = 48, WALL_CARS = 2 * STATIONS, PIECES_MAX = 160, HIT_TICKS = 50 };
static const double THICK_M = 0.2, STATION_M = 20.0;

// Two faces back to back through the origin: one for cars on its left, the other, 0.2 m to the
// right, for those on the right. Each in so many pieces.
typedef struct test_wall {
    double ahead[2], left[2];
    uint32_t pieces;
    apex_wall_segment faces[2 * PIECES_MAX];
    apex_walls walls;
} test_wall;

static void put_piece(test_wall *wall, uint32_t face, uint32_t i) {
    const double END_M = 0.5 * STATIONS * STATION_M + 50.0;
    double sign = face == 0 ? 1.0 : -1.0, off_m = face == 0 ? 0.0 : -THICK_M;
    double from = sign * END_M * (2.0 * i / wall->pieces - 1.0);
    double to = sign * END_M * (2.0 * (i + 1) / wall->pieces - 1.0);
    uint32_t first = face * wall->pieces;
    wall->faces[first + i] =
        (apex_wall_segment){.from_x_m = from * wall->ahead[0] + off_m * wall->left[0],
                            .from_y_m = from * wall->ahead[1] + off_m * wall->left[1],
                            .to_x_m = to * wall->ahead[0] + off_m * wall->left[0],
                            .to_y_m = to * wall->ahead[1] + off_m * wall->left[1],
                            .base_m = -5.0,
                            .top_m = 50.0, // nobody flies over
                            .previous = i > 0 ? first + i - 1 : APEX_GROUND_NONE,
                            .next = i + 1 < wall->pieces ? first + i + 1 : APEX_GROUND_NONE};
}

static void build_wall(test_wall *wall, double heading_rad, uint32_t pieces) {
    *wall = (test_wall){.ahead = {cos(heading_rad), sin(heading_rad)},
                        .left = {-sin(heading_rad), cos(heading_rad)},
                        .pieces = pieces};
    for (uint32_t face = 0; face < 2; face++) {
        for (uint32_t i = 0; i < pieces; i++) {
            put_piece(wall, face, i);
        }
    }
    wall->walls = (apex_walls){.segments = wall->faces,
                               .segment_count = 2 * pieces,
                               .materials = &CONCRETE,
                               .material_count = 1};
}

// @return the distance of a point from the face of a side, positive where cars are.
static double off_wall(const test_wall *wall, uint32_t side, const double at[3]) {
    double left_m = at[0] * wall->left[0] + at[1] * wall->left[1];
    return side == 0 ? left_m : -THICK_M - left_m;
}

// Looking anywhere, turning, and drifting towards the wall.
static collision_throw throw_at_wall(const test_wall *wall, uint32_t i, uint64_t *seed) {
    uint32_t side = i % 2;
    double to_wall = side == 0 ? -1.0 : 1.0;
    double aim = scene_random_between(seed, -1.1, 1.1);
    double speed = scene_random_between(seed, 25.0, 100.0);
    double along = ((double)(i >> 1) - 0.5 * STATIONS + 0.5) * STATION_M;
    double away = scene_random_between(seed, 4.5, 6.0);
    double off = side == 0 ? away : -THICK_M - away;
    collision_throw how = {.kind = (uint32_t)(scene_random(seed) % KIND_COUNT),
                           .yaw_rad = scene_random_between(seed, -3.1, 3.1)};
    for (uint32_t k = 0; k < 2; k++) {
        how.place_m[k] = along * wall->ahead[k] + off * wall->left[k];
        how.velocity_mps[k] =
            speed * (to_wall * cos(aim) * wall->left[k] + sin(aim) * wall->ahead[k]);
    }
    how.angular_radps[2] = scene_random_between(seed, -6.0, 6.0);
    return how;
}

// In the air cars come as they like.
static void tumble(collision_throw *how, uint64_t *seed) {
    how->place_m[2] = scene_random_between(seed, 0.0, 5.0);
    how->pitch_rad = scene_random_between(seed, -0.5, 0.5);
    how->roll_rad = scene_random_between(seed, -0.5, 0.5);
    how->angular_radps[0] = scene_random_between(seed, -3.0, 3.0);
    how->angular_radps[1] = scene_random_between(seed, -3.0, 3.0);
}

// The deepest that any corner of the hull lies behind the face.
static double depth_in_wall(const test_wall *wall, uint32_t side, const collision_box *hull) {
    double least = HUGE_VAL;
    for (uint32_t corner = 0; corner < 8; corner++) {
        double at[3];
        collision_box_corner(hull, corner, at);
        least = fmin(least, off_wall(wall, side, at));
    }
    return -least;
}

// Stands on its wheels or could, and does not tumble: then its outline in the plan hardly changes.
static bool is_upright(const apex_car_pose *pose) {
    const double *w = pose->angular_radps;
    return cos(pose->pitch_rad) * cos(pose->roll_rad) > 0.85 && hypot(w[0], w[1]) < 3.0;
}

// No middle of a car gets behind the face. On the road, of one that does not tumble, no corner
// comes out at the back, and at the end all of it is out in front. (Each of check's asserts writes
// to a file, so they are for what has gone wrong.)
static void watch_wall(const collision_yard *yard, const test_wall *wall,
                       const uint32_t kinds[WALL_CARS], uint32_t tick) {
    apex_car_pose poses[WALL_CARS];
    ck_assert_uint_eq(apex_world_poses(yard->world, poses, WALL_CARS), WALL_CARS);
    for (uint32_t i = 0; i < WALL_CARS; i++) {
        const apex_car_def *def = &yard->defs[kinds[i]];
        collision_box hull = collision_box_of(def, &poses[i], 1.0);
        double off_m = off_wall(wall, i % 2, hull.centre_m);
        if (off_m <= 0.0) {
            ck_abort_msg("tick %u, %s %u: its middle is %.3f m behind the face", tick, def->name, i,
                         -off_m);
        }
        if (yard->is_high || off_m > 0.8 * def->hull.length_m || !is_upright(&poses[i])) {
            continue;
        }
        double depth_m = depth_in_wall(wall, i % 2, &hull);
        if (depth_m >= THICK_M) {
            ck_abort_msg("tick %u, %s %u: a corner is %.3f m deep", tick, def->name, i, depth_m);
        }
        if (tick + 1 == HIT_TICKS && depth_m > 0.75 * THICK_M) {
            ck_abort_msg("%s %u: is left %.3f m in the wall", def->name, i, depth_m);
        }
    }
}

static void hit_wall(collision_yard *yard, const test_wall *wall, uint64_t *seed, hit_count *hits) {
    apex_car_id cars[WALL_CARS];
    uint32_t kinds[WALL_CARS];
    for (uint32_t i = 0; i < WALL_CARS; i++) {
        collision_throw how = throw_at_wall(wall, i, seed);
        if (yard->is_high) {
            tumble(&how, seed);
        }
        kinds[i] = how.kind;
        cars[i] = collision_throw_car(yard, &how);
    }
    for (uint32_t tick = 0; tick < HIT_TICKS; tick++) {
        collision_yard_run(yard, 1);
        count_new(yard->world, APEX_CONTACT_WALL, hits);
        watch_wall(yard, wall, kinds, tick);
    }
    for (uint32_t i = 0; i < WALL_CARS; i++) {
        apex_world_remove_car(yard->world, cars[i]);
    }
}

static void hit_walls(const test_wall *wall, bool is_high, uint32_t all, size_t least) {
    const uint32_t batches = (uint32_t)check_cases((int)all);
    uint64_t seed = 11 + wall->pieces;
    hit_count hits = {0};
    collision_yard yard = collision_yard_open(
        &(collision_yard_def){.cars = WALL_CARS, .is_high = is_high, .walls = &wall->walls});
    add_kinds(&yard);
    if (is_high) {
        free_of_forces(yard.world);
    }
    for (uint32_t batch = 0; batch < batches; batch++) {
        hit_wall(&yard, wall, &seed, &hits);
    }
    collision_yard_close(&yard);
    check_count(&hits, least * batches / all);
}

TEST(fifteen_hundred_hits_on_a_thin_wall) {
    static test_wall wall;
    build_wall(&wall, 0.7, 1);
    hit_walls(&wall, false, 16, 1500);
}

// Pieces of 7.3 m: a hit at a joint is a hit on the wall.
TEST(fifteen_hundred_hits_on_a_wall_in_pieces) {
    static test_wall wall;
    build_wall(&wall, -1.1, 145);
    hit_walls(&wall, false, 16, 1500);
}

TEST(two_thousand_hits_in_the_air) {
    static test_wall wall;
    build_wall(&wall, 0.0, 1);
    hit_walls(&wall, true, 22, 2000);
}

enum { POSTS = 64, POST_BATCHES = 25 };
static const double POST_GAP_M = 60.0;

static void place_posts(apex_wall_post posts[POSTS]) {
    for (uint32_t i = 0; i < POSTS; i++) {
        posts[i] = (apex_wall_post){.x_m = i % 8 * POST_GAP_M,
                                    .y_m = (double)(i >> 3) * POST_GAP_M,
                                    .radius_m = 0.15,
                                    .base_m = -5.0,
                                    .top_m = 50.0};
    }
}

// So that the post stands in the way of the middle of the car, whichever way it looks.
static collision_throw throw_at_post(const collision_yard *yard, const apex_wall_post *post,
                                     uint64_t *seed) {
    uint32_t kind = (uint32_t)(scene_random(seed) % KIND_COUNT);
    double speed = scene_random_between(seed, 20.0, 100.0);
    double heading = scene_random_between(seed, -3.1, 3.1);
    double away = scene_random_between(seed, 4.5, 7.0);
    double aside = 0.4 * yard->defs[kind].hull.width_m * scene_random_between(seed, -1.0, 1.0);
    double x = cos(heading), y = sin(heading);
    return (collision_throw){
        .kind = kind,
        .place_m = {post->x_m - away * x - aside * y, post->y_m - away * y + aside * x},
        .yaw_rad = scene_random_between(seed, -3.1, 3.1),
        .velocity_mps = {speed * x, speed * y},
        .angular_radps = {0.0, 0.0, scene_random_between(seed, -6.0, 6.0)}};
}

static void hit_posts(collision_yard *yard, const apex_wall_post posts[POSTS], uint64_t *seed,
                      hit_count *hits) {
    apex_car_id cars[POSTS];
    apex_car_pose before[POSTS], now[POSTS];
    uint32_t kinds[POSTS];
    for (uint32_t i = 0; i < POSTS; i++) {
        collision_throw how = throw_at_post(yard, &posts[i], seed);
        kinds[i] = how.kind;
        cars[i] = collision_throw_car(yard, &how);
    }
    ck_assert_uint_eq(apex_world_poses(yard->world, before, POSTS), POSTS);
    for (uint32_t tick = 0; tick < HIT_TICKS; tick++) {
        collision_yard_run(yard, 1);
        count_new(yard->world, APEX_CONTACT_POST, hits);
        ck_assert_uint_eq(apex_world_poses(yard->world, now, POSTS), POSTS);
        for (uint32_t i = 0; i < POSTS; i++) {
            collision_track track = {&yard->defs[kinds[i]], before[i], now[i]};
            const collision_box core = {.centre_m = {posts[i].x_m, posts[i].y_m},
                                        .axis = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                                        .half_m = {0.05, 0.05, 50.0}};
            if (collision_deepest_in(&track, &core, 0.5) >= 0.0) {
                ck_abort_msg("tick %u: post %u is in the middle of a %s", tick, i, track.def->name);
            }
        }
        memcpy(before, now, sizeof before);
    }
    for (uint32_t i = 0; i < POSTS; i++) {
        apex_world_remove_car(yard->world, cars[i]);
    }
}

TEST(fifteen_hundred_hits_on_posts) {
    static apex_wall_post posts[POSTS];
    uint64_t seed = 5;
    hit_count hits = {0};
    place_posts(posts);
    const apex_walls walls = {
        .posts = posts, .post_count = POSTS, .materials = &CONCRETE, .material_count = 1};
    collision_yard yard =
        collision_yard_open(&(collision_yard_def){.cars = POSTS, .walls = &walls});
    add_kinds(&yard);
    const uint32_t batches = (uint32_t)check_cases(POST_BATCHES);
    for (uint32_t batch = 0; batch < batches; batch++) {
        hit_posts(&yard, posts, &seed, &hits);
    }
    check_count(&hits, 1500 * batches / POST_BATCHES);
    collision_yard_close(&yard);
}
