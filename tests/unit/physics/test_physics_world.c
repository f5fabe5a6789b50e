// A world's life: slots and handles, events, save and restore, hashes, hostile inputs.

#include "support/base/check_main.h"
#include "support/base/heap_count.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const scene_crowd_def JAM = {.car_count = 48,
                                    .tick_hz = 60,
                                    .ring_m = 60.0,
                                    .speed_mps = 15.0,
                                    .seed = 3,
                                    .all_options = true};

// The hash counts ticks, so the cars are compared.
TEST(any_tick_rate_gives_the_same_bits) {
    static const uint32_t RATES[] = {30, 120};
    scene_crowd_def def = JAM;
    scene_crowd at_60 = scene_crowd_create(&def);
    const uint32_t seconds = (uint32_t)check_cases(6);
    for (uint32_t tick = 0; tick < seconds * 60; tick++) {
        scene_crowd_step(&at_60, NULL);
    }
    for (size_t r = 0; r < 2; r++) {
        def.tick_hz = RATES[r];
        scene_crowd other = scene_crowd_create(&def);
        for (uint32_t tick = 0; tick < seconds * RATES[r]; tick++) {
            scene_crowd_step(&other, NULL);
        }
        for (uint32_t i = 0; i < def.car_count; i++) {
            apex_car_state a, b;
            ck_assert(apex_world_get_car(at_60.world, at_60.cars[i], &a));
            ck_assert(apex_world_get_car(other.world, other.cars[i], &b));
            ck_assert_mem_eq(&a, &b, sizeof a);
        }
        scene_crowd_destroy(&other);
    }
    scene_crowd_destroy(&at_60);
}

TEST(restored_in_a_jam_it_goes_on_the_same) {
    scene_crowd first = scene_crowd_create(&JAM), second = scene_crowd_create(&JAM);
    const int ticks = check_cases(4) * 50;
    for (int tick = 0; tick < ticks; tick++) {
        scene_crowd_step(&first, NULL);
    }
    size_t length = apex_world_save_bytes(first.world), contacts, again;
    uint8_t *bytes = malloc(length);
    apex_world_save(first.world, bytes);
    scene_crowd_step(&second, NULL); // it must not matter what was there before
    ck_assert_int_eq(apex_world_restore(second.world, bytes, length), APEX_OK);
    ck_assert_uint_eq(apex_world_hash(second.world), apex_world_hash(first.world));
    second.random_state = first.random_state;
    second.half_ticks = first.half_ticks;
    memcpy(second.controls, first.controls, first.car_count * sizeof *first.controls);
    size_t seen = 0;
    for (int tick = 0; tick < ticks; tick++) {
        scene_crowd_step(&first, NULL);
        scene_crowd_step(&second, NULL);
        const apex_contact_event *a = apex_world_contacts(first.world, &contacts);
        const apex_contact_event *b = apex_world_contacts(second.world, &again);
        ck_assert_uint_eq(contacts, again);
        for (size_t i = 0; i < contacts; i++) {
            ck_assert(a[i].began == b[i].began && a[i].impulse_ns == b[i].impulse_ns);
        }
        seen += contacts;
    }
    ck_assert(ticks < 200 || seen > 20);
    ck_assert_uint_eq(apex_world_hash(second.world), apex_world_hash(first.world));
    free(bytes);
    scene_crowd_destroy(&first);
    scene_crowd_destroy(&second);
}

static uint8_t *find_bytes(uint8_t *bytes, size_t length, const double *value) {
    for (size_t at = 0; at + sizeof *value <= length; at++) {
        if (memcmp(bytes + at, value, sizeof *value) == 0) {
            return bytes + at;
        }
    }
    return NULL;
}

