/// The circuits that ship, driven faster than real time: what their makers promise of them is felt
/// by the cars, and drivers who see only road and rivals get round.
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/trig.h"
#include "content/content.h"
#include "driver/driver.h"
#include "support/base/check_main.h"
#include "support/driver/driver_view.h"

enum { HZ = 60, FIELD_MAX = 8 };

typedef struct car_run {
    apex_car_id id;
    apex_driver driver;
    double last_s_m, driven_m;
    uint32_t laps, ticks, off_ticks;
    bool flying;
    double flight_m, longest_m, longest_s_m, took_off_mps, hardest_mps;
    double before_m[2];
    double speed_mps_max;
} car_run;

typedef struct outing {
    apex_track_def def;
    apex_track *track;
    apex_car_def car;
    apex_driver_plan *plan;
    apex_world *world;
    uint32_t count;
    car_run cars[FIELD_MAX];
} outing;

static void lay(outing *out, const char *name) {
    apex_content_problem problem;
    memset(out, 0, sizeof *out);
    apex_err err = apex_content_load_track(name, NULL, &out->def, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_int_eq(apex_track_create(&out->def, &out->track, NULL), APEX_OK);
}

static void clear(outing *out) {
    apex_track_destroy(out->track);
    apex_track_def_free(&out->def);
}

/// On the outing's track.
static void start(outing *out, const char *car, uint32_t count) {
    apex_content_problem problem;
    apex_err err = apex_content_load_car(car, NULL, &out->car, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    ck_assert_int_eq(apex_driver_plan_create(out->track, &out->car, 9.81, &out->plan), APEX_OK);
    apex_world_def world = apex_default_world_def();
    world.car_capacity = count;
    world.tick_hz = HZ;
    ck_assert_int_eq(apex_world_create(&world, apex_track_ground(out->track),
                                       apex_track_walls(out->track), &out->world),
                     APEX_OK);
    apex_car_type type;
    ck_assert_int_eq(apex_world_add_type(out->world, &out->car, &type), APEX_OK);
    out->count = count;
    memset(out->cars, 0, sizeof out->cars);
    for (uint32_t i = 0; i < count; i++) {
        apex_placement at = apex_track_grid_placement(out->track, i);
        ck_assert_int_eq(apex_world_add_car(out->world, type, &at, &out->cars[i].id), APEX_OK);
        out->cars[i].driver = apex_driver_create(1.0 - 0.01 * i, 0);
        out->cars[i].last_s_m = -1;
    }
}

static void end(outing *out) {
    apex_world_destroy(out->world);
    apex_driver_plan_destroy(out->plan);
}

static apex_driver_view see(const apex_car_pose *poses, uint32_t count, uint32_t own) {
    apex_driver_view view = driver_view_alone(&poses[own], 1.0 / HZ);
    for (uint32_t i = 0; i < count; i++) {
        apex_driver_neighbour other = driver_view_neighbour(&poses[own], &poses[i]);
        if (i == own || other.ahead_m > 80 || other.ahead_m < -12 || fabs(other.left_m) > 12) {
            continue;
        }
        view.neighbours[view.neighbour_count++] = other;
    }
    return view;
}

/// The middle of the road at a speed, by the driver's own hands and a right foot of our own.
static apex_controls hold(const apex_driver_view *view, const apex_track_place *place, outing *out,
                          double speed_mps) {
    apex_track_frame frame = apex_track_frame_at(out->track, place->s_m);
    double course_rad =
        apex_wrap_angle(view->yaw_rad - frame.heading_rad) + view->sideways_mps / view->speed_mps;
    double bend_per_m =
        frame.curvature_per_m - place->offset_m / (20.0 * 20.0) - 2 * course_rad / 20.0;
    double base_m = out->car.axles[0].x_m - out->car.axles[1].x_m;
    double steer = base_m * bend_per_m / out->car.steering.angle_rad_max;
    double pull = 0.1 + 0.3 * (speed_mps - view->speed_mps);
    pull = pull < 0 ? 0 : pull > 1 ? 1 : pull;
    return (apex_controls){.steer = (int16_t)(steer * APEX_STEER_MAX),
                           .throttle = (uint8_t)(255 * pull),
                           .gear = 4,
                           .aids_off = APEX_AID_STEERING};
}

static void note_flight(car_run *run, const apex_car_pose *pose, double speed_mps) {
    if (pose->airborne && !run->flying) {
        run->before_m[0] = pose->position_m[0];
        run->before_m[1] = pose->position_m[1];
        run->took_off_mps = speed_mps;
    }
    if (pose->airborne) {
        run->flight_m =
            hypot(pose->position_m[0] - run->before_m[0], pose->position_m[1] - run->before_m[1]);
    }
    if (pose->airborne && run->flight_m > run->longest_m) {
        run->longest_m = run->flight_m;
        run->longest_s_m = run->driver.s_m;
    }
    run->flying = pose->airborne;
}

static void note(outing *out, car_run *run, const apex_car_pose *pose) {
    double speed_mps = hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
    note_flight(run, pose, speed_mps);
    run->ticks++;
    run->off_ticks += pose->wheels_on_road == 0 && !pose->airborne;
    run->speed_mps_max = fmax(run->speed_mps_max, speed_mps);
    double lap_m = apex_track_length_m(out->track);
    if (run->last_s_m > 0.9 * lap_m && run->driver.s_m < 0.1 * lap_m) {
        run->laps++;
    }
    run->last_s_m = run->driver.s_m;
}

/// One tick of everybody.
static void step(outing *out) {
    apex_car_pose poses[FIELD_MAX];
    apex_controls controls[FIELD_MAX] = {{0}};
    ck_assert_uint_eq(apex_world_poses(out->world, poses, FIELD_MAX), out->count);
    for (uint32_t i = 0; i < out->count; i++) {
        apex_driver_view view = see(poses, out->count, i);
        controls[i] = apex_driver_drive(&out->cars[i].driver, out->plan, &view);
    }
    apex_world_step(out->world, controls, NULL);
    apex_world_poses(out->world, poses, FIELD_MAX);
    for (uint32_t i = 0; i < out->count; i++) {
        note(out, &out->cars[i], &poses[i]);
    }
    size_t count = 0;
    const apex_contact_event *contacts = apex_world_contacts(out->world, &count);
    for (size_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < out->count; i++) {
            if (contacts[k].car.index1 == out->cars[i].id.index1) {
                out->cars[i].hardest_mps = fmax(out->cars[i].hardest_mps, contacts[k].closing_mps);
            }
        }
    }
}

static uint32_t laps_of_the_last(const outing *out) {
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < out->count; i++) {
        least = out->cars[i].laps < least ? out->cars[i].laps : least;
    }
    return least;
}

