// builds: float double
// The thesis "Development of a car physics engine for games": attitude from vectors, rough roads,
// flight, walls and other cars. Rows T20 to T26.

#include "physics/contact_private.h"
#include "physics/physics_private.h"
#include "support/check_main.h"
#include "support/rows.h"
#include "support/scenes.h"

#include <math.h>
#include <string.h>

static const double G = 9.8;
static const real H = R(1.0) / R(240.0);

// --- Attitude -----------------------------------------------------------------------------------

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

// --- Rough roads --------------------------------------------------------------------------------

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

// --- Walls --------------------------------------------------------------------------------------

// What a wall without friction, whose normal points along (x, y), makes of a speed.
static physics_body bounced(double x, double y, double restitution) {
    double length = hypot(x, y);
    physics_body body = {.velocity_x_mps = R(10.0),
                         .velocity_y_mps = R(-4.0),
                         .inverse_mass = R(1.0) / R(1500.0),
                         .inverse_inertia = R(1.0) / R(2500.0)};
    physics_manifold manifold = {.b = PHYSICS_NOBODY,
                                 .kind = APEX_CONTACT_WALL,
                                 .normal_x = (real)(x / length),
                                 .normal_y = (real)(y / length),
                                 .restitution = (real)restitution,
                                 .point_count = 1};
    manifold.points[0].arm_a_x = manifold.normal_x;
    manifold.points[0].arm_a_y = manifold.normal_y;
    physics_manifold_list list = {.items = &manifold, .count = 1, .capacity = 1};
    physics_contacts_solve(&body, &list, H);
    return body;
}

// The thesis turns all of the speed round. Here a wall does that to what goes against it, which is
// all of it for a wall met at right angles; what goes along the wall stays.
static void t22(void) {
    physics_body body = bounced(10.0, -4.0, 0.8);
    ROW_SAME((double)body.velocity_x_mps, -8.0, 1e-9);
    ROW_SAME((double)body.velocity_y_mps, 3.2, 1e-9);
    body = bounced(1.0, 0.0, 0.8);
    ROW_SAME((double)body.velocity_x_mps, -8.0, 1e-9);
    ROW_SAME((double)body.velocity_y_mps, -4.0, 1e-9);
    ROW_IS(body.yaw_radps == R(0.0));
}

// --- Flight -------------------------------------------------------------------------------------

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

// --- Impulses -----------------------------------------------------------------------------------

/// Two cars, a at the origin, that touch at one point; 10-1.
typedef struct crash {
    double mass_kg[2], inertia_kgm2[2];
    double b_m[2], at_m[2], normal[2], restitution;
    double before[2][3]; ///< velocity and turning
    double impulse_ns;   ///< as the row has it: negative
    double after[2][3];
    double lost_j;
} crash;

static void set_motion(physics_body *body, const double motion[3]) {
    body->velocity_x_mps = (real)motion[0];
    body->velocity_y_mps = (real)motion[1];
    body->yaw_radps = (real)motion[2];
}

/// Momentum, angular momentum about the origin, energy.
typedef struct balance {
    double x_ns, y_ns, turn_nms, energy_j;
} balance;

static balance balance_of(const crash *hit, const physics_body bodies[2]) {
    balance sum = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        double m = hit->mass_kg[i], inertia = hit->inertia_kgm2[i];
        double x = i == 0 ? 0.0 : hit->b_m[0], y = i == 0 ? 0.0 : hit->b_m[1];
        double vx = (double)bodies[i].velocity_x_mps, vy = (double)bodies[i].velocity_y_mps;
        double turn = (double)bodies[i].yaw_radps;
        sum.x_ns += m * vx;
        sum.y_ns += m * vy;
        sum.turn_nms += m * (x * vy - y * vx) + inertia * turn;
        sum.energy_j += 0.5 * (m * (vx * vx + vy * vy) + inertia * turn * turn);
    }
    return sum;
}

