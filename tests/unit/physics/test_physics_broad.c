// builds: float double
// Tests of the candidates of a tick: no pair that comes near in one of its substeps is missing, and
// none that can't is among them.

#include "test_physics_field.h"
#include "physics/car/read_controls.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <string.h>

static bool is_ghost(const test_field *field, uint32_t slot) {
    return field->world->cars.blocks[slot / PHYSICS_LANES].ghost[slot % PHYSICS_LANES];
}

static bool is_held(const test_field *field, uint32_t slot) {
    return field->hulls.motions[slot].inverse_mass <= R(0.0);
}

// All that a hull may meet lies within this of its centre of mass.
static double range_of(const test_field *field, uint32_t slot) {
    return (double)(field->hulls.shapes[slot].radius_m + field->hulls.boxes[slot].reach_m);
}

static bool are_near(const test_field *field, uint32_t a, uint32_t b) {
    const double *at = field->hulls.positions[a].centre_m,
                 *other = field->hulls.positions[b].centre_m;
    double range = range_of(field, a) + range_of(field, b);
    double x = at[0] - other[0], y = at[1] - other[1];
    return x * x + y * y < range * range;
}

static bool may_meet(const test_field *field, uint32_t a, uint32_t b) {
    return !is_ghost(field, a) && !is_ghost(field, b) && !(is_held(field, a) && is_held(field, b));
}

static uint32_t check_pairs(const test_field *field, uint32_t substep) {
    uint32_t near = 0;
    for (uint32_t a = 0; a < field->count; a++) {
        for (uint32_t b = a + 1; b < field->count; b++) {
            if (may_meet(field, a, b) && are_near(field, a, b)) {
                near++;
                ck_assert_msg(has_pair(field, a, b), "substep %u: %u and %u are near", substep, a,
                              b);
            }
        }
    }
    return near;
}

// The same by what a substep looks for: the box of a car that tumbles has corners that its own
// hull has not, and may reach further.
static void check_looks(const test_field *field, uint32_t substep) {
    uint32_t pairs[CARS_MAX + PHYSICS_LANES], seen[CARS_MAX];
    for (uint32_t a = 0; a < field->count; a++) {
        uint32_t count = 0;
        memset(pairs, 0, sizeof pairs);
        for (uint32_t b = a + 1; b < field->count; b++) {
            pairs[count++] = physics_pair(a, b);
        }
        uint32_t seen_count =
            field->world->isa->contact.find_near(&field->hulls, pairs, count, seen);
        for (uint32_t i = 0; i < seen_count; i++) {
            uint32_t b = a + 1 + (seen[i] & ~PHYSICS_ON_TOP);
            ck_assert_msg(!may_meet(field, a, b) || has_pair(field, a, b),
                          "substep %u: %u and %u would be seen", substep, a, b);
        }
    }
}

static uint32_t check_walls(const test_field *field, const apex_walls *walls, uint32_t substep) {
    uint32_t near = 0;
    for (uint32_t slot = 0; slot < field->count; slot++) {
        const double *at = field->hulls.positions[slot].centre_m;
        double reach = range_of(field, slot);
        for (uint32_t s = 0; s < walls->segment_count && !is_held(field, slot); s++) {
            const apex_wall_segment *w = &walls->segments[s];
            bool is_apart = fmin(w->from_x_m, w->to_x_m) > at[0] + reach ||
                            fmax(w->from_x_m, w->to_x_m) < at[0] - reach ||
                            fmin(w->from_y_m, w->to_y_m) > at[1] + reach ||
                            fmax(w->from_y_m, w->to_y_m) < at[1] - reach;
            if (!is_apart) {
                near++;
                ck_assert_msg(has_obstacle(field, slot, s), "substep %u: %u at wall %u", substep,
                              slot, s);
            }
        }
    }
    return near;
}

typedef struct near_count {
    uint32_t pairs, walls;
} near_count;

