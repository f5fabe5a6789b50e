// Manoeuvres: the list, the checks, and what each must show.
#include "support/base/check_main.h"
#include "support/physics/scenes.h"

#include "proving/proving.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static double figure(const apex_manoeuvre_result *result, const char *name) {
    for (size_t i = 0; i < result->figure_count; i++) {
        if (strcmp(result->figures[i].name, name) == 0) {
            return result->figures[i].value;
        }
    }
    ck_abort_msg("no figure %s", name);
    return 0.0;
}

static apex_manoeuvre_result run(const apex_manoeuvre_def *def, const apex_car_def *car) {
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(def, car, NULL, &result), APEX_OK);
    return result;
}

static apex_samples room_for(const apex_manoeuvre_def *def) {
    size_t capacity = apex_manoeuvre_samples_max(def);
    apex_samples samples = {calloc(capacity, sizeof(apex_sample)), capacity, 0};
    ck_assert_ptr_nonnull(samples.samples);
    return samples;
}

TEST(names_lead_to_kinds_and_defaults_are_fine) {
    for (int k = 0; k < APEX_MANOEUVRE_COUNT; k++) {
        apex_manoeuvre_kind kind = (apex_manoeuvre_kind)k, found = APEX_MANOEUVRE_COUNT;
        ck_assert(apex_manoeuvre_from_name(apex_manoeuvre_name(kind), &found));
        ck_assert_int_eq(found, kind);
        ck_assert_uint_gt(strlen(apex_manoeuvre_about(kind)), 10);
        apex_manoeuvre_def def = apex_default_manoeuvre_def(kind);
        ck_assert(apex_manoeuvre_check(&def, NULL));
    }
    apex_manoeuvre_kind kind = APEX_MANOEUVRE_JUMP;
    ck_assert(!apex_manoeuvre_from_name("moose", &kind));
    ck_assert(!apex_manoeuvre_from_name("", &kind));
    ck_assert_int_eq(kind, APEX_MANOEUVRE_JUMP);
}

static void expect_refused(apex_manoeuvre_def def, const char *field) {
    apex_def_problem problem;
    ck_assert(!apex_manoeuvre_check(&def, &problem));
    ck_assert_str_eq(problem.field, field);
    const apex_car_def car = scene_corvette();
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, NULL, &result), APEX_ERR_INVALID);
}

TEST(what_is_out_of_range_is_named) {
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_STEP_STEER);
    def.radius_m = -1.0; // it takes none
    ck_assert(apex_manoeuvre_check(&def, NULL));
    def.speed_mps = (double)NAN;
    expect_refused(def, "speed_mps");
    def.speed_mps = 0.0; // finds no highest speed by itself
    expect_refused(def, "speed_mps");
    def = apex_default_manoeuvre_def(APEX_MANOEUVRE_DOUBLE_LANE_CHANGE);
    ck_assert_double_eq(def.speed_mps, 0.0);
    def.speed_mps = 1.0;
    expect_refused(def, "speed_mps");
    def.speed_mps = 20.0;
    def.friction = 0.0;
    expect_refused(def, "friction");
    def.friction = 1.0;
    def.sample_hz = 100;
    expect_refused(def, "sample_hz");
    def = apex_default_manoeuvre_def(APEX_MANOEUVRE_HILL_HOLD);
    def.grade = 5.0;
    expect_refused(def, "grade");
    def.kind = APEX_MANOEUVRE_COUNT;
    expect_refused(def, "kind");
}

static void expect_sound(const apex_samples *samples, const apex_manoeuvre_def *def,
                         uint32_t wheels) {
    ck_assert_uint_gt(samples->count, 10);
    ck_assert_uint_le(samples->count, samples->capacity);
    for (size_t i = 0; i < samples->count; i++) {
        const apex_sample *s = &samples->samples[i];
        double sum = s->x_m + s->y_m + s->z_m + s->speed_mps + s->yaw_rad + s->yaw_rate_radps +
                     s->ax_mps2 + s->ay_mps2 + s->slip_angle_rad + s->roll_rad + s->pitch_rad +
                     s->steer_rad + s->throttle + s->brake + s->engine_rpm;
        for (uint32_t w = 0; w < wheels; w++) {
            sum += s->load_n[w];
            ck_assert_double_ge(s->load_n[w], 0.0);
        }
        ck_assert(isfinite(sum));
        double time_s = samples->samples[0].time_s + (double)i / def->sample_hz;
        ck_assert_double_eq_tol(s->time_s, time_s, 1e-9);
    }
}

static void expect_driven(apex_manoeuvre_kind kind, const apex_car_def *car) {
    apex_manoeuvre_def def = apex_default_manoeuvre_def(kind);
    if (def.speed_mps == 0.0 && apex_manoeuvre_takes(def.kind, APEX_OPTION_SPEED)) {
        def.speed_mps = 11.0;
    }
    apex_samples samples = room_for(&def);
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(&def, car, &samples, &result), APEX_OK);
    ck_assert_uint_ge(result.figure_count, 3);
    ck_assert_int_eq(result.verdict == APEX_VERDICT_FAIL, result.remark[0] != 0);
    expect_sound(&samples, &def, apex_car_def_wheel_count(car));
    free(samples.samples);
}

