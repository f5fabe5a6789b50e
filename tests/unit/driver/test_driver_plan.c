// The line and the speeds that a driver knows in advance.
#include "support/base/check_main.h"

#include "driver/plan/driver_plan.h"
#include "driver/plan/plan_stations.h"
#include "support/track/track_scenes.h"

#include "base/trig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 72 };

static const double GRAVITY_MPS2 = 9.81;

static apex_track *lay(apex_track_def *def) {
    apex_track *track = NULL;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    apex_track_def_free(def);
    return track;
}

// waves 0 is a circle, counter-clockwise.
static apex_track *lay_ring(double radius_m, double wave_m, const char *surface) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "ring");
    if (surface != NULL) {
        snprintf(def.road_surface, sizeof def.road_surface, "%s", surface);
    }
    def.point_count = POINTS;
    def.points = calloc(POINTS, sizeof *def.points);
    ck_assert_ptr_nonnull(def.points);
    for (uint32_t i = 0; i < POINTS; i++) {
        double angle_rad = 2.0 * APEX_PI * i / POINTS;
        double r_m = radius_m + wave_m * apex_cos(3.0 * angle_rad);
        def.points[i] = (apex_track_point){.x_m = r_m * apex_cos(angle_rad),
                                           .y_m = r_m * apex_sin(angle_rad),
                                           .left_m = 6.0,
                                           .right_m = 6.0};
    }
    return lay(&def);
}

static apex_track *lay_strip(void) {
    apex_track_def def = track_scene_drag();
    def.start_m = 60.0;
    def.finish_m = 460.0;
    return lay(&def);
}

static apex_driver_plan *plan_under(const apex_track *track, const apex_car_def *car,
                                    double gravity_mps2) {
    apex_driver_plan *plan = NULL;
    ck_assert_int_eq(apex_driver_plan_create(track, car, gravity_mps2, &plan), APEX_OK);
    return plan;
}

static apex_driver_plan *plan_for(const apex_track *track, const apex_car_def *car) {
    return plan_under(track, car, GRAVITY_MPS2);
}

static double speed_at_mps(const apex_driver_plan *plan, double s_m) {
    return driver_plan_at(plan, s_m).speed_mps;
}

static double ring_mps(double grip, const char *surface, double gravity_mps2) {
    apex_car_def car = apex_default_car_def();
    for (uint32_t i = 0; i < car.axle_count; i++) {
        car.axles[i].tyre.lateral.d *= grip;
        car.axles[i].tyre.load_sensitivity = 0.0;
    }
    car.aero.lift_front_m2 = car.aero.lift_rear_m2 = 0.0;
    apex_track *track = lay_ring(60.0, 0.0, surface);
    apex_driver_plan *plan = plan_under(track, &car, gravity_mps2);
    double speed_mps = speed_at_mps(plan, 100.0);
    for (double s_m = 0.0; s_m < apex_track_length_m(track); s_m += 5.0) {
        ck_assert_double_eq_tol(speed_at_mps(plan, s_m), speed_mps, 0.02 * speed_mps);
    }
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
    return speed_mps;
}

