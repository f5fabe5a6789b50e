// links: proving driver
/// The cars that ship, driven: what is published of the real ones, and whether they stay on the
/// road.
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "content/content.h"
#include "driver/driver.h"
#include "proving/proving.h"
#include "support/base/check_main.h"
#include "support/driver/driver_view.h"

enum { HZ = 240, CARS = 8 };

static const double GRAVITY_MPS2 = 9.81;
static const double MPH = 0.44704, KMH = 1.0 / 3.6;

static const apex_surface_def asphalt = {
    .name = "asphalt", .friction = 1, .rolling_ratio = 1, .is_road = true};
static const apex_ground plain = {.surfaces = &asphalt, .surface_count = 1};

typedef struct test_drive {
    apex_car_def def;
    apex_world *world;
    apex_car_id car;
    apex_controls controls;
    apex_car_pose pose;
    double time_s;
} test_drive;

static const char *name_of(int index) {
    const char *name = apex_content_shipped(APEX_CONTENT_CAR, (size_t)index);
    ck_assert_ptr_nonnull(name);
    return name;
}

static void load(const char *name, apex_car_def *def, apex_car_published *published) {
    apex_content_problem problem;
    ck_assert_msg(apex_content_load_car(name, NULL, def, &problem) == APEX_OK, "%s", problem.text);
    ck_assert_msg(apex_content_load_published(name, NULL, published, &problem) == APEX_OK, "%s",
                  problem.text);
}

static void enter(test_drive *drive, const apex_ground *ground, const apex_walls *walls) {
    apex_world_def def = apex_default_world_def();
    apex_car_type type;
    def.car_capacity = 1;
    def.tick_hz = HZ;
    ck_assert_int_eq(apex_world_create(&def, ground, walls, &drive->world), APEX_OK);
    ck_assert_int_eq(apex_world_add_type(drive->world, &drive->def, &type), APEX_OK);
    ck_assert_int_eq(apex_world_add_car(drive->world, type, &(apex_placement){0}, &drive->car),
                     APEX_OK);
}

static void set_down(test_drive *drive, const apex_placement *at) {
    apex_world_place_car(drive->world, drive->car, at);
    ck_assert(apex_world_pose(drive->world, drive->car, &drive->pose));
    drive->controls = (apex_controls){.gear = APEX_GEAR_AUTOMATIC};
    drive->time_s = 0.0;
}

static test_drive begin(int index, double speed_mps) {
    test_drive drive = {.time_s = 0.0};
    apex_car_published published;
    load(name_of(index), &drive.def, &published);
    enter(&drive, &plain, NULL);
    set_down(&drive, &(apex_placement){.speed_mps = speed_mps});
    return drive;
}

static void step(test_drive *drive) {
    apex_world_step(drive->world, &drive->controls, NULL);
    ck_assert(apex_world_pose(drive->world, drive->car, &drive->pose));
    drive->time_s += 1.0 / HZ;
}

static double speed_of(const test_drive *drive) {
    return hypot(drive->pose.velocity_mps[0], drive->pose.velocity_mps[1]);
}

/// Up of the car's own and up of the world: 1 upright, 0 on its side.
static double uprightness(const test_drive *drive) {
    const double *q = drive->pose.orientation;
    return 1.0 - 2.0 * (q[1] * q[1] + q[2] * q[2]);
}

static double start_s(int index, double speed_mps) {
    test_drive drive = begin(index, 0.0);
    drive.controls.brake = 255;
    while (drive.time_s < 1.0) { // until it has settled
        step(&drive);
    }
    drive.controls.brake = 0;
    drive.controls.throttle = 255;
    double from_s = drive.time_s;
    while (speed_of(&drive) < speed_mps && drive.time_s < 60.0) {
        step(&drive);
        ck_assert_double_gt(uprightness(&drive), 0.9);
    }
    apex_world_destroy(drive.world);
    return drive.time_s - from_s;
}

/// After 80 s, or when five seconds have brought it next to nothing.
static double top_speed_mps(int index, double from_mps) {
    const double NOTHING_MPS = 0.01;
    test_drive drive = begin(index, from_mps);
    drive.controls.throttle = 255;
    double before_mps = 0.0;
    for (int tick = 0; tick < 80 * HZ; tick++) {
        if (tick % (5 * HZ) == 0) {
            if (fabs(speed_of(&drive) - before_mps) < NOTHING_MPS) {
                break;
            }
            before_mps = speed_of(&drive);
        }
        step(&drive);
    }
    apex_world_destroy(drive.world);
    return speed_of(&drive);
}

