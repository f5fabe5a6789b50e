// Tests of what a bot sees: its car moved on to the moment its controls act, and the others in its
// own frame.
#include "support/base/check_main.h"

#include <math.h>

#include "test_client_script.h"
#include "client-lite/client_internal.h"
#include "client-lite/pilot/pilot.h"

static const double TURN_UNITS_PER_DEGREE = 32768.0 / 180.0;

static int16_t degrees(double angle) {
    return (int16_t)lround(angle * TURN_UNITS_PER_DEGREE);
}

static apex_driver_view view_of(apex_wire_car cars[], size_t count, double ahead_s) {
    apex_client_view seen = {.tick = 100, .car_count = count, .cars = cars, .own = &cars[0]};
    return client_pilot_view(&seen, ahead_s);
}

TEST(the_own_car_is_moved_on_along_its_arc) {
    apex_wire_car car = {.id = 1, .x_mm = 10000, .y_mm = -4000, .z_mm = 500, .gear = 3};
    car.yaw_q = degrees(90.0);
    car.vx_cmps = -100;
    car.vy_cmps = 3000;
    car.vz_cmps = 50;
    car.yaw_rate_q = 512; // half a radian a second
    apex_driver_view view = view_of(&car, 1, 0.1);
    // 0.05 rad to the left in that time, so the chord lies 0.025 rad to the left.
    ck_assert_double_eq_tol(view.x_m, 10.0 + 0.1 * (-cos(0.025) - 30.0 * sin(0.025)), 1e-9);
    ck_assert_double_eq_tol(view.y_m, -4.0 + 0.1 * (30.0 * cos(0.025) - sin(0.025)), 1e-9);
    ck_assert_double_eq_tol(view.z_m, 0.55, 1e-9);
    ck_assert_double_eq_tol(view.yaw_rate_radps, 0.5, 1e-9);
    ck_assert_double_eq_tol(view.yaw_rad, M_PI / 2.0 + 0.05, 1e-9);
    // In its own frame the car goes on as it went.
    ck_assert_double_eq_tol(view.speed_mps, 30.0, 1e-9);
    ck_assert_double_eq_tol(view.sideways_mps, 1.0, 1e-9);
    ck_assert_int_eq(view.gear, 3);
    ck_assert_uint_eq(view.neighbour_count, 0);
}

TEST(neither_backwards_nor_far_into_the_future) {
    apex_wire_car car = {.id = 1, .vx_cmps = 1000};
    ck_assert_double_eq_tol(view_of(&car, 1, -0.5).x_m, 0.0, 1e-9);
    ck_assert_double_eq_tol(view_of(&car, 1, 60.0).x_m, 4.0, 1e-9);
}

TEST(a_held_car_stays_where_it_is) {
    apex_wire_car car = {.id = 1, .vx_cmps = 1000, .yaw_rate_q = 512, .flags = APEX_CAR_FLAG_HELD};
    ck_assert_double_eq_tol(view_of(&car, 1, 0.2).x_m, 0.0, 1e-9);
    ck_assert_double_eq_tol(view_of(&car, 1, 0.2).yaw_rad, 0.0, 1e-9);
}

TEST(others_are_seen_in_the_own_frame) {
    // Heading west at 20 m/s; one car ahead and to the left (south), slower; one behind, faster.
    apex_wire_car cars[3] = {{.id = 1, .vx_cmps = -2000}, {.id = 2}, {.id = 3}};
    cars[0].yaw_q = -32768;
    cars[1].x_mm = -30000;
    cars[1].y_mm = -2000;
    cars[1].vx_cmps = -1500;
    cars[2].x_mm = 10000;
    cars[2].y_mm = 1000;
    cars[2].vx_cmps = -2600;
    apex_driver_view view = view_of(cars, 3, 0.0);
    ck_assert_uint_eq(view.neighbour_count, 2);
    const apex_driver_neighbour *behind = &view.neighbours[0]; // the nearer one
    const apex_driver_neighbour *ahead = &view.neighbours[1];
    ck_assert_double_eq_tol(behind->ahead_m, -10.0, 1e-9);
    ck_assert_double_eq_tol(behind->left_m, -1.0, 1e-9);
    ck_assert_double_eq_tol(behind->closing_mps, 6.0, 1e-9);
    ck_assert_double_eq_tol(ahead->ahead_m, 30.0, 1e-9);
    ck_assert_double_eq_tol(ahead->left_m, 2.0, 1e-9);
    ck_assert_double_eq_tol(ahead->closing_mps, 5.0, 1e-9);
}

