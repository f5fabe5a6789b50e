// Walls, posts and cars against each other: nothing passes, nothing catches, momentum stays.

#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const apex_wall_material CONCRETE = {
    .name = "concrete", .restitution = 0.25, .friction = 0.3};

typedef struct test_yard {
    apex_world *world;
    apex_car_type type;
    apex_controls controls[64];
} test_yard;

static void open_yard(test_yard *yard, const apex_car_def *car, const apex_walls *walls,
                      uint32_t cars) {
    memset(yard, 0, sizeof *yard);
    apex_world_def def = scene_world_def(cars);
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), walls, &yard->world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(yard->world, car, &yard->type), APEX_OK);
}

static apex_car_id put(test_yard *yard, double x, double y, double yaw, double speed) {
    apex_placement at = {.x_m = x, .y_m = y, .yaw_rad = yaw, .speed_mps = speed};
    apex_car_id id;
    ck_assert_int_eq(apex_world_add_car(yard->world, yard->type, &at, &id), APEX_OK);
    return id;
}

static apex_car_pose pose_of(const test_yard *yard, apex_car_id id) {
    apex_car_pose pose;
    ck_assert(apex_world_pose(yard->world, id, &pose));
    return pose;
}

static void run(test_yard *yard, int ticks) {
    for (int i = 0; i < ticks; i++) {
        apex_world_step(yard->world, yard->controls, NULL);
    }
}

static apex_wall_segment wall(double from_x, double from_y, double to_x, double to_y) {
    return (apex_wall_segment){.from_x_m = from_x,
                               .from_y_m = from_y,
                               .to_x_m = to_x,
                               .to_y_m = to_y,
                               .base_m = -1.0,
                               .top_m = 2.0,
                               .previous = APEX_GROUND_NONE,
                               .next = APEX_GROUND_NONE};
}

// A wall 0.2 m thick is two faces, each solid from its own side.
TEST(two_thousand_hits_at_speed_and_none_through) {
    apex_wall_segment faces[2] = {wall(0.0, -500.0, 0.0, 500.0), wall(0.2, 500.0, 0.2, -500.0)};
    apex_walls walls = {
        .segments = faces, .segment_count = 2, .materials = &CONCRETE, .material_count = 1};
    apex_car_def def = scene_corvette();
    test_yard yard;
    open_yard(&yard, &def, &walls, 50);
    uint64_t seed = 1;
    int hits = 0;
    const int batches = check_cases(40);
    for (int batch = 0; batch < batches; batch++) {
        apex_car_id cars[50];
        double side[50];
        for (int i = 0; i < 50; i++) {
            side[i] = i % 2 ? 1.0 : -1.0; // left of it, heading right, or the other way
            double aim = scene_random_between(&seed, -1.3, 1.3);
            double speed = scene_random_between(&seed, 30.0, 100.0);
            double away = scene_random_between(&seed, 4.0, 12.0);
            double x = side[i] < 0.0 ? -away : 0.2 + away;
            double yaw = side[i] < 0.0 ? aim : aim + 3.14159265358979;
            cars[i] = put(&yard, x, -490.0 + 20.0 * i, yaw, 0.0);
            // Spinning, and heading where it drifts, not where it looks.
            apex_car_state state;
            ck_assert(apex_world_get_car(yard.world, cars[i], &state));
            state.velocity_mps[0] = -side[i] * speed * cos(aim);
            state.velocity_mps[1] = speed * sin(aim) * 0.3;
            state.angular_radps[2] = scene_random_between(&seed, -6.0, 6.0);
            ck_assert(apex_world_set_car(yard.world, cars[i], &state));
        }
        for (int tick = 0; tick < 60; tick++) {
            size_t count;
            run(&yard, 1);
            const apex_contact_event *events = apex_world_contacts(yard.world, &count);
            for (size_t e = 0; e < count; e++) {
                hits += events[e].kind == APEX_CONTACT_WALL && events[e].began;
            }
            for (int i = 0; i < 50; i++) {
                double x = pose_of(&yard, cars[i]).position_m[0];
                ck_assert_msg(side[i] < 0.0 ? x < 0.0 : x > 0.2, "batch %d car %d is at %f", batch,
                              i, x);
            }
        }
        for (int i = 0; i < 50; i++) {
            apex_world_remove_car(yard.world, cars[i]);
        }
    }
    ck_assert_int_gt(hits, 1500 * batches / 40);
    apex_world_destroy(yard.world);
}

