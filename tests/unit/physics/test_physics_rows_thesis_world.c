// builds: float double
// The thesis "Development of a car physics engine for games": attitude from vectors, rough roads,
// flight, walls and other cars. Rows T20 to T26.

#include "test_physics_pair.h"
#include "physics/car/orientation.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"
#include "support/physics/source_rows.h"

#include <math.h>
#include <string.h>

static const double G = 9.8;
static const real H = R(1.0) / R(240.0);

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Turned so that its x points along `heading` and its z along `up`: a rotation and nothing else.
static void orient(const double heading[2], const double up[3], double axes[3][3]) {
    physics_car car = {0};
    physics_car_orient(&car, heading, up);
    physics_quaternion_axes(car.orientation, axes[0], axes[1], axes[2]);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            ROW_BETWEEN(dot(axes[i], axes[k]), i == k ? 1.0 : 0.0, 1e-12);
        }
        ROW_BETWEEN(axes[2][i], up[i], 1e-12);
    }
    const double *x = axes[0], *y = axes[1], *z = axes[2];
    const double cross[3] = {y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2],
                             y[0] * z[1] - y[1] * z[0]};
    ROW_BETWEEN(dot(x, cross), 1.0, 1e-12);
}

// Errata: the sine is the root of 1 - c^2; and for opposite vectors the thesis's identity is wrong,
// it is half a turn.
static void t20(void) {
    static const double LEVEL[3] = {0.0, 0.0, 1.0};
    double axes[3][3];
    orient((const double[2]){0.0, 1.0}, LEVEL, axes);
    ROW_BETWEEN(axes[0][1], 1.0, 1e-12);
    orient((const double[2]){-1.0, 0.0}, LEVEL, axes);
    ROW_BETWEEN(axes[0][0], -1.0, 1e-12);
    uint64_t seed = 20;
    for (int i = 0; i < 1000; i++) {
        double yaw = scene_random_between(&seed, -3.2, 3.2);
        double steep = scene_random_between(&seed, 0.0, 1.2);
        double way = scene_random_between(&seed, -3.2, 3.2);
        const double heading[2] = {3.0 * cos(yaw), 3.0 * sin(yaw)};
        const double up[3] = {sin(steep) * cos(way), sin(steep) * sin(way), cos(steep)};
        orient(heading, up, axes);
        // Seen from above it still points along its heading.
        ROW_BETWEEN(axes[0][0] * heading[1], axes[0][1] * heading[0], 1e-11);
        ROW_IS(axes[0][0] * heading[0] + axes[0][1] * heading[1] > 0.0);
    }
}

static apex_ground rough_ground(uint64_t seed) {
    apex_ground ground = *scene_flat();
    ground.outside_surface = SCENE_ROUGH; // 5 cm
    ground.roughness_seed = seed;
    return ground;
}

static double bump_at(const apex_ground *ground, double x_m, double y_m) {
    uint8_t surface;
    return (double)physics_ground_under(ground, (const double[3]){x_m, y_m, 0.0}, &surface);
}

static uint64_t drive_over(const apex_ground *ground) {
    apex_car_def def = rows_monster_car();
    def.com_height_m = 0.45;
    scene_solo solo = rows_solo(&def, &(rows_place){.ground = ground});
    rows_roll(&solo, 15.0);
    scene_solo_run(&solo, 720);
    uint64_t hash = apex_world_hash(solo.world);
    scene_solo_destroy(&solo);
    return hash;
}

// The thesis draws a height for each wheel and step; here a place has its bump, by a hash.
static void t21(void) {
    apex_ground ground = rough_ground(7), same = rough_ground(7), other = rough_ground(8);
    uint64_t seed = 21;
    double lowest = 0.0, highest = 0.0, differs = 0.0;
    for (int i = 0; i < 20000; i++) {
        double x = scene_random_between(&seed, -5000.0, 5000.0);
        double y = scene_random_between(&seed, -5000.0, 5000.0);
        double bump = bump_at(&ground, x, y);
        ROW_IS(bump == bump_at(&same, x, y));
        lowest = fmin(lowest, bump);
        highest = fmax(highest, bump);
        differs = fmax(differs, fabs(bump - bump_at(&other, x, y)));
    }
    ROW_IS(lowest >= -0.05 && highest <= 0.05);
    ROW_IS(lowest < -0.035 && highest > 0.035 && differs > 0.05);
    ROW_IS(drive_over(&ground) == drive_over(&same));
    ROW_IS(drive_over(&ground) != drive_over(&other));
}