TEST(ghosts_and_the_far_away_are_not_seen) {
    apex_wire_car cars[4] = {{.id = 1}, {.id = 2}, {.id = 3}, {.id = 4}};
    cars[1].x_mm = 5000;
    cars[1].flags = APEX_CAR_FLAG_GHOST;
    cars[2].x_mm = 81000;
    cars[3].x_mm = 79000;
    apex_driver_view view = view_of(cars, 4, 0.0);
    ck_assert_uint_eq(view.neighbour_count, 1);
    ck_assert_double_eq_tol(view.neighbours[0].ahead_m, 79.0, 1e-9);
}

TEST(in_a_crowd_the_nearest_are_seen_nearest_first) {
    enum { CROWD = 30 };
    apex_wire_car cars[CROWD + 1] = {{.id = 1}};
    for (uint32_t i = 1; i <= CROWD; i++) {
        cars[i].id = 1 + i;
        cars[i].x_mm = 1000 * (1 + (int32_t)(i * 7 % CROWD)); // 7 and 30 share nothing: 1..30 m
    }
    apex_driver_view view = view_of(cars, CROWD + 1, 0.0);
    ck_assert_uint_eq(view.neighbour_count, APEX_DRIVER_NEIGHBOURS_MAX);
    for (uint32_t i = 0; i < view.neighbour_count; i++) {
        ck_assert_double_eq_tol(view.neighbours[i].ahead_m, 1.0 + i, 1e-9);
    }
}

TEST(what_is_shown_ahead_is_seen_as_it_is) {
    // Heading north-west; a rival at the same moment ahead and to the right, slower.
    double yaw_rad = 0.75 * M_PI;
    apex_client_pose poses[2] = {{.car = 9, .tick = 500.5, .yaw_rad = yaw_rad, .gear = 4},
                                 {.car = 3, .tick = 500.5, .yaw_rate_radps = 1.0}};
    poses[0].yaw_rate_radps = 0.25;
    poses[0].position_m[2] = 2.0;
    poses[0].velocity_mps[0] = 40.0 * cos(yaw_rad) + 2.0 * -sin(yaw_rad);
    poses[0].velocity_mps[1] = 40.0 * sin(yaw_rad) + 2.0 * cos(yaw_rad);
    poses[1].position_m[0] = 6.0 * cos(yaw_rad) + 1.5 * sin(yaw_rad);
    poses[1].position_m[1] = 6.0 * sin(yaw_rad) - 1.5 * cos(yaw_rad);
    poses[1].velocity_mps[0] = 37.0 * cos(yaw_rad);
    poses[1].velocity_mps[1] = 37.0 * sin(yaw_rad);
    apex_driver_view view = client_pilot_view_ahead(poses, 2, 60.0);
    // The own car is where controls act: it is not moved on.
    ck_assert_double_eq_tol(view.x_m, 0.0, 1e-9);
    ck_assert_double_eq_tol(view.z_m, 2.0, 1e-9);
    ck_assert_double_eq_tol(view.yaw_rad, yaw_rad, 1e-9);
    ck_assert_double_eq_tol(view.yaw_rate_radps, 0.25, 1e-9);
    ck_assert_double_eq_tol(view.speed_mps, 40.0, 1e-9);
    ck_assert_double_eq_tol(view.sideways_mps, 2.0, 1e-9);
    ck_assert_int_eq(view.gear, 4);
    ck_assert_uint_eq(view.neighbour_count, 1);
    ck_assert_double_eq_tol(view.neighbours[0].ahead_m, 6.0, 1e-9);
    ck_assert_double_eq_tol(view.neighbours[0].left_m, -1.5, 1e-9);
    ck_assert_double_eq_tol(view.neighbours[0].closing_mps, 3.0, 1e-9);
}

