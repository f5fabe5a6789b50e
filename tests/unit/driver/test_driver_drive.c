// One driver at the wheel: in a world, or fed with views made by hand.
#include "support/base/check_main.h"
#include "support/driver/driver_view.h"

#include "driver/driver.h"

#include "base/trig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 72, HZ = 60 };

static apex_track *track;
static apex_driver_plan *plan;
static apex_world *world;
static apex_car_id car_ids[2];
static apex_driver driver;

static void begin(double wave_m) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "clover");
    def.point_count = POINTS;
    def.points = calloc(POINTS, sizeof *def.points);
    ck_assert_ptr_nonnull(def.points);
    for (uint32_t i = 0; i < POINTS; i++) {
        double angle_rad = 2.0 * APEX_PI * i / POINTS;
        double r_m = 140.0 + wave_m * apex_cos(3.0 * angle_rad);
        def.points[i] = (apex_track_point){.x_m = r_m * apex_cos(angle_rad),
                                           .y_m = r_m * apex_sin(angle_rad),
                                           .left_m = 6.0,
                                           .right_m = 6.0};
    }
    ck_assert_int_eq(apex_track_create(&def, &track, NULL), APEX_OK);
    apex_track_def_free(&def);
    static apex_car_def car; // borrowed by the plan
    car = apex_default_car_def();
    ck_assert_int_eq(apex_driver_plan_create(track, &car, 9.81, &plan), APEX_OK);
    apex_world_def world_def = apex_default_world_def();
    world_def.car_capacity = 2;
    world_def.tick_hz = HZ;
    ck_assert_int_eq(
        apex_world_create(&world_def, apex_track_ground(track), apex_track_walls(track), &world),
        APEX_OK);
    apex_car_type type;
    ck_assert_int_eq(apex_world_add_type(world, &car, &type), APEX_OK);
    for (int i = 0; i < 2; i++) {
        apex_placement at = apex_track_placement(track, i == 0 ? 10.0 : 500.0, 0.0);
        ck_assert_int_eq(apex_world_add_car(world, type, &at, &car_ids[i]), APEX_OK);
    }
    driver = apex_driver_create(1.0, 0.0);
}