TEST(restore_refuses_what_it_did_not_write) {
    scene_crowd crowd = scene_crowd_create(&JAM);
    for (int tick = 0; tick < 100; tick++) {
        scene_crowd_step(&crowd, NULL);
    }
    size_t length = apex_world_save_bytes(crowd.world);
    uint8_t *good = malloc(length), *bad = malloc(length);
    apex_world_save(crowd.world, good);
    uint64_t before = apex_world_hash(crowd.world);
    ck_assert_int_eq(apex_world_restore(crowd.world, good, length - 1), APEX_ERR_CORRUPT);
    memset(bad, 0, length);
    ck_assert_int_eq(apex_world_restore(crowd.world, bad, length), APEX_ERR_CORRUPT);
    memset(bad, 0xff, length);
    ck_assert_int_eq(apex_world_restore(crowd.world, bad, length), APEX_ERR_CORRUPT);
    memcpy(bad, good, length);
    bad[0] ^= 1; // the magic
    ck_assert_int_eq(apex_world_restore(crowd.world, bad, length), APEX_ERR_CORRUPT);
    ck_assert_uint_eq(apex_world_hash(crowd.world), before);

    // A car that is nowhere, hidden in bytes that are otherwise good.
    apex_car_state state;
    ck_assert(apex_world_get_car(crowd.world, crowd.cars[5], &state));
    memcpy(bad, good, length);
    uint8_t *place = find_bytes(bad, length, &state.position_m[0]);
    ck_assert_ptr_nonnull(place);
    const double nowhere = (double)NAN;
    memcpy(place, &nowhere, sizeof nowhere);
    ck_assert_int_eq(apex_world_restore(crowd.world, bad, length), APEX_ERR_CORRUPT);
    ck_assert_uint_eq(apex_world_hash(crowd.world), before);

    // Single changed bytes: refused, or a state that can be driven. Never a crash.
    uint64_t seed = 9;
    uint32_t refused = 0;
    const int changes = check_cases(8) * 50;
    for (int i = 0; i < changes; i++) {
        memcpy(bad, good, length);
        size_t at = scene_random(&seed) % length;
        bad[at] ^= (uint8_t)(1u + scene_random(&seed) % 255u);
        if (apex_world_restore(crowd.world, bad, length) == APEX_OK) {
            scene_crowd_step(&crowd, NULL);
        } else {
            refused++;
        }
    }
    ck_assert_uint_gt(refused, 0);
    ck_assert_int_eq(apex_world_restore(crowd.world, good, length), APEX_OK);
    ck_assert_uint_eq(apex_world_hash(crowd.world), before);
    free(good);
    free(bad);
    scene_crowd_destroy(&crowd);
}

TEST(other_definitions_refuse_a_state) {
    apex_car_def def = scene_corvette(), heavier = def;
    heavier.mass_kg += 1.0;
    scene_solo a = scene_solo_create(&def, scene_flat());
    scene_solo b = scene_solo_create(&heavier, scene_flat());
    size_t length = apex_world_save_bytes(a.world);
    uint8_t *bytes = malloc(length);
    apex_world_save(a.world, bytes);
    ck_assert_int_eq(apex_world_restore(b.world, bytes, length), APEX_ERR_CORRUPT);
    ck_assert_int_eq(apex_world_restore(a.world, bytes, length), APEX_OK);
    free(bytes);
    scene_solo_destroy(&a);
    scene_solo_destroy(&b);
}

TEST(reading_a_car_and_writing_it_back_changes_no_bit) {
    scene_crowd crowd = scene_crowd_create(&JAM);
    for (int tick = 0; tick < 300; tick++) {
        scene_crowd_step(&crowd, NULL);
        if (tick % 50 != 0) {
            continue;
        }
        uint64_t before = apex_world_hash(crowd.world);
        for (uint32_t i = 0; i < crowd.car_count; i++) {
            apex_car_state state;
            ck_assert(apex_world_get_car(crowd.world, crowd.cars[i], &state));
            ck_assert(apex_world_set_car(crowd.world, crowd.cars[i], &state));
        }
        ck_assert_uint_eq(apex_world_hash(crowd.world), before);
    }
    scene_crowd_destroy(&crowd);
}

TEST(what_is_not_finite_is_not_taken) {
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    const apex_car_state good = scene_solo_state(&solo);
    uint64_t before = apex_world_hash(solo.world);
    apex_car_state bad = good;
    bad.wheels[3].deflection_lat_m = (double)NAN;
    ck_assert(!apex_world_set_car(solo.world, solo.car, &bad));
    bad = good;
    bad.velocity_mps[2] = (double)INFINITY;
    ck_assert(!apex_world_set_car(solo.world, solo.car, &bad));
    bad = good;
    bad.engine_radps = 1e300; // a double that no float holds
    ck_assert(!apex_world_set_car(solo.world, solo.car, &bad));
    bad = good;
    bad.gear = 9;
    ck_assert(!apex_world_set_car(solo.world, solo.car, &bad));
    bad = good;
    memset(bad.orientation, 0, sizeof bad.orientation);
    ck_assert(!apex_world_set_car(solo.world, solo.car, &bad));
    bad = good;
    bad.wheels[1].temperature_c = 1e30;
    ck_assert(!apex_world_set_car(solo.world, solo.car, &bad));
    bad = good;
    bad.wheels[2].brake_temperature_c = -10001.0;
    ck_assert(!apex_world_set_car(solo.world, solo.car, &bad));
    bad = good;
    bad.wheels[0].wear = 1.5;
    ck_assert(!apex_world_set_car(solo.world, solo.car, &bad));
    bad = good;
    bad.wheels[0].wear = -0.5;
    ck_assert(!apex_world_set_car(solo.world, solo.car, &bad));
    ck_assert_uint_eq(apex_world_hash(solo.world), before);
    scene_solo_destroy(&solo);
}