// Finds the velocity after a hit on a wall without friction, whose normal points along (x, y).
static void bounce(double x, double y, double restitution, double after[3]) {
    double length = hypot(x, y);
    pair_scene pair;
    pair_open(&pair);
    pair_fix_other(&pair);
    pair_set_mass(&pair, 0, 1500.0, 2500.0);
    pair_set_motion(&pair, 0, (const double[3]){10.0, -4.0, 0.0});
    pair_touch(&pair, &(pair_point){.anchor_m = {x / length, y / length},
                                    .normal = {x / length, y / length},
                                    .restitution = restitution});
    pair_solve(&pair, H);
    pair_motion_of(&pair, 0, after);
}

// The thesis turns all of the speed round. Here a wall does that to what goes against it, which is
// all of it for a wall met at right angles; what goes along the wall stays.
static void t22(void) {
    double after[3];
    bounce(10.0, -4.0, 0.8, after);
    ROW_SAME(after[0], -8.0, 1e-9);
    ROW_SAME(after[1], 3.2, 1e-9);
    bounce(1.0, 0.0, 0.8, after);
    ROW_SAME(after[0], -8.0, 1e-9);
    ROW_SAME(after[1], -4.0, 1e-9);
    ROW_IS(after[2] == 0.0);
}

// The step's velocity comes first, so that it falls g t dt / 2 further than the parabola's 0.1 m.
// So that nothing moves inside the car, its wheels hang where their springs are slack: in free fall
// that is h^2 g higher, as a spring answers to where its hub will be.
static void t23(void) {
    apex_car_def def = rows_monster_car();
    for (uint32_t a = 0; a < 2; a++) {
        apex_suspension_def *suspension = &def.axles[a].suspension;
        suspension->spring_n_per_m = 100000.0;
        suspension->travel_rebound_m = 0.1;
        suspension->bump_ns_per_m = suspension->rebound_ns_per_m = 0.0;
    }
    scene_solo solo = rows_solo(&def, &(rows_place){.gravity_mps2 = G, .is_vacuum = true});
    apex_car_state state = scene_solo_state(&solo);
    state.position_m[2] = 100.0;
    state.velocity_mps[0] = 3.0;
    state.velocity_mps[2] = 5.0;
    for (uint32_t w = 0; w < 4; w++) {
        double unsprung_kg = def.axles[w / 2].suspension.unsprung_mass_kg;
        double carried_n = (1500.0 / 4.0 - unsprung_kg) * 9.81;
        state.wheels[w].travel_m = -carried_n / 100000.0 + G / (240.0 * 240.0);
    }
    apex_world_set_car(solo.world, solo.car, &state);
    scene_solo_run(&solo, 240);
    apex_car_pose pose = scene_solo_pose(&solo);
    ROW_SAME(pose.velocity_mps[2], -4.8, 1e-9);
    ROW_BETWEEN(pose.position_m[2] - 100.0, 0.1 - 0.5 * G / 240.0, 1e-9 + 5.0 * ROWS_ROUNDING);
    ROW_SAME(pose.position_m[0], 3.0, 1e-9);
    scene_solo_destroy(&solo);
}

static bool has_event(const apex_world *world, apex_car_event_kind kind, double *value) {
    size_t count;
    const apex_car_event *events = apex_world_car_events(world, &count);
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == kind) {
            *value = events[i].value;
            return true;
        }
    }
    return false;
}

static int wheels_down(const scene_solo *solo) {
    apex_car_work work = scene_solo_work(solo);
    int down = 0;
    for (uint32_t w = 0; w < 4; w++) {
        down += work.wheels[w].load_n > 0.0;
        ROW_IS(work.wheels[w].grounded == (work.wheels[w].load_n > 0.0));
    }
    return down;
}