TEST(a_straight_hit_bounces_by_the_restitution) {
    apex_wall_segment face = wall(0.0, -50.0, 0.0, 50.0);
    apex_walls walls = {
        .segments = &face, .segment_count = 1, .materials = &CONCRETE, .material_count = 1};
    apex_car_def def = scene_plain_car();
    def.hull.restitution = 0.25;
    test_yard yard;
    open_yard(&yard, &def, &walls, 1);
    apex_car_id car = put(&yard, -6.0, 0.0, 0.0, 20.0);
    double impulse = 0.0, closing = 0.0, nearest = -10.0;
    int began = 0;
    for (int tick = 0; tick < 40; tick++) {
        size_t count;
        run(&yard, 1);
        const apex_contact_event *events = apex_world_contacts(yard.world, &count);
        for (size_t e = 0; e < count; e++) {
            impulse += events[e].began ? events[e].impulse_ns : 0.0;
            closing = fmax(closing, events[e].closing_mps);
            began += events[e].began;
            ck_assert_double_eq(events[e].normal[0], 1.0);
            ck_assert_double_eq_tol(events[e].point_m[0], 0.0, 0.15);
            ck_assert_uint_eq(events[e].car.index1, car.index1);
            ck_assert_uint_eq(events[e].other.index1, 0);
        }
        nearest = fmax(nearest, pose_of(&yard, car).position_m[0] + 2.2);
    }
    ck_assert_int_eq(began, 1);
    ck_assert_double_eq_tol(closing, 20.0, 0.2);
    double e = 0.25 * 20.0 / (20.0 + closing); // falls with the speed of the hit
    ck_assert_double_eq_tol(impulse, 1500.0 * closing * (1.0 + e), 0.01 * impulse);
    // It touched without sinking in; a tick that ends after the hit sees it 6 cm away at most.
    ck_assert_double_lt(nearest, 0.002);
    ck_assert_double_gt(nearest, -0.065);
    // The tyres still turn forwards and brake the way back.
    double back = pose_of(&yard, car).velocity_mps[0];
    ck_assert_double_lt(back, 0.5);
    apex_world_destroy(yard.world);
}

TEST(walls_push_one_way_only) {
    apex_wall_segment face = wall(0.0, -50.0, 0.0, 50.0); // solid from the left, x < 0
    apex_walls walls = {
        .segments = &face, .segment_count = 1, .materials = &CONCRETE, .material_count = 1};
    apex_car_def def = scene_plain_car();
    test_yard yard;
    open_yard(&yard, &def, &walls, 1);
    apex_car_id car = put(&yard, 6.0, 0.0, 3.14159265358979, 20.0);
    size_t count;
    for (int tick = 0; tick < 60; tick++) {
        run(&yard, 1);
        (void)apex_world_contacts(yard.world, &count);
        if (pose_of(&yard, car).position_m[0] > 0.0) {
            ck_assert_uint_eq(count, 0);
        }
    }
    ck_assert_double_lt(pose_of(&yard, car).position_m[0], -5.0);
    apex_world_destroy(yard.world);
}

TEST(low_walls_and_bridges_do_not_touch) {
    apex_wall_segment faces[2] = {wall(0.0, -50.0, 0.0, 50.0), wall(5.0, -50.0, 5.0, 50.0)};
    faces[0].base_m = 5.0; // far overhead
    faces[0].top_m = 6.0;
    faces[1].base_m = -3.0; // in a ditch
    faces[1].top_m = -2.0;
    apex_walls walls = {
        .segments = faces, .segment_count = 2, .materials = &CONCRETE, .material_count = 1};
    apex_car_def def = scene_plain_car();
    test_yard yard;
    open_yard(&yard, &def, &walls, 1);
    apex_car_id car = put(&yard, -10.0, 0.0, 0.0, 20.0);
    run(&yard, 60);
    ck_assert_double_gt(pose_of(&yard, car).position_m[0], 8.0);
    apex_world_destroy(yard.world);
}