TEST(what_is_shown_as_it_was_is_moved_on_to_the_moment_of_the_own_car) {
    apex_client_pose poses[4] = {{.car = 9, .tick = 512.0},
                                 {.car = 1, .tick = 500.0},
                                 {.car = 2},
                                 {.car = 3, .tick = 600.0}};
    for (int i = 1; i < 4; i++) {
        poses[i].position_m[0] = 10.0 * i;
        poses[i].velocity_mps[0] = 20.0;
    }
    apex_driver_view view = client_pilot_view_ahead(poses, 4, 60.0);
    ck_assert_uint_eq(view.neighbour_count, 3);
    ck_assert_double_eq_tol(view.neighbours[0].ahead_m, 14.0, 1e-9); // 0.2 s
    ck_assert_double_eq_tol(view.neighbours[1].ahead_m, 28.0, 1e-9); // 0.4 s at most
    ck_assert_double_eq_tol(view.neighbours[2].ahead_m, 30.0, 1e-9); // never backwards
}

TEST(ghosts_shown_ahead_are_not_seen) {
    apex_client_pose poses[2] = {{.car = 9}, {.car = 1, .flags = APEX_CAR_FLAG_GHOST}};
    poses[1].position_m[0] = 10.0;
    ck_assert_uint_eq(client_pilot_view_ahead(poses, 2, 60.0).neighbour_count, 0);
}

static void hear(client_pilot *pilot, apex_client *client, apex_race_event_message event) {
    client_knowledge *knowledge = &client_session_of(client)->knowledge;
    client_knowledge_begin_update(knowledge);
    client_knowledge_event(knowledge, &event);
    client_pilot_listen(pilot, client);
}

TEST(the_own_finish_slows_down_and_the_next_grid_starts_afresh) {
    apex_client_def def = apex_default_client_def();
    apex_client *client;
    ck_assert_int_eq(apex_client_create(&def, &client), APEX_OK);
    client_session_of(client)->player = 7;
    client_pilot pilot = client_pilot_create(NULL, 0.9, 0.0);
    pilot.driver.placed = true;
    pilot.driver.stuck_s = 2.0;
    pilot.driver.resets = 3;
    hear(&pilot, client, (apex_race_event_message){.kind = 7, .player = 8}); // another's finish
    ck_assert(!pilot.home);
    hear(&pilot, client, (apex_race_event_message){.kind = 7, .player = 7});
    ck_assert(pilot.home && pilot.driver.placed);
    hear(&pilot, client, (apex_race_event_message){.kind = 0, .value = 5}); // results
    ck_assert(pilot.home);
    hear(&pilot, client, (apex_race_event_message){.kind = 0, .value = 1}); // grid
    ck_assert(!pilot.home && !pilot.driver.placed);
    ck_assert(pilot.driver.stuck_s == 0.0);
    // A counter that fell would be read as 253 resets more.
    ck_assert_uint_eq(pilot.driver.resets, 3);
    apex_client_destroy(client);
}

TEST(who_is_put_back_looks_round_again) {
    apex_client_def def = apex_default_client_def();
    apex_client *client;
    ck_assert_int_eq(apex_client_create(&def, &client), APEX_OK);
    client_session_of(client)->player = 7;
    client_pilot pilot = client_pilot_create(NULL, 0.9, 0.0);
    pilot.driver.placed = true;
    hear(&pilot, client, (apex_race_event_message){.kind = 9, .player = 8});
    ck_assert(pilot.driver.placed);
    hear(&pilot, client, (apex_race_event_message){.kind = 9, .player = 7});
    ck_assert(!pilot.driver.placed);
    apex_client_destroy(client);
}