// Forces, and how all blocks then stand to the test and to the world's contacts.
static void force_and_show(test_field *field) {
    apex_world *world = field->world;
    for (uint32_t block = 0; block < world->cars.block_count; block++) {
        if (world->cars.drives[block].is_anyone_here) {
            world->isa->forces(&world->cars, &block, 1, false);
            world->isa->show(&world->cars, &field->hulls, &block, 1);
            world->isa->show(&world->cars, physics_collider_hulls(world->collider), &block, 1);
        }
    }
}

static void move(apex_world *world, bool has_met) {
    for (uint32_t block = 0; block < world->cars.block_count; block++) {
        if (!world->cars.drives[block].is_anyone_here) {
            continue;
        }
        if (has_met) {
            world->isa->move_hulls(&world->cars, physics_collider_hulls(world->collider), &block,
                                   1);
        } else {
            world->isa->move(&world->cars, &block, 1);
        }
    }
}

// The world's own step, with a look at all hulls before each substep's contacts are solved.
static near_count step_and_check(test_field *field, const apex_walls *walls) {
    near_count near = {0, 0};
    apex_world *world = field->world;
    physics_events_clear(&world->cars.events);
    for (uint32_t slot = 0; slot < field->count; slot++) {
        physics_car_begin_tick(&world->cars, slot, &field->controls[slot]);
    }
    find(field);
    physics_collider_begin_tick(world->collider, &world->cars, field_tick_s(world));
    for (uint32_t substep = 0; substep < world->substeps; substep++) {
        force_and_show(field);
        near.pairs += check_pairs(field, substep);
        check_looks(field, substep);
        near.walls += check_walls(field, walls, substep);
        move(world, physics_collider_substep(world->collider, &world->cars));
    }
    physics_collider_end_tick(world->collider, &world->cars);
    physics_events_gather(&world->cars.events, &world->cars.pool);
    world->tick++;
    return near;
}

enum { WALLS = 60 };

static void scatter_walls(apex_wall_segment walls[WALLS], double x, double y, uint64_t *seed) {
    for (uint32_t i = 0; i < WALLS; i++) {
        double from_x = x + scene_random_between(seed, -100.0, 100.0);
        double from_y = y + scene_random_between(seed, -100.0, 100.0);
        walls[i] = (apex_wall_segment){.from_x_m = from_x,
                                       .from_y_m = from_y,
                                       .to_x_m = from_x + scene_random_between(seed, -6.0, 6.0),
                                       .to_y_m = from_y + scene_random_between(seed, -6.0, 6.0),
                                       .base_m = -1.0,
                                       .top_m = 2.0,
                                       .previous = APEX_GROUND_NONE,
                                       .next = APEX_GROUND_NONE};
    }
}

static void storm(uint32_t tick_hz, double x, double y, uint64_t seed) {
    enum { CARS = 150, TICKS = 6 };
    apex_wall_segment segments[WALLS];
    scatter_walls(segments, x, y, &seed);
    apex_walls walls = {
        .segments = segments, .segment_count = WALLS, .materials = &CONCRETE, .material_count = 1};
    test_field field;
    open_field(&field, tick_hz, &walls);
    for (uint32_t i = 0; i < CARS; i++) {
        uint32_t slot = put(&field, (uint32_t)(scene_random(&seed) % SCENE_KINDS),
                            x + scene_random_between(&seed, -100.0, 100.0),
                            y + scene_random_between(&seed, -100.0, 100.0));
        double angle = scene_random_between(&seed, -3.14, 3.14);
        double speed = i % 3 == 0 ? 100.0 : scene_random_between(&seed, 0.0, 100.0);
        push_car(&field, slot, speed * cos(angle), speed * sin(angle),
                 scene_random_between(&seed, -6.0, 6.0));
        apex_world_hold_car(field.world, field.cars[slot], i % 20 == 7);
        apex_world_ghost_car(field.world, field.cars[slot], i % 20 == 11);
    }
    near_count near = {0, 0};
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        near_count more = step_and_check(&field, &walls);
        near.pairs += more.pairs;
        near.walls += more.walls;
        // At 60 Hz a car sees 10 m round itself: nothing like all of the others.
        ck_assert_uint_lt(pair_count(&field), tick_hz < 60 ? CARS * 20 : CARS * 6);
    }
    ck_assert_uint_gt(near.pairs, 30);
    ck_assert_uint_gt(near.walls, 30);
    close_field(&field);
}

