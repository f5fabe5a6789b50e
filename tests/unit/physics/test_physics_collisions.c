// builds: float double
// Single hits with nothing else about, against what momentum, Coulomb and the restitution ask for;
// and the same hits in the mirror.

#include "support/base/check_main.h"
#include "support/physics/collision_scene.h"
#include "support/physics/free_of_forces.h"
#include "support/physics/scenes.h"

#include <math.h>

/// Two cars in the air, first at rest, second coming; and all that the hit did to them.
typedef struct test_hit {
    apex_car_def defs[2];
    collision_throw throws[2];
    apex_car_state after[2];
    apex_contact_event first; ///< event
    double arm_m[2][3];       ///< from each centre of mass to where it was hit
} test_hit;

static apex_car_def smooth(apex_car_def def) {
    def.hull.restitution = 0.0;
    def.hull.friction = 0.0;
    def.fuel_kg_max = 0.0;
    return def;
}

// Until the two have touched and come apart again, or lain on each other for a while.
static void run_hit(test_hit *hit) {
    const uint32_t TICKS = 120, TOUCHING = 6;
    apex_car_id ids[2];
    collision_yard yard = collision_yard_open(&(collision_yard_def){.cars = 2, .is_high = true});
    free_of_forces(yard.world);
    for (uint32_t i = 0; i < 2; i++) {
        hit->throws[i].kind = collision_yard_add(&yard, &hit->defs[i]);
        ids[i] = collision_throw_car(&yard, &hit->throws[i]);
    }
    uint32_t touching = 0;
    for (uint32_t tick = 0; tick < TICKS && touching < TOUCHING; tick++) {
        size_t count;
        collision_yard_run(&yard, 1);
        const apex_contact_event *events = apex_world_contacts(yard.world, &count);
        if (count > 0 && touching == 0) {
            hit->first = events[0];
            for (uint32_t i = 0; i < 2; i++) {
                apex_car_pose pose = collision_pose(&yard, ids[i]);
                for (uint32_t k = 0; k < 3; k++) {
                    hit->arm_m[i][k] = events[0].point_m[k] - pose.position_m[k];
                }
            }
        }
        touching += count > 0;
        if (count == 0 && touching > 0) {
            break;
        }
    }
    ck_assert_uint_gt(touching, 0);
    for (uint32_t i = 0; i < 2; i++) {
        hit->after[i] = collision_state(&yard, ids[i]);
    }
    collision_yard_close(&yard);
}

static double gain(const test_hit *hit, uint32_t car, uint32_t axis) {
    return hit->after[car].velocity_mps[axis] - hit->throws[car].velocity_mps[axis];
}

// Of the body without its wheels, as the step has it, about axis x, y, z.
static double inertia(const apex_car_def *def, uint32_t axis) {
    double left = axis == 0   ? def->inertia_roll_kgm2
                  : axis == 1 ? def->inertia_pitch_kgm2
                              : def->inertia_yaw_kgm2;
    for (uint32_t a = 0; a < def->axle_count && axis < 2; a++) {
        const apex_axle_def *axle = &def->axles[a];
        double y = 0.5 * axle->track_width_m, arm = axis == 0 ? y : axle->x_m;
        left -= (y > 0.0 ? 2.0 : 1.0) * axle->suspension.unsprung_mass_kg * arm * arm;
    }
    return left;
}

// Its angular momentum is the impulse times its lever. In the plan that is to the point of the
// event; in height to anywhere that both hulls have sheet metal at, as the load may lie anywhere
// there.
static void check_turn(const test_hit *hit, uint32_t car, const double heights_m[2]) {
    const double *r = hit->arm_m[car], *turn = hit->after[car].angular_radps;
    double push[3];
    for (uint32_t i = 0; i < 3; i++) {
        push[i] = hit->defs[car].mass_kg * gain(hit, car, i);
    }
    double yaw = inertia(&hit->defs[car], 2) * turn[2], twist = r[0] * push[1] - r[1] * push[0];
    ck_assert_msg(fabs(yaw - twist) <= 0.06 * fabs(push[1]), "yaw: %.1f Nms instead of %.1f", yaw,
                  twist);
    double up_m = -inertia(&hit->defs[car], 0) * turn[0] / push[1];
    ck_assert_msg(up_m > heights_m[0] - 0.05 && up_m < heights_m[1] + 0.05,
                  "rolls as if hit %.3f m above its centre of mass", up_m);
    ck_assert_double_eq_tol(inertia(&hit->defs[car], 1) * turn[1], 0.0, 0.06 * fabs(push[1]));
}