// A wheel that spins at 1e30 rad/s is hot beyond all numbers within a substep. Its car is stopped,
// and what it keeps must be what a restore takes.
TEST(no_slide_makes_a_wheel_hotter_than_a_number) {
    apex_car_def def = scene_corvette();
    apex_world_def world = scene_world_def(1);
    world.temperatures = world.tyres_wear = true;
    scene_solo solo = scene_solo_create_in(&world, &def, scene_flat());
    apex_car_state state = scene_solo_state(&solo);
    state.wheels[0].spin_radps = 1e30;
    state.wheels[3].spin_radps = -1e38;
    solo.controls.brake = 255;
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    scene_solo_run(&solo, 1);
    state = scene_solo_state(&solo);
    for (uint32_t w = 0; w < 4; w++) {
        ck_assert_double_le(fabs(state.wheels[w].temperature_c), 1e4);
        ck_assert_double_le(fabs(state.wheels[w].brake_temperature_c), 1e4);
    }
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    scene_solo_destroy(&solo);
}

TEST(a_car_that_left_all_numbers_is_stopped) {
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    apex_car_state state = scene_solo_state(&solo);
    state.position_m[0] = 50.0;
    state.wheels[0].spin_radps = 1e30;
    state.velocity_mps[0] = 3e30;
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    scene_solo_run(&solo, 1);
    size_t count;
    const apex_car_event *events = apex_world_car_events(solo.world, &count);
    bool was_told = false;
    for (size_t i = 0; i < count; i++) {
        was_told = was_told || events[i].kind == APEX_CAR_STOPPED_BAD;
    }
    ck_assert(was_told);
    scene_solo_run(&solo, 60);
    apex_car_pose pose = scene_solo_pose(&solo);
    ck_assert_double_eq_tol(pose.position_m[0], 50.0, 0.01);
    ck_assert_double_lt(scene_solo_speed(&solo), 0.01);
    scene_solo_destroy(&solo);
}

TEST(slots_and_stale_handles) {
    apex_world_def def = scene_world_def(3);
    apex_world *world;
    apex_car_def car = scene_corvette();
    apex_car_type type;
    apex_car_id ids[4] = {{0}};
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(world, &car, &type), APEX_OK);
    for (int i = 0; i < 3; i++) {
        apex_placement at = {.y_m = 10.0 * i};
        ck_assert_int_eq(apex_world_add_car(world, type, &at, &ids[i]), APEX_OK);
        ck_assert_int_eq(ids[i].index1, i + 1);
    }
    apex_placement at = {.x_m = 100.0};
    ck_assert_int_eq(apex_world_add_car(world, type, &at, &ids[3]), APEX_ERR_FULL);
    apex_world_remove_car(world, ids[1]);
    ck_assert(!apex_world_has_car(world, ids[1]));
    ck_assert_int_eq(apex_world_add_car(world, type, &at, &ids[3]), APEX_OK);
    ck_assert_uint_eq(ids[3].index1, 2);
    // The old handle is of nobody: nothing it names may change anything.
    uint64_t before = apex_world_hash(world);
    apex_car_state state;
    apex_car_pose pose;
    apex_car_work work;
    ck_assert(!apex_world_get_car(world, ids[1], &state));
    ck_assert(!apex_world_set_car(world, ids[1], &state));
    ck_assert(!apex_world_pose(world, ids[1], &pose));
    ck_assert(!apex_world_get_work(world, ids[1], &work));
    apex_world_remove_car(world, ids[1]);
    apex_world_hold_car(world, ids[1], true);
    apex_world_ghost_car(world, ids[1], true);
    apex_world_place_car(world, ids[1], &at);
    apex_world_remove_car(world, (apex_car_id){0, 0});
    apex_world_remove_car(world, (apex_car_id){60000, 1});
    ck_assert_uint_eq(apex_world_hash(world), before);
    apex_car_pose poses[3];
    ck_assert_uint_eq(apex_world_poses(world, poses, 2), 2);
    ck_assert_uint_eq(apex_world_poses(world, poses, 3), 3);
    ck_assert_uint_eq(poses[1].id.generation, ids[3].generation);
    apex_world_destroy(world);
}