// If not all are run, each manoeuvre has another car to begin with, and the longest two are left to
// the tests of their own below.
TEST(every_kind_of_car_drives_every_manoeuvre) {
    for (int kind = 0; kind < APEX_MANOEUVRE_COUNT; kind++) {
        if (!check_is_whole() &&
            (kind == APEX_MANOEUVRE_COAST_DOWN || kind == APEX_MANOEUVRE_HILL_HOLD)) {
            continue;
        }
        for (int c = 0; c < check_cases(SCENE_KINDS); c++) {
            const apex_car_def car = scene_car_kind((uint32_t)(kind + c) % SCENE_KINDS);
            expect_driven((apex_manoeuvre_kind)kind, &car);
        }
    }
}

TEST(samples_come_at_the_rate_asked_for) {
    const apex_car_def car = scene_corvette();
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_BRAKING);
    apex_samples slow = room_for(&def);
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, &slow, &result), APEX_OK);
    def.sample_hz = 240;
    apex_samples fast = room_for(&def);
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, &fast, &result), APEX_OK);
    ck_assert_uint_eq((fast.count - 1) / 4 + 1, slow.count);
    // From the moment the pedal goes down to standing still.
    ck_assert_double_eq(fast.samples[0].time_s, 0.0);
    ck_assert_double_eq_tol(fast.samples[0].speed_mps, 100.0 / 3.6, 0.2);
    const apex_sample *last = &fast.samples[fast.count - 1];
    ck_assert_double_lt(last->speed_mps, 0.06);
    ck_assert_double_eq_tol(last->x_m - fast.samples[0].x_m, figure(&result, "distance"), 0.5);
    // Samples that do not fit are left out.
    apex_samples few = {fast.samples, 7, 0};
    const apex_sample kept = fast.samples[7];
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, &few, &result), APEX_OK);
    ck_assert_uint_eq(few.count, 7);
    ck_assert_int_eq(memcmp(&fast.samples[7], &kept, sizeof kept), 0);
    free(slow.samples);
    free(fast.samples);
}

TEST(kinematic_car_drives_the_very_circle) {
    const apex_car_def car = scene_car_kind(6);
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_CONSTANT_RADIUS);
    def.radius_m = 40.0;
    apex_samples samples = room_for(&def);
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, &samples, &result), APEX_OK);
    for (size_t i = 0; i < samples.count; i++) {
        double x = samples.samples[i].x_m, y = samples.samples[i].y_m - 40.0;
        ck_assert_double_eq_tol(sqrt(x * x + y * y), 40.0, 0.002);
    }
    ck_assert_double_eq_tol(figure(&result, "understeer"), 0.0, 1e-3);
    ck_assert_double_eq_tol(figure(&result, "roll"), 0.0, 1e-6);
    // Bicycle geometry: the wheels stand at atan(L / R) of the rear axle's circle.
    const apex_sample *last = &samples.samples[samples.count - 1];
    double base = car.axles[0].x_m - car.axles[1].x_m, back = -car.axles[1].x_m;
    ck_assert_double_eq_tol(last->steer_rad, atan(base / sqrt(1600.0 - back * back)), 1e-4);
    ck_assert_double_eq_tol(last->speed_mps * last->speed_mps / 40.0, 4.0, 0.03);
    ck_assert_double_eq_tol(last->speed_mps * last->yaw_rate_radps, 4.0, 0.03);
    free(samples.samples);
}

TEST(step_settles_where_it_should) {
    for (int side = 0; side < check_cases(2); side++) {
        const apex_car_def car = scene_corvette();
        apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_STEP_STEER);
        def.to_right = side == 1;
        apex_manoeuvre_result result = run(&def, &car);
        double sign = side == 1 ? -1.0 : 1.0;
        ck_assert_double_eq_tol(sign * figure(&result, "lateral_steady"), 4.0, 0.04);
        ck_assert_double_gt(sign * figure(&result, "steer"), 0.5);
        ck_assert_double_gt(figure(&result, "yaw_gain"), 4.0);
        ck_assert_double_lt(figure(&result, "yaw_gain"), 80.0 / 3.6 / 2.654 + 0.5);
        double when = figure(&result, "yaw_response_time");
        ck_assert(when > 0.05 && when < 0.4);
        ck_assert_double_gt(figure(&result, "lateral_response_time"), when);
    }
}

