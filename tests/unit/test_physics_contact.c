// builds: float double
// The contact solver and the finder of boxes: worked impulses, momentum, friction, manifolds.

#include "physics/contact_private.h"
#include "support/check_main.h"
#include "support/scenes.h"

#include <math.h>
#include <string.h>

static const real H = R(1.0) / R(240.0);

typedef struct two_bodies {
    physics_body bodies[2];
    physics_manifold manifold;
} two_bodies;

// Two bodies at rest in the places given, touching at one point without friction.
static two_bodies make_pair(double mass_a, double inertia_a, double mass_b, double inertia_b) {
    two_bodies pair;
    memset(&pair, 0, sizeof pair);
    pair.bodies[0].inverse_mass = (real)(1.0 / mass_a);
    pair.bodies[0].inverse_inertia = (real)(1.0 / inertia_a);
    pair.bodies[1].inverse_mass = (real)(1.0 / mass_b);
    pair.bodies[1].inverse_inertia = (real)(1.0 / inertia_b);
    pair.manifold.b = 1;
    pair.manifold.point_count = 1;
    return pair;
}

static void set_point(two_bodies *pair, double x, double y, double b_x, double b_y) {
    physics_contact_point *point = &pair->manifold.points[0];
    point->arm_a_x = (real)x;
    point->arm_a_y = (real)y;
    point->arm_b_x = (real)(x - b_x);
    point->arm_b_y = (real)(y - b_y);
}

static void set_speed(physics_body *body, double x, double y, double yaw) {
    body->velocity_x_mps = (real)x;
    body->velocity_y_mps = (real)y;
    body->yaw_radps = (real)yaw;
}

static void solve(two_bodies *pair) {
    physics_manifold_list list = {.items = &pair->manifold, .count = 1, .capacity = 1};
    physics_contacts_solve(pair->bodies, &list, H);
}

static void expect(const physics_body *body, double x, double y, double yaw) {
    ck_assert_double_eq_tol((double)body->velocity_x_mps, x, 2e-5);
    ck_assert_double_eq_tol((double)body->velocity_y_mps, y, 2e-5);
    ck_assert_double_eq_tol((double)body->yaw_radps, yaw, 2e-5);
}

START_TEST(head_on_off_centre) { // T25a
    two_bodies pair = make_pair(1500.0, 2500.0, 1200.0, 1800.0);
    pair.manifold.normal_x = R(1.0);
    pair.manifold.restitution = R(0.25);
    set_point(&pair, 2.1, 0.4, 4.2, 0.8);
    set_speed(&pair.bodies[0], 10.0, 0.0, 0.0);
    set_speed(&pair.bodies[1], -5.0, 0.0, 0.0);
    solve(&pair);
    expect(&pair.bodies[0], 2.43748319441, 0.0, 1.81500403334);
    expect(&pair.bodies[1], 4.45314600699, 0.0, 2.52083893520);
    ck_assert_double_eq_tol((double)pair.manifold.points[0].normal_ns, 11343.7752084, 0.05);
}
END_TEST

START_TEST(into_the_side) { // T25b
    two_bodies pair = make_pair(1500.0, 2500.0, 1500.0, 2500.0);
    pair.manifold.normal_y = R(1.0);
    pair.manifold.restitution = R(0.1);
    set_point(&pair, 0.5, 2.25, 1.5, 3.15);
    set_speed(&pair.bodies[0], 0.0, 15.0, 0.0);
    set_speed(&pair.bodies[1], 10.0, 0.0, 0.0);
    solve(&pair);
    expect(&pair.bodies[0], 0.0, 9.0, -1.8);
    expect(&pair.bodies[1], 10.0, 6.0, -3.6);
}
END_TEST

START_TEST(corners_while_spinning) { // T25c
    two_bodies pair = make_pair(1393.0, 1950.0, 1323.0, 1900.0);
    pair.manifold.normal_x = R(0.8);
    pair.manifold.normal_y = R(0.6);
    pair.manifold.restitution = R(0.5);
    set_point(&pair, 2.2, 0.8, 3.9, 1.6);
    set_speed(&pair.bodies[0], 20.0, 3.0, 0.5);
    set_speed(&pair.bodies[1], 5.0, -2.0, -0.3);
    solve(&pair);
    expect(&pair.bodies[0], 12.6595085356, -2.50536859831, -3.95718406074);
    expect(&pair.bodies[1], 12.7288772562, 3.79665794214, -2.85632615248);
}
END_TEST