TEST(whoever_comes_near_is_a_candidate) {
    static const uint32_t RATES_HZ[] = {20, 60, 120, 240};
    const uint64_t seeds = (uint64_t)check_cases(12);
    for (uint32_t r = 0; r < 4; r++) {
        for (uint64_t seed = 1; seed <= seeds; seed++) {
            storm(RATES_HZ[r], 0.0, 0.0, seed);
            storm(RATES_HZ[r], 9.99e5, -9.99e5, seed + 100);
        }
    }
}

// A hit runs along a row of standing cars within a tick: a car that was never fast itself comes
// near others, further off than he could have got by himself.
TEST(who_is_only_pushed_is_a_candidate) {
    test_field field;
    apex_walls none = {0};
    open_field(&field, 20, NULL);
    for (uint32_t i = 0; i < 4; i++) {
        put(&field, 0, 6.6 * i, 0.0);
    }
    uint32_t fast = put(&field, 0, -5.0, 0.0);
    push_car(&field, fast, 100.0, 0.0, 0.0);
    // One pair is near from the start, the next for the last substeps.
    near_count near = step_and_check(&field, &none);
    ck_assert_uint_gt(near.pairs, field.world->substeps);
    ck_assert(has_pair(&field, 0, 1) && has_pair(&field, 1, 2) && has_pair(&field, 2, 3));
    for (uint32_t tick = 0; tick < 8; tick++) {
        (void)step_and_check(&field, &none);
    }
    apex_car_pose pose;
    ck_assert(apex_world_pose(field.world, field.cars[3], &pose));
    ck_assert_double_gt(pose.velocity_mps[0], 10.0); // it did come through
    close_field(&field);
}

static void move_to(test_field *field, uint32_t slot, double x_m, double y_m) {
    physics_block *block = &field->world->cars.blocks[slot / PHYSICS_LANES];
    wide_set(&block->position_m[0], slot % PHYSICS_LANES, x_m);
    wide_set(&block->position_m[1], slot % PHYSICS_LANES, y_m);
}

// All round a car, wherever the edges of cells lie.
TEST(two_that_nearly_touch_are_one_pair) {
    test_field field;
    open_field(&field, 60, NULL);
    uint32_t a = put(&field, 0, 0.0, 0.0), b = put(&field, 0, 0.0, 0.0);
    uint64_t seed = 5;
    for (uint32_t i = 0; i < 20000; i++) {
        double wide = i % 2 == 0 ? 40.0 : 9e6, angle = scene_random_between(&seed, -3.1416, 3.1416);
        double x = scene_random_between(&seed, -wide, wide);
        double y = scene_random_between(&seed, -wide, wide);
        double range = 2.0 * (double)field.world->cars.types[0].hull.radius_m;
        move_to(&field, a, x, y);
        move_to(&field, b, x + range * cos(angle), y + range * sin(angle));
        find(&field);
        ck_assert_msg(pair_count(&field) == 1, "%u pairs at %.9g %.9g, %g", pair_count(&field), x,
                      y, angle);
        ck_assert_uint_eq(field.found.pairs[0], physics_pair(a, b));
        // Standing cars do not reach two metres further.
        move_to(&field, b, x + (range + 2.0) * cos(angle), y + (range + 2.0) * sin(angle));
        find(&field);
        ck_assert_uint_eq(field.found.count, 0);
    }
    close_field(&field);
}