typedef struct trip {
    const char *car;
    uint32_t count, laps;
    double s_max;
    double flight_m_min; ///< at Long Leap
} trip;

enum { TRIPS_MAX = 9 };

/// The sanitizers run the first trip of each, one lap long.
static const struct {
    const char *track;
    trip trips[TRIPS_MAX];
} circuits[] = {
    {"highfell",
     {{"boxster-s", 8, 2, 240, 8},
      {"formula", 1, 2, 160, 0},
      {"truck-6x4", 1, 1, 200, 0},
      {"micra", 1, 1, 140, 0},
      {"cbr1000rr", 1, 2, 220, 0},
      {"mp4-12c", 1, 2, 200, 10},
      {"minibus", 1, 1, 140, 0},
      {"corvette-c5", 1, 2, 215, 10}}},
    {"speedway",
     {{"boxster-s", 8, 2, 130, 0},
      {"formula", 1, 2, 100, 0},
      {"truck-6x4", 1, 1, 120, 0},
      {"cbr1000rr", 1, 2, 120, 0}}},
};

/// From the grid, so that the first time over the line is no lap.
static void get_round(outing *out, const trip *way) {
    const double LEAP_FROM_M = 1690, LEAP_TO_M = 1740;
    const uint32_t laps = (uint32_t)check_cases((int)way->laps);
    start(out, way->car, way->count);
    for (uint32_t i = 0; i < way->s_max * HZ && laps_of_the_last(out) <= laps; i++) {
        step(out);
    }
    for (uint32_t i = 0; i < out->count; i++) {
        const car_run *run = &out->cars[i];
        ck_assert_msg(run->laps > laps, "%s is at %.0f m of lap %u after %u ticks", way->car,
                      run->driver.s_m, run->laps, run->ticks);
        ck_assert_msg(run->driver.resets == 0, "%s: %u resets", way->car, run->driver.resets);
        ck_assert_msg(run->off_ticks <= 0.005 * run->ticks, "%s is off the road for %u ticks",
                      way->car, run->off_ticks);
        ck_assert_msg(out->count > 1 || run->hardest_mps < 1, "%s hits at %.1f m/s", way->car,
                      run->hardest_mps);
        ck_assert_msg(run->longest_m >= way->flight_m_min, "%s flies %.1f m", way->car,
                      run->longest_m);
        ck_assert_msg(run->longest_m < 5 ||
                          (run->longest_s_m > LEAP_FROM_M && run->longest_s_m < LEAP_TO_M),
                      "%s flies at %.0f m", way->car, run->longest_s_m);
    }
    end(out);
}