static void end(void) {
    apex_world_destroy(world);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

static apex_car_pose pose_of(int index) {
    apex_car_pose pose;
    memset(&pose, 0, sizeof pose);
    ck_assert(apex_world_pose(world, car_ids[index], &pose));
    return pose;
}

static apex_driver_view view_of(bool may_go, bool sees_other) {
    apex_car_pose pose = pose_of(0);
    apex_car_pose other = pose_of(1);
    apex_driver_view view = driver_view_alone(&pose, 1.0 / HZ);
    view.may_go = may_go;
    double x_m = other.position_m[0] - pose.position_m[0];
    double y_m = other.position_m[1] - pose.position_m[1];
    if (sees_other && x_m * x_m + y_m * y_m < 80.0 * 80.0) {
        view.neighbour_count = 1;
        view.neighbours[0] = driver_view_neighbour(&pose, &other);
    }
    return view;
}

static apex_controls drive(bool may_go, bool sees_other) {
    apex_driver_view view = view_of(may_go, sees_other);
    apex_controls controls[2] = {{0}, {.brake = 255}};
    controls[0] = apex_driver_drive(&driver, plan, &view);
    apex_world_step(world, controls, NULL);
    return controls[0];
}

static double speed_mps(void) {
    return view_of(true, false).speed_mps;
}

// Seconds for a lap that starts at the next crossing of the line.
static double lap_s(double skill) {
    driver = apex_driver_create(skill, 0.0);
    double before_m = driver.s_m;
    int crossings = 0;
    int ticks = 0;
    for (int i = 0; i < HZ * 200 && crossings < 3; i++) {
        drive(true, false);
        if (before_m > 500.0 && driver.s_m < 100.0) {
            crossings++;
            ticks = crossings == 2 ? 0 : ticks;
        }
        before_m = driver.s_m;
        ticks++;
        apex_car_pose pose = pose_of(0);
        ck_assert_uint_gt(pose.wheels_on_road, 0);
        apex_driver_view view = view_of(true, false);
        ck_assert(view.speed_mps < 8.0 || fabs(view.sideways_mps) < 0.35 * view.speed_mps);
    }
    ck_assert_int_eq(crossings, 3);
    return ticks / (double)HZ;
}

TEST(laps_are_clean_and_slower_with_less_skill) {
    begin(35.0);
    apex_world_ghost_car(world, car_ids[1], true);
    double best_s = lap_s(1.0);
    ck_assert_double_gt(best_s, 25.0);
    ck_assert_double_lt(best_s, 50.0);
    double lesser_s = lap_s(0.8);
    ck_assert_double_gt(lesser_s, 1.15 * best_s);
    ck_assert_double_lt(lesser_s, 1.4 * best_s);
    end();
}

TEST(a_driver_keeps_the_lane_he_prefers) {
    begin(0.0);
    apex_world_ghost_car(world, car_ids[1], true);
    driver = apex_driver_create(0.7, 4.0);
    for (int i = 0; i < HZ * 30; i++) {
        drive(true, false);
    }
    double line_m = apex_driver_plan_offset_m(plan, driver.s_m);
    apex_driver_view view = view_of(true, false);
    apex_track_place place = apex_track_project(track, view.x_m, view.y_m, driver.s_m);
    ck_assert_double_eq_tol(place.offset_m, line_m + 4.0, 0.6);
    end();
}

TEST(a_car_set_down_wrong_comes_back_to_the_line) {
    begin(35.0);
    apex_world_ghost_car(world, car_ids[1], true);
    for (int turn = 1; turn <= 4; turn++) {
        apex_placement at = apex_track_placement(track, 200.0, -3.0);
        at.yaw_rad += turn * APEX_PI / 4.0;
        apex_world_place_car(world, car_ids[0], &at);
        driver = apex_driver_create(1.0, 0.0);
        for (int i = 0; i < HZ * 25; i++) {
            drive(true, false);
        }
        apex_driver_view view = view_of(true, false);
        apex_track_place place = apex_track_project(track, view.x_m, view.y_m, driver.s_m);
        ck_assert_double_eq_tol(place.offset_m, apex_driver_plan_offset_m(plan, driver.s_m), 1.0);
        ck_assert_double_gt(view.speed_mps, 15.0);
        ck_assert_uint_eq(driver.resets, 0);
    }
    end();
}

TEST(who_may_not_go_stops_and_stands) {
    begin(35.0);
    apex_world_ghost_car(world, car_ids[1], true);
    for (int i = 0; i < HZ * 12; i++) {
        drive(true, false);
    }
    ck_assert_double_gt(speed_mps(), 15.0);
    for (int i = 0; i < HZ * 20; i++) {
        apex_controls controls = drive(false, false);
        ck_assert_uint_eq(controls.throttle, 0);
        ck_assert_uint_ge(pose_of(0).wheels_on_road, 2);
    }
    ck_assert_double_lt(fabs(speed_mps()), 0.05);
    end();
}

TEST(a_parked_car_is_driven_round) {
    begin(0.0);
    double line_m = apex_driver_plan_offset_m(plan, 300.0);
    apex_placement parked = apex_track_placement(track, 300.0, line_m);
    apex_world_place_car(world, car_ids[1], &parked);
    bool passed = false;
    for (int i = 0; i < HZ * 40 && !passed; i++) {
        drive(true, true);
        size_t count = 0;
        const apex_contact_event *contacts = apex_world_contacts(world, &count);
        for (size_t k = 0; k < count; k++) {
            ck_assert_int_ne(contacts[k].kind, APEX_CONTACT_CAR);
        }
        passed = driver.s_m > 320.0;
    }
    ck_assert(passed);
    ck_assert_uint_eq(driver.resets, 0);
    end();
}

// On a circle, following the line at a speed.
static apex_driver_view made_view(double mps) {
    double s_m = 300.0;
    apex_placement at = apex_track_placement(track, s_m, apex_driver_plan_offset_m(plan, s_m));
    return (apex_driver_view){
        .dt_s = 1.0 / HZ,
        .x_m = at.x_m,
        .y_m = at.y_m,
        .z_m = at.z_m,
        .yaw_rad = at.yaw_rad,
        .speed_mps = mps,
        .yaw_rate_radps = mps / 143.0,
        .gear = 2,
        .may_go = true,
    };
}

TEST(a_slow_car_ahead_is_braked_for) {
    begin(0.0);
    apex_driver_view view = made_view(20.0);
    apex_driver_view seen = view;
    seen.neighbour_count = 3; // a wall of cars: nowhere to go round
    for (uint32_t i = 0; i < 3; i++) {
        seen.neighbours[i] =
            (apex_driver_neighbour){.ahead_m = 16.0, .left_m = 3.0 * i, .closing_mps = 15.0};
    }
    apex_driver alone = driver;
    ck_assert_uint_gt(apex_driver_drive(&alone, plan, &view).throttle, 0);
    apex_driver behind = driver;
    apex_controls controls = apex_driver_drive(&behind, plan, &seen);
    ck_assert_uint_eq(controls.throttle, 0);
    ck_assert_uint_gt(controls.brake, 60);
    for (uint32_t i = 0; i < 3; i++) { // gone by
        seen.neighbours[i].ahead_m = -16.0;
    }
    behind = driver;
    ck_assert_uint_gt(apex_driver_drive(&behind, plan, &seen).throttle, 0);
    end();
}

TEST(steering_points_at_the_line) {
    begin(0.0);
    apex_driver_view view = made_view(20.0);
    double c = apex_cos(view.yaw_rad);
    double s = apex_sin(view.yaw_rad);
    int16_t steer[3];
    for (int i = 0; i < 3; i++) {
        apex_driver fresh = apex_driver_create(1.0, 0.0);
        apex_driver_view moved = view;
        double left_m = (i - 1) * 2.0;
        moved.x_m -= s * left_m;
        moved.y_m += c * left_m;
        steer[i] = apex_driver_drive(&fresh, plan, &moved).steer;
    }
    ck_assert_int_gt(steer[0], steer[1]); // right of the line: more to the left
    ck_assert_int_lt(steer[2], steer[1]);
    ck_assert_int_gt(steer[1], 0); // a left-hand circle
    end();
}

TEST(a_car_is_passed_on_the_nearer_side) {
    begin(0.0);
    apex_driver_view view = made_view(15.0);
    view.neighbour_count = 1;
    int16_t steer[2];
    for (int i = 0; i < 2; i++) {
        // On a circle to the left, what lies 20 m ahead on the line is 1.4 m to the left.
        view.neighbours[0] = (apex_driver_neighbour){
            .ahead_m = 20.0, .left_m = 1.4 + (i == 0 ? 0.8 : -0.8), .closing_mps = 15.0};
        apex_driver fresh = apex_driver_create(1.0, 0.0);
        steer[i] = apex_driver_drive(&fresh, plan, &view).steer;
    }
    view.neighbour_count = 0;
    apex_driver alone = apex_driver_create(1.0, 0.0);
    int16_t straight = apex_driver_drive(&alone, plan, &view).steer;
    ck_assert_int_lt(steer[0], straight);
    ck_assert_int_gt(steer[1], straight);
    end();
}

TEST(a_slide_is_steered_against) {
    begin(0.0);
    apex_driver_view view = made_view(30.0);
    apex_driver fresh = apex_driver_create(1.0, 0.0);
    int16_t steady = apex_driver_drive(&fresh, plan, &view).steer;
    view.sideways_mps = -9.0; // the tail goes out to the right
    view.yaw_rate_radps = 0.8;
    fresh = apex_driver_create(1.0, 0.0);
    apex_controls controls = apex_driver_drive(&fresh, plan, &view);
    ck_assert_int_gt(steady, 0);
    ck_assert_int_lt(controls.steer, 0);
    // It gives as much as keeps the engine from braking the tail, and no more.
    ck_assert_uint_gt(controls.throttle, 0);
    ck_assert_uint_lt(controls.throttle, 100);
    ck_assert_uint_eq(controls.brake, 0);
    end();
}

// A tail that goes out a little is met at once: the wheel follows the way the front axle moves.
TEST(a_tail_that_goes_out_is_steered_against_early) {
    begin(0.0);
    apex_driver_view view = made_view(30.0);
    int16_t steer[3];
    for (int i = 0; i < 3; i++) {
        apex_driver fresh = apex_driver_create(1.0, 0.0);
        apex_driver_view turned = view;
        double angle_rad = 0.03 * i; // the nose further into the bend than the car moves
        turned.yaw_rad += angle_rad;
        turned.speed_mps = 30.0 * apex_cos(angle_rad);
        turned.sideways_mps = -30.0 * apex_sin(angle_rad);
        steer[i] = apex_driver_drive(&fresh, plan, &turned).steer;
    }
    double step = 0.03 / apex_default_car_def().steering.angle_rad_max * APEX_STEER_MAX;
    ck_assert_double_eq_tol(steer[0] - steer[1], step, 0.1 * step);
    ck_assert_double_eq_tol(steer[1] - steer[2], step, 0.1 * step);
    end();
}

// Beside the road there is little grip: back soon, and without a spin.
TEST(who_is_off_the_road_comes_back) {
    begin(35.0);
    apex_world_ghost_car(world, car_ids[1], true);
    for (int side = -1; side <= 1; side += 2) {
        apex_placement at = apex_track_placement(track, 200.0, side * 11.0);
        at.speed_mps = 18.0;
        apex_world_place_car(world, car_ids[0], &at);
        driver = apex_driver_create(1.0, 0.0);
        int back = 0;
        for (int i = 1; i <= HZ * 25; i++) {
            drive(true, false);
            apex_driver_view view = view_of(true, false);
            ck_assert(view.speed_mps < 8.0 || fabs(view.sideways_mps) < 0.5 * view.speed_mps);
            bool is_on = i > HZ && pose_of(0).wheels_on_road == 4;
            back = is_on && back == 0 ? i : back;
        }
        ck_assert_int_gt(back, HZ);
        ck_assert_int_lt(back, 9 * HZ);
        ck_assert_uint_eq(pose_of(0).wheels_on_road, 4);
        ck_assert_uint_eq(driver.resets, 0);
    }
    end();
}

TEST(who_is_stuck_backs_out_and_then_asks_for_help) {
    begin(35.0);
    apex_driver_view view = made_view(0.0);
    view.yaw_rate_radps = 0.0;
    view.gear = 1;
    int first_reverse = -1;
    int first_reset = -1;
    for (int i = 0; i < HZ * 40; i++) {
        apex_controls controls = apex_driver_drive(&driver, plan, &view);
        view.gear = controls.gear == APEX_GEAR_REVERSE ? -1 : 1;
        if (controls.gear == APEX_GEAR_REVERSE && first_reverse < 0) {
            first_reverse = i;
        }
        if (controls.reset_count > 0 && first_reset < 0) {
            first_reset = i;
        }
    }
    ck_assert_int_gt(first_reverse, HZ);
    ck_assert_int_lt(first_reverse, 4 * HZ);
    ck_assert_int_gt(first_reset, 8 * HZ);
    ck_assert_int_lt(first_reset, 20 * HZ);
    ck_assert_uint_eq(driver.resets, 2); // and again after the same time
    end();
}

TEST(a_driver_s_makings_are_bounded) {
    const double tiny = 1e-12;
    ck_assert_double_eq_tol(apex_driver_create(0.0, 0.0).skill, 0.5, tiny);
    ck_assert_double_eq_tol(apex_driver_create(7.0, 0.0).skill, 1.0, tiny);
    ck_assert_double_eq_tol(apex_driver_create((double)NAN, (double)NAN).skill, 1.0, tiny);
    ck_assert_double_eq_tol(apex_driver_create(1.0, (double)NAN).lane_m, 0.0, tiny);
    ck_assert_double_eq_tol(apex_driver_create(1.0, 1e9).lane_m, 0.0, tiny);
    ck_assert_double_eq_tol(apex_driver_create(0.75, -2.5).lane_m, -2.5, tiny);
}