START_TEST(straight_with_each_restitution) { // P28, P29
    static const double ROWS[][3] = {{0.0, 5.38659793814, 5.38659793814},
                                     {0.25, 1.73324742268, 9.23324742268},
                                     {1.0, -9.22680412371, 20.7731958763}};
    for (size_t i = 0; i < 3; i++) {
        two_bodies pair = make_pair(1393.0, 2000.0, 1323.0, 2000.0);
        pair.manifold.normal_x = R(1.0);
        pair.manifold.restitution = (real)ROWS[i][0];
        set_speed(&pair.bodies[0], 20.0, 0.0, 0.0);
        set_speed(&pair.bodies[1], -10.0, 0.0, 0.0);
        solve(&pair);
        expect(&pair.bodies[0], ROWS[i][1], 0.0, 0.0);
        expect(&pair.bodies[1], ROWS[i][2], 0.0, 0.0);
    }
}
END_TEST

START_TEST(parting_bodies_are_left_alone) {
    two_bodies pair = make_pair(1000.0, 1500.0, 1000.0, 1500.0);
    pair.manifold.normal_x = R(1.0);
    pair.manifold.friction = R(0.5);
    pair.manifold.points[0].separation_m = R(-0.1);
    set_speed(&pair.bodies[0], -1.0, 2.0, 0.3);
    set_speed(&pair.bodies[1], 1.0, 0.0, 0.0);
    solve(&pair);
    expect(&pair.bodies[0], -1.0, 2.0, 0.3);
    expect(&pair.bodies[1], 1.0, 0.0, 0.0);
    // They are still inside each other: pushed, each half, and never more than 3 m/s.
    ck_assert_double_eq_tol((double)pair.bodies[0].push_x_m, -0.5 * 3.0 / 240.0, 1e-7);
    ck_assert_double_eq_tol((double)pair.bodies[1].push_x_m, 0.5 * 3.0 / 240.0, 1e-7);
}
END_TEST

START_TEST(a_gap_may_be_closed_but_not_crossed) {
    two_bodies pair = make_pair(1000.0, 1500.0, 1000.0, 1500.0);
    pair.manifold.normal_x = R(1.0);
    pair.manifold.points[0].separation_m = R(0.1);
    set_speed(&pair.bodies[0], 20.0, 0.0, 0.0); // 83 mm in a substep: not there yet
    solve(&pair);
    expect(&pair.bodies[0], 20.0, 0.0, 0.0);
    set_speed(&pair.bodies[0], 60.0, 0.0, 0.0); // 250 mm: stops at the other
    solve(&pair);
    expect(&pair.bodies[0], 30.0, 0.0, 0.0);
    expect(&pair.bodies[1], 30.0, 0.0, 0.0);
    // 1/600 s until the hit: the first went 0.1 m at 60, not at 30; the other stood.
    ck_assert_double_eq_tol((double)pair.bodies[0].push_x_m, 0.05, 1e-6);
    ck_assert_double_eq_tol((double)pair.bodies[1].push_x_m, -0.05, 1e-6);
}
END_TEST

START_TEST(friction_is_coulombs) {
    two_bodies pair = make_pair(1000.0, 1e12, 1000.0, 1e12);
    pair.manifold.normal_x = R(1.0);
    pair.manifold.friction = R(0.3);
    set_speed(&pair.bodies[0], 4.0, 10.0, 0.0);
    solve(&pair);
    physics_contact_point *point = &pair.manifold.points[0];
    ck_assert_double_eq_tol((double)point->normal_ns, 2000.0, 0.01);
    ck_assert_double_eq_tol(fabs((double)point->tangent_ns), 600.0, 0.01);
    // Slow sliding ends instead of turning round.
    pair = make_pair(1000.0, 1e12, 1000.0, 1e12);
    pair.manifold.normal_x = R(1.0);
    pair.manifold.friction = R(0.3);
    set_speed(&pair.bodies[0], 4.0, 0.5, 0.0);
    solve(&pair);
    ck_assert_double_eq_tol((double)pair.bodies[0].velocity_y_mps, 0.25, 1e-5);
    ck_assert_double_eq_tol((double)pair.bodies[1].velocity_y_mps, 0.25, 1e-5);
}
END_TEST

