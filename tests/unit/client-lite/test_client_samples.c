// The way of one car between its samples and after the last: how far each is believed.
#include "support/base/check_main.h"

#include <math.h>

#include "client-lite/view/car_samples.h"

enum { TICK_HZ = 60, CAR = 7, BEGIN = 600 };

static client_samples_scene scene = {.tick_hz = TICK_HZ, .newest_tick = BEGIN};

// Along x, on no road.
static void hear(client_car_samples *heard, uint32_t tick, double x_m, double speed_mps) {
    apex_wire_car car = {.id = CAR,
                         .x_mm = (int32_t)lround(x_m * 1000.0),
                         .vx_cmps = (int16_t)lround(speed_mps * 100.0)};
    ck_assert(client_samples_insert(heard, &car, tick));
}

static apex_client_pose at(client_car_samples *heard, double tick) {
    return client_samples_pose(&scene, heard, tick);
}

// With rates of three times the way the cubic is 1 - (1 - s)^3: it never leaves the way. At half
// time that is 7/8 of it where the car stopped, and 1/8 where it started.
TEST(the_curve_of_a_second_does_not_swing_beyond_its_samples) {
    client_car_samples stops = {0}, starts = {0};
    hear(&stops, BEGIN, 0.0, 60.0); // 10 m at no more than 30 m/s
    hear(&stops, BEGIN + 60, 10.0, 0.0);
    hear(&starts, BEGIN, 0.0, 0.0);
    hear(&starts, BEGIN + 60, 10.0, 60.0);
    ck_assert_double_eq_tol(at(&stops, BEGIN + 30).position_m[0], 8.75, 1e-9);
    ck_assert_double_eq_tol(at(&starts, BEGIN + 30).position_m[0], 1.25, 1e-9);
    for (double tick = BEGIN; tick <= BEGIN + 60; tick += 1.0) {
        double x_m = at(&stops, tick).position_m[0];
        ck_assert(x_m > -1e-9 && x_m < 10.0 + 1e-9);
    }
    // What goes no faster than that keeps its speed: 20 m/s here, an eighth of a second's way.
    client_car_samples slow = {0};
    hear(&slow, BEGIN, 0.0, 20.0);
    hear(&slow, BEGIN + 60, 10.0, 0.0);
    ck_assert_double_eq_tol(at(&slow, BEGIN + 30).position_m[0], 5.0 + 2.5, 1e-9);
}

// The mean speed of a tenth of a second explains 2 m; 3 m more and a quarter of it are let pass.
TEST(near_samples_are_joined_if_speeds_explain_the_way) {
    client_car_samples joined = {0}, put = {0};
    hear(&joined, BEGIN, 0.0, 20.0);
    hear(&joined, BEGIN + 6, 2.0 + 3.4, 20.0);
    hear(&put, BEGIN, 0.0, 20.0);
    hear(&put, BEGIN + 6, 2.0 + 3.6, 20.0);
    ck_assert_double_eq_tol(at(&joined, BEGIN + 3).position_m[0], 2.7, 1e-9);
    ck_assert_double_eq(at(&put, BEGIN + 3).position_m[0], 0.0);
    ck_assert_double_eq_tol(at(&put, BEGIN + 6).position_m[0], 5.6, 1e-9);
}

// 1.4 times the faster speed for a second, and 15 m: 43 m at 20 m/s, whichever end was faster.
TEST_OVER(far_samples_are_joined_if_a_car_can_have_driven_it, 0, 2) {
    client_car_samples joined = {0}, put = {0};
    hear(&joined, BEGIN, 0.0, _i == 0 ? 20.0 : 10.0);
    hear(&joined, BEGIN + 60, 42.9, _i == 0 ? 10.0 : 20.0);
    hear(&put, BEGIN, 0.0, _i == 0 ? 20.0 : 10.0);
    hear(&put, BEGIN + 60, 43.1, _i == 0 ? 10.0 : 20.0);
    double lean_m = _i == 0 ? (20.0 - 10.0) / 8.0 : (10.0 - 20.0) / 8.0;
    ck_assert_double_eq_tol(at(&joined, BEGIN + 30).position_m[0], 21.45 + lean_m, 1e-9);
    scene.newest_tick = BEGIN + 60;
    ck_assert_double_eq_tol(at(&put, BEGIN + 30).position_m[0], _i == 0 ? 10.0 : 5.0, 1e-9);
}