TEST(nobody_is_involved_in_an_empty_field) {
    apex_wall_segment far[2] = {{.from_x_m = -500.0,
                                 .from_y_m = -60.0,
                                 .to_x_m = 1500.0,
                                 .to_y_m = -60.0,
                                 .base_m = -1.0,
                                 .top_m = 2.0,
                                 .previous = APEX_GROUND_NONE,
                                 .next = APEX_GROUND_NONE}};
    far[1] = far[0];
    far[1].from_y_m = far[1].to_y_m = 900.0;
    apex_walls walls = {
        .segments = far, .segment_count = 2, .materials = &CONCRETE, .material_count = 1};
    for (uint32_t round = 0; round < 2; round++) {
        test_field field;
        open_field(&field, 60, round == 0 ? NULL : &walls);
        for (uint32_t i = 0; i < CARS_MAX; i++) {
            uint32_t column = i % 20, row = i / 20;
            uint32_t slot = put(&field, 0, 40.0 * column, 40.0 * row);
            push_car(&field, slot, 60.0 * cos(i), 60.0 * sin(i), 1.0);
        }
        uint32_t count;
        for (uint32_t tick = 0; tick < 3; tick++) {
            apex_world_step(field.world, field.controls, NULL);
            (void)physics_collider_involved(field.world->collider, &count);
            ck_assert_uint_eq(count, 0);
        }
        close_field(&field);
    }
}

// A world in which nothing lives, or nothing solid, finds nothing.
TEST(empty_slots_and_lonely_cars) {
    test_field field;
    open_field(&field, 60, NULL);
    find(&field);
    ck_assert_uint_eq(field.found.count, 0);
    uint32_t first = put(&field, 0, 0.0, 0.0);
    find(&field);
    ck_assert_uint_eq(field.found.count, 0);
    uint32_t second = put(&field, 0, 1.0, 0.0);
    find(&field);
    ck_assert_uint_eq(field.found.count, 2);
    uint32_t third = put(&field, 0, 90.0, 0.0), fourth = put(&field, 0, 91.0, 0.0);
    find(&field);
    ck_assert_uint_eq(field.found.count, 4);
    apex_world_remove_car(field.world, field.cars[first]);
    find(&field);
    ck_assert_uint_eq(field.found.count, 2);
    ck_assert(!is_involved(&field, second) && has_pair(&field, third, fourth));
    apex_world_remove_car(field.world, field.cars[third]);
    find(&field);
    ck_assert_uint_eq(field.found.count, 0);
    close_field(&field);
}

TEST(ghosts_meet_walls_only) {
    apex_wall_segment wall = {.from_x_m = -3.0,
                              .from_y_m = 2.5,
                              .to_x_m = 3.0,
                              .to_y_m = 2.5,
                              .base_m = -1.0,
                              .top_m = 2.0,
                              .previous = APEX_GROUND_NONE,
                              .next = APEX_GROUND_NONE};
    apex_wall_post post = {.x_m = 1.0, .y_m = -2.5, .radius_m = 0.3, .base_m = -1.0, .top_m = 2.0};
    apex_walls walls = {.segments = &wall,
                        .segment_count = 1,
                        .posts = &post,
                        .post_count = 1,
                        .materials = &CONCRETE,
                        .material_count = 1};
    test_field field;
    open_field(&field, 60, &walls);
    uint32_t solid = put(&field, 0, 0.0, 0.0), ghost = put(&field, 0, 0.5, 0.0);
    uint32_t apart = put(&field, 0, 300.0, 0.0), inside_it = put(&field, 0, 300.5, 0.0);
    apex_world_ghost_car(field.world, field.cars[ghost], true);
    apex_world_ghost_car(field.world, field.cars[inside_it], true);
    find(&field);
    ck_assert_uint_eq(pair_count(&field), 0);
    ck_assert(has_obstacle(&field, ghost, 0) && has_obstacle(&field, ghost, 1));
    ck_assert(has_obstacle(&field, solid, 0) && has_obstacle(&field, solid, 1));
    ck_assert(!is_involved(&field, apart) && !is_involved(&field, inside_it));
    apex_world_ghost_car(field.world, field.cars[ghost], false);
    find(&field);
    ck_assert_uint_eq(pair_count(&field), 1);
    ck_assert(has_pair(&field, solid, ghost));
    close_field(&field);
}