static physics_body box_at(double x, double y, double yaw) {
    return (physics_body){.x_m = x,
                          .y_m = y,
                          .cos_yaw = (real)cos(yaw),
                          .sin_yaw = (real)sin(yaw),
                          .inverse_mass = R(0.001),
                          .inverse_inertia = R(0.0005),
                          .half_length_m = R(2.0),
                          .half_width_m = R(1.0),
                          .radius_m = R(2.236),
                          .top_m = R(1.0),
                          .is_live = true};
}

static physics_manifold meet(physics_body a, physics_body b, uint32_t *count) {
    physics_body bodies[2] = {a, b};
    static physics_manifold items[4];
    physics_manifold_list list = {.items = items, .capacity = 4};
    physics_body_set_reach(&bodies[0], H);
    physics_body_set_reach(&bodies[1], H);
    physics_boxes_collide(bodies, 0, 1, &list);
    *count = list.count;
    return items[0];
}

START_TEST(boxes_meet_face_to_face) {
    uint32_t count;
    physics_manifold manifold = meet(box_at(0, 0, 0), box_at(3.9, 0.5, 0), &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(manifold.point_count, 2);
    ck_assert_double_eq_tol((double)manifold.normal_x, 1.0, 1e-6);
    for (uint32_t p = 0; p < 2; p++) {
        const physics_contact_point *point = &manifold.points[p];
        ck_assert_double_eq_tol((double)point->separation_m, -0.1, 1e-5);
        ck_assert_double_eq_tol((double)point->arm_a_x, 1.95, 1e-5); // half way
        ck_assert_double_eq_tol((double)point->arm_b_x, -1.95, 1e-5);
        double y = (double)point->arm_a_y;
        ck_assert(fabs(y - 1.0) < 1e-5 || fabs(y + 0.5) < 1e-5); // over both faces
    }
}
END_TEST

START_TEST(boxes_meet_corner_first) {
    uint32_t count;
    // A quarter turn and a half: its corner reaches sqrt(2^2 + 1^2) times cos of what is left.
    double yaw = 0.7;
    double reach = 2.0 * cos(yaw) + sin(yaw);
    physics_manifold manifold = meet(box_at(0, 0, 0), box_at(2.0 + reach - 0.05, 0, yaw), &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_double_eq_tol((double)manifold.normal_x, 1.0, 1e-6);
    double deepest = fmin((double)manifold.points[0].separation_m,
                          manifold.point_count > 1 ? (double)manifold.points[1].separation_m : 0.0);
    ck_assert_double_eq_tol(deepest, -0.05, 1e-5);
}
END_TEST

START_TEST(boxes_that_are_near_meet_only_in_time) {
    uint32_t count;
    physics_body still = box_at(0, 0, 0), coming = box_at(4.3, 0, 0);
    meet(still, coming, &count);
    ck_assert_uint_eq(count, 0);      // 0.3 m apart, at rest
    coming.velocity_x_mps = R(-80.0); // 0.33 m a substep
    physics_manifold manifold = meet(still, coming, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_double_eq_tol((double)manifold.points[0].separation_m, 0.3, 1e-5);
    coming.y_m = 3.0; // passes by
    meet(still, coming, &count);
    ck_assert_uint_eq(count, 0);
}
END_TEST

START_TEST(boxes_over_each_other_do_not_meet) {
    uint32_t count;
    physics_body below = box_at(0, 0, 0), above = box_at(1, 0, 0);
    above.bottom_m = R(3.0);
    above.top_m = R(4.0);
    meet(below, above, &count);
    ck_assert_uint_eq(count, 0);
}
END_TEST

// A wall along y = 0 for x > 0 and one that bends away from it; cars are below.
static physics_manifold_list meet_joint(const physics_body *body, physics_manifold items[8]) {
    static const apex_wall_material MATERIAL = {.name = "wall"};
    static const apex_wall_segment SEGMENTS[2] = {
        {20.0, 0.0, 0.0, 0.0, -1.0, 2.0, APEX_GROUND_NONE, 1, 0},
        {0.0, 0.0, -20.0, 4.0, -1.0, 2.0, 0, APEX_GROUND_NONE, 0},
    };
    static const apex_walls WALLS = {
        .segments = SEGMENTS, .segment_count = 2, .materials = &MATERIAL, .material_count = 1};
    physics_manifold_list list = {.items = items, .capacity = 8};
    physics_walls *walls = physics_walls_create(&WALLS);
    physics_walls_collide(walls, body, 0, &list);
    physics_walls_destroy(walls);
    return list;
}

START_TEST(a_joint_pushes_like_one_of_its_walls) {
    // The joint is 40 mm behind the box's front and 50 mm inside its left: the front is nearer.
    physics_body body = box_at(-1.96, -0.95, 0.0);
    physics_manifold items[8];
    physics_body_set_reach(&body, H);
    physics_manifold_list list = meet_joint(&body, items);
    ck_assert_uint_eq(list.count, 2);
    for (uint32_t i = 0; i < list.count; i++) {
        ck_assert_double_gt((double)items[i].normal_y, 0.97);
        ck_assert_double_lt((double)items[i].normal_x, 0.21);
    }
}
END_TEST

START_TEST(the_guard_keeps_centres_in_front) {
    static const apex_wall_material MATERIAL = {.name = "wall"};
    static const apex_wall_segment SEGMENT = {
        50.0, 0.0, -50.0, 0.0, -1.0, 2.0, APEX_GROUND_NONE, APEX_GROUND_NONE, 0};
    static const apex_walls WALLS = {
        .segments = &SEGMENT, .segment_count = 1, .materials = &MATERIAL, .material_count = 1};
    physics_body body = box_at(0.0, -0.1, 0.0);
    physics_manifold items[8];
    physics_manifold_list list = {.items = items, .capacity = 8};
    physics_walls *walls = physics_walls_create(&WALLS);
    body.velocity_x_mps = R(7.0);
    body.velocity_y_mps = R(200.0); // 0.83 m in a substep; and a push on top
    body.push_y_m = R(0.3);
    physics_body_set_reach(&body, H);
    physics_walls_collide(walls, &body, 0, &list);
    ck_assert_uint_eq(list.count, 1);
    physics_walls_guard(walls, &body, &list, H);
    double end = body.y_m + (double)(body.velocity_y_mps * H + body.push_y_m);
    ck_assert_double_eq_tol(end, -0.02, 1e-4);
    ck_assert_double_eq_tol((double)body.velocity_y_mps, 0.0, 1e-4);
    ck_assert_double_eq_tol((double)body.velocity_x_mps, 7.0, 1e-6);
    physics_walls_destroy(walls);
}
END_TEST

START_TEST(the_list_says_what_it_dropped) {
    physics_manifold items[1];
    physics_manifold_list list = {.items = items, .capacity = 1};
    ck_assert_ptr_nonnull(physics_manifold_add(&list));
    ck_assert_ptr_null(physics_manifold_add(&list));
    ck_assert_uint_eq(list.dropped, 1);
}
END_TEST

Suite *apex_suite(void) {
    Suite *suite = suite_create("physics contact");
    TCase *tests = tcase_create("contact");
    tcase_add_test(tests, head_on_off_centre);
    tcase_add_test(tests, into_the_side);
    tcase_add_test(tests, corners_while_spinning);
    tcase_add_test(tests, straight_with_each_restitution);
    tcase_add_test(tests, parting_bodies_are_left_alone);
    tcase_add_test(tests, a_gap_may_be_closed_but_not_crossed);
    tcase_add_test(tests, friction_is_coulombs);
    tcase_add_test(tests, boxes_meet_face_to_face);
    tcase_add_test(tests, boxes_meet_corner_first);
    tcase_add_test(tests, boxes_that_are_near_meet_only_in_time);
    tcase_add_test(tests, boxes_over_each_other_do_not_meet);
    tcase_add_test(tests, a_joint_pushes_like_one_of_its_walls);
    tcase_add_test(tests, the_guard_keeps_centres_in_front);
    tcase_add_test(tests, the_list_says_what_it_dropped);
    suite_add_tcase(suite, tests);
    return suite;
}
