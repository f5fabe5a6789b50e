// Tests of the validators of physics, with sound cars, constraint graphs and contacts, and with
// each kind of broken one.

#include "physics/car/cars_validator.h"
#include "physics/contact/contacts_validator.h"
#include "physics/lanes/rows.h"
#include "physics/solver/constraint_graph_validator.h"
#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect(const char *wrong, const char *sentence) {
    ck_assert_ptr_nonnull(wrong);
    ck_assert_str_eq(wrong, sentence);
}

// Twelve slots in two blocks: one block of three kinds of car, with a hole, and one of a single
// kind.
enum { SLOTS = 12, HOLE = 2, ALONE = 9 };

static apex_world *world;
static apex_car_id ids[SLOTS];

static void open_world(void) {
    apex_world_def def = scene_world_def(SLOTS);
    apex_car_type types[SCENE_KINDS];
    static apex_controls controls[SLOTS];
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_OK);
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        apex_car_def car = scene_car_kind(kind);
        ck_assert_int_eq(apex_world_add_type(world, &car, &types[kind]), APEX_OK);
    }
    for (uint32_t slot = 0; slot <= ALONE; slot++) {
        apex_placement at = {.x_m = 30.0 * slot, .speed_mps = 5.0};
        ck_assert_int_eq(apex_world_add_car(world, types[slot < 8 ? slot % 3 : 1], &at, &ids[slot]),
                         APEX_OK);
        controls[slot] = (apex_controls){.throttle = 200, .gear = APEX_GEAR_AUTOMATIC};
    }
    apex_world_remove_car(world, ids[HOLE]);
    apex_world_remove_car(world, ids[8]);
    apex_world_hold_car(world, ids[5], true);
    for (int tick = 0; tick < 30; tick++) {
        apex_world_step(world, controls, NULL);
    }
}

static void close_world(void) {
    apex_world_destroy(world);
}

static void expect_of_cars(const char *sentence) {
    expect(physics_cars_validate(&world->cars), sentence);
}

FIXTURE(open_world, close_world)

TEST(whole_cars_are_valid) {
    ck_assert_ptr_null(physics_cars_validate(&world->cars));
    ck_assert_uint_eq(world->cars.pool.live_count, 8);
}

TEST(the_pool_counts_its_cars) {
    world->cars.pool.live_count++;
    expect_of_cars("the pool counts cars that are not there");
    world->cars.pool.live_count--;
    world->cars.pool.lowest_free = 8;
    expect_of_cars("the next slot to be taken is not free");
    world->cars.pool.lowest_free = 3;
    expect_of_cars("the next slot to be taken is not free");
}

TEST(a_car_has_numbers_that_a_car_can_have) {
    physics_block *block = &world->cars.blocks[0];
    const real travel_m = block->wheels[1].travel_m[4];
    lanes_set(&block->wheels[1].travel_m, 4, (real)NAN);
    expect_of_cars("a car has a number that no car can have");
    lanes_set(&block->wheels[1].travel_m, 4, travel_m);
    lanes_set(&block->damage[APEX_ZONE_ROOF], 7, R(1.5));
    expect_of_cars("a car has a number that no car can have");
    lanes_set(&block->damage[APEX_ZONE_ROOF], 7, R(0.0));
    wide_set(&block->orientation[0], 3, 2.0);
    expect_of_cars("a car has a number that no car can have");
}

TEST(what_lies_in_a_free_slot_is_nobodys) {
    lanes_set(&world->cars.blocks[0].fuel_kg, HOLE, (real)NAN);
    ck_assert_ptr_null(physics_cars_validate(&world->cars));
    lanes_set(&world->cars.blocks[0].fuel_kg, HOLE + 1, (real)NAN);
    expect_of_cars("a car has a number that no car can have");
}

TEST(drives_follow_from_blocks) {
    physics_drive *drive = &world->cars.drives[0];
    drive->is_live[HOLE] = -1;
    expect_of_cars("a drive has another slot alive than the pool");
    drive->is_live[HOLE] = 0;
    world->cars.blocks[0].held[5] = false;
    expect_of_cars("a drive moves a car that is held, or holds one that is not");
    world->cars.blocks[0].held[5] = true;
    drive->is_dynamic[6] = 0;
    expect_of_cars("a drive moves a car that is held, or holds one that is not");
    drive->is_dynamic[6] = -1;
    world->cars.blocks[0].engine_blown[1] = true;
    expect_of_cars("a drive has an engine blown or a car in the air, and its block has not");
    world->cars.blocks[0].engine_blown[1] = false;
    drive->is_airborne[1] = ~drive->is_airborne[1];
    expect_of_cars("a drive has an engine blown or a car in the air, and its block has not");
}