// A car's corner into the flank of a truck, ahead of its middle or behind it, below its centre of
// mass or above. The truck's hull begins 0.7 m below that and ends 1.7 m above.
static void hit_flank(double ahead_m, double up_m) {
    test_hit hit = {.defs = {smooth(scene_car_kind(5)), smooth(scene_plain_car())},
                    .throws = {{.yaw_rad = 0.0},
                               {.place_m = {ahead_m, -5.0, up_m},
                                .yaw_rad = 0.5 * COLLISION_PI + 0.35,
                                .velocity_mps = {0.0, 15.0, 0.0}}}};
    hit.defs[0].hull.restitution = hit.defs[1].hull.restitution = 0.3; // apart again at once
    run_hit(&hit);
    ck_assert_double_gt(gain(&hit, 0, 1), 1.0);
    ck_assert_double_eq_tol(hit.arm_m[0][1], -1.2, 0.2);
    ck_assert_double_eq_tol(hit.arm_m[0][0], ahead_m, 0.3);
    // At a height that both have, on the mover's side of the truck's centre of mass.
    ck_assert_double_ge(hit.arm_m[0][2], -0.72);
    ck_assert_double_gt(hit.arm_m[0][2] * up_m, 0.1 * up_m * up_m);
    const apex_hull_def *hulls[2] = {&hit.defs[0].hull, &hit.defs[1].hull};
    const double shared_m[2] = {fmax(hulls[0]->centre_z_m - 0.5 * hulls[0]->height_m,
                                     up_m + hulls[1]->centre_z_m - 0.5 * hulls[1]->height_m),
                                fmin(hulls[0]->centre_z_m + 0.5 * hulls[0]->height_m,
                                     up_m + hulls[1]->centre_z_m + 0.5 * hulls[1]->height_m)};
    check_turn(&hit, 0, shared_m);
    // Hit low, its top leans to where the hit came from: to its right, which is to roll left.
    double roll = hit.after[0].angular_radps[0];
    ck_assert_msg(up_m < 0.0 ? roll > 0.05 : roll < -0.05, "%.2f m up: rolls with %.3f rad/s", up_m,
                  roll);
}

TEST(a_hit_tips_by_its_height_and_spins_by_its_place) {
    for (int place = -1; place <= 1; place++) {
        hit_flank(1.8 * place, -0.6);
        hit_flank(1.8 * place, 0.8);
        hit_flank(1.8 * place, 1.4);
    }
}

// Springs back by e at walking pace, by half of that at 20 m/s, and so on: e 20 / (20 + v).
TEST(restitution_falls_with_closing_speed) {
    static const double SPEEDS_MPS[] = {2.0, 10.0, 40.0};
    const double RESTITUTION = 0.4;
    for (uint32_t i = 0; i < 3; i++) {
        double speed = SPEEDS_MPS[i];
        apex_car_def def = smooth(scene_plain_car());
        def.hull.restitution = RESTITUTION;
        test_hit hit = {
            .defs = {def, def},
            .throws = {{.yaw_rad = 0.0}, {.place_m = {-6.0, 0.0, 0.0}, .velocity_mps = {speed}}}};
        run_hit(&hit);
        double back = hit.after[0].velocity_mps[0] - hit.after[1].velocity_mps[0];
        double wanted = RESTITUTION * 20.0 / (20.0 + speed);
        ck_assert_msg(fabs(back / speed - wanted) < 0.03 * wanted,
                      "at %.0f m/s it springs back by %.4f instead of %.4f", speed, back / speed,
                      wanted);
        ck_assert_double_eq_tol(hit.first.closing_mps, speed, 0.02 * speed);
    }
}

