// builds: float double
// Tests of a contact's event: the cars, the point, the impulse, and whether it is new.

#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

static const apex_wall_material CONCRETE = {
    .name = "concrete", .restitution = 0.0, .friction = 0.3};

enum { CARS = 4 };

typedef struct test_yard {
    apex_world *world;
    apex_car_type type;
    apex_controls controls[CARS];
} test_yard;

static test_yard open_yard(const apex_car_def *def, const apex_walls *walls) {
    test_yard yard = {.world = NULL};
    apex_world_def world = scene_world_def(CARS);
    ck_assert_int_eq(apex_world_create(&world, scene_flat(), walls, &yard.world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(yard.world, def, &yard.type), APEX_OK);
    return yard;
}

static apex_car_id put(test_yard *yard, double x, double y, double yaw, double speed) {
    apex_placement at = {.x_m = x, .y_m = y, .yaw_rad = yaw, .speed_mps = speed};
    apex_car_id id;
    ck_assert_int_eq(apex_world_add_car(yard->world, yard->type, &at, &id), APEX_OK);
    return id;
}

// The story of the first pair: its first event whole, with the impulses of all.
typedef struct hit_story {
    apex_contact_event first;
    int ticks, began;
    double impulse_ns;
} hit_story;

static hit_story watch(test_yard *yard, int ticks) {
    hit_story story = {.ticks = 0};
    for (int tick = 0; tick < ticks; tick++) {
        size_t count;
        apex_world_step(yard->world, yard->controls, NULL);
        const apex_contact_event *events = apex_world_contacts(yard->world, &count);
        if (count == 0) {
            continue;
        }
        story.first = story.ticks == 0 ? events[0] : story.first;
        story.ticks++;
        story.began += events[0].began;
        story.impulse_ns += events[0].impulse_ns;
    }
    return story;
}

static apex_car_def dull_car(void) {
    apex_car_def def = scene_plain_car();
    def.hull.restitution = 0.0;
    def.hull.length_m = 4.4;
    def.hull.centre_x_m = 0.0;
    return def;
}

// A car at 10 m/s into the tail of one at rest: both go on at 5.
static void run_into_tail(bool is_mover_first) {
    apex_car_def def = dull_car();
    test_yard yard = open_yard(&def, NULL);
    apex_car_id ids[2];
    for (int i = 0; i < 2; i++) {
        bool is_mover = (i == 0) == is_mover_first;
        ids[i] = put(&yard, is_mover ? -6.0 : 0.0, 0.0, 0.0, is_mover ? 10.0 : 0.0);
        yard.controls[i].gear = APEX_GEAR_NEUTRAL;
    }
    hit_story story = watch(&yard, 60);
    const apex_contact_event *hit = &story.first;
    ck_assert_int_eq(hit->kind, APEX_CONTACT_CAR);
    ck_assert_uint_eq(hit->car.index1, ids[0].index1);
    ck_assert_uint_eq(hit->car.generation, ids[0].generation);
    ck_assert_uint_eq(hit->other.index1, ids[1].index1);
    ck_assert_uint_eq(hit->other.generation, ids[1].generation);
    ck_assert_uint_eq(hit->other_index, 0);
    ck_assert_double_eq_tol(hit->normal[0], is_mover_first ? 1.0 : -1.0, 1e-6);
    ck_assert_double_eq_tol(hit->normal[1], 0.0, 1e-6);
    ck_assert_double_eq_tol(hit->point_m[0], -2.2, 0.2);
    ck_assert_double_eq_tol(hit->point_m[1], 0.0, 0.05);
    ck_assert_double_eq_tol(hit->closing_mps, 10.0, 0.2);
    ck_assert(hit->began);
    ck_assert_int_eq(hit->zone, is_mover_first ? APEX_ZONE_FRONT : APEX_ZONE_REAR);
    ck_assert_int_eq(hit->other_zone, is_mover_first ? APEX_ZONE_REAR : APEX_ZONE_FRONT);
    ck_assert_int_eq(story.began, 1);
    ck_assert_double_eq_tol(story.impulse_ns, 0.5 * def.mass_kg * 10.0, 0.05 * 7500.0);
    apex_world_destroy(yard.world);
}

TEST(a_hit_names_both_cars_and_how_hard) {
    run_into_tail(true);
    run_into_tail(false);
}

// A car into another's right or left flank, each headed anywhere.
TEST(zones_are_the_cars_own_however_they_stand) {
    apex_car_def def = dull_car();
    for (int i = 0; i < 24; i++) {
        double yaw = i * 0.5, side = i % 2 == 0 ? 1.0 : -1.0;
        test_yard yard = open_yard(&def, NULL);
        put(&yard, 50.0, 20.0, yaw, 0.0);
        double out_x = -sin(yaw) * side, out_y = cos(yaw) * side; // of its left, or its right
        put(&yard, 50.0 + 5.0 * out_x, 20.0 + 5.0 * out_y, atan2(-out_y, -out_x), 10.0);
        yard.controls[0].gear = yard.controls[1].gear = APEX_GEAR_NEUTRAL;
        hit_story story = watch(&yard, 40);
        ck_assert_int_gt(story.ticks, 0);
        ck_assert_int_eq(story.first.zone, side > 0.0 ? APEX_ZONE_LEFT : APEX_ZONE_RIGHT);
        ck_assert_int_eq(story.first.other_zone, APEX_ZONE_FRONT);
        apex_world_destroy(yard.world);
    }
}

static double roof_damage(const test_yard *yard, apex_car_id car) {
    apex_car_state state;
    ck_assert(apex_world_get_car(yard->world, car, &state));
    return state.damage[APEX_ZONE_ROOF];
}

// Dropped from two metres above a car's roof.
TEST(who_is_landed_on_is_hurt_on_the_roof) {
    apex_car_def def = dull_car();
    apex_world_def world = scene_world_def(CARS);
    world.damage = APEX_DAMAGE_VISUAL;
    for (uint32_t lower = 0; lower < 2; lower++) {
        test_yard yard = {.world = NULL};
        apex_car_id ids[2];
        apex_car_state state;
        ck_assert_int_eq(apex_world_create(&world, scene_flat(), NULL, &yard.world), APEX_OK);
        ck_assert_int_eq(apex_world_add_type(yard.world, &def, &yard.type), APEX_OK);
        for (uint32_t i = 0; i < 2; i++) {
            ids[i] = put(&yard, 0.0, 0.0, 0.2, 0.0);
        }
        ck_assert(apex_world_get_car(yard.world, ids[1 - lower], &state));
        state.position_m[2] += def.hull.height_m + 2.0;
        ck_assert(apex_world_set_car(yard.world, ids[1 - lower], &state));
        hit_story story = watch(&yard, 60);
        ck_assert_double_eq_tol(story.first.normal[2], lower == 0 ? 1.0 : -1.0, 1e-9);
        ck_assert_int_eq(lower == 0 ? story.first.zone : story.first.other_zone, APEX_ZONE_ROOF);
        ck_assert_int_ne(lower == 0 ? story.first.other_zone : story.first.zone, APEX_ZONE_ROOF);
        ck_assert_double_eq_tol(story.first.closing_mps, sqrt(2.0 * 9.81 * 2.0), 0.3);
        ck_assert_double_gt(roof_damage(&yard, ids[lower]), 0.02);
        ck_assert_double_eq(roof_damage(&yard, ids[1 - lower]), 0.0);
        apex_world_destroy(yard.world);
    }
}

static apex_wall_segment face_at(double x_m) {
    return (apex_wall_segment){.from_x_m = x_m,
                               .from_y_m = -50.0,
                               .to_x_m = x_m,
                               .to_y_m = 50.0,
                               .base_m = -1.0,
                               .top_m = 2.0,
                               .previous = APEX_GROUND_NONE,
                               .next = APEX_GROUND_NONE};
}

TEST(a_touch_is_new_once_and_again_after_a_pause) {
    apex_wall_segment faces[2] = {face_at(90.0), face_at(0.0)};
    apex_walls walls = {
        .segments = faces, .segment_count = 2, .materials = &CONCRETE, .material_count = 1};
    apex_car_def def = dull_car();
    test_yard yard = open_yard(&def, &walls);
    apex_car_id car = put(&yard, -4.0, 1.0, 0.0, 3.0);
    yard.controls[0] = (apex_controls){.gear = 1, .throttle = 80};
    hit_story story = watch(&yard, 120);
    ck_assert_int_eq(story.first.kind, APEX_CONTACT_WALL);
    ck_assert_uint_eq(story.first.car.index1, car.index1);
    ck_assert_uint_eq(story.first.other.index1, 0);
    ck_assert_uint_eq(story.first.other_index, 1);
    ck_assert_double_eq_tol(story.first.point_m[0], 0.0, 0.2);
    ck_assert_double_eq_tol(story.first.point_m[1], 1.0, 0.1);
    // It leans on the wall: the same contact for as long as it does.
    ck_assert_int_gt(story.ticks, 20);
    ck_assert_int_eq(story.began, 1);
    apex_placement back = {.x_m = -4.0, .y_m = 1.0, .speed_mps = 3.0};
    apex_world_place_car(yard.world, car, &back);
    story = watch(&yard, 120);
    ck_assert_int_eq(story.began, 1);
    ck_assert(story.first.began);
    apex_world_destroy(yard.world);
}

// Four cars in a row close up to a wall: every event after those of lower cars, pairs once.
TEST(a_row_of_cars_reports_in_order) {
    apex_wall_segment face = face_at(0.0);
    apex_walls walls = {
        .segments = &face, .segment_count = 1, .materials = &CONCRETE, .material_count = 1};
    apex_car_def def = dull_car();
    test_yard yard = open_yard(&def, &walls);
    static const double PLACES_M[CARS] = {-12.0, -3.0, -7.5, -16.5};
    for (int i = 0; i < CARS; i++) {
        put(&yard, PLACES_M[i], 0.0, 0.0, 8.0);
        yard.controls[i] = (apex_controls){.gear = 1, .throttle = 255};
    }
    size_t most = 0;
    for (int tick = 0; tick < 240; tick++) {
        size_t count;
        apex_world_step(yard.world, yard.controls, NULL);
        const apex_contact_event *e = apex_world_contacts(yard.world, &count);
        most = count > most ? count : most;
        for (size_t i = 1; i < count; i++) {
            ck_assert_uint_le(e[i - 1].car.index1, e[i].car.index1);
            ck_assert(e[i - 1].car.index1 < e[i].car.index1 ||
                      e[i - 1].other.index1 < e[i].other.index1 || e[i].kind > e[i - 1].kind);
        }
    }
    // 1 between 3 and 4; 2 at the wall and before 3: all four touches at once.
    ck_assert_uint_eq(most, 4);
    apex_world_destroy(yard.world);
}
