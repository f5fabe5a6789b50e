// The wakes of cars: where they are felt, how much, and when they are looked at.

#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include <math.h>

// The default car is 4.4 m long and 1.8 m wide, the truck 7.0 m and 2.4 m.
enum { KIND_CAR, KIND_TRUCK, KINDS };

static const double CAR_M = 4.4, BOTH_WIDE_M = 1.8;
static const double FAST_MPS = 30.0;

typedef struct road {
    apex_world *world;
    apex_car_type types[KINDS];
} road;

static road open_road(uint32_t cars) {
    road made;
    apex_world_def def = scene_world_def(cars);
    apex_car_def kinds[KINDS] = {apex_default_car_def(), scene_car_kind(5)};
    ck_assert_int_eq(apex_world_create(&def, scene_flat(), NULL, &made.world), APEX_OK);
    for (uint32_t k = 0; k < KINDS; k++) {
        ck_assert_int_eq(apex_world_add_type(made.world, &kinds[k], &made.types[k]), APEX_OK);
    }
    return made;
}

/// Where a car's centre of mass is above a plane at 0, and how it moves.
typedef struct flight {
    double x_m, y_m, z_m, vx_mps, vy_mps;
} flight;

static void fly(const road *on, apex_car_id car, const flight *at) {
    apex_car_state state;
    ck_assert(apex_world_get_car(on->world, car, &state));
    state.position_m[0] = at->x_m;
    state.position_m[1] = at->y_m;
    state.position_m[2] = at->z_m;
    state.velocity_mps[0] = at->vx_mps;
    state.velocity_mps[1] = at->vy_mps;
    ck_assert(apex_world_set_car(on->world, car, &state));
}

static apex_car_id add(const road *on, uint32_t kind, const flight *at) {
    apex_placement nowhere = {0};
    apex_car_id car;
    ck_assert_int_eq(apex_world_add_car(on->world, on->types[kind], &nowhere, &car), APEX_OK);
    fly(on, car, at);
    return car;
}

static void look(const road *on) {
    physics_slipstream_update(on->world->slipstream, &on->world->cars);
}

static double felt_by(const road *on, apex_car_id car) {
    apex_car_state state;
    ck_assert(apex_world_get_car(on->world, car, &state));
    return state.slipstream;
}

// What a car feels of one other.
static double felt_of(uint32_t kind, const flight *other, uint32_t own_kind, const flight *own) {
    road on = open_road(2);
    apex_car_id follower = add(&on, own_kind, own);
    add(&on, kind, other);
    look(&on);
    double felt = felt_by(&on, follower);
    apex_world_destroy(on.world);
    return felt;
}

static double felt_behind(double gap_m, double across_m) {
    return felt_of(KIND_CAR, &(flight){.x_m = CAR_M + gap_m, .y_m = across_m, .vx_mps = FAST_MPS},
                   KIND_CAR, &(flight){.vx_mps = FAST_MPS});
}

TEST(a_wake_fades_over_32_metres_from_bumper_to_bumper) {
    static const double WANTED[][2] = {{-1.0, 1.0},  {0.0, 1.0},         {8.0, 0.75}, {16.0, 0.5},
                                       {24.0, 0.25}, {31.0, 1.0 / 32.0}, {33.0, 0.0}};
    for (uint32_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
        ck_assert_double_eq_tol(felt_behind(WANTED[i][0], 0.0), WANTED[i][1], 1e-5);
    }
}

TEST(a_wake_is_as_wide_as_both_cars_and_widens) {
    static const double SIDES[] = {1.0, -1.0};
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(felt_behind(0.0, SIDES[i]), 1.0 - 1.0 / BOTH_WIDE_M, 1e-5);
        ck_assert_double_eq(felt_behind(0.0, 1.9 * SIDES[i]), 0.0);
        // After 20 m, 0.6 m wider, and 12 of 32 m are left.
        ck_assert_double_eq_tol(felt_behind(20.0, SIDES[i]), (1.0 - 1.0 / 2.4) * 0.375, 1e-5);
        ck_assert_double_eq_tol(felt_behind(20.0, 2.3 * SIDES[i]), (1.0 - 2.3 / 2.4) * 0.375, 1e-5);
        ck_assert_double_eq(felt_behind(20.0, 2.5 * SIDES[i]), 0.0);
    }
}

// Half of the one and half of the other: 5.7 m of the way from middle to middle, 2.1 m across.
TEST(the_sizes_of_both_count) {
    const flight at = {.vx_mps = FAST_MPS};
    const flight ahead = {.x_m = 5.7 + 8.0, .y_m = 1.0, .vx_mps = FAST_MPS};
    double wanted = 0.75 * (1.0 - 1.0 / (2.1 + 0.03 * 8.0));
    ck_assert_double_eq_tol(felt_of(KIND_TRUCK, &ahead, KIND_CAR, &at), wanted, 1e-5);
    ck_assert_double_eq_tol(felt_of(KIND_CAR, &ahead, KIND_TRUCK, &at), wanted, 1e-5);
}