// Dropped from a metre, one corner lowest: it flies until that wheel touches, and no longer.
static void t24(void) {
    apex_car_def def = rows_monster_car();
    def.com_height_m = 0.45;
    scene_solo solo = rows_solo(&def, &(rows_place){.is_vacuum = true});
    apex_car_state state = scene_solo_state(&solo);
    double value = 0.0;
    state.position_m[2] += 1.0;
    state.velocity_mps[0] = 4.0;
    state.orientation[0] = sqrt(1.0 - 0.03 * 0.03 - 0.02 * 0.02);
    state.orientation[1] = 0.03; // leans right
    state.orientation[2] = 0.02; // nose down
    apex_world_set_car(solo.world, solo.car, &state);
    scene_solo_run(&solo, 1);
    ROW_IS(scene_solo_pose(&solo).airborne);
    ROW_IS(has_event(solo.world, APEX_CAR_TOOK_OFF, &value));
    ROW_SAME(value, 4.0, 1e-3);
    int ticks = 1;
    while (wheels_down(&solo) == 0 && ticks < 240) {
        ROW_IS(scene_solo_pose(&solo).airborne && scene_solo_pose(&solo).wheels_on_road == 0);
        ROW_IS(ticks == 1 || !has_event(solo.world, APEX_CAR_TOOK_OFF, &value));
        scene_solo_run(&solo, 1);
        ticks++;
    }
    ROW_IS(wheels_down(&solo) == 1 && scene_solo_work(&solo).wheels[1].grounded);
    ROW_IS(!scene_solo_pose(&solo).airborne);
    ROW_IS(has_event(solo.world, APEX_CAR_LANDED, &value));
    ROW_SAME(value, -9.81 * ticks / 240.0, 0.03);
    scene_solo_destroy(&solo);
}

/// Two cars, a at the origin, with a contact at one point; 10-1.
typedef struct crash {
    double mass_kg[2], inertia_kgm2[2];
    double b_m[2], at_m[2], normal[2], restitution;
    double before[2][3]; ///< velocity and turning
    double impulse_ns;   ///< as the row has it: negative
    double after[2][3];
    double lost_j;
} crash;

/// Momentum, angular momentum about the origin, energy.
typedef struct balance {
    double x_ns, y_ns, turn_nms, energy_j;
} balance;

static balance balance_of(const crash *hit, const pair_scene *pair) {
    balance sum = {0.0, 0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < 2; i++) {
        double m = hit->mass_kg[i], inertia = hit->inertia_kgm2[i];
        double x = i == 0 ? 0.0 : hit->b_m[0], y = i == 0 ? 0.0 : hit->b_m[1];
        double motion[3];
        pair_motion_of(pair, i, motion);
        double vx = motion[0], vy = motion[1], turn = motion[2];
        sum.x_ns += m * vx;
        sum.y_ns += m * vy;
        sum.turn_nms += m * (x * vy - y * vx) + inertia * turn;
        sum.energy_j += 0.5 * (m * (vx * vx + vy * vy) + inertia * turn * turn);
    }
    return sum;
}

static void crash_gives(const crash *hit) {
    pair_scene pair;
    pair_open(&pair);
    for (uint32_t i = 0; i < 2; i++) {
        pair_set_mass(&pair, i, hit->mass_kg[i], hit->inertia_kgm2[i]);
        pair_set_motion(&pair, i, hit->before[i]);
    }
    pair_touch(&pair, &(pair_point){.offset_m = {hit->b_m[0], hit->b_m[1]},
                                    .anchor_m = {hit->at_m[0], hit->at_m[1]},
                                    .normal = {hit->normal[0], hit->normal[1]},
                                    .restitution = hit->restitution});
    balance before = balance_of(hit, &pair);
    pair_solve(&pair, H);
    balance after = balance_of(hit, &pair);

    // Of 20 m/s and 40 kN m s, where differences are small.
    const double SPEED = 20.0 * (1e-9 + ROWS_ROUNDING), TURN = 4e4 * (1e-9 + ROWS_ROUNDING);
    ROW_SAME(-pair_normal_ns(&pair), hit->impulse_ns, 1e-9);
    for (uint32_t i = 0; i < 2; i++) {
        double motion[3];
        pair_motion_of(&pair, i, motion);
        for (uint32_t k = 0; k < 3; k++) {
            ROW_BETWEEN(motion[k], hit->after[i][k], SPEED);
        }
    }
    ROW_BETWEEN(after.x_ns, before.x_ns, TURN);
    ROW_BETWEEN(after.y_ns, before.y_ns, TURN);
    ROW_BETWEEN(after.turn_nms, before.turn_nms, TURN);
    ROW_BETWEEN(before.energy_j - after.energy_j, hit->lost_j,
                1e-9 * hit->lost_j + ROWS_ROUNDING * before.energy_j);
}