TEST(held_cars_meet_only_what_moves) {
    apex_wall_post post = {.x_m = 1.0, .y_m = -2.5, .radius_m = 0.3, .base_m = -1.0, .top_m = 2.0};
    apex_walls walls = {
        .posts = &post, .post_count = 1, .materials = &CONCRETE, .material_count = 1};
    test_field field;
    open_field(&field, 60, &walls);
    uint32_t held[3];
    for (uint32_t i = 0; i < 3; i++) {
        held[i] = put(&field, 0, 0.0, 2.5 * i);
        apex_world_hold_car(field.world, field.cars[held[i]], true);
    }
    find(&field);
    ck_assert_uint_eq(field.found.count, 0);
    uint32_t guest = put(&field, 0, 4.0, 5.0);
    find(&field);
    ck_assert(has_pair(&field, held[1], guest) && has_pair(&field, held[2], guest));
    ck_assert(!has_pair(&field, held[0], held[1]) && !has_pair(&field, held[1], held[2]));
    ck_assert(!has_obstacle(&field, held[0], 0));
    close_field(&field);
}

TEST(lists_rise_and_name_each_pair_once) {
    uint64_t seed = 9;
    apex_wall_segment segments[WALLS];
    scatter_walls(segments, 0.0, 0.0, &seed);
    apex_walls walls = {
        .segments = segments, .segment_count = WALLS, .materials = &CONCRETE, .material_count = 1};
    test_field field;
    open_field(&field, 60, &walls);
    for (uint32_t i = 0; i < 300; i++) {
        put(&field, i % SCENE_KINDS, scene_random_between(&seed, -40.0, 40.0),
            scene_random_between(&seed, -40.0, 40.0));
    }
    find(&field);
    const physics_candidates *found = &field.found;
    bool has_partner[CARS_MAX] = {false};
    ck_assert_uint_gt(pair_count(&field), 500);
    for (uint32_t p = 0; p < pair_count(&field); p++) {
        ck_assert(p == 0 || found->pairs[p - 1] < found->pairs[p]);
        has_partner[found->pairs[p] >> 16] = true;
        has_partner[physics_pair_higher(found->pairs[p])] = true;
    }
    ck_assert_uint_eq(found->pair_starts[0], 0);
    ck_assert_uint_eq(found->obstacle_starts[0], 0);
    uint32_t with_walls = 0;
    for (uint32_t i = 0; i < found->count; i++) {
        uint32_t slot = found->involved[i];
        ck_assert(i == 0 || found->involved[i - 1] < slot);
        ck_assert(found->pair_starts[i] <= found->pair_starts[i + 1]);
        for (uint32_t p = found->pair_starts[i]; p < found->pair_starts[i + 1]; p++) {
            ck_assert_uint_eq(found->pairs[p] >> 16, slot);
            ck_assert_uint_gt(physics_pair_higher(found->pairs[p]), slot);
        }
        ck_assert(found->obstacle_starts[i] <= found->obstacle_starts[i + 1]);
        for (uint32_t n = found->obstacle_starts[i] + 1; n < found->obstacle_starts[i + 1]; n++) {
            ck_assert(found->obstacles[n - 1] < found->obstacles[n]);
        }
        bool has_walls = found->obstacle_starts[i] < found->obstacle_starts[i + 1];
        ck_assert(has_partner[slot] || has_walls);
        has_partner[slot] = false;
        with_walls += has_walls;
    }
    for (uint32_t slot = 0; slot < CARS_MAX; slot++) {
        ck_assert_msg(!has_partner[slot], "%u has a partner, but is not involved", slot);
    }
    ck_assert_uint_gt(with_walls, 10);
    close_field(&field);
}