static const double YAW_RAD = 0.3;

// A front left corner along the right flank of a truck, which slides all the way.
static test_hit scrape(double friction, double away_m) {
    apex_car_def truck = smooth(scene_car_kind(5)), car = smooth(scene_plain_car());
    truck.hull.friction = car.hull.friction = friction;
    test_hit hit = {
        .defs = {truck, car},
        .throws = {
            {.yaw_rad = 0.0},
            {.place_m = {-8.0, -away_m, 0.0}, .yaw_rad = 0.3, .velocity_mps = {20.0, 4.0, 0.0}}}};
    run_hit(&hit);
    return hit;
}

// However far off the flank is when a substep begins.
TEST(friction_acts_along_the_contact_and_turns) {
    const double FRICTION = 0.3;
    for (uint32_t i = 0; i < 8; i++) {
        double away_m = 4.0 + 0.0023 * i;
        test_hit rough = scrape(FRICTION, away_m), plain = scrape(0.0, away_m);
        double across = -gain(&rough, 1, 1), along = -gain(&rough, 1, 0);
        ck_assert_double_gt(across, 1.0);
        ck_assert_double_eq_tol(gain(&plain, 1, 0), 0.0, 1e-3);
        // The corner (rounded by some centimetres) is ahead and to the left: the push turns the car
        // right, friction left.
        ck_assert_double_lt(plain.after[1].angular_radps[2], -0.5);
        const double LONG_M = 0.5 * rough.defs[1].hull.length_m;
        const double WIDE_M = 0.5 * rough.defs[1].hull.width_m;
        const double r[2] = {LONG_M * cos(YAW_RAD) - WIDE_M * sin(YAW_RAD),
                             LONG_M * sin(YAW_RAD) + WIDE_M * cos(YAW_RAD)};
        double per = rough.defs[1].mass_kg / rough.defs[1].inertia_yaw_kgm2;
        double wanted = per * (r[1] * along - r[0] * across);
        double spin = rough.after[1].angular_radps[2];
        ck_assert_msg(fabs(spin - wanted) < 0.08 * fabs(wanted),
                      "turns with %.3f rad/s instead of %.3f", spin, wanted);
        ck_assert_msg(along <= 1.001 * FRICTION * across, "friction %.4f", along / across);
        // A car that slides during only a part of the contact has less.
        ck_assert_msg(along >= 0.9 * FRICTION * across, "friction %.4f", along / across);
    }
}

TEST(a_truck_and_a_motorcycle_share_by_mass) {
    for (uint32_t mover = 0; mover < 2; mover++) {
        const double SPEED_MPS = 20.0;
        test_hit hit = {.defs = {scene_car_kind(5), scene_car_kind(7)},
                        .throws = {{.place_m = {0.0}}, {.place_m = {-7.0, 0.0, 0.0}}}};
        hit.defs[0].fuel_kg_max = hit.defs[1].fuel_kg_max = 0.0;
        hit.throws[mover].velocity_mps[0] = mover == 0 ? -SPEED_MPS : SPEED_MPS;
        run_hit(&hit);
        double heavy = hit.defs[0].mass_kg * gain(&hit, 0, 0);
        double light = hit.defs[1].mass_kg * gain(&hit, 1, 0);
        ck_assert_double_eq_tol(heavy, -light, 1e-5 * fabs(light));
        // The one stops and is thrown back, the other hardly feels it.
        double apart = hit.after[0].velocity_mps[0] - hit.after[1].velocity_mps[0];
        ck_assert_msg(apart > -0.01 && apart < 0.25 * SPEED_MPS, "apart with %.3f m/s", apart);
        double mass = hit.defs[0].mass_kg + hit.defs[1].mass_kg;
        double least = SPEED_MPS * hit.defs[1].mass_kg / mass;
        ck_assert_double_gt(fabs(gain(&hit, 0, 0)), 0.9 * least);
        ck_assert_double_lt(fabs(gain(&hit, 0, 0)), 1.25 * least);
    }
}