static double stopping_m(int index, double from_mps) {
    test_drive drive = begin(index, from_mps + 1.0);
    while (speed_of(&drive) > from_mps) {
        step(&drive);
    }
    double from_m = drive.pose.position_m[0], true_mps = speed_of(&drive);
    drive.controls.brake = 255;
    while (speed_of(&drive) > 0.02 && drive.time_s < 30.0) {
        step(&drive);
        ck_assert_double_gt(uprightness(&drive), 0.9);
    }
    apex_world_destroy(drive.world);
    ck_assert_double_lt(fabs(drive.pose.position_m[1]), 0.5);
    double share = from_mps / true_mps;
    return (drive.pose.position_m[0] - from_m) * share * share;
}

/// Steers round the circle by what curvature came of it, and holds a speed.
typedef struct circler {
    double radius_m, speed_mps;
    double patience_s; ///< in which an error of the path is taken back
    double steer_memory, throttle_memory;
    double off_m;
} circler;

static double clamped(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

static void circle(test_drive *drive, circler *at) {
    const apex_car_pose *pose = &drive->pose;
    double x = pose->position_m[0], y = pose->position_m[1] - at->radius_m;
    double speed = speed_of(drive), bearing = atan2(y, x);
    double travel = atan2(pose->velocity_mps[1], pose->velocity_mps[0]);
    double astray = remainder(travel - bearing - 1.5707963267948966, 6.283185307179586);
    double within = fmax(at->patience_s * speed, 4.0);
    at->off_m = hypot(x, y) - at->radius_m;
    double back = clamped(at->off_m, -within, within) / (within * within) - 1.6 * astray / within;
    double curvature = 1.0 / at->radius_m + back;
    double wheelbase = drive->def.axles[0].x_m - drive->def.axles[drive->def.axle_count - 1].x_m;
    double missing = (curvature - pose->angular_radps[2] / fmax(speed, 1.0)) * wheelbase;
    at->steer_memory = clamped(at->steer_memory + 3.0 * missing / HZ, -0.15, 0.15);
    double angle = wheelbase * curvature + at->steer_memory;
    double steer = clamped(angle / drive->def.steering.angle_rad_max, -1.0, 1.0);
    drive->controls.steer = (int16_t)(steer * APEX_STEER_MAX);
    double slow = at->speed_mps - speed;
    at->throttle_memory = clamped(at->throttle_memory + 0.3 * slow / HZ, 0.0, 1.0);
    drive->controls.throttle =
        (uint8_t)(255.0 * clamped(0.4 * slow + at->throttle_memory, 0.0, 1.0));
}

/// Largest mean lateral acceleration over five seconds in which the car keeps to a circle of 200
/// ft. It begins at `from_g`, below which nothing is measured.
static double skidpad_g(int index, double from_g) {
    enum { WINDOW = 5 * HZ };
    const double PER_S = 0.04, HELD_M = 0.5;
    circler at = {.radius_m = 30.48, .patience_s = 0.6};
    at.speed_mps = sqrt(from_g * GRAVITY_MPS2 * at.radius_m);
    test_drive drive = begin(index, at.speed_mps);
    double best = 0.0, sum = 0.0;
    int held = 0;
    while (drive.time_s < 5.0 || (at.off_m < 2.0 && drive.time_s < 300.0)) {
        at.speed_mps += drive.time_s < 5.0 ? 0.0 : PER_S / HZ;
        circle(&drive, &at);
        step(&drive);
        ck_assert_double_gt(uprightness(&drive), 0.4);
        bool holds = fabs(at.off_m) < HELD_M;
        double side = speed_of(&drive) * speed_of(&drive) / (at.radius_m + at.off_m);
        held = holds ? held + 1 : 0;
        sum = holds ? sum + side : 0.0;
        if (held == WINDOW) {
            best = fmax(best, sum / WINDOW);
            held = 0;
            sum = 0.0;
        }
    }
    apex_world_destroy(drive.world);
    return best / GRAVITY_MPS2;
}

static void compare(const char *what, double measured, double published, double share) {
    if (published <= 0.0) {
        return;
    }
    ck_assert_msg(fabs(measured - published) <= share * published,
                  "%s: %.3f, published %.3f, which allows %.0f %%", what, measured, published,
                  100.0 * share);
}

TEST_OVER(it_does_what_is_published, 0, check_cases(CARS)) {
    apex_car_def def;
    apex_car_published published;
    load(name_of(_i), &def, &published);
    if (published.zero_to_100_s > 0) {
        compare("0 to 100 km/h", start_s(_i, 100 * KMH), published.zero_to_100_s, 0.05);
    }
    if (published.zero_to_60mph_s > 0) {
        compare("0 to 60 mph", start_s(_i, 60 * MPH), published.zero_to_60mph_s, 0.05);
    }
    if (published.top_speed_kmph > 0) {
        compare("top speed", 3.6 * top_speed_mps(_i, 0.85 * published.top_speed_kmph * KMH),
                published.top_speed_kmph, 0.02);
    }
    if (published.braking_100_0_m > 0) {
        compare("100 km/h to 0", stopping_m(_i, 100 * KMH), published.braking_100_0_m, 0.05);
    }
    if (published.braking_60mph_0_m > 0) {
        compare("60 mph to 0", stopping_m(_i, 60 * MPH), published.braking_60mph_0_m, 0.05);
    }
    if (published.skidpad_g > 0) {
        compare("skidpad", skidpad_g(_i, 0.85 * published.skidpad_g), published.skidpad_g, 0.03);
    }
}

/// The published figures that are compared with: a car must not come into line because its own
/// file says so.
static const struct {
    const char *name;
    double top_kmph, to_100_s, to_60mph_s, from_100_m, from_60mph_m, hold_g;
} known[] = {
    {"boxster-s", 264, 5.7, 0, 0, 34, 0.91},     {"cbr1000rr", 0, 2.95, 0, 0, 0, 0},
    {"corvette-c5", 275, 0, 4.8, 0, 35.4, 0.90}, {"formula", 0, 0, 0, 0, 0, 0},
    {"micra", 172, 11.9, 0, 35.2, 0, 0},         {"minibus", 0, 0, 0, 0, 0, 0},
    {"mp4-12c", 330, 3.1, 0, 30.5, 0, 0},        {"truck-6x4", 0, 0, 0, 0, 0, 0},
};

TEST_OVER(files_say_what_is_published, 0, CARS) {
    apex_car_def def;
    apex_car_published published;
    ck_assert_str_eq(name_of(_i), known[_i].name);
    load(known[_i].name, &def, &published);
    ck_assert_double_eq(published.top_speed_kmph, known[_i].top_kmph);
    ck_assert_double_eq(published.zero_to_100_s, known[_i].to_100_s);
    ck_assert_double_eq(published.zero_to_60mph_s, known[_i].to_60mph_s);
    ck_assert_double_eq(published.braking_100_0_m, known[_i].from_100_m);
    ck_assert_double_eq(published.braking_60mph_0_m, known[_i].from_60mph_m);
    ck_assert_double_eq(published.skidpad_g, known[_i].hold_g);
    ck_assert_int_eq(published.source[0] != '\0', known[_i].to_100_s + known[_i].to_60mph_s > 0);
}

/// The figures of the unfitted car are those of the same car but for friction and efficiency.
TEST_OVER(nothing_else_is_fitted, 0, CARS) {
    apex_car_def def;
    apex_car_published published;
    load(name_of(_i), &def, &published);
    apex_car_def bare = apex_car_unfitted(&def);
    ck_assert_double_eq(bare.gearbox.efficiency, 1.0);
    bare.gearbox.efficiency = def.gearbox.efficiency;
    for (uint32_t a = 0; a < def.axle_count; a++) {
        apex_tyre_def *tyre = &bare.axles[a].tyre;
        ck_assert_double_eq(tyre->longitudinal.d, 1.0);
        ck_assert_double_eq(tyre->lateral.d, 1.0);
        tyre->longitudinal.d = def.axles[a].tyre.longitudinal.d;
        tyre->lateral.d = def.axles[a].tyre.lateral.d;
    }
    ck_assert_mem_eq(&bare, &def, sizeof def);
}

/// Of those without a maker: what such vehicles do.
static const struct {
    const char *name;
    double top_kmph[2], hold_g[2], stop_m[2]; ///< least and most
} usual[] = {
    {"minibus", {160, 185}, {0.62, 0.80}, {36, 46}},
    {"formula", {300, 330}, {1.5, 2.2}, {15, 24}},
    {"truck-6x4", {96, 104}, {0.40, 0.65}, {45, 65}},
};

static int index_of(const char *name) {
    int index = 0;
    while (strcmp(name_of(index), name) != 0) {
        index++;
    }
    return index;
}

TEST_OVER(the_others_do_what_is_usual, 0, check_cases((int)(sizeof usual / sizeof usual[0]))) {
    int index = index_of(usual[_i].name);
    double top = 3.6 * top_speed_mps(index, 0.9 * usual[_i].top_kmph[0] * KMH);
    double hold = skidpad_g(index, 0.85 * usual[_i].hold_g[0]), stop = stopping_m(index, 99 * KMH);
    ck_assert_msg(top >= usual[_i].top_kmph[0] && top <= usual[_i].top_kmph[1], "%.1f km/h", top);
    ck_assert_msg(hold >= usual[_i].hold_g[0] && hold <= usual[_i].hold_g[1], "%.3f g", hold);
    ck_assert_msg(stop >= usual[_i].stop_m[0] && stop <= usual[_i].stop_m[1], "%.1f m", stop);
}

TEST(the_motorcycle_leans_into_bends_of_1_g) {
    int index = index_of("cbr1000rr");
    circler at = {.radius_m = 60.0, .patience_s = 1.5};
    at.speed_mps = sqrt(0.95 * GRAVITY_MPS2 * at.radius_m);
    test_drive drive = begin(index, 0.6 * at.speed_mps);
    while (drive.time_s < 25.0) {
        circle(&drive, &at);
        step(&drive);
        ck_assert_double_gt(uprightness(&drive), 0.5);
    }
    double side_g = speed_of(&drive) * drive.pose.angular_radps[2] / GRAVITY_MPS2;
    ck_assert_double_gt(side_g, 0.9);
    ck_assert_double_eq_tol(-drive.pose.roll_rad, atan(side_g), 0.03);
    ck_assert_double_lt(fabs(at.off_m), 1.0);
    apex_world_destroy(drive.world);
}

/// The downforce of a formula car: three to four times its weight, tank empty, at top speed.
TEST(wings_press_the_formula_car_down) {
    test_drive drive = begin(index_of("formula"), 86.0);
    drive.controls.throttle = 255;
    while (drive.time_s < 5.0) {
        step(&drive);
    }
    apex_car_work work;
    ck_assert(apex_world_get_work(drive.world, drive.car, &work));
    double weight_n = drive.def.mass_kg * GRAVITY_MPS2;
    ck_assert_double_gt(work.downforce_n, 3.0 * weight_n);
    ck_assert_double_lt(work.downforce_n, 4.0 * weight_n);
    apex_world_destroy(drive.world);
}

static void take_round(const apex_track *track, const char *name) {
    const double FROM_M = 20.0;
    apex_driver_plan *plan = NULL;
    test_drive drive = {.time_s = 0.0};
    apex_car_published published;
    load(name, &drive.def, &published);
    ck_assert_int_eq(apex_driver_plan_create(track, &drive.def, 9.81, &plan), APEX_OK);
    enter(&drive, apex_track_ground(track), apex_track_walls(track));
    apex_placement at = apex_track_placement(track, FROM_M, 0.0);
    set_down(&drive, &at);
    apex_driver driver = apex_driver_create(1.0, 0.0);
    double length_m = apex_track_length_m(track), way_m = 0.0, before_m = FROM_M;
    double least_upright = drive.def.model == APEX_CAR_MOTORCYCLE ? 0.5 : 0.93;
    int off_ticks = 0;
    while (way_m < length_m && drive.time_s < 300.0) {
        apex_driver_view view = driver_view_alone(&drive.pose, 1.0 / HZ);
        drive.controls = apex_driver_drive(&driver, plan, &view);
        step(&drive);
        way_m += remainder(driver.s_m - before_m, length_m);
        before_m = driver.s_m;
        off_ticks += drive.pose.wheels_on_road == 0 && !drive.pose.airborne;
        ck_assert_msg(uprightness(&drive) > least_upright, "%s falls at %.0f m", name, driver.s_m);
        ck_assert_msg(view.speed_mps < 8.0 || fabs(view.sideways_mps) < 0.4 * view.speed_mps,
                      "%s slides at %.0f m", name, driver.s_m);
    }
    ck_assert_msg(drive.time_s < 240.0, "%s is %.1f s on its way", name, drive.time_s);
    ck_assert_msg(off_ticks < HZ / 4, "%s is off for %d ticks", name, off_ticks);
    apex_world_destroy(drive.world);
    apex_driver_plan_destroy(plan);
}

TEST(a_driver_takes_each_round_ridgeway) {
    apex_track_def def;
    apex_track *track = NULL;
    apex_content_problem problem;
    ck_assert_int_eq(apex_content_load_track("ridgeway", NULL, &def, &problem), APEX_OK);
    ck_assert_int_eq(apex_track_create(&def, &track, NULL), APEX_OK);
    for (int car = 0; car < check_cases(CARS); car++) {
        take_round(track, name_of(car));
    }
    apex_track_destroy(track);
    apex_track_def_free(&def);
}

TEST(eight_cars_ship) {
    ck_assert_ptr_null(apex_content_shipped(APEX_CONTENT_CAR, CARS));
}