// Along a polygon that bends either way a sliding car must lose to friction only, not catch.
static void slide_along(double bend_rad, int16_t steer) {
    enum { PIECES = 40 };
    const double SPEED_MPS = 18.0;
    apex_wall_segment pieces[PIECES];
    double x = 0.0, y = 0.0, heading = 3.14159265358979; // running back, so that its left is below
    for (uint32_t i = 0; i < PIECES; i++) {
        double next_x = x + 3.0 * cos(heading), next_y = y + 3.0 * sin(heading);
        pieces[i] = wall(x, y, next_x, next_y);
        pieces[i].previous = i > 0 ? i - 1 : APEX_GROUND_NONE;
        pieces[i].next = i + 1 < PIECES ? i + 1 : APEX_GROUND_NONE;
        x = next_x;
        y = next_y;
        heading += bend_rad;
    }
    static const apex_wall_material SMOOTH = {.name = "smooth"};
    apex_walls walls = {
        .segments = pieces, .segment_count = PIECES, .materials = &SMOOTH, .material_count = 1};
    apex_car_def def = scene_plain_car();
    def.hull.friction = 0.0;
    def.hull.restitution = 0.0;
    def.aero.drag_coefficient = 0.0;
    test_yard yard;
    open_yard(&yard, &def, &walls, 1);
    // Beside the wall's end, pressing on it with a little steering.
    apex_car_id car = put(&yard, -100.0, -0.95, 0.0, SPEED_MPS);
    if (bend_rad != 0.0) { // the far end of a bent wall: start at its own angle
        apex_world_remove_car(yard.world, car);
        heading -= bend_rad;
        double out_x = -sin(heading), out_y = cos(heading);
        double back = heading + 3.14159265358979;
        car = put(&yard, x + out_x * 0.95 + 4.0 * cos(back), y + out_y * 0.95 + 4.0 * sin(back),
                  back, SPEED_MPS);
    }
    yard.controls[0].gear = APEX_GEAR_NEUTRAL;
    yard.controls[0].steer = steer;
    int touched = 0;
    double before = SPEED_MPS;
    for (int tick = 0; tick < 240; tick++) {
        size_t count;
        run(&yard, 1);
        (void)apex_world_contacts(yard.world, &count);
        touched += count > 0;
        apex_car_pose pose = pose_of(&yard, car);
        double speed = hypot(pose.velocity_mps[0], pose.velocity_mps[1]);
        ck_assert_msg(before - speed < 1.2, "tick %d: %f to %f m/s", tick, before, speed);
        before = speed;
    }
    ck_assert_msg(touched > 5, "bend %f: %d ticks on the wall", bend_rad, touched);
    ck_assert_double_gt(before, 0.8 * SPEED_MPS);
    apex_world_destroy(yard.world);
}

TEST(no_catching_on_joints) {
    slide_along(0.0, 500);
    slide_along(0.04, 500);
    slide_along(-0.03, 1900);
}

TEST(posts_stop_cars) {
    apex_wall_post post = {.x_m = 0.0, .y_m = 0.3, .radius_m = 0.3, .base_m = -1.0, .top_m = 2.0};
    apex_walls walls = {
        .posts = &post, .post_count = 1, .materials = &CONCRETE, .material_count = 1};
    apex_car_def def = scene_plain_car();
    test_yard yard;
    open_yard(&yard, &def, &walls, 1);
    apex_car_id car = put(&yard, -8.0, 0.0, 0.0, 40.0);
    size_t hits = 0;
    for (int tick = 0; tick < 60; tick++) {
        size_t count;
        run(&yard, 1);
        const apex_contact_event *events = apex_world_contacts(yard.world, &count);
        for (size_t e = 0; e < count; e++) {
            ck_assert_int_eq(events[e].kind, APEX_CONTACT_POST);
            hits++;
        }
        ck_assert_double_lt(pose_of(&yard, car).position_m[0], -0.2 - 2.0);
    }
    ck_assert_uint_gt(hits, 0);
    apex_world_destroy(yard.world);
}

static void momentum(const test_yard *yard, uint32_t cars, const apex_car_def *def, double out[3]) {
    apex_car_pose poses[64];
    size_t count = apex_world_poses(yard->world, poses, cars);
    memset(out, 0, 3 * sizeof *out);
    for (size_t i = 0; i < count; i++) {
        const double *p = poses[i].position_m, *v = poses[i].velocity_mps;
        out[0] += def->mass_kg * v[0];
        out[1] += def->mass_kg * v[1];
        out[2] += def->mass_kg * (p[0] * v[1] - p[1] * v[0]) +
                  def->inertia_yaw_kgm2 * poses[i].angular_radps[2];
    }
}