enum { MIRROR_SIDES = 2, MIRROR_CARS = 2, AFTER_TICKS = 3 };

/// A scene and its image in the plane y = 0.
typedef struct mirror_scene {
    apex_wall_segment walls[MIRROR_SIDES];
    apex_wall_post posts[MIRROR_SIDES];
    apex_walls solid[MIRROR_SIDES];
    collision_yard yards[MIRROR_SIDES];
    apex_car_id cars[MIRROR_SIDES][MIRROR_CARS];
    uint32_t count;
} mirror_scene;

static const apex_wall_material CONCRETE = {
    .name = "concrete", .restitution = 0.2, .friction = 0.4};

// A wall that cars come upon from the right, and a post far behind it. In the mirror the wall runs
// the other way, or its other side would be solid.
static void build_solid(mirror_scene *scene) {
    for (uint32_t side = 0; side < MIRROR_SIDES; side++) {
        double sign = side == 0 ? 1.0 : -1.0;
        scene->walls[side] = (apex_wall_segment){.from_x_m = 40.0 * sign,
                                                 .from_y_m = 50.0 * sign,
                                                 .to_x_m = -40.0 * sign,
                                                 .to_y_m = 50.0 * sign,
                                                 .base_m = -5.0,
                                                 .top_m = 5.0,
                                                 .previous = APEX_GROUND_NONE,
                                                 .next = APEX_GROUND_NONE};
        scene->posts[side] = (apex_wall_post){
            .x_m = 0.0, .y_m = 100.0 * sign, .radius_m = 0.3, .base_m = -5.0, .top_m = 5.0};
        scene->solid[side] = (apex_walls){.segments = &scene->walls[side],
                                          .segment_count = 1,
                                          .posts = &scene->posts[side],
                                          .post_count = 1,
                                          .materials = &CONCRETE,
                                          .material_count = 1};
    }
}

static void open_mirror(mirror_scene *scene) {
    static const uint32_t KINDS[] = {0, 5, 7};
    build_solid(scene);
    for (uint32_t side = 0; side < MIRROR_SIDES; side++) {
        scene->yards[side] = collision_yard_open(&(collision_yard_def){
            .cars = MIRROR_CARS, .is_high = true, .walls = &scene->solid[side]});
        free_of_forces(scene->yards[side].world);
        for (uint32_t k = 0; k < 3; k++) {
            apex_car_def def = scene_car_kind(KINDS[k]);
            collision_yard_add(&scene->yards[side], &def);
        }
    }
}

static void throw_both(mirror_scene *scene, const collision_throw *how) {
    collision_throw image = collision_mirrored(how);
    uint32_t i = scene->count++;
    scene->cars[0][i] = collision_throw_car(&scene->yards[0], how);
    scene->cars[1][i] = collision_throw_car(&scene->yards[1], &image);
}

// Equal is to the last bit, but for the two zeros.
static bool is_image(const apex_car_state *a, const apex_car_state *b) {
    static const double ALONG[3] = {1.0, -1.0, 1.0}, ABOUT[3] = {-1.0, 1.0, -1.0};
    bool is_same = a->orientation[0] == b->orientation[0];
    for (uint32_t i = 0; i < 3; i++) {
        is_same = is_same && a->position_m[i] == ALONG[i] * b->position_m[i] &&
                  a->velocity_mps[i] == ALONG[i] * b->velocity_mps[i] &&
                  a->angular_radps[i] == ABOUT[i] * b->angular_radps[i] &&
                  a->orientation[i + 1] == ABOUT[i] * b->orientation[i + 1];
    }
    return is_same;
}