TEST(nobody_feels_who_is_beside_or_behind) {
    const flight own = {.vx_mps = FAST_MPS};
    const flight beside = {.y_m = 1.0, .vx_mps = FAST_MPS};
    const flight behind = {.x_m = -CAR_M - 2.0, .vx_mps = FAST_MPS};
    ck_assert_double_eq(felt_of(KIND_CAR, &beside, KIND_CAR, &own), 0.0);
    ck_assert_double_eq(felt_of(KIND_CAR, &behind, KIND_CAR, &own), 0.0);
}

TEST(only_who_moves_at_15_mps_leaves_a_wake) {
    const flight own = {.vx_mps = FAST_MPS}, creeping = {.vx_mps = 1.0};
    flight ahead = {.x_m = CAR_M + 8.0, .vx_mps = 14.9};
    ck_assert_double_eq(felt_of(KIND_CAR, &ahead, KIND_CAR, &own), 0.0);
    ahead.vx_mps = 15.0;
    ck_assert_double_eq_tol(felt_of(KIND_CAR, &ahead, KIND_CAR, &own), 0.75, 1e-5);
    ck_assert_double_eq_tol(felt_of(KIND_CAR, &ahead, KIND_CAR, &creeping), 0.75, 1e-5);
}

TEST(who_crosses_a_wake_feels_the_cosine) {
    const flight ahead = {.x_m = CAR_M + 8.0, .vx_mps = FAST_MPS};
    const double ANGLES[] = {0.0, 0.4, 1.0, 1.5, 1.7, 3.14, -1.0};
    for (uint32_t i = 0; i < sizeof ANGLES / sizeof *ANGLES; i++) {
        flight own = {.vx_mps = 20.0 * cos(ANGLES[i]), .vy_mps = 20.0 * sin(ANGLES[i])};
        ck_assert_double_eq_tol(felt_of(KIND_CAR, &ahead, KIND_CAR, &own),
                                0.75 * fmax(cos(ANGLES[i]), 0.0), 1e-5);
    }
}

// Wherever the edges of cells lie between them, on either side of the origin.
TEST(a_wake_is_the_same_everywhere_and_whichever_way_it_points) {
    static const double PLACES[][2] = {
        {0.0, 0.0}, {-0.1, -0.1}, {31.9, 63.9}, {-33.0, 31.0}, {2000.3, -3000.7}};
    const double ALONG = CAR_M + 10.0, ACROSS = 0.5;
    const double WANTED = (1.0 - 10.0 / 32.0) * (1.0 - 0.5 / 2.1);
    for (uint32_t p = 0; p < sizeof PLACES / sizeof *PLACES; p++) {
        for (int i = 0; i < 16; i++) {
            double c = cos(0.39 * i), s = sin(0.39 * i);
            flight own = {.x_m = PLACES[p][0], .y_m = PLACES[p][1]};
            own.vx_mps = FAST_MPS * c;
            own.vy_mps = FAST_MPS * s;
            flight ahead = own;
            ahead.x_m += ALONG * c - ACROSS * s;
            ahead.y_m += ALONG * s + ACROSS * c;
            ck_assert_double_eq_tol(felt_of(KIND_CAR, &ahead, KIND_CAR, &own), WANTED, 1e-4);
        }
    }
}

TEST(no_wake_reaches_another_storey) {
    static const double WANTED[][2] = {{2.9, 0.75}, {-2.9, 0.75}, {3.1, 0.0}, {-3.1, 0.0}};
    for (uint32_t i = 0; i < 4; i++) {
        flight own = {.z_m = 10.0, .vx_mps = FAST_MPS};
        flight ahead = {.x_m = CAR_M + 8.0, .z_m = 10.0 + WANTED[i][0], .vx_mps = FAST_MPS};
        ck_assert_double_eq_tol(felt_of(KIND_CAR, &ahead, KIND_CAR, &own), WANTED[i][1], 1e-5);
    }
}

// Twenty in a row, more than eight of them in a cell: each is 4 m behind the next, the foremost
// behind nobody, and nobody in its own wake.
TEST(the_strongest_of_many_wakes_counts) {
    enum { ROW = 20 };
    road on = open_road(ROW);
    apex_car_id cars[ROW];
    for (uint32_t i = 0; i < ROW; i++) {
        uint32_t place = i * 7 % ROW; // slots stand in another order than cars
        flight at = {.x_m = place * (CAR_M + 4.0), .vx_mps = FAST_MPS};
        cars[place] = add(&on, KIND_CAR, &at);
    }
    look(&on);
    for (uint32_t place = 0; place + 1 < ROW; place++) {
        ck_assert_double_eq_tol(felt_by(&on, cars[place]), 0.875, 1e-5);
    }
    ck_assert_double_eq(felt_by(&on, cars[ROW - 1]), 0.0);
    apex_world_destroy(on.world);
}