static void t25a(void) {
    crash_gives(&(crash){
        .mass_kg = {1500.0, 1200.0},
        .inertia_kgm2 = {2500.0, 1800.0},
        .b_m = {4.2, 0.8},
        .at_m = {2.1, 0.4},
        .normal = {1.0, 0.0},
        .restitution = 0.25,
        .before = {{10.0, 0.0, 0.0}, {-5.0, 0.0, 0.0}},
        .impulse_ns = -11343.7752084,
        .after = {{2.43748319441, 0.0, 1.81500403334}, {4.45314600699, 0.0, 2.52083893520}},
        .lost_j = 63808.7355472});
}

static void t25b(void) {
    crash_gives(&(crash){.mass_kg = {1500.0, 1500.0},
                         .inertia_kgm2 = {2500.0, 2500.0},
                         .b_m = {1.5, 3.15},
                         .at_m = {0.5, 2.25},
                         .normal = {0.0, 1.0},
                         .restitution = 0.1,
                         .before = {{0.0, 15.0, 0.0}, {10.0, 0.0, 0.0}},
                         .impulse_ns = -9000.0,
                         .after = {{0.0, 9.0, -1.8}, {10.0, 6.0, -3.6}},
                         .lost_j = 60750.0});
}

static void t25c(void) {
    crash_gives(&(crash){.mass_kg = {1393.0, 1323.0},
                         .inertia_kgm2 = {1950.0, 1900.0},
                         .b_m = {3.9, 1.6},
                         .at_m = {2.2, 0.8},
                         .normal = {0.8, 0.6},
                         .restitution = 0.5,
                         .before = {{20.0, 3.0, 0.5}, {5.0, -2.0, -0.3}},
                         .impulse_ns = -12781.6307624,
                         .after = {{12.6595085356, -2.50536859831, -3.95718406074},
                                   {12.7288772562, 3.79665794214, -2.85632615248}},
                         .lost_j = 48653.2774971});
}

/// 4.4 by 1.8 m, with sharp corners.
typedef struct plan_box {
    double x, y, yaw;
} plan_box;

static const double HALF_M[2] = {2.2, 0.9};
static const double REACH_M = 0.02; // of each, at rest

static void place_box(pair_scene *pair, uint32_t slot, const plan_box *at) {
    pair->positions[slot] = (physics_hull_position){.centre_m = {at->x, at->y, 0.0}};
    pair->boxes[slot] = (physics_box){.cos_yaw = (real)cos(at->yaw),
                                      .sin_yaw = (real)sin(at->yaw),
                                      .half_m = {(real)HALF_M[0], (real)HALF_M[1]},
                                      .high_m = R(1.0),
                                      .reach_m = (real)REACH_M};
    pair->surfaces[slot].half_thickness_m = R(0.5);
}

static void to_world(const plan_box *box, double x, double y, double out[2]) {
    double c = cos(box->yaw), s = sin(box->yaw);
    out[0] = box->x + c * x - s * y;
    out[1] = box->y + s * x + c * y;
}

static void corners_of(const plan_box *box, double out[4][2]) {
    for (int k = 0; k < 4; k++) {
        to_world(box, k & 1 ? HALF_M[0] : -HALF_M[0], k & 2 ? HALF_M[1] : -HALF_M[1], out[k]);
    }
}

// @return the distance by which b's corners lie beyond a's along a direction.
static double beyond(const double a[4][2], const double b[4][2], const double along[2]) {
    double farthest = -1e9, nearest = 1e9;
    for (int k = 0; k < 4; k++) {
        farthest = fmax(farthest, a[k][0] * along[0] + a[k][1] * along[1]);
        nearest = fmin(nearest, b[k][0] * along[0] + b[k][1] * along[1]);
    }
    return nearest - farthest;
}

