// builds: float double
// Tests of accuracy: halving the substep halves the error, and the product's float stays within a
// millimetre of the oracle's double.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include "base/assert.h"
#include "base/trig.h"
#include "physics/world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KINEMATIC = 6, MOTORCYCLE = 7, MANOEUVRES = 4 };

// Smooth: nothing switches, no wheel spins or slides.
static void choose_controls(int manoeuvre, double time_s, apex_controls *out) {
    *out = (apex_controls){.gear = manoeuvre == 0 ? 1 : 3};
    switch (manoeuvre) {
    case 0: // away
        out->throttle = (uint8_t)fmin(255.0, 60.0 + 100.0 * time_s);
        break;
    case 1: // from side to side
        out->steer = (int16_t)(4000.0 * apex_sin(2.0 * time_s));
        out->throttle = 60;
        break;
    case 2: // to a stop, nearly
        out->brake = (uint8_t)fmin(120.0, 60.0 * time_s);
        break;
    default: // into a bend
        out->steer = (int16_t)fmin(7000.0, 7000.0 * time_s);
        out->throttle = 80;
        break;
    }
}

static apex_car_state drive(uint32_t kind, int manoeuvre, uint32_t substep_hz) {
    apex_car_def def = scene_car_kind(kind);
    scene_solo solo = scene_solo_create(&def, scene_flat());
    // The interface knows 240 and 200 Hz; what lies beneath takes any.
    solo.world->substeps = substep_hz / 60;
    solo.world->cars.conditions.h_s = (real)(1.0 / substep_hz);
    apex_placement at = {.speed_mps = manoeuvre == 0 ? 0.0 : 25.0};
    apex_world_place_car(solo.world, solo.car, &at);
    for (int tick = 0; tick < 180; tick++) {
        choose_controls(manoeuvre, tick / 60.0, &solo.controls);
        scene_solo_run(&solo, 1);
    }
    apex_car_state state = scene_solo_state(&solo);
    scene_solo_destroy(&solo);
    return state;
}