// With the last wake of all, and while there are others elsewhere.
TEST(a_wake_that_is_gone_is_forgotten) {
    for (int others = 0; others < 2; others++) {
        road on = open_road(3);
        apex_car_id own = add(&on, KIND_CAR, &(flight){.vx_mps = 10.0});
        flight ahead = {.x_m = CAR_M + 8.0, .vx_mps = FAST_MPS};
        apex_car_id other = add(&on, KIND_CAR, &ahead);
        add(&on, KIND_CAR, &(flight){.x_m = 900.0, .vx_mps = others ? FAST_MPS : 0.0});
        look(&on);
        ck_assert_double_eq_tol(felt_by(&on, own), 0.75, 1e-5);
        ahead.vx_mps = 5.0;
        fly(&on, other, &ahead);
        look(&on);
        ck_assert_double_eq(felt_by(&on, own), 0.0);
        ahead.vx_mps = FAST_MPS;
        fly(&on, other, &ahead);
        look(&on);
        ck_assert_double_eq_tol(felt_by(&on, own), 0.75, 1e-5);
        apex_world_remove_car(on.world, other);
        look(&on);
        ck_assert_double_eq(felt_by(&on, own), 0.0);
        apex_world_destroy(on.world);
    }
}

TEST(who_is_put_back_stands_in_clean_air) {
    road on = open_road(1);
    apex_car_id own = add(&on, KIND_CAR, &(flight){.vx_mps = FAST_MPS});
    apex_car_state state;
    ck_assert(apex_world_get_car(on.world, own, &state));
    state.slipstream = 0.5;
    ck_assert(apex_world_set_car(on.world, own, &state));
    ck_assert_double_eq(felt_by(&on, own), 0.5);
    apex_world_place_car(on.world, own, &(apex_placement){.x_m = 5.0});
    ck_assert_double_eq(felt_by(&on, own), 0.0);
    apex_world_destroy(on.world);
}

// 24 substeps of 1/240 s are 6 ticks of 1/60 s.
TEST(wakes_are_looked_at_ten_times_a_second) {
    road on = open_road(2);
    const apex_controls controls[2] = {{0}, {0}};
    apex_car_id own = add(&on, KIND_CAR, &(flight){.z_m = 0.48, .vx_mps = FAST_MPS});
    flight ahead = {.x_m = CAR_M + 8.0, .z_m = 0.48, .vx_mps = FAST_MPS};
    apex_car_id other = add(&on, KIND_CAR, &ahead);
    for (uint32_t tick = 0; tick < 13; tick++) {
        double wanted = tick < 6 ? 0.75 : tick < 12 ? 0.0 : 1.0;
        apex_world_step(on.world, controls, NULL);
        ck_assert_double_eq_tol(felt_by(&on, own), wanted, 1e-4);
        // Far away it goes, and comes back close in front.
        apex_car_state state;
        ck_assert(apex_world_get_car(on.world, own, &state));
        ahead.x_m = state.position_m[0] + (tick < 6 ? 500.0 : 3.0);
        ahead.y_m = 0.0;
        ahead.z_m = state.position_m[2] + (tick < 6 ? 0.0 : 2.5); // over it, so that none is hit
        fly(&on, other, &ahead);
    }
    apex_world_destroy(on.world);
}

TEST(a_slipstream_takes_its_share_of_the_drag) {
    static const double SLIPSTREAMS[] = {0.0, 0.5, 1.0};
    for (uint32_t i = 0; i < 3; i++) {
        apex_car_def def = apex_default_car_def();
        def.aero.slipstream_strength = 0.4;
        apex_world_def world = scene_world_def(1);
        world.tick_hz = 240;
        scene_solo solo = scene_solo_create_in(&world, &def, scene_flat());
        scene_solo_run(&solo, 1); // the next look is 23 substeps away
        apex_car_state state = scene_solo_state(&solo);
        state.velocity_mps[0] = 50.0;
        state.slipstream = SLIPSTREAMS[i];
        ck_assert(apex_world_set_car(solo.world, solo.car, &state));
        scene_solo_run(&solo, 1);
        apex_car_work work = scene_solo_work(&solo);
        double whole_n = 0.5 * world.air_density_kg_per_m3 * 0.32 * 2.0 * 50.0 * 50.0;
        ck_assert_double_eq_tol(work.drag_n, whole_n * (1.0 - 0.4 * SLIPSTREAMS[i]), 1e-3);
        ck_assert_double_eq(work.slipstream, SLIPSTREAMS[i]);
        scene_solo_destroy(&solo);
    }
}