// @return whether they touched something.
static bool watch_mirror(mirror_scene *scene, const char *what, uint32_t run) {
    uint32_t since = 0;
    for (uint32_t tick = 0; tick < 90 && since < AFTER_TICKS; tick++) {
        size_t counts[MIRROR_SIDES];
        for (uint32_t side = 0; side < MIRROR_SIDES; side++) {
            collision_yard_run(&scene->yards[side], 1);
            (void)apex_world_contacts(scene->yards[side].world, &counts[side]);
        }
        ck_assert_uint_eq(counts[0], counts[1]);
        since += since > 0 || counts[0] > 0;
        for (uint32_t i = 0; i < scene->count; i++) {
            apex_car_state a = collision_state(&scene->yards[0], scene->cars[0][i]);
            apex_car_state b = collision_state(&scene->yards[1], scene->cars[1][i]);
            if (!is_image(&a, &b)) {
                ck_abort_msg("%s %u: car %u is no image %u ticks after the hit", what, run, i,
                             since);
            }
        }
    }
    for (uint32_t side = 0; side < MIRROR_SIDES; side++) {
        for (uint32_t i = 0; i < scene->count; i++) {
            apex_world_remove_car(scene->yards[side].world, scene->cars[side][i]);
        }
    }
    scene->count = 0;
    return since > 0;
}

// Its foremost corner, for a car that drives towards y, aside of its middle.
static double foremost_m(const apex_car_def *def, double yaw_rad) {
    double most = -HUGE_VAL, aside = 0.0;
    for (int corner = 0; corner < 4; corner++) {
        double x = (corner & 1 ? 0.5 : -0.5) * def->hull.length_m;
        double y = (corner & 2 ? 0.5 : -0.5) * def->hull.width_m;
        double ahead = x * sin(yaw_rad) + y * cos(yaw_rad);
        if (ahead > most) {
            most = ahead;
            aside = x * cos(yaw_rad) - y * sin(yaw_rad);
        }
    }
    return aside;
}

// So askew that only one corner touches a flank or wall, about the middle of it.
static collision_throw askew(const mirror_scene *scene, uint64_t *seed, double y_m) {
    double quarter = (double)(scene_random(seed) % 4) * 0.5 * COLLISION_PI;
    collision_throw how = {.kind = (uint32_t)(scene_random(seed) % 3),
                           .yaw_rad = quarter + scene_random_between(seed, 0.5, 1.07),
                           .pitch_rad = scene_random_between(seed, -0.1, 0.1),
                           .roll_rad = scene_random_between(seed, -0.1, 0.1)};
    double corner_m = foremost_m(&scene->yards[0].defs[how.kind], how.yaw_rad);
    how.place_m[0] = scene_random_between(seed, -0.25, 0.25) - corner_m;
    how.place_m[1] = y_m;
    how.place_m[2] = scene_random_between(seed, -0.1, 0.1);
    how.velocity_mps[1] = scene_random_between(seed, 4.0, 12.0);
    for (uint32_t k = 0; k < 3; k++) {
        how.angular_radps[k] = scene_random_between(seed, -0.2, 0.2);
    }
    return how;
}

TEST(mirrored_one_point_hits_are_images_to_the_last_bit) {
    static mirror_scene scene;
    uint64_t seed = 7;
    uint32_t touched[3] = {0};
    open_mirror(&scene);
    for (uint32_t run = 0; run < 150; run++) {
        collision_throw still = {.kind = run % 3, .yaw_rad = run / 3 % 2 * COLLISION_PI};
        collision_throw how = askew(&scene, &seed, -6.5);
        throw_both(&scene, run % 2 == 0 ? &how : &still);
        throw_both(&scene, run % 2 == 0 ? &still : &how);
        touched[0] += watch_mirror(&scene, "car", run);
        how = askew(&scene, &seed, 45.0);
        throw_both(&scene, &how);
        touched[1] += watch_mirror(&scene, "wall", run);
        how = askew(&scene, &seed, 94.5);
        throw_both(&scene, &how);
        touched[2] += watch_mirror(&scene, "post", run);
    }
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_gt(touched[i], 130);
    }
    collision_yard_close(&scene.yards[0]);
    collision_yard_close(&scene.yards[1]);
}