TEST(cars_that_hit_keep_their_momentum) {
    // On perfect ice, without air, only the hits are left.
    apex_car_def def = scene_plain_car();
    def.aero.drag_coefficient = 0.0;
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.longitudinal.d = 0.05;
        def.axles[a].tyre.lateral.d = 0.05;
        def.axles[a].tyre.rolling_coefficient = 0.0;
    }
    apex_surface_def ice = {.name = "ice", .friction = 0.0};
    apex_ground ground = {.surfaces = &ice, .surface_count = 1};
    test_yard yard;
    memset(&yard, 0, sizeof yard);
    apex_world_def world = scene_world_def(30);
    ck_assert_int_eq(apex_world_create(&world, &ground, NULL, &yard.world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(yard.world, &def, &yard.type), APEX_OK);
    for (int i = 0; i < 30; i++) {
        double angle = i * 0.2094395;
        put(&yard, 40.0 * cos(angle) * (1 + i % 2), 40.0 * sin(angle) * (1 + i % 2),
            angle + 3.0 + 0.01 * i, 25.0 + i);
        yard.controls[i].gear = APEX_GEAR_NEUTRAL;
    }
    double before[3], after[3], scale = 30.0 * def.mass_kg * 40.0;
    momentum(&yard, 30, &def, before);
    size_t hits = 0;
    for (int tick = 0; tick < 200; tick++) {
        size_t count;
        run(&yard, 1);
        (void)apex_world_contacts(yard.world, &count);
        hits += count;
    }
    momentum(&yard, 30, &def, after);
    ck_assert_uint_gt(hits, 40);
    // The tolerance is the loss to the least possible friction (1 %) in 3.3 s.
    double slid = 0.01 * 0.05 * 9.81 * 3.4 / 40.0;
    ck_assert_double_lt(fabs(after[0] - before[0]) / scale, slid);
    ck_assert_double_lt(fabs(after[1] - before[1]) / scale, slid);
    ck_assert_double_lt(fabs(after[2] - before[2]) / (scale * 40.0), 0.01);
    apex_world_destroy(yard.world);
}

TEST(head_on_at_full_speed_nobody_passes) {
    apex_car_def def = scene_plain_car();
    test_yard yard;
    open_yard(&yard, &def, NULL, 2);
    for (int i = 0; i < 40; i++) {
        double offset = -1.5 + 3.0 * i / 39.0;
        apex_car_id left = put(&yard, -10.0 - 0.11 * i, 0.0, 0.0, 90.0);
        apex_car_id right = put(&yard, 10.0, offset, 3.14159265358979, 90.0);
        for (int tick = 0; tick < 20; tick++) {
            run(&yard, 1);
            apex_car_pose a = pose_of(&yard, left), b = pose_of(&yard, right);
            double apart =
                hypot(b.position_m[0] - a.position_m[0], b.position_m[1] - a.position_m[1]);
            ck_assert_double_gt(apart, 1.7); // centres never closer than a width
            // Square on, the one that came from the left stays there.
            if (fabs(offset) < 0.5) {
                ck_assert_double_lt(a.position_m[0], b.position_m[0]);
            }
        }
        apex_world_remove_car(yard.world, left);
        apex_world_remove_car(yard.world, right);
    }
    apex_world_destroy(yard.world);
}

TEST(ghosts_pass_and_held_cars_do_not_budge) {
    apex_car_def def = scene_plain_car();
    test_yard yard;
    open_yard(&yard, &def, NULL, 2);
    apex_car_id still = put(&yard, 0.0, 0.0, 1.57, 0.0), coming = put(&yard, -15.0, 0.0, 0.0, 30.0);
    apex_world_hold_car(yard.world, still, true);
    run(&yard, 60);
    ck_assert_double_lt(pose_of(&yard, coming).position_m[0], -1.0);
    ck_assert_double_eq(pose_of(&yard, still).position_m[0], 0.0);
    apex_placement at = {.x_m = -15.0, .speed_mps = 30.0};
    apex_world_place_car(yard.world, coming, &at);
    apex_world_ghost_car(yard.world, coming, true);
    size_t count;
    run(&yard, 60);
    (void)apex_world_contacts(yard.world, &count);
    ck_assert_uint_eq(count, 0);
    ck_assert_double_gt(pose_of(&yard, coming).position_m[0], 5.0);
    apex_world_destroy(yard.world);
}