TEST(drives_are_in_their_cars_gears) {
    physics_drive *drive = &world->cars.drives[0];
    real ratio = drive->ratio[3];
    lanes_set(&drive->ratio, 3, ratio + R(0.01));
    expect_of_cars("a drive is in another gear than its car");
    lanes_set(&drive->ratio, 3, ratio);
    world->cars.blocks[0].gear[3]++;
    expect_of_cars("a drive is in another gear than its car");
    world->cars.blocks[0].gear[3]--;
    drive->types[4] = &world->cars.types[0];
    expect_of_cars("a drive takes a car for one of another type");
}

TEST(drives_have_their_types_numbers) {
    physics_numbers_lanes *mixed = &world->cars.mixed_numbers[0];
    lanes_set(&mixed->mass_kg, 7, mixed->mass_kg[7] + R(1.0));
    expect_of_cars("a drive has other numbers than its cars' types");
    lanes_set(&mixed->mass_kg, 7, mixed->mass_kg[7] - R(1.0));
    ck_assert_ptr_null(physics_cars_validate(&world->cars));
    world->cars.drives[1].numbers = &world->cars.type_numbers[2];
    expect_of_cars("a drive has other numbers than its cars' types");
    world->cars.drives[1].numbers = &world->cars.type_numbers[1];
    world->cars.drives[1].axle_count++;
    expect_of_cars("a drive has another number of axles");
}

TEST(events_are_of_cars_and_in_order) {
    physics_events *events = &world->cars.events;
    events->count = 3;
    events->items[0] = (apex_car_event){.car = ids[1], .kind = APEX_CAR_SHIFTED};
    events->items[1] = (apex_car_event){.car = ids[1], .kind = APEX_CAR_LANDED};
    events->items[2] = (apex_car_event){.car = ids[4], .kind = APEX_CAR_SHIFTED};
    ck_assert_ptr_null(physics_cars_validate(&world->cars));
    events->items[1].kind = APEX_CAR_SHIFTED;
    expect_of_cars("events are not in the order of cars and kinds");
    events->items[1].car = ids[5];
    expect_of_cars("events are not in the order of cars and kinds");
    events->items[1].car = ids[HOLE];
    expect_of_cars("an event is of a car that is not there");
    events->items[1].car = (apex_car_id){0};
    expect_of_cars("an event is of a car that is not there");
}

// Six hulls. Batch 0 has two pairs of cars in contact, batch 1 a car at a wall.
enum { HULLS = 6, BATCHES = 4, PADDING = 50 };

static physics_solver solver;
static uint64_t colours[HULLS];

static void set_touching(physics_constraints *constraints, uint32_t lane) {
    constraints->manifold.has_point[0][lane] = -1;
    lanes_set(&constraints->manifold.normal[1], lane, R(1.0));
    lanes_set(&constraints->normals.impulse_ns[0], lane, R(3.0));
    lanes_set(&constraints->tangents.impulse_ns[0], lane, R(-1.0));
}

static void open_graph(void) {
    static const uint32_t PAIRS[3][2] = {{0, 1}, {2, 5}, {3, HULLS}};
    physics_constraint_graph *graph = &solver.graph;
    memset(&solver, 0, sizeof solver);
    graph->batches = physics_rows(BATCHES, sizeof *graph->batches);
    ck_assert_ptr_nonnull(graph->batches);
    graph->capacity = BATCHES;
    graph->colours = colours;
    graph->hull_count = HULLS;
    graph->padding_impulses = PADDING;
    physics_constraint_graph_clear(graph);
    for (uint32_t i = 0; i < 3; i++) {
        physics_batch_lane at;
        if (i == 2) {
            physics_constraint_graph_seal(graph);
        }
        ck_assert(physics_constraint_graph_add(graph, PAIRS[i][0], PAIRS[i][1], &at));
        graph->batches[at.batch].impulses[at.lane] = i;
        set_touching(&graph->batches[at.batch], at.lane);
    }
    solver.pair_batches = 1;
}

static void close_graph(void) {
    free(solver.graph.batches);
}

static void expect_of_graph(const char *sentence) {
    expect(physics_constraint_graph_validate(&solver), sentence);
}

FIXTURE(open_graph, close_graph)

TEST(a_whole_graph_is_valid) {
    ck_assert_uint_eq(solver.graph.count, 2);
    ck_assert_ptr_null(physics_constraint_graph_validate(&solver));
}

TEST(there_are_as_many_batches_as_there_can_be) {
    solver.pair_batches = 3;
    expect_of_graph("there are more batches than there can be");
    solver.pair_batches = 1;
    solver.graph.count = BATCHES + 1;
    expect_of_graph("there are more batches than there can be");
}