TEST(worlds_refuse_impossible_definitions) {
    apex_world *world;
    apex_world_def def = apex_default_world_def();
    def.tick_hz = 50;
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_ERR_INVALID);
    def.substep_hz = 200;
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_OK);
    apex_car_def car = scene_corvette();
    apex_car_type type;
    for (uint32_t i = 0; i < def.type_capacity; i++) {
        ck_assert_int_eq(apex_world_add_type(world, &car, &type), APEX_OK);
    }
    ck_assert_int_eq(apex_world_add_type(world, &car, &type), APEX_ERR_FULL);
    car.mass_kg = -1.0;
    ck_assert_int_eq(apex_world_add_type(world, &car, &type), APEX_ERR_INVALID);
    apex_world_destroy(world);
    def.car_capacity = APEX_CARS_MAX + 1;
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_ERR_INVALID);
    def.car_capacity = 4;
    def.gravity_mps2 = (double)NAN;
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_ERR_INVALID);
    def.gravity_mps2 = 50.01; // what a race file may not say, either
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_ERR_INVALID);
    def.gravity_mps2 = 50.0;
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_OK);
    apex_world_destroy(world);
    def.gravity_mps2 = 9.81;
    apex_ground nothing = {0};
    ck_assert_int_eq(apex_world_create(&def, &nothing, NULL, &world), APEX_ERR_INVALID);
}

TEST(each_tick_rate_has_its_substeps) {
    const uint32_t of_240[] = {20, 24, 30, 40, 48, 60, 80, 120, 240};
    for (size_t i = 0; i < sizeof of_240 / sizeof of_240[0]; i++) {
        ck_assert_uint_eq(apex_world_substep_hz(of_240[i]), 240);
    }
    const uint32_t of_200[] = {25, 50, 100, 200};
    for (size_t i = 0; i < sizeof of_200 / sizeof of_200[0]; i++) {
        ck_assert_uint_eq(apex_world_substep_hz(of_200[i]), 200);
    }
    ck_assert_uint_eq(apex_world_substep_hz(0), 0);
    ck_assert_uint_eq(apex_world_substep_hz(7), 0);
    ck_assert_uint_eq(apex_world_substep_hz(480), 0);
    ck_assert(apex_world_rates_ok(20, 200)); // where 240 would do as well
    ck_assert(!apex_world_rates_ok(60, 200));
    ck_assert(!apex_world_rates_ok(60, 120));
    ck_assert(!apex_world_rates_ok(0, 240));
}

TEST(worlds_refuse_broken_ground_and_walls) {
    apex_world *world;
    apex_world_def def = scene_world_def(1);
    scene_ground *made = scene_ground_create_hills(100.0);
    apex_ground ground = *scene_ground_of(made);
    apex_ground_tile *tile = calloc(1, sizeof *tile);
    uint32_t places[2] = {0, APEX_GROUND_NONE};
    *tile = ground.tiles[0];
    ground.tiles = tile;
    ground.tile_count = 1;
    ground.directory = places;
    ground.width = 2;
    ground.depth = 1;
    ck_assert_int_eq(apex_world_create(&def, &ground, NULL, &world), APEX_OK);
    apex_world_destroy(world);
    places[1] = 1; // a tile that is not there
    ck_assert_int_eq(apex_world_create(&def, &ground, NULL, &world), APEX_ERR_INVALID);
    places[1] = 0;
    tile->above = 0; // over itself for ever
    ck_assert_int_eq(apex_world_create(&def, &ground, NULL, &world), APEX_ERR_INVALID);
    tile->above = APEX_GROUND_NONE;
    tile->surface[31][31] = SCENE_SURFACES;
    ck_assert_int_eq(apex_world_create(&def, &ground, NULL, &world), APEX_ERR_INVALID);
    tile->surface[31][31] = 0;
    tile->height_m[32][32] = (float)(double)NAN;
    ck_assert_int_eq(apex_world_create(&def, &ground, NULL, &world), APEX_ERR_INVALID);
    free(tile);
    scene_ground_destroy(made);

    apex_wall_material material = {.name = "wall"};
    apex_wall_segment wall = {.to_x_m = 5.0, .previous = APEX_GROUND_NONE, .next = 1};
    apex_walls walls = {
        .segments = &wall, .segment_count = 1, .materials = &material, .material_count = 1};
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), &walls, &world), APEX_ERR_INVALID);
    wall.next = APEX_GROUND_NONE;
    wall.material = 1;
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), &walls, &world), APEX_ERR_INVALID);
    wall.material = 0;
    wall.to_x_m = (double)INFINITY;
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), &walls, &world), APEX_ERR_INVALID);
}