// For a quarter of a second as told. Then for as long as others were heard of meanwhile, three
// seconds at most where there is no road; there it stands and is marked.
TEST(a_car_goes_on_for_as_long_as_others_are_heard_of) {
    static const struct {
        uint32_t newest_tick;
        double most_s;
    } cases[] = {{BEGIN, 0.25}, {BEGIN + 60, 1.25}, {BEGIN + 180, 3.25}, {BEGIN + 900, 3.25}};
    client_car_samples heard = {0};
    hear(&heard, BEGIN, 0.0, 20.0);
    ck_assert(!at(&heard, BEGIN).extrapolated);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        scene.newest_tick = cases[i].newest_tick;
        double end_tick = BEGIN + TICK_HZ * cases[i].most_s;
        apex_client_pose goes = at(&heard, end_tick - 0.5), stands = at(&heard, end_tick + 0.5);
        ck_assert(goes.extrapolated && !goes.stale);
        ck_assert_double_eq_tol(goes.tick, end_tick - 0.5, 1e-6);
        ck_assert_double_eq_tol(goes.position_m[0], 20.0 * (cases[i].most_s - 0.5 / TICK_HZ), 1e-6);
        ck_assert(stands.extrapolated && stands.stale);
        ck_assert_double_eq_tol(stands.tick, end_tick, 1e-6);
        ck_assert_double_eq_tol(stands.position_m[0], 20.0 * cases[i].most_s, 1e-6);
    }
}

TEST(before_the_first_sample_a_car_is_at_it) {
    client_car_samples heard = {0};
    hear(&heard, BEGIN, 30.0, 20.0);
    apex_client_pose pose = at(&heard, BEGIN - 60.0);
    ck_assert_double_eq(pose.position_m[0], 30.0);
    ck_assert(!pose.extrapolated && !pose.stale);
}

// The newest 32 are kept, in the order of their ticks; what is older, or here already, is not.
TEST(samples_are_kept_by_tick) {
    client_car_samples heard = {0};
    apex_wire_car car = {.id = CAR};
    for (uint32_t i = 0; i < CLIENT_SAMPLES_KEPT; i++) {
        ck_assert(client_samples_insert(&heard, &car, BEGIN + 2 * (i ^ 1))); // in swapped pairs
    }
    ck_assert(!client_samples_insert(&heard, &car, BEGIN + 10));
    ck_assert(!client_samples_insert(&heard, &car, BEGIN - 1));
    ck_assert(client_samples_insert(&heard, &car, BEGIN + 31));
    ck_assert_uint_eq(heard.count, CLIENT_SAMPLES_KEPT);
    ck_assert_uint_eq(heard.list[0].tick, BEGIN + 2);
    ck_assert_uint_eq(heard.list[CLIENT_SAMPLES_KEPT - 1].tick, BEGIN + 62);
    for (uint32_t i = 1; i < CLIENT_SAMPLES_KEPT; i++) {
        ck_assert_uint_lt(heard.list[i - 1].tick, heard.list[i].tick);
    }
    ck_assert_uint_eq(heard.list[15].tick, BEGIN + 31);
}

// A mean of all at first, then a twentieth for each: 3 and 9 make 6.
TEST(intervals_are_averaged) {
    client_car_samples heard = {0};
    apex_wire_car car = {.id = CAR};
    static const uint32_t ticks[] = {0, 3, 12, 9};
    for (uint32_t i = 0; i < 4; i++) {
        client_samples_count_interval(&heard, BEGIN + ticks[i]);
        client_samples_insert(&heard, &car, BEGIN + ticks[i]);
    }
    ck_assert_uint_eq(heard.interval_count, 2);
    ck_assert_double_eq_tol(heard.interval_ticks, 6.0, 1e-9);
    for (uint32_t tick = 13; tick < 13 + 18; tick++) {
        client_samples_count_interval(&heard, BEGIN + tick);
        client_samples_insert(&heard, &car, BEGIN + tick);
    }
    double mean = (3.0 + 9.0 + 18.0) / 20.0;
    ck_assert_double_eq_tol(heard.interval_ticks, mean, 1e-9);
    client_samples_count_interval(&heard, BEGIN + 30 + 21);
    ck_assert_double_eq_tol(heard.interval_ticks, mean + 0.05 * (21.0 - mean), 1e-9);
}