TEST(no_hull_is_in_a_batch_twice) {
    solver.graph.batches[0].pairs.a[1] = 1;
    expect_of_graph("a hull is in a batch twice");
    solver.graph.batches[0].pairs.a[1] = 0;
    expect_of_graph("a hull is in a batch twice");
}

TEST(pairs_are_of_hulls_lower_first) {
    solver.graph.batches[0].pairs.b[1] = HULLS + 1;
    expect_of_graph("a pair has a hull that there is not");
    solver.graph.batches[0].pairs.b[1] = 2;
    expect_of_graph("a pair of cars is none, or turned round");
    solver.graph.batches[0].pairs.b[1] = HULLS;
    expect_of_graph("a pair of cars is none, or turned round");
    solver.graph.batches[0].pairs.b[1] = 5;
    solver.graph.batches[1].pairs.b[0] = 4;
    expect_of_graph("a pair of cars is among the walls");
}

TEST(every_pair_and_no_other_lane_keeps_impulses) {
    solver.graph.batches[0].impulses[1] = PADDING;
    expect_of_graph("a pair has nowhere to keep its impulses");
    solver.graph.batches[0].impulses[1] = 1;
    solver.graph.batches[0].impulses[7] = 1;
    expect_of_graph("a lane without a pair has a pair's impulses");
}

TEST(manifolds_have_a_normal_and_a_first_point) {
    physics_manifold *manifold = &solver.graph.batches[1].manifold;
    lanes_set(&manifold->normal[0], 0, R(0.1));
    expect_of_graph("a manifold's normal is not a unit vector");
    lanes_set(&manifold->normal[0], 0, R(0.0));
    manifold->has_point[1][0] = -1;
    ck_assert_ptr_null(physics_constraint_graph_validate(&solver));
    manifold->has_point[0][0] = 0;
    expect_of_graph("a manifold has a second point without the first");
}

TEST(contacts_push_where_they_have_points) {
    physics_constraint_rows *normals = &solver.graph.batches[0].normals;
    lanes_set(&normals->impulse_ns[0], 1, R(-0.1));
    expect_of_graph("a contact pulls");
    lanes_set(&normals->impulse_ns[0], 1, (real)NAN);
    expect_of_graph("an impulse is not finite");
    lanes_set(&normals->impulse_ns[0], 1, R(1.0));
    lanes_set(&normals->impulse_ns[1], 1, R(1.0));
    expect_of_graph("an impulse acts where there is no point");
}

// Slots 1, 3 and 4 of five are involved: 1 with both others and two walls, 3 with a post.
enum { CARS = 5, WALLS = 10 };

static struct {
    uint32_t generations[CARS];
    uint32_t involved[3], pair_starts[4], pairs[2], obstacle_starts[4], obstacles[3];
    apex_contact_event events[3];
    physics_persistent_contact persisted[3];
    apex_pool pool;
    physics_candidates candidates;
    physics_contacts contacts;
    physics_contact_tick tick;
} contact_scene;

static void add_event(uint32_t slot, apex_contact_kind kind, uint32_t other) {
    bool is_car = kind == APEX_CONTACT_CAR;
    uint32_t at = contact_scene.contacts.event_count++;
    contact_scene.persisted[at].key = physics_contact_key(slot, kind, other);
    contact_scene.events[at] = (apex_contact_event){
        .car = {(uint16_t)(slot + 1), 1},
        .other = is_car ? (apex_car_id){(uint16_t)(other + 1), 1} : (apex_car_id){0},
        .other_index = is_car ? 0 : other,
        .kind = kind,
        .normal = {0.6, 0.8, 0.0},
        .impulse_ns = 5.0,
    };
}

