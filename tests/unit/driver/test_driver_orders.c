// What the rules ask of a driver: a limit, a slower pace, no passing, way for a faster car.
#include "support/base/check_main.h"
#include "support/driver/driver_view.h"
#include "support/track/track_scenes.h"

#include "driver/driver.h"

#include <math.h>
#include <string.h>

enum { HZ = 60 };

static apex_track *track;
static apex_car_def car;
static apex_driver_plan *plan;
static apex_world *world;
static apex_car_id car_id;
static apex_driver driver;

// Level straights of 400 m and bends of 100 m; the straight ends at 200 m.
static void begin(void) {
    apex_track_def def = track_scene_oval(400, 100);
    def.start_m = 200;
    ck_assert_int_eq(apex_track_create(&def, &track, NULL), APEX_OK);
    apex_track_def_free(&def);
    car = apex_default_car_def();
    ck_assert_int_eq(apex_driver_plan_create(track, &car, 9.81, &plan), APEX_OK);
    apex_world_def world_def = apex_default_world_def();
    world_def.car_capacity = 1;
    world_def.tick_hz = HZ;
    ck_assert_int_eq(
        apex_world_create(&world_def, apex_track_ground(track), apex_track_walls(track), &world),
        APEX_OK);
    apex_car_type type;
    ck_assert_int_eq(apex_world_add_type(world, &car, &type), APEX_OK);
    apex_placement at = apex_track_placement(track, 0.0, 0.0);
    ck_assert_int_eq(apex_world_add_car(world, type, &at, &car_id), APEX_OK);
    driver = apex_driver_create(1.0, 0.0);
}