TEST(a_pile_settles_without_overlap) {
    apex_car_def def = scene_plain_car();
    test_yard yard;
    open_yard(&yard, &def, NULL, 30);
    apex_car_id cars[30];
    for (int i = 0; i < 30; i++) {
        double angle = i * 2.39996, radius = 6.0 * sqrt(i + 1.0);
        cars[i] = put(&yard, radius * cos(angle), radius * sin(angle), angle + 3.14159265, 20.0);
        yard.controls[i].gear = APEX_GEAR_NEUTRAL;
    }
    run(&yard, 120);
    for (int i = 0; i < 30; i++) {
        yard.controls[i].brake = 255;
    }
    run(&yard, 300);
    size_t count;
    (void)apex_world_contacts(yard.world, &count);
    for (int i = 0; i < 30; i++) {
        apex_car_pose a = pose_of(&yard, cars[i]);
        ck_assert_double_lt(hypot(a.velocity_mps[0], a.velocity_mps[1]), 0.05);
        for (int j = i + 1; j < 30; j++) {
            apex_car_pose b = pose_of(&yard, cars[j]);
            double dx = b.position_m[0] - a.position_m[0], dy = b.position_m[1] - a.position_m[1];
            ck_assert_double_gt(hypot(dx, dy), 1.8 - 0.02);
        }
    }
    apex_world_destroy(yard.world);
}

TEST(contacts_come_sorted_and_once_a_pair) {
    const scene_crowd_def def = {
        .car_count = 60, .tick_hz = 60, .ring_m = 50.0, .speed_mps = 20.0, .seed = 8};
    scene_crowd crowd = scene_crowd_create(&def);
    size_t seen = 0;
    const int seconds = check_cases(4);
    for (int tick = 0; tick < 60 * seconds; tick++) {
        size_t count;
        scene_crowd_step(&crowd, NULL);
        const apex_contact_event *e = apex_world_contacts(crowd.world, &count);
        for (size_t i = 0; i < count; i++) {
            if (e[i].kind == APEX_CONTACT_CAR) {
                ck_assert_uint_lt(e[i].car.index1, e[i].other.index1);
            }
            ck_assert_double_gt(e[i].impulse_ns, 0.0);
            if (i == 0) {
                continue;
            }
            bool is_after =
                e[i - 1].car.index1 < e[i].car.index1 ||
                (e[i - 1].car.index1 == e[i].car.index1 &&
                 (e[i - 1].kind < e[i].kind ||
                  (e[i - 1].kind == e[i].kind && (e[i - 1].other.index1 < e[i].other.index1 ||
                                                  e[i - 1].other_index < e[i].other_index))));
            ck_assert(is_after);
        }
        seen += count;
    }
    ck_assert(seconds < 4 || seen > 300);
    scene_crowd_destroy(&crowd);
}

TEST(damage_is_where_the_hit_was) {
    apex_wall_segment face = wall(0.0, -50.0, 0.0, 50.0);
    apex_walls walls = {
        .segments = &face, .segment_count = 1, .materials = &CONCRETE, .material_count = 1};
    apex_car_def def = scene_plain_car();
    for (int mode = APEX_DAMAGE_OFF; mode <= APEX_DAMAGE_FULL; mode++) {
        test_yard yard;
        memset(&yard, 0, sizeof yard);
        apex_world_def world = scene_world_def(1);
        world.damage = (apex_damage_mode)mode;
        ck_assert_int_eq(apex_world_create(&world, scene_flat(), &walls, &yard.world), APEX_OK);
        ck_assert_int_eq(apex_world_add_type(yard.world, &def, &yard.type), APEX_OK);
        apex_car_id car = put(&yard, -6.0, 0.0, 0.0, 12.0);
        run(&yard, 60);
        apex_car_state state;
        ck_assert(apex_world_get_car(yard.world, car, &state));
        if (mode == APEX_DAMAGE_OFF) {
            ck_assert_double_eq(state.damage[APEX_ZONE_FRONT], 0.0);
        } else {
            ck_assert_double_gt(state.damage[APEX_ZONE_FRONT], 0.3);
        }
        ck_assert_double_eq(state.damage[APEX_ZONE_REAR], 0.0);
        ck_assert_double_eq(state.damage[APEX_ZONE_LEFT], 0.0);
        apex_world_destroy(yard.world);
    }
}