static void open_contacts(void) {
    memset(&contact_scene, 0, sizeof contact_scene);
    apex_pool_init(&contact_scene.pool, contact_scene.generations, CARS);
    for (uint32_t slot = 0; slot < CARS; slot++) {
        apex_pool_take(&contact_scene.pool);
    }
    memcpy(contact_scene.involved, (uint32_t[]){1, 3, 4}, sizeof contact_scene.involved);
    memcpy(contact_scene.pair_starts, (uint32_t[]){0, 2, 2, 2}, sizeof contact_scene.pair_starts);
    contact_scene.pairs[0] = physics_pair(1, 3);
    contact_scene.pairs[1] = physics_pair(4, 1);
    memcpy(contact_scene.obstacle_starts, (uint32_t[]){0, 2, 3, 3},
           sizeof contact_scene.obstacle_starts);
    memcpy(contact_scene.obstacles, (uint32_t[]){2, 7, WALLS + 1}, sizeof contact_scene.obstacles);
    contact_scene.candidates =
        (physics_candidates){contact_scene.involved,        3,
                             contact_scene.pair_starts,     contact_scene.pairs,
                             contact_scene.obstacle_starts, contact_scene.obstacles};
    contact_scene.tick = (physics_contact_tick){.pool = &contact_scene.pool,
                                                .candidates = &contact_scene.candidates,
                                                .segment_count = WALLS};
    contact_scene.contacts = (physics_contacts){
        .persisted = contact_scene.persisted, .capacity = 3, .events = contact_scene.events};
    add_event(1, APEX_CONTACT_CAR, 4);
    add_event(1, APEX_CONTACT_WALL, 7);
    add_event(3, APEX_CONTACT_POST, 1);
    contact_scene.contacts.persisted_count = 3;
}

static void expect_of_contacts(const char *sentence) {
    expect(physics_contacts_validate(&contact_scene.contacts, &contact_scene.tick), sentence);
}

FIXTURE(open_contacts, NULL)

TEST(whole_contacts_are_valid) {
    ck_assert_ptr_null(physics_contacts_validate(&contact_scene.contacts, &contact_scene.tick));
}

TEST(involved_slots_have_cars_and_rise) {
    contact_scene.involved[1] = 1;
    expect_of_contacts("a pair's other car is not involved");
    open_contacts();
    contact_scene.involved[1] = 5;
    expect_of_contacts("a pair's other car is not involved");
    open_contacts();
    memcpy(contact_scene.involved, (uint32_t[]){1, 4, 3}, sizeof contact_scene.involved);
    contact_scene.pair_starts[1] = contact_scene.pair_starts[2] = contact_scene.pair_starts[3] = 0;
    expect_of_contacts("involved slots do not rise");
    open_contacts();
    apex_pool_give(&contact_scene.pool, apex_pool_ref_at(&contact_scene.pool, 4));
    expect_of_contacts("a slot without a car is involved");
}

TEST(pairs_are_listed_under_their_lower_slot_and_rise) {
    contact_scene.pairs[0] = physics_pair(3, 4);
    expect_of_contacts("a pair is listed under another car than its lower slot");
    contact_scene.pairs[0] = contact_scene.pairs[1];
    expect_of_contacts("a car's pairs do not rise");
    contact_scene.pairs[0] = physics_pair(1, 2);
    expect_of_contacts("a pair's other car is not involved");
    contact_scene.pairs[0] = physics_pair(1, 3);
    contact_scene.pair_starts[1] = 0;
    contact_scene.pair_starts[2] = 2;
    expect_of_contacts("a pair is listed under another car than its lower slot");
    contact_scene.pair_starts[1] = 2;
    contact_scene.pair_starts[2] = 1;
    expect_of_contacts("a car's pairs end before they begin");
}

TEST(obstacles_rise) {
    contact_scene.obstacles[1] = 2;
    expect_of_contacts("a car's obstacles do not rise");
    contact_scene.obstacles[1] = 7;
    contact_scene.obstacle_starts[2] = 1;
    expect_of_contacts("a car's obstacles end before they begin");
}

TEST(events_are_of_contacts_that_push) {
    contact_scene.events[0].normal[2] = 0.5;
    expect_of_contacts("a contact's normal is not a unit vector");
    contact_scene.events[0].normal[2] = 0.0;
    contact_scene.events[1].impulse_ns = 0.0;
    expect_of_contacts("a contact pulls, or never began");
    contact_scene.events[1].impulse_ns = 1.0;
    contact_scene.events[1].closing_mps = -0.5;
    expect_of_contacts("a contact pulls, or never began");
    contact_scene.events[1].closing_mps = 0.0;
    contact_scene.events[0].other.generation = 3;
    expect_of_contacts("a contact is of a car that is not there");
}

TEST(contacts_that_were_told_are_those_that_last) {
    contact_scene.contacts.persisted_count = 2;
    expect_of_contacts("there are not as many contacts told as last");
    contact_scene.contacts.persisted_count = 3;
    contact_scene.contacts.capacity = 2;
    expect_of_contacts("there are not as many contacts told as last");
    contact_scene.contacts.capacity = 3;
    contact_scene.events[2].other_index = 2;
    expect_of_contacts("another contact lasts than was told");
    contact_scene.contacts.event_count = 1;
    add_event(1, APEX_CONTACT_CAR, 4);
    contact_scene.contacts.event_count = 3;
    expect_of_contacts("contacts are not in the order of cars, kinds and others");
}