static void end(void) {
    apex_world_destroy(world);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

static apex_driver_view look(const apex_driver_orders *orders) {
    apex_car_pose pose;
    memset(&pose, 0, sizeof pose);
    ck_assert(apex_world_pose(world, car_id, &pose));
    apex_driver_view view = driver_view_alone(&pose, 1.0 / HZ);
    view.orders = *orders;
    return view;
}

// @return the speed at the end of so long; *hardest_mps2: the most that it fell by in a second.
static double drive_s(double seconds, const apex_driver_orders *orders, double *hardest_mps2) {
    double before_mps = look(orders).speed_mps;
    *hardest_mps2 = 0.0;
    for (int i = 0; i < (int)(seconds * HZ); i++) {
        apex_driver_view view = look(orders);
        apex_controls controls = apex_driver_drive(&driver, plan, &view);
        apex_world_step(world, &controls, NULL);
        if (i % HZ == HZ - 1) {
            double now_mps = look(orders).speed_mps;
            *hardest_mps2 = fmax(*hardest_mps2, before_mps - now_mps);
            before_mps = now_mps;
        }
    }
    return look(orders).speed_mps;
}

TEST(a_limit_is_reached_gently_and_kept) {
    begin();
    apex_driver_orders none = {.limit_mps = 0.0};
    double hardest_mps2;
    double free_mps = drive_s(12.0, &none, &hardest_mps2);
    ck_assert_double_gt(free_mps, 25.0);
    apex_driver_orders limit = {.limit_mps = 15.0};
    drive_s(6.0, &limit, &hardest_mps2);
    ck_assert_double_gt(hardest_mps2, 2.0);
    ck_assert_double_lt(hardest_mps2, 5.0);
    for (int i = 0; i < 60; i++) {
        double mps = drive_s(1.0, &limit, &hardest_mps2);
        ck_assert_double_lt(mps, 15.1);
        ck_assert_double_gt(mps, 14.0);
    }
    end();
}

TEST(yellow_slows_by_its_share) {
    begin();
    apex_driver_orders none = {.limit_mps = 0.0}, yellow = {.pace_share = 0.6};
    double hardest_mps2, fast_mps = 0.0, slow_mps = 0.0;
    drive_s(40.0, &none, &hardest_mps2);
    for (int i = 0; i < 60; i++) {
        fast_mps += drive_s(1.0, &none, &hardest_mps2);
    }
    drive_s(10.0, &yellow, &hardest_mps2);
    for (int i = 0; i < 60; i++) {
        slow_mps += drive_s(1.0, &yellow, &hardest_mps2);
    }
    ck_assert_double_gt(slow_mps / fast_mps, 0.5);
    ck_assert_double_lt(slow_mps / fast_mps, 0.72); // out of bends he is not held up by the engine
    end();
}

// On the straight, 20 m/s faster than somebody 30 m ahead on his line.
static apex_driver_view behind_somebody(void) {
    apex_placement at =
        apex_track_placement(track, -150.0, apex_driver_plan_offset_m(plan, -150.0));
    return (apex_driver_view){
        .dt_s = 1.0 / HZ,
        .x_m = at.x_m,
        .y_m = at.y_m,
        .z_m = at.z_m,
        .yaw_rad = at.yaw_rad,
        .speed_mps = 25.0,
        .gear = 3,
        .may_go = true,
        .neighbour_count = 1,
        .neighbours = {{.ahead_m = 22.0, .left_m = 0.3, .closing_mps = 20.0}},
    };
}

TEST(under_yellow_nobody_is_passed) {
    begin();
    apex_driver_view view = behind_somebody();
    apex_driver fresh = driver;
    apex_controls passes = apex_driver_drive(&fresh, plan, &view);
    view.orders.no_passing = true;
    fresh = driver;
    apex_controls follows = apex_driver_drive(&fresh, plan, &view);
    view.neighbour_count = 0;
    fresh = driver;
    apex_controls alone = apex_driver_drive(&fresh, plan, &view);
    ck_assert_int_ne(passes.steer, alone.steer);
    ck_assert_int_eq(follows.steer, alone.steer);
    ck_assert_uint_gt(follows.brake, 0);
    ck_assert_uint_eq(follows.throttle, 0);
    end();
}

TEST(blue_lets_by_without_having_been_patient) {
    begin();
    apex_driver_view view = behind_somebody();
    view.neighbour_count = 0;
    double line_m = apex_driver_plan_offset_m(plan, -150.0);
    apex_placement left = apex_track_placement(track, -150.0, 2.0); // where he likes to drive
    view.x_m = left.x_m;
    view.y_m = left.y_m;
    driver.lane_m = 2.0 - line_m;
    apex_driver fresh = driver;
    apex_controls free = apex_driver_drive(&fresh, plan, &view);
    ck_assert_uint_gt(free.throttle, 0);
    view.orders.gives_way = true;
    fresh = driver;
    apex_controls lets = apex_driver_drive(&fresh, plan, &view);
    ck_assert(fresh.gives_way);
    ck_assert_int_lt(lets.steer, free.steer); // to the right edge
    ck_assert_uint_lt(lets.throttle, free.throttle);
    view.orders.gives_way = false; // it is over
    apex_driver_drive(&fresh, plan, &view);
    ck_assert(!fresh.gives_way);
    end();
}

// Half a metre a second below the limit half the throttle is left, and none at it.
TEST(the_limiter_closes_the_throttle) {
    static const struct {
        double mps;
        uint8_t most;
    } speeds[] = {{0.0, 255}, {21.0, 255}, {21.25, 191}, {21.5, 127},
                  {21.99, 2}, {22.0, 0},   {40.0, 0},    {-3.0, 255}};
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        apex_controls full = {.throttle = 255, .brake = 17, .steer = -400, .gear = 2};
        apex_controls got = apex_driver_limited(full, speeds[i].mps, 22.0);
        ck_assert_uint_eq(got.throttle, speeds[i].most);
        ck_assert_uint_eq(got.brake, 17);
        ck_assert_int_eq(got.steer, -400);
        full.throttle = 100; // who asks for less gets that
        ck_assert_uint_eq(apex_driver_limited(full, speeds[i].mps, 22.0).throttle,
                          speeds[i].most < 100 ? speeds[i].most : 100);
        ck_assert_uint_eq(apex_driver_limited(full, speeds[i].mps, 0.0).throttle, 100);
    }
}