// The separating-axis theorem, corner by corner: greater than 0 apart, else how deep.
static double separation_of(const plan_box *first, const plan_box *second) {
    double a[4][2], b[4][2], best = -1e9;
    corners_of(first, a);
    corners_of(second, b);
    const plan_box *owners[] = {first, second};
    for (int k = 0; k < 8; k++) {
        double c = cos(owners[k / 4]->yaw), s = sin(owners[k / 4]->yaw);
        const double ways[4][2] = {{c, s}, {-c, -s}, {-s, c}, {s, -c}};
        best = fmax(best, beyond((const double(*)[2])a, (const double(*)[2])b, ways[k % 4]));
    }
    return best;
}

// Of boxes that are apart one of the two nearest points is a corner.
static double distance_of(const plan_box *first, const plan_box *second) {
    const plan_box *owners[] = {first, second};
    double corners[4][2], best = 1e9;
    for (int k = 0; k < 8; k++) {
        const plan_box *box = owners[k / 4];
        corners_of(owners[1 - k / 4], corners);
        double dx = corners[k % 4][0] - box->x, dy = corners[k % 4][1] - box->y;
        double c = cos(box->yaw), s = sin(box->yaw);
        double x = fabs(c * dx + s * dy) - HALF_M[0], y = fabs(c * dy - s * dx) - HALF_M[1];
        best = fmin(best, hypot(fmax(x, 0.0), fmax(y, 0.0)));
    }
    return best;
}

// @return whether the finder sees them touch.
static bool finder_agrees(const plan_box *a, const plan_box *b) {
    // Of boxes that overlap, an axis that is better by less may lose against an earlier one.
    const double CLEARLY_M = 0.002, ROUNDING_M = 5e-6;
    pair_scene pair;
    pair_open(&pair);
    place_box(&pair, 0, a);
    place_box(&pair, 1, b);
    pair_meeting found = pair_meet(&pair);
    double separation = separation_of(a, b);
    double distance = separation > 0.0 ? distance_of(a, b) : 0.0;
    if (found.count == 0) {
        ROW_IS(distance > 2.0 * REACH_M - ROUNDING_M);
        return false;
    }
    double deepest = found.count == 2 ? fmin(found.separation_m[0], found.separation_m[1])
                                      : found.separation_m[0];
    ROW_IS(distance < 2.0 * REACH_M + ROUNDING_M);
    if (separation < 0.0) {
        ROW_BETWEEN(deepest, separation, 3.0 * CLEARLY_M + ROUNDING_M);
    } else {
        ROW_BETWEEN(deepest, distance, ROUNDING_M);
    }
    // From the first to the second, whichever is called first.
    ROW_IS(found.normal[0] * (b->x - a->x) + found.normal[1] * (b->y - a->y) > 0.0);
    ROW_BETWEEN(hypot(found.normal[0], found.normal[1]), 1.0, 1e-6);
    ROW_IS(found.normal[2] == 0.0);
    return true;
}

/// Two cars corner to corner, the second to one side of the first and just ahead of it.
typedef struct corner_scene {
    apex_car_def def;
    apex_world *world;
    apex_car_id cars[2];
    double side;
} corner_scene;

static void place_corners(corner_scene *scene) {
    const apex_hull_def *hull = &scene->def.hull;
    apex_world_def world = scene_world_def(2);
    apex_car_type type;
    const apex_placement at[] = {
        {.speed_mps = 6.0},
        {.x_m = hull->length_m + 0.03, .y_m = scene->side * (hull->width_m - 0.02)}};
    world.tick_hz = 240;
    ROW_IS(apex_world_create(&world, scene_flat(), NULL, &scene->world) == APEX_OK);
    ROW_IS(apex_world_add_type(scene->world, &scene->def, &type) == APEX_OK);
    for (int i = 0; i < 2; i++) {
        ROW_IS(apex_world_add_car(scene->world, type, &at[i], &scene->cars[i]) == APEX_OK);
    }
}

// Poses are those before the step that found them: there the two centres of the roundings stand.
static void expect_corners(const corner_scene *scene, const apex_car_pose poses[2],
                           const apex_contact_event *event) {
    const apex_hull_def *hull = &scene->def.hull;
    double x =
        poses[1].position_m[0] - poses[0].position_m[0] - hull->length_m + 2.0 * hull->rounding_m;
    double y = poses[1].position_m[1] - poses[0].position_m[1];
    y = fabs(y) - hull->width_m + 2.0 * hull->rounding_m;
    ROW_IS(event->kind == APEX_CONTACT_CAR);
    ROW_BETWEEN(event->normal[0], x / hypot(x, y), 1e-4);
    ROW_BETWEEN(event->normal[1], scene->side * y / hypot(x, y), 1e-4);
    ROW_BETWEEN(hypot(x, y), 2.0 * hull->rounding_m, 0.025); // not before, and not after
    ROW_BETWEEN(event->point_m[0] - poses[0].position_m[0], 0.5 * hull->length_m, 0.1);
    ROW_BETWEEN(event->point_m[1] - poses[0].position_m[1], scene->side * 0.5 * hull->width_m, 0.1);
}