TEST_OVER(drivers_get_round, 0, (int)(sizeof circuits / sizeof circuits[0])) {
    static outing out;
    lay(&out, circuits[_i].track);
    for (int i = 0; i < check_cases(TRIPS_MAX) && circuits[_i].trips[i].car != NULL; i++) {
        get_round(&out, &circuits[_i].trips[i]);
    }
    clear(&out);
}

/// On a banking of angle b and radius r gravity alone turns a car at v^2 = g r tan b: there its
/// tyres push neither up nor down the slope. Below it they hold it up, above it down.
static double side_force_share(double banking_deg, double radius_m, double speed_share,
                               double *turning_g) {
    char text[256];
    apex_content_problem problem;
    static outing out;
    int length = snprintf(text, sizeof text,
                          "kind: track\nname: x\nwidth_m: 20\nsections: [{left_deg: 360, radius_m: "
                          "%g, banking_deg: %g}]\n",
                          radius_m, -banking_deg);
    memset(&out, 0, sizeof out);
    ck_assert_int_eq(apex_content_parse_track(text, (size_t)length, "f", &out.def, &problem),
                     APEX_OK);
    ck_assert_int_eq(apex_track_create(&out.def, &out.track, NULL), APEX_OK);
    start(&out, "boxster-s", 1);
    double neutral_mps = sqrt(9.81 * radius_m * tan(banking_deg * APEX_PI / 180));
    apex_placement at = apex_track_placement(out.track, 0, 0);
    at.speed_mps = speed_share * neutral_mps;
    apex_world_place_car(out.world, out.cars[0].id, &at);
    double side_n = 0, load_n = 0;
    *turning_g = 0;
    for (uint32_t i = 0; i < 20 * HZ; i++) {
        apex_car_pose pose;
        apex_car_work work;
        ck_assert_uint_eq(apex_world_poses(out.world, &pose, 1), 1);
        apex_driver_view view = see(&pose, 1, 0);
        apex_track_place place =
            apex_track_project(out.track, view.x_m, view.y_m, out.cars[0].last_s_m);
        out.cars[0].last_s_m = place.s_m;
        apex_controls controls = hold(&view, &place, &out, speed_share * neutral_mps);
        apex_world_step(out.world, &controls, NULL);
        if (i >= 10 * HZ) {
            *turning_g += view.speed_mps * view.speed_mps / (radius_m - place.offset_m) / 9.81;
        }
        ck_assert(apex_world_get_work(out.world, out.cars[0].id, &work));
        for (uint32_t w = 0; w < 4 && i >= 10 * HZ; w++) {
            side_n += work.wheels[w].force_lat_n;
            load_n += work.wheels[w].load_n;
        }
    }
    end(&out);
    clear(&out);
    *turning_g /= 10 * HZ;
    return side_n / load_n;
}

TEST_OVER(a_banking_turns_the_car_by_itself, 0, 3) {
    static const struct { double banking_deg, radius_m; } bends[] = {{24, 230}, {8, 115}, {15, 75}};
    double banking_deg = bends[_i].banking_deg, radius_m = bends[_i].radius_m;
    double tangent = tan(banking_deg * APEX_PI / 180), turning_g[2], share[2];
    // In the plane of the road v^2 / r cos b - g sin b is left for the tyres; their load goes with
    // g cos b + v^2 / r sin b.
    for (int k = 0; k < 2; k++) {
        share[k] = side_force_share(banking_deg, radius_m, k == 0 ? 0.85 : 1.15, &turning_g[k]);
        double wanted = (turning_g[k] - tangent) / (1 + turning_g[k] * tangent);
        ck_assert_double_eq_tol(share[k], wanted, 0.008);
        ck_assert(k == 0 ? share[k] < -0.02 : share[k] > 0.02);
    }
    double neutral_g =
        turning_g[0] - share[0] * (turning_g[1] - turning_g[0]) / (share[1] - share[0]);
    ck_assert_double_eq_tol(neutral_g, tangent, 0.02 * tangent);
}