static void crash_gives(const crash *hit) {
    physics_body bodies[2];
    physics_manifold manifold = {.b = 1,
                                 .normal_x = (real)hit->normal[0],
                                 .normal_y = (real)hit->normal[1],
                                 .restitution = (real)hit->restitution,
                                 .point_count = 1};
    physics_contact_point *point = &manifold.points[0];
    memset(bodies, 0, sizeof bodies);
    point->arm_a_x = (real)hit->at_m[0];
    point->arm_a_y = (real)hit->at_m[1];
    point->arm_b_x = (real)(hit->at_m[0] - hit->b_m[0]);
    point->arm_b_y = (real)(hit->at_m[1] - hit->b_m[1]);
    for (int i = 0; i < 2; i++) {
        bodies[i].inverse_mass = (real)(1.0 / hit->mass_kg[i]);
        bodies[i].inverse_inertia = (real)(1.0 / hit->inertia_kgm2[i]);
        set_motion(&bodies[i], hit->before[i]);
    }
    balance before = balance_of(hit, bodies);
    physics_manifold_list list = {.items = &manifold, .count = 1, .capacity = 1};
    physics_contacts_solve(bodies, &list, H);
    balance after = balance_of(hit, bodies);

    // Of 20 m/s and 40 kN m s, where differences are small.
    const double SPEED = 20.0 * (1e-9 + ROWS_ROUNDING), TURN = 4e4 * (1e-9 + ROWS_ROUNDING);
    ROW_SAME(-(double)point->normal_ns, hit->impulse_ns, 1e-9);
    for (int i = 0; i < 2; i++) {
        ROW_BETWEEN((double)bodies[i].velocity_x_mps, hit->after[i][0], SPEED);
        ROW_BETWEEN((double)bodies[i].velocity_y_mps, hit->after[i][1], SPEED);
        ROW_BETWEEN((double)bodies[i].yaw_radps, hit->after[i][2], SPEED);
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

// --- Boxes --------------------------------------------------------------------------------------

static physics_body box_at(double x, double y, double yaw) {
    physics_body box = {.x_m = x,
                        .y_m = y,
                        .cos_yaw = (real)cos(yaw),
                        .sin_yaw = (real)sin(yaw),
                        .half_length_m = R(2.2),
                        .half_width_m = R(0.9),
                        .top_m = R(1.0),
                        .is_live = true};
    box.radius_m = real_sqrt(R(2.2) * R(2.2) + R(0.9) * R(0.9));
    physics_body_set_reach(&box, H);
    return box;
}

static void corners_of(const physics_body *box, double out[4][2]) {
    for (int k = 0; k < 4; k++) {
        double x = (k & 1 ? 1.0 : -1.0) * (double)box->half_length_m;
        double y = (k & 2 ? 1.0 : -1.0) * (double)box->half_width_m;
        out[k][0] = box->x_m + (double)box->cos_yaw * x - (double)box->sin_yaw * y;
        out[k][1] = box->y_m + (double)box->sin_yaw * x + (double)box->cos_yaw * y;
    }
}

// How far b's corners lie beyond a's along a direction.
static double beyond(const double a[4][2], const double b[4][2], const double along[2]) {
    double farthest = -1e9, nearest = 1e9;
    for (int k = 0; k < 4; k++) {
        farthest = fmax(farthest, a[k][0] * along[0] + a[k][1] * along[1]);
        nearest = fmin(nearest, b[k][0] * along[0] + b[k][1] * along[1]);
    }
    return nearest - farthest;
}

// The separating-axis theorem, corner by corner: greater than 0 apart, else how deep.
static double separation_of(const physics_body *first, const physics_body *second) {
    double a[4][2], b[4][2], best = -1e9;
    corners_of(first, a);
    corners_of(second, b);
    const physics_body *owners[] = {first, second};
    for (int k = 0; k < 8; k++) {
        double c = (double)owners[k / 4]->cos_yaw, s = (double)owners[k / 4]->sin_yaw;
        const double ways[4][2] = {{c, s}, {-c, -s}, {-s, c}, {s, -c}};
        best = fmax(best, beyond((const double(*)[2])a, (const double(*)[2])b, ways[k % 4]));
    }
    return best;
}

// @return whether the finder sees them touch.
static bool finder_agrees(const physics_body *a, const physics_body *b) {
    const double CLEARLY_M =
        0.002; // an axis that is better by less may lose against an earlier one
    const double REACH_M = (double)(a->reach_m + b->reach_m), ROUNDING_M = 5e-6;
    physics_body bodies[2] = {*a, *b};
    physics_manifold items[2];
    physics_manifold_list list = {.items = items, .capacity = 2};
    physics_boxes_collide(bodies, 0, 1, &list);
    double separation = separation_of(a, b);
    if (list.count == 0) {
        ROW_IS(separation > -ROUNDING_M);
        return false;
    }
    const physics_manifold *found = &items[0];
    double deepest = 1e9;
    for (uint32_t p = 0; p < found->point_count; p++) {
        deepest = fmin(deepest, (double)found->points[p].separation_m);
    }
    ROW_IS(separation < REACH_M + ROUNDING_M);
    if (separation < 0.0) { // apart, an edge that is cut off may be nearer than its corner
        ROW_BETWEEN(deepest, separation, 3.0 * CLEARLY_M + ROUNDING_M);
    }
    // From the first to the second, whichever is called first.
    double apart_x = b->x_m - a->x_m, apart_y = b->y_m - a->y_m;
    ROW_IS((double)found->normal_x * apart_x + (double)found->normal_y * apart_y > 0.0);
    ROW_BETWEEN(hypot((double)found->normal_x, (double)found->normal_y), 1.0, 1e-6);
    return true;
}

// Cars corner to corner, as far apart as two half diagonals: their bounding circles have to reach
// that far.
static void corners_meet(double side) {
    apex_car_def def = rows_monster_car();
    def.hull.centre_x_m = def.hull.centre_y_m = 0.0;
    scene_solo solo = {0};
    apex_world_def world = scene_world_def(2);
    apex_car_type type;
    apex_car_id cars[2];
    apex_controls controls[2] = {{0}, {0}};
    const apex_placement at[] = {
        {.speed_mps = 6.0},
        {.x_m = def.hull.length_m + 0.03, .y_m = side * (def.hull.width_m - 0.02)}};
    ROW_IS(apex_world_create(&world, scene_flat(), NULL, &solo.world) == APEX_OK);
    ROW_IS(apex_world_add_type(solo.world, &def, &type) == APEX_OK);
    for (int i = 0; i < 2; i++) {
        ROW_IS(apex_world_add_car(solo.world, type, &at[i], &cars[i]) == APEX_OK);
    }
    size_t count = 0;
    for (int tick = 0; tick < 5 && count == 0; tick++) {
        apex_world_step(solo.world, controls, NULL);
        const apex_contact_event *events = apex_world_contacts(solo.world, &count);
        if (count > 0) {
            ROW_IS(count == 1 && events[0].kind == APEX_CONTACT_CAR);
            ROW_BETWEEN(events[0].normal[0], 1.0, 1e-6);
            ROW_BETWEEN(events[0].point_m[0], 0.5 * def.hull.length_m, 0.1);
            ROW_BETWEEN(events[0].point_m[1], side * 0.5 * def.hull.width_m, 0.1);
        }
    }
    ROW_IS(count == 1);
    apex_world_destroy(solo.world);
}

// Errata of chapter 10: 0 < |projection| loses the sign; the bounding radius must be half the
// diagonal; "dot < 90"; and normals point from the first to the second throughout.
static void t26(void) {
    uint64_t seed = 26;
    int touching = 0, apart = 0;
    for (int i = 0; i < 20000; i++) {
        double way = scene_random_between(&seed, -3.2, 3.2);
        physics_body a = box_at(100.0, -50.0, scene_random_between(&seed, -3.2, 3.2));
        physics_body b = box_at(0.0, 0.0, scene_random_between(&seed, -3.2, 3.2));
        // Moved along a line until they overlap by 0.2 m at most, or not at all.
        double low = 0.0, high = 10.0, aim = scene_random_between(&seed, -0.2, 0.1);
        for (int k = 0; k < 40; k++) {
            double middle = 0.5 * (low + high);
            b.x_m = a.x_m + middle * cos(way);
            b.y_m = a.y_m + middle * sin(way);
            low = separation_of(&a, &b) < aim ? middle : low;
            high = low == middle ? high : middle;
        }
        bool touches = finder_agrees(&a, &b);
        // Apart, but near enough to meet soon, one order may see them before the other.
        ROW_IS(touches == finder_agrees(&b, &a) || (aim > 0.0 && aim < 0.041));
        ROW_IS(touches ? aim < 0.041 : aim > -1e-5);
        touching += touches;
        apart += !touches;
    }
    ROW_IS(touching > 10000 && apart > 4000);
    // A corner into a side; two corners that point at each other.
    const double DIAGONAL = hypot(2.2, 0.9), TURNED = atan2(0.9, 2.2);
    physics_body level = box_at(0.0, 0.0, 0.0);
    physics_body pointing = box_at(2.2 + DIAGONAL - 0.05, 0.3, TURNED);
    ROW_IS(finder_agrees(&level, &pointing) && finder_agrees(&pointing, &level));
    physics_body left = box_at(0.0, 0.0, TURNED);
    physics_body right = box_at(2.0 * DIAGONAL - 0.02, 0.0, TURNED);
    ROW_IS(finder_agrees(&left, &right) && finder_agrees(&right, &left));
    right = box_at(2.0 * DIAGONAL + 0.1, 0.0, TURNED);
    ROW_IS(!finder_agrees(&left, &right));
    corners_meet(1.0);
    corners_meet(-1.0);
}

static const row ROWS[] = {
    ROW("T20", t20),   ROW("T21", t21),   ROW("T22", t22),   ROW("T23", t23), ROW("T24", t24),
    ROW("T25a", t25a), ROW("T25b", t25b), ROW("T25c", t25c), ROW("T26", t26),
};

Suite *apex_suite(void) {
    return rows_suite("physics rows: thesis, world", ROWS, (int)(sizeof ROWS / sizeof *ROWS));
}