static double way_between(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

TEST(halving_the_substep_halves_the_error) {
    static const uint32_t HZ[] = {120, 240, 480, 960};
    const uint32_t kinds = (uint32_t)check_cases(KINEMATIC);
    for (uint32_t kind = 0; kind < kinds; kind++) {
        for (int manoeuvre = 0; manoeuvre < MANOEUVRES; manoeuvre++) {
            apex_car_state exact = drive(kind, manoeuvre, 7680);
            double error[4];
            for (int i = 0; i < 4; i++) {
                apex_car_state state = drive(kind, manoeuvre, HZ[i]);
                error[i] = way_between(state.position_m, exact.position_m);
            }
            // Two steps of refinement at a time: a single one may meet an error on its way
            // through zero.
            ck_assert_msg(error[0] > 2.5 * error[2] && error[1] > 2.5 * error[3],
                          "kind %u, manoeuvre %d: %g, %g, %g, %g m", kind, manoeuvre, error[0],
                          error[1], error[2], error[3]);
            // 75 m at 240 Hz: a fifth of a percent.
            ck_assert_msg(error[1] < 0.15, "kind %u, manoeuvre %d: %g m at 240 Hz", kind, manoeuvre,
                          error[1]);
        }
    }
}

enum { TRAJECTORY_SECONDS = 10 };

/// The places of one car at the end of each second.
typedef struct trajectory {
    double position_m[TRAJECTORY_SECONDS][3];
} trajectory;

static trajectory drive_smoothly(uint32_t kind, int manoeuvre, const apex_ground *ground) {
    trajectory out;
    apex_car_def def = scene_car_kind(kind);
    scene_solo solo = scene_solo_create(&def, ground);
    apex_placement at = {.yaw_rad = 0.3, .speed_mps = 15.0};
    apex_world_place_car(solo.world, solo.car, &at);
    apex_car_state state = scene_solo_state(&solo);
    // A box that shifts is a switch, and so is a clutch that slips.
    state.gear = state.gear_before = 2;
    state.engine_radps =
        state.wheels[0].spin_radps * def.gearbox.ratio[1] * def.gearbox.final_drive;
    APEX_ASSERT(apex_world_set_car(solo.world, solo.car, &state));
    for (int tick = 0; tick < 60 * TRAJECTORY_SECONDS; tick++) {
        double t = tick / 60.0;
        apex_controls *controls = &solo.controls;
        *controls = (apex_controls){.gear = 2, .throttle = 40};
        if (manoeuvre == 1) {
            controls->steer = (int16_t)(2500.0 * apex_sin(t));
        } else if (manoeuvre == 2) {
            controls->throttle = t < 4.0 ? 80 : 0;
            controls->brake = (uint8_t)(t > 6.0 ? 10.0 * (t - 6.0) : 0.0);
        } else if (manoeuvre == 3) {
            controls->steer = (int16_t)fmin(2500.0, 1500.0 * t);
        }
        scene_solo_run(&solo, 1);
        if ((tick + 1) % 60 == 0) {
            memcpy(out.position_m[tick / 60], scene_solo_state(&solo).position_m,
                   sizeof out.position_m[0]);
        }
    }
    scene_solo_destroy(&solo);
    return out;
}

static void write_trajectories(const apex_ground *ground, FILE *to) {
    for (uint32_t kind = 0; kind < SCENE_KINDS; kind++) {
        for (int manoeuvre = 0; kind != KINEMATIC && manoeuvre < MANOEUVRES; manoeuvre++) {
            trajectory way = drive_smoothly(kind, manoeuvre, ground);
            for (int s = 0; s < TRAJECTORY_SECONDS; s++) {
                const double *p = way.position_m[s];
                fprintf(to, "%u %d %d %a %a %a\n", kind, manoeuvre, s, p[0], p[1], p[2]);
            }
        }
    }
}

static const char WRITE_TO[] = "APEX_TEST_TRAJECTORIES";

// The other build of this program runs this test alone for its trajectories.
TEST(trajectories_are_written_where_they_are_asked_for) {
    const char *path = getenv(WRITE_TO);
    if (path == NULL) {
        return;
    }
    FILE *to = fopen(path, "w");
    ck_assert_ptr_nonnull(to);
    scene_ground *hills = scene_ground_create_hills(1000.0);
    write_trajectories(scene_ground_of(hills), to);
    scene_ground_destroy(hills);
    ck_assert_int_eq(fclose(to), 0);
}

// The trajectories of the double build. NULL where it was not built.
static FILE *ask_double_build(void) {
    char program[512], path[CHECK_PATH_BYTES], command[1024];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 16);
    if (length <= 0) {
        return NULL;
    }
    memcpy(program + length, "_double", sizeof "_double");
    if (access(program, X_OK) != 0) {
        return NULL;
    }
    check_make_file(path, "trajectories");
    snprintf(command, sizeof command,
             "CK_RUN_CASE=trajectories_are_written_where_they_are_asked_for %s='%s' '%s' >&2",
             WRITE_TO, path, program);
    ck_assert_int_eq(system(command), 0);
    return fopen(path, "r");
}

TEST_OVER(float_stays_within_a_millimetre_of_double, 0, sizeof(real) == sizeof(float)) {
    FILE *from = ask_double_build();
    if (from == NULL) {
        fprintf(stderr, "not compared with double: the program's double build is not there\n");
        return;
    }
    scene_ground *hills = scene_ground_create_hills(1000.0);
    trajectory way = {0};
    double worst = 0.0, p[3];
    int lines = 0, manoeuvre, second;
    uint32_t kind;
    while (fscanf(from, "%u %d %d %la %la %la", &kind, &manoeuvre, &second, &p[0], &p[1], &p[2]) ==
           6) {
        ck_assert(second >= 0 && second < TRAJECTORY_SECONDS);
        if (second == 0) {
            way = drive_smoothly(kind, manoeuvre, scene_ground_of(hills));
        }
        double off = way_between(way.position_m[second], p);
        ck_assert_msg(off < 1e-3, "kind %u, manoeuvre %d: %g m off after %d s", kind, manoeuvre,
                      off, second + 1);
        worst = fmax(worst, off);
        lines++;
    }
    fclose(from);
    ck_assert_int_eq(lines, (SCENE_KINDS - 1) * MANOEUVRES * TRAJECTORY_SECONDS);
    ck_assert_double_gt(worst, 1e-7); // two builds, not one
    scene_ground_destroy(hills);
}