TEST(steps_never_touch_the_heap) {
    if (!heap_count_works()) {
        return;
    }
    scene_crowd crowd = scene_crowd_create(&JAM);
    apex_jobs *jobs = apex_jobs_create(2);
    apex_car_pose poses[48];
    size_t length = apex_world_save_bytes(crowd.world);
    uint8_t *bytes = malloc(length);
    bool went_well = true; // a check's own checks allocate
    heap_count_start();
    for (int tick = 0; tick < 300; tick++) {
        scene_crowd_step(&crowd, jobs);
        apex_placement at = {.x_m = 3.0, .y_m = (double)tick * 0.1};
        apex_world_remove_car(crowd.world, crowd.cars[0]);
        apex_car_type type = {1};
        went_well =
            went_well && apex_world_add_car(crowd.world, type, &at, &crowd.cars[0]) == APEX_OK;
        (void)apex_world_poses(crowd.world, poses, 48);
        (void)apex_world_hash(crowd.world);
        apex_world_save(crowd.world, bytes);
        went_well = went_well && apex_world_restore(crowd.world, bytes, length) == APEX_OK;
    }
    heap_count used = heap_count_stop();
    ck_assert(went_well);
    ck_assert_uint_eq(used.allocs, 0);
    ck_assert_uint_eq(used.frees, 0);
    free(bytes);
    apex_jobs_destroy(jobs);
    scene_crowd_destroy(&crowd);
}

// Controls are bytes of a stranger: all of them, all the time, must leave finite cars.
TEST(any_bytes_may_be_controls) {
    scene_crowd crowd = scene_crowd_create(&JAM);
    uint64_t seed = 77;
    const int seconds = check_cases(50);
    for (int tick = 0; tick < seconds * 60; tick++) {
        for (uint32_t i = 0; i < crowd.car_count; i++) {
            if (scene_random(&seed) % 8 == 0) {
                uint64_t bits[2] = {scene_random(&seed), scene_random(&seed)};
                memcpy(&crowd.controls[i], bits, sizeof crowd.controls[i]);
            }
        }
        apex_world_step(crowd.world, crowd.controls, NULL);
        size_t count;
        const apex_car_event *events = apex_world_car_events(crowd.world, &count);
        for (size_t e = 0; e < count; e++) {
            ck_assert_int_ne(events[e].kind, APEX_CAR_STOPPED_BAD);
        }
    }
    for (uint32_t i = 0; i < crowd.car_count; i++) {
        apex_car_pose pose;
        ck_assert(apex_world_pose(crowd.world, crowd.cars[i], &pose));
        double from_middle = hypot(pose.position_m[0], pose.position_m[1]);
        ck_assert_msg(from_middle < JAM.ring_m, "car %u left the ring: %f m", i, from_middle);
        const double *q = pose.orientation;
        double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        ck_assert_double_eq_tol(norm, 1.0, 1e-9);
        ck_assert_double_ge(q[0], 0.0);
    }
    scene_crowd_destroy(&crowd);
}

TEST(held_cars_stand_and_rev) {
    apex_car_def def = scene_corvette();
    scene_solo solo = scene_solo_create(&def, scene_flat());
    apex_world_hold_car(solo.world, solo.car, true);
    solo.controls.throttle = 255;
    solo.controls.steer = 20000;
    apex_car_pose before = scene_solo_pose(&solo);
    scene_solo_run(&solo, 120);
    apex_car_pose after = scene_solo_pose(&solo);
    ck_assert_mem_eq(before.position_m, after.position_m, sizeof before.position_m);
    ck_assert_mem_eq(before.orientation, after.orientation, sizeof before.orientation);
    ck_assert(after.held);
    ck_assert_double_gt(after.engine_radps, 500.0);
    apex_world_hold_car(solo.world, solo.car, false);
    solo.controls.steer = 0;
    scene_solo_run(&solo, 60);
    ck_assert_double_gt(scene_solo_speed(&solo), 2.0);
    scene_solo_destroy(&solo);
}