TEST(fast_swings_are_answered_less_and_later) {
    const apex_car_def car = scene_corvette();
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_SINE_SWEEP);
    apex_manoeuvre_result sine = run(&def, &car);
    def = apex_default_manoeuvre_def(APEX_MANOEUVRE_STEP_STEER);
    def.lateral_mps2 = 2.0;
    apex_manoeuvre_result step = run(&def, &car);
    ck_assert_double_eq_tol(figure(&sine, "yaw_gain_0_2hz"), figure(&step, "yaw_gain"), 0.25);
    ck_assert_double_lt(figure(&sine, "yaw_gain_4hz"), 0.7 * figure(&sine, "yaw_gain_0_2hz"));
    ck_assert_double_gt(figure(&sine, "yaw_phase_0_2hz"), -15.0);
    ck_assert_double_lt(figure(&sine, "yaw_phase_0_2hz"), 0.0);
    ck_assert_double_lt(figure(&sine, "yaw_phase_2hz"), figure(&sine, "yaw_phase_1hz"));
}

TEST(coasting_shows_drag_and_rolling) {
    const apex_car_def car = scene_corvette();
    const apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_COAST_DOWN);
    apex_manoeuvre_result result = run(&def, &car);
    const apex_tyre_def *tyre = &car.axles[0].tyre;
    double drag = 0.5 * 1.2 * 0.29 * 2.05;
    ck_assert_double_eq_tol(figure(&result, "resistance_by_speed_squared"), drag, 0.1 * drag);
    double rolling = 1500.0 * 9.81 * tyre->rolling_coefficient;
    ck_assert_double_eq_tol(figure(&result, "resistance"), rolling, 0.25 * rolling);
}

TEST(slippery_roads_lengthen_and_slow) {
    const apex_car_def car = scene_corvette();
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_BRAKING);
    apex_manoeuvre_result on_dry = run(&def, &car);
    double dry = figure(&on_dry, "distance");
    def.friction = 0.5;
    apex_manoeuvre_result wet = run(&def, &car);
    ck_assert_double_eq_tol(figure(&wet, "distance"), 2.0 * dry, 0.12 * dry);
    def = apex_default_manoeuvre_def(APEX_MANOEUVRE_RAMP_STEER);
    def.friction = 0.5;
    wet = run(&def, &car);
    ck_assert(figure(&wet, "lateral_peak") > 0.38 && figure(&wet, "lateral_peak") < 0.5);
}

TEST(brakes_hold_a_hill_that_friction_can) {
    const apex_car_def car = scene_corvette();
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_HILL_HOLD);
    apex_manoeuvre_result result = run(&def, &car);
    ck_assert_int_eq(result.verdict, APEX_VERDICT_PASS);
    ck_assert_double_lt(figure(&result, "creep_uphill"), 1.0);
    ck_assert_double_lt(figure(&result, "creep_across"), 1.0);
    def.friction = 0.2; // the slope is 0.3
    result = run(&def, &car);
    ck_assert_int_eq(result.verdict, APEX_VERDICT_FAIL);
    ck_assert_ptr_nonnull(strstr(result.remark, "slope"));
    ck_assert_double_gt(figure(&result, "creep_uphill"), 1000.0);
}

TEST(ramps_make_cars_fly) {
    const apex_car_def car = scene_corvette();
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_JUMP);
    apex_manoeuvre_result result = run(&def, &car);
    // From a bend of 8 m the ramp of 12 % rises 0.12 (16 - 4) m.
    ck_assert_double_eq_tol(figure(&result, "ramp_height"), 1.44, 1e-9);
    double air = figure(&result, "air_time"), speed = figure(&result, "take_off_speed") / 3.6;
    ck_assert(speed > 14.0 && speed < 17.5);
    // Thrown up at 0.12 of its speed from 1.44 m: the centre of mass is back at its height above
    // level ground after (v + sqrt(v^2 + 2 g h)) / g.
    double up = 0.12 * speed, whole = (up + sqrt(up * up + 2.0 * 9.81 * 1.44)) / 9.81;
    ck_assert(air > 0.6 * whole && air < 1.25 * whole);
    ck_assert_double_eq_tol(figure(&result, "flight"), air * speed, 0.06 * air * speed);
    def.speed_mps = 100.0 / 3.6;
    apex_manoeuvre_result faster = run(&def, &car);
    ck_assert_double_gt(figure(&faster, "flight"), 1.5 * figure(&result, "flight"));
}

TEST(runs_repeat_to_the_last_bit) {
    const apex_car_def car = scene_car_kind(4);
    apex_manoeuvre_def def = apex_default_manoeuvre_def(APEX_MANOEUVRE_OBSTACLE_AVOIDANCE);
    def.speed_mps = 15.0;
    apex_samples first = room_for(&def), second = room_for(&def);
    apex_manoeuvre_result result;
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, &first, &result), APEX_OK);
    ck_assert_int_eq(apex_manoeuvre_run(&def, &car, &second, &result), APEX_OK);
    ck_assert_uint_eq(first.count, second.count);
    for (size_t i = 0; i < first.count; i++) {
        const apex_sample *a = &first.samples[i], *b = &second.samples[i];
        ck_assert(memcmp(a, b, offsetof(apex_sample, gear)) == 0 && a->gear == b->gear &&
                  memcmp(a->load_n, b->load_n, sizeof a->load_n) == 0);
    }
    free(first.samples);
    free(second.samples);
}