// As far apart as two half diagonals, nearly: their bounding circles have to reach that far.
static void corners_meet(double side) {
    corner_scene scene = {.def = rows_monster_car(), .side = side};
    apex_controls controls[2] = {{0}, {0}};
    apex_car_pose poses[2];
    size_t count = 0;
    scene.def.hull.centre_x_m = scene.def.hull.centre_y_m = 0.0;
    place_corners(&scene);
    for (int tick = 0; tick < 20 && count == 0; tick++) {
        for (int i = 0; i < 2; i++) {
            apex_world_pose(scene.world, scene.cars[i], &poses[i]);
        }
        apex_world_step(scene.world, controls, NULL);
        const apex_contact_event *events = apex_world_contacts(scene.world, &count);
        if (count > 0) {
            expect_corners(&scene, poses, &events[0]);
        }
    }
    ROW_IS(count == 1);
    apex_world_destroy(scene.world);
}

// Moves b away from a along a line until they are `aim` apart, or overlap by it below 0.
static void part(const plan_box *a, double way, double aim, plan_box *b) {
    double low = 0.0, high = 10.0;
    for (int k = 0; k < 40; k++) {
        double middle = 0.5 * (low + high);
        b->x = a->x + middle * cos(way);
        b->y = a->y + middle * sin(way);
        low = separation_of(a, b) < aim ? middle : low;
        high = low == middle ? high : middle;
    }
}

// Errata of chapter 10: 0 < |projection| loses the sign; the bounding radius must be half the
// diagonal; "dot < 90"; and normals point from the first to the second throughout.
static void t26(void) {
    uint64_t seed = 26;
    int touching = 0, apart = 0;
    for (int i = 0; i < 20000; i++) {
        double way = scene_random_between(&seed, -3.2, 3.2);
        const plan_box a = {100.0, -50.0, scene_random_between(&seed, -3.2, 3.2)};
        plan_box b = {.yaw = scene_random_between(&seed, -3.2, 3.2)};
        // They overlap by 0.2 m at most, or not at all.
        double aim = scene_random_between(&seed, -0.2, 0.1);
        part(&a, way, aim, &b);
        bool touches = finder_agrees(&a, &b);
        ROW_IS(touches == finder_agrees(&b, &a) ||
               fabs(distance_of(&a, &b) - 2.0 * REACH_M) < 1e-5);
        ROW_IS(touches ? aim < 0.041 : aim > -1e-5);
        touching += touches;
        apart += !touches;
    }
    ROW_IS(touching > 10000 && apart > 4000);
    // A corner into a side; two corners that point at each other.
    const double DIAGONAL = hypot(2.2, 0.9), TURNED = atan2(0.9, 2.2);
    const plan_box level = {0.0, 0.0, 0.0};
    const plan_box pointing = {2.2 + DIAGONAL - 0.05, 0.3, TURNED};
    ROW_IS(finder_agrees(&level, &pointing) && finder_agrees(&pointing, &level));
    const plan_box left = {0.0, 0.0, TURNED};
    plan_box right = {2.0 * DIAGONAL - 0.02, 0.0, TURNED};
    ROW_IS(finder_agrees(&left, &right) && finder_agrees(&right, &left));
    right.x = 2.0 * DIAGONAL + 0.1;
    ROW_IS(!finder_agrees(&left, &right));
    corners_meet(1.0);
    corners_meet(-1.0);
}

static const row ROWS[] = {
    ROW("T20", t20),   ROW("T21", t21),   ROW("T22", t22),   ROW("T23", t23), ROW("T24", t24),
    ROW("T25a", t25a), ROW("T25b", t25b), ROW("T25c", t25c), ROW("T26", t26),
};

ROWS_TEST(ROWS)