TEST(a_circle_is_driven_near_its_limit) {
    apex_car_def car = apex_default_car_def();
    apex_track *track = lay_ring(60.0, 0.0, NULL);
    apex_driver_plan *plan = plan_for(track, &car);
    double offset_m = apex_driver_plan_offset_m(plan, 100.0);
    ck_assert_double_eq_tol(apex_driver_plan_offset_m(plan, 300.0), offset_m, 0.05);
    double speed_mps = speed_at_mps(plan, 100.0);
    double side_g = speed_mps * speed_mps / (60.0 - offset_m) / GRAVITY_MPS2;
    ck_assert_double_lt(side_g, 0.9 * car.axles[0].tyre.lateral.d);
    ck_assert_double_gt(side_g, 0.7 * car.axles[0].tyre.lateral.d);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

TEST(speed_goes_with_the_root_of_grip) {
    double dry_mps = ring_mps(1.0, NULL, GRAVITY_MPS2);
    ck_assert_double_eq_tol(ring_mps(0.81, NULL, GRAVITY_MPS2) / dry_mps, 0.9, 0.005);
    apex_track *track = lay_ring(60.0, 0.0, "wet-asphalt");
    const apex_ground *ground = apex_track_ground(track);
    const double WET = ground->surfaces[apex_ground_at(ground, 60.0, 0.0, 0.0).surface].friction;
    apex_track_destroy(track);
    ck_assert_double_lt(WET, 1.0);
    ck_assert_double_eq_tol(ring_mps(1.0, "wet-asphalt", GRAVITY_MPS2) / dry_mps, sqrt(WET), 0.005);
}

// On Mars a tyre is pressed with 0.38 of what it is on Earth: a bend is taken at the root of that,
// and braking for it takes the longer.
TEST(speed_goes_with_the_root_of_gravity) {
    const double MARS_MPS2 = 3.71;
    double earth_mps = ring_mps(1.0, NULL, GRAVITY_MPS2);
    ck_assert_double_eq_tol(ring_mps(1.0, NULL, MARS_MPS2) / earth_mps,
                            sqrt(MARS_MPS2 / GRAVITY_MPS2), 0.005);
}

static double braking_between(double from_mps, double to_mps, double gravity_mps2) {
    apex_car_def car = apex_default_car_def();
    car.aero.drag_coefficient = car.aero.lift_front_m2 = car.aero.lift_rear_m2 = 0.0;
    apex_track *track = lay_ring(200.0, 60.0, NULL);
    apex_driver_plan *plan = plan_under(track, &car, gravity_mps2);
    double hardest_mps2 = 0.0;
    for (uint32_t i = 0; i + 1 < plan->count; i++) {
        double here = plan->stations[i].speed_mps, next = plan->stations[i + 1].speed_mps;
        if (here < from_mps && next > to_mps) {
            hardest_mps2 = fmax(hardest_mps2, (here * here - next * next) / (2.0 * plan->step_m));
        }
    }
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
    return hardest_mps2;
}

TEST(braking_goes_with_gravity) {
    double earth_mps2 = braking_between(100.0, 0.0, GRAVITY_MPS2);
    double half_mps2 = braking_between(100.0, 0.0, 0.5 * GRAVITY_MPS2);
    ck_assert_double_gt(earth_mps2, 4.0);
    ck_assert_double_lt(half_mps2 / earth_mps2, 0.5); // the side force that is spared stays
    ck_assert_double_gt(half_mps2 / earth_mps2, 0.36);
}

TEST(the_line_stays_on_the_road_and_bends_less) {
    apex_car_def car = apex_default_car_def();
    apex_track *track = lay_ring(140.0, 35.0, NULL);
    apex_driver_plan *plan = plan_for(track, &car);
    double middle_max = 0.0;
    double line_max = 0.0;
    double room_m = 6.0 - 0.5 * car.hull.width_m;
    for (uint32_t i = 0; i < plan->count; i++) {
        const driver_station *station = &plan->stations[i];
        ck_assert_double_lt(fabs(station->offset_m), room_m);
        middle_max = fmax(middle_max, fabs(station->middle_curvature_per_m));
        line_max = fmax(line_max, fabs(station->curvature_per_m));
    }
    ck_assert_double_gt(middle_max, 0.015);
    ck_assert_double_lt(line_max, 0.9 * middle_max);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

TEST(the_plan_asks_for_no_more_than_the_car_has) {
    apex_car_def car = apex_default_car_def();
    apex_track *track = lay_ring(140.0, 35.0, NULL);
    apex_driver_plan *plan = plan_for(track, &car);
    double drag_per_m = 0.5 * 1.225 * car.aero.drag_coefficient * car.aero.frontal_area_m2 /
                        (car.mass_kg + car.fuel_kg_max);
    double slowest_mps = 1e9;
    double fastest_mps = 0.0;
    for (uint32_t i = 0; i < plan->count; i++) {
        const driver_station *a = &plan->stations[i];
        const driver_station *b = &plan->stations[(i + 1) % plan->count];
        double way_m =
            sqrt((b->x_m - a->x_m) * (b->x_m - a->x_m) + (b->y_m - a->y_m) * (b->y_m - a->y_m));
        double along_mps2 =
            (b->speed_mps * b->speed_mps - a->speed_mps * a->speed_mps) / (2.0 * way_m);
        double side_mps2 = a->speed_mps * a->speed_mps * fabs(a->curvature_per_m);
        double grip_mps2 = car.axles[0].tyre.longitudinal.d * GRAVITY_MPS2;
        double air_mps2 = drag_per_m * a->speed_mps * a->speed_mps + 0.3;
        ck_assert_double_gt(along_mps2, -(grip_mps2 + air_mps2));
        ck_assert_double_lt(along_mps2, 0.7 * grip_mps2);
        ck_assert_double_lt(side_mps2, car.axles[0].tyre.lateral.d * GRAVITY_MPS2);
        slowest_mps = fmin(slowest_mps, a->speed_mps);
        fastest_mps = fmax(fastest_mps, a->speed_mps);
    }
    ck_assert_double_gt(fastest_mps, 1.15 * slowest_mps);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

TEST(a_strip_is_straight_and_ends_slowly) {
    apex_car_def car = apex_default_car_def();
    apex_track *track = lay_strip();
    apex_driver_plan *plan = plan_for(track, &car);
    ck_assert_double_eq_tol(apex_driver_plan_offset_m(plan, 200.0), 0.0, 1e-9);
    double finish_mps = speed_at_mps(plan, 400.0);
    ck_assert_double_gt(finish_mps, 50.0);
    // 740 m past the start line the tarmac ends; 100 m before that no car brakes from 60 m/s.
    ck_assert_double_lt(speed_at_mps(plan, 640.0), 45.0);
    ck_assert_double_le(speed_at_mps(plan, 1e5), 1.0);
    ck_assert_double_gt(speed_at_mps(plan, -1e5), 50.0);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

// A straight with a crest in the middle: slope `up` before it, -up behind, rounded over `length_m`.
static apex_track *lay_crest(double up, double length_m) {
    enum { STEP_M = 2, COUNT = 401 };
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "crest");
    def.closed = false;
    def.point_count = COUNT;
    def.points = calloc(COUNT, sizeof *def.points);
    ck_assert_ptr_nonnull(def.points);
    for (uint32_t i = 0; i < COUNT; i++) {
        double x_m = STEP_M * (double)i;
        double from_top_m = fabs(x_m - 400.0);
        double half_m = 0.5 * length_m;
        double z_m = from_top_m > half_m ? -up * (from_top_m - 0.5 * half_m)
                                         : -up * from_top_m * from_top_m / length_m;
        def.points[i] = (apex_track_point){.x_m = x_m, .z_m = z_m, .left_m = 6.0, .right_m = 6.0};
    }
    def.start_m = 60.0;
    def.finish_m = 780.0;
    return lay(&def);
}

static double speed_over_crest_mps(double up, double length_m) {
    apex_car_def car = apex_default_car_def();
    car.aero.lift_front_m2 = car.aero.lift_rear_m2 = 0.0;
    apex_track *track = lay_crest(up, length_m);
    apex_driver_plan *plan = plan_for(track, &car);
    double speed_mps = 1e9;
    for (double s_m = 320.0; s_m < 360.0; s_m += 1.0) {
        speed_mps = fmin(speed_mps, speed_at_mps(plan, s_m));
    }
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
    return speed_mps;
}

// A long crest is taken at most where its load ends, v^2 = g r; a short one may be flown over, if
// the landing is soft.
TEST(a_crest_is_no_ramp) {
    double up = 0.1;
    double length_m = 40.0; // radius 200 m
    double lift_off_mps = sqrt(GRAVITY_MPS2 * length_m / (2.0 * up));
    ck_assert_double_eq_tol(speed_over_crest_mps(up, length_m), lift_off_mps, 0.06 * lift_off_mps);
    double landing_mps = speed_over_crest_mps(0.045, 6.0) * 2.0 * 0.045;
    ck_assert_double_gt(landing_mps, 2.5); // takes off at 25.6 m/s
    ck_assert_double_lt(landing_mps, 4.0);
    ck_assert_double_gt(speed_over_crest_mps(0.01, 6.0), 60.0);
}

// Ice where the line runs, not where the road's middle is.
TEST(a_patch_beside_the_middle_is_seen) {
    apex_car_def car = apex_default_car_def();
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "patch");
    def.point_count = POINTS;
    def.points = calloc(POINTS, sizeof *def.points);
    ck_assert_ptr_nonnull(def.points);
    for (uint32_t i = 0; i < POINTS; i++) {
        double angle_rad = 2.0 * APEX_PI * i / POINTS;
        double r_m = 140.0 + 35.0 * apex_cos(3.0 * angle_rad);
        def.points[i] = (apex_track_point){.x_m = r_m * apex_cos(angle_rad),
                                           .y_m = r_m * apex_sin(angle_rad),
                                           .left_m = 6.0,
                                           .right_m = 6.0};
    }
    def.strip_count = 1;
    def.strips[0] = (apex_track_strip){.surface = "ice", .inner_m = 2.0, .outer_m = 6.0};
    apex_track *track = lay(&def);
    apex_driver_plan *plan = plan_for(track, &car);
    uint32_t icy = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        const driver_station *station = &plan->stations[i];
        if (fabs(station->offset_m - 2.0) > 0.6) { // ground comes in cells of half a metre
            ck_assert_double_eq_tol(station->friction, station->offset_m > 2.0 ? 0.12 : 1.0, 1e-9);
        }
        icy += station->offset_m > 2.6;
    }
    ck_assert_uint_gt(icy, 10);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

TEST(lap_distances_wrap_and_plans_repeat) {
    apex_car_def car = apex_default_car_def();
    apex_track *track = lay_ring(140.0, 35.0, NULL);
    apex_driver_plan *plan = plan_for(track, &car);
    apex_driver_plan *again = plan_for(track, &car);
    double length_m = apex_track_length_m(track);
    for (double s_m = 0.0; s_m < length_m; s_m += 3.7) {
        double speed_mps = speed_at_mps(plan, s_m);
        ck_assert_double_eq_tol(speed_at_mps(plan, s_m + length_m), speed_mps, 1e-6);
        ck_assert_double_eq_tol(speed_at_mps(plan, s_m - length_m), speed_mps, 1e-6);
        double other_mps = speed_at_mps(again, s_m);
        ck_assert_mem_eq(&other_mps, &speed_mps, sizeof speed_mps);
    }
    apex_driver_plan_destroy(again);
    apex_driver_plan_destroy(plan);
    apex_driver_plan_destroy(NULL);
    apex_track_destroy(track);
}

TEST(stations_share_out_the_road) {
    apex_car_def car = apex_default_car_def();
    apex_track *track = lay_ring(140.0, 35.0, NULL);
    apex_driver_plan *plan = plan_for(track, &car);
    ck_assert_double_eq_tol(plan->count * plan->step_m, apex_track_length_m(track), 1e-6);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
    track = lay_strip(); // 800 m of tarmac, the first 60 of them before the start
    plan = plan_for(track, &car);
    ck_assert_double_eq_tol(plan->first_s_m, -60.0, 1e-6);
    ck_assert_double_eq_tol((plan->count - 1) * plan->step_m, 800.0, 1e-6);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

TEST(between_stations_grip_is_the_less_and_speed_has_its_square) {
    apex_car_def car = apex_default_car_def();
    apex_track *track = lay_ring(140.0, 35.0, NULL);
    apex_driver_plan *plan = plan_for(track, &car);
    driver_station *at = &plan->stations[10];
    at[0].friction = 0.9;
    at[1].friction = 0.3;
    at[2].friction = 0.8;
    at[0].speed_mps = 20.0;
    at[1].speed_mps = 22.0;
    driver_point first = driver_plan_at(plan, 10.25 * plan->step_m);
    ck_assert_double_eq_tol(first.friction, 0.3, 1e-9);
    ck_assert_double_eq_tol(driver_plan_at(plan, 11.25 * plan->step_m).friction, 0.3, 1e-9);
    ck_assert_double_eq_tol(first.speed_mps, 20.5, 1e-6);
    ck_assert_double_eq_tol(first.acceleration_mps2, (484.0 - 400.0) / (2.0 * plan->step_m), 1e-9);
    // Less before the line than can be told from a whole lap.
    ck_assert_double_eq_tol(speed_at_mps(plan, -1e-18), plan->stations[0].speed_mps, 1e-9);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

// 0.1 up and 0.1 down over 40 m: 200 m of radius.
TEST(a_crest_has_its_curvature) {
    apex_car_def car = apex_default_car_def();
    apex_track *track = lay_crest(0.1, 40.0);
    apex_driver_plan *plan = plan_for(track, &car);
    ck_assert_double_eq_tol(driver_plan_at(plan, 340.0).crest_per_m, -0.005, 0.0005);
    ck_assert_double_eq_tol(driver_plan_at(plan, 240.0).crest_per_m, 0.0, 0.0005);
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}

// Three bends to the left: at the inside edge in each, at the outside one between them.
TEST(the_line_goes_out_in_and_out) {
    apex_car_def car = apex_default_car_def();
    apex_track *track = lay_ring(140.0, 35.0, NULL);
    apex_driver_plan *plan = plan_for(track, &car);
    double length_m = apex_track_length_m(track);
    double edge_m = 6.0 - 0.5 * car.hull.width_m - 0.9;
    for (int bend = 0; bend < 3; bend++) {
        double inside_m = apex_driver_plan_offset_m(plan, length_m * bend / 3.0);
        double outside_m = apex_driver_plan_offset_m(plan, length_m * (bend + 0.5) / 3.0);
        ck_assert_double_eq_tol(inside_m, edge_m, 0.05);
        ck_assert_double_eq_tol(outside_m, -edge_m, 0.05);
    }
    apex_driver_plan_destroy(plan);
    apex_track_destroy(track);
}