// 400 cars in one place: a car keeps its 256 lowest partners, far more than it can meet at once.
TEST(a_heap_keeps_the_lowest) {
    test_field field;
    open_field(&field, 60, NULL);
    for (uint32_t i = 0; i < CARS_MAX; i++) {
        put(&field, 0, 7.0, 7.0);
    }
    find(&field);
    ck_assert_uint_eq(field.found.count, CARS_MAX);
    for (uint32_t a = 0; a < CARS_MAX; a++) {
        uint32_t above = CARS_MAX - 1 - a, begin = field.found.pair_starts[a];
        uint32_t kept = field.found.pair_starts[a + 1] - begin;
        ck_assert_uint_eq(kept, above < 256 ? above : 256);
        for (uint32_t k = 0; k < kept; k++) {
            ck_assert_uint_eq(field.found.pairs[begin + k], physics_pair(a, a + 1 + k));
        }
    }
    apex_world_step(field.world, field.controls, NULL);
    close_field(&field);
}

// However many stand there, a car is told of all of them: the last one of all is not lost.
TEST(a_post_before_a_thicket_stops_a_car) {
    enum { POSTS = 200 };
    apex_wall_post posts[POSTS];
    for (uint32_t i = 0; i < POSTS; i++) {
        posts[i] = (apex_wall_post){.x_m = i + 1 < POSTS ? 4.6 + 0.0005 * i : 4.0,
                                    .radius_m = 0.3,
                                    .base_m = -1.0,
                                    .top_m = 2.0};
    }
    apex_walls walls = {
        .posts = posts, .post_count = POSTS, .materials = &CONCRETE, .material_count = 1};
    test_field field;
    open_field(&field, 60, &walls);
    uint32_t slot = put(&field, 0, 1.0, 0.0);
    push_car(&field, slot, 40.0, 0.0, 0.0);
    for (uint32_t i = 1; i < CARS_MAX; i++) { // there is room for all of theirs, too
        put(&field, 0, 500.0 + 40.0 * i, 0.0);
    }
    find(&field);
    ck_assert_uint_eq(field.found.count, 1);
    ck_assert_uint_eq(field.found.obstacle_starts[1], POSTS);
    ck_assert_uint_eq(field.found.obstacles[POSTS - 1], POSTS - 1);
    size_t hits = 0;
    for (uint32_t tick = 0; tick < 30; tick++) {
        size_t count;
        apex_world_step(field.world, field.controls, NULL);
        const apex_contact_event *events = apex_world_contacts(field.world, &count);
        for (size_t e = 0; e < count; e++) {
            ck_assert_uint_eq(events[e].other_index, POSTS - 1);
            hits++;
        }
        apex_car_pose pose;
        ck_assert(apex_world_pose(field.world, field.cars[slot], &pose));
        ck_assert_double_lt(pose.position_m[0], 4.0 - 0.3 - 2.0);
    }
    ck_assert_uint_gt(hits, 0);
    close_field(&field);
}

// The first substep stops a car beyond the world's edge at the axis: a car there may be hit.
TEST(numbers_out_of_range_do_not_spread) {
    test_field field;
    open_field(&field, 60, NULL);
    uint32_t astray = put(&field, 0, 0.0, 50.0), at_the_axis = put(&field, 0, 1.0, 50.0);
    uint32_t others[2] = {put(&field, 0, 500.0, 0.0), put(&field, 0, 700.0, 0.0)};
    apex_car_state state;
    ck_assert(apex_world_get_car(field.world, field.cars[astray], &state));
    state.position_m[0] = -1e300;
    state.velocity_mps[1] = 1e30;
    state.angular_radps[2] = -1e30;
    ck_assert(apex_world_set_car(field.world, field.cars[astray], &state));
    find(&field);
    ck_assert(has_pair(&field, astray, at_the_axis));
    ck_assert(!has_pair(&field, others[0], others[1]));
    apex_world_step(field.world, field.controls, NULL);
    apex_car_pose pose;
    ck_assert(apex_world_pose(field.world, field.cars[astray], &pose));
    ck_assert_double_lt(fabs(pose.position_m[0]), 10.0);
    close_field(&field);
}