TEST(tyres_and_brakes_age_only_where_asked) {
    for (int asked = 0; asked < 2; asked++) {
        apex_world_def def = scene_world_def(1);
        def.temperatures = def.tyres_wear = asked;
        apex_car_def car = scene_corvette();
        car.aids.abs = 0.0;
        car.axles[0].tyre.temperature_best_c = 25.0; // the air's: nothing is shed at first
        car.axles[1].tyre.temperature_best_c = 25.0;
        apex_world *world;
        apex_car_type type;
        apex_car_id id;
        apex_placement at = {.speed_mps = 40.0};
        apex_controls controls = {.gear = APEX_GEAR_NEUTRAL, .brake = 255};
        ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_OK);
        ck_assert_int_eq(apex_world_add_type(world, &car, &type), APEX_OK);
        ck_assert_int_eq(apex_world_add_car(world, type, &at, &id), APEX_OK);
        apex_car_state before, after;
        ck_assert(apex_world_get_car(world, id, &before));
        for (int tick = 0; tick < 120; tick++) { // locked wheels: the tyres take all of it
            apex_world_step(world, &controls, NULL);
        }
        ck_assert(apex_world_get_car(world, id, &after));
        double lost_j = 0.5 * 1500.0 * (1600.0 - after.velocity_mps[0] * after.velocity_mps[0]);
        double warmed = 0.0, worn = 0.0;
        for (int w = 0; w < 4; w++) {
            warmed += after.wheels[w].temperature_c - before.wheels[w].temperature_c;
            worn += after.wheels[w].wear;
        }
        // Half of the work warms tyres of 9 kJ/K; some has gone to the air again. Wear 0.002 a MJ.
        double share = asked ? 1.0 : 0.0;
        ck_assert_double_eq_tol(warmed, share * 0.5 * lost_j / 9000.0,
                                0.25 * 0.5 * lost_j / 9000.0);
        ck_assert_double_eq_tol(worn, share * lost_j * 2e-9, 0.15 * lost_j * 2e-9);
        apex_service fresh = {.fuel_kg = -1.0, .ballast_kg = -1.0, .tyres = true};
        apex_world_service_car(world, id, &fresh);
        ck_assert(apex_world_get_car(world, id, &after));
        ck_assert_double_eq(after.wheels[3].wear, 0.0);
        ck_assert_double_eq(after.wheels[3].temperature_c, before.wheels[3].temperature_c);
        apex_world_destroy(world);
    }
}

TEST(fuel_burns_to_the_last_drop) {
    apex_world_def def = scene_world_def(1);
    def.fuel_burns = true;
    apex_car_def car = apex_default_car_def();
    car.fuel_kg_max = 0.02;
    apex_world *world;
    apex_car_type type;
    apex_car_id id;
    apex_placement at = {0};
    apex_controls controls = {.gear = APEX_GEAR_NEUTRAL, .throttle = 255};
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(world, &car, &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(world, type, &at, &id), APEX_OK);
    int empty = 0;
    for (int tick = 0; tick < 60 * 120; tick++) {
        size_t count;
        apex_world_step(world, &controls, NULL);
        const apex_car_event *events = apex_world_car_events(world, &count);
        for (size_t i = 0; i < count; i++) {
            empty += events[i].kind == APEX_CAR_OUT_OF_FUEL;
        }
    }
    apex_car_state state;
    ck_assert(apex_world_get_car(world, id, &state));
    ck_assert_int_eq(empty, 1);
    ck_assert_double_eq(state.fuel_kg, 0.0);
    ck_assert_double_lt(state.engine_radps, 5.0);
    apex_service tank = {.fuel_kg = 99.0, .ballast_kg = 50.0};
    apex_world_service_car(world, id, &tank);
    ck_assert(apex_world_get_car(world, id, &state));
    ck_assert_double_eq_tol(state.fuel_kg, 0.02, 1e-7); // no more than it holds
    ck_assert_double_eq(state.ballast_kg, 50.0);
    apex_world_destroy(world);
}
